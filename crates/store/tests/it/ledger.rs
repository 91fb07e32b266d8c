//! Taking positions: each once, as they were, nothing lost.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Confidence, DebateId, Outcome, Position, PositionId, Whose};
use rebuttal_store::{Durability, Error, HistoryPage};

use crate::support::{Place, at, hours, on_both, position, said};

async fn positions_come_back_as_they_were(place: Place) {
    let store = place.open().await;
    let mut given: Vec<Position> = (0..1200).map(|i| position("claude", i)).collect();
    given.push(said("gpt4", "Bare."));
    let zero = Confidence::new(0.0, Whose::Stated);
    given.push(Position { confidence: zero, ..said("gpt4", "Not sure at all.") });
    let inserted = store.insert_positions(at(), given.clone(), Durability::Fast).await.unwrap();
    assert_eq!((inserted.added, inserted.same, inserted.clashes.len()), (1202, 0, 0));
    let held = store.positions_after(0, 5000).await.unwrap();
    assert!(held.iter().map(|held| held.n).eq(1..=1202));
    let back: Vec<Position> = held.into_iter().map(|held| held.position).collect();
    assert_eq!(back, given);
    // Two records: the first is full.
    assert_eq!(store.head(&rebuttal_model::StreamId::ledger()).await.unwrap().seq, 2);
}

/// Confidences of all sizes survive the way through both engines to the last bit.
async fn no_confidence_changes(place: Place) {
    let store = place.open().await;
    let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
    let values: Vec<f64> = (0..1000)
        .map(|i| {
            bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let parts = [bits >> 32, bits & 0xFFFF_FFFF];
            let [high, low] = parts.map(|part| f64::from(u32::try_from(part).unwrap()));
            let value = (high + low / 4_294_967_296.0) / 4_294_967_296.0;
            if i % 3 == 0 { value * 1e-9 } else { value }
        })
        .chain([0.0, 1.0, 0.1 + 0.2, f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0])
        .collect();
    let given: Vec<Position> = values
        .iter()
        .enumerate()
        .map(|(i, value)| Position {
            confidence: Confidence::new(*value, Whose::Calibrated),
            ..said("a", &format!("{i}"))
        })
        .collect();
    store.insert_positions(at(), given, Durability::Fast).await.unwrap();
    let back: Vec<f64> = store
        .positions_after(0, 5000)
        .await
        .unwrap()
        .iter()
        .map(|held| held.position.confidence.unwrap().value())
        .collect();
    assert_eq!(back, values);
}

async fn the_same_again_adds_nothing(place: Place) {
    let store = place.open().await;
    let given: Vec<Position> = (0..30).map(|i| position("claude", i)).collect();
    store.insert_positions(at(), given[..20].to_vec(), Durability::Fast).await.unwrap();
    let head = store.head(&rebuttal_model::StreamId::ledger()).await.unwrap();
    let again = store.insert_positions(at(), given[..20].to_vec(), Durability::Fast).await.unwrap();
    assert_eq!((again.added, again.same), (0, 20));
    assert_eq!(store.head(&rebuttal_model::StreamId::ledger()).await.unwrap(), head);
    let more = store.insert_positions(at() + hours(1), given, Durability::Full).await.unwrap();
    assert_eq!((more.added, more.same), (10, 20));
    let totals = store.agents(&["claude"]).await.unwrap();
    assert_eq!(totals[0].positions, 30);
}

async fn one_id_with_other_content_is_reported(place: Place) {
    let store = place.open().await;
    let kept = position("claude", 1);
    store.insert_positions(at(), vec![kept.clone()], Durability::Fast).await.unwrap();
    let given = Position { claim: "Something else.".to_owned(), ..kept.clone() };
    let twice = Position { claim: "And again.".to_owned(), ..position("claude", 2) };
    let batch = vec![given.clone(), position("claude", 2), twice.clone()];
    let inserted = store.insert_positions(at(), batch, Durability::Fast).await.unwrap();
    assert_eq!((inserted.added, inserted.same, inserted.clashes.len()), (1, 0, 2));
    assert_eq!((&inserted.clashes[0].given, &inserted.clashes[0].kept), (&given, &kept));
    assert_eq!(
        (&inserted.clashes[1].given, &inserted.clashes[1].kept),
        (&twice, &position("claude", 2))
    );
    assert_eq!((inserted.clashes[0].place, inserted.clashes[1].place), (0, 2));
    assert_eq!(store.history("claude", &HistoryPage::default()).await.unwrap().len(), 2);
}

