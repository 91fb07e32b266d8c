//! Text written for people: which of its forms it is, and words that are never names.

use rebuttal_model::ProblemKind;

use super::{console, markdown, plain};
use crate::Format;
use crate::session::Cx;
use crate::talk::{Said, Talk};

/// A conversation found in a text. Spans are relative to the text.
pub(crate) struct Heard<'a> {
    pub(crate) question: Option<String>,
    /// Found one at a time: all turns of a large text at once would take many times its size.
    pub(crate) turns: Box<dyn Iterator<Item = Said> + 'a>,
}

/// How much it takes to believe that something is a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// The user said so: one speaker is enough.
    Told,
    /// Nobody said so: speakers must recur, or answer each other.
    Guess,
}

/// The conversation in a text, in the form the user named or the one that fits.
pub(crate) fn recognise(text: &str, forced: Option<Format>) -> Option<Heard<'_>> {
    match forced {
        Some(Format::Markdown) => markdown::hear(text, Trust::Told),
        Some(Format::Console) => console::hear(text, Trust::Told),
        Some(_) => plain::hear(text, Trust::Told),
        None => console::hear(text, Trust::Guess).or_else(|| {
            // Whatever stands before a colon in the log of a program is no speaker.
            let guessed =
                || markdown::hear(text, Trust::Guess).or_else(|| plain::hear(text, Trust::Guess));
            (!is_run_log(text)).then(guessed)?
        }),
    }
}

/// True for the log of a program: lines that begin with a time and a level, or with a level and where
/// it is from.
fn is_run_log(text: &str) -> bool {
    const LOOK: usize = 2_000;
    const ENOUGH: usize = 3;
    let is_logged = |line: &&str| {
        let head = line.get(..line.floor_char_boundary(60)).unwrap_or_default();
        let levels = ["INFO", "WARNING", "ERROR", "DEBUG", "CRITICAL", "WARN"];
        let dated =
            head.trim_start_matches('[').bytes().take(8).filter(u8::is_ascii_digit).count() >= 6;
        let has_level = |level: &&str| {
            head.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word == *level)
        };
        (dated && levels.iter().any(has_level))
            || levels.iter().any(|level| {
                line.strip_prefix(level).is_some_and(|rest| rest.trim_start().starts_with('['))
            })
    };
    text.lines().take(LOOK).filter(is_logged).count() >= ENOUGH
}

/// Hands a conversation on.
pub(crate) fn deliver(
    question: Option<String>,
    turns: impl Iterator<Item = Said>,
    cx: &mut Cx<'_, '_>,
) {
    let mut talk = Talk::new(None, question);
    for said in turns {
        cx.push(&mut talk, said);
    }
    talk.finish(&mut cx.session.out);
}

/// Says that no conversation was found.
pub(crate) fn unheard(forced: Option<Format>, cx: &mut Cx<'_, '_>) {
    let (kind, message) = match forced {
        Some(format) => (
            ProblemKind::MissingField,
            format!("no speaker was found reading this as {}: {}", format.name(), format.about()),
        ),
        None => (
            ProblemKind::UnknownFormat,
            "no known format: neither JSON, nor a table with named columns, nor a text with \
             speakers (the log of a program is none). Name the format with --from"
                .to_owned(),
        ),
    };
    cx.session.out.problem(kind, None, &message);
}

/// In the order of their bytes, for a binary search.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "abstract", "action", "actions", "agenda", "analysis", "answer", "appendix", "argument",
    "arguments", "assumption", "assumptions", "background", "bottom line", "cause", "caution",
    "caveat", "caveats", "claim", "claims", "conclusion", "conclusions", "confidence", "cons",
    "context", "cost", "costs", "counterargument", "date", "decision", "definition", "details",
    "disclaimer", "discussion", "edit", "error", "evidence", "example", "examples", "fact",
    "facts", "fig", "figure", "final answer", "final decision", "final verdict", "finding",
    "findings", "fix", "format", "ftp", "goal", "goals", "hint", "http", "https", "important",
    "in short", "in summary", "info", "input", "introduction", "key points", "limitation",
    "limitations", "link", "links", "mailto", "method", "methods", "mitigation", "motion", "nb",
    "next steps", "note", "notes", "outcome", "outline", "output", "overview", "p.s", "point",
    "points", "position", "premise", "problem", "pros", "ps", "question", "rationale", "reason",
    "reasoning", "reasons", "rebuttal", "recommendation", "recommendations", "reference",
    "references", "remark", "response", "result", "results", "risk", "risks", "scenario", "score",
    "see also", "sidenote", "solution", "source", "sources", "status", "step", "steps", "subject",
    "summary", "table", "task", "thesis", "tip", "title", "tl;dr", "tldr", "todo", "topic",
    "update", "url", "usage", "verdict", "version", "vote", "warning",
];

/// Words that stand before a colon or in a heading, but never speak.
pub(crate) fn is_no_name(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    WORDS.binary_search(&lower.as_str()).is_ok() || WORDS.binary_search(&bare).is_ok()
}

/// The question, where a line before the first turn names it: `Topic: …`.
pub(crate) fn question(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['#', '*', '_', ' ', '>']);
    let (label, rest) = line.split_once(':')?;
    let label = label.trim_matches(['*', '_', ' ']).to_lowercase();
    let is_label = matches!(
        label.as_str(),
        "question" | "topic" | "motion" | "debate" | "proposition" | "resolution" | "resolved"
    );
    let rest = rest.trim_matches(['*', '_', ' ', '\t', '\r', '\n']);
    (is_label && !rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_never_speak() {
        assert!(WORDS.is_sorted());
        for word in ["Note", "WARNING", "Step 3", "https", "vote", "abstract", "tl;dr", "P.S"] {
            assert!(is_no_name(word), "{word}");
        }
        for name in ["Alice", "PRO", "Agent 1", "Bull Analyst", "user"] {
            assert!(!is_no_name(name), "{name}");
        }
    }

    #[test]
    fn questions_are_labelled() {
        assert_eq!(question("# Debate: Should we?\n"), Some("Should we?"));
        assert_eq!(question("**Topic:** Cats"), Some("Cats"));
        assert_eq!(question("Alice: Should we?"), None);
    }
}
