//! From what was found to a contradiction that a person can read and check.

use rebuttal_model::{
    Apart, Cited, Confidence, Contradiction, ContradictionKind, FindingId, Method, Severity, Side,
    Span, When,
};
use rebuttal_text::{CitationKind, Figure, MetricWord, Period, Reading, Value};

use super::ContradictionOptions;
use super::statement::{Statement, Statements, given_at};
use crate::same::{self, Dimension};

/// Relative differences above these are medium and high.
const MEDIUM_ABOVE: f64 = 0.1;
const HIGH_ABOVE: f64 = 0.5;

/// What a contradiction in values is made of.
pub(super) struct Parts<'s> {
    pub(super) kind: ContradictionKind,
    pub(super) apart: Option<Apart>,
    pub(super) sides: Vec<&'s Statement>,
    /// Of a time that holds that of the sides, or is held by it: told, and not in dispute.
    pub(super) aside: Vec<&'s Statement>,
}

/// A contradiction between values.
pub(super) fn values(
    parts: Parts<'_>,
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Contradiction {
    let Parts { kind, apart, mut sides, aside } = parts;
    let place = |side: &&Statement| (side.report, side.figure.quantity.span);
    sides.sort_by_key(place);
    let values: Vec<Value> = sides.iter().map(|side| same::in_dimension(&side.figure)).collect();
    let difference = widest(&values);
    let sign = values.iter().any(|it| same::number(*it) < 0.0)
        && values.iter().any(|it| same::number(*it) > 0.0);
    let stakes = sides.iter().filter_map(|it| statements.stakes(it.report, it.figure.sentence));
    let stakes = stakes.max().unwrap_or(options.stakes);
    let mut told = [sides.as_slice(), aside.as_slice()].concat();
    told.sort_by_key(place);
    let shown: Vec<Side> = told.iter().map(|side| value_side(side, statements)).collect();
    let first = sides.first().copied();
    let named = sides.iter().copied().find(|it| !it.figure.entity.is_empty()).or(first);
    let entity = named.and_then(|it| entity(it, statements));
    let in_words = |words: fn(&[MetricWord], usize, &Statements<'_>) -> String| {
        first.map(|it| words(&it.figure.metric, it.report, statements)).unwrap_or_default()
    };
    let (metric, metric_name) = (in_words(metric), slug(entity.as_deref(), &in_words(name)));
    let dimension = sides.iter().map(|it| Dimension::of(&it.figure)).max();
    let unit = dimension.and_then(Dimension::shown).map(str::to_owned);
    let mut found = Contradiction {
        id: id(kind, &shown),
        kind,
        metric_name,
        metric,
        entity,
        unit,
        relative_difference: difference.is_finite().then_some(difference),
        severity: severity(difference, sign, apart, stakes),
        confidence: Confidence::detector(certainty(&sides, apart)),
        method: Method::Rules,
        apart,
        tolerance: Some(options.tolerance),
        explanation: String::new(),
        sides: shown,
    };
    let beside: Vec<&str> = aside.iter().map(|it| agent(it, statements)).collect();
    found.explanation = explanation(&found, difference, sign, &beside);
    found
}

/// Whose statement it is.
pub(super) fn agent<'s>(statement: &Statement, statements: &'s Statements<'_>) -> &'s str {
    statements.reports.get(statement.report).map_or("", |report| report.agent.as_str())
}

/// The written rule of severity. A conflict of signs is high; else the relative difference decides
/// (above 50 % high, above 10 % medium, else low). What may be explained by another time or
/// definition is medium at most. High stakes raise the result by one, low stakes lower it.
pub(super) fn severity(
    difference: f64,
    sign: bool,
    apart: Option<Apart>,
    stakes: Severity,
) -> Severity {
    let plain = if sign || difference > HIGH_ABOVE {
        Severity::High
    } else if difference > MEDIUM_ABOVE {
        Severity::Medium
    } else {
        Severity::Low
    };
    let plain = if apart.is_some() { plain.min(Severity::Medium) } else { plain };
    weighed(plain, stakes)
}

/// One step up for high stakes, one down for low ones.
pub(super) fn weighed(plain: Severity, stakes: Severity) -> Severity {
    match (stakes, plain) {
        (Severity::Medium, plain) => plain,
        (Severity::High, Severity::Info) => Severity::Low,
        (Severity::High, Severity::Low) | (Severity::Info | Severity::Low, Severity::High) => {
            Severity::Medium
        }
        (Severity::High, _) => Severity::High,
        (Severity::Info | Severity::Low, _) => Severity::Low,
    }
}

/// The largest difference between any two: that of the ends, whatever lies between.
fn widest(values: &[Value]) -> f64 {
    let number = |it: &&Value| same::number(**it);
    let low = values.iter().min_by(|a, b| number(a).total_cmp(&number(b)));
    let high = values.iter().max_by(|a, b| number(a).total_cmp(&number(b)));
    low.zip(high).map_or(0.0, |(low, high)| same::difference(*low, *high))
}

/// How sure it is that the sides speak of the same thing: less where one leaves something out.
fn certainty(sides: &[&Statement], apart: Option<Apart>) -> f64 {
    let some = |said: fn(&Figure) -> bool| {
        let count = sides.iter().filter(|side| said(&side.figure)).count();
        count > 0 && count < sides.len()
    };
    let mut sure = 0.95;
    for (missing, worth) in [
        (some(|it| !it.entity.is_empty()), 0.85),
        (some(|it| it.period.is_some()), 0.85),
        (some(|it| it.base.is_some()), 0.8),
        (apart.is_some(), 0.9),
    ] {
        sure *= if missing { worth } else { 1.0 };
    }
    sure
}

fn value_side(statement: &Statement, statements: &Statements<'_>) -> Side {
    let figure = &statement.figure;
    let report = statements.reports.get(statement.report);
    let span = figure.sentence;
    let text = |span: Span| statements.text(statement.report, span).to_owned();
    Side {
        agent: report.map_or_else(|| rebuttal_model::AgentId::new(""), |it| it.agent.clone()),
        report: statement.report,
        span,
        quote: text(span),
        value: Some(same::number(same::in_dimension(figure))),
        shown: bounded(figure, &text(figure.quantity.span)),
        shown_span: figure.quantity.span,
        period: figure.period.map(|period| when(&period, statement.report, statements)),
        citation: cited(statement, statements),
        confidence: statements.confidence(statement.report, span).map(|it| it.0),
        source: report.and_then(|it| it.source.clone()),
    }
}

/// The number as written, with what bounds it.
fn bounded(figure: &Figure, written: &str) -> String {
    let words = match figure.quantity.value {
        Value::AtLeast(_) => "at least ",
        Value::AtMost(_) => "at most ",
        Value::MoreThan(_) => "more than ",
        Value::LessThan(_) => "less than ",
        Value::Exact(_) | Value::Range { .. } => "",
    };
    let minus = same::number(figure.value) < 0.0 && same::number(figure.quantity.value) > 0.0;
    let sign = if minus { "-" } else { "" };
    format!("{words}{sign}{written}")
}

fn when(period: &Period, report: usize, statements: &Statements<'_>) -> When {
    When { text: statements.text(report, period.span).to_owned(), days: period.dates }
}

/// What a statement is cited from: its field, its citation, or who the sentence says reports it.
/// The field's is written out beside a finding, and is read better there, with its time.
fn cited(statement: &Statement, statements: &Statements<'_>) -> Option<Cited> {
    let said = said_source(statement, statements);
    let field = field_source(statement, statements);
    match (said, field) {
        (Some(said), Some(field)) if is_other(&said, field) => Some(from_field(field)),
        (None, Some(field)) => Some(from_field(field)),
        (said, _) => said,
    }
}

/// The source that the text names and the one that the field does, where these are two.
pub(super) fn overruled(
    statement: &Statement,
    statements: &Statements<'_>,
) -> Option<(String, String)> {
    let said = said_source(statement, statements)?;
    let field = field_source(statement, statements).filter(|field| is_other(&said, field))?;
    Some((said.source?, field.to_owned()))
}

fn field_source<'s>(statement: &Statement, statements: &'s Statements<'_>) -> Option<&'s str> {
    let report = statements.reports.get(statement.report)?;
    given_at(&report.given, statement.figure.sentence)?.citation.as_deref()
}

/// True when a field names a source, and the text another.
fn is_other(said: &Cited, field: &str) -> bool {
    let plain = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (source, field) = (said.source.as_deref().map(plain).unwrap_or_default(), plain(field));
    !source.is_empty() && !field.contains(&source) && !plain(&said.text).contains(&field)
}

/// `IMF, April 2024`: a source and its time.
fn from_field(text: &str) -> Cited {
    let locator = text.contains("://") || text.to_ascii_lowercase().contains("doi:");
    let reading = Reading::new(text);
    let period = reading.periods().last().copied().filter(|_| !locator);
    let before = period.and_then(|period| text.get(..period.span.start()));
    let name = before.map(|name| name.trim_end_matches([' ', ',', '(', '-', '–', ':']));
    let source = name.filter(|name| !name.is_empty()).unwrap_or(text).to_owned();
    let period = period.map(|period| When {
        text: period.span.of(text).unwrap_or_default().to_owned(),
        days: period.dates,
    });
    let (text, source) = (text.to_owned(), Some(source));
    Cited { text, source, period, quotes_value: false, locator }
}

/// What the sentence itself cites, or says that it has it from.
fn said_source(statement: &Statement, statements: &Statements<'_>) -> Option<Cited> {
    let figure = &statement.figure;
    let text = |span: Span| statements.text(statement.report, span).to_owned();
    if let Some(citation) = &figure.citation {
        let note = matches!(citation.kind, CitationKind::Numbered | CitationKind::Footnote);
        return Some(Cited {
            text: text(citation.span),
            source: (!note).then(|| without_article(&text(citation.source))),
            period: citation.period.map(|period| when(&period, statement.report, statements)),
            quotes_value: citation.value.is_some(),
            locator: matches!(
                citation.kind,
                CitationKind::Url
                    | CitationKind::Doi
                    | CitationKind::Arxiv
                    | CitationKind::Rfc
                    | CitationKind::Standard
            ),
        });
    }
    let span = figure.reporter?;
    let (text, source) = (text(span), Some(without_article(&text(span))));
    let period = figure.reporter_period.map(|it| when(&it, statement.report, statements));
    Some(Cited { text, source, period, quotes_value: false, locator: false })
}

/// "the World Bank" is called World Bank, and so are "World Bank data" and "data from the World Bank".
fn without_article(name: &str) -> String {
    const DATA: [&str; 6] = ["data", "figures", "estimates", "statistics", "numbers", "records"];
    let is_data = |word: &str| DATA.iter().any(|data| word.eq_ignore_ascii_case(data));
    let behind = |name: &str| {
        let (first, rest) = name.split_once(' ')?;
        let (second, rest) = rest.split_once(' ')?;
        (is_data(first) && matches!(second, "from" | "of" | "by")).then(|| rest.to_owned())
    };
    let name = behind(name).unwrap_or_else(|| name.to_owned());
    let named = match name.rsplit_once(' ') {
        Some((head, last)) if is_data(last) && head.contains(char::is_uppercase) => head,
        _ => &name,
    };
    // "World Bank's latest" is the World Bank.
    let owner = named.split_once("'s ").or_else(|| named.split_once("\u{2019}s "));
    let named = match owner {
        Some((name, rest)) if !rest.contains(char::is_uppercase) => name,
        _ => named,
    };
    let rest = named.split_once(' ').filter(|(first, _)| first.eq_ignore_ascii_case("the"));
    rest.map_or(named, |(_, rest)| rest).to_owned()
}

/// The name of the source of a statement.
pub(super) fn source_name(statement: &Statement, statements: &Statements<'_>) -> Option<String> {
    cited(statement, statements).and_then(|cited| cited.source)
}

fn entity(statement: &Statement, statements: &Statements<'_>) -> Option<String> {
    let span = statement.figure.entity_span?;
    // "5 MPa": what stands right behind the number is a unit that nobody knows, and no owner.
    let number = statement.figure.quantity.span;
    let gap = (number.end() <= span.start()).then(|| Span::new(number.end(), span.start()));
    if gap.is_some_and(|gap| statements.text(statement.report, gap).trim().is_empty()) {
        return None;
    }
    Some(plain_name(statements.text(statement.report, span)).to_owned())
}

/// A name without what makes it an owner.
pub(super) fn plain_name(name: &str) -> &str {
    let marks = ['\'', '\u{2019}'];
    let owner = name.strip_suffix('s').filter(|rest| rest.ends_with(marks)).unwrap_or(name);
    owner.trim_end_matches(marks)
}

/// What is measured, as the report says it.
fn metric(words: &[MetricWord], report: usize, statements: &Statements<'_>) -> String {
    let mut spans: Vec<(Span, Option<&str>)> =
        words.iter().map(|word| (word.span, word.name.filter(|_| word.implied))).collect();
    spans.dedup_by_key(|it| it.0);
    let words = spans
        .into_iter()
        .map(|(span, implied)| implied.unwrap_or_else(|| statements.text(report, span)));
    // A name keeps its capitals ("GDP"); what only opens a sentence has one by accident.
    let plain = |text: &str| match text.chars().nth(1) {
        Some(second) if second.is_uppercase() => text.to_owned(),
        _ => text.to_lowercase(),
    };
    words.map(plain).collect::<Vec<_>>().join(" ")
}

/// What is measured, by the names of known concepts: the same however it is said.
fn name(words: &[MetricWord], report: usize, statements: &Statements<'_>) -> String {
    let name = |word: &MetricWord| match word.name {
        Some(name) => name.to_owned(),
        None => statements.text(report, word.span).to_lowercase(),
    };
    words.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// `qatar_unemployment_rate`.
pub(super) fn slug(entity: Option<&str>, metric: &str) -> String {
    let words = entity.into_iter().chain([metric]).flat_map(|text| {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
    });
    let mut slug = String::with_capacity(metric.len() + entity.map_or(0, |it| it.len() + 1));
    for word in words {
        if !slug.is_empty() {
            slug.push('_');
        }
        if word.is_ascii() {
            slug.extend(word.chars().map(|c| c.to_ascii_lowercase()));
        } else {
            slug.push_str(&word.to_lowercase());
        }
    }
    slug
}

/// Equal evidence has an equal id, whatever other reports are compared beside it.
pub(super) fn id(kind: ContradictionKind, sides: &[Side]) -> FindingId {
    let lengths: Vec<String> = sides.iter().map(|it| it.shown_span.len().to_string()).collect();
    let parts = sides
        .iter()
        .zip(&lengths)
        .flat_map(|(side, length)| [side.agent.as_str(), side.quote.as_str(), length.as_str()]);
    FindingId::of_texts(std::iter::once(kind.as_str()).chain(parts))
}

/// What one side takes in an explanation, more often than not.
const SIDE_BYTES: usize = 80;

fn explanation(found: &Contradiction, difference: f64, sign: bool, beside: &[&str]) -> String {
    let mut said = String::with_capacity(found.sides.len() * SIDE_BYTES);
    for side in &found.sides {
        if !said.is_empty() {
            said.push_str("; ");
        }
        said.extend([side.agent.as_str(), " says ", side.shown.as_str()]);
        let period = side.period.as_ref().map(|it| it.text.as_str());
        let source = side.citation.as_ref().and_then(|it| it.source.as_deref());
        match (period, source) {
            (Some(period), Some(source)) => said.extend([" (", period, ", ", source, ")"]),
            (Some(about), None) | (None, Some(about)) => said.extend([" (", about, ")"]),
            (None, None) => {}
        }
    }
    let of = found.entity.as_ref().map(|it| format!(" of {it}")).unwrap_or_default();
    let how = match (sign, difference.is_finite()) {
        (true, _) => "the signs differ".to_owned(),
        (false, true) => apart(difference),
        (false, false) => "one of them is zero".to_owned(),
    };
    let why = match (found.apart, found.kind) {
        (Some(Apart::Period), _) => "; the times differ, so both may be right",
        (Some(Apart::Definition), _) => "; they are counted differently, so both may be right",
        (None, ContradictionKind::SourceData) if found.sides.len() > 2 => {
            "; two of them name the same source"
        }
        (None, ContradictionKind::SourceData) => "; both name the same source",
        (None, _) => "",
    };
    let beside = match beside {
        [] => String::new(),
        _ => format!("; {} of another time, in dispute with nobody", of_whom(beside)),
    };
    format!("On the {}{of}: {said}: {how}{why}{beside}.", found.metric)
}

/// `Cid speaks`, `Cid and Dee speak`.
fn of_whom(agents: &[&str]) -> String {
    match agents {
        [one] => format!("{one} speaks"),
        [rest @ .., last] => format!("{} and {last} speak", rest.join(", ")),
        [] => String::new(),
    }
}

/// How far apart, in words that mean something: nobody can picture 31,000 %.
fn apart(difference: f64) -> String {
    const PERCENT_MOST: f64 = 10.0;
    const TIMES_MOST: f64 = 1000.0;
    if difference <= PERCENT_MOST {
        format!("{:.0} % apart", difference * 100.0)
    } else if difference < TIMES_MOST {
        format!("one is {:.0} times the other", difference + 1.0)
    } else {
        "far apart".to_owned()
    }
}
