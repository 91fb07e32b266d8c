//! The debate engine: a pure state machine, and a runner that carries out what it asks for.
//!
//! [`State`] is a fold over the journal's records; [`State::next`] says what follows from it: records
//! to write or calls to make. [`Runner`] writes intent, makes the call, writes the result, and only
//! then shows it, so that a debate killed at any point goes on where it stopped. [`replay`] runs a
//! stored debate again without asking anybody, and [`fork`] branches one.

mod arena;
mod callbacks;
mod deliberation;
mod eyes;
mod fork;
mod form;
mod fragment;
mod items;
mod journal;
mod lot;
mod pressing;
mod prompt;
mod replay;
mod reply;
mod runner;
mod state;
mod steering;
mod step;
mod waiting;

pub use arena::{Agent, Arena, ArenaError, ArenaRunError, Environment, check_protocol};
pub use fork::{Changes, ForkError, fork};
pub use fragment::{Fragment, Fragments};
pub use journal::{Journal, MemoryJournal, Writing};
pub use replay::{Divergence, replay};
pub use runner::{Clock, Ended, RunError, Runner, Seat, Seen, Watch};
pub use state::{FoldError, Round, State};
pub use steering::{AnswerError, Answered, Critique, Steering};
pub use step::Step;
pub use waiting::Waiting;

pub(crate) use eyes::one_answer;
