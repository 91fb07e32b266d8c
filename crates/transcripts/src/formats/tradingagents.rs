//! TradingAgents: debates kept as one long string, split at the speakers' prefixes.

use std::collections::HashMap;

use rebuttal_model::{Role, Span};

use crate::Format;
use crate::session::Cx;
use crate::string;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// A debate inside a state: its field, the histories of its sides, and who judges it.
struct Kind {
    field: &'static str,
    label: &'static str,
    sides: &'static [(&'static str, &'static str)],
    judge: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind {
        field: "investment_debate_state",
        label: "investment",
        sides: &[("bull_history", "Bull Analyst"), ("bear_history", "Bear Analyst")],
        judge: "Research Manager",
    },
    Kind {
        field: "risk_debate_state",
        label: "risk",
        sides: &[
            ("risky_history", "Risky Analyst"),
            ("aggressive_history", "Aggressive Analyst"),
            ("safe_history", "Safe Analyst"),
            ("conservative_history", "Conservative Analyst"),
            ("neutral_history", "Neutral Analyst"),
        ],
        judge: "Risk Manager",
    },
];

/// True for a state, or a log of states by date.
pub(crate) fn is_log(value: Value<'_>) -> bool {
    is_state(value) || value.pairs().take(8).any(|(_, inner)| is_state(inner))
}

/// True for a state with a debate in it.
fn is_state(value: Value<'_>) -> bool {
    KINDS.iter().any(|kind| value.get(kind.field).is_some_and(Value::is_object))
}

/// A state, or a log of states by date.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    if is_state(value) {
        return state(value, None, cx);
    }
    let mut any = false;
    for (date, inner) in value.pairs().filter(|(_, inner)| is_state(*inner)) {
        any = true;
        state(inner, date.label(), cx);
    }
    if !any {
        cx.finish(Talk::new(None, None), Format::TradingAgents, value.span());
    }
}

fn state(value: Value<'_>, date: Option<String>, cx: &mut Cx<'_, '_>) {
    let company = value.get("company_of_interest").and_then(Value::label);
    let date = value.get("trade_date").and_then(Value::label).or(date);
    for kind in &KINDS {
        let Some(debate) = value.get(kind.field).filter(|debate| debate.is_object()) else {
            continue;
        };
        let mut parts: Vec<String> =
            [company.clone(), date.clone()].into_iter().flatten().collect();
        parts.push(kind.label.to_owned());
        let id = (parts.len() > 1).then(|| parts.join("/"));
        let mut talk = Talk::new(id, None);
        for said in turns(debate, kind).into_iter().chain(decided(value, kind)) {
            cx.push(&mut talk, said);
        }
        cx.finish(talk, Format::TradingAgents, debate.span());
    }
    reports(value, company, date, cx);
}

/// What the trader makes of the investment debate.
fn decided(value: Value<'_>, kind: &Kind) -> Option<Said> {
    let fields = ["trader_investment_decision", "trader_investment_plan"];
    let plan = value.first(&fields).filter(|_| kind.label == "investment")?;
    Some(Said::new("Trader", Role::Agent, plan.filled()?, plan.span()))
}

/// The analysts' reports, which stand before both debates.
fn reports(value: Value<'_>, company: Option<String>, date: Option<String>, cx: &mut Cx<'_, '_>) {
    const REPORTS: [(&str, &str); 4] = [
        ("market_report", "Market Analyst"),
        ("sentiment_report", "Social Media Analyst"),
        ("news_report", "News Analyst"),
        ("fundamentals_report", "Fundamentals Analyst"),
    ];
    let parts: Vec<String> =
        [company, date].into_iter().flatten().chain(["reports".to_owned()]).collect();
    let mut talk = Talk::new((parts.len() > 1).then(|| parts.join("/")), None);
    for (field, name) in REPORTS {
        if let Some(report) = value.get(field)
            && let Some(text) = report.filled()
        {
            cx.push(&mut talk, Said::new(name, Role::Agent, text, report.span()));
        }
    }
    if !talk.is_empty() {
        cx.finish(talk, Format::TradingAgents, value.span());
    }
}

fn turns(debate: Value<'_>, kind: &Kind) -> Vec<Said> {
    let shared = debate.get("history").map(|history| split(history, "")).unwrap_or_default();
    let mut turns = if shared.is_empty() { alternating(debate, kind) } else { shared };
    let mut spoken: HashMap<String, u32> = HashMap::new();
    for said in &mut turns {
        let count = spoken.entry(said.agent.clone()).or_default();
        said.round = Some(*count);
        *count += 1;
    }
    if let Some(decision) = debate.get("judge_decision")
        && let Some(text) = decision.filled()
    {
        turns.push(Said::new(kind.judge, Role::Judge, text, decision.span()));
    }
    turns
}

/// Only the sides' own histories are there: they spoke in turn.
fn alternating(debate: Value<'_>, kind: &Kind) -> Vec<Said> {
    let mut sides: Vec<_> = kind
        .sides
        .iter()
        .filter_map(|(field, name)| Some(split(debate.get(field)?, name).into_iter()))
        .collect();
    let mut turns = Vec::new();
    loop {
        let before = turns.len();
        turns.extend(sides.iter_mut().filter_map(Iterator::next));
        if turns.len() == before {
            return turns;
        }
    }
}

/// Splits a history at lines that begin with a speaker. What stands before the first one belongs
/// to `first`, or to nobody when that is empty.
fn split(history: Value<'_>, first: &str) -> Vec<Said> {
    let Some(text) = history.str() else { return Vec::new() };
    let mut starts: Vec<(usize, usize, &str)> = Vec::new();
    if !first.is_empty() {
        starts.push((0, 0, first));
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(name) = speaker(line) {
            starts.push((at, at + name.len() + 1, name));
        }
        at += line.len();
    }
    let mut edges: Vec<usize> = starts.iter().map(|(start, ..)| *start).collect();
    edges.push(text.len());
    let base = history.span().start() + 1;
    let places = string::encoded_offsets(history.encoded(), &edges);
    let mut turns = Vec::new();
    for (index, (_, from, name)) in starts.iter().enumerate() {
        let (Some(end), Some(low), Some(high)) =
            (edges.get(index + 1), places.get(index), places.get(index + 1))
        else {
            break;
        };
        let said = text.get(*from..*end).unwrap_or_default().trim();
        if !said.is_empty() {
            let span = Span::new(base + low, base + high);
            turns.push(Said::new(*name, Role::Agent, said, span));
        }
    }
    turns
}

/// The speaker a line begins with: `Bull Analyst: …`.
fn speaker(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    let side = name.strip_suffix(" Analyst")?;
    // "To the Aggressive Analyst:" addresses one; a side is called by one word.
    let is_name = (1..=30).contains(&side.len())
        && side.starts_with(char::is_uppercase)
        && side.chars().all(char::is_alphabetic);
    is_name.then_some(name)
}
