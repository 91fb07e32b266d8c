//! Replies as models write them: what is read at once, and what is asked for again and why.

use rebuttal_engine::debate::Agent;
use rebuttal_llm::Request;
use rebuttal_model::Event;

use crate::panel::{Ran, arena, fixed_vote, run, says, speaker, text};

/// An agent whose every reply is spoiled in the same way.
fn spoiling(name: &str, spoil: impl Fn(String) -> String + Send + Sync + 'static) -> Agent {
    speaker(name, move |_| spoil(says("no", 0.8, "It costs too much.")).into())
}

/// Why replies were refused.
fn refusals(ran: &Ran) -> Vec<String> {
    let reason = |event: &Event| match event {
        Event::ReplyRefused { reason, .. } => Some(reason.clone()),
        _ => None,
    };
    ran.records.iter().filter_map(|record| reason(&record.event)).collect()
}

#[test]
fn commas_fences_quotes_and_prose_cost_one_call_each() {
    let ways: [fn(String) -> String; 5] = [
        |reply| reply.replace('}', ",}").replace(']', ",]"),
        |reply| format!("```json\n{reply}\n```"),
        |reply| format!("Here you are: {reply} Is {{that}} fine?"),
        |reply| reply.replace('"', "'"),
        |reply| format!("<think>no or {{\"answer\": \"yes\"}}?</think>{reply}"),
    ];
    for way in ways {
        let ran = run(&arena([spoiling("ann", way), spoiling("bob", way)]));
        assert_eq!(ran.decision().answer.as_deref(), Some("no"));
        assert_eq!((ran.calls(), refusals(&ran)), (2, vec![]));
    }
}

#[test]
fn what_is_wrong_is_said_and_the_model_can_mend_it() {
    type Wrong = (fn(String) -> String, &'static str);
    let wrong: [Wrong; 4] = [
        (|reply| reply.replace("0.8", "80"), "/conviction: must be at most 1"),
        (|reply| reply.split_at(40).0.to_owned(), "it is cut off"),
        (|reply| reply.replace("\"answer\"", "\"vote\""), "lacks the field \"answer\""),
        (|_| "I vote no.".to_owned(), "there is no JSON object in the reply"),
    ];
    for (way, reason) in wrong {
        let ann = speaker("ann", move |request: &Request| {
            let good = says("no", 0.8, "It costs too much.");
            let told = text(request).contains(reason);
            if told { good.into() } else { way(good).into() }
        });
        let ran = run(&arena([ann, fixed_vote("bob", "no", 0.7)]));
        assert_eq!((ran.calls(), refusals(&ran).len()), (3, 1), "{reason}");
        assert!(refusals(&ran)[0].starts_with(reason), "{:?}", refusals(&ran));
        assert_eq!(ran.decision().answer.as_deref(), Some("no"));
    }
}
