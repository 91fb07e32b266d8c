//! Rising and falling: opposite trends of the same thing.

use std::collections::BTreeMap;

use rebuttal_model::{Contradiction, Span};
use rebuttal_text::{Relation, Term};

use super::ContradictionOptions;
use super::index::union;
use super::interpretation::{Stated, describe};
use super::statement::{Statements, TrendOf};

/// How sure it is that two trends of the same thing oppose each other.
const SURE: f64 = 0.9;

/// Most trends of one thing compared with each other.
const MOST: usize = 64;

/// Opposite trends of one thing, by different agents. What an agent says both ways is its own
/// matter.
pub(super) fn contradictions(
    statements: &Statements<'_>,
    options: &ContradictionOptions,
) -> Vec<Contradiction> {
    if statements.trends.len() < 2 {
        return Vec::new();
    }
    let mut order = topics(statements);
    order.sort_unstable();
    let mut found = Vec::new();
    for chunk in order.chunk_by(|a, b| a.0 == b.0) {
        let own: Vec<&TrendOf> =
            chunk.iter().take(MOST).filter_map(|it| statements.trends.get(it.1)).collect();
        let opposed = opposed(&own, statements);
        if opposed.is_empty() {
            continue;
        }
        let stated: Vec<Stated> = opposed.iter().map(|it| stated(it)).collect();
        let sides: Vec<(&Stated, Span)> =
            stated.iter().zip(&opposed).map(|(own, it)| (own, within(it, statements))).collect();
        found.push(describe(&sides, "opposite trends", SURE, statements, options));
    }
    found
}

/// What each trend is of: its words, and whom it names. Where a trend names nobody, it is of the one
/// that the others of its measure name, if that is one.
fn topics(statements: &Statements<'_>) -> Vec<(Vec<Term>, usize)> {
    let named = |it: &TrendOf| !it.trend.entity.is_empty() && !it.trend.entity_loose;
    let metric = |it: &TrendOf| -> Vec<Term> {
        let words: Vec<Term> = it.trend.metric.iter().map(|word| word.term).collect();
        union(&words, &[])
    };
    let mut by_metric: BTreeMap<Vec<Term>, Vec<usize>> = BTreeMap::new();
    for (at, it) in statements.trends.iter().enumerate() {
        by_metric.entry(metric(it)).or_default().push(at);
    }
    let mut topics = Vec::with_capacity(statements.trends.len());
    for (words, own) in by_metric {
        let own: Vec<(usize, &TrendOf)> =
            own.iter().filter_map(|at| Some((*at, statements.trends.get(*at)?))).collect();
        let mut entities = own.iter().filter(|it| named(it.1)).map(|it| &it.1.trend.entity);
        let first = entities.next();
        let only = first.filter(|first| entities.all(|entity| entity == *first));
        topics.extend(own.iter().map(|(at, it)| {
            let entity = if named(it) { Some(&it.trend.entity) } else { only };
            (union(&words, entity.map_or(&[], Vec::as_slice)), *at)
        }));
    }
    topics
}

/// One trend of each agent that opposes another's, in their order; nothing where none does.
fn opposed<'s>(own: &[&'s TrendOf], statements: &Statements<'_>) -> Vec<&'s TrendOf> {
    // "in May" and "in June".
    let vague = |it: &TrendOf| {
        let span = it.trend.vague_time.filter(|_| it.trend.period.is_none())?;
        Some(statements.text(it.report, span))
    };
    let conflicts = |one: &TrendOf, two: &TrendOf| {
        let apart =
            one.trend.period.zip(two.trend.period).is_some_and(|(a, b)| {
                !matches!(a.relation(&b), Relation::Same | Relation::Unknown)
            });
        let other = vague(one).zip(vague(two)).is_some_and(|(a, b)| a != b);
        one.trend.opposes(&two.trend) && !apart && !other
    };
    let says_both =
        |it: &TrendOf| own.iter().any(|other| other.agent == it.agent && conflicts(it, other));
    let mut sides: Vec<&TrendOf> = Vec::new();
    for (at, one) in own.iter().enumerate() {
        for two in own.iter().skip(at + 1) {
            let fits =
                two.agent != one.agent && conflicts(one, two) && !says_both(one) && !says_both(two);
            // Who opposes nobody in the dispute has one of its own, of another time.
            let joins =
                sides.is_empty() || sides.iter().any(|it| conflicts(it, one) || conflicts(it, two));
            for it in [one, two].into_iter().filter(|_| fits && joins) {
                if sides.iter().all(|side| side.agent != it.agent) {
                    sides.push(it);
                }
            }
        }
    }
    sides.sort_by_key(|it| (it.report, it.trend.sentence));
    sides
}

fn stated(it: &TrendOf) -> Stated {
    Stated { report: it.report, agent: it.agent, span: it.trend.sentence, terms: Vec::new() }
}

/// The deciding words within the sentence; a trend that is denied is shown with what denies it.
fn within(it: &TrendOf, statements: &Statements<'_>) -> Span {
    let from = it.trend.sentence.start();
    let start = it.trend.span.start().saturating_sub(from);
    let end = it.trend.span.end().saturating_sub(from);
    let sentence = statements.text(it.report, it.trend.sentence);
    let before = sentence.get(..start).filter(|_| it.trend.denied).unwrap_or_default();
    Span::new(denial(before).unwrap_or(start), end)
}

/// Where the last word that denies begins.
fn denial(text: &str) -> Option<usize> {
    const DENYING: [&str; 4] = ["not", "never", "no", "hardly"];
    let denies = |word: &str| {
        let word = word.to_lowercase().replace('\u{2019}', "'");
        DENYING.contains(&word.as_str()) || word.ends_with("n't")
    };
    let mut end = text.len();
    for word in text.rsplit(char::is_whitespace) {
        let start = end - word.len();
        if denies(word) {
            return Some(start);
        }
        end = text.get(..start).and_then(|before| before.char_indices().next_back())?.0;
    }
    None
}
