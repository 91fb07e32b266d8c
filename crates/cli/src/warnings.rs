//! What is wrong with the input, said on stderr.

use std::io;

use rebuttal::model::Problem;
use rebuttal_report::problems::Gravity;

use crate::output::{Output, Verbosity};
use crate::report::count;
use crate::terminal::one_line;

/// Says on stderr what is wrong, for reports that do not say it themselves.
pub(crate) fn say(out: &mut Output, problem: &Problem, gravity: Gravity) -> io::Result<()> {
    let text = problem.to_string();
    match gravity {
        Gravity::Skipped => Ok(()),
        Gravity::Warning => out.warn(one_line(&text)),
        Gravity::Error => out.error(one_line(&text)),
    }
}

/// Names a skipped file where every name is wanted.
pub(crate) fn name_skipped(out: &mut Output, problem: &Problem) -> io::Result<()> {
    match out.verbosity() {
        Verbosity::Verbose => out.note(format_args!("skipped {}", one_line(&problem.to_string()))),
        Verbosity::Normal | Verbosity::Quiet => Ok(()),
    }
}

/// Counts the skipped files, and says so when nothing else was there.
pub(crate) fn count_skipped(out: &mut Output, skipped: usize, read: usize) -> io::Result<()> {
    if skipped == 0 {
        return Ok(());
    }
    let hint = match out.verbosity() {
        Verbosity::Verbose => "",
        Verbosity::Normal | Verbosity::Quiet => "; -v names them",
    };
    let files = count(skipped, "file");
    if read == 0 {
        return out.error(format_args!(
            "nothing to read: {files} in no known format{hint}, and `rebuttal formats` lists the known ones"
        ));
    }
    out.note(format_args!("{files} in no known format skipped{hint}"))
}

/// Says which files were named more than once.
pub(crate) fn note_repeated(out: &mut Output, repeated: &[String]) -> io::Result<()> {
    match repeated {
        [] => Ok(()),
        [only] => out.note(format_args!("{} is named twice and read once", one_line(only))),
        [first, rest @ ..] => {
            let (first, rest) = (one_line(first), count(rest.len(), "other mention"));
            out.note(format_args!("{first} and {rest} of the same files are read once"))
        }
    }
}
