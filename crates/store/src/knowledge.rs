//! What later debates ask: has this agent flipped on this before, which claims are contested?
//!
//! Behind a trait, so that another store can be plugged in. Flips reach it through an outbox that
//! is written with the flip itself: each is passed on once, tried again when the other store
//! fails, never lost, and a store that is down stops nobody.

mod check;
mod outbox;
mod own;

use std::error::Error as StdError;
use std::pin::Pin;

use jiff::Timestamp;
use rebuttal_model::{AgentId, Flip, FlipId, FlipKind, Stance};

pub use outbox::Synced;
pub use own::Knowledge;

use crate::Contested;

/// What a knowledge store answers, some time.
pub type Answer<'a, T> = Pin<
    Box<dyn Future<Output = std::result::Result<T, Box<dyn StdError + Send + Sync>>> + Send + 'a>,
>;

/// A store of flips that later debates ask. Implemented by [`Knowledge`], which keeps them beside
/// the ledger, and by whoever has one already.
pub trait KnowledgeStore: Send + Sync {
    /// Takes a flip. It may come again, after a crash between this and the note that it
    /// was done: its id says so, and it must count once.
    fn store_flip<'a>(&'a self, flip: &'a Flip) -> Answer<'a, ()>;

    /// Forgets a flip that turned out to be none: a position came late that lies between. It may never
    /// have come.
    fn forget_flip<'a>(&'a self, flip: &'a FlipId) -> Answer<'a, ()>;

    /// Flips whose words are nearest to a text, nearest first; for an empty text, the latest.
    fn search<'a>(&'a self, text: &'a str, limit: u32) -> Answer<'a, Vec<KnownFlip>>;

    /// Searches the flips of one agent; for an empty text, gives its latest.
    fn flips_of<'a>(
        &'a self,
        agent: &'a str,
        near: &'a str,
        limit: u32,
    ) -> Answer<'a, Vec<KnownFlip>>;

    /// Questions and claims that agents flip on, those on which they go both ways first.
    fn contested(&self, limit: u32) -> Answer<'_, Vec<Contested>>;
}

/// A flip as a debate needs to know it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownFlip {
    /// Its id.
    pub id: FlipId,
    /// The agent.
    pub agent: AgentId,
    /// What it is about: the question, or the claim that it went to or from.
    pub words: String,
    /// The claim before; long claims are cut.
    pub before: String,
    /// The claim after; long claims are cut.
    pub after: String,
    /// The kind of the flip.
    pub kind: FlipKind,
    /// Which side it ended on.
    pub toward: Stance,
    /// The domain.
    pub domain: Option<String>,
    /// When the new position was taken.
    pub happened_at: Timestamp,
}
