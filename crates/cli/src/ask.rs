//! Questions to whoever sits at the terminal.

use std::io::{self, BufRead as _, IsTerminal as _};

use crate::output::Output;

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// Nobody sits there: input or messages go elsewhere.
    NobodyThere,
}

/// Asks on stderr, and takes nothing but a clear yes for one.
pub(crate) fn yes_or_no(question: &str, out: &mut Output) -> io::Result<Answer> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(Answer::NobodyThere);
    }
    out.ask(format_args!("{question} [y/N] "))?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(read(&line))
}

fn read(line: &str) -> Answer {
    let line = line.trim();
    if line.eq_ignore_ascii_case("y") || line.eq_ignore_ascii_case("yes") {
        Answer::Yes
    } else {
        Answer::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        for yes in ["y\n", "Y\r\n", " yes ", "YES"] {
            assert_eq!(read(yes), Answer::Yes, "{yes:?}");
        }
        for no in ["", "\n", "n\n", "no", "yes please", "yn", "ja"] {
            assert_eq!(read(no), Answer::No, "{no:?}");
        }
    }
}
