//! The positions of audited transcripts go into the ledger, with what each
//! agent was shown before it took them; flips get their cause from the transcript.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::error::{Context, Result};
use jiff::Timestamp;
use rayon::prelude::*;
use rebuttal_detect::flips::{Causes, positions_of};
use rebuttal_detect::scores::detect_domain;
use rebuttal_detect::{DebateView, Reader};
use rebuttal_engine::debate::State;
use rebuttal_model::{AgentId, Because, Cause, DebateId, Flip, Position, Stance, Transcript};
use rebuttal_policy::voting::Options;
use rebuttal_store::{Durability, Store};

use super::look::{Search, Watch, look_here, unwatched};
use super::off_executor::off_executor;
use super::{is_future, ratings};

/// Most transcripts held until their positions are stored.
const TRANSCRIPTS: usize = 256;

/// Most text held until then, in bytes; its readings take some ten times as much.
const BYTES: usize = 4 << 20;

/// Collects transcripts and stores their positions, some at a time.
pub struct Saver {
    store: Arc<Store>,
    now: Timestamp,
    search: Search,
    watch: Watch,
    waiting: Vec<Waiting>,
    bytes: usize,
    saved: Saved,
}

/// A transcript whose positions are not stored yet.
#[derive(Debug)]
struct Waiting {
    transcript: Transcript,
    /// The positions, where votes tell them; else they are read from the text.
    voted: Option<Vec<Position>>,
}

/// What saving came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Saved {
    /// Positions that were added.
    pub added: u64,
    /// Positions that were there already.
    pub same: u64,
    /// Positions left out because their id is taken by another.
    pub clashing: u64,
    /// Positions left out because they are dated in the future.
    pub future: u64,
    /// Flips found.
    pub flips: u64,
    /// Changes of vote in the debates that were saved.
    pub moves: u64,
}

impl fmt::Debug for Saver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Saver").field("saved", &self.saved).finish_non_exhaustive()
    }
}

impl Saver {
    /// Saves into this ledger, and looks for flips as `search` says.
    pub fn new(store: Arc<Store>, now: Timestamp, search: Search) -> Self {
        let (waiting, saved) = (Vec::new(), Saved::default());
        Self { store, now, search, watch: unwatched(), waiting, bytes: 0, saved }
    }

    /// Tells how far the search for flips is, from now on.
    pub fn watch(&mut self, watch: Watch) {
        self.watch = watch;
    }

    /// Adds a transcript. Its positions are stored when enough wait for it.
    pub async fn add(&mut self, transcript: Transcript) -> Result<()> {
        self.bytes += transcript.turns.iter().map(|turn| turn.text.len()).sum::<usize>();
        self.waiting.push(Waiting { transcript, voted: None });
        if self.waiting.len() >= TRANSCRIPTS || self.bytes >= BYTES {
            self.store().await?;
        }
        Ok(())
    }

    /// Adds a debate that was run here. Its positions are its votes: one when an agent first votes, and
    /// one whenever it votes otherwise.
    pub async fn add_debate(&mut self, state: &State) -> Result<()> {
        let spec = state.spec();
        let transcript =
            Transcript::new(spec.id.clone(), Some(spec.question.clone()), state.turns.clone());
        let voted = voted(state, &transcript, self.now);
        let voters: BTreeSet<&AgentId> = voted.iter().map(|position| &position.agent).collect();
        self.saved.moves += voted.len().saturating_sub(voters.len()) as u64;
        self.waiting.push(Waiting { transcript, voted: Some(voted) });
        self.store().await
    }

    /// How the agents of a finished debate did, where that can be said: ratings are made from it.
    pub async fn score(&self, state: &State) -> Result<()> {
        let scores = ratings::scores(state);
        if scores.is_empty() {
            return Ok(());
        }
        let spec = state.spec();
        let domain = detect_domain(&spec.question);
        let fed = self.store.score_debate(self.now, &spec.id, domain, &scores).await;
        fed.context("the ratings were not fed")
    }

    /// Stores what is left.
    pub async fn finish(mut self) -> Result<Saved> {
        self.store().await?;
        Ok(self.saved)
    }

