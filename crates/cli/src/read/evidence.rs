//! What a text offers in support, with the names that JSON has for it.

use rebuttal::detect::evidence::{self, ItemKind};
use rebuttal::model::{Quality, QualityWeights, Span};
use rebuttal::text::{self, CitationKind, Grain, Unit};
use serde::Serialize;

use super::facts::Quote;

/// How well the text supports what it says, and by which words.
#[derive(Debug, Serialize)]
pub(super) struct Support<'t> {
    #[serde(flatten)]
    pub(super) quality: Quality,
    pub(super) items: Vec<Counted<'t>>,
}

/// Words that were counted.
#[derive(Debug, Serialize)]
pub(super) struct Counted<'t> {
    pub(super) kind: &'static str,
    /// The statement they were counted for; `None` for what stands outside any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) claim: Option<Span>,
    pub(super) quote: Quote<'t>,
}

impl<'t> Support<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let found = evidence::read(text, &QualityWeights::default());
        let counted = found.items.iter().map(|item| Counted {
            kind: kind(item.kind),
            claim: item.claim.and_then(|at| found.claims.get(at)).map(|claim| claim.span),
            quote: Quote::new(text, item.span),
        });
        Self { quality: found.quality, items: counted.collect() }
    }
}

fn kind(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Source => "source",
        ItemKind::Data => "measurement",
        ItemKind::Example => "example",
        ItemKind::Quotation => "quotation",
        ItemKind::Test => "test",
        ItemKind::Particular => "particular",
        ItemKind::Vague => "vague",
        ItemKind::Connective => "connective",
    }
}

/// A number and what it measures.
#[derive(Debug, Serialize)]
pub(super) struct Quantity<'t> {
    pub(super) value: Value,
    pub(super) unit: Option<&'static str>,
    pub(super) approx: bool,
    pub(super) noun: Option<Quote<'t>>,
    pub(super) per: Option<Quote<'t>>,
    pub(super) quote: Quote<'t>,
}

impl<'t> Quantity<'t> {
    pub(super) fn new(text: &'t str, found: &text::Quantity) -> Self {
        let quote = |span| Quote::new(text, span);
        Self {
            value: found.value.into(),
            unit: unit(found.unit),
            approx: found.approx,
            noun: found.noun.map(quote),
            per: found.per.map(quote),
            quote: quote(found.span),
        }
    }
}

/// How the value relates to the number given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Value {
    Exact { number: f64 },
    Range { low: f64, high: f64 },
    AtLeast { number: f64 },
    AtMost { number: f64 },
    MoreThan { number: f64 },
    LessThan { number: f64 },
}

impl From<text::Value> for Value {
    fn from(value: text::Value) -> Self {
        match value {
            text::Value::Exact(number) => Self::Exact { number },
            text::Value::Range { low, high } => Self::Range { low, high },
            text::Value::AtLeast(number) => Self::AtLeast { number },
            text::Value::AtMost(number) => Self::AtMost { number },
            text::Value::MoreThan(number) => Self::MoreThan { number },
            text::Value::LessThan(number) => Self::LessThan { number },
        }
    }
}

fn unit(unit: Unit) -> Option<&'static str> {
    Some(match unit {
        Unit::None => return None,
        Unit::Count => "count",
        Unit::Percent => "percent",
        Unit::PercentagePoints => "percentage_points",
        Unit::BasisPoints => "basis_points",
        Unit::Times => "times",
        Unit::Currency(code) => code,
        Unit::Seconds => "seconds",
        Unit::Bytes => "bytes",
        Unit::Bits => "bits",
        Unit::BitRate => "bits_per_second",
        Unit::Hertz => "hertz",
        Unit::Metres => "metres",
        Unit::Kilograms => "kilograms",
        Unit::Litres => "litres",
        Unit::Watts => "watts",
        Unit::WattHours => "watt_hours",
        Unit::Celsius => "celsius",
        Unit::Degrees => "degrees",
        Unit::Of(name) => name,
    })
}

/// A stretch of time.
#[derive(Debug, Serialize)]
pub(super) struct Period<'t> {
    pub(super) grain: &'static str,
    /// First day, as `2024-01-31`; `None` when the text does not say.
    pub(super) first: Option<String>,
    /// Last day.
    pub(super) last: Option<String>,
    pub(super) fiscal: bool,
    pub(super) ambiguous: bool,
    pub(super) quote: Quote<'t>,
}

impl<'t> Period<'t> {
    pub(super) fn new(text: &'t str, found: &text::Period) -> Self {
        Self {
            grain: grain(found.grain),
            first: found.dates.map(|(first, _)| first.to_string()),
            last: found.dates.map(|(_, last)| last.to_string()),
            fiscal: found.fiscal,
            ambiguous: found.ambiguous,
            quote: Quote::new(text, found.span),
        }
    }
}

fn grain(grain: Grain) -> &'static str {
    match grain {
        Grain::Day => "day",
        Grain::Month => "month",
        Grain::Quarter => "quarter",
        Grain::Half => "half",
        Grain::Year => "year",
        Grain::Decade => "decade",
        Grain::Range => "range",
        Grain::Relative => "relative",
    }
}

/// A source that the text names.
#[derive(Debug, Serialize)]
pub(super) struct Citation<'t> {
    pub(super) kind: &'static str,
    pub(super) source: Quote<'t>,
    pub(super) value: Option<Quote<'t>>,
    pub(super) period: Option<Period<'t>>,
    pub(super) quote: Quote<'t>,
}

impl<'t> Citation<'t> {
    pub(super) fn new(text: &'t str, found: &text::Citation) -> Self {
        Self {
            kind: citation_kind(found.kind),
            source: Quote::new(text, found.source),
            value: found.value.map(|span| Quote::new(text, span)),
            period: found.period.as_ref().map(|period| Period::new(text, period)),
            quote: Quote::new(text, found.span),
        }
    }
}

fn citation_kind(kind: CitationKind) -> &'static str {
    match kind {
        CitationKind::Extraction => "extraction",
        CitationKind::Numbered => "numbered",
        CitationKind::Footnote => "footnote",
        CitationKind::AuthorYear => "author_year",
        CitationKind::Doi => "doi",
        CitationKind::Rfc => "rfc",
        CitationKind::Arxiv => "arxiv",
        CitationKind::Standard => "standard",
        CitationKind::Url => "url",
        CitationKind::Legal => "legal",
        CitationKind::Attribution => "attribution",
        CitationKind::SourceNote => "source_note",
    }
}
