//! A progress bar on stderr for long runs; nothing when stderr is not a terminal.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::{Output, Target, Verbosity};

/// How often the bar is drawn at most, per second: it is for eyes, not for logs.
const DRAWS_PER_SECOND: u8 = 5;

/// How far the run is.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over files.
    pub(super) fn new(files: usize, verbosity: Verbosity) -> Self {
        let target = match verbosity {
            // Draws nothing by itself when stderr is not a terminal.
            Verbosity::Normal => ProgressDrawTarget::stderr_with_hz(DRAWS_PER_SECOND),
            Verbosity::Quiet => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(files as u64), target);
        let template = "{spinner} {wide_bar} {human_pos}/{human_len} files, {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar }
    }

    /// So many transcripts have been audited.
    pub(super) fn transcripts(&self, count: usize) {
        if !self.bar.is_hidden() {
            self.bar.set_message(format!("{count} transcripts"));
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
