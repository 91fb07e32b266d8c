//! Two things by name: what is said of one does not deny what is said of the other.
//!
//! "The shop in Lyon is profitable" and "the shop in Paris is not" both hold: where the thing differs
//! and what is said of it differs too, each explains the other. Where only the thing differs it depends
//! on where it stands. "Server 12 is safe" and "server 14 is safe" are two statements; "take option 1"
//! and "take option 2" is a change.

use std::ops::Range;

use rebuttal_model::Span;
use rebuttal_text::ContentWord;

use super::align::{Alignment, Link};
use super::side::{Sides, Text};
use super::{Cue, CueKind};

/// Two things that two texts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The one of the first text.
    pub span_a: Span,
    /// The one of the second text.
    pub span_b: Span,
    /// More than a name differs, or the two are numbered. Of two names alone, "the German shepherd
    /// sleeps" and "the English shepherd sleeps", it may still be one thing that is meant.
    pub firm: bool,
}

/// Share of what else the texts say that the other must say too, for the things to be what differs.
const ELSE: f32 = 0.6;

/// One thing of each text that the other does not name, if these make two statements of them.
pub(super) fn apart(sides: &Sides<'_>, found: &Alignment, cues: &[Cue]) -> Option<Apart> {
    let in_a = |at: usize| found.link_of_a(at).is_some_and(Link::agrees);
    let in_b = |at: usize| found.link_of_b(at).is_some_and(Link::agrees);
    let of_a = Thing::all(sides.a, in_a);
    if of_a.is_empty() {
        return None;
    }
    let of_b = Thing::all(sides.b, in_b);
    let pairs = of_a.iter().flat_map(|one| of_b.iter().map(move |two| (one, two)));
    let pairs = pairs.filter(|(one, two)| one.subject == two.subject);
    let judged = pairs.filter_map(|(one, two)| {
        let numbered = one.label && two.label && one.subject;
        let alike = || one.rest(sides.a, in_a) >= ELSE && two.rest(sides.b, in_b) >= ELSE;
        if !numbered && !alike() {
            return None;
        }
        let firm = numbered || differs_too(sides, one, two, cues);
        (firm || one.subject).then_some(Apart { span_a: one.span, span_b: two.span, firm })
    });
    judged.max_by_key(|apart| apart.firm)
}

/// Whether something else differs in the sentences of the two things: they are denied, or other
/// numbers are given.
fn differs_too(sides: &Sides<'_>, one: &Thing, two: &Thing, cues: &[Cue]) -> bool {
    let sentence = |text: &Text, span: Span| {
        text.word_at(span).and_then(|at| text.words.get(at)).map(|word| word.sentence)
    };
    cues.iter().any(|cue| {
        let denies = matches!(
            cue.kind,
            CueKind::Negation | CueKind::Prefix | CueKind::Opposite | CueKind::Number
        );
        denies
            && !cue.span_a.overlaps(one.span)
            && !cue.span_b.overlaps(two.span)
            && sentence(sides.a, cue.span_a).is_none_or(|it| it == one.sentence)
            && sentence(sides.b, cue.span_b).is_none_or(|it| it == two.sentence)
    })
}

/// What a text names.
struct Thing {
    span: Span,
    words: Range<usize>,
    sentence: u32,
    subject: bool,
    label: bool,
}

impl Thing {
    /// Those of a text of which the other names no part.
    fn all(text: &Text, shared: impl Fn(usize) -> bool) -> Vec<Self> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(word) = text.words.get(at) {
            let run = if is_mark(word) { run(text, at) } else { at..at + 1 };
            if is_mark(word) && !run.clone().any(&shared) && !is_told(text, word) {
                let last = text.words.get(run.end - 1).unwrap_or(word);
                found.push(Self {
                    span: word.span.join(last.span),
                    words: run.clone(),
                    sentence: word.sentence,
                    subject: word.subject,
                    label: word.label,
                });
            }
            at = run.end;
        }
        found
    }

    /// The share of its sentence's other words that are shared.
    fn rest(&self, text: &Text, shared: impl Fn(usize) -> bool) -> f32 {
        let other = |at: &usize| {
            let word = text.words.get(*at);
            !self.words.contains(at)
                && word.is_some_and(|word| word.content && word.sentence == self.sentence)
        };
        let others = || (0..text.words.len()).filter(other);
        let count = |number: usize| f32::from(u16::try_from(number).unwrap_or(u16::MAX));
        let (both, all) = (others().filter(|at| shared(*at)).count(), others().count());
        if all == 0 { 0.0 } else { count(both) / count(all) }
    }
}

/// Who is only said to say it.
fn is_told(text: &Text, word: &ContentWord) -> bool {
    text.clause(word).is_some_and(|clause| clause.reported)
}

fn is_mark(word: &ContentWord) -> bool {
    word.content && (word.named || word.label)
}

/// The words of one name: they follow each other with a blank between.
fn run(text: &Text, first: usize) -> Range<usize> {
    let next_to = |at: usize| {
        let (one, two) = (text.words.get(at), text.words.get(at + 1));
        one.zip(two).is_some_and(|(one, two)| {
            is_mark(two) && one.span.end() + 1 == two.span.start() && one.label == two.label
        })
    };
    let mut end = first;
    while next_to(end) {
        end += 1;
    }
    first..end + 1
}
