//! Rebuttals: each answers one numbered item, and whoever offered it reads the answer.

use std::sync::{Arc, Mutex};

use rebuttal_engine::debate::{Agent, replay};
use rebuttal_llm::{Request, Wanted};
use rebuttal_model::{AgentId, Rebuttal, RebuttedItem, TurnId};
use serde_json::json;

use crate::panel::{arena, is_later, run, speaker, text, with};

/// An agent with evidence of its own that answers items by their numbers, and writes down what it was
/// asked.
fn rebutter(
    name: &'static str,
    answer: &'static str,
    evidence: &'static [&'static str],
    asked: &Arc<Mutex<Vec<(String, Request)>>>,
) -> Agent {
    let asked = asked.clone();
    speaker(name, move |request| {
        asked.lock().unwrap().push((name.to_owned(), request.clone()));
        let shown = text(request).matches("\n| [").count();
        let rebuttals: Vec<_> = (1..=shown)
            .rev()
            .map(|item| json!({"item": item, "text": format!("{name} answers item {item}.")}))
            .collect();
        // The conviction falls, so that a further round follows.
        let conviction = if text(request).contains("What others answered") {
            0.3
        } else if is_later(request) {
            0.5
        } else {
            0.8
        };
        json!({
            "answer": answer, "conviction": conviction, "thesis": format!("{name} is for {answer}."),
            "evidence": evidence, "rebuttals": rebuttals,
        })
        .to_string()
        .into()
    })
}

const SIX: [&str; 6] = ["One.", "Two.", "Three.", "Four.", "Five.", "Six."];

#[test]
fn a_rebuttal_is_tied_to_its_item_and_read_by_who_offered_it_and_by_the_moderator() {
    let asked = Arc::default();
    let panel = [
        rebutter("ann", "yes", &["A trial ran for 14 days."], &asked),
        rebutter("bob", "no", &["Two outages in May.", "Nobody knows it."], &asked),
    ];
    let heard = Arc::new(Mutex::new(String::new()));
    let listener = heard.clone();
    let moderator = speaker("mod", move |request| {
        *listener.lock().unwrap() = text(request);
        json!({"recommended_action": "yes", "recommended_conviction": 0.2}).to_string().into()
    });
    let ran = run(&with(arena(panel).moderator(moderator), |protocol| protocol.anonymous = false));
    let first = &ran
        .state
        .turns
        .iter()
        .find(|turn| turn.agent.as_str() == "ann" && turn.round == Some(1))
        .unwrap();
    let bobs = ran.state.turns.iter().find(|turn| turn.agent.as_str() == "bob").unwrap().id;
    let item = |number, turn: TurnId, text: &str| RebuttedItem {
        number,
        agent: AgentId::new("bob"),
        turn,
        text: text.to_owned(),
    };
    assert_eq!(
        first.structured.rebuttals,
        [
            Rebuttal {
                item: Some(item(2, bobs, "Nobody knows it.")),
                text: "ann answers item 2.".into()
            },
            Rebuttal {
                item: Some(item(1, bobs, "Two outages in May.")),
                text: "ann answers item 1.".into()
            },
        ]
    );
    // In the next round bob reads both, under what they answer.
    let asked = asked.lock().unwrap();
    let later = asked.iter().filter(|(name, _)| name == "bob").nth(2).unwrap();
    let (prompt, item, answer) = (text(&later.1), "| Nobody knows it.", "| ann answers item 2.");
    let at = |part: &str| prompt.rfind(part).unwrap_or_else(|| panic!("{part} in {prompt}"));
    assert!(at("What others answered to what you offered") < at(item) && at(item) < at(answer));
    // The moderator reads every round and every rebuttal.
    let moderated = heard.lock().unwrap().clone();
    for part in [
        "What the panel said in round 0, blind:",
        "What the panel said in round 2:",
        "To bob's \"Two outages in May.\": ann answers item 1.",
        "To ann's \"A trial ran for 14 days.\": bob answers item 1.",
    ] {
        assert!(moderated.contains(part), "{part} in {moderated}");
    }
    // All items were answered, grounded, but nothing is new in the second round's evidence.
    assert!(ran.decision().rounds[0].metrics.debate_quality.unwrap() > 0.99);
    replay(&ran.records).unwrap();
}

#[test]
fn as_many_rebuttals_as_items_are_asked_for_and_kept() {
    let asked = Arc::default();
    let mut panel = vec![rebutter("ann", "yes", &["A trial ran for 14 days."], &asked)];
    for name in ["bob", "cyd", "dan", "eve", "fay"] {
        panel.push(rebutter(name, "no", &SIX, &asked));
    }
    let ran = run(&arena(panel));
    let asked = asked.lock().unwrap();
    let (_, request) = asked.iter().filter(|(name, _)| name == "ann").nth(1).unwrap();
    let Wanted::Schema { schema, .. } = &request.wanted else { panic!("a schema") };
    assert_eq!(schema["properties"]["rebuttals"]["maxItems"], 30);
    let prompt = text(request);
    assert!(prompt.contains("[1] One.") && prompt.contains("[30] Six."), "{prompt}");
    let own = |turn: &&rebuttal_model::Turn| turn.agent.as_str() == "ann" && turn.round == Some(1);
    let turn = ran.state.turns.iter().find(own).unwrap();
    let mut numbers: Vec<u32> =
        turn.structured.rebuttals.iter().map(|said| said.item.as_ref().unwrap().number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=30).collect::<Vec<u32>>());
}

#[test]
fn a_rebuttal_with_a_wrong_number_or_said_twice_answers_nothing() {
    let ann = speaker("ann", |request| {
        let rebuttals = if is_later(request) {
            json!([{"item": 1, "text": "First."}, {"item": 1, "text": "Again."}, {"item": 9, "text": "Lost."}])
        } else {
            json!([])
        };
        json!({"answer": "yes", "conviction": 0.8, "thesis": "T.", "evidence": ["E."], "rebuttals": rebuttals})
            .to_string()
            .into()
    });
    let bob = speaker("bob", |_| {
        json!({"answer": "no", "conviction": 0.8, "thesis": "No.", "evidence": []})
            .to_string()
            .into()
    });
    let ran = run(&arena([ann, bob]));
    let own = |turn: &&rebuttal_model::Turn| turn.agent.as_str() == "ann" && turn.round == Some(1);
    let turn = ran.state.turns.iter().find(own).unwrap();
    let said: Vec<(Option<&str>, &str)> = turn
        .structured
        .rebuttals
        .iter()
        .map(|said| (said.item.as_ref().map(|item| item.text.as_str()), said.text.as_str()))
        .collect();
    // Where there is no evidence, the thesis is answered.
    assert_eq!(said, [(Some("No."), "First."), (None, "Lost.")]);
}
