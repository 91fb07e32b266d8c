//! What a text offers in support, with the names that JSON has for it.

use rebuttal_detect::evidence::{self, ItemKind};
use rebuttal_model::{Quality, QualityWeights, Span};
use rebuttal_text::{self as text, CitationKind, Grain, Unit};
use serde::Serialize;

use super::facts::ReadQuote;

/// How well the text supports what it says, and by which words.
#[derive(Debug, Serialize)]
pub struct Support<'t> {
    /// The four shares and what they come to.
    #[serde(flatten)]
    pub quality: Quality,
    /// What was counted.
    pub items: Vec<Counted<'t>>,
}

/// Words that were counted.
#[derive(Debug, Serialize)]
pub struct Counted<'t> {
    /// As what: `source`, `measurement`, `example`, …
    pub kind: &'static str,
    /// The statement they were counted for; `None` for what stands outside any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Span>,
    /// The words.
    pub quote: ReadQuote<'t>,
}

impl<'t> Support<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let found = evidence::read(text, &QualityWeights::default());
        let counted = found.items.iter().map(|item| Counted {
            kind: kind(item.kind),
            claim: item.claim.and_then(|at| found.claims.get(at)).map(|claim| claim.span),
            quote: ReadQuote::new(text, item.span),
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
pub struct Quantity<'t> {
    /// The number, or a bound on it.
    pub value: Value,
    /// What it counts; `None` where the text does not say.
    pub unit: Option<&'static str>,
    /// Whether the text says "about".
    pub approx: bool,
    /// What is counted, as in "12 *incidents*".
    pub noun: Option<ReadQuote<'t>>,
    /// What it is a rate of, as in "5 GB per *day*".
    pub per: Option<ReadQuote<'t>>,
    /// The whole quantity.
    pub quote: ReadQuote<'t>,
}

impl<'t> Quantity<'t> {
    pub(super) fn new(text: &'t str, found: &text::Quantity) -> Self {
        let quote = |span| ReadQuote::new(text, span);
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
pub enum Value {
    /// Exactly this number.
    Exact {
        /// The number.
        number: f64,
    },
    /// Between two numbers.
    Range {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// At least this number.
    AtLeast {
        /// The bound.
        number: f64,
    },
    /// At most this number.
    AtMost {
        /// The bound.
        number: f64,
    },
    /// More than this.
    MoreThan {
        /// The bound.
        number: f64,
    },
    /// Less than this.
    LessThan {
        /// The bound.
        number: f64,
    },
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
pub struct Period<'t> {
    /// `day`, `month`, `quarter`, `half`, `year`, `decade`, `range` or `relative`.
    pub grain: &'static str,
    /// First day, as `2024-01-31`; `None` when the text does not say.
    pub first: Option<String>,
    /// Last day.
    pub last: Option<String>,
    /// Whether it is a fiscal one.
    pub fiscal: bool,
    /// Whether day and month could be the other way round.
    pub ambiguous: bool,
    /// The words.
    pub quote: ReadQuote<'t>,
}

impl<'t> Period<'t> {
    pub(super) fn new(text: &'t str, found: &text::Period) -> Self {
        Self {
            grain: grain(found.grain),
            first: found.dates.map(|(first, _)| first.to_string()),
            last: found.dates.map(|(_, last)| last.to_string()),
            fiscal: found.fiscal,
            ambiguous: found.ambiguous,
            quote: ReadQuote::new(text, found.span),
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
pub struct Citation<'t> {
    /// `url`, `doi`, `author_year`, `attribution`, ….
    pub kind: &'static str,
    /// The source's name.
    pub source: ReadQuote<'t>,
    /// The value it is given for.
    pub value: Option<ReadQuote<'t>>,
    /// The period it is given for.
    pub period: Option<Period<'t>>,
    /// The whole citation.
    pub quote: ReadQuote<'t>,
}

impl<'t> Citation<'t> {
    pub(super) fn new(text: &'t str, found: &text::Citation) -> Self {
        Self {
            kind: citation_kind(found.kind),
            source: ReadQuote::new(text, found.source),
            value: found.value.map(|span| ReadQuote::new(text, span)),
            period: found.period.as_ref().map(|period| Period::new(text, period)),
            quote: ReadQuote::new(text, found.span),
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
