//! The position ledger as pages: at a glance, flips, agents, one agent.

mod html;
mod plots;
mod portrait;
mod words;

pub(crate) use html::contested;
pub use html::{agent, agents, dashboard, flips, summary, with_heat};
pub use portrait::{Judged, LINE, Overview, Portrait, Ranked, consistency};
pub use words::{became, cause_words, percent};
