//! The one place this program writes to: results on stdout, notes and errors on stderr.
//!
//! Invariant: nothing else in this crate touches stdout or stderr, so buffering, colour and what a
//! closed pipe means are decided once. Text that came from a file goes through
//! [`crate::terminal::one_line`] before it gets here, or through
//! [`crate::terminal::visible`] where it may take several lines.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use rebuttal_report::audit::AuditStatus;
use serde::Serialize;

use crate::report::JsonText;
use crate::terminal::{ColorChoice, Paint};

/// How a command ended; `main` turns it into the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing at or above the threshold: exit code 0.
    Clean,
    /// Something the user asked to be told about: exit code 1.
    Findings,
    /// Some or all of the input could not be worked on: exit code 2.
    CouldNotRun,
}

impl Status {
    /// The process's exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::CouldNotRun => 2,
        }
    }

    /// The graver of the two.
    pub(crate) fn and(self, other: Self) -> Self {
        self.max(other)
    }

    /// How a command ends whose results were `written`. A closed pipe (`rebuttal … | head`) says
    /// that whoever reads has seen enough; it neither fails the run nor excuses what was found.
    pub(crate) fn after(self, written: Result<()>) -> Result<Self> {
        match written {
            Err(error) if !is_closed_pipe(&error) => Err(error),
            Ok(()) | Err(_) => Ok(self),
        }
    }
}

impl From<AuditStatus> for Status {
    fn from(status: AuditStatus) -> Self {
        match status {
            AuditStatus::Clean => Self::Clean,
            AuditStatus::Findings => Self::Findings,
            AuditStatus::Incomplete => Self::CouldNotRun,
        }
    }
}

/// True when whoever read the results is gone.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Whether to say more than the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Notes with every name in them.
    Verbose,
    /// Progress, notes and warnings on stderr.
    Normal,
    /// Results and errors only.
    Quiet,
}

/// Where results, notes and errors go.
///
/// Results are written with [`Write`] (`writeln!(out, …)?`); notes, warnings and errors with
/// [`Output::note`], [`Output::warn`] and [`Output::error`].
pub(crate) struct Output {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    paint: Paint,
    err_paint: Paint,
    verbosity: Verbosity,
    target: Target,
    assume_yes: bool,
}

/// What is at the other end of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A person watches; results should appear at once.
    Terminal,
    /// A file or another program.
    Elsewhere,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("paint", &self.paint).finish_non_exhaustive()
    }
}

impl Output {
    /// The process's own stdout and stderr.
    pub(crate) fn standard(color: ColorChoice, verbosity: Verbosity) -> Self {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let target = if stdout.is_terminal() { Target::Terminal } else { Target::Elsewhere };
        Self {
            target,
            paint: color.paint(stdout.is_terminal()),
            err_paint: color.paint(stderr.is_terminal()),
            out: Box::new(BufWriter::new(stdout.lock())),
            err: Box::new(stderr),
            verbosity,
            assume_yes: false,
        }
    }

    /// Sets whether `--yes` was typed.
    pub(crate) fn assume_yes(mut self, yes: bool) -> Self {
        self.assume_yes = yes;
        self
    }

    /// Whether `--yes` was typed.
    pub(crate) fn assumes_yes(&self) -> bool {
        self.assume_yes
    }

    /// Sends results to `target` from now on, without colour: a file is not a terminal.
    pub(crate) fn redirect(&mut self, target: Box<dyn Write>) {
        self.out = target;
        self.target = Target::Elsewhere;
        self.paint = Paint::Plain;
    }

    /// How results may be coloured.
    pub(crate) fn paint(&self) -> Paint {
        self.paint
    }

    /// What is at the other end of the results.
    pub(crate) fn target(&self) -> Target {
        self.target
    }

    /// How much to say besides the result.
    pub(crate) fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    /// Whether a bar may be drawn on stderr. It moves the cursor with escape sequences, which is
    /// what somebody who switches colour off does not want to find in a log.
    pub(crate) fn draws_progress(&self) -> bool {
        self.verbosity != Verbosity::Quiet && self.err_paint == Paint::Colour
    }

    /// Says something useful on stderr, unless `--quiet`.
    pub(crate) fn note(&mut self, text: impl fmt::Display) -> io::Result<()> {
        match self.verbosity {
            Verbosity::Verbose | Verbosity::Normal => self.say(format_args!("{text}")),
            Verbosity::Quiet => Ok(()),
        }
    }

    /// Writes a question to stderr, even with `--quiet`, and stays on its line.
    pub(crate) fn ask(&mut self, question: impl fmt::Display) -> io::Result<()> {
        write!(self.err, "{question}")?;
        self.err.flush()
    }

    /// Says on stderr what leads to exit code 2, even with `--quiet`.
    pub(crate) fn error(&mut self, text: impl fmt::Display) -> io::Result<()> {
        let label = self.err_paint.red("error:");
        self.say(format_args!("{label} {text}"))
    }

    /// Says on stderr that some of the input was not as it should be, unless `--quiet`.
    pub(crate) fn warn(&mut self, text: impl fmt::Display) -> io::Result<()> {
        let label = self.err_paint.yellow("warning:");
        self.note(format_args!("{label} {text}"))
    }

    /// One event on stderr as a line of JSON, even with `--quiet`: it was asked for.
    pub(crate) fn event(&mut self, event: &impl Serialize) -> io::Result<()> {
        match JsonText::line(&mut self.err, event) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            said => said,
        }
    }

    /// One line on stderr. That nobody listens there is no reason to cut the result short.
    fn say(&mut self, line: fmt::Arguments<'_>) -> io::Result<()> {
        match writeln!(self.err, "{line}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            said => said,
        }
    }
}

/// Sends results to a file, if one was named.
pub(crate) fn to_file(out: &mut Output, path: Option<&Path>) -> Result<()> {
    if let Some(path) = path {
        let file = File::create(path)
            .with_context(|| format!("{}: the result cannot be written there", path.display()))?;
        out.redirect(Box::new(BufWriter::new(file)));
    }
    Ok(())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_drawn_only_where_escape_sequences_are_welcome() {
        let draws = |color, verbosity| Output::standard(color, verbosity).draws_progress();
        assert!(draws(ColorChoice::Always, Verbosity::Normal));
        assert!(!draws(ColorChoice::Never, Verbosity::Normal));
        assert!(!draws(ColorChoice::Always, Verbosity::Quiet));
    }

    #[test]
    fn a_closed_pipe_keeps_the_status() {
        let failed = |kind: io::ErrorKind| Err(io::Error::from(kind).into());
        let status = Status::Findings.after(failed(io::ErrorKind::BrokenPipe));
        assert_eq!(status.unwrap(), Status::Findings);
        assert!(Status::Clean.after(failed(io::ErrorKind::StorageFull)).is_err());
    }
}
