//! The tables are derived: dropped and made anew, they are the same.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, DebateId, Outcome};
use rebuttal_store::{Detection, Durability, FlipFilter, KnowledgeStore, PositionKeys};

use crate::detection::{detect, take};
use crate::support::{Place, at, on_both};

/// All that is derived, and all that is kept beside it.
const TABLES: [&str; 16] = [
    "ledger_state",
    "positions",
    "detected_flips",
    "position_lists",
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
    let error = store.insert_positions(at(), given.clone(), Durability::Fast).await.unwrap_err();
    assert!(error.to_string().contains("rebuild"), "{error}");
    store.rebuild().await.unwrap();
    assert_eq!(store.insert_positions(at(), given, Durability::Fast).await.unwrap().added, 1);
}

/// Whatever is changed behind the ledger's back is found and named, and made good again.
async fn a_row_that_was_changed_is_named(place: Place) {
    let store = place.open().await;
    let positions = take(&store, "claude", 1200).await;
    let flips = detect(&store, &positions[..40]).await;
    store.resolve(at(), &positions[2].id, Outcome::Correct).await.unwrap();
    let scores = BTreeMap::from([(AgentId::new("claude"), 0.3)]);
    store.score_debate(at(), &DebateId::new("d"), None, &scores).await.unwrap();
    store.verify_tables(&|_| {}).await.unwrap();
    for (sql, table, named) in [
        ("UPDATE positions SET claim = 'forged' WHERE n = 1101", "positions", "n = 1101"),
        ("UPDATE positions SET outcome = 'incorrect' WHERE n = 3", "positions", "outcome"),
        ("UPDATE positions SET confidence = 0.123 WHERE n = 7", "positions", "confidence"),
        (
            "UPDATE detected_flips SET flip_type = 'refinement' WHERE n = 4",
            "detected_flips",
            "n = 4",
        ),
        ("DELETE FROM detected_flips WHERE n = 9", "detected_flips", "missing"),
        ("UPDATE agent_totals SET silent = silent + 1", "agent_totals", "silent"),
        ("DELETE FROM flip_days", "flip_days", "missing"),
        ("INSERT INTO topic_agents VALUES ('x', 'claude', 1)", "topic_agents", "nothing of it"),
        ("UPDATE debate_scores SET score = 0.9", "debate_scores", "score"),
        ("DELETE FROM outbox WHERE n = 2", "outbox", flips[1].id.as_str()),
    ] {
        place.meddle(sql).await;
        let error = store.verify_tables(&|_| {}).await.unwrap_err().to_string();
        assert!(error.contains(&format!("“{table}”")), "{sql}: {error}");
        assert!(error.contains(named) && error.contains("db rebuild"), "{sql}: {error}");
        store.rebuild().await.unwrap();
        store.verify_tables(&|_| {}).await.unwrap();
    }
}

/// A flip that is withdrawn leaves nothing behind, and the tables follow from the journal.
async fn what_is_withdrawn_is_gone(place: Place) {
    let store = place.open().await;
    let positions = take(&store, "claude", 12).await;
    let flips = detect(&store, &positions).await;
    let knowledge = store.knowledge();
    store.sync_knowledge(&knowledge, at(), 100).await.unwrap();
    let withdrawn = vec![flips[2].id.clone(), flips[3].id.clone()];
    let detection = Detection { withdrawn: withdrawn.clone(), ..Detection::default() };
    store.record_detection(at(), detection, Durability::Fast).await.unwrap();
    let summary = store.summary(at(), 9).await.unwrap();
    assert_eq!(summary.total_flips, flips.len() as u64 - 2);
    assert_eq!(summary.by_type.values().sum::<u64>(), flips.len() as u64 - 2);
    assert_eq!(store.flip(&withdrawn[0]).await.unwrap(), None);
    let held = store.positions_after(0, 12).await.unwrap();
    assert!(!held[2].reversed && !held[3].reversed && held[6].reversed);
    store.verify_tables(&|_| {}).await.unwrap();
    // The other store hears of it once, and the words are found no longer.
    assert_eq!(store.sync_knowledge(&knowledge, at(), 100).await.unwrap().done, 2);
    assert_eq!(store.sync_knowledge(&knowledge, at(), 100).await.unwrap().done, 0);
    assert_eq!(place.dump("knowledge_flips").await.len(), flips.len() - 2);
    let found = knowledge.search("claim", 100).await.unwrap();
    assert_eq!(found.len(), flips.len() - 2);
    // Found again it is there again, under a number of its own.
    let again = Detection { flips: vec![flips[2].clone()], ..Detection::default() };
    assert_eq!(store.record_detection(at(), again, Durability::Fast).await.unwrap(), 1);
    assert_eq!(store.sync_knowledge(&knowledge, at(), 100).await.unwrap().done, 1);
    let newest = store.flips(&FlipFilter::default()).await.unwrap().remove(0);
    assert_eq!((newest.n, &newest.flip), (flips.len() as u64 + 1, &flips[2]));
    store.verify_tables(&|_| {}).await.unwrap();
    store.rebuild().await.unwrap();
    store.verify_tables(&|_| {}).await.unwrap();
}

on_both!(
    made_anew_the_tables_are_the_same,
    what_is_out_of_step_is_not_written_to,
    a_row_that_was_changed_is_named,
    what_is_withdrawn_is_gone,
);
