//! Where transcripts and problems go: the caller's sink, with problems counted and made printable.

use std::fmt::Write as _;
use std::sync::Arc;

use rebuttal_model::{Problem, ProblemKind, Transcript, limits};

use crate::Item;

/// The sink of one file.
pub(crate) struct Out<'s> {
    sink: &'s mut dyn FnMut(Item),
    /// The file as the user named it; `archive!member` inside an archive.
    pub(crate) file: Arc<str>,
    /// What transcripts without an id of their own are called after.
    label: String,
    transcripts: usize,
    problems: usize,
    hidden: usize,
    /// The kind of the first problem that was only counted, or of the first that was a loss.
    hidden_kind: Option<ProblemKind>,
}

impl<'s> Out<'s> {
    pub(crate) fn new(name: &str, sink: &'s mut dyn FnMut(Item)) -> Self {
        let label = name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
        Self {
            sink,
            file: name.into(),
            label,
            transcripts: 0,
            problems: 0,
            hidden: 0,
            hidden_kind: None,
        }
    }

    /// Number of transcripts delivered so far.
    pub(crate) fn transcripts(&self) -> usize {
        self.transcripts
    }

    /// Number of problems met so far, reported or not.
    pub(crate) fn problems(&self) -> usize {
        self.problems + self.hidden
    }

    /// True when further problems are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.problems >= limits::PROBLEMS
    }

    /// An id for the next transcript, when its format gives it none.
    pub(crate) fn next_id(&self) -> String {
        format!("{}#{}", self.label, self.transcripts + 1)
    }

    pub(crate) fn transcript(&mut self, transcript: Transcript) {
        self.transcripts += 1;
        (self.sink)(Item::Transcript(transcript));
    }

    pub(crate) fn problem(&mut self, kind: ProblemKind, line: Option<u32>, message: &str) {
        if self.is_full() {
            self.hidden += 1;
            self.hidden_kind = self.hidden_kind.filter(|first| first.is_loss() || !kind.is_loss());
            self.hidden_kind.get_or_insert(kind);
            return;
        }
        self.problems += 1;
        self.send(kind, line, message);
    }

    /// Says how many problems were not reported, as a loss if any of them was one.
    pub(crate) fn finish(&mut self) {
        if let Some(kind) = self.hidden_kind {
            let message = format!(
                "{} more problems are not listed: the limit is {} for one file",
                self.hidden,
                limits::PROBLEMS
            );
            self.send(kind, None, &message);
        }
    }

    fn send(&mut self, kind: ProblemKind, line: Option<u32>, message: &str) {
        let mut problem = Problem::new(Arc::clone(&self.file), kind, printable(message));
        problem.line = line;
        (self.sink)(Item::Problem(problem));
    }
}

/// `text` with every character a terminal could act on or hide written out.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_hidden(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Direction marks, zero-width characters, tags: nothing a reader would see.
fn is_hidden(c: char) -> bool {
    matches!(
        u32::from(c),
        0xAD | 0x61C
            | 0x180E
            | 0x200B..=0x200F
            | 0x2028..=0x202E
            | 0x2060..=0x206F
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xFFF9..=0xFFFB
            | 0xE_0000..=0xE_0FFF
    )
}

/// The beginning of some input, short enough for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const CHARS: usize = 40;
    let mut short: String = text.chars().take(CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_hold_nothing_a_terminal_acts_on() {
        assert_eq!(printable("a\u{1b}[31m\u{202e}b\n"), "a\\u{1b}[31m\\u{202e}b\\u{a}");
    }

    #[test]
    fn problems_are_capped_and_the_rest_counted() {
        let mut seen = Vec::new();
        let mut sink = |item| seen.push(item);
        let mut out = Out::new("dir/file.jsonl", &mut sink);
        assert_eq!(out.next_id(), "file.jsonl#1");
        for line in 0..150 {
            out.problem(ProblemKind::Malformed, Some(line), "bad");
        }
        out.finish();
        assert_eq!(seen.len(), limits::PROBLEMS + 1);
        let Some(Item::Problem(last)) = seen.last() else { panic!("a problem") };
        assert!(last.message.starts_with("50 more problems"), "{}", last.message);
        assert_eq!(last.kind, ProblemKind::Malformed);
    }

    #[test]
    fn what_is_not_listed_is_a_loss_if_any_of_it_is() {
        use ProblemKind::{Encoding, Limit, Malformed, Split};
        let last_kind = |kinds: &[ProblemKind]| {
            let mut seen = Vec::new();
            let mut sink = |item| seen.push(item);
            let mut out = Out::new("f", &mut sink);
            for _ in 0..limits::PROBLEMS {
                out.problem(ProblemKind::Encoding, None, "bad");
            }
            for kind in kinds {
                out.problem(*kind, None, "bad");
            }
            out.finish();
            match seen.pop() {
                Some(Item::Problem(problem)) => problem.kind,
                _ => panic!("a problem"),
            }
        };
        assert_eq!(last_kind(&[Encoding, Limit, Malformed]), Limit);
        assert_eq!(last_kind(&[Split, Encoding]), Split);
    }
}
