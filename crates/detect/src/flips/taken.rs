//! The positions every agent takes in a transcript, as entries of the ledger.

use std::collections::HashMap;

use jiff::Timestamp;
use rebuttal_model::{AgentId, Position, PositionId, Role, Span, Stance, TurnId};
use rebuttal_text::Reading;

use super::cause::Causes;
use super::compare::on_two_things;
use crate::positions::positions;
use crate::reader::Reader;
use crate::view::DebateView;

/// Longest claim kept, in bytes; of a longer turn, its first sentences.
const CLAIM_BYTES: usize = 4 << 10;

/// One position for every turn in which an agent states something, in the order of the debate. A turn
/// without a time gets `at`, which is then no part of its id.
pub fn positions_of(view: &DebateView<'_>, reader: Reader<'_>, at: Timestamp) -> Vec<Position> {
    let records = positions(view, reader);
    let held: HashMap<TurnId, Stance> = records
        .iter()
        .flat_map(|record| &record.held)
        .map(|held| (held.quote.turn, held.stance))
        .collect();
    let question = view.question().map(|question| question.original().trim().to_owned());
    let causes = Causes::new(view);
    let mut last: HashMap<&AgentId, Position> = HashMap::new();
    let mut taken: Vec<Position> = Vec::new();
    for (turn, reading) in view.turns() {
        if turn.role != Role::Agent || view.asks(turn) {
            continue;
        }
        let Some(span) = claim(reading) else { continue };
        let mut position = Position {
            id: PositionId::new(""),
            agent: turn.agent.clone(),
            claim: span.of(&turn.text).unwrap_or_default().to_owned(),
            question: question.clone(),
            stance: held.get(&turn.id).copied().unwrap_or_default(),
            confidence: turn.structured.conviction,
            debate: Some(view.transcript.id.clone()),
            round: turn.round,
            turn: Some(turn.id),
            span: Some(span),
            domain: None,
            at: turn.at.unwrap_or(at),
            exposed_to: Vec::new(),
        };
        position.id = position.derive_id(turn.at.is_some());
        let before = last.get(&turn.agent);
        // "Beth should not play" takes no side on whether Amara should.
        let turned = before.is_some_and(|before| before.stance.opposes(position.stance));
        if turned && before.is_some_and(|before| on_two_things(&before.claim, &position.claim)) {
            position.stance = Stance::Unclear;
        }
        position.exposed_to = causes.exposures(before, &position);
        last.insert(&turn.agent, position.clone());
        taken.push(position);
    }
    taken
}

/// The turn's sentences, as many as fit.
fn claim(reading: &Reading<'_>) -> Option<Span> {
    let mut spans = reading.sentence_spans();
    let first = spans.next()?;
    let fits = |span: &Span| span.end() - first.start() <= CLAIM_BYTES;
    Some(spans.take_while(fits).fold(first, Span::join))
}
