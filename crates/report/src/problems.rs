//! What the problems of a file mean for the run: an error, a warning, or a file that is none of
//! ours.

use rebuttal_model::{Problem, ProblemKind};

/// How a file came to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user named it: it is meant to be a transcript.
    Named,
    /// It lies in a folder the user named, where other things may lie as well.
    Folder,
}

/// Whether a run may end well although parts of its input were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// It may; the summary says so.
    #[default]
    Lenient,
    /// `--strict`: it may not.
    Strict,
}

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gravity {
    /// The file was found in a folder and is in no format we know: other things live in folders.
    Skipped,
    /// Some of the file was not as it should be; the rest was read.
    Warning,
    /// The run ends with exit code 2.
    Error,
}

/// The problems of one file, held until its end: only then is it known whether anything else could
/// be read from it, which decides what they mean. Their number has a limit of its own
/// ([`rebuttal_model::limits::PROBLEMS`]).
#[derive(Debug)]
pub struct FileProblems {
    origin: Origin,
    transcripts: usize,
    problems: Vec<Problem>,
}

impl FileProblems {
    /// The file begins.
    pub fn new(origin: Origin) -> Self {
        Self { origin, transcripts: 0, problems: Vec::new() }
    }

    /// A transcript was read from it.
    pub fn transcript(&mut self) {
        self.transcripts += 1;
    }

    /// Something is wrong with it.
    pub fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// True for a file found in a folder that nothing recognises.
    pub fn is_skipped(&self) -> bool {
        let is_unknown = |problem: &Problem| problem.kind == ProblemKind::UnknownFormat;
        self.origin == Origin::Folder
            && self.transcripts == 0
            && !self.problems.is_empty()
            && self.problems.iter().all(is_unknown)
    }

    /// True when nothing in it could be read, or reading it came to an end before its end.
    pub fn is_unreadable(&self) -> bool {
        let is_cut_short = |problem: &Problem| problem.kind == ProblemKind::Unreadable;
        let is_nothing = self.transcripts == 0 && !self.problems.is_empty();
        !self.is_skipped() && (is_nothing || self.problems.iter().any(is_cut_short))
    }

    /// How many of them left something out that may have mattered.
    pub fn left_out(&self) -> usize {
        self.problems.iter().filter(|problem| problem.kind.is_loss()).count()
    }

    /// Every problem with what it means; a skipped file has one, whatever it holds.
    pub fn weighed(&self, strictness: Strictness) -> impl Iterator<Item = (&Problem, Gravity)> {
        let most = if self.is_skipped() { 1 } else { self.problems.len() };
        self.problems
            .iter()
            .take(most)
            .map(move |problem| (problem, self.gravity(problem, strictness)))
    }

    fn gravity(&self, problem: &Problem, strictness: Strictness) -> Gravity {
        let is_fatal = self.transcripts == 0
            || problem.kind == ProblemKind::Unreadable
            || (strictness == Strictness::Strict && problem.kind.is_loss());
        match is_fatal {
            _ if self.is_skipped() => Gravity::Skipped,
            true => Gravity::Error,
            false => Gravity::Warning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(origin: Origin, transcripts: usize, kinds: &[ProblemKind]) -> FileProblems {
        let problems = kinds.iter().map(|kind| Problem::new("f", *kind, "is wrong")).collect();
        FileProblems { origin, transcripts, problems }
    }

    fn gravities(file: &FileProblems, strictness: Strictness) -> Vec<Gravity> {
        file.weighed(strictness).map(|(_, gravity)| gravity).collect()
    }

    #[test]
    fn an_unknown_file_is_skipped_in_a_folder_only() {
        use ProblemKind::{Empty, UnknownFormat};
        let skipped = file(Origin::Folder, 0, &[UnknownFormat, UnknownFormat]);
        assert!(skipped.is_skipped() && !skipped.is_unreadable());
        assert_eq!(gravities(&skipped, Strictness::Strict), [Gravity::Skipped]);
        for other in [
            file(Origin::Named, 0, &[UnknownFormat]),
            file(Origin::Folder, 0, &[UnknownFormat, Empty]),
        ] {
            assert!(!other.is_skipped() && other.is_unreadable(), "{other:?}");
        }
    }

    #[test]
    fn an_error_is_what_ends_in_exit_code_2() {
        use ProblemKind::{Encoding, Limit, Malformed, Unreadable};
        let read = file(Origin::Named, 1, &[Encoding, Limit, Malformed, Unreadable]);
        let (warning, error) = (Gravity::Warning, Gravity::Error);
        assert_eq!(gravities(&read, Strictness::Lenient), [warning, warning, warning, error]);
        assert_eq!(gravities(&read, Strictness::Strict), [warning, error, error, error]);
        assert_eq!(gravities(&file(Origin::Named, 0, &[Limit]), Strictness::Lenient), [error]);
        assert_eq!(read.left_out(), 3);
    }
}
