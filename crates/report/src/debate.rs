//! A debate as one page or as Markdown, what happened between its answers in words, and how well
//! debates were supported.

mod between;
mod html;
mod markdown;
pub mod quality;
mod synthesis;
mod words;

pub use between::{Said, Teller, Tone, by_round, sentence, unanswered};
pub use html::{Controls, Stands, encoded, page, served};
pub use markdown::report as markdown;
pub use synthesis::{origin, said_by};
pub use words::{amount, cost, group, rebuttal, verdict};
