//! The debate engine: a pure state machine, and a runner that carries out what it asks for.
//!
//! An [`Arena`] is a question, a panel and a protocol; [`Arena::start`] runs it on an [`Engine`] and
//! gives a [`Debate`] to watch, pause, stop and wait for.
//!
//! [`State`] is a fold over the journal's records; [`State::next`] says what follows from it: records
//! to write or calls to make. The runner writes intent, makes the call, writes the result, and only
//! then shows it, so that a debate killed at any point goes on where it stopped. [`replay`] runs a
//! stored debate again without asking anybody, and [`fork`] branches one.

mod agent;
mod analysis;
mod arena;
mod asking;
mod budget;
mod callbacks;
mod cost;
mod deliberation;
mod engine;
mod events;
mod fork;
mod form;
mod fragment;
mod grounding;
mod groups;
mod handle;
mod items;
mod journal;
mod pressing;
mod prompt;
mod random;
mod replay;
mod reply;
mod rules;
mod runner;
mod state;
mod steering;
mod step;
mod synthesis;
mod waiting;

pub use agent::{
    Agent, AgentError, AgentErrorKind, Answering, Ask, FromEnvError, Responder, Response, RunsOn,
    ShownItem, Vote,
};
pub use arena::{Arena, ArenaError, Environment, check_protocol};
pub use engine::Engine;
pub use events::{Events, Update};
pub use fork::{Changes, ForkError, fork};
pub use fragment::{Fragment, Fragments};
pub use grounding::{CheckedItem, Grounding, Library};
pub use handle::{Debate, Finished};
pub use journal::{Journal, MemoryJournal, Writing};
pub use random::SeededRng;
pub use replay::{Divergence, replay};
pub use rules::{Rules, RulesError};
pub use runner::{Ended, RunError};
pub use state::{FoldError, Round, State};
pub use steering::{AnswerError, Answered, Critique, Steering};
pub use step::Step;
pub use synthesis::synthesis;
pub use waiting::Waiting;

pub(crate) use analysis::one_answer;
