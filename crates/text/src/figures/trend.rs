//! Trends: that something rises or falls, without a number.

use rebuttal_model::Span;

use super::listed::{Listed, any_of};
use super::meaning::Meaning;
use super::pieces::{Kind, is_date};
use super::reach::Sentence;
use super::{Carried, MetricWord};
use crate::claims::Term;
use crate::periods::Period;

/// What deny a trend.
const DENYING: Listed = Listed::new(&[
    "not", "never", "no", "hardly", "isn't", "aren't", "wasn't", "weren't", "stopped", "ceased",
    "stops", "false",
]);

/// Something that is said to rise or fall. All spans are of the original text.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// The words that say so.
    pub span: Span,
    /// The sentence.
    pub sentence: Span,
    /// What rises or falls, in the order of the text.
    pub metric: Vec<MetricWord>,
    /// Of whom or what, sorted; empty when nothing says so.
    pub entity: Vec<Term>,
    /// The name.
    pub entity_span: Option<Span>,
    /// Named in an earlier sentence or heading to which this one does not refer: a guess.
    pub entity_loose: bool,
    /// When.
    pub period: Option<Period>,
    /// Words that name some time and no days: "in May".
    pub vague_time: Option<Span>,
    /// Up, not down.
    pub up: bool,
    /// Denied: "is not falling".
    pub denied: bool,
}

impl Trend {
    /// True when both cannot hold: opposite ways, or one way said and denied.
    pub fn opposes(&self, other: &Self) -> bool {
        match (self.denied, other.denied) {
            (false, false) => self.up != other.up,
            (true, true) => false,
            _ => self.up == other.up,
        }
    }
}

/// The trend that a sentence states beside its values: "fell 17 % in 2023", "rose to 8 %". Of several
/// times, or reckoned on a basis of its own, it would be compared with what it is not.
pub(super) fn beside_values(sentence: &Sentence<'_, '_>, carried: &Carried) -> Option<Trend> {
    let based = |kind: Kind| matches!(kind, Kind::Known(Meaning::Basis(_)));
    let several = sentence.any_period().is_some() && sentence.only_period().is_none();
    if several || sentence.pieces.iter().any(|it| based(it.kind)) {
        return None;
    }
    trend(sentence, carried)
}

/// The trend that a sentence states, if it states one and only one.
pub(super) fn trend(sentence: &Sentence<'_, '_>, carried: &Carried) -> Option<Trend> {
    let turns = |at: &usize| {
        matches!(
            sentence.pieces.get(*at).map(|it| it.kind),
            Some(Kind::Known(Meaning::Up | Meaning::Down))
        ) && !sentence.sources.is(*at)
    };
    let mut turning = (0..sentence.pieces.len()).filter(turns);
    let at = turning.next()?;
    let piece = sentence.pieces.get(at)?;
    // "came up" is no rise, and "the contract" no fall.
    let before = at.checked_sub(1).and_then(|at| sentence.pieces.get(at));
    if before.is_some_and(|it| it.is(any_of!["the", "this", "that"])) {
        return None;
    }
    let before = before.map(|it| it.kind);
    if piece.is(any_of!["up", "down"]) && before != Some(Kind::Known(Meaning::Links)) {
        return None;
    }
    // The month of May is no "may".
    let unsure = sentence.pieces.iter().any(|it| {
        it.is(any_of!["whether", "if", "could", "may", "might", "would"])
            && (it.opens || it.text != "May")
            && !matches!(it.kind, Kind::Period(_))
    });
    if turning.next().is_some() || unsure {
        return None;
    }
    let start = (0..at)
        .rev()
        .find(|at| {
            matches!(
                sentence.pieces.get(*at).map(|it| it.kind),
                Some(Kind::Mark(b',' | b';' | b' '))
            )
        })
        .map_or(0, |comma| comma + 1);
    let chosen = sentence.chunk(start..at);
    if !chosen.metric.iter().any(|word| word.name.is_some()) && chosen.metric.len() > 3
        || chosen.metric.is_empty()
    {
        return None;
    }
    let denied = sentence
        .pieces
        .get(start..at)?
        .iter()
        .any(|it| it.is(&DENYING) || it.text.ends_with("n't"));
    let mention = sentence.mention_in(&(0..sentence.pieces.len()));
    let refers = sentence.refers(at);
    let (entity, entity_span, entity_loose) = match mention {
        Some(it) => (it.terms.clone(), Some(it.span), false),
        None if chosen.owned => (Vec::new(), None, false),
        None => (carried.entity.clone(), carried.entity_span, !refers),
    };
    Some(Trend {
        span: piece.span,
        sentence: Span::default(),
        metric: chosen.metric,
        entity,
        entity_span,
        entity_loose,
        period: sentence.any_period().or(carried.heading_period),
        vague_time: sentence.pieces.iter().find(|it| is_date(it)).map(|it| it.span),
        up: piece.kind == Kind::Known(Meaning::Up),
        denied,
    })
}
