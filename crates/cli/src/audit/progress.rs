//! A progress bar on stderr for long runs; nothing when stderr is not a terminal.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::{Output, Target};
use crate::report::count;

/// How often the bar is drawn at most, per second: it is for eyes, not for logs.
const DRAWS_PER_SECOND: u8 = 5;

/// How far the run is.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over files, where one is wanted.
    pub(super) fn new(files: usize, is_drawn: bool) -> Self {
        let target = if is_drawn {
            // Draws nothing by itself when stderr is not a terminal.
            ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(files as u64), target);
        let noun = if files == 1 { "file" } else { "files" };
        let template =
            format!("{{spinner}} {{wide_bar}} {{human_pos}}/{{human_len}} {noun}, {{msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar }
    }

    /// Shows how many transcripts have been audited.
    pub(super) fn transcripts(&self, number: usize) {
        if !self.bar.is_hidden() {
            self.bar.set_message(count(number, "transcript"));
        }
    }

    /// One more file is done.
    pub(super) fn file_done(&self) {
        self.bar.inc(1);
    }

    /// Writes results: at once and with the bar out of the way where a person watches both.
    pub(super) fn around(
        &self,
        out: &mut Output,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> io::Result<()> {
        match out.target() {
            Target::Elsewhere => write(out),
            Target::Terminal => self.pause(|| write(out).and_then(|()| out.flush())),
        }
    }

    /// Takes the bar off the screen while `write` writes, so that the two do not mix.
    pub(super) fn pause<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.bar.is_hidden() { write() } else { self.bar.suspend(write) }
    }

    /// Takes the bar off the screen for good.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_that_is_not_wanted_writes_nothing() {
        let progress = Progress::new(1, false);
        progress.transcripts(1);
        assert!(progress.bar.is_hidden() && progress.bar.message().is_empty());
    }
}
