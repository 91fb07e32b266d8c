//! One figure, or one judgement, as one report states it.

use super::entities::{Entity, Kind};
use super::metrics::{Metric, Name, Trait};
use super::period::Period;
use super::rng::Rng;
use super::value::{Shape, Written};

/// Whether the sentence may say that the metric went up or down to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trend {
    Unsaid,
    Up,
    Down,
}

/// What is spoken of: two claims on one thing can conflict, on two things they cannot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thing {
    pub(crate) metric: &'static Metric,
    pub(crate) entity: &'static Entity,
    pub(crate) period: Option<Period>,
    /// Tells things apart that differ in something else, such as their base year.
    pub(crate) group: usize,
}

impl Thing {
    /// Something of which a reader knows at once when two figures disagree.
    pub(crate) fn any(rng: &mut Rng, fits: impl Fn(&Metric) -> bool) -> Self {
        let usable = |metric: &Metric| !metric.is(Trait::Fixed) && fits(metric);
        // Half of the table is about countries; the rest is to be heard too.
        let metric = loop {
            let kind = *rng.pick(&Kind::ALL);
            if let Some(metric) = Metric::any(rng, kind, usable) {
                break metric;
            }
        };
        let kind = metric.of;
        let entity = Entity::other(rng, kind, &[]);
        let period = Period::any(rng, kind, metric.is(Trait::Yearly));
        Self { metric, entity, period, group: 0 }
    }

    pub(crate) fn at(self, period: Option<Period>, group: usize) -> Self {
        Self { period, group, ..self }
    }

    /// Same metric of the same entity, whenever.
    pub(crate) fn alike(&self, other: &Self) -> bool {
        self.metric.same(other.metric) && self.entity == other.entity
    }
}

/// What one report says of one thing.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) thing: Thing,
    /// Which of the metric's names.
    pub(crate) name: usize,
    /// True for the entity's other name.
    pub(crate) alias: bool,
    pub(crate) source: Option<&'static str>,
    pub(crate) written: Written,
    pub(crate) trend: Trend,
    /// True when it must not share a sentence.
    pub(crate) alone: bool,
    /// A sentence of its own, in the language of the templates; else any template.
    pub(crate) sentence: Option<String>,
}

impl Claim {
    /// This value of this thing under any name, cited in a third of cases.
    pub(crate) fn new(rng: &mut Rng, thing: Thing, written: Written) -> Self {
        let sourced = rng.chance(0.35) && !thing.metric.is(Trait::Unsourced);
        let source = sourced.then(|| *rng.pick(thing.entity.kind.sources()));
        let name = rng.below(thing.metric.names.len());
        let trend = Trend::Unsaid;
        Self { thing, name, alias: false, source, written, trend, alone: false, sentence: None }
    }

    /// A judgement in words: up or down, for or against.
    pub(crate) fn words(rng: &mut Rng, thing: Thing, positive: bool, sentence: String) -> Self {
        let mut claim = Self::new(rng, thing, Written::words(positive));
        claim.source = None;
        claim.sentence = Some(sentence);
        claim
    }

    pub(crate) fn citing(mut self, source: Option<&'static str>) -> Self {
        self.source = source;
        self
    }

    /// With these words behind the value, which hold for it alone.
    pub(crate) fn adding(mut self, words: &str) -> Self {
        self.written.text += words;
        self.alone = true;
        self
    }

    /// In these words.
    pub(crate) fn saying(mut self, sentence: impl Into<String>) -> Self {
        self.sentence = Some(sentence.into());
        self.source = None;
        self
    }

    pub(crate) fn metric_name(&self) -> &'static Name {
        &self.thing.metric.names[self.name]
    }

    pub(crate) fn entity_name(&self) -> &'static str {
        if self.alias { self.thing.entity.alias } else { self.thing.entity.name }
    }

    /// True when it may share a sentence with another claim.
    pub(crate) fn sociable(&self) -> bool {
        let plain = self.sentence.is_none() && self.written.shape == Shape::Exact;
        plain && self.source.is_none() && !self.alone
    }
}
