//! Injection: text by which one agent gives orders to the others instead of arguing.

use rebuttal_model::{
    Confidence, Finding, FindingId, Method, Quotes, Role, RuleId, Severity, Turn,
};
use rebuttal_text::Cue;

use crate::view::{DebateView, quote};

/// Orders to other agents, the moderator or the judge.
pub(crate) const INSTRUCTION: RuleId = RuleId::new("injection/instruction");
/// Characters a reader cannot see.
pub(crate) const HIDDEN: RuleId = RuleId::new("injection/hidden-text");

/// Quotes beyond the first: enough to judge by, however often a turn repeats itself.
const FURTHER_QUOTES: usize = 4;

pub(crate) fn inspect(view: &DebateView<'_>, out: &mut Vec<Finding>) {
    for (turn, reading) in view.turns() {
        if turn.role != Role::Agent {
            continue;
        }
        if let Some((first, rest)) = reading.instructions().split_first() {
            out.push(instruction(view, turn, *first, rest));
        }
        if let Some((first, rest)) = reading.hidden_text().split_first() {
            let rest = rest.iter().take(FURTHER_QUOTES);
            let rest = rest.map(|span| quote(turn, *span, "hidden text")).collect();
            let quotes = Quotes::new(quote(turn, *first, "hidden text"), rest);
            let explanation =
                format!("{} hides characters from the reader in {}.", turn.agent, turn.id);
            out.push(finding(view, turn, HIDDEN, Severity::High, explanation, quotes));
        }
    }
}

fn instruction(view: &DebateView<'_>, turn: &Turn, first: Cue, rest: &[Cue]) -> Finding {
    let does = match first.group {
        "injection.override" => "tells others to drop their instructions",
        "injection.authority" => "speaks with an authority it does not have",
        "injection.vote" => "tells others how to vote or what to output",
        "injection.end" => "declares the debate over",
        _ => "carries pieces of a chat template",
    };
    // Calling an end may be impatience; everything else has no honest use in an argument.
    let severity = match (first.group, rest) {
        ("injection.end", []) => Severity::Low,
        _ => Severity::High,
    };
    let explanation = format!("{} {does} in {}.", turn.agent, turn.id);
    let rest = rest.iter().take(FURTHER_QUOTES);
    let rest = rest.map(|cue| quote(turn, cue.span, "instruction")).collect();
    let quotes = Quotes::new(quote(turn, first.span, "instruction"), rest);
    finding(view, turn, INSTRUCTION, severity, explanation, quotes)
}

fn finding(
    view: &DebateView<'_>,
    turn: &Turn,
    rule: RuleId,
    severity: Severity,
    explanation: String,
    quotes: Quotes,
) -> Finding {
    Finding {
        id: FindingId::of(&view.transcript.id, &rule, &turn.agent, &quotes),
        rule,
        agent: turn.agent.clone(),
        severity,
        confidence: Confidence::detector(0.9),
        method: Method::Rules,
        explanation,
        quotes,
    }
}
