//! What a question or proposition is about, and what it means to answer it.

use std::ops::Range;

use crate::claims::{ClaimReading, Term};
use crate::lexicon::{Axis, Group, Lexicon};
use crate::reading::Reading;
use crate::segments::Segment;
use crate::words::Stem;

/// The axis a question turns on: "is it *safe*", "should we *ban*".
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivot {
    pub(super) axis: Axis,
    /// The side the proposition takes, negation included: 1 or -1.
    pub(super) sign: f64,
}

/// A question or proposition, ready to be compared with answers. Made once per question.
#[derive(Clone, Debug)]
pub struct Topic {
    /// Content words, sorted, each once, at most [`STEMS`].
    stems: Vec<Stem>,
    pub(super) pivot: Option<Pivot>,
    /// It asks, instead of putting forward.
    pub(super) asks: bool,
    /// It is about what ought to be done.
    pub(super) demands: bool,
    /// 1, or -1 when the proposition denies: "we should *not* adopt it".
    pub(super) sign: f64,
}

/// A long question is about its first words; the rest is background. Fits the bits of [`Named`].
const STEMS: usize = 64;

/// Which words of a topic a stretch of text names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Named {
    bits: u64,
}

impl Topic {
    /// Reads what a question asks, or a proposition puts forward.
    pub fn new(question: &Reading<'_>) -> Self {
        let asking = question.sentences.iter().rposition(|sentence| sentence.question);
        let topic = Self::of_sentence(question, asking);
        // "We are weighing a move. What do you think?" asks about what it tells.
        if topic.stems.len() < 2 && asking.is_some() {
            return Self { asks: true, ..Self::of_sentence(question, None) };
        }
        topic
    }

    fn of_sentence(question: &Reading<'_>, sentence: Option<usize>) -> Self {
        let mut topic = Self {
            stems: Vec::new(),
            pivot: None,
            asks: sentence.is_some(),
            demands: false,
            sign: 1.0,
        };
        for segment in &question.segments {
            let asked = sentence.is_none_or(|sentence| segment.sentence == sentence);
            if asked && topic.stems.len() < STEMS {
                topic.take(question, segment);
            }
        }
        topic.stems.sort_unstable();
        topic.stems.dedup();
        topic.stems.truncate(STEMS);
        topic
    }

    fn take(&mut self, question: &Reading<'_>, segment: &Segment) {
        let hits = question.hits_in(&segment.tokens);
        let demands = hits.iter().any(|hit| hit.group == Group::Should);
        // "Shouldn't we ban it?" asks whether to ban it.
        let tag = segment.question
            && hits.first().is_some_and(|hit| {
                hit.group == Group::Not && hit.first as usize == segment.tokens.start
            });
        let mut last = None;
        for token in segment.tokens.clone() {
            let Some(word) = question.tokens.get(token).filter(|token| token.is_word()) else {
                continue;
            };
            if question.is_function_word(token) {
                continue;
            }
            self.stems.push(word.stem);
            let Some((axis, side)) = Lexicon::english().axis(word.stem) else { continue };
            let denied = question.negated(segment, token) != tag;
            let pivot = Pivot { axis, sign: if denied { -side.number() } else { side.number() } };
            let described = question.is_attribute(segment, token);
            let better = match self.pivot {
                // "Should we try it to lose weight" is not about losing.
                None => axis.action() || axis.opposites() && !demands && !described,
                // "stay open" turns on "open".
                Some(_) if axis.action() && last == token.checked_sub(1) => true,
                // What to do with a thing says more than what it is like; "is it safe in a closed
                // garage" is about safety.
                Some(old) if axis.action() => demands && !old.axis.action(),
                // "Is remote work bad for teams" turns on its last predicate.
                Some(old) => {
                    axis.opposites() && !old.axis.action() && !demands && !described && self.asks
                }
            };
            if better {
                self.pivot = Some(pivot);
                last = Some(token);
            }
        }
        self.demands |= demands;
        if question.negated_throughout(segment) != tag {
            self.sign = -1.0;
        }
    }

    /// True when the word is one of the topic's.
    pub(crate) fn has(&self, stem: Stem) -> bool {
        self.stems.binary_search(&stem).is_ok()
    }

    /// True when the word is one of the topic's.
    pub fn names(&self, term: Term) -> bool {
        self.has(term.stem())
    }

    /// True when the claim is about a word of the topic.
    pub fn mentions(&self, claim: &ClaimReading) -> bool {
        claim.terms.iter().any(|term| self.has(term.stem()))
    }

    /// Which words of the topic these tokens name.
    pub(super) fn named(&self, reading: &Reading<'_>, tokens: Range<usize>) -> Named {
        let words = reading.tokens.get(tokens).unwrap_or_default().iter();
        let found = words
            .filter(|token| token.is_word())
            .filter_map(|token| self.stems.binary_search(&token.stem).ok());
        Named { bits: found.fold(0, |bits, index| bits | 1 << (index % STEMS)) }
    }

    /// How much of the topic that is, 0 to 1.
    pub(super) fn share(&self, named: Named) -> f64 {
        if self.stems.is_empty() {
            return 0.0;
        }
        f64::from(named.count()) / f64::from(u32::try_from(self.stems.len()).unwrap_or(u32::MAX))
    }

    /// True when there is so little of it that anything said is on it.
    pub(super) fn is_tiny(&self) -> bool {
        self.stems.len() < 3
    }

    /// The sign by which a yes to `other` answers this: 1 the same way, -1 the other way round, 0 when
    /// the two cannot be compared.
    pub(super) fn answered_by(&self, other: &Topic) -> f64 {
        match (self.pivot, other.pivot) {
            (Some(own), Some(others)) if own.axis == others.axis => own.sign * others.sign,
            _ if self.overlap(other) >= 0.5 => self.sign * other.sign,
            _ => 0.0,
        }
    }

    /// The share of this topic's words that the other has too.
    fn overlap(&self, other: &Topic) -> f64 {
        let shared = self.stems.iter().filter(|stem| other.has(**stem)).count();
        let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        number(shared) / number(self.stems.len().max(1))
    }
}

impl Named {
    pub(super) fn count(self) -> u32 {
        self.bits.count_ones()
    }
}

impl Reading<'_> {
    /// True when the text asks something else than `topic`, and does not merely follow up.
    pub fn changes_topic(&self, topic: &Topic) -> bool {
        let Some(asking) = self.sentences.iter().rfind(|sentence| sentence.question) else {
            return false;
        };
        let hits = self.hits_in(&asking.tokens);
        let follows_up = hits
            .iter()
            .any(|hit| hit.group == Group::FollowUp && hit.first as usize == asking.tokens.start);
        let points_back = hits.iter().any(|hit| hit.group == Group::Pronoun)
            || asking.tokens.clone().any(|token| self.word(token).eq_ignore_ascii_case("that"));
        let new = Topic::new(self);
        new.stems.len() >= 2
            && !follows_up
            && !points_back
            && topic.overlap(&new) < 0.25
            && new.overlap(topic) < 0.25
    }
}
