//! Contradictions in a line each.

use jiff::civil::{Date, date};
use rebuttal_model::{
    AgentId, Cited, Confidence, Contradiction, ContradictionKind, FindingId, Method, Report,
    Severity, Side, Span, When, Whose,
};
use rebuttal_policy::Authority;

/// `GCC-STAT > World Bank > other`.
pub(crate) fn example() -> Authority {
    let (authority, problems) = Authority::read(Authority::EXAMPLE, "authority.toml");
    assert_eq!(problems, []);
    authority
}

/// What an agent says, with nothing to back it.
pub(crate) fn side(agent: &str, value: f64, shown: &str) -> Side {
    let quote = format!("{agent} finds {shown}.");
    let at = quote.find(shown).unwrap();
    Side {
        agent: AgentId::new(agent),
        report: 0,
        span: Span::new(0, quote.len()),
        quote,
        value: Some(value),
        shown: shown.to_owned(),
        shown_span: Span::new(at, at + shown.len()),
        period: None,
        citation: None,
        confidence: None,
        source: None,
    }
}

/// What an agent reads into things.
pub(crate) fn reading(agent: &str, words: &str) -> Side {
    Side { value: None, ..side(agent, 0.0, words) }
}

/// Shorthand for what backs a side.
pub(crate) trait Backed: Sized {
    /// Says how sure it is.
    fn sure(self, confidence: f64) -> Self;
    /// Speaks of this time.
    fn during(self, period: &str) -> Self;
    /// Cites this source.
    fn cites(self, source: &str) -> Self;
    /// The source is from then.
    fn dated(self, period: &str) -> Self;
    /// The citation repeats the value and can be looked up.
    fn fully(self) -> Self;
}

impl Backed for Side {
    fn sure(mut self, confidence: f64) -> Self {
        self.confidence = Confidence::new(confidence, Whose::Stated);
        self
    }

    fn during(mut self, period: &str) -> Self {
        self.period = Some(when(period));
        self
    }

    fn cites(mut self, source: &str) -> Self {
        let text = format!("[Per extraction: '{}' from {source}]", self.shown);
        let source = Some(source.to_owned());
        self.citation =
            Some(Cited { text, source, period: None, quotes_value: false, locator: false });
        self
    }

    fn dated(mut self, period: &str) -> Self {
        let citation = self.citation.as_mut().unwrap();
        citation.text = citation.text.replace(']', &format!(" {period}]"));
        citation.period = Some(when(period));
        self
    }

    fn fully(mut self) -> Self {
        let citation = self.citation.as_mut().unwrap();
        (citation.quotes_value, citation.locator) = (true, true);
        self
    }
}

/// `2024` and `Q1-2024` with their days, other words without.
pub(crate) fn when(text: &str) -> When {
    let quarter = text.strip_prefix('Q').and_then(|rest| rest.split_once('-'));
    let days = match (text.parse::<i16>(), quarter) {
        (Ok(year), _) => Some((date(year, 1, 1), date(year, 12, 31))),
        (_, Some((quarter, year))) => {
            let first = date(year.parse().unwrap(), quarter.parse::<i8>().unwrap() * 3 - 2, 1);
            let last: Date = first.checked_add(jiff::Span::new().months(2)).unwrap();
            Some((first, last.last_of_month()))
        }
        _ => None,
    };
    When { text: text.to_owned(), days }
}

/// A contradiction about Qatar's unemployment, each side in a report of its own.
pub(crate) fn contradiction(kind: ContradictionKind, sides: impl Into<Vec<Side>>) -> Contradiction {
    let mut sides = sides.into();
    for (report, side) in sides.iter_mut().enumerate() {
        side.report = report;
    }
    Contradiction {
        id: FindingId::new("r-1"),
        kind,
        metric_name: "qatar_unemployment_rate".into(),
        metric: "unemployment rate".into(),
        entity: Some("Qatar".into()),
        unit: Some("%".into()),
        sides,
        relative_difference: Some(0.2),
        severity: Severity::Medium,
        confidence: Confidence::detector(0.9),
        method: Method::Rules,
        apart: None,
        tolerance: None,
        explanation: "They differ.".into(),
    }
}

pub(crate) fn values(sides: impl Into<Vec<Side>>) -> Contradiction {
    contradiction(ContradictionKind::Value, sides)
}

/// The reports that the sides were read from.
pub(crate) fn reports(contradiction: &Contradiction) -> Vec<Report> {
    let report =
        |side: &Side| Report::new(side.agent.clone(), format!("{} And so on.", side.quote));
    contradiction.sides.iter().map(report).collect()
}
