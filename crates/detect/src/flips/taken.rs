//! The positions every agent takes in a transcript, as entries of the ledger.

use jiff::Timestamp;
use rebuttal_model::{Position, PositionId, Role, Span};
use rebuttal_text::{Reading, Topic};

use super::cause::exposures;
use crate::reader::Reader;
use crate::view::DebateView;

/// Longest claim kept, in bytes; of a longer turn, its first sentences.
const CLAIM_BYTES: usize = 4 << 10;

/// One position for every turn in which an agent states something, in the order of the debate. A turn
/// without a time gets `at`, which is then no part of its id.
pub fn positions_of(view: &DebateView<'_>, _reader: Reader<'_>, at: Timestamp) -> Vec<Position> {
    let topic = view.question().map(Topic::new);
    let mut taken: Vec<Position> = Vec::new();
    for (turn, reading) in view.turns() {
        if turn.role != Role::Agent || view.asks(turn) {
            continue;
        }
        let Some(span) = claim(reading) else { continue };
        let stance = reading.position(topic.as_ref()).stance;
        let mut position = Position {
            id: PositionId::new(""),
            agent: turn.agent.clone(),
            claim: span.of(&turn.text).unwrap_or_default().to_owned(),
            question: view.question().map(|question| question.original().to_owned()),
            stance,
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
        let before = taken.iter().rfind(|earlier| earlier.agent == position.agent);
        position.exposed_to = exposures(view, before, &position);
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
