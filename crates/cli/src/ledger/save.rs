//! `rebuttal audit --save`: the positions of audited transcripts go into the ledger, with what each
//! agent was shown before it took them; flips get their cause from the transcript.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use rayon::prelude::*;
use rebuttal::detect::DebateView;
use rebuttal::detect::flips::{cause, positions_of};
use rebuttal::detect::scores::detect_domain;
use rebuttal::engine::debate::State;
use rebuttal::model::{Because, Cause, DebateId, Flip, Position, Transcript};
use rebuttal::store::{Durability, Store};
use tokio::runtime::Runtime;

use super::looking::{flips, positions};
use super::{Ledger, ratings, when};
use crate::args::DbArgs;
use crate::models::Chosen;
use crate::output::Output;
use crate::report::grouped;
use crate::terminal::one_line;

/// Most transcripts held until their positions are stored.
const TRANSCRIPTS: usize = 256;

/// Most text held until then, in bytes.
const BYTES: usize = 16 << 20;

/// Collects transcripts and stores their positions, some at a time.
pub(crate) struct Saver {
    ledger: Ledger,
    waiting: Vec<Transcript>,
    bytes: usize,
    came: Came,
}

/// What saving came to.
#[derive(Default)]
struct Came {
    added: u64,
    same: u64,
    clashing: u64,
    future: u64,
    flips: u64,
}

impl Saver {
    /// Opens the ledger: what is wrong with it is said before the audit begins.
    pub(crate) fn open(db: &DbArgs) -> Result<Self> {
        Ok(Self::new(Ledger::open(db)?))
    }

    /// Saves into a database that is open.
    pub(crate) fn on(runtime: Runtime, store: Arc<Store>) -> Self {
        Self::new(Ledger::on(runtime, store))
    }

    fn new(ledger: Ledger) -> Self {
        Self { ledger, waiting: Vec::new(), bytes: 0, came: Came::default() }
    }

    /// One more transcript.
    pub(crate) fn add(
        &mut self,
        transcript: Transcript,
        chosen: &Chosen,
        out: &Output,
    ) -> Result<()> {
        self.bytes += transcript.turns.iter().map(|turn| turn.text.len()).sum::<usize>();
        self.waiting.push(transcript);
        if self.waiting.len() >= TRANSCRIPTS || self.bytes >= BYTES {
            self.store(chosen, out)?;
        }
        Ok(())
    }

    /// How the agents of a finished debate did, where that can be said: ratings are made from it.
    pub(crate) fn score(&self, state: &State) -> Result<()> {
        let scores = ratings::scores(state);
        if scores.is_empty() {
            return Ok(());
        }
        let spec = state.spec();
        let domain = detect_domain(&spec.question);
        let store = &self.ledger.store;
        self.ledger
            .wait(store.score_debate(self.ledger.now, &spec.id, domain, &scores))
            .context("the ratings were not fed")
    }

    /// Stores what is left, and says what came of it.
    pub(crate) fn finish(mut self, chosen: &Chosen, out: &mut Output) -> Result<()> {
        self.store(chosen, out)?;
        let Came { added, same, clashing, future, flips: found } = self.came;
        let mut parts = vec![format!("{} added", positions(added))];
        let counted = [
            (same, "there already"),
            (clashing, "left out: the id is taken"),
            (future, "left out: dated in the future"),
        ];
        for (number, what) in counted {
            if number > 0 {
                let number = grouped(usize::try_from(number).unwrap_or(usize::MAX));
                parts.push(format!("{number} {what}"));
            }
        }
        let database = self.ledger.store.location().to_string();
        out.note(format_args!(
            "saved to {}: {}; {} found there",
            one_line(&database),
            parts.join(", "),
            flips(found)
        ))?;
        Ok(())
    }

    fn store(&mut self, chosen: &Chosen, out: &Output) -> Result<()> {
        let transcripts = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let now = self.ledger.now;
        let taken: Vec<Vec<Position>> = transcripts
            .par_iter()
            .map(|transcript| positions_of(&DebateView::new(transcript), chosen.reader, now))
            .collect();
        let mut positions: Vec<Position> = taken.into_iter().flatten().collect();
        let all = positions.len();
        positions.retain(|position| !when::is_future(position.at, now));
        self.came.future += (all - positions.len()) as u64;
        let store = &self.ledger.store;
        let taken = self
            .ledger
            .wait(store.take(now, positions, Durability::Fast))
            .context("the positions were not saved")?;
        self.came.added += taken.added;
        self.came.same += taken.same;
        self.came.clashing += taken.clashes.len() as u64;
        let debates = Debates::new(&transcripts);
        let found = self.ledger.look_explained(chosen, &|flip| debates.explain(flip), out)?;
        self.came.flips += found.flips;
        Ok(())
    }
}

/// Transcripts by what their positions call them.
struct Debates<'t>(HashMap<&'t DebateId, &'t Transcript>);

impl<'t> Debates<'t> {
    fn new(transcripts: &'t [Transcript]) -> Self {
        Self(transcripts.iter().map(|transcript| (&transcript.id, transcript)).collect())
    }

    /// What moved an agent, as far as the debate it took the new position in shows it.
    fn explain(&self, flip: &Flip) -> Option<(Cause, Option<Because>)> {
        let debate = flip.after.debate.as_ref()?;
        let view = DebateView::new(self.0.get(debate)?);
        if flip.before.debate.as_ref() == Some(debate) {
            return Some(cause(&view, &flip.before, &flip.after));
        }
        // What it held before this debate began: everything said in it came in between.
        let before = Position { turn: None, span: None, ..flip.before.clone() };
        Some(cause(&view, &before, &flip.after))
    }
}
