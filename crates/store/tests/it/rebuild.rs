//! The tables are derived: dropped and made anew, they are the same.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, DebateId, Outcome};
use rebuttal_store::{Detection, Durability, PositionKeys};

use crate::detection::{detect, take};
use crate::support::{Place, at, on_both};

/// All that is derived, and all that is kept beside it.
const TABLES: [&str; 16] = [
    "ledger_state",
    "positions",
    "detected_flips",
    "position_keys",
    "agent_totals",
    "agent_domain_totals",
    "domain_totals",
    "flip_type_totals",
    "flip_minutes",
    "flip_days",
    "exposures",
    "topics",
    "topic_agents",
    "debate_scores",
    "outbox",
    "knowledge_flips",
];

async fn made_anew_the_tables_are_the_same(place: Place) {
    let store = place.open().await;
    for (agent, count) in [("claude", 30), ("gpt4", 1100), ("gemini", 7)] {
        let positions = take(&store, agent, count).await;
        detect(&store, &positions[..positions.len().min(40)]).await;
        store.resolve(at(), &positions[2].id, Outcome::Correct).await.unwrap();
        let scores = BTreeMap::from([(AgentId::new(agent), 0.3)]);
        store.score_debate(at(), &DebateId::new("d"), None, &scores).await.unwrap();
    }
    let keys = vec![PositionKeys::new(1, "claude", None, &[1, 2])];
    let detection = Detection { keys, through: 40, ..Detection::default() };
    store.record_detection(at(), detection, Durability::Fast).await.unwrap();
    store.sync_knowledge(&store.knowledge(), at(), 20).await.unwrap();
    let mut before = Vec::new();
    for table in TABLES {
        before.push(place.dump(table).await);
    }
    assert!(before.iter().all(|rows| !rows.is_empty()));
    // Whatever is in them now is not what is looked at.
    place.meddle("DELETE FROM agent_totals").await;
    place.meddle("UPDATE positions SET claim = 'forged' WHERE n = 3").await;
    let head = store.rebuild().await.unwrap();
    assert_eq!(store.verify(&rebuttal_model::StreamId::ledger(), Some(head)).await.unwrap(), head);
    for (table, before) in TABLES.into_iter().zip(before) {
        assert_eq!(place.dump(table).await, before, "{table}");
    }
}

async fn what_is_out_of_step_is_not_written_to(place: Place) {
    let store = place.open().await;
    take(&store, "claude", 3).await;
    place.meddle("UPDATE ledger_state SET folded = 0").await;
    let given = vec![crate::support::said("claude", "More.")];
    let error = store.take(at(), given.clone(), Durability::Fast).await.unwrap_err();
    assert!(error.to_string().contains("rebuild"), "{error}");
    store.rebuild().await.unwrap();
    assert_eq!(store.take(at(), given, Durability::Fast).await.unwrap().added, 1);
}

on_both!(made_anew_the_tables_are_the_same, what_is_out_of_step_is_not_written_to);
