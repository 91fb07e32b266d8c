//! Figures that two documents give differently, and which of the two to go by.

use std::collections::BTreeMap;

use rebuttal_detect::relate::relate;
use rebuttal_detect::{Reader, reports};
use rebuttal_model::{AgentId, Report, Span};
use rebuttal_text::Reading;

use crate::quote::Quote;

/// Two quotes that give one figure differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// What they differ about, for people: `migration cost`.
    pub metric: String,
    /// The quote to go by.
    pub stands: usize,
    /// The quote that gives way.
    pub yields: usize,
    /// Why.
    pub why: Why,
}

/// Why one of two figures is gone by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The other is an expectation or an estimate.
    Firmer,
    /// It is later.
    Later,
}

/// Words of somebody who looks ahead; what was measured goes before.
const EXPECTS: [&str; 10] = [
    "expect",
    "estimat",
    "about",
    "would",
    "planned",
    "forecast",
    "budgeted",
    "assum",
    "according to",
    "target",
];

/// Where the documents give figures differently, among what is quoted.
pub(crate) fn conflicts(quotes: &[Quote]) -> Vec<Conflict> {
    let mut documents: BTreeMap<&str, String> = BTreeMap::new();
    for quote in quotes {
        let text = documents.entry(&quote.document).or_default();
        text.push_str(&quote.text);
        text.push('\n');
    }
    let written: Vec<Report> = documents
        .iter()
        .map(|(document, text)| Report::new(AgentId::new(*document), text.clone()))
        .collect();
    let options = reports::ContradictionOptions::default();
    let mut found: Vec<Conflict> = Vec::new();
    for contradiction in reports::contradictions(&written, &options, Reader::Rules) {
        let sides: Vec<usize> = contradiction
            .sides
            .iter()
            .filter_map(|side| quoted(written.get(side.report)?, side.span, quotes))
            .collect();
        for (at, one) in sides.iter().enumerate() {
            let two = sides.iter().skip(at + 1);
            for two in two.filter(|two| *two != one && is_one_matter(*one, **two, quotes)) {
                found.extend(ruled(&contradiction.metric, *one, *two, quotes));
            }
        }
    }
    found.dedup();
    found
}

/// Whether two quotes speak of the same thing, and not of two that are called alike.
fn is_one_matter(one: usize, two: usize, quotes: &[Quote]) -> bool {
    let (Some(one), Some(two)) = (quotes.get(one), quotes.get(two)) else { return false };
    let near = one.vector.as_ref().zip(two.vector.as_ref()).map(|(one, two)| one.cosine(two));
    near.is_none_or(|near| near >= ONE_MATTER)
        && relate(&one.text, &two.text, Reader::Rules).apart.is_none()
}

/// How alike sentences must be to speak of one thing.
const ONE_MATTER: f32 = 0.5;

/// The quote that holds a place in a report made of quotes.
fn quoted(report: &Report, span: Span, quotes: &[Quote]) -> Option<usize> {
    let own = |quote: &&Quote| quote.document == report.agent.as_str();
    let line = report.text.get(..span.start())?.matches('\n').count();
    let quote = quotes.iter().filter(own).nth(line)?;
    quotes.iter().position(|other| std::ptr::eq(other, quote))
}

/// Which of two quotes to go by; `None` where nothing tells.
fn ruled(metric: &str, one: usize, two: usize, quotes: &[Quote]) -> Option<Conflict> {
    let (first, second) = (quotes.get(one)?, quotes.get(two)?);
    let conflict =
        |stands, yields, why| Conflict { metric: metric.to_owned(), stands, yields, why };
    match (expects(&first.text), expects(&second.text)) {
        (true, false) => return Some(conflict(two, one, Why::Firmer)),
        (false, true) => return Some(conflict(one, two, Why::Firmer)),
        _ => {}
    }
    match first.date?.cmp(&second.date?) {
        std::cmp::Ordering::Less => Some(conflict(two, one, Why::Later)),
        std::cmp::Ordering::Greater => Some(conflict(one, two, Why::Later)),
        std::cmp::Ordering::Equal => None,
    }
}

/// Whether a sentence looks ahead or is unsure of itself.
pub(crate) fn expects(sentence: &str) -> bool {
    let words = sentence.to_lowercase();
    EXPECTS.iter().any(|word| words.contains(word)) || Reading::new(sentence).hedging().is_hedged()
}
