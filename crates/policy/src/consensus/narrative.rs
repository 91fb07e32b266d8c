//! The outcome as a text: ranges, sources, periods, and what decided. Every number and name is one
//! that was given.

use std::cmp::Reverse;

use jiff::civil::Date;
use rebuttal_model::{Apart, Contradiction, ContradictionKind, Resolution, Ruling, Side, When};

use crate::numbers::numbers;
use crate::outcome::{WeighedRuling, decided_by};
use crate::phrases::{backed, backing, rivals, value};
use crate::side::{agent, cited, shown, when, when_shown};
use crate::words::{capital, either, key, list, names, short, words};

/// Most contradictions that are told; of more, the most severe. Nobody reads further.
const TOLD: usize = 20;
/// Most sides of one contradiction that are told.
const REPORTS: usize = 6;
/// Longest reason for a review that is told, in characters.
const REASON: usize = 200;

/// A line for each contradiction, in their order.
pub(super) fn tell(outcomes: &[WeighedRuling<'_>]) -> String {
    if outcomes.is_empty() {
        return "The reports do not contradict each other.".to_owned();
    }
    let mut told: Vec<(usize, &WeighedRuling<'_>)> = outcomes.iter().enumerate().collect();
    told.sort_by_key(|(index, outcome)| (Reverse(outcome.contradiction.severity), *index));
    let rest = told.split_off(told.len().min(TOLD));
    told.sort_by_key(|(index, _)| *index);
    let mut lines: Vec<String> = told.into_iter().map(|(_, outcome)| line(outcome)).collect();
    if !rest.is_empty() {
        let resolved = rest.iter().filter(|(_, outcome)| outcome.resolved().is_some()).count();
        let flagged = rest.len() - resolved;
        let all = rest.len();
        lines.push(format!("And {all} more: {resolved} resolved, {flagged} flagged for review."));
    }
    lines.join("\n")
}

fn line(outcome: &WeighedRuling<'_>) -> String {
    let contradiction = outcome.contradiction;
    match outcome.resolved() {
        Some((Ruling::Correct(side), resolution)) => won(outcome, side, resolution),
        Some((_, _)) if contradiction.kind == ContradictionKind::Confidence => gap(contradiction),
        Some((_, _)) => all_hold(contradiction),
        None => open(outcome),
    }
}

/// `Exports of Australia`.
fn title(contradiction: &Contradiction) -> String {
    let metric = short(&contradiction.metric, REASON);
    match entity(contradiction) {
        Some(entity) => format!("{} of {entity}", capital(&metric)),
        None => capital(&metric),
    }
}

/// `Qatar unemployment rate`.
fn subject(contradiction: &Contradiction) -> String {
    let metric = short(&contradiction.metric, REASON);
    match entity(contradiction) {
        Some(entity) => capital(&format!("{entity} {metric}")),
        None => capital(&metric),
    }
}

/// Of whom, unless the metric says so already.
fn entity(contradiction: &Contradiction) -> Option<String> {
    let entity = short(contradiction.entity.as_deref()?, REASON);
    (!names(&words(&contradiction.metric), &key(&entity)) && !entity.is_empty()).then_some(entity)
}

fn won(outcome: &WeighedRuling<'_>, index: usize, resolution: &Resolution) -> String {
    let contradiction = outcome.contradiction;
    let Some(winner) = contradiction.sides.get(index) else { return open(outcome) };
    // When the source is from is not what time it speaks of.
    let own = winner.period.as_ref().map(|it| short(&it.text, REASON));
    let dated = when_shown(winner).filter(|_| own.is_none());
    let dated = dated.filter(|_| cited(winner).is_some()).map(|it| format!(", {it}"));
    let period = own.map_or(String::new(), |period| format!(" for {period}"));
    let source = backing(winner) + dated.as_deref().unwrap_or_default();
    let rivals: Vec<String> = rivals(outcome, index).into_iter().map(backed).collect();
    let not = if rivals.is_empty() { String::new() } else { format!(", not {}", either(rivals)) };
    let by = decided_by(resolution);
    let title = title(contradiction);
    let copied = match contradiction.kind {
        ContradictionKind::SourceData => " One of the numbers was copied wrongly.",
        _ => "",
    };
    format!("{title}: {}{period} ({source}){not}: decided by {by}.{copied}", value(winner))
}

fn gap(contradiction: &Contradiction) -> String {
    let held = |side: &Side| match side.confidence {
        Some(confidence) => format!("with confidence {} by {}", confidence.value(), agent(side)),
        None => format!("by {}, who does not say how sure", agent(side)),
    };
    let held = list(contradiction.sides.iter().map(held));
    let said = contradiction.sides.first().map(value).unwrap_or_default();
    format!("{}: {said} is held {held}; what is said is not in question.", title(contradiction))
}

/// `Qatar unemployment ranges 0.10-0.12% depending on source and period. GCC-STAT reports …`.
fn all_hold(contradiction: &Contradiction) -> String {
    let sides = &contradiction.sides;
    let subject = subject(contradiction);
    let verb = if is_plural(&contradiction.metric) { "range" } else { "ranges" };
    let depends = depends_on(contradiction);
    let by = list(&depends);
    let head = match (range(sides), depends.is_empty()) {
        (Some(range), false) => format!("{subject} {verb} {range} depending on {by}."),
        (Some(range), true) => format!("{subject} {verb} {range}; all of these hold."),
        (None, false) => format!("{subject}: what holds depends on {by}."),
        (None, true) => format!("{subject}: all of these hold."),
    };
    let mut reports: Vec<String> = Vec::new();
    for side in sides {
        let who = cited(side).unwrap_or_else(|| agent(side));
        let period = period(side, sides).map_or(String::new(), |period| format!(" for {period}"));
        let report = format!("{who} reports {}{period}", value(side));
        if !reports.contains(&report) {
            reports.push(report);
        }
    }
    if reports.len() > REPORTS {
        reports.truncate(REPORTS);
        reports.push("others differ".to_owned());
    }
    let tail = match reports.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{}, while {last}", rest.join(", ")),
        _ => reports.concat(),
    };
    format!("{head} {tail}.")
}

/// What differs between sides that are all right.
fn depends_on(contradiction: &Contradiction) -> Vec<&'static str> {
    let sides = &contradiction.sides;
    let differ = |of: &dyn Fn(&Side) -> Option<String>| {
        let mut all = sides.iter().map(of);
        let first = all.next();
        all.any(|other| Some(other) != first)
    };
    let mut what = Vec::new();
    if differ(&|side| cited(side).map(|cited| key(&cited))) {
        what.push("source");
    }
    let days = |side: &Side| when(side).and_then(|when| when.days).map(|days| format!("{days:?}"));
    let words = |side: &Side| when(side).map(|when| key(&when.text));
    if differ(&|side| days(side).or_else(|| words(side))) {
        what.push("period");
    }
    if contradiction.apart == Some(Apart::Definition) {
        what.push("definition");
    }
    what
}

