//! The ladder: what is asked next when a server refuses a form, and what is remembered.

use std::sync::Mutex;

use rebuttal_llm::{Chat, ChatEndpoint, LlmError, Provider, Reply, Request, Usage, Wanted};
use serde_json::{Value, json};

use super::dialects::{demanding, refusal};
use super::formats::{Ending, answer};
use super::settings;
use super::streams::run;
use super::wire::{content_type, frame};
use crate::server::{Server, reply};

const BALLOT: &str = r#"{"conviction":0.5,"vote":"yes"}"#;

/// In which form a request asks for its reply.
fn form_of(body: &Value) -> &'static str {
    let has = |place: &str| body.pointer(place).is_some();
    let is = |place: &str, value: &str| body.pointer(place) == Some(&json!(value));
    if has("/tools") {
        "tool"
    } else if has("/output_config/format/schema")
        || has("/generationConfig/responseJsonSchema")
        || is("/response_format/type", "json_schema")
        || is("/text/format/type", "json_schema")
        || body["format"].is_object()
    {
        "schema"
    } else if has("/response_format")
        || has("/text/format")
        || has("/generationConfig/responseMimeType")
        || has("/format")
    {
        "json"
    } else {
        "text"
    }
}

/// The status and body with which a server of each format refuses a form, as users reported them.
fn refuses(provider: Provider, form: &str) -> (&'static str, Value) {
    let openai = |message: &str, param: &str| json!({"error": {"message": message, "type": "invalid_request_error", "param": param}});
    let bad = "400 Bad Request";
    match (provider, form) {
        (Provider::OpenAi, "schema") => (
            bad,
            openai(
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this \
             model. Learn more about supported models at the Structured Outputs guide.",
                "",
            ),
        ),
        (Provider::OpenAiResponses, "schema") => {
            (bad, openai("Invalid value.", "text.format.type"))
        }
        (Provider::OpenAi | Provider::OpenAiResponses, "tool") => {
            (bad, openai("Thinking mode does not support this tool_choice", "tool_choice"))
        }
        (Provider::OpenAi, "json") => {
            (bad, json!({"error": "'response_format.type' must be 'json_schema' or 'text'"}))
        }
        (Provider::OpenAiResponses, "json") => (bad, openai("Invalid value.", "text.format.type")),
        (Provider::Anthropic, "schema") => (
            bad,
            json!({"type": "error", "error": {
            "type": "invalid_request_error", "message": "output_config: Extra inputs are not permitted"}}),
        ),
        (Provider::Anthropic, _) => (
            bad,
            json!({"type": "error", "error": {
            "type": "invalid_request_error",
            "message": "Thinking may not be enabled when tool_choice forces tool use."}}),
        ),
        (Provider::Gemini, "schema") => (
            bad,
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
            "message": "Invalid JSON payload received. Unknown name \"responseJsonSchema\" at \
                'generation_config': Cannot find field."}}),
        ),
        (Provider::Gemini, "tool") => (
            bad,
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
            "message": "Function calling is not enabled for this model"}}),
        ),
        (Provider::Gemini, _) => (
            bad,
            json!({"error": {"code": 400, "status": "INVALID_ARGUMENT",
            "message": "Json mode is not enabled for models/m-1"}}),
        ),
        (Provider::Ollama, "schema") => (
            bad,
            json!({"error":
            "json: cannot unmarshal object into Go struct field ChatRequest.format of type string"}),
        ),
        (Provider::Ollama, _) => (bad, json!({"error": "invalid format: \"json\""})),
        (Provider::OpenAi | Provider::OpenAiResponses, _) => (bad, openai("No.", "")),
    }
}

/// An answer that calls the tool.
fn called(provider: Provider) -> Value {
    let mut body = answer(provider, "", Ending::Stop);
    match provider {
        Provider::OpenAi => {
            let function = json!({"name": "ballot", "arguments": BALLOT});
            body["choices"][0]["message"] = json!({"role": "assistant", "content": null,
                "tool_calls": [{"id": "call_1", "type": "function", "function": function}]});
            body["choices"][0]["finish_reason"] = json!("tool_calls");
        }
        Provider::OpenAiResponses => {
            body["output"] = json!([{"type": "function_call", "call_id": "call_1",
                "name": "ballot", "arguments": BALLOT}]);
        }
        Provider::Anthropic => {
            let input: Value = serde_json::from_str(BALLOT).unwrap();
            body["content"] = json!([{"type": "text", "text": "I will vote."},
                {"type": "tool_use", "id": "toolu_1", "name": "ballot", "input": input}]);
            body["stop_reason"] = json!("tool_use");
        }
        Provider::Gemini => {
            let args: Value = serde_json::from_str(BALLOT).unwrap();
            body["candidates"][0]["content"]["parts"] =
                json!([{"functionCall": {"name": "ballot", "args": args}}]);
        }
        Provider::Ollama => {}
    }
    body
}

