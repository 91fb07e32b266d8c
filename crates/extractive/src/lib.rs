//! Panelists that quote: each picks from the evidence what speaks for an answer, answers the other side
//! with passages, and moves when what it has read weighs differently.
//!
//! Nothing is made up: every sentence of a [`Said`] is a sentence of a document with its place, or one of
//! the connectives in `words`. The same documents and the same debate give the same words. Where nothing
//! in the documents is on the question, or both sides weigh the same, a panelist abstains.
//!
//! ```
//! use rebuttal_detect::Reader;
//! use rebuttal_extractive::{Asked, Brief, Persona};
//! use rebuttal_model::{Passage, Place};
//!
//! let passages = [
//!     Passage::new("trial.md", Place::Lines(3, 3), "We should not adopt the new booking system."),
//!     Passage::new("soup.md", Place::Lines(1, 1), "Cut the leeks and boil them for ten minutes."),
//! ];
//! let question = "Should we adopt the new booking system?";
//! let brief = Brief::new(question, &["yes", "no"], &passages, Reader::Rules);
//! let said = Persona::neutral("analyst").answer(&brief, &Asked::default());
//! assert_eq!(said.answer.as_deref(), Some("no"));
//! assert_eq!(said.evidence, ["“We should not adopt the new booking system.” (trial.md, line 3)"]);
//! ```

mod balance;
mod brief;
mod conflict;
mod effect;
pub mod limits;
mod persona;
mod quote;
mod side;
mod speak;
mod words;

pub use brief::Brief;
pub use conflict::{Conflict, Why};
pub use persona::{Leans, Persona};
pub use quote::Quote;
pub use speak::{Asked, Said};
