//! What a question or proposition is about, and what it means to answer it.

use super::Vote;
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

/// A question or proposition, ready to be compared with answers.
#[derive(Clone, Debug)]
pub(crate) struct Topic {
    /// Content words, sorted, each once.
    stems: Vec<Stem>,
    pub(super) pivot: Option<Pivot>,
    /// 1, or -1 when the proposition denies: "we should *not* adopt it".
    sign: f64,
}

/// A long question is about its first words; the rest is background.
const STEMS: usize = 40;

impl Topic {
    pub(crate) fn new(question: &Reading<'_>) -> Self {
        let asking = question.sentences.iter().rposition(|sentence| sentence.question);
        let mut topic = Self { stems: Vec::new(), pivot: None, sign: 1.0 };
        for segment in &question.segments {
            if asking.is_some_and(|asking| segment.sentence != asking) || topic.stems.len() >= STEMS {
                continue;
            }
            topic.take(question, segment);
        }
        topic.stems.sort_unstable();
        topic.stems.dedup();
        topic
    }

    fn take(&mut self, question: &Reading<'_>, segment: &Segment) {
        for token in segment.tokens.clone() {
            let Some(word) = question.tokens.get(token).filter(|token| token.is_word()) else { continue };
            if question.is_function_word(token) {
                continue;
            }
            self.stems.push(word.stem);
            let Some((axis, side)) = Lexicon::english().axis(word.stem) else { continue };
            let denied = question.negated(segment, token);
            let pivot = Pivot { axis, sign: if denied { -side.number() } else { side.number() } };
            // What to do with a thing says more than what the thing is like.
            let better = match self.pivot {
                None => axis.value,
                Some(old) => axis.action && !old.axis.action,
            };
            if better {
                self.pivot = Some(pivot);
            }
        }
        if question.negated_throughout(segment) {
            self.sign = -1.0;
        }
    }

    pub(super) fn has(&self, stem: Stem) -> bool {
        self.stems.binary_search(&stem).is_ok()
    }

    /// How much of the topic these tokens name, 0 to 1.
    fn share(&self, reading: &Reading<'_>, tokens: std::ops::Range<usize>) -> f64 {
        let mut named: Vec<Stem> = reading
            .tokens
            .get(tokens)
            .unwrap_or_default()
            .iter()
            .filter(|token| token.is_word() && self.has(token.stem))
            .map(|token| token.stem)
            .collect();
        named.sort_unstable();
        named.dedup();
        ratio(named.len(), self.stems.len())
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

impl Reading<'_> {
    /// What a segment says of the question's own predicate.
    pub(super) fn aligned(&self, topic: &Topic, segment: &Segment, votes: &mut Vec<Vote>) {
        let Some(sentence) = self.sentences.get(segment.sentence) else { return };
        let share = topic.share(self, sentence.tokens.clone());
        let hits = self.hits_in(&segment.tokens);
        let points_back = hits.iter().any(|hit| hit.group == Group::Pronoun);
        let on_topic = share >= 0.3 || points_back || topic.stems.len() < 3;
        if !on_topic {
            return;
        }
        if let Some(pivot) = topic.pivot
            && self.on_axis(pivot, segment, votes)
        {
            return;
        }
        let should = hits.iter().find(|hit| hit.group == Group::Should);
        let forbids = hits.iter().any(|hit| hit.group == Group::Not) && segment.first;
        let own_share = topic.share(self, segment.tokens.clone());
        let states = topic.pivot.is_none() && own_share >= 0.5;
        let weight = match (should, states) {
            (Some(_), _) if share >= 0.3 => 1.0,
            (Some(_), _) => 0.4,
            (None, true) => 1.0,
            (None, false) if forbids && own_share >= 0.4 => 0.8,
            _ => return,
        };
        let denied = match should {
            Some(hit) => self.denies(segment, *hit),
            None => self.negated_throughout(segment) != self.did_not_happen(segment),
        };
        let score = if denied { -weight } else { weight };
        let asked = topic.pivot.map_or(topic.sign, |pivot| pivot.sign);
        votes.push(Vote { score: score * asked, tokens: segment.tokens.clone() });
    }

    /// Votes for every word of the segment that stands on the pivot's axis; true when there was one.
    fn on_axis(&self, pivot: Pivot, segment: &Segment, votes: &mut Vec<Vote>) -> bool {
        let mut found = false;
        for token in segment.tokens.clone() {
            let Some(word) = self.tokens.get(token).filter(|token| token.is_word()) else { continue };
            let Some((axis, side)) = Lexicon::english().axis(word.stem) else { continue };
            if axis != pivot.axis {
                continue;
            }
            let denied = self.negated(segment, token);
            let sign = if denied { -side.number() } else { side.number() };
            votes.push(Vote { score: 1.2 * sign * pivot.sign, tokens: segment.tokens.clone() });
            found = true;
        }
        found
    }

    /// "forgot to", "kept him from": what follows did not happen.
    fn did_not_happen(&self, segment: &Segment) -> bool {
        let hits = self.hits_in(&segment.tokens);
        let negative = hits.iter().filter(|hit| {
            hit.group == Group::Negative && !self.overlapped_by(**hit, Group::NotQuite)
        });
        let undone = hits.iter().filter(|hit| hit.group == Group::PositiveIfNot);
        (negative.count() + undone.count()) % 2 == 1
    }
}

