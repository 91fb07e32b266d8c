//! What a debate's page shows, and that nothing agents wrote becomes part of it.

use rebuttal_engine::debate::State;
use rebuttal_model::{Event, Record};
use rebuttal_store::read_file;

use super::*;

/// The recorded debate that the server offers as an example.
fn recorded() -> Vec<Record> {
    let mut journal: &[u8] = include_bytes!("../../../../server/assets/example.jsonl");
    read_file(&mut journal, None).unwrap()
}

fn controls(stands: Stands) -> Controls {
    Controls { last: 49, earlier: false, stands, redecided: None }
}

#[test]
fn a_file_has_everything_to_read_and_nothing_to_press() {
    let records = recorded();
    let state = State::fold(&records).unwrap();
    let page = page(&state, &records).stand_alone().into_string();
    for part in [
        "Who stood where",
        "How sure they were",
        "id=\"round-0\"",
        "class=\"camp-name",
        "Dissent: ",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    for part in ["<script", "<form", "<button", "href=\"/"] {
        assert!(!page.contains(part), "{part} in a file");
    }
}

#[test]
fn a_served_page_goes_through_time() {
    let records = recorded();
    let state = State::fold(&records).unwrap();
    let whole = served(&state, &records, &controls(Stands::Ended)).body.into_string();
    assert!(whole.contains("max=\"49\"") && whole.contains("data-live=\"false\""), "{whole}");
    let past = &records[..12];
    let state = State::fold(past).unwrap();
    let earlier = Controls { earlier: true, ..controls(Stands::Running) };
    let past = served(&state, past, &earlier).body.into_string();
    assert!(past.contains("value=\"12\"") && past.contains("data-live=\"false\""), "{past}");
    assert!(!past.contains("How it came to this") && past.contains("has not ended"));
}

#[test]
fn a_rebuttal_stands_under_what_it_answers() {
    let mut records = recorded();
    let mut answered = None;
    for record in &mut records {
        let Event::TurnTaken { turn } = &mut record.event else { continue };
        match &answered {
            None if !turn.structured.evidence.is_empty() => {
                answered = Some((turn.id, turn.agent.clone(), turn.structured.evidence[0].clone()));
            }
            Some((id, agent, text)) if turn.agent != *agent => {
                let item = rebuttal_model::RebuttedItem {
                    number: 1,
                    agent: agent.clone(),
                    turn: *id,
                    text: text.clone(),
                };
                let said =
                    rebuttal_model::Rebuttal { item: Some(item), text: "<b>No.</b>".to_owned() };
                turn.structured.rebuttals = vec![said];
                break;
            }
            _ => {}
        }
    }
    let state = State::fold(&records).unwrap();
    let page = page(&state, &records).body.into_string();
    let (_, replies) = page.split_once("class=\"replies\"").unwrap();
    assert!(replies.contains("&lt;b&gt;No.&lt;/b&gt;") && !page.contains("<b>No."), "{replies}");
}

#[test]
fn a_thousand_turns_are_folded_but_for_the_last_rounds() {
    let records = recorded();
    let mut state = State::fold(&records).unwrap();
    let (turns, rounds) = (state.turns.clone(), state.rounds.clone());
    for number in 10..340 {
        state.rounds.push(rebuttal_engine::debate::Round {
            number,
            record: None,
            ..rounds[0].clone()
        });
        state.turns.extend(turns.iter().take(3).cloned().map(|mut turn| {
            turn.round = Some(number);
            turn
        }));
    }
    let page = page(&state, &records).body.into_string();
    assert!(page.matches("<article class=\"turn").count() > 990);
    assert!(page.matches("<details><summary><h2>").count() > 320, "most rounds are folded");
}
