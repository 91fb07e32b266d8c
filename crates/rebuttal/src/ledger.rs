//! The position ledger: positions go in, flips, scores and ratings come out.

mod beliefs;
mod look;
mod portrait;
pub mod ratings;
mod save;
pub mod scores;

use jiff::Timestamp;
use rebuttal_model::limits;

pub use beliefs::{Propagated, StoredBeliefs, propagate, store_beliefs, stored_beliefs};
pub use look::{Search, Watch, look, pass_on};
pub use portrait::{overview, portrait};
pub use save::{Saved, Saver};

/// Whether nobody can have said something then: it is still to come.
pub fn is_future(at: Timestamp, now: Timestamp) -> bool {
    at.duration_since(now) > limits::CLOCK_AHEAD
}
