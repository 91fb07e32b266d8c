//! The positions of audited transcripts go into the ledger, with what each
//! agent was shown before it took them; flips get their cause from the transcript.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::error::{Context, Result};
use jiff::Timestamp;
use rayon::prelude::*;
use rebuttal_detect::flips::{Causes, positions_of};
use rebuttal_detect::scores::detect_domain;
use rebuttal_detect::{DebateView, Reader};
use rebuttal_engine::debate::State;
use rebuttal_model::{Because, Cause, DebateId, Flip, Position, Transcript};
use rebuttal_store::{Durability, Store};

use super::look::{Watch, look};
use super::{is_future, ratings};

/// Most transcripts held until their positions are stored.
const TRANSCRIPTS: usize = 256;

/// Most text held until then, in bytes; its readings take some ten times as much.
const BYTES: usize = 4 << 20;

/// Collects transcripts and stores their positions, some at a time.
#[derive(Debug)]
pub struct Saver<'s> {
    store: &'s Store,
    now: Timestamp,
    waiting: Vec<Transcript>,
    bytes: usize,
    saved: Saved,
}

/// What saving came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
}

impl<'s> Saver<'s> {
    /// Saves into this ledger.
    pub fn new(store: &'s Store, now: Timestamp) -> Self {
        Self { store, now, waiting: Vec::new(), bytes: 0, saved: Saved::default() }
    }

    /// Adds a transcript. Its positions are stored when enough wait for it.
    pub async fn add(
        &mut self,
        transcript: Transcript,
        reader: Reader<'_>,
        watch: &Watch<'_>,
    ) -> Result<()> {
        self.bytes += transcript.turns.iter().map(|turn| turn.text.len()).sum::<usize>();
        self.waiting.push(transcript);
        if self.waiting.len() >= TRANSCRIPTS || self.bytes >= BYTES {
            self.store(reader, watch).await?;
        }
        Ok(())
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
    pub async fn finish(mut self, reader: Reader<'_>, watch: &Watch<'_>) -> Result<Saved> {
        self.store(reader, watch).await?;
        Ok(self.saved)
    }

    async fn store(&mut self, reader: Reader<'_>, watch: &Watch<'_>) -> Result<()> {
        let transcripts = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let (store, now) = (self.store, self.now);
        let views: Vec<DebateView<'_>> = transcripts.par_iter().map(DebateView::new).collect();
        let taken: Vec<Vec<Position>> =
            views.par_iter().map(|view| positions_of(view, reader, now)).collect();
        let mut positions: Vec<Position> = taken.into_iter().flatten().collect();
        let all = positions.len();
        positions.retain(|position| !is_future(position.at, now));
        self.saved.future += (all - positions.len()) as u64;
        let taken = store.take(now, positions, Durability::Fast).await;
        let taken = taken.context("the positions were not saved")?;
        self.saved.added += taken.added;
        self.saved.same += taken.same;
        self.saved.clashing += taken.clashes.len() as u64;
        let explained = Explained::new(&views);
        let explain = |flip: &Flip| explained.explain(flip);
        let found = look((store, now), reader, &explain, watch).await?;
        self.saved.flips += found.flips;
        Ok(())
    }
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