/// A server that takes these forms only.
fn taking(provider: Provider, forms: &'static [&'static str]) -> Server {
    Server::new(move |_, request, wire| {
        let form = form_of(&request.body);
        if let Some(body) = refusal(provider, &request.body) {
            return reply(wire, "400 Bad Request", "", &body.to_string());
        }
        if !forms.contains(&form) {
            let (status, body) = refuses(provider, form);
            return reply(wire, status, "", &body.to_string());
        }
        let body = match form {
            "tool" => called(provider),
            "schema" => answer(provider, BALLOT, Ending::Stop),
            _ => answer(provider, &format!("```json\n{BALLOT}\n```"), Ending::Stop),
        };
        reply(wire, "200 OK", "", &body.to_string());
    })
}

fn request() -> Request {
    let wanted = Wanted::Schema { name: "ballot".to_owned(), schema: demanding() };
    Request::new("Vote.").wanting(wanted)
}

/// The forms in which a server was asked, in order.
fn asked(server: &Server) -> Vec<&'static str> {
    server.requests().iter().map(|request| form_of(&request.body)).collect()
}

#[test]
fn a_refused_form_is_followed_by_the_next_and_the_one_that_works_is_remembered() {
    for provider in Provider::ALL {
        let ladder: &[&'static str] = match provider {
            Provider::Anthropic => &["schema", "tool", "text"],
            Provider::Ollama => &["schema", "json", "text"],
            _ => &["schema", "tool", "json", "text"],
        };
        for (rung, form) in ladder.iter().enumerate() {
            let taken: &'static [&'static str] = match *form {
                "schema" => &["schema"],
                "tool" => &["tool"],
                "json" => &["json"],
                _ => &["text"],
            };
            let server = taking(provider, taken);
            let agent = ChatEndpoint::new(settings(&server, provider)).unwrap();
            let first = agent.reply(&request()).unwrap();
            assert_eq!(asked(&server), ladder[..=rung], "{provider:?}");
            assert_eq!(first.requests as usize, rung + 1, "each rung is a request");
            assert!(first.text.contains("\"vote\":\"yes\""), "{provider:?} {form}: {}", first.text);
            assert_eq!(first.usage, Usage { input: Some(19), output: Some(10) });
            let second = agent.reply(&request()).unwrap();
            assert_eq!((second.requests, asked(&server).len()), (1, rung + 2), "{provider:?}");
            // Another client knows nothing of it.
            let other = ChatEndpoint::new(settings(&server, provider)).unwrap();
            assert_eq!(other.reply(&request()).unwrap().requests as usize, rung + 1);
        }
    }
}

#[test]
fn words_carry_the_schema_where_no_field_does() {
    let server = taking(Provider::OpenAi, &["text"]);
    let agent = ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap();
    agent.reply(&request()).unwrap();
    let said = |n: usize| server.requests()[n].body["messages"][0]["content"].clone();
    assert_eq!(said(0), "Vote.");
    assert_eq!(said(1), "Vote.");
    for n in [2, 3] {
        let words = said(n).as_str().unwrap().to_owned();
        assert!(words.starts_with("Vote.\n\nReply with one JSON object"), "{words}");
        assert!(words.contains("\"maximum\":1"), "{words}");
    }
}

#[test]
fn nothing_else_is_a_reason_to_step_down() {
    for (status, message, requests) in [
        ("400 Bad Request", "max_tokens: 9000000 > 64000, which is the maximum allowed", 1),
        (
            "400 Bad Request",
            "Unsupported value: 'temperature' does not support 0.5 with this model.",
            1,
        ),
        ("400 Bad Request", "Your credit balance is too low to access the Anthropic API.", 1),
        ("401 Unauthorized", "invalid x-api-key for structured outputs", 1),
        ("404 Not Found", "model: m-1", 1),
        ("500 Internal Server Error", "json_schema", 4),
    ] {
        let body = json!({"error": {"message": message}}).to_string();
        let server = Server::new(move |_, _, wire| reply(wire, status, "", &body));
        let agent = ChatEndpoint::new(settings(&server, Provider::Anthropic)).unwrap();
        let error = agent.reply(&request()).unwrap_err();
        assert_eq!((error.requests(), error.code()), (requests, "status"), "{message}");
        assert!(asked(&server).iter().all(|form| *form == "schema"), "{message}");
    }
    // A reply that is no JSON is not the server's refusal: whoever asked may ask again.
    let server = Server::new(|_, _, wire| {
        let body = answer(Provider::OpenAi, "I vote yes.", Ending::Stop).to_string();
        reply(wire, "200 OK", "", &body);
    });
    let agent = ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap();
    assert_eq!(agent.reply(&request()).unwrap().requests, 1);
    assert_eq!(asked(&server), ["schema"]);
}

