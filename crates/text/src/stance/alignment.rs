//! What a text says of the question's own predicate.

use std::ops::Range;

use super::Vote;
use super::topic::{Named, Pivot, Topic};
use crate::lexicon::{Group, Hit, Lexicon};
use crate::reading::Reading;
use crate::segments::Segment;

impl Reading<'_> {
    /// Votes for what a segment affirms or denies of the topic, of which its sentence names this much.
    pub(super) fn aligned(
        &self,
        topic: &Topic,
        segment: &Segment,
        named: Named,
        votes: &mut Vec<Vote>,
    ) {
        let hits = self.hits_in(&segment.tokens);
        let points_back = hits.iter().any(|hit| hit.group == Group::Pronoun);
        let deed = topic.pivot.is_none_or(|pivot| pivot.axis.action());
        let about = topic.share(named) >= 0.3 || deed && named.count() >= 2;
        let pivots = topic
            .pivot
            .is_some_and(|pivot| self.side_in(pivot, segment, segment.tokens.clone()).is_some());
        let on_topic = about || points_back || topic.is_tiny() || pivots && named.count() > 0;
        let weighs =
            hits.iter().any(|hit| matches!(hit.group, Group::Outweigh | Group::OutweighNot));
        if !on_topic || weighs || self.imperative(topic, segment, votes) {
            return;
        }
        let should = hits.iter().find(|hit| match hit.group {
            Group::Should => self.demands(**hit),
            Group::Would => self.would_do(topic, **hit),
            _ => false,
        });
        // "The ban raises prices" names the ban; "it should be banned" demands it.
        let predicate = topic.asks && !topic.demands;
        if let Some(pivot) =
            topic.pivot.filter(|pivot| !pivot.axis.action() || should.is_some() || predicate)
            && self.on_axis(pivot, segment, votes)
        {
            return;
        }
        let own_share = topic.share(topic.named(self, segment.tokens.clone()));
        let score = match should {
            Some(hit) => self.obliges(topic, segment, *hit, about, points_back),
            None => self.affirms(topic, segment, own_share),
        };
        // "It should be done" is the proposition; "the thing should stay" is about the thing.
        let of_thing = own_share > 0.0;
        let asked = match topic.pivot {
            Some(pivot) if of_thing => pivot.sign,
            Some(_) => 1.0,
            None => topic.sign,
        };
        if score != 0.0 {
            votes.push(Vote::new(score * asked, segment.tokens.clone()));
        }
    }

    fn obliges(
        &self,
        topic: &Topic,
        segment: &Segment,
        should: Hit,
        about: bool,
        back: bool,
    ) -> f64 {
        let demand = topic.pivot.is_none_or(|pivot| pivot.axis.action());
        // "You shouldn't try it", when the question is whether to try it.
        let verb = should.end as usize..(should.end as usize + 3).min(segment.tokens.end);
        let about = about || topic.named(self, verb).count() > 0;
        let weight = match (about, back && demand) {
            (true, _) => 1.0,
            (false, true) => 0.4,
            _ => return 0.0,
        };
        let avoided = self.avoids(topic, should.end as usize..segment.tokens.end);
        if self.denies(segment, should) == avoided { weight } else { -weight }
    }

    /// A statement that repeats the question, or forbids what it asks for.
    fn affirms(&self, topic: &Topic, segment: &Segment, own_share: f64) -> f64 {
        // A question is answered by half its words; a proposition must be said again to be affirmed.
        let enough = if topic.asks { 0.5 } else { 0.75 };
        let hits = self.hits_in(&segment.tokens);
        // "Never mix them" forbids; "no link was found" does not.
        let forbids = segment.first
            && !self.word(segment.tokens.start).eq_ignore_ascii_case("no")
            && hits.iter().any(|hit| {
                hit.group == Group::Not && hit.first as usize <= segment.tokens.start + 1
            });
        let judges = hits.iter().any(|hit| matches!(hit.group, Group::For | Group::Against));
        let states = topic.pivot.is_none() && !topic.demands && !judges;
        let weight = if states && own_share >= enough {
            1.0
        } else if forbids && own_share >= 0.4 {
            0.8
        } else {
            return 0.0;
        };
        if self.negated_throughout(segment) == self.did_not_happen(segment) {
            weight
        } else {
            -weight
        }
    }

    /// "Sell them.", "Don't take the term sheet.": a sentence that opens with the topic's own verb.
    fn imperative(&self, topic: &Topic, segment: &Segment, votes: &mut Vec<Vote>) -> bool {
        let start = segment.tokens.start;
        let orders = |token: usize| {
            segment.tokens.contains(&token)
                && self.tokens.get(token).is_some_and(|word| topic.has(word.stem))
                && !self.word(token).ends_with("ing")
                && self.takes_object(topic, segment, token + 1)
        };
        let opens_with = |group: Group, from: usize| {
            self.hits_in(&(from..from + 1))
                .iter()
                .find(|hit| hit.group == group)
                .map(|hit| hit.end as usize)
        };
        let verb = opens_with(Group::Filler, start).unwrap_or(start);
        let denied = opens_with(Group::Not, verb);
        let score = match denied {
            Some(verb) if orders(verb) => -1.2,
            None if segment.first && orders(verb) => 1.2,
            _ => return false,
        };
        let asked =
            topic.pivot.filter(|pivot| !pivot.axis.action()).map_or(topic.sign, |pivot| pivot.sign);
        votes.push(Vote::new(score * asked, segment.tokens.clone()));
        true
    }

    /// A verb is followed by its object, or by nothing: "take it", "sell the bonds", "migrate". The
    /// object must be the topic's: "use a lid" is no answer to "should I use water".
    fn takes_object(&self, topic: &Topic, segment: &Segment, token: usize) -> bool {
        let rest = token..segment.tokens.end;
        let object = |hit: &Hit| hit.group == Group::Object && hit.first as usize == token;
        rest.is_empty()
            || self.hits_in(&rest).iter().any(object)
                && (topic.named(self, rest.clone()).count() > 0 || rest.len() == 1)
    }

    /// The side a word takes on the pivot's axis.
    fn side_at(&self, pivot: Pivot, segment: &Segment, token: usize) -> Option<f64> {
        let word = self.tokens.get(token).filter(|token| token.is_word())?;
        let (axis, side) = Lexicon::english().axis(word.stem)?;
        (axis == pivot.axis && !self.is_name(segment, token)).then_some(side.number())
    }

    /// The side the segment's last word on the pivot's axis takes, among these tokens.
    pub(super) fn side_in(
        &self,
        pivot: Pivot,
        segment: &Segment,
        tokens: Range<usize>,
    ) -> Option<f64> {
        tokens.rev().find_map(|token| self.side_at(pivot, segment, token))
    }

    /// Votes for every word of the segment that stands on the pivot's axis; true when there was one.
    fn on_axis(&self, pivot: Pivot, segment: &Segment, votes: &mut Vec<Vote>) -> bool {
        let mut found = false;
        for token in segment.tokens.clone() {
            let side = self.side_at(pivot, segment, token);
            // In "a safety risk" the last word says what it is.
            let last = self.side_at(pivot, segment, token + 1).is_none();
            let Some(side) = side.filter(|_| last) else { continue };
            found = true;
            // "to reduce the risk", "safe sleep guidelines": named, not stated.
            if !pivot.axis.action() && (self.lowers(segment) || self.is_attribute(segment, token)) {
                continue;
            }
            let denied = if self.negated(segment, token) { -1.0 } else { 1.0 };
            let score = 1.2 * side * denied * pivot.sign;
            votes.push(Vote::new(score, segment.tokens.clone()));
        }
        found
    }

    /// False for "I must emphasize", where the speaker announces what it says, and for "what you should
    /// do", where the obligation is the object of something else.
    pub(super) fn demands(&self, hit: Hit) -> bool {
        let first = hit.first as usize;
        let speaks =
            first.checked_sub(1).is_some_and(|before| self.word(before).eq_ignore_ascii_case("i"));
        !speaks && !self.is_object(hit)
    }

    /// "What you should do instead": said of something else.
    pub(super) fn is_object(&self, hit: Hit) -> bool {
        let first = hit.first as usize;
        let before = first.saturating_sub(2)..first;
        self.hits_in(&before).iter().any(|hit| hit.group == Group::What)
    }

    /// "I would not start it", when the question is whether to start it.
    fn would_do(&self, topic: &Topic, hit: Hit) -> bool {
        let verb = hit.end as usize..hit.end as usize + 2;
        topic.named(self, verb).count() > 0
    }

    /// True when the word only describes the noun after it, or how something is done.
    pub(super) fn is_attribute(&self, segment: &Segment, token: usize) -> bool {
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
        axes.any(|(axis, side)| (axis.amount() || axis.action()) && side.number() < 0.0)
    }

    /// "should be avoided": what ought to be done is to do without. Words of the topic do not count:
    /// "should be banned" is the proposition itself.
    fn avoids(&self, topic: &Topic, tokens: Range<usize>) -> bool {
        let words = self.tokens.get(tokens).unwrap_or_default();
        let mut axes = words
            .iter()
            .filter(|word| !topic.has(word.stem))
            .filter_map(|word| Lexicon::english().axis(word.stem));
        axes.any(|(axis, side)| axis.action() && side.number() < 0.0)
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
