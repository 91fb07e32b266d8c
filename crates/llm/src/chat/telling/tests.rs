//! Streams as each server sends them, whole and in pieces.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// What a stream comes to: the words in the order they were heard, and the reply or its fault.
fn told(provider: Provider, pieces: &[&[u8]]) -> (Vec<String>, Result<Reply, String>) {
    let mut heard = Vec::new();
    let reply = decode(provider, pieces.iter().copied(), &mut |words| heard.push(words.to_owned()));
    (heard, reply.map_err(|error| error.to_string()))
}

fn events(data: &[Value]) -> String {
    let frames: Vec<String> = data.iter().map(|data| format!("data: {data}\n\n")).collect();
    frames.concat()
}

/// A good stream of each format: "Ja, größer 🙂." in three pieces.
fn good(provider: Provider) -> String {
    let words = ["Ja, ", "größer ", "🙂."];
    match provider {
        Provider::OpenAi => {
            let chunk = |delta: Value, reason: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]});
            let mut data = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
            data.extend(words.map(|word| chunk(json!({"content": word}), Value::Null)));
            data.push(chunk(json!({}), json!("stop")));
            data.push(json!({"choices": [],
                "usage": {"prompt_tokens": 19, "completion_tokens": 10}}));
            events(&data) + "data: [DONE]\n\n"
        }
        Provider::OpenAiResponses => {
            let mut data = vec![json!({"type": "response.created", "response": {}})];
            data.extend(
                words.map(|word| json!({"type": "response.output_text.delta", "delta": word})),
            );
            let content = json!([{"type": "output_text", "text": words.concat()}]);
            data.push(json!({"type": "response.completed", "response": {
                "status": "completed", "error": null,
                "output": [{"type": "message", "content": content}],
                "usage": {"input_tokens": 19, "output_tokens": 10}}}));
            events(&data)
        }
        Provider::Anthropic => {
            let mut data = vec![
                json!({"type": "message_start", "message": {"usage":
                    {"input_tokens": 19, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0,
                    "content_block": {"type": "text", "text": ""}}),
                json!({"type": "ping"}),
            ];
            data.extend(words.map(|word| {
                json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": word}})
            }));
            data.push(json!({"type": "content_block_stop", "index": 0}));
            data.push(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                "usage": {"output_tokens": 10}}));
            data.push(json!({"type": "message_stop"}));
            events(&data)
        }
        Provider::Gemini => {
            let chunk =
                |word: &str| json!({"candidates": [{"content": {"parts": [{"text": word}]}}]});
            let mut data: Vec<Value> = words.map(chunk).to_vec();
            data[2]["candidates"][0]["finishReason"] = json!("STOP");
            data[2]["usageMetadata"] = json!({"promptTokenCount": 19, "candidatesTokenCount": 10});
            events(&data)
        }
        Provider::Ollama => {
            let line = |word: &str| json!({"message": {"content": word}, "done": false});
            let last = json!({"message": {"content": ""}, "done": true, "done_reason": "stop",
                "prompt_eval_count": 19, "eval_count": 10});
            let lines = words.map(line).into_iter().chain([last]);
            lines.map(|line| format!("{line}\n")).collect::<Vec<_>>().concat()
        }
    }
}

#[test]
fn every_format_is_told_word_by_word() {
    for provider in Provider::ALL {
        let (heard, reply) = told(provider, &[good(provider).as_bytes()]);
        assert_eq!(heard, ["Ja, ", "größer ", "🙂."], "{provider:?}");
        let usage = Usage { input: Some(19), output: Some(10) };
        let text = "Ja, größer 🙂.".to_owned();
        assert_eq!(reply.unwrap(), Reply::new(text).with_usage(usage), "{provider:?}");
    }
}

#[test]
fn bytes_one_by_one_are_the_same_stream() {
    for provider in Provider::ALL {
        let stream = good(provider);
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(told(provider, &bytes), told(provider, &[stream.as_bytes()]), "{provider:?}");
    }
}

#[test]
fn a_stream_cut_anywhere_is_no_reply() {
    for provider in Provider::ALL {
        let stream = good(provider);
        // Where the reply has ended, what is cut off are counts and farewells.
        let ended = match provider {
            Provider::OpenAi => stream.find("\"stop\"").unwrap() - 20,
            Provider::OpenAiResponses => stream.find("response.completed").unwrap(),
            Provider::Anthropic => stream.find("message_stop").unwrap(),
            Provider::Gemini => stream.find("finishReason").unwrap(),
            Provider::Ollama => stream.find("done_reason").unwrap(),
        };
        for cut in 1..ended {
            let (_, reply) = told(provider, &[&stream.as_bytes()[..cut]]);
            let error = reply.expect_err("cut");
            let named = ["without its end marker", "it holds no event", "it is empty"];
            assert!(named.iter().any(|name| error.contains(name)), "{provider:?} {cut}: {error}");
        }
    }
}

