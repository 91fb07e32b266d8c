//! Changes of vote in a live debate. Votes say who moved; texts only say whether it said so.

use rebuttal_model::{
    Confidence, DebateId, Finding, FindingId, Method, Quote, Quotes, RuleId, Severity, Span, Turn,
};
use rebuttal_text::Reading;

use crate::self_contradiction::{ACKNOWLEDGED, SILENT, severity};
use crate::view::quote;

/// The finding that an agent votes otherwise in one turn than in an earlier one of its own. `from` and
/// `to` are what it voted for. It depends on these two turns alone, whoever else spoke and when.
pub fn changed_vote(
    debate: &DebateId,
    (before, from): (&Turn, &str),
    (after, to): (&Turn, &str),
) -> Finding {
    let acknowledgment = Reading::new(&after.text).acknowledgment();
    let sure = |turn: &Turn| turn.structured.conviction.map_or(0.5, Confidence::value);
    let clearness = sure(before).min(sure(after));
    let (rule, severity, said): (RuleId, Severity, &str) = match acknowledgment {
        Some(_) => (ACKNOWLEDGED, Severity::Info, "and said that it changed its mind"),
        None => (SILENT, severity(clearness), "without saying that it changed its mind"),
    };
    let round = |turn: &Turn| turn.round.unwrap_or(0);
    let agent = after.agent.clone();
    let explanation = format!(
        "{agent} voted {from} in round {} and {to} in round {}, {said}.",
        round(before),
        round(after)
    );
    let mut rest = vec![opening(after, "position after")];
    rest.extend(acknowledgment.map(|cue| quote(after, cue.span, "acknowledgment")));
    let quotes = Quotes::new(opening(before, "position before"), rest);
    Finding {
        id: FindingId::of(debate, &rule, &agent, &quotes),
        rule,
        agent,
        severity,
        confidence: Confidence::detector(1.0),
        method: Method::Rules,
        explanation,
        quotes,
    }
}

/// The first sentence of a turn: an agent opens with what it holds.
fn opening(turn: &Turn, shows: &'static str) -> Quote {
    let first = Reading::new(&turn.text).sentence_spans().next();
    quote(turn, first.unwrap_or_else(|| Span::new(0, turn.text.len())), shows)
}
