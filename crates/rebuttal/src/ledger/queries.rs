//! Questions to the ledger, each answered by values that serialise: flips, agents, positions, totals.

use jiff::Timestamp;
use rebuttal_detect::scores::{
    AgentConsistencyScore, FlipCard, FlipEvent, FlipSummary, format_flip_for_ui,
};
use rebuttal_model::{AgentId, Flip, Outcome, Position};
use rebuttal_report::ledger::Ranked;
use rebuttal_store::{FlipFilter, HistoryPage, RankPage, Store, StoredPosition, Summary};
use rebuttal_text::nearest;
use serde::{Serialize, Serializer};

use crate::error::{Error, ErrorKind, Result};

/// Most agents in a summary.
const AGENTS_ALL: u32 = 10_000;
/// Most names looked through for the one that was meant.
const NAMES: u32 = 10_000;

/// Some flips, the latest found first.
///
/// As JSON `{ "flips": [ … ], "more": bool }`: each flip as in the journal, with both positions whole,
/// the bytes that decided, cause, method and confidence, and under the names of the seed document's
/// `FlipEvent`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FlipPage {
    /// These.
    pub flips: Vec<Flip>,
    /// Whether there are more like them.
    pub more: bool,
}

impl FlipPage {
    /// Each under the seed document's names too.
    pub fn events(&self) -> impl Iterator<Item = FlipEvent<'_>> {
        self.flips.iter().map(FlipEvent::new)
    }

    /// Each as the seed document's `format_flip_for_ui` gives it.
    pub fn cards(&self) -> Vec<FlipCard> {
        self.flips.iter().map(format_flip_for_ui).collect()
    }
}

impl Serialize for FlipPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Document<'d> {
            flips: Vec<FlipEvent<'d>>,
            more: bool,
        }
        Document { flips: self.events().collect(), more: self.more }.serialize(serializer)
    }
}

/// The flips that a filter lets through.
pub async fn flips(store: &Store, filter: &FlipFilter) -> Result<FlipPage> {
    // One more than asked for says whether there are more.
    let wider = FlipFilter { limit: filter.limit.saturating_add(1), ..filter.clone() };
    let mut flips: Vec<Flip> = store.flips(&wider).await?.into_iter().map(|row| row.flip).collect();
    let more = cut(&mut flips, filter.limit);
    Ok(FlipPage { flips, more })
}

/// Agents, the least consistent first.
///
/// As JSON `{ "agents": [ … ], "more": bool }`, each with the fields of the seed document's
/// `AgentConsistencyScore`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AgentPage {
    /// These.
    pub agents: Vec<Ranked>,
    /// Whether there are more.
    pub more: bool,
}

impl Serialize for AgentPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Document<'d> {
            agents: Vec<&'d AgentConsistencyScore>,
            more: bool,
        }
        let agents = self.agents.iter().map(|agent| &agent.score).collect();
        Document { agents, more: self.more }.serialize(serializer)
    }
}

/// How consistent agents are.
pub async fn agents(store: &Store, limit: u32) -> Result<AgentPage> {
    let page = RankPage { after: None, limit: limit.saturating_add(1) };
    let mut agents: Vec<Ranked> =
        store.agents_ranked(&page).await?.into_iter().map(Ranked::from).collect();
    let more = cut(&mut agents, limit);
    Ok(AgentPage { agents, more })
}

/// Exactly what the seed document's `get_flip_summary` gives: kinds and agents without a flip are left
/// out.
pub async fn summary(store: &Store, now: Timestamp) -> Result<FlipSummary> {
    let Summary { total_flips, by_type, by_agent, recent_24h, .. } =
        store.summary(now, AGENTS_ALL).await?;
    Ok(FlipSummary {
        total_flips,
        by_type: by_type.into_iter().filter(|(_, flips)| *flips > 0).collect(),
        by_agent: by_agent.into_iter().map(|(agent, flips)| (AgentId::new(agent), flips)).collect(),
        recent_24h,
    })
}

/// Positions, the latest first.
///
/// As JSON `{ "positions": [ … ] }`: each has the fields of the journal and `n`, `outcome`, `resolved_at`
/// and `reversed`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PositionPage {
    /// These.
    pub positions: Vec<StoredPosition>,
}

