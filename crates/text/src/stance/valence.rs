//! The good and the bad a text tells of, as seen from a proposition.
//!
//! "It causes addiction" speaks against legalising a thing and for banning it. What reduces or
//! prevents a bad thing is good, and what is said of the ban itself counts for or against the ban.

use super::{Basis, Topic, Vote};
use crate::lexicon::{Axis, Lexicon};
use crate::reading::Reading;
use crate::segments::Segment;

/// What one good or bad word weighs, beside a statement's 1.
const WORD: f64 = 0.3;

impl Reading<'_> {
    pub(super) fn valence(&self, topic: Option<&Topic>) -> Vec<Vote> {
        let mut votes = Vec::new();
        for segment in &self.segments {
            let weight = segment.weight();
            if weight > 0.0 {
                self.valence_of(segment, topic, weight, &mut votes);
            }
        }
        votes
    }

    fn valence_of(
        &self,
        segment: &Segment,
        topic: Option<&Topic>,
        weight: f64,
        votes: &mut Vec<Vote>,
    ) {
        let pivot = topic.and_then(|topic| topic.pivot).filter(|pivot| pivot.axis.action());
        // Towards the thing: a proposition to ban it is favoured by what is bad of it.
        let mut favour = topic.and_then(|topic| topic.pivot).map_or(1.0, |pivot| pivot.sign);
        let mut shift = 1.0;
        for token in segment.tokens.clone() {
            let Some(word) = self.tokens.get(token).filter(|token| token.is_word()) else {
                continue;
            };
            let Some((axis, side)) = Lexicon::english().axis(word.stem) else { continue };
            if self.is_name(segment, token) {
                continue;
            }
            let side = side.number();
            if let Some(pivot) = pivot.filter(|pivot| pivot.axis == axis) {
                // What follows is said of the ban, or of allowing it, and no longer of the thing.
                favour = side * pivot.sign;
                continue;
            }
            if topic.is_some_and(|topic| topic.has(word.stem)) {
                continue;
            }
            if lowers(axis, side) {
                shift = -shift;
                continue;
            }
            if !axis.value() || axis.action() {
                continue;
            }
            let denied = if self.negated(segment, token) { -1.0 } else { 1.0 };
            let score = WORD * weight * side * shift * denied * favour;
            let tokens = segment.tokens.clone();
            votes.push(Vote { score, tokens, basis: Basis::Valence });
        }
    }
}

/// True for words that take away from what follows: "reduces crime", "ends poverty".
fn lowers(axis: Axis, side: f64) -> bool {
    side < 0.0 && (axis.action() || axis.amount())
}
