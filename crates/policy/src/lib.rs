//! What follows from findings: who is right, what to go on with, and what it means for the reports.
//!
//! Pure: no IO, no clock, no randomness, no model call. A [`Contradiction`] goes in and a
//! [`Resolution`] comes out, by [written rules](arbitrate) and an [`Authority`] read from a policy
//! file, or by a model's answers to a [`prompt`] that are [checked](replies) and [settled](settle).
//! All rulings together give a [`consensus`] and [adjusted](adjust) reports, whose texts stay as
//! they were.
//!
//! How a debate is run and decided stands in [`debate`] and [`voting`]; what is done about a panel
//! that agrees with nothing behind it in [`trickster`], and which parts agents play in [`roles`].
//!
//! Everything said was provided: a value, a citation or a number in a ruling is one of the sides'.
//!
//! [`Contradiction`]: rebuttal_model::Contradiction
//! [`Resolution`]: rebuttal_model::Resolution

mod adjust;
mod arbiter;
mod arbitration;
mod authority;
mod beside;
mod camps;
mod consensus;
pub mod debate;
mod numbers;
mod outcome;
mod phrases;
pub mod roles;
mod side;
pub mod trickster;
pub mod voting;
mod words;

pub use adjust::adjust;
pub use arbiter::{Opinion, Order, Refused, prompt, replies, settle};
pub use arbitration::arbitrate;
pub use authority::{Authority, Standing};
pub use beside::{Piece, adjusted_text, read_beside};
pub use consensus::consensus;
