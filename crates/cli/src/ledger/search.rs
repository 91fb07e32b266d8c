//! Looking for flips while somebody watches.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebuttal::engine::ledger::Progress;
use rebuttal::ledger;
use rebuttal::models::Chosen;
use rebuttal_report::{flips, positions};

use super::Ledger;
use crate::output::Output;
use crate::terminal::one_line;

/// How often a bar is drawn at most, per second.
const DRAWS_PER_SECOND: u8 = 5;

/// Positions beyond which looking with a model takes so long that the faster way is worth a note.
const MANY: u64 = 2_000;

impl Ledger {
    /// Looks for flips where nobody knows the debates, and says what was not as configured.
    pub(super) fn look(&self, chosen: &Chosen, out: &mut Output) -> Result<Progress> {
        for note in &chosen.notes {
            out.note(one_line(note))?;
        }
        let waiting = self.wait(self.store.summary(self.now, 0))?.unseen;
        if waiting > MANY && chosen.reader().models().is_some() {
            out.note(format_args!(
                "{} wait to be looked at, with a model where rules are in doubt; `--method rules` \
                 is faster",
                positions(waiting)
            ))?;
        }
        let found = {
            let bar = search_bar(out);
            let watch = |progress, of| show(&bar, progress, of);
            let looked = ledger::look((&self.store, self.now), chosen.reader(), &|_| None, &watch);
            let found = self.wait(looked);
            bar.finish_and_clear();
            found?
        };
        if let Some(failure) = chosen.failure() {
            out.note(one_line(&failure))?;
        }
        Ok(found)
    }
}

/// A bar over positions that are looked at.
pub(super) fn search_bar(out: &Output) -> ProgressBar {
    bar(out, None, "{spinner} {wide_bar} {human_pos}/{human_len} looked at, {msg}")
}

/// Moves it.
pub(super) fn show(bar: &ProgressBar, progress: Progress, of: u64) {
    bar.set_length(of);
    bar.set_position(progress.looked_at);
    bar.set_message(flips(progress.flips));
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