#[test]
fn where_everything_is_refused_the_last_refusal_is_said_and_counted() {
    let server = Server::new(|_, _, wire| {
        let body = json!({"error": "'response_format' and 'tools' are not supported"}).to_string();
        reply(wire, "400 Bad Request", "", &body);
    });
    let agent = ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap();
    let error = agent.reply(&request()).unwrap_err();
    assert_eq!(
        (error.requests(), error.usage(), error.may_have_cost()),
        (4, Usage::default(), false)
    );
    assert_eq!(asked(&server), ["schema", "tool", "json", "text"]);
    assert!(error.to_string().contains("are not supported"), "{error}");
}

#[test]
fn a_limit_of_requests_holds_over_all_rungs() {
    let server = taking(Provider::OpenAi, &["text"]);
    let agent = ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap();
    let limited = Request { requests_max: Some(2), ..request() };
    assert_eq!(agent.reply(&limited).unwrap_err().requests(), 2);
    // Refusals cost nothing.
    let limited = Request { paid_requests_max: Some(1), ..request() };
    assert_eq!(agent.reply(&limited).unwrap().requests, 4);
}

#[test]
fn bare_json_has_a_ladder_of_its_own() {
    // LM Studio takes schemas, and refuses bare JSON.
    let server = taking(Provider::OpenAi, &["schema", "text"]);
    let agent = ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap();
    let bare = Request::new("Vote, as JSON.").wanting(Wanted::Json);
    assert_eq!(agent.reply(&bare).unwrap().requests, 2);
    assert_eq!(agent.reply(&bare).unwrap().requests, 1);
    assert_eq!(agent.reply(&request()).unwrap().requests, 1);
    assert_eq!(asked(&server), ["json", "text", "text", "schema"]);
}

/// The frames of a stream that calls the tool.
fn call_frames(provider: Provider) -> Vec<Value> {
    let (one, two) = BALLOT.split_at(9);
    match provider {
        Provider::OpenAi => {
            let chunk = |arguments: &str| {
                let call = json!({"index": 0, "function": {"arguments": arguments}});
                json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": null}]})
            };
            let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}],
                "usage": {"prompt_tokens": 19, "completion_tokens": 10}});
            vec![chunk(one), chunk(two), end]
        }
        Provider::OpenAiResponses => {
            let kind = "response.function_call_arguments.delta";
            let mut body = called(provider);
            body["status"] = json!("completed");
            vec![
                json!({"type": kind, "delta": one}),
                json!({"type": kind, "delta": two}),
                json!({"type": "response.completed", "response": body}),
            ]
        }
        Provider::Anthropic => {
            let delta = |part: &str| {
                json!({"type": "content_block_delta", "index": 0,
                    "delta": {"type": "input_json_delta", "partial_json": part}})
            };
            let tool = json!({"type": "tool_use", "id": "toolu_1", "name": "ballot", "input": {}});
            vec![
                json!({"type": "message_start", "message": {"usage": {"input_tokens": 19}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": tool}),
                delta(one),
                delta(two),
                json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
                    "usage": {"output_tokens": 10}}),
                json!({"type": "message_stop"}),
            ]
        }
        Provider::Gemini => vec![called(provider)],
        Provider::Ollama => vec![],
    }
}

#[test]
fn the_arguments_of_a_tool_are_heard_as_they_come() {
    for provider in Provider::ALL.into_iter().filter(|provider| *provider != Provider::Ollama) {
        let server = Server::new(move |_, request, wire| {
            if form_of(&request.body) != "tool" {
                let (status, body) = refuses(provider, "schema");
                return reply(wire, status, "", &body.to_string());
            }
            let frames: String =
                call_frames(provider).iter().map(|data| frame(provider, data)).collect();
            let kind = format!("Content-Type: {}\r\n", content_type(provider));
            reply(wire, "200 OK", &kind, &frames);
        });
        let agent = ChatEndpoint::new(settings(&server, provider)).unwrap();
        let heard = Mutex::new(String::new());
        let hear = |words: &str| heard.lock().unwrap().push_str(words);
        let told: Result<Reply, LlmError> = run(agent.stream(&request(), &hear));
        let told = told.unwrap();
        assert_eq!((told.text.as_str(), told.requests), (BALLOT, 2), "{provider:?}");
        assert_eq!(*heard.lock().unwrap(), BALLOT, "{provider:?}");
        assert_eq!(told.usage, Usage { input: Some(19), output: Some(10) }, "{provider:?}");
    }
}

#[test]
fn a_schema_that_nobody_can_check_is_not_sent() {
    let server = taking(Provider::OpenAi, &["schema"]);
    let agent = ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap();
    for (name, schema) in [
        ("ballot", json!({"type": "object", "patternProperties": {}})),
        ("a ballot", json!({"type": "object"})),
    ] {
        let wanted = Wanted::Schema { name: name.to_owned(), schema };
        let error = agent.reply(&Request::new("Vote.").wanting(wanted)).unwrap_err();
        assert_eq!((error.code(), error.requests()), ("setup", 0));
    }
    assert_eq!(server.requests().len(), 0);
}
