//! Long answers: what became of the position on the question, whatever else was said.
//!
//! What the later answer says for either side is weighed, and what it says under reserve apart from
//! what it states. An answer that states the other side breaks with the first; one that grants it
//! under a condition qualifies it; one that takes its words back retracts them.

use rebuttal_model::{FlipKind, Span, Stance};
use rebuttal_text::{Before, Previous, Reading, StanceReading, Topic, Weighing};

use super::line::Found;
use super::{Outcome, Statements};

/// How much must be said for the other side, with reserve or without, to be more than manners.
const GRANTED: f64 = 1.0;
/// The share of all that was said which that must be, where the old side is held as well.
const GRANTED_SHARE: f64 = 0.4;

/// The two answers as read.
#[derive(Debug)]
pub(super) struct Answers<'r, 't> {
    pub(super) before: &'r Reading<'t>,
    pub(super) after: &'r Reading<'t>,
    pub(super) topic: Topic,
    /// The side the first answer takes.
    pub(super) held: StanceReading,
}

impl<'r, 't> Answers<'r, 't> {
    /// Both answers to the question, if the first one takes a side.
    pub(super) fn new(
        before: &'r Reading<'t>,
        after: &'r Reading<'t>,
        question: &Reading<'_>,
    ) -> Option<Self> {
        let topic = Topic::new(question);
        let stated = before.position(Some(&topic));
        let held = match stated.stance {
            Stance::Unclear => before.stance(Some(&topic)),
            _ => stated,
        };
        (held.stance != Stance::Unclear).then_some(Self { before, after, topic, held })
    }

    /// What became of the position.
    pub(super) fn compare(&self, pair: Statements<'_>) -> Found {
        let pushed = pair.reply_to.map(Reading::new);
        let previous = pushed.as_ref().map(|reading| Previous {
            by: Before::Asker,
            stance: reading.position(Some(&self.topic)).stance,
            reading,
        });
        let now = match previous {
            Some(previous) => self.after.position_in_reply(&self.topic, previous),
            None => self.after.position(Some(&self.topic)),
        };
        let weighed = self.after.weighing(&self.topic, previous);
        self.judge(now, &Sums::new(&weighed, self.held.stance), &weighed)
    }

    fn judge(&self, now: StanceReading, sums: &Sums, weighed: &Weighing) -> Found {
        let back = self.after.withdrawal_on(Some(&self.topic)).map(|cue| cue.span);
        let turned = now.stance.opposes(self.held.stance);
        let stands = now.stance == self.held.stance;
        let (outcome, why) = match back {
            Some(_) if stands && !sums.grants() => {
                (REFINED, "it puts a detail right and holds on to the rest")
            }
            Some(_) => (RETRACTED, "it takes back what it said"),
            None if turned && sums.other > sums.other_reserved => {
                (CONTRADICTED, "it now answers the opposite")
            }
            None if turned => (QUALIFIED, "it now grants the opposite under a condition"),
            None if sums.grants() => (QUALIFIED, "it now grants the opposite in part"),
            None => (Outcome::Same, "it answers the same"),
        };
        let acknowledged = self.after.acknowledgment_on(Some(&self.topic)).map(|cue| cue.span);
        let other = weighed.strongest(self.held.stance.opposite()).map(|piece| piece.span);
        let own = weighed.strongest(self.held.stance).map(|piece| piece.span);
        let shown = match outcome {
            Outcome::Changed(FlipKind::Retraction) => back.or(other),
            Outcome::Changed(FlipKind::Refinement) => back.or(own),
            Outcome::Changed(_) => now.span.filter(|_| turned).or(other),
            Outcome::Same | Outcome::Unrelated => now.span.filter(|_| stands).or(own),
        };
        let sure = sums.clearness().max(if back.is_some() { 0.6 } else { 0.0 });
        let found = Found::new(outcome, self.likeness(), sure, why);
        Found { acknowledgment: acknowledged.or(back), ..found.at(self.held.span, shown) }
    }

    /// The share of the first answer's terms that come again, of the smaller text's.
    fn likeness(&self) -> f64 {
        let terms = |reading: &Reading<'_>| {
            let mut terms: Vec<_> =
                reading.claims().into_iter().flat_map(|claim| claim.terms).collect();
            terms.sort_unstable();
            terms.dedup();
            terms
        };
        let (one, two) = (terms(self.before), terms(self.after));
        let both = one.iter().filter(|term| two.binary_search(term).is_ok()).count() as u64;
        crate::measure::share(both, one.len().min(two.len()) as u64).unwrap_or(0.0)
    }
}

const QUALIFIED: Outcome = Outcome::Changed(FlipKind::Qualification);
const RETRACTED: Outcome = Outcome::Changed(FlipKind::Retraction);
const REFINED: Outcome = Outcome::Changed(FlipKind::Refinement);
const CONTRADICTED: Outcome = Outcome::Changed(FlipKind::Contradiction);

/// What the later answer says for the side that was held, and for the other.
struct Sums {
    own: f64,
    own_reserved: f64,
    other: f64,
    other_reserved: f64,
}

impl Sums {
    fn new(weighed: &Weighing, side: Stance) -> Self {
        let other = side.opposite();
        Self {
            own: weighed.stated(side),
            own_reserved: weighed.reserved(side),
            other: weighed.stated(other),
            other_reserved: weighed.reserved(other),
        }
    }

    /// The other side gets more than manners.
    fn grants(&self) -> bool {
        let other = self.other + self.other_reserved;
        let all = other + self.own + self.own_reserved;
        other >= GRANTED && other >= GRANTED_SHARE * all
    }

    /// How far one side leads.
    fn clearness(&self) -> f64 {
        let (own, other) = (self.own + self.own_reserved, self.other + self.other_reserved);
        if own + other > 0.0 { (own - other).abs() / (own + other) } else { 0.0 }
    }
}

/// The first sentence that states something; of an answer without one, all of it.
pub(super) fn lead(reading: &Reading<'_>) -> Span {
    let claims = reading.claims();
    let first = claims.first().map(|claim| claim.span);
    let sentence = first.and_then(|claim| reading.sentence_spans().find(|it| it.contains(claim)));
    sentence.or(first).unwrap_or(Span::new(0, reading.original().len()))
}
