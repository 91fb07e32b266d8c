//! Claims: the statements of a text, in a form that two of them can be compared.

use rebuttal_model::{Certainty, Owner, Polarity, Span};

use crate::lexicon::{Group, Hit, Lexicon};
use crate::reading::Reading;
use crate::segments::{Part, Segment};
use crate::senses::Senses;
use crate::sentences::Place;
use crate::tokens::Kind;
use crate::traits::Traits;
use crate::words::Stem;

/// What a claim is about: a content word in any of its forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

impl Term {
    pub(crate) fn new(stem: Stem) -> Self {
        Self(stem.0)
    }

    pub(crate) fn stem(self) -> Stem {
        Stem(self.0)
    }

    /// True when the word takes a side, so that a claim and its opposite differ in it: "safe", "grew".
    pub fn takes_side(self) -> bool {
        let axis = Lexicon::english().axis(self.stem());
        axis.is_some_and(|(axis, _)| axis.opposites())
            || Senses::english().has_opposite(self.stem())
    }

    /// The word as a number: the same on every machine and in every release.
    pub fn id(self) -> u32 {
        self.0
    }
}

/// Where a claim puts its subject on an axis of opposites, negation included.
///
/// "is dangerous" and "is not safe" take the same side of the same axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    axis: u16,
    positive: bool,
}

impl Side {
    /// True for the same axis and opposite sides.
    pub fn opposes(self, other: Side) -> bool {
        self.axis == other.axis && self.positive != other.positive
    }
}

/// One statement of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimReading {
    /// Its bytes in the original text.
    pub span: Span,
    /// Made or denied.
    pub polarity: Polarity,
    /// How firmly it is stated.
    pub certainty: Certainty,
    /// The speaker's own, or somebody else's.
    pub owner: Owner,
    /// What it is about: sorted, each once, without the words that take a side.
    pub terms: Vec<Term>,
    /// What makes it about this one and no other: numbers, whose it is, before or after. Sorted.
    pub particulars: Vec<Term>,
    /// The sides it takes, sorted.
    pub sides: Vec<Side>,
}

