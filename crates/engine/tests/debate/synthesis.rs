//! What a debate came to, in writing.

use std::sync::Arc;

use rebuttal_engine::debate::{Agent, replay, synthesis};
use rebuttal_llm::{Scene, Scripted};
use rebuttal_model::Traced;

use super::panel::{arena, fixed_vote, run, text};

#[test]
fn it_is_put_together_from_what_was_said() {
    let panel = [
        fixed_vote("ann", "yes", 0.8),
        fixed_vote("bob", "yes", 0.7),
        fixed_vote("cyd", "no", 0.9),
    ];
    let ran = run(&arena(panel));
    let written = synthesis(&ran.state).unwrap();
    assert_eq!(written.by, None);
    assert_eq!(written.answer[0].text, "The panel's answer is yes: 2 of 3 are for it.");
    let reason = &written.reasons[0];
    assert_eq!((reason.text.as_str(), reason.turns.len()), ("A test of yes ran for 14 days.", 2));
    assert!(written.dissent[0].text.starts_with("cyd: I stand for no."), "{written:?}");
    assert!(written.parts().flat_map(|(_, said)| said).all(|one| !one.turns.is_empty()));
}

#[test]
fn an_agent_writes_it_and_what_no_turn_bears_out_is_seen() {
    let words = serde_json::json!({
        "answer": ["The panel is for yes."],
        "reasons": ["A test of yes ran for 14 days.", "A test of yes ran for 90 days.",
                    "Competitors have all left the market."],
        "contested": [], "would_change": ["A test of no that ran for 14 days."],
    })
    .to_string();
    let writer = Scripted::from_fn("pen", move |request| {
        assert!(text(request).contains("The panel's answer is yes."), "{}", text(request));
        Scene::Says(words.clone())
    });
    let panel = [
        fixed_vote("ann", "yes", 0.8),
        fixed_vote("bob", "yes", 0.7),
        fixed_vote("cyd", "no", 0.9),
    ];
    let ran = run(&arena(panel).writer(Agent::new("pen", Arc::new(writer))));
    let written = synthesis(&ran.state).unwrap();
    assert_eq!(written.by.as_ref().map(rebuttal_model::AgentId::as_str), Some("pen"));
    let traced: Vec<bool> =
        written.reasons.iter().map(|one: &Traced| !one.turns.is_empty()).collect();
    assert_eq!(traced, [true, false, false], "{written:?}");
    assert!(!written.would_change[0].turns.is_empty());
    assert_eq!(written.dissent.len(), 1, "dissent is in the dissenter's own words");
    assert_eq!(replay(&ran.records).unwrap().written, Some(written));
}

#[test]
fn a_writer_that_fails_leaves_the_record_to_speak() {
    let writer = Scripted::from_fn("pen", |_| Scene::Says("No.".to_owned()));
    let panel = [fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "yes", 0.7)];
    let ran = run(&arena(panel).writer(Agent::new("pen", Arc::new(writer))));
    assert_eq!(ran.decision().answer.as_deref(), Some("yes"));
    assert_eq!(synthesis(&ran.state).unwrap().by, None);
}
