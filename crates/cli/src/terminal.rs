//! What may reach a terminal: colours of our own, and no control character of anybody else's.

use std::fmt;

use clap::ValueEnum;

/// What text that may run over several lines passes on its way to a terminal (quotes only), and what
/// a name, a path or a message passes.
pub(crate) use rebuttal::text::{one_line, visible};

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    #[default]
    Auto,
    /// Always, even into a pipe.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Decides for one stream.
    pub(crate) fn paint(self, is_terminal: bool) -> Paint {
        let wanted = match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => is_terminal && environment_allows_colour(),
        };
        if wanted { Paint::Colour } else { Paint::Plain }
    }
}

/// <https://no-color.org>: any value that is not empty switches colour off.
fn environment_allows_colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !set("NO_COLOR") && !dumb
}

/// Whether colour codes are written around a word. The words are the same either way, so output
/// makes sense without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// ANSI colour codes.
    Colour,
    /// Nothing but the words.
    Plain,
}

impl Paint {
    /// For headings and names.
    pub(crate) fn bold<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with("1", text)
    }

    /// For what matters less.
    pub(crate) fn dim<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with("2", text)
    }

    /// For what is wrong.
    pub(crate) fn red<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with("1;31", text)
    }

    /// For what is good.
    pub(crate) fn green<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with("32", text)
    }

    /// For what deserves a look.
    pub(crate) fn yellow<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with("33", text)
    }

    /// For what is worth knowing.
    pub(crate) fn blue<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.with("34", text)
    }

    fn with<T: fmt::Display>(self, code: &'static str, text: T) -> Painted<T> {
        Painted { paint: self, code, text }
    }
}

/// A word with its colour.
#[derive(Debug)]
pub(crate) struct Painted<T> {
    paint: Paint,
    code: &'static str,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.paint {
            Paint::Plain => self.text.fmt(f),
            Paint::Colour => {
                write!(f, "\x1b[{}m", self.code)?;
                self.text.fmt(f)?;
                f.write_str("\x1b[0m")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_without_colour() {
        assert_eq!(Paint::Plain.red("high").to_string(), "high");
        assert_eq!(Paint::Colour.red("high").to_string(), "\x1b[1;31mhigh\x1b[0m");
    }
}
