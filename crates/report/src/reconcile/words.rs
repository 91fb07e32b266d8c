//! What all formats for people say in the same words. Nothing here is made safe for its format yet:
//! names and quotes are what agents wrote.

use rebuttal_engine::reconcile::Reconciliation;
use rebuttal_model::{
    Action, Arbiter, Contradiction, ContradictionKind, Resolution, Ruling, Side, Step,
};

use super::Reconciled;
use crate::{count, excerpt, grouped};

/// Longest value, source or period shown in passing, in characters.
const PIECE_CHARS: usize = 80;

/// `3 reports, 2 contradictions: 1 resolved, 1 for you to look at`.
pub fn headline(reconciled: &Reconciled<'_>) -> String {
    let Reconciliation { contradictions, consensus, latency_ms, .. } = reconciled.outcome;
    let reports = count(reconciled.reports.len(), "report");
    if contradictions.is_empty() {
        return format!("{reports}, no contradictions: skipped after {}", latency(*latency_ms));
    }
    let found = count(contradictions.len(), "contradiction");
    let (resolved, flagged) = (consensus.resolved_contradictions, consensus.flagged_for_review);
    let resolved = format!("{} resolved", grouped(resolved));
    let flagged = format!("{} for you to look at", grouped(flagged));
    match (consensus.resolved_contradictions, consensus.flagged_for_review) {
        (_, 0) => format!("{reports}, {found}: {resolved}"),
        (0, _) => format!("{reports}, {found}: {flagged}"),
        _ => format!("{reports}, {found}: {resolved}, {flagged}"),
    }
}

/// `0.4 ms`, `12 ms`, `3.2 s`.
pub fn latency(ms: f64) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// `Unemployment rate, Qatar`.
pub fn title(contradiction: &Contradiction) -> String {
    let metric = excerpt(contradiction.metric.trim(), PIECE_CHARS);
    let mut letters = metric.chars();
    let metric: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let entity = contradiction.entity.as_deref().map(str::trim).filter(|it| !it.is_empty());
    let named = |entity: &&str| metric.to_lowercase().contains(&entity.to_lowercase());
    match entity.filter(|entity| !named(entity)) {
        Some(entity) => format!("{metric}, {}", excerpt(entity, PIECE_CHARS)),
        None => metric,
    }
}

/// In what way they conflict.
pub fn kind(kind: ContradictionKind) -> &'static str {
    match kind {
        ContradictionKind::Value => "different values",
        ContradictionKind::SourceData => "one source, different numbers",
        ContradictionKind::Interpretation => "opposite readings",
        ContradictionKind::Confidence => "same claim, different confidence",
    }
}

/// Where a side stands: `file:line`, or which report it is.
pub fn place(side: &Side) -> String {
    match &side.source {
        Some(source) => format!("{}:{}", source.file, source.line),
        None => format!("report {}", side.report + 1),
    }
}

/// The source it names.
pub fn source(side: &Side) -> Option<String> {
    let citation = side.citation.as_ref()?;
    let name = citation.source.as_deref().unwrap_or(&citation.text).trim();
    Some(excerpt(name, PIECE_CHARS))
}

/// The time it speaks of.
pub fn period(side: &Side) -> Option<String> {
    let cited = side.citation.as_ref().and_then(|citation| citation.period.as_ref());
    side.period.as_ref().or(cited).map(|when| excerpt(when.text.trim(), PIECE_CHARS))
}

/// The value as written, short.
pub fn value(side: &Side) -> String {
    excerpt(side.shown.trim(), PIECE_CHARS)
}

/// `confidence 0.9`.
pub fn confidence(side: &Side) -> Option<String> {
    side.confidence.map(|confidence| format!("confidence {}", confidence.value()))
}

/// `0.10%, GCC-STAT, Q1-2024, confidence 0.9`.
pub fn facts(side: &Side) -> String {
    let source = source(side).unwrap_or_else(|| "no source".to_owned());
    let confidence = confidence(side).unwrap_or_else(|| "no confidence stated".to_owned());
    let facts = [Some(value(side)), Some(source), period(side), Some(confidence)];
    facts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The side that won, if one did.
pub fn winner(contradiction: &Contradiction, resolution: &Resolution) -> Option<usize> {
    match resolution.resolution? {
        Ruling::Correct(side) if side < contradiction.sides.len() => Some(side),
        Ruling::Correct(_) | Ruling::BothValid | Ruling::NeitherValid => None,
    }
}

/// Whether a side stands by the ruling, or says the same as one that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// It won.
    Itself,
    /// It says the same as the one that won.
    WithWinner,
    /// It does not stand.
    No,
}

/// How a side fares.
pub fn stands(contradiction: &Contradiction, resolution: &Resolution, index: usize) -> Stands {
    let Some(winner) = winner(contradiction, resolution) else { return Stands::No };
    if winner == index {
        return Stands::Itself;
    }
    let value = |index: usize| contradiction.sides.get(index).and_then(|side| side.value);
    match (value(winner), value(index)) {
        (Some(won), Some(own)) if won.total_cmp(&own).is_eq() => Stands::WithWinner,
        _ => Stands::No,
    }
}

/// The ruling in a few words.
pub fn ruling(contradiction: &Contradiction, resolution: &Resolution) -> String {
    let flagged = resolution.action == Action::FlagForReview;
    let all = if contradiction.sides.len() == 2 { "both" } else { "all" };
    let said = match resolution.resolution {
        Some(Ruling::Correct(index)) => match contradiction.sides.get(index) {
            Some(side) => format!("{} is right: {}", side.agent, value(side)),
            None => "not decided".to_owned(),
        },
        Some(Ruling::BothValid) if contradiction.kind == ContradictionKind::Confidence => {
            "what is said stands, with each confidence".to_owned()
        }
        Some(Ruling::BothValid) => format!("{all} are right, each in its context"),
        Some(Ruling::NeitherValid) => "none is right".to_owned(),
        None => "not decided".to_owned(),
    };
    if flagged { format!("{said}, for you to look at") } else { said }
}

/// Who ruled, and how sure: `by rules, confidence 0.85`.
pub fn ruled_by(resolution: &Resolution) -> String {
    format!("by {}, confidence {:.2}", arbiter(&resolution.by), resolution.confidence.value())
}

/// Who ruled.
pub fn arbiter(arbiter: &Arbiter) -> &str {
    match arbiter {
        Arbiter::Rules => "rules",
        Arbiter::Agent(agent) => agent.as_str(),
        Arbiter::Human => "a person",
    }
}

/// `source authority: …`, and whether that decided.
pub fn step(step: &Step) -> String {
    let decided = if step.decided { " (decided)" } else { "" };
    format!("{}: {}{decided}", step.looked_at, step.saw)
}

/// What a model explained; of the rules, the steps say it all.
pub fn own_words(resolution: &Resolution) -> Option<&str> {
    match resolution.by {
        Arbiter::Rules => None,
        Arbiter::Agent(_) | Arbiter::Human => Some(resolution.explanation.trim()),
    }
}

/// What to try next, as flags with a word why; those already used are left out.
pub fn next(reconciled: &Reconciled<'_>) -> Vec<(&'static str, &'static str)> {
    let mut next =
        vec![("--format html -o FILE", "one page, each report beside its adjusted text")];
    if reconciled.authority_file.is_none() {
        next.push(("--authority FILE.toml", "say which sources count for more; so far none does"));
    }
    if reconciled.arbiter.is_none() {
        next.push(("--arbiter AGENT", "let a model rule, asked in both orders"));
    }
    next
}