    async fn store(&mut self) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let (store, now) = (Arc::clone(&self.store), self.now);
        let (search, watch) = (self.search.clone(), Arc::clone(&self.watch));
        let stored = off_executor(move || async move {
            store_all(&waiting, (&store, now), &search, &watch).await
        });
        let Saved { added, same, clashing, future, flips, .. } = stored.await?;
        self.saved.added += added;
        self.saved.same += same;
        self.saved.clashing += clashing;
        self.saved.future += future;
        self.saved.flips += flips;
        Ok(())
    }
}

/// Stores the positions of transcripts, and looks for flips among them and what was held before.
async fn store_all(
    waiting: &[Waiting],
    (store, now): (&Store, Timestamp),
    search: &Search,
    watch: &Watch,
) -> Result<Saved> {
    let reader = search.analyzer.reader();
    let views: Vec<DebateView<'_>> =
        waiting.par_iter().map(|waiting| DebateView::new(&waiting.transcript)).collect();
    let found: Vec<Vec<Position>> = waiting
        .par_iter()
        .zip(&views)
        .map(|(waiting, view)| match &waiting.voted {
            Some(voted) => voted.clone(),
            None => positions_of(view, reader, now),
        })
        .collect();
    let mut positions: Vec<Position> = found.into_iter().flatten().collect();
    let all = positions.len();
    positions.retain(|position| !is_future(position.at, now));
    let future = (all - positions.len()) as u64;
    let stored = store.insert_positions(now, positions, Durability::Fast).await;
    let stored = stored.context("the positions were not saved")?;
    let explained = Explained::new(&views);
    let explain = |flip: &Flip| explained.explain(flip);
    let found = look_here((store, now), (reader, search.lookback), &explain, watch).await?;
    Ok(Saved {
        added: stored.added,
        same: stored.same,
        clashing: stored.clashes.len() as u64,
        future,
        flips: found.flips,
        moves: 0,
    })
}

/// The positions that the votes of a debate are, in the order of its turns.
fn voted(state: &State, transcript: &Transcript, now: Timestamp) -> Vec<Position> {
    let options = state.options();
    let mut held: HashMap<&AgentId, &str> = HashMap::new();
    let mut positions = Vec::new();
    for position in positions_of(&DebateView::new(transcript), Reader::Rules, now) {
        let turn = position.turn.and_then(|turn| state.turns.get(turn.index()));
        let Some((turn, answer)) =
            turn.and_then(|turn| Some((turn, turn.structured.answer.as_deref()?)))
        else {
            continue;
        };
        let before = held.insert(&turn.agent, answer);
        if before.is_some_and(|before| options.same(before, answer)) {
            continue;
        }
        positions.push(as_voted(position, answer, &options));
    }
    positions
}

/// A position on the side its agent voted for. A vote between other options than yes and no opens the
/// claim: the reasons given for it need not name it.
fn as_voted(mut position: Position, answer: &str, options: &Options) -> Position {
    position.stance = match (options, answer) {
        (Options::YesNo, "yes") => Stance::Yes,
        (Options::YesNo, _) => Stance::No,
        _ => Stance::Unclear,
    };
    if position.stance == Stance::Unclear {
        position.claim = format!("My answer is {answer}. {}", position.claim);
        position.span = None;
    }
    position.id = position.derive_id(false);
    position
}

/// What moved agents in the transcripts at hand, by what their positions call them. A transcript is
/// gone through when the first flip in it asks.
struct Explained<'v, 't>(HashMap<&'t DebateId, Explanations<'v, 't>>);

struct Explanations<'v, 't> {
    view: &'v DebateView<'t>,
    causes: OnceLock<Causes<'v, 't>>,
}

impl<'v, 't> Explained<'v, 't> {
    fn new(views: &'v [DebateView<'t>]) -> Self {
        let one = |view: &'v DebateView<'t>| {
            (&view.transcript.id, Explanations { view, causes: OnceLock::new() })
        };
        Self(views.iter().map(one).collect())
    }

    /// What moved an agent, as far as the debate it took the new position in shows it.
    fn explain(&self, flip: &Flip) -> Option<(Cause, Option<Because>)> {
        let debate = flip.after.debate.as_ref()?;
        let Explanations { view, causes } = self.0.get(debate)?;
        let causes = causes.get_or_init(|| Causes::new(view));
        if flip.before.debate.as_ref() == Some(debate) {
            return Some(causes.cause(&flip.before, &flip.after));
        }
        // What it held before this debate began: everything said in it came in between.
        let before = Position { turn: None, span: None, ..flip.before.clone() };
        Some(causes.cause(&before, &flip.after))
    }
}
