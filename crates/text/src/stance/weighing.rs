//! What a text says for each side, piece by piece, with what it says under reserve kept apart.
//!
//! A position sums up; to see in which way a position *moved* one must know whether the other side is
//! asserted, granted under a condition, or only politely agreed with.

use rebuttal_model::{Certainty, Span, Stance};

use super::{Previous, Topic, Vote};
use crate::reading::Reading;
use crate::segments::Part;

/// One piece of a text that speaks for a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its bytes in the original text.
    pub span: Span,
    /// Positive for yes, negative for no; about 1 for a plain statement.
    pub score: f64,
    /// Said under a condition, hedged, or granted before a "but".
    pub reserved: bool,
}

/// What speaks for each side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weighing {
    /// In the order of the text.
    pub pieces: Vec<Piece>,
}

impl Weighing {
    /// How much is stated for a side without reserve.
    pub fn stated(&self, side: Stance) -> f64 {
        self.sum(side, false)
    }

    /// How much is said for a side with reserve.
    pub fn reserved(&self, side: Stance) -> f64 {
        self.sum(side, true)
    }

    fn sum(&self, side: Stance, reserved: bool) -> f64 {
        let own = self.pieces.iter().filter(|piece| piece.reserved == reserved);
        own.map(|piece| on_side(piece.score, side)).sum()
    }

    /// The strongest piece for a side.
    pub fn strongest(&self, side: Stance) -> Option<&Piece> {
        let own = self.pieces.iter().filter(|piece| on_side(piece.score, side) > 0.0);
        own.max_by(|a, b| a.score.abs().total_cmp(&b.score.abs()))
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

impl Reading<'_> {
    /// What the text says for each side of `topic`, as an answer to what was said before it, if that
    /// is known.
    pub fn weighing(&self, topic: &Topic, previous: Option<Previous<'_, '_>>) -> Weighing {
        let votes = match previous {
            Some(previous) => self.votes_in_reply(topic, previous),
            None => self.statements(Some(topic)),
        };
        Weighing { pieces: votes.iter().filter_map(|vote| self.piece(vote)).collect() }
    }

    fn piece(&self, vote: &Vote) -> Option<Piece> {
        let segment = self.segment_at(vote.tokens.start)?;
        let granted = segment.part == Part::Conceded;
        let reserved = granted || segment.conditional || self.certainty(segment) < Certainty::Plain;
        // What counts little for a side counts in full as what is said under reserve.
        let weight = segment.weight();
        let score =
            if reserved && weight > 0.0 { vote.score / weight.min(1.0) } else { vote.score };
        Some(Piece { span: self.span_of(vote.tokens.clone())?, score, reserved })
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
        assert!(plain.stated(Stance::Yes) > 0.5 && plain.reserved(Stance::Yes) < 0.1);
        let under = weigh("If the wind is low, it is safe to swim in the lake.");
        assert!(under.stated(Stance::Yes) < 0.1 && under.reserved(Stance::Yes) > 0.5, "{under:?}");
        assert!(plain.strongest(Stance::No).is_none());
    }
}