/// `exports`, `prices of bread`; not `price of eggs`, `gas` or `analysis`.
fn is_plural(metric: &str) -> bool {
    const BEHIND: [&str; 6] = ["of", "per", "in", "for", "to", "from"];
    let head = words(metric).into_iter().take_while(|word| !BEHIND.contains(&word.as_str())).last();
    head.is_some_and(|head| {
        head.len() > 3
            && head.ends_with('s')
            && !["ss", "us", "is"].iter().any(|end| head.ends_with(end))
    })
}

/// `0.10-0.12%`, `$327.3-391.6 billion`; `from 4 to $5` where the two are written in different ways.
fn range(sides: &[Side]) -> Option<String> {
    let by_value = |one: &&Side, two: &&Side| {
        one.value.unwrap_or(f64::NAN).total_cmp(&two.value.unwrap_or(f64::NAN))
    };
    if sides.iter().any(|side| side.value.is_none_or(f64::is_nan)) {
        return None;
    }
    let low = shown(sides.iter().min_by(by_value)?);
    let high = shown(sides.iter().max_by(by_value)?);
    if low == high {
        return None;
    }
    let parts = |text: &str| {
        let number = numbers(text).into_iter().next()?;
        let part = |range: std::ops::Range<usize>| text.get(range).map(str::to_owned);
        Some([
            part(0..number.at.start)?,
            part(number.at.clone())?,
            part(number.at.end..text.len())?,
        ])
    };
    match (parts(&low), parts(&high)) {
        (Some([before, from, after]), Some([before_too, to, after_too]))
            if before == before_too && after == after_too && !before.contains(['-', '−']) =>
        {
            Some(format!("{before}{from}-{to}{after}"))
        }
        _ => Some(format!("from {low} to {high}")),
    }
}