/// A position and what became of it, as it stands in JSON.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PositionEntry<'h> {
    n: u64,
    #[serde(flatten)]
    position: &'h Position,
    outcome: Option<Outcome>,
    resolved_at: Option<Timestamp>,
    reversed: bool,
}

impl<'h> From<&'h StoredPosition> for PositionEntry<'h> {
    fn from(held: &'h StoredPosition) -> Self {
        let StoredPosition { n, position, outcome, resolved_at, reversed } = held;
        Self { n: *n, position, outcome: *outcome, resolved_at: *resolved_at, reversed: *reversed }
    }
}

impl PositionPage {
    /// Each with what became of it.
    pub fn entries(&self) -> impl Iterator<Item = PositionEntry<'_>> {
        self.positions.iter().map(PositionEntry::from)
    }
}

impl Serialize for PositionPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Document<'d> {
            positions: Vec<PositionEntry<'d>>,
        }
        Document { positions: self.entries().collect() }.serialize(serializer)
    }
}

/// What one agent held, or what anybody did: the positions that were taken last.
pub async fn positions(store: &Store, agent: Option<&str>, limit: u32) -> Result<PositionPage> {
    let positions = if let Some(agent) = agent {
        store.history(agent, &HistoryPage { before: None, limit }).await?
    } else {
        let total = store.summary(Timestamp::MIN, 0).await?.positions;
        let after = total.saturating_sub(u64::from(limit));
        let mut held = store.positions_after(after, limit).await?;
        held.reverse();
        held
    };
    Ok(PositionPage { positions })
}

/// Whether the ledger has a position of an agent; if not, who may have been meant.
pub async fn known_agent(store: &Store, name: &str) -> Result<KnownAgent> {
    let totals = store.agents(&[name]).await?;
    if totals.first().is_some_and(|totals| totals.positions > 0) {
        return Ok(KnownAgent::Known);
    }
    let names = store.agent_names(NAMES).await?;
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(match (near(name, &known), known.first()) {
        (Some(near), _) => KnownAgent::Near(near.to_owned()),
        (None, Some(first)) => KnownAgent::Unknown { instead: (*first).to_owned() },
        (None, None) => KnownAgent::EmptyLedger,
    })
}

/// What the ledger knows of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KnownAgent {
    /// It has positions of this agent.
    Known,
    /// It has none, but of one with nearly this name.
    Near(String),
    /// It has none of any such name, but of this other agent.
    Unknown {
        /// A name that the ledger has.
        instead: String,
    },
    /// It has no positions at all.
    EmptyLedger,
}

/// The known name that was meant: one that differs by a slip, or one that goes on where the given one
/// ends.
fn near<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let lower = name.to_lowercase();
    let longer = || {
        let begins = |known: &&&str| known.to_lowercase().starts_with(&lower);
        known.iter().find(begins).copied().filter(|_| !lower.is_empty())
    };
    nearest(name, known).or_else(longer)
}

/// Cuts a list to a limit; says whether there was more.
fn cut<T>(list: &mut Vec<T>, limit: u32) -> bool {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = list.len() > limit;
    list.truncate(limit);
    more
}

/// Refuses a name that the ledger does not know: that is no agent without flips.
pub async fn must_know(store: &Store, name: &str) -> Result<()> {
    let hint = match known_agent(store, name).await? {
        KnownAgent::Known => return Ok(()),
        KnownAgent::Near(near) => format!("did you mean {near:?}?"),
        KnownAgent::Unknown { instead } => format!("it has those of {instead:?}"),
        KnownAgent::EmptyLedger => {
            "it has no positions at all: debates and `rebuttal audit --save` add them".to_owned()
        }
    };
    let shown: String = name.chars().take(100).collect();
    let message = format!("the ledger has no positions of an agent called {shown:?}");
    Err(Error::new(ErrorKind::Missing, message).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let known = ["claude", "gpt-4o", "grok"];
        assert_eq!(near("cluade", &known), Some("claude"));
        assert_eq!(near("gpt", &known), Some("gpt-4o"));
        assert_eq!(near("mistral", &known), None);
        assert_eq!(near("", &known), None);
    }
}