/// A file without times, read on two days, is the same file.
async fn an_assumed_time_makes_no_other_content(place: Place) {
    let store = place.open().await;
    let undated = |at| {
        let mut position = Position { at, ..said("claude", "It holds.") };
        position.id = position.derive_id(false);
        position
    };
    store.insert_positions(at(), vec![undated(at())], Durability::Fast).await.unwrap();
    let later = at() + hours(24);
    let inserted =
        store.insert_positions(later, vec![undated(later)], Durability::Fast).await.unwrap();
    assert_eq!((inserted.added, inserted.same, inserted.clashes.len()), (0, 1, 0));
    // Other words under the same id are other content all the same.
    let other = Position { claim: "It does not.".to_owned(), ..undated(later) };
    let inserted = store.insert_positions(later, vec![other], Durability::Fast).await.unwrap();
    assert_eq!(inserted.clashes.len(), 1);
}

async fn what_no_engine_can_hold_is_made_holdable(place: Place) {
    let store = place.open().await;
    let odd = Position {
        claim: "a\0b \u{202e}\u{FEFF}'\";--$1 \\u0000".to_owned(),
        domain: Some("x\0".to_owned()),
        at: "2026-01-01T00:00:00.123456789Z".parse().unwrap(),
        ..said("o\0'brien", "x")
    };
    for same in [0, 1] {
        let inserted =
            store.insert_positions(at(), vec![odd.clone()], Durability::Fast).await.unwrap();
        assert_eq!((inserted.added, inserted.same, inserted.clashes.len()), (1 - same, same, 0));
    }
    let held = store.positions_after(0, 9).await.unwrap();
    let back = &held[0].position;
    assert_eq!(back.claim, "a\u{FFFD}b \u{202e}\u{FEFF}'\";--$1 \\u0000");
    assert_eq!(back.agent, AgentId::new("o\u{FFFD}'brien"));
    assert_eq!(back.at.as_nanosecond() % 1000, 0);
}

async fn outcomes_are_kept(place: Place) {
    let store = place.open().await;
    let given: Vec<Position> = (0..5).map(|i| position("claude", i)).collect();
    store.insert_positions(at(), given.clone(), Durability::Fast).await.unwrap();
    let unknown = PositionId::new("p-none");
    let error = store.resolve(at(), &unknown, Outcome::Correct).await.unwrap_err();
    assert!(matches!(error, Error::NoPosition(id) if id == unknown));
    store.resolve(at(), &given[1].id, Outcome::Correct).await.unwrap();
    store.resolve(at(), &given[1].id, Outcome::Correct).await.unwrap();
    store.resolve(at(), &given[3].id, Outcome::Correct).await.unwrap();
    store.resolve(at() + hours(1), &given[3].id, Outcome::Incorrect).await.unwrap();
    let seq = store.head(&rebuttal_model::StreamId::ledger()).await.unwrap().seq;
    assert_eq!(seq, 4, "saying the same again writes nothing");
    for agent in [Some("claude"), None] {
        let resolved = store.resolved(agent, 0, 10).await.unwrap();
        assert_eq!(resolved.len(), 2);
        assert_eq!((resolved[0].n, resolved[0].outcome), (2, Outcome::Correct));
        assert_eq!((resolved[1].n, resolved[1].outcome), (4, Outcome::Incorrect));
        assert_eq!(resolved[0].confidence, given[1].confidence.map(Confidence::value));
        assert_eq!(store.resolved(agent, 2, 10).await.unwrap().len(), 1);
    }
    assert!(store.resolved(Some("nobody"), 0, 10).await.unwrap().is_empty());
}

async fn debates_are_scored(place: Place) {
    let store = place.open().await;
    let scores =
        |a: f64, b: f64| BTreeMap::from([(AgentId::new("claude"), a), (AgentId::new("gpt4"), b)]);
    for (i, (a, b)) in [(1.0, 0.0), (0.5, 0.5), (0.25, 0.75)].into_iter().enumerate() {
        let debate = DebateId::new(format!("d{i}"));
        let domain = (i == 1).then_some("law");
        store.score_debate(at(), &debate, domain, &scores(a, b)).await.unwrap();
    }
    let again = store.score_debate(at(), &DebateId::new("d0"), None, &scores(0.0, 1.0)).await;
    assert!(again.is_ok(), "a debate that is scored already stays as it is");
    let wrong = store.score_debate(at(), &DebateId::new("x"), None, &scores(1.1, 0.0)).await;
    assert!(matches!(wrong, Err(Error::Invalid(_))));
    let first = store.debate_scores(0, 2).await.unwrap();
    assert_eq!(first.len(), 4, "debates come whole");
    assert_eq!((first[2].agent.as_str(), first[2].score), ("claude", 0.5));
    assert_eq!(first[3].domain.as_deref(), Some("law"));
    let rest = store.debate_scores(first[3].n, 2).await.unwrap();
    assert_eq!(rest.len(), 2);
    assert!(store.debate_scores(rest[1].n, 2).await.unwrap().is_empty());
}

on_both!(
    positions_come_back_as_they_were,
    no_confidence_changes,
    the_same_again_adds_nothing,
    one_id_with_other_content_is_reported,
    an_assumed_time_makes_no_other_content,
    what_no_engine_can_hold_is_made_holdable,
    outcomes_are_kept,
    debates_are_scored,
);
