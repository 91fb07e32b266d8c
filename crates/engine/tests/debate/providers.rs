//! Debates with models on servers that refuse what the real ones refuse.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use rebuttal_engine::debate::{Agent, Arena, Ended, Journal as _, MemoryJournal, State};
use rebuttal_llm::{ChatEndpoint, ChatSettings, Provider};
use rebuttal_model::{Event, Spent};
use serde_json::{Value, json};

use crate::panel::{Ran, arena, drive, fixed_vote, says, stream};

/// Runs a debate on a clock that goes: servers take their time.
fn run(arena: &Arena) -> Ran {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let (journal, stream) = (MemoryJournal::default(), stream(arena));
        let ended = drive(arena, &journal, &stream).await.unwrap();
        assert!(matches!(ended, Ended::Decided(_)), "{ended:?}");
        let records = journal.records(&stream).await.unwrap();
        let state = State::fold(&records).unwrap();
        Ran { records, state }
    })
}

/// A server in Anthropic's format. It answers what `answer` makes of the body of each request, as a
/// status and a body, and remembers the bodies.
fn server(
    answer: impl Fn(usize, &Value) -> (u16, Value) + Send + 'static,
) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let seen: Arc<Mutex<Vec<Value>>> = Arc::default();
    let bodies = Arc::clone(&seen);
    thread::spawn(move || {
        for mut wire in listener.incoming().flatten() {
            let mut reader = BufReader::new(wire.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap_or(0) > 0 {}
            for line in head.to_lowercase().lines() {
                if let Some(value) = line.strip_prefix("content-length: ") {
                    length = value.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let body: Value = serde_json::from_slice(&body).unwrap();
            let count = {
                let mut bodies = bodies.lock().unwrap();
                bodies.push(body.clone());
                bodies.len()
            };
            let (status, answer) = answer(count - 1, &body);
            let answer = answer.to_string();
            write!(
                wire,
                "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n\
                 Content-Length: {}\r\n\r\n{answer}",
                answer.len()
            )
            .ok();
        }
    });
    (address, seen)
}

fn claude(name: &str, address: &str) -> Agent {
    let address = address.parse().unwrap();
    let settings = ChatSettings::new(name, Provider::Anthropic, address, name);
    Agent::new(name, Arc::new(ChatEndpoint::new(settings).unwrap()))
}

fn message(text: &str, reason: &str, written: u64) -> Value {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x",
        "content": [{"type": "text", "text": text}], "stop_reason": reason,
        "usage": {"input_tokens": 400, "output_tokens": written}})
}

/// What Anthropic says of a schema it does not take (`agentjido/req_llm#302` and others).
fn refusal(schema: &Value) -> Option<String> {
    let kind = schema["type"].as_str().unwrap_or_default();
    let limits = ["minimum", "maximum", "minLength", "maxLength", "maxItems"];
    if let Some(word) = limits.iter().find(|word| schema.get(**word).is_some()) {
        return Some(format!("For '{kind}' type, property '{word}' is not supported"));
    }
    if kind == "object" && schema["additionalProperties"] != json!(false) {
        let what = "'additionalProperties' must be explicitly set to false";
        return Some(format!("For 'object' type, {what}"));
    }
    let fields = schema["properties"].as_object().into_iter().flat_map(|fields| fields.values());
    fields.chain(schema.get("items")).find_map(refusal)
}

fn spent(ran: &Ran) -> Spent {
    ran.records.iter().fold(Spent::default(), |mut sum, record| {
        if let Event::CallAnswered { spent, .. } | Event::CallFailed { spent, .. } = &record.event {
            sum.calls += spent.calls;
            sum.input_tokens += spent.input_tokens;
            sum.output_tokens += spent.output_tokens;
        }
        sum
    })
}

/// A good reply to whatever is asked: ann is for it, the others are against it.
fn good(body: &Value) -> String {
    let vote = if body["model"] == "ann" { "yes" } else { "no" };
    if body["model"] == "chief" {
        return json!({"strongest_arguments": [], "weakest_arguments": [], "risks": [],
            "recommended_action": vote, "recommended_conviction": 0.9, "rationale": "It costs."})
        .to_string();
    }
    says(vote, 0.8, "It costs too much.")
}

#[test]
fn every_schema_of_a_debate_is_one_that_anthropic_takes() {
    let (address, seen) = server(|_, body| {
        let schema = &body["output_config"]["format"]["schema"];
        match refusal(schema) {
            Some(message) => {
                let message = format!("output_config.format.schema: {message}");
                let error = json!({"type": "invalid_request_error", "message": message});
                (400, json!({"type": "error", "error": error}))
            }
            None => (200, message(&good(body), "end_turn", 60)),
        }
    });
    let panel = ["ann", "bob", "cyd"].map(|name| claude(name, &address));
    let ran = run(&arena(panel).moderator(claude("chief", &address)));
    assert_eq!(ran.decision().answer.as_deref(), Some("no"));
    assert!(ran.decision().moderation.is_some());
    let seen = seen.lock().unwrap();
    assert!(seen.iter().all(|body| body["output_config"]["format"]["schema"].is_object()));
    let forms: BTreeSet<Vec<&String>> = seen
        .iter()
        .filter_map(|body| body.pointer("/output_config/format/schema/properties")?.as_object())
        .map(|fields| fields.keys().collect())
        .collect();
    assert_eq!(forms.len(), 3, "blind answers, answers with rebuttals, a moderator: {forms:?}");
    assert_eq!(usize::try_from(spent(&ran).calls).unwrap(), seen.len(), "nothing was refused");
}

#[test]
fn a_model_without_schemas_is_asked_another_way_and_every_request_counts() {
    let (address, seen) = server(|_, body| {
        if body.get("output_config").is_some() {
            let message = "output_config: Extra inputs are not permitted";
            let error = json!({"type": "invalid_request_error", "message": message});
            return (400, json!({"type": "error", "error": error}));
        }
        let mut called = message("", "tool_use", 60);
        let input: Value = serde_json::from_str(&good(body)).unwrap();
        called["content"] =
            json!([{"type": "tool_use", "id": "t", "name": "answer", "input": input}]);
        (200, called)
    });
    let ran = run(&arena([claude("bob", &address), claude("cyd", &address)]));
    assert_eq!(ran.decision().answer.as_deref(), Some("no"));
    let requests = u32::try_from(seen.lock().unwrap().len()).unwrap();
    assert_eq!((ran.calls(), requests, spent(&ran).calls), (2, 4, 4));
    assert_eq!((spent(&ran).input_tokens, spent(&ran).output_tokens), (800, 120));
}

#[test]
fn a_reply_that_was_cut_off_costs_what_the_provider_says() {
    let (address, _) = server(|n, body| match n {
        0 => (200, message("{\"answer\": \"n", "max_tokens", 18_000)),
        _ => (200, message(&good(body), "end_turn", 60)),
    });
    let ran = run(&arena([claude("bob", &address), fixed_vote("cyd", "no", 0.7)]));
    assert!(spent(&ran).output_tokens >= 18_000, "{:?}", spent(&ran));
}