/// The period; `full year 2024` where another side speaks of a part of that year.
fn period(side: &Side, sides: &[Side]) -> Option<String> {
    let text = when_shown(side)?;
    let is_year = |(from, to): (Date, Date)| {
        from == from.first_of_year() && to == from.last_of_year() && text.len() == 4
    };
    let year = when(side)?.days.filter(|days| is_year(*days));
    let is_part = |other: &Side, (from, to): (Date, Date)| {
        let days = when(other).and_then(|when| when.days);
        days.is_some_and(|days| days != (from, to) && from <= days.0 && days.1 <= to)
    };
    let has_part = year.is_some_and(|year| sides.iter().any(|other| is_part(other, year)));
    Some(if has_part { format!("full year {text}") } else { text })
}

fn open(outcome: &WeighedRuling<'_>) -> String {
    let contradiction = outcome.contradiction;
    let sides = either(camps(outcome));
    let reason = match &outcome.ruling {
        Some(resolution) => first_sentence(&resolution.explanation),
        None => "Nobody has ruled on it.".to_owned(),
    };
    let period =
        common_period(&contradiction.sides).map_or(String::new(), |it| format!(" for {it}"));
    format!("{}{period}: {sides}. Flagged for review. {reason}", title(contradiction))
}

/// What is said, each once, with all who say it: `$455 million (Reuters; C, no source named)`.
fn camps(outcome: &WeighedRuling<'_>) -> Vec<String> {
    let sides = &outcome.contradiction.sides;
    let mut told: Vec<(usize, Vec<String>)> = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        let own = backing(side);
        // What is written in another way is told in its own words: 4.6 % and 4.64 %.
        let same = |first: &usize| {
            outcome.camps.same(*first, index)
                && sides.get(*first).is_some_and(|it| value(it) == value(side))
        };
        match told.iter_mut().find(|it| same(&it.0)) {
            Some((_, by)) if by.contains(&own) => {}
            Some((_, by)) => by.push(own),
            None => told.push((index, vec![own])),
        }
    }
    let tell = |(first, by): (usize, Vec<String>)| {
        sides.get(first).map(|it| format!("{} ({})", value(it), by.join("; ")))
    };
    told.into_iter().filter_map(tell).collect()
}

/// The period that all sides speak of, where it is one.
fn common_period(sides: &[Side]) -> Option<String> {
    let mut all = sides.iter().map(|side| side.period.as_ref());
    let first = all.next()??;
    let same =
        |other: Option<&When>| other.is_some_and(|it| it.days.is_some() && it.days == first.days);
    all.all(same).then(|| short(&first.text, REASON))
}

fn first_sentence(text: &str) -> String {
    let line = short(text, REASON);
    match line.find(". ") {
        Some(end) => line.get(..=end).unwrap_or_default().to_owned(),
        None => line,
    }
}
