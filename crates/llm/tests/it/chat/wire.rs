//! Streams, frame by frame as each provider documents them.

use rebuttal_llm::Provider;
use serde_json::{Value, json};

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Close {
    Stop,
    Length,
    Filtered,
    Declined,
    Tools,
}

/// Whether a format has a word for it.
pub(super) fn closes(provider: Provider, close: Close) -> bool {
    match close {
        Close::Stop | Close::Length => true,
        Close::Filtered => !matches!(provider, Provider::Anthropic | Provider::Ollama),
        Close::Declined => !matches!(provider, Provider::Gemini | Provider::Ollama),
        Close::Tools => matches!(provider, Provider::OpenAi | Provider::Anthropic),
    }
}

/// A stream in three parts: what comes first, the words, and how it ends.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) head: Vec<String>,
    pub(super) words: Vec<String>,
    pub(super) end: Vec<String>,
}

impl Stream {
    pub(super) fn all(&self) -> String {
        [&self.head[..], &self.words, &self.end].concat().concat()
    }

    /// Without its end.
    pub(super) fn open(&self) -> String {
        [&self.head[..], &self.words].concat().concat()
    }
}

/// What the content type of a stream is.
pub(super) fn content_type(provider: Provider) -> &'static str {
    if provider == Provider::Ollama { "application/x-ndjson" } else { "text/event-stream" }
}

/// One frame.
pub(super) fn frame(provider: Provider, data: &Value) -> String {
    match provider {
        Provider::Ollama => format!("{data}\n"),
        Provider::Anthropic | Provider::OpenAiResponses => {
            format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or("error"))
        }
        Provider::OpenAi | Provider::Gemini => format!("data: {data}\r\n\r\n"),
    }
}

/// The error a provider puts among its events, with the key in it.
pub(super) fn error(provider: Provider, message: &str) -> String {
    let value = match provider {
        Provider::OpenAi => json!({"error": {"message": message, "type": "server_error"}}),
        Provider::OpenAiResponses => {
            json!({"type": "error", "code": "server_error", "message": message})
        }
        Provider::Anthropic => {
            json!({"type": "error", "error": {"type": "overloaded_error", "message": message}})
        }
        Provider::Gemini => {
            json!({"error": {"code": 503, "message": message, "status": "UNAVAILABLE"}})
        }
        Provider::Ollama => json!({"error": message}),
    };
    frame(provider, &value)
}

pub(super) fn stream(provider: Provider, words: &[&str], close: Close) -> Stream {
    let parts = match provider {
        Provider::OpenAi => openai(words, close),
        Provider::OpenAiResponses => responses(words, close),
        Provider::Anthropic => anthropic(words, close),
        Provider::Gemini => gemini(words, close),
        Provider::Ollama => ollama(words, close),
    };
    let [head, words, mut end] =
        parts.map(|part| part.iter().map(|data| frame(provider, data)).collect::<Vec<_>>());
    if provider == Provider::OpenAi {
        end.push("data: [DONE]\n\n".to_owned());
    }
    Stream { head, words, end }
}

fn openai(words: &[&str], close: Close) -> [Vec<Value>; 3] {
    let chunk = |delta: Value, reason: Option<&str>| {
        json!({
            "id": "chatcmpl-123", "object": "chat.completion.chunk", "created": 1_694_268_190,
            "model": "m-1", "system_fingerprint": "fp_44709d6fcb", "usage": null,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": reason}],
        })
    };
    let (field, reason) = match close {
        Close::Stop => ("content", "stop"),
        Close::Length => ("content", "length"),
        Close::Filtered => ("content", "content_filter"),
        Close::Declined => ("refusal", "stop"),
        Close::Tools => ("tool_arguments", "tool_calls"),
    };
    let usage = json!({"id": "chatcmpl-123", "object": "chat.completion.chunk", "choices": [],
        "usage": {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29}});
    [
        vec![chunk(json!({"role": "assistant", "content": "", "refusal": null}), None)],
        words.iter().map(|word| chunk(json!({field: word}), None)).collect(),
        vec![chunk(json!({}), Some(reason)), usage],
    ]
}

