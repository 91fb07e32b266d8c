//! What a server of each format answers.

use rebuttal_llm::Provider;
use serde_json::{Value, json};

/// How a reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Stop,
    Length,
    Filtered,
    Declined,
    /// A reason nobody knows yet.
    New,
    /// No reason at all.
    Unsaid,
}

/// A whole answer, field by field as the providers document it.
pub(super) fn answer(provider: Provider, text: &str, ending: Ending) -> Value {
    match provider {
        Provider::OpenAi => openai(text, ending),
        Provider::OpenAiResponses => responses(text, ending),
        Provider::Anthropic => anthropic(text, ending),
        Provider::Gemini => gemini(text, ending),
        Provider::Ollama => ollama(text, ending),
    }
}

/// The endings a format has a word for.
pub(super) fn knows(provider: Provider, ending: Ending) -> bool {
    match ending {
        Ending::Stop | Ending::Length | Ending::Unsaid => true,
        Ending::New => provider != Provider::OpenAiResponses,
        Ending::Filtered => !matches!(provider, Provider::Anthropic | Provider::Ollama),
        Ending::Declined => !matches!(provider, Provider::Gemini | Provider::Ollama),
    }
}

fn openai(text: &str, ending: Ending) -> Value {
    let (refusal, reason) = match ending {
        Ending::Stop => (Value::Null, json!("stop")),
        Ending::Length => (Value::Null, json!("length")),
        Ending::Filtered => (Value::Null, json!("content_filter")),
        Ending::Declined => (json!(text), json!("stop")),
        Ending::New => (Value::Null, json!("brand_new")),
        Ending::Unsaid => (Value::Null, Value::Null),
    };
    let content = if ending == Ending::Declined { Value::Null } else { json!(text) };
    json!({
        "id": "chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG", "object": "chat.completion",
        "created": 1_741_570_283, "model": "m-1-2025-04-14",
        "choices": [{
            "index": 0, "logprobs": null, "finish_reason": reason,
            "message": {"role": "assistant", "content": content, "refusal": refusal, "annotations": []},
        }],
        "usage": {
            "prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29,
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        },
        "service_tier": "default", "system_fingerprint": "fp_fc9f1d7035",
    })
}

fn responses(text: &str, ending: Ending) -> Value {
    let (status, why) = match ending {
        Ending::Length => (json!("incomplete"), json!({"reason": "max_output_tokens"})),
        Ending::Filtered => (json!("incomplete"), json!({"reason": "content_filter"})),
        Ending::Unsaid => (Value::Null, Value::Null),
        Ending::Stop | Ending::Declined | Ending::New => (json!("completed"), Value::Null),
    };
    let part = match ending {
        Ending::Declined => json!({"type": "refusal", "refusal": text}),
        _ => json!({"type": "output_text", "text": text, "annotations": []}),
    };
    json!({
        "id": "resp_67ccd2bed1ec8190", "object": "response", "created_at": 1_741_476_542,
        "status": status, "error": null, "incomplete_details": why, "model": "m-1-2025-04-14",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
             "content": [part]},
        ],
        "usage": {"input_tokens": 19, "output_tokens": 10, "total_tokens": 29},
    })
}

fn anthropic(text: &str, ending: Ending) -> Value {
    let reason = match ending {
        Ending::Stop => json!("end_turn"),
        Ending::Length => json!("max_tokens"),
        Ending::Declined => json!("refusal"),
        Ending::New | Ending::Filtered => json!("brand_new"),
        Ending::Unsaid => Value::Null,
    };
    json!({
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant",
        "model": "m-1-2025-04-14", "stop_reason": reason, "stop_sequence": null,
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            {"type": "text", "text": text},
        ],
        "usage": {"input_tokens": 19, "output_tokens": 10, "cache_read_input_tokens": 0},
    })
}

fn gemini(text: &str, ending: Ending) -> Value {
    let reason = match ending {
        Ending::Stop | Ending::Declined => json!("STOP"),
        Ending::Length => json!("MAX_TOKENS"),
        Ending::Filtered => json!("SAFETY"),
        Ending::New => json!("BRAND_NEW"),
        Ending::Unsaid => Value::Null,
    };
    let parts =
        json!([{"text": "Hm.", "thought": true}, {"text": text, "thoughtSignature": "c2ln"}]);
    json!({
        "candidates": [{
            "content": {"parts": parts, "role": "model"}, "finishReason": reason, "index": 0,
            "safetyRatings": [{"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"}],
        }],
        "usageMetadata": {
            "promptTokenCount": 19, "candidatesTokenCount": 4, "thoughtsTokenCount": 6,
            "totalTokenCount": 29,
        },
        "modelVersion": "m-1-001", "responseId": "r1",
    })
}

fn ollama(text: &str, ending: Ending) -> Value {
    let reason = match ending {
        Ending::Stop | Ending::Filtered | Ending::Declined => json!("stop"),
        Ending::Length => json!("length"),
        Ending::New => json!("brand_new"),
        Ending::Unsaid => Value::Null,
    };
    json!({
        "model": "m-1:latest", "created_at": "2026-11-04T14:56:49.277302595Z", "done": true,
        "message": {"role": "assistant", "content": text, "thinking": "Hm."},
        "done_reason": reason, "total_duration": 4_883_583_458_i64, "load_duration": 1_334_875,
        "prompt_eval_count": 19, "prompt_eval_duration": 342_546_000, "eval_count": 10,
        "eval_duration": 4_535_599_000_i64,
    })
}
