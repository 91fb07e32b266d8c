//! Hedging: how far a text keeps its distance from what it states.

mod holder;

use rebuttal_model::Certainty;

use crate::lexicon::{Group, Hit};
use crate::reading::{Cue, Reading};
use crate::segments::Segment;

/// How far a text hedges.
#[derive(Clone, Debug, PartialEq)]
pub struct Hedging {
    /// How hedged the most hedged sentence is: 0 not at all, towards 1 the more cues it has.
    pub score: f64,
    /// The share of sentences that are hedged.
    pub share: f64,
    /// What hedges, in the order of the text.
    pub cues: Vec<Cue>,
}

impl Hedging {
    /// From this score on a sentence counts as hedged.
    pub const HEDGED: f64 = 0.5;

    /// True when some sentence is hedged.
    pub fn is_hedged(&self) -> bool {
        self.score >= Self::HEDGED
    }
}

impl Reading<'_> {
    /// How far the text hedges.
    pub fn hedging(&self) -> Hedging {
        let mut cues = Vec::new();
        let (mut score, mut hedged) = (0.0f64, 0u32);
        for sentence in &self.sentences {
            let mut plain = 1.0;
            let mut end = 0;
            for hit in self.hits_in(&sentence.tokens) {
                let Some(weight) = weight(hit.group).filter(|_| hit.first >= end) else { continue };
                if self.overlapped_by(*hit, Group::HedgeNot) || !self.leaves_open_who(*hit) {
                    continue;
                }
                end = hit.end;
                plain *= 1.0 - weight;
                cues.push(self.cue(*hit));
            }
            score = score.max(1.0 - plain);
            hedged += u32::from(1.0 - plain >= Hedging::HEDGED);
        }
        let sentences = u32::try_from(self.sentences.len().max(1)).unwrap_or(u32::MAX);
        Hedging { score, share: f64::from(hedged) / f64::from(sentences), cues }
    }

    /// How firmly a segment states what it states.
    pub(crate) fn certainty(&self, segment: &Segment) -> Certainty {
        let mut certainty =
            if segment.conditional { Certainty::Qualified } else { Certainty::Plain };
        for hit in self.hits_in(&segment.tokens) {
            let found = certainty_of(*hit);
            if found.is_none() || self.overlapped_by(*hit, Group::HedgeNot) {
                continue;
            }
            match found {
                // A hedge beats an emphasis: "definitely maybe" is no more than maybe.
                Some(Certainty::Emphatic) if certainty == Certainty::Plain => {
                    certainty = Certainty::Emphatic;
                }
                Some(hedge) if hedge < certainty => certainty = hedge,
                _ => {}
            }
        }
        certainty
    }
}

fn certainty_of(hit: Hit) -> Option<Certainty> {
    match hit.group {
        Group::HedgeModal | Group::HedgeAdverb | Group::HedgeVerb => Some(Certainty::Tentative),
        Group::HedgeFrequency | Group::HedgeCondition | Group::HedgeAmount => {
            Some(Certainty::Qualified)
        }
        Group::Emphatic => Some(Certainty::Emphatic),
        _ => None,
    }
}

/// How strongly one cue of a group marks its sentence as hedged: about how often a sentence of an
/// encyclopaedia that has it alone is felt to be evasive. Weak cues add up slowly: a long sentence has
/// several by its length.
fn weight(group: Group) -> Option<f64> {
    match group {
        Group::HedgeAdverb | Group::HedgeAmount | Group::HedgeWeasel | Group::HedgeHolder => {
            Some(0.55)
        }
        Group::HedgeVerb | Group::HedgeOpinion => Some(0.5),
        Group::HedgeModal | Group::HedgeLoose => Some(0.2),
        Group::HedgeFrequency | Group::HedgeCondition => Some(0.1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_hedged_from_plain() {
        assert!(Reading::new("It is widely believed that it might help.").hedging().is_hedged());
        assert!(!Reading::new("The bridge was built in 1958.").hedging().is_hedged());
        assert!((Reading::new("").hedging().score - 0.0).abs() < f64::EPSILON);
    }

    #[test]
    fn the_month_is_no_hedge() {
        assert!(Reading::new("It opened on May 5.").hedging().cues.is_empty());
    }
}