#[test]
fn one_document_instead_of_a_stream_is_read() {
    let document = json!({"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]});
    let (heard, reply) = told(Provider::OpenAi, &[document.to_string().as_bytes()]);
    assert_eq!(
        (heard.as_slice(), reply.unwrap().text.as_str()),
        (&["Yes.".to_owned()][..], "Yes.")
    );
    let list = json!([
        {"candidates": [{"content": {"parts": [{"text": "Y"}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "es."}]}, "finishReason": "STOP"}]},
    ]);
    let (heard, reply) = told(Provider::Gemini, &[list.to_string().as_bytes()]);
    assert_eq!((heard.len(), reply.unwrap().text.as_str()), (2, "Yes."));
    let (_, reply) = told(Provider::Anthropic, &[br#"{"error":{"message":"no"}}"#]);
    assert!(reply.unwrap_err().contains("an error: no"));
}

#[test]
fn errors_among_the_events_are_named() {
    let overloaded =
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let long = r#"{"type":"error","code":"x","message":"maximum context length is 9 tokens"}"#;
    let broke = r#"{"error":{"code":"insufficient_quota","message":"pay"}}"#;
    for (event, words) in [
        (overloaded, "the server broke off (Overloaded)"),
        (long, "longer than the model reads"),
        (broke, "no credit left (pay)"),
        (r#"{"error":{}}"#, "an error without a word"),
        ("[1]", "an event is no object"),
        ("{", "EOF while parsing"),
    ] {
        for provider in Provider::ALL {
            let stream = match provider {
                Provider::Ollama => format!("{event}\n"),
                _ => format!("event: error\ndata: {event}\n\n"),
            };
            let (_, reply) = told(provider, &[stream.as_bytes()]);
            assert!(reply.as_ref().is_err_and(|error| error.contains(words)), "{event}: {reply:?}");
        }
    }
}

#[test]
fn refusals_tools_and_limits_end_a_stream_as_they_end_an_answer() {
    let openai = |delta: Value, reason: &str| {
        events(&[json!({"choices": [{"delta": delta, "finish_reason": reason}]})])
    };
    let anthropic = |reason: &str| {
        events(&[
            json!({"type": "content_block_delta", "delta": {"type": "text_delta", "text": "No."}}),
            json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
            json!({"type": "message_stop"}),
        ])
    };
    let blocked = events(&[json!({"promptFeedback": {"blockReason": "SAFETY"}})]);
    for (provider, stream, words) in [
        (
            Provider::OpenAi,
            openai(json!({"refusal": "I won't"}), "stop"),
            "declined to answer (I won't)",
        ),
        (Provider::OpenAi, openai(json!({"content": "a"}), "length"), "cut off before its end"),
        (Provider::OpenAi, openai(json!({"content": "a"}), "content_filter"), "content filter"),
        (Provider::OpenAi, openai(json!({"tool_calls": []}), "tool_calls"), "asks for a tool"),
        (Provider::OpenAi, openai(json!({}), "stop"), "the reply is empty"),
        (Provider::Anthropic, anthropic("refusal"), "declined to answer (No.)"),
        (Provider::Anthropic, anthropic("max_tokens"), "cut off before its end"),
        (Provider::Anthropic, anthropic("tool_use"), "asks for a tool"),
        (Provider::Gemini, blocked, "a content filter stepped in (the request: SAFETY)"),
    ] {
        let (_, reply) = told(provider, &[stream.as_bytes()]);
        assert!(reply.as_ref().is_err_and(|error| error.contains(words)), "{reply:?}");
    }
}

proptest! {
    #[test]
    fn any_split_and_any_damage_tell_the_same(
        which in 0_usize..5,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let provider = Provider::ALL[which];
        let mut bytes = good(provider).into_bytes();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut start = 0;
        for cut in cuts.into_iter().chain([bytes.len()]) {
            pieces.push(&bytes[start..cut]);
            start = cut;
        }
        prop_assert_eq!(told(provider, &pieces), told(provider, &[&bytes]));
    }
}
