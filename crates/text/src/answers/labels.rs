//! A label and what stands behind it: `Final answer: (C)`, `Recommendation — Hold`, a heading.

use rebuttal_model::{Owner, Span};

use super::value::{self, Strictness};
use super::words::{Part, part_of};
use super::{Candidate, Explicit};
use crate::asked::Asked;
use crate::reading::Reading;
use crate::sentences::Place;
use crate::tokens::Kind;

/// How many tokens a label may have before what separates it from its value.
const TOKENS: usize = 9;

/// True when the words are what an answer is called, and not somebody else's or an earlier one.
pub(super) fn is_label(words: &[&str]) -> bool {
    let Some((noun, before)) = words.split_last() else { return false };
    let noun = part_of(noun);
    let is_another = |word: &&str| {
        part_of(word).is(Part::ANOTHER)
            || **word == *"s"
            || word.ends_with("'s")
            || word.ends_with("s'")
    };
    let firm = || before.iter().any(|word| part_of(word).is(Part::FINAL));
    noun.is(Part::LABEL)
        && before.len() < TOKENS
        && !before.iter().any(is_another)
        && (!noun.is(Part::LOOSE) || firm())
}

/// Every label with a value.
pub(super) fn find(reading: &Reading<'_>, asked: &Asked, keep: &mut impl FnMut(Candidate)) {
    for (at, token) in reading.tokens.iter().enumerate() {
        let after = match token.kind {
            Kind::Mark(b':' | b'=') => at + 1,
            Kind::Mark(b'-') if reading.is_dash(at) => at + 1,
            Kind::Break | Kind::Blank => at,
            _ => continue,
        };
        if !reading.is_labelled_until(at) {
            continue;
        }
        if let Some(candidate) = reading.value_behind(after, asked) {
            keep(candidate);
        }
    }
}

impl Reading<'_> {
    /// True for a dash between words, and not inside one.
    fn is_dash(&self, at: usize) -> bool {
        let start = self.tokens.get(at).map_or(0, |token| token.start());
        let before = start.checked_sub(1).and_then(|at| self.clean().as_bytes().get(at));
        before.is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'*')
    }

    /// True when what ends before the token `end` is a label: on its own line where a line ends there,
    /// else from the start of the line or sentence, or "answer to the question", "answer (updated)".
    fn is_labelled_until(&self, end: usize) -> bool {
        let ends_line =
            matches!(self.tokens.get(end).map(|token| token.kind), Some(Kind::Break | Kind::Blank));
        let mut first = end;
        while first > 0 && end - first < TOKENS {
            let Some(before) = self.tokens.get(first - 1) else { break };
            let goes_on =
                before.is_word() || matches!(before.kind, Kind::Mark(b'(' | b')') | Kind::Number);
            if !goes_on {
                break;
            }
            first -= 1;
        }
        if ends_line && !self.opens_line(first) {
            return false;
        }
        let words: Vec<&str> = (first..end).map(|at| self.word(at)).collect();
        let noun = words.iter().rposition(|word| part_of(word).is(Part::LABEL));
        let Some(noun) = noun.filter(|_| self.is_own_label(first)) else { return false };
        let behind = words.get(noun + 1..).unwrap_or_default();
        let goes_on = match behind.first() {
            None => true,
            Some(&"(") => behind.last() == Some(&")"),
            Some(word) => {
                !ends_line
                    && ["on", "for", "to", "in", "here", "regarding"]
                        .contains(&word.to_ascii_lowercase().as_str())
            }
        };
        goes_on && is_label(words.get(..=noun).unwrap_or_default())
    }

    /// True when nothing but what opens lines stands before the token in its line.
    fn opens_line(&self, token: usize) -> bool {
        let before = token.checked_sub(1).and_then(|before| self.tokens.get(before));
        before.is_none_or(|it| {
            matches!(it.kind, Kind::Break | Kind::Blank | Kind::Bullet | Kind::Heading)
        })
    }

    /// True unless the token stands in somebody else's words.
    fn is_own_label(&self, token: usize) -> bool {
        self.segment_at(token).is_none_or(|segment| {
            let quoted =
                self.sentences.get(segment.sentence).is_some_and(|it| it.place == Place::Quoted);
            segment.owner == Owner::Speaker && !segment.question && !quoted
        })
    }

    /// The value that starts at the token, on the same line or the next that holds anything.
    fn value_behind(&self, from: usize, asked: &Asked) -> Option<Candidate> {
        let is_break = |kind: Kind| matches!(kind, Kind::Break | Kind::Blank);
        let rest = self.tokens.get(from..)?;
        let breaks = rest.iter().take(4).take_while(|token| is_break(token.kind)).count();
        let token = rest.get(breaks)?;
        let start = token.start();
        let text = self.clean();
        let line = text.get(start..)?.lines().next()?;
        let found = if breaks > 0 {
            value::whole(line, asked, Strictness::Labelled)
        } else {
            value::leading(line, asked, Strictness::Labelled)
        }?;
        let span = Span::new(start, start + found.length);
        Some(Candidate { found, span, explicit: Explicit::Labelled })
    }
}
