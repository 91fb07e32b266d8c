//! The belief network that a ledger keeps: a flip on one of its claims is passed on to what the claim is
//! connected with.
//!
//! The network stands in a stream of the journal, followed by what each flip moved; as it stands now is a
//! fold over these.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_detect::Reader;
use rebuttal_detect::beliefs::{BeliefOptions, Live, Network, Node, Update};
use rebuttal_detect::flips::{FlipOutcome, compare};
use rebuttal_model::{AgentId, BeliefMove, Event, Flip, FlipId, StreamId};
use rebuttal_store::{FlipFilter, Store};

use super::off_executor::off_executor;
use crate::beliefs::Document;
use crate::error::{Context, Result};

/// Most flips passed on at once, the latest; a network that was not looked at for longer is stored anew.
const FLIPS: u32 = 1_000;

/// The network that a ledger keeps, as it stands.
#[derive(Debug)]
pub struct StoredBeliefs {
    live: Live,
    /// When the network was stored: flips from before are in its priors already.
    since: Timestamp,
    passed_on: BTreeSet<FlipId>,
    seq: u64,
}

/// What a flip moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Propagated {
    /// The flip.
    pub flip: FlipId,
    /// The agent whose ballot it is.
    pub agent: AgentId,
    /// The claim of the network that it gave up.
    pub claim: String,
    /// Every claim that moved, the farthest first, by its words or its id.
    pub moved: Vec<BeliefMove>,
}

fn stream() -> StreamId {
    StreamId::new("beliefs")
}

impl StoredBeliefs {
    /// The network with its priors as flips have left them.
    pub fn network(&self) -> &Network {
        self.live.network()
    }
}

/// Keeps a network in a ledger, in place of the one that was there.
pub async fn store_beliefs(store: &Store, now: Timestamp, network: &Network) -> Result<()> {
    let document = Document { claims: network.nodes().to_vec(), links: network.links().to_vec() };
    let network = serde_json::to_value(&document).context("the network of beliefs")?;
    store.append(&stream(), None, now, &[Event::BeliefsStored { network }]).await?;
    Ok(())
}

/// The network that a ledger keeps; `None` if there is none.
pub async fn stored_beliefs(store: &Store) -> Result<Option<StoredBeliefs>> {
    let (mut stored, mut after) = (None, 0);
    loop {
        let records = store.read(&stream(), after).await?;
        let Some(last) = records.last() else { break };
        after = last.seq;
        for record in records {
            match (record.event, &mut stored) {
                (Event::BeliefsStored { network }, _) => {
                    let document: Document =
                        serde_json::from_value(network).context("the stored network of beliefs")?;
                    let network = Network::new(document.claims, document.links)
                        .context("the stored network of beliefs")?;
                    let live = Live::new(network, BeliefOptions::default())
                        .context("the stored network of beliefs")?;
                    let passed_on = BTreeSet::new();
                    stored = Some(StoredBeliefs { live, since: record.at, passed_on, seq: 0 });
                }
                (Event::BeliefsMoved { flip, claim, kind, .. }, Some(stored)) => {
                    stored.live.flipped(&claim, kind).context("the stored network of beliefs")?;
                    stored.passed_on.insert(flip);
                }
                _ => {}
            }
        }
    }
    if let Some(stored) = &mut stored {
        stored.seq = after;
    }
    Ok(stored)
}

/// Passes flips on that were found since: each that gives a claim of the network up moves the claim, and
/// what it is connected with. What moved is written down, so that no flip is passed on twice.
pub async fn propagate(store: &Arc<Store>, now: Timestamp) -> Result<Vec<Propagated>> {
    let store = Arc::clone(store);
    off_executor(move || async move { propagate_here(&store, now).await }).await
}

async fn propagate_here(store: &Store, now: Timestamp) -> Result<Vec<Propagated>> {
    let Some(mut stored) = stored_beliefs(store).await? else { return Ok(Vec::new()) };
    let filter =
        FlipFilter { detected_since: Some(stored.since), limit: FLIPS, ..FlipFilter::default() };
    let mut flips: Vec<Flip> =
        store.flips(&filter).await?.into_iter().map(|row| row.flip).collect();
    flips.reverse();
    let (mut events, mut found) = (Vec::new(), Vec::new());
    for flip in flips.into_iter().filter(|flip| !stored.passed_on.contains(&flip.id)) {
        let Some(claim) = given_up(stored.network(), &flip) else { continue };
        let Ok(update) = stored.live.flipped(&claim, flip.kind) else { continue };
        let moved = moves(stored.network(), &update);
        let (id, kind) = (flip.id.clone(), flip.kind);
        events.push(Event::BeliefsMoved {
            flip: id,
            claim: claim.clone(),
            kind,
            moved: moved.clone(),
        });
        found.push(Propagated { flip: flip.id, agent: flip.after.agent, claim, moved });
    }
    if !events.is_empty() {
        store.append(&stream(), Some(stored.seq), now, &events).await?;
    }
    Ok(found)
}

/// The claim of the network that a flip gives up: the one that says what the agent had held.
fn given_up(network: &Network, flip: &Flip) -> Option<String> {
    let says = |node: &&Node| {
        let text = node.text.as_deref().unwrap_or(&node.id);
        compare(text, &flip.before.claim, None, Reader::Rules).outcome == FlipOutcome::Same
    };
    network.nodes().iter().find(says).map(|node| node.id.clone())
}

fn moves(network: &Network, update: &Update) -> Vec<BeliefMove> {
    let one = |moved: &rebuttal_detect::beliefs::Moved| {
        let node = network.nodes().get(moved.claim)?;
        let claim = node.text.clone().unwrap_or_else(|| node.id.clone());
        Some(BeliefMove { claim, before: moved.before, after: moved.after })
    };
    update.moved.iter().filter_map(one).collect()
}
