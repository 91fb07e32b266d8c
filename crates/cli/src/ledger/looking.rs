//! Looking for flips at the positions that were not looked at yet, and passing them on.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebuttal::engine::ledger::{Explain, Ledger as Detection, Progress};

use super::Ledger;
use crate::models::Chosen;
use crate::output::Output;
use crate::report::count;
use crate::terminal::one_line;

/// How often a bar is drawn at most, per second.
const DRAWS_PER_SECOND: u8 = 5;

/// Positions beyond which looking with a model takes so long that the faster way is worth a note.
const MANY: u64 = 2_000;

/// Flips passed on at a time to the store that later debates ask.
const SYNCED: u32 = 1_000;

impl Ledger {
    /// Looks for flips where nobody knows the debates, and says what was not as configured.
    pub(super) fn look(&self, chosen: &Chosen, out: &mut Output) -> Result<Progress> {
        for note in &chosen.notes {
            out.note(one_line(note))?;
        }
        let waiting = self.wait(self.store.summary(self.now, 0))?.unseen;
        if waiting > MANY && chosen.reader.models().is_some() {
            out.note(format_args!(
                "{} wait to be looked at, with a model where rules are in doubt; `--method rules` \
                 is faster",
                positions(waiting)
            ))?;
        }
        let found = self.look_explained(chosen, &|_| None, out)?;
        if let Some(failure) = chosen.failure() {
            out.note(one_line(&failure))?;
        }
        Ok(found)
    }

    /// Looks for flips, however many positions wait for it.
    pub(super) fn look_explained(
        &self,
        chosen: &Chosen,
        explain: &Explain<'_>,
        out: &Output,
    ) -> Result<Progress> {
        let summary = self.wait(self.store.summary(self.now, 0))?;
        let template = "{spinner} {wide_bar} {human_pos}/{human_len} looked at, {msg}";
        let bar = bar(out, Some(summary.unseen), template);
        let watch = |progress: Progress| {
            bar.set_position(progress.looked_at);
            bar.set_message(flips(progress.flips));
        };
        let detection = Detection::new(&self.store, chosen.reader);
        let found = self.wait(detection.catch_up(self.now, explain, &watch));
        bar.finish_and_clear();
        let found = found?;
        self.pass_on()?;
        Ok(found)
    }

    /// Passes flips on to the store that later debates ask. What it refuses waits for the next time.
    pub(super) fn pass_on(&self) -> Result<()> {
        let knowledge = self.store.knowledge();
        loop {
            let synced = self.wait(self.store.sync_knowledge(&knowledge, self.now, SYNCED))?;
            if synced.done < u64::from(SYNCED) || synced.failed > 0 {
                return Ok(());
            }
        }
    }
}

/// A bar on stderr, where one may be drawn.
pub(super) fn bar(out: &Output, length: Option<u64>, template: &str) -> ProgressBar {
    let target = if out.draws_progress() {
        // Draws nothing by itself when stderr is not a terminal.
        ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND)
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(length, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// "1 flip", "2 flips".
pub(super) fn flips(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), "flip")
}

/// "1 position", "2 positions".
pub(super) fn positions(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), "position")
}
