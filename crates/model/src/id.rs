//! Typed ids: a debate's id cannot be passed where an agent's is wanted.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hash::Fnv128;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Wraps a name. Cloning the id later shares the text.
            pub fn new(name: impl Into<Arc<str>>) -> Self {
                Self(name.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// One debate, or one transcript of a debate that ran elsewhere.
    DebateId
}

text_id! {
    /// One agent, by the name its debate knows it under.
    AgentId
}

text_id! {
    /// One finding; the same evidence always gets the same id.
    FindingId
}

text_id! {
    /// One position in the ledger.
    PositionId
}

text_id! {
    /// One stream of the journal: a chain of records of its own.
    StreamId
}

impl StreamId {
    /// The stream that the position ledger is made from.
    pub fn ledger() -> Self {
        Self::new("ledger")
    }

    /// The stream of a debate. No debate can be called so that it gets the ledger's.
    pub fn debate(debate: &DebateId) -> Self {
        Self::new(format!("debate/{debate}"))
    }
}

text_id! {
    /// One flip; the same two positions always get the same id.
    FlipId
}

impl FlipId {
    /// The id of the flip from one position to another.
    pub fn of(before: &PositionId, after: &PositionId) -> Self {
        let mut hash = Fnv128::new();
        hash.text(before.as_str());
        hash.text(after.as_str());
        Self::new(format!("flip-{:032x}", hash.value()))
    }
}

/// The n-th turn of its debate, counted from 0.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(transparent)]
pub struct TurnId(u32);

impl TurnId {
    /// The turn at `index`. Debates end long before [`u32::MAX`] turns (see [`crate::limits`]).
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Where the turn stands in [`crate::Transcript::turns`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for TurnId {
    /// People count turns from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "turn {}", u64::from(self.0) + 1)
    }
}
