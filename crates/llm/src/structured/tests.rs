//! Asking until it fits, and no longer.

use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::chat::{Role, Scene, Scripted};

fn schema() -> Schema {
    let vote = json!({"type": "string", "enum": ["yes", "no"]});
    let schema = json!({"type": "object", "properties": {"vote": vote}, "required": ["vote"]});
    Schema::new("ballot", schema).unwrap()
}

/// Notes every call, and stops before number `stop`.
struct Notes {
    stop: u32,
    notes: Mutex<Vec<String>>,
}

impl Witness for Notes {
    fn before<'a>(&'a self, number: u32, request: &'a Request) -> Noted<'a, Go> {
        Box::pin(async move {
            if number == self.stop {
                return Go::Stop("no money left".to_owned());
            }
            let note = format!("before {number}: {} messages", request.messages.len());
            self.notes.lock().unwrap().push(note);
            Go::On
        })
    }

    fn after<'a>(&'a self, attempt: &'a Attempt) -> Noted<'a, ()> {
        Box::pin(async move {
            let what = match &attempt.outcome {
                Outcome::Fits(repairs) => format!("fits {repairs:?}"),
                Outcome::Unfit { complaints, .. } => joined(complaints),
                Outcome::Failed(error) => error.code().to_owned(),
            };
            self.notes.lock().unwrap().push(format!("after {}: {what}", attempt.number));
        })
    }
}

type Asked = Result<(Value, Vec<Attempt>), NoAnswer>;

fn ask(agent: &Scripted, stop: u32) -> (Asked, Vec<String>) {
    let witness = Notes { stop, notes: Mutex::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let request = Request::new("Vote.");
    let result = runtime.block_on(ask_json(agent, &request, &schema(), &|_| (), &witness));
    (result, witness.notes.into_inner().unwrap())
}

#[test]
fn a_fitting_reply_is_taken_at_once() {
    let agent = Scripted::new("ann", ["{\"vote\": \"yes\"}"]);
    let (result, notes) = ask(&agent, 0);
    let (value, attempts) = result.unwrap();
    assert_eq!((value, attempts.len()), (json!({"vote": "yes"}), 1));
    assert_eq!(notes, ["before 1: 1 messages", "after 1: fits []"]);
    assert_eq!(agent.requests()[0].wanted, schema().wanted());
}

#[test]
fn an_unfit_reply_is_asked_for_again_with_what_is_wrong() {
    let agent = Scripted::new("ann", ["{\"vote\": \"maybe\"}", "Sure: {\"vote\": \"no\"}"]);
    let (result, notes) = ask(&agent, 0);
    assert_eq!(result.unwrap().0, json!({"vote": "no"}));
    assert_eq!(notes.len(), 4);
    assert_eq!(notes[3], "after 2: fits [Surroundings]");
    let again = &agent.requests()[1].messages;
    assert_eq!((again.len(), again[1].role), (3, Role::Model));
    assert!(again[2].text.contains("/vote: must be one of \"yes\", \"no\""), "{}", again[2].text);
}

#[test]
fn after_two_more_tries_there_is_no_answer() {
    let agent = Scripted::from_fn("ann", |_| "I abstain.".into());
    let (result, notes) = ask(&agent, 0);
    let error = result.unwrap_err();
    assert_eq!((error.attempts.len(), notes.len(), agent.requests().len()), (3, 6, 3));
    assert!(matches!(error.why, Why::Unfit(_)));
    assert!(error.to_string().starts_with("no usable answer after 3 calls: it is not JSON"));
    // The conversation does not grow: each time the first question and the last reply.
    assert_eq!(agent.requests()[2].messages.len(), 3);
}

#[test]
fn a_cut_reply_is_asked_for_again_and_a_refusal_is_not() {
    let agent = Scripted::new("ann", [Scene::IsCutShort, "{\"vote\": \"no\"}".into()]);
    assert_eq!(ask(&agent, 0).0.unwrap().1.len(), 2);
    let again = &agent.requests()[1].messages;
    assert_eq!(again.len(), 1);
    assert!(again[0].text.starts_with("Vote.\n\nThat reply cannot be used: it was cut off"));
    for scene in [Scene::Declines("no".to_owned()), Scene::Answers(503), Scene::TimesOut] {
        let (result, notes) = ask(&Scripted::new("ann", [scene]), 0);
        assert!(matches!(result.unwrap_err().why, Why::Failed(_)));
        assert_eq!(notes.len(), 2);
    }
}

#[test]
fn a_witness_can_stop_a_call_before_it_leaves() {
    let agent = Scripted::from_fn("ann", |_| "?".into());
    let (result, _) = ask(&agent, 2);
    let error = result.unwrap_err();
    assert_eq!(error.to_string(), "not asked: no money left");
    assert_eq!((error.attempts.len(), agent.requests().len()), (1, 1));
}