fn responses(words: &[&str], close: Close) -> [Vec<Value>; 3] {
    let kind = if close == Close::Declined { "refusal" } else { "output_text" };
    let delta = |word: &&str| {
        json!({"type": format!("response.{kind}.delta"), "item_id": "msg_1", "output_index": 0,
            "content_index": 0, "delta": word, "sequence_number": 3})
    };
    let text = words.concat();
    let part = match close {
        Close::Declined => json!({"type": "refusal", "refusal": text}),
        _ => json!({"type": "output_text", "text": text, "annotations": []}),
    };
    let (kind, status, why) = match close {
        Close::Length => ("incomplete", "incomplete", json!({"reason": "max_output_tokens"})),
        Close::Filtered => ("incomplete", "incomplete", json!({"reason": "content_filter"})),
        Close::Stop | Close::Declined | Close::Tools => ("completed", "completed", Value::Null),
    };
    let whole = json!({
        "id": "resp_1", "object": "response", "status": status, "error": null,
        "incomplete_details": why,
        "output": [{"type": "message", "role": "assistant", "content": [part]}],
        "usage": {"input_tokens": 19, "output_tokens": 10, "total_tokens": 29},
    });
    [
        vec![
            json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}),
            json!({"type": "response.output_item.added", "item": {"type": "message", "content": []}}),
        ],
        words.iter().map(delta).collect(),
        vec![
            json!({"type": "response.output_text.done", "text": text}),
            json!({"type": format!("response.{kind}"), "response": whole}),
        ],
    ]
}

fn anthropic(words: &[&str], close: Close) -> [Vec<Value>; 3] {
    let reason = match close {
        Close::Stop | Close::Filtered => "end_turn",
        Close::Length => "max_tokens",
        Close::Declined => "refusal",
        Close::Tools => "tool_use",
    };
    let delta = |word: &&str| {
        let delta = match close {
            Close::Tools => json!({"type": "input_json_delta", "partial_json": word}),
            _ => json!({"type": "text_delta", "text": word}),
        };
        json!({"type": "content_block_delta", "index": 0, "delta": delta})
    };
    [
        vec![
            json!({"type": "message_start", "message": {"id": "msg_1", "type": "message",
                "role": "assistant", "content": [], "model": "m-1", "stop_reason": null,
                "usage": {"input_tokens": 19, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "text", "text": ""}}),
            json!({"type": "ping"}),
        ],
        words.iter().map(delta).collect(),
        vec![
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
                "usage": {"output_tokens": 10}}),
            json!({"type": "message_stop"}),
        ],
    ]
}

fn gemini(words: &[&str], close: Close) -> [Vec<Value>; 3] {
    let chunk = |parts: Value, reason: Option<&str>| {
        let mut candidate = json!({"content": {"parts": parts, "role": "model"}, "index": 0});
        if let Some(reason) = reason {
            candidate["finishReason"] = json!(reason);
        }
        json!({"candidates": [candidate], "modelVersion": "m-1-001",
            "usageMetadata": {"promptTokenCount": 19, "candidatesTokenCount": 4,
                "thoughtsTokenCount": 6, "totalTokenCount": 29}})
    };
    let reason = match close {
        Close::Stop | Close::Declined | Close::Tools => "STOP",
        Close::Length => "MAX_TOKENS",
        Close::Filtered => "SAFETY",
    };
    [
        vec![chunk(json!([{"text": "Hm.", "thought": true}]), None)],
        words.iter().map(|word| chunk(json!([{"text": word}]), None)).collect(),
        vec![chunk(json!([{"text": ""}]), Some(reason))],
    ]
}

fn ollama(words: &[&str], close: Close) -> [Vec<Value>; 3] {
    let line = |word: &&str| {
        json!({"model": "m-1:latest", "created_at": "2026-11-04T14:56:49.277302595Z",
            "message": {"role": "assistant", "content": word}, "done": false})
    };
    let reason = if close == Close::Length { "length" } else { "stop" };
    let last = json!({"model": "m-1:latest", "created_at": "2026-11-04T14:56:50Z",
        "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": reason,
        "total_duration": 4_883_583_458_i64, "prompt_eval_count": 19, "eval_count": 10});
    [vec![], words.iter().map(line).collect(), vec![last]]
}
