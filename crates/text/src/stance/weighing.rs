//! What a text says for each side, piece by piece, with what it says under reserve kept apart.
//!
//! A position sums up; to see in which way a position *moved* one must know whether the other side is
//! asserted, granted under a condition, or only politely agreed with.

use rebuttal_model::{Certainty, Span, Stance};

use super::{Previous, Topic, Vote};
use crate::lexicon::Group;
use crate::reading::Reading;
use crate::segments::{Part, Segment};

/// One piece of a text that speaks for a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its bytes in the original text.
    pub span: Span,
    /// Positive for yes, negative for no; about 1 for a plain statement.
    pub score: f64,
    /// Said under a condition, hedged, or granted before a "but".
    pub reserved: bool,
    /// Surely about the topic: its sentence names it or points at it, it answers yes or no, or the
    /// speaker says what it is for or against. In a long text much else takes sides.
    pub on_topic: bool,
    /// Answers whoever spoke last ("you're right") and states nothing itself.
    pub replies: bool,
}

/// What speaks for each side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weighing {
    /// In the order of the text.
    pub pieces: Vec<Piece>,
}

impl Weighing {
    /// How much the pieces that are wanted say for a side.
    pub fn sum(&self, side: Stance, wanted: impl Fn(&Piece) -> bool) -> f64 {
        let own = self.pieces.iter().filter(|piece| wanted(piece));
        own.map(|piece| on_side(piece.score, side)).sum()
    }

    /// The strongest piece for a side, among those on the topic if there is one.
    pub fn strongest(&self, side: Stance) -> Option<&Piece> {
        let own = self.pieces.iter().filter(|piece| on_side(piece.score, side) > 0.0);
        own.max_by(|a, b| a.on_topic.cmp(&b.on_topic).then(a.score.abs().total_cmp(&b.score.abs())))
    }
}

/// How much a score counts for a side.
fn on_side(score: f64, side: Stance) -> f64 {
    match side {
        Stance::Yes => score.max(0.0),
        Stance::No => (-score).max(0.0),
        Stance::Unclear => 0.0,
    }
}

/// The share of the topic's words that a sentence must name to be surely about it.
const NAMES: f64 = 0.4;

impl Reading<'_> {
    /// What the text says for each side of `topic`, as an answer to what was said before it, if that
    /// is known.
    pub fn weighing(&self, topic: &Topic, previous: Option<Previous<'_, '_>>) -> Weighing {
        let votes = match previous {
            Some(previous) => self.votes_in_reply(topic, previous),
            None => self.statements(Some(topic)),
        };
        Weighing { pieces: votes.iter().filter_map(|vote| self.piece(topic, vote)).collect() }
    }

    fn piece(&self, topic: &Topic, vote: &Vote) -> Option<Piece> {
        let segment = self.segment_at(vote.tokens.start)?;
        let granted = segment.part == Part::Conceded;
        let reserved = granted || segment.conditional || self.certainty(segment) < Certainty::Plain;
        // What counts little for a side counts in full as what is said under reserve.
        let weight = segment.weight();
        let score =
            if reserved && weight > 0.0 { vote.score / weight.min(1.0) } else { vote.score };
        let alone = |wanted: fn(Group) -> bool| {
            let hits = self.hits_in(&vote.tokens);
            hits.iter().any(|hit| hit.tokens() == vote.tokens && wanted(hit.group))
        };
        let replies = alone(|group| {
            matches!(
                group,
                Group::PoliteAgree | Group::PoliteSorry | Group::Deference | Group::Agree
            )
        });
        let answers = alone(|group| matches!(group, Group::Yes | Group::No));
        let on_topic = replies
            || answers
            || topic.is_tiny()
            || self.is_named(topic, segment)
            || self.points_back(segment)
            || self.is_opinion(vote);
        Some(Piece { span: self.span_of(vote.tokens.clone())?, score, reserved, on_topic, replies })
    }

    fn is_named(&self, topic: &Topic, segment: &Segment) -> bool {
        let sentence = self.sentences.get(segment.sentence);
        sentence.is_some_and(|sentence| {
            topic.share(topic.named(self, sentence.tokens.clone())) >= NAMES
        })
    }

    /// "It is safe", "that would be fine": the subject is what was asked about.
    fn points_back(&self, segment: &Segment) -> bool {
        let first = segment.tokens.start..(segment.tokens.start + 2).min(segment.tokens.end);
        first.into_iter().any(|token| {
            let word = self.word(token);
            ["it", "it's", "that", "that's", "this", "they"]
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known))
        })
    }

    /// "I support …", "the proposition overstates …": the speaker says where it stands.
    fn is_opinion(&self, vote: &Vote) -> bool {
        let first = self.word(vote.tokens.start);
        let speaks = ["i", "i'm", "i'd", "i've"].iter().any(|it| first.eq_ignore_ascii_case(it));
        speaks
            || vote
                .tokens
                .clone()
                .any(|token| self.word(token).to_ascii_lowercase().starts_with("proposition"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_under_a_condition_is_kept_apart() {
        let topic = Topic::new(&Reading::new("Is it safe to swim in the lake?"));
        let weigh = |text| Reading::new(text).weighing(&topic, None);
        let plain = weigh("It is safe to swim in the lake.");
        let stated = |it: &Weighing| it.sum(Stance::Yes, |piece| !piece.reserved && piece.on_topic);
        let reserved =
            |it: &Weighing| it.sum(Stance::Yes, |piece| piece.reserved && piece.on_topic);
        assert!(stated(&plain) > 0.5 && reserved(&plain) < 0.1);
        let under = weigh("If the wind is low, it is safe to swim in the lake.");
        assert!(stated(&under) < 0.1 && reserved(&under) > 0.5, "{under:?}");
        assert!(plain.strongest(Stance::No).is_none());
    }
}
