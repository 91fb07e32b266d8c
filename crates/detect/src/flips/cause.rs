//! What moved an agent from one position to the next, as far as the transcript shows it.

use rebuttal_model::{Because, Cause, Position, Role};
use rebuttal_text::Reading;

use crate::view::{DebateView, quote};

/// What moved the agent from `before` to `after`, and the words that did. Both positions must be of
/// this transcript.
pub fn cause(
    view: &DebateView<'_>,
    before: &Position,
    after: &Position,
) -> (Cause, Option<Because>) {
    let shown = shown(view, Some(before), after);
    shown.into_iter().next().map_or((Cause::NoneVisible, None), |(cause, because)| (cause, because))
}

/// Everything the agent was shown between two of its positions, whether or not it moved.
pub fn exposures(view: &DebateView<'_>, before: Option<&Position>, after: &Position) -> Vec<Cause> {
    let mut causes: Vec<Cause> =
        shown(view, before, after).into_iter().map(|(cause, _)| cause).collect();
    causes.sort_unstable();
    causes.dedup();
    causes
}

fn shown(
    view: &DebateView<'_>,
    before: Option<&Position>,
    after: &Position,
) -> Vec<(Cause, Option<Because>)> {
    let from = before.and_then(|position| position.turn).map_or(0, |turn| turn.index() + 1);
    let to = after.turn.map_or(0, rebuttal_model::TurnId::index);
    let mut found = Vec::new();
    for (turn, reading) in view.turns().take(to).skip(from) {
        if turn.agent == after.agent || matches!(turn.role, Role::System) {
            continue;
        }
        for citation in Reading::citations(reading) {
            let because = Because {
                by: turn.agent.clone(),
                quote: quote(turn, citation.source, "new evidence"),
            };
            found.push((Cause::NewEvidence, Some(because)));
        }
    }
    found
}
