//! `rebuttal audit --save`: the positions of audited transcripts go into the ledger.

use std::sync::Arc;

use anyhow::Result;
use rebuttal::engine::debate::State;
use rebuttal::ledger::{Saved, Saver, Search};
use rebuttal::model::Transcript;
use rebuttal_report::{flips, grouped, positions};

use super::Ledger;
use super::search::watched;
use crate::output::Output;
use crate::terminal::one_line;

/// Saves transcripts while somebody watches.
pub(crate) struct Saving<'l> {
    ledger: &'l Ledger,
    saver: Saver,
    /// True when a debate is saved that was run here.
    of_debate: bool,
}

impl<'l> Saving<'l> {
    /// Saves into this ledger.
    pub(crate) fn new(ledger: &'l Ledger, search: Search) -> Self {
        let saver = Saver::new(Arc::clone(&ledger.store), ledger.now, search);
        Self { ledger, saver, of_debate: false }
    }

    /// Adds a transcript.
    pub(crate) fn add(&mut self, transcript: Transcript, out: &Output) -> Result<()> {
        let (bar, watch) = watched(out);
        self.saver.watch(watch);
        let added = self.ledger.wait(self.saver.add(transcript));
        bar.finish_and_clear();
        added
    }

    /// Adds a debate that was run here.
    pub(crate) fn add_debate(&mut self, state: &State, out: &Output) -> Result<()> {
        self.of_debate = true;
        let (bar, watch) = watched(out);
        self.saver.watch(watch);
        let added = self.ledger.wait(self.saver.add_debate(state));
        bar.finish_and_clear();
        added
    }

    /// Feeds the ratings with how the agents of a finished debate did.
    pub(crate) fn score(&self, state: &State) -> Result<()> {
        self.ledger.wait(self.saver.score(state))
    }

    /// Stores what is left, and says what came of it.
    pub(crate) fn finish(mut self, out: &mut Output) -> Result<()> {
        let (bar, watch) = watched(out);
        self.saver.watch(watch);
        let saved = self.ledger.wait(self.saver.finish());
        bar.finish_and_clear();
        let Saved { added, same, clashing, future, flips: found, moves, .. } = saved?;
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
        // Who changed its vote was told by the debate; the rest is against what was held before it.
        let here = found.min(moves);
        let told = match (here, found - here) {
            (0, _) if !self.of_debate => format!("{} found there", flips(found)),
            (0, 0) => "no flip".to_owned(),
            (0, before) => format!("{} from what was held in earlier debates", flips(before)),
            (here, 0) => format!("{} in this debate", flips(here)),
            (here, before) => {
                format!("{} in this debate, {before} from earlier debates", flips(here))
            }
        };
        out.note(format_args!("saved to {}: {}; {told}", one_line(&database), parts.join(", ")))?;
        self.ledger.pass_on_beliefs(out)?;
        Ok(())
    }
}
