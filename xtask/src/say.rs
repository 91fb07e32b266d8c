//! The one place that prints.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "xtask talks to the developer who started it"
)]

use std::fmt::Display;

/// A line of results.
pub(crate) fn line(text: impl Display) {
    println!("{text}");
}

/// Something to look at that stops nothing.
pub(crate) fn warn(text: impl Display) {
    eprintln!("warning: {text}");
}

/// Something that stops the command.
pub(crate) fn error(text: impl Display) {
    eprintln!("error: {text}");
}