impl Reading<'_> {
    /// The statements of the text, the speaker's own and those it reports. Questions, conditions,
    /// headings and fragments state nothing.
    pub fn claims(&self) -> Vec<ClaimReading> {
        self.segments.iter().filter_map(|segment| self.claim(segment)).collect()
    }

    /// What the speaker's own statements are about, for each sentence that is wanted and has some:
    /// where it stands in the original text, and the terms of its claims, sorted, each once.
    /// Sentences that are not wanted cost nothing.
    pub fn stated(&self, wanted: impl Fn(Span) -> bool) -> Vec<(Span, Vec<Term>)> {
        let mut found = Vec::new();
        for own in self.segments.chunk_by(|a, b| a.sentence == b.sentence) {
            let sentence = own.first().and_then(|first| self.sentences.get(first.sentence));
            let span = sentence.and_then(|sentence| self.span_of(sentence.tokens.clone()));
            let Some(span) = span.filter(|span| wanted(*span)) else { continue };
            let mut terms: Vec<Term> = Vec::with_capacity(16);
            for segment in own.iter().filter(|it| it.owner == Owner::Speaker && self.states(it)) {
                self.add_terms(segment, &mut terms);
            }
            if !terms.is_empty() {
                terms.sort_unstable();
                terms.dedup();
                found.push((span, terms));
            }
        }
        found
    }

    /// Adds the terms of what a segment claims; a fragment claims nothing.
    fn add_terms(&self, segment: &Segment, out: &mut Vec<Term>) {
        let from = out.len();
        // "The permit is valid": a word with a side may well be what is spoken of.
        let (mut sided, mut subject) = (0, None);
        for token in segment.tokens.clone() {
            let Some(word) = self.tokens.get(token).filter(|it| it.is_word()) else { continue };
            if word.traits.has(Traits::SIDED) {
                subject = subject.or(Some(Term(word.stem.0)));
                sided += 1;
            } else if !word.traits.has(Traits::FUNCTION) {
                out.push(Term(word.stem.0));
            }
        }
        if out.len() == from && sided > 1 {
            out.extend(subject);
        }
        let own = out.get(from..).unwrap_or_default();
        let several = own.first().is_some_and(|first| own.iter().any(|term| term != first));
        if !several && sided == 0 {
            out.truncate(from);
        }
    }

    /// False for what asks, sets a condition or heads a part of the text.
    fn states(&self, segment: &Segment) -> bool {
        let place = self.sentences.get(segment.sentence).map(|it| it.place);
        !segment.question
            && !matches!(segment.part, Part::Condition | Part::Time)
            && place.is_some_and(|place| place != Place::Heading)
    }

    fn claim(&self, segment: &Segment) -> Option<ClaimReading> {
        if !self.states(segment) {
            return None;
        }
        let (mut terms, mut sides) = (Vec::new(), Vec::new());
        let mut particulars = Vec::new();
        for token in segment.tokens.clone() {
            let Some(word) = self.tokens.get(token) else { continue };
            if word.kind == Kind::Number || self.hits.at(token).iter().any(is_particular) {
                particulars.push(Term(word.stem.0));
            }
            if !word.is_word() {
                continue;
            }
            match Lexicon::english().axis(word.stem).filter(|(axis, _)| axis.opposites()) {
                Some((axis, side)) => {
                    let positive = (side.number() > 0.0) != self.negated(segment, token);
                    sides.push(Side { axis: axis.number(), positive });
                }
                None if !self.is_function_word(token) => terms.push(Term(word.stem.0)),
                None => {}
            }
        }
        terms.sort_unstable();
        terms.dedup();
        sides.sort_unstable();
        sides.dedup();
        particulars.sort_unstable();
        particulars.dedup();
        if terms.is_empty() || terms.len() + sides.len() < 2 {
            return None;
        }
        let denied = self.negated_throughout(segment);
        Some(ClaimReading {
            span: self.span_of(segment.tokens.clone())?,
            polarity: if denied { Polarity::Denied } else { Polarity::Affirmed },
            certainty: self.certainty(segment),
            owner: segment.owner,
            terms,
            particulars,
            sides,
        })
    }
}

fn is_particular(hit: &Hit) -> bool {
    hit.group == Group::Particular
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_knows_its_polarity_certainty_and_owner() {
        let claims = Reading::new("Caching might not help latency.").claims();
        assert_eq!(claims.len(), 1);
        assert_eq!(claims[0].polarity, Polarity::Denied);
        assert_eq!(claims[0].certainty, Certainty::Tentative);
        let claims = Reading::new("Critics say the bridge design is false.").claims();
        assert_eq!(claims[0].owner, Owner::Other);
    }

    #[test]
    fn not_safe_is_the_side_of_dangerous() {
        let sides = |text| Reading::new(text).claims()[0].sides.clone();
        assert_eq!(
            sides("The session cache is not safe."),
            sides("The session cache is dangerous.")
        );
        assert!(
            sides("The session cache is safe.")[0]
                .opposes(sides("The session cache is unsafe.")[0])
        );
    }

    #[test]
    fn what_is_stated_is_what_is_claimed() {
        let text = "The cache is safe and the session cache is fast. Hm. Critics say caches leak. \
                    Is it slow? If it fails, users leave the site, but the site stays up.";
        let reading = Reading::new(text);
        let own = reading.claims().into_iter().filter(|it| it.owner == Owner::Speaker);
        for (span, terms) in reading.stated(|_| true) {
            let claims = own.clone().filter(|claim| span.contains(claim.span));
            let mut claimed: Vec<Term> = claims.flat_map(|it| it.terms).collect();
            claimed.sort_unstable();
            claimed.dedup();
            assert_eq!(terms, claimed, "{:?}", span.of(text));
        }
        assert_eq!(reading.stated(|_| true).len(), 2);
        assert_eq!(reading.stated(|span| span.start() > 0).len(), 1);
    }

    #[test]
    fn questions_and_fragments_claim_nothing() {
        assert_eq!(Reading::new("Is the cache safe? Hm. Well.").claims(), []);
    }
}
