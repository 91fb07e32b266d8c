//! What a question or proposition is about, and what it means to answer it.

use super::Vote;
use crate::lexicon::{Axis, Group, Hit, Lexicon};
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
    /// It asks, instead of putting forward.
    asks: bool,
    /// 1, or -1 when the proposition denies: "we should *not* adopt it".
    sign: f64,
}

/// A long question is about its first words; the rest is background.
const STEMS: usize = 40;

impl Topic {
    pub(crate) fn new(question: &Reading<'_>) -> Self {
        let asking = question.sentences.iter().rposition(|sentence| sentence.question);
        let mut topic = Self { stems: Vec::new(), pivot: None, asks: asking.is_some(), sign: 1.0 };
        for segment in &question.segments {
            if asking.is_some_and(|asking| segment.sentence != asking) || topic.stems.len() >= STEMS
            {
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
            let Some(word) = question.tokens.get(token).filter(|token| token.is_word()) else {
                continue;
            };
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

    pub(crate) fn has(&self, stem: Stem) -> bool {
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
    /// True when the text asks something else than `question` asked, and does not merely follow up.
    pub fn changes_topic(&self, question: &Reading<'_>) -> bool {
        let Some(asking) = self.sentences.iter().rfind(|sentence| sentence.question) else {
            return false;
        };
        let opening = asking.tokens.start..asking.tokens.start + 1;
        let follows_up = |range| self.hits_in(range).iter().any(|hit| hit.group == Group::FollowUp);
        let points_back = self.hits_in(&asking.tokens).iter().any(|hit| hit.group == Group::Pronoun)
            || asking.tokens.clone().any(|token| self.word(token).eq_ignore_ascii_case("that"));
        let (old, new) = (Topic::new(question), Topic::new(self));
        new.stems.len() >= 2
            && !follows_up(&opening)
            && !points_back
            && old.share(self, asking.tokens.clone()) < 0.25
            && new.share(question, 0..question.tokens.len()) < 0.25
    }

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
        let should =
            hits.iter().find(|hit| hit.group == Group::Should && !self.is_speech_act(**hit));
        // "The ban raises prices" names the ban; "it should be banned" demands it.
        if let Some(pivot) = topic.pivot.filter(|pivot| !pivot.axis.action || should.is_some())
            && self.on_axis(pivot, segment, votes)
        {
            return;
        }
        let forbids = hits.iter().any(|hit| hit.group == Group::Not) && segment.first;
        let own_share = topic.share(self, segment.tokens.clone());
        // A question is answered by half its words; a proposition must be said again to be affirmed.
        let states = topic.pivot.is_none() && own_share >= if topic.asks { 0.5 } else { 0.75 };
        let weight = match (should, states) {
            (Some(_), _) if share >= 0.3 => 1.0,
            (Some(_), _) if points_back && topic.pivot.is_none_or(|pivot| pivot.axis.action) => 0.4,
            (None, true) => 1.0,
            (None, false) if forbids && own_share >= 0.4 => 0.8,
            _ => return,
        };
        let denied = match should {
            Some(hit) => {
                self.denies(segment, *hit)
                    != self.avoids(topic, hit.end as usize..segment.tokens.end)
            }
            None => self.negated_throughout(segment) != self.did_not_happen(segment),
        };
        let score = if denied { -weight } else { weight };
        let asked = topic.pivot.map_or(topic.sign, |pivot| pivot.sign);
        votes.push(Vote { score: score * asked, tokens: segment.tokens.clone() });
    }

    /// Votes for every word of the segment that stands on the pivot's axis; true when there was one.
    fn on_axis(&self, pivot: Pivot, segment: &Segment, votes: &mut Vec<Vote>) -> bool {
        let side_of = |token: usize| {
            let word = self.tokens.get(token).filter(|token| token.is_word())?;
            let (axis, side) = Lexicon::english().axis(word.stem)?;
            (axis == pivot.axis && !self.is_name(segment, token)).then_some(side.number())
        };
        let mut found = false;
        for token in segment.tokens.clone() {
            // In "a safety risk" the last word says what it is.
            let Some(side) = side_of(token).filter(|_| side_of(token + 1).is_none()) else {
                continue;
            };
            found = true;
            // "to reduce the risk", "safe sleep guidelines": named, not stated.
            if !pivot.axis.action && (self.lowers(segment) || self.is_attribute(segment, token)) {
                continue;
            }
            let denied = if self.negated(segment, token) { -1.0 } else { 1.0 };
            votes.push(Vote {
                score: 1.2 * side * denied * pivot.sign,
                tokens: segment.tokens.clone(),
            });
        }
        found
    }

    /// "I must emphasize": the speaker announces what it says, and demands nothing.
    pub(super) fn is_speech_act(&self, hit: Hit) -> bool {
        let before = (hit.first as usize).checked_sub(1);
        before.is_some_and(|before| self.word(before).eq_ignore_ascii_case("i"))
    }

    /// True when the word only describes the noun after it, or how something is done.
    fn is_attribute(&self, segment: &Segment, token: usize) -> bool {
        let next = token + 1;
        let noun = segment.tokens.contains(&next)
            && self.tokens.get(next).is_some_and(|token| token.is_word())
            && !self.is_function_word(next);
        noun || self.word(token).ends_with("ly")
    }

    /// True when the segment speaks of less of something, or of doing away with it.
    fn lowers(&self, segment: &Segment) -> bool {
        let words = self.tokens.get(segment.tokens.clone()).unwrap_or_default();
        let mut axes = words.iter().filter_map(|word| Lexicon::english().axis(word.stem));
        axes.any(|(axis, side)| (axis.amount || axis.action) && side.number() < 0.0)
    }

    /// "should be avoided": what ought to be done is to do without. Words of the topic do not count:
    /// "should be banned" is the proposition itself.
    fn avoids(&self, topic: &Topic, tokens: std::ops::Range<usize>) -> bool {
        let words = self.tokens.get(tokens).unwrap_or_default();
        let mut axes = words
            .iter()
            .filter(|word| !topic.has(word.stem))
            .filter_map(|word| Lexicon::english().axis(word.stem));
        axes.any(|(axis, side)| axis.action && side.number() < 0.0)
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
