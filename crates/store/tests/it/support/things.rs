//! Positions and flips to test with.

use jiff::{SignedDuration, Timestamp};
use rebuttal_model::{
    Acknowledgment, AgentId, Because, Cause, Confidence, DebateId, Flip, FlipId, FlipKind, Method,
    Position, Quote, Span, Stance, TurnId, Whose,
};

/// When the tests play.
pub(crate) fn at() -> Timestamp {
    "2026-11-16T08:00:00.000001Z".parse().unwrap()
}

pub(crate) fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

/// A bare position.
pub(crate) fn said(agent: &str, claim: &str) -> Position {
    Position::new(AgentId::new(agent), claim, at())
}

/// A position with everything in it, the `i`-th of its kind.
pub(crate) fn position(agent: &str, i: u32) -> Position {
    let domains = ["finance", "security", "ethics"];
    let mut position = Position {
        question: Some(format!("Is plan {} safe?", i % 7)),
        stance: if i.is_multiple_of(2) { Stance::Yes } else { Stance::No },
        confidence: Confidence::new(f64::from(i % 100) / 99.0, Whose::Stated),
        debate: Some(DebateId::new(format!("d{}", i / 10))),
        round: Some(i % 10),
        turn: Some(TurnId::new(i as usize % 30)),
        span: Some(Span::new(3, 40)),
        domain: domains.get(i as usize % 4).map(|domain| (*domain).to_owned()),
        at: at() + hours(i64::from(i)),
        exposed_to: vec![Cause::Majority, Cause::NewEvidence],
        ..said(agent, &format!("Claim {i} of {agent}: “it's safe”, she said — 100 % \u{1F600}."))
    };
    position.id = position.derive_id(true);
    position
}

/// A flip between two positions, the `i`-th of its kind.
pub(crate) fn flip(before: &Position, after: &Position, i: usize) -> Flip {
    let quote = Quote {
        turn: TurnId::new(2),
        span: Span::new(0, 5),
        text: "Are you sure?".to_owned(),
        shows: "what moved it".into(),
        source: None,
    };
    let silent = i.is_multiple_of(2);
    Flip {
        id: FlipId::of(&before.id, &after.id),
        before: before.clone(),
        after: after.clone(),
        kind: FlipKind::ALL[i % 4],
        similarity: 0.65,
        confidence: Confidence::detector(0.9),
        method: Method::Rules,
        acknowledgment: if silent { Acknowledgment::Silent } else { Acknowledgment::Acknowledged },
        acknowledged_in: (!silent).then(|| Span::new(0, 9)),
        before_span: Span::new(0, 7),
        after_span: Span::new(1, 8),
        cause: Cause::ALL[i % 6],
        because: silent.then(|| Because { by: AgentId::new("critic"), quote }),
        toward: [Stance::Unclear, Stance::Yes, Stance::No][i % 3],
        explanation: "It was for it, and is against it.".to_owned(),
        detected_at: at(),
    }
}
