//! Looking for flips while somebody watches.

use std::sync::Arc;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebuttal::engine::ledger::Progress;
use rebuttal::ledger::{self, Search, Watch};
use rebuttal::model::BeliefMove;
use rebuttal::models::Analyzer;
use rebuttal_report::{flips, positions};

use super::Ledger;
use crate::args::ledger::LookbackArgs;
use crate::output::Output;
use crate::terminal::one_line;

/// How often a bar is drawn at most, per second.
const DRAWS_PER_SECOND: u8 = 5;

/// Beliefs shown that a flip moved.
const MOVED_SHOWN: usize = 5;

/// Positions beyond which looking with a model takes so long that the faster way is worth a note.
const MANY: u64 = 2_000;

impl Ledger {
    /// Looks for flips where nobody knows the debates, and says what was not as configured.
    pub(super) fn look(
        &self,
        analyzer: &Analyzer,
        LookbackArgs { lookback }: LookbackArgs,
        out: &mut Output,
    ) -> Result<Progress> {
        for note in &analyzer.notes {
            out.note(one_line(note))?;
        }
        let waiting = self.wait(self.store.summary(self.now, 0))?.unseen;
        if waiting > MANY && analyzer.reader().models().is_some() {
            out.note(format_args!(
                "{} wait to be looked at, with a model where rules are in doubt; `--method rules` \
                 is faster",
                positions(waiting)
            ))?;
        }
        let found = {
            let (bar, watch) = watched(out);
            let search = Search::new(analyzer.clone()).lookback(lookback);
            let found = self.wait(ledger::look(&self.store, self.now, search, watch));
            bar.finish_and_clear();
            found?
        };
        for remark in analyzer.remarks() {
            out.note(one_line(&remark))?;
        }
        self.pass_on_beliefs(out)?;
        Ok(found)
    }

    /// Passes new flips on to the stored network of beliefs, and says what moved.
    pub(super) fn pass_on_beliefs(&self, out: &mut Output) -> Result<()> {
        for flip in self.wait(ledger::propagate(&self.store, self.now))? {
            let moved = flip.moved.iter().take(MOVED_SHOWN).map(|moved| {
                let BeliefMove { claim, before, after } = moved;
                format!("“{}” {before:.2} → {after:.2}", one_line(claim))
            });
            let more = flip.moved.len().saturating_sub(MOVED_SHOWN);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            let moved: Vec<String> = moved.collect();
            out.note(format_args!(
                "{} gave up a claim of the belief network; what moved: {}{more}",
                one_line(flip.agent.as_str()),
                moved.join(", ")
            ))?;
        }
        Ok(())
    }
}

/// A bar over positions that are looked at, and what moves it.
pub(super) fn watched(out: &Output) -> (ProgressBar, Watch) {
    let bar = bar(out, None, "{spinner} {wide_bar} {human_pos}/{human_len} looked at, {msg}");
    let moved = bar.clone();
    let watch: Watch = Arc::new(move |progress: Progress, of| {
        moved.set_length(of);
        moved.set_position(progress.looked_at);
        moved.set_message(flips(progress.flips));
    });
    (bar, watch)
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
