//! What servers say when they do not answer: their words, shortened and made harmless.

use std::time::Duration;

use rebuttal_model::limits;
use serde_json::Value;

/// What a server says is wrong, in any of the usual places; shortened, on one line.
pub(crate) fn message(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    message_in(&value)
}

/// Reads a body that is parsed already.
pub(crate) fn message_in(value: &Value) -> Option<String> {
    // Gemini sometimes wraps its error in a list.
    let value = value.get(0).unwrap_or(value);
    let error = value.get("error");
    let places = [
        error.and_then(|error| error.get("message")),
        error,
        value.get("message"),
        value.get("detail"),
    ];
    let text = places.into_iter().flatten().find_map(Value::as_str)?;
    // Which field is wrong: some say it nowhere else.
    let field = error.and_then(|error| error.get("param")).and_then(Value::as_str);
    Some(match field.filter(|field| !field.is_empty() && !text.contains(field)) {
        Some(field) => one_line(&format!("{text} ({field})")),
        None => one_line(text),
    })
}

/// The beginning of an answer that is not JSON, for a message.
pub(crate) fn beginning(body: &[u8]) -> String {
    let start = body.get(..body.len().min(limits::SHOWN_CHARS)).unwrap_or_default();
    one_line(&String::from_utf8_lossy(start))
}

/// Shortened. Control characters become blanks, so that a server cannot write to a terminal.
pub(crate) fn one_line(text: &str) -> String {
    let shown = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let text: String = shown.take(limits::SHOWN_CHARS).collect();
    text.trim().to_owned()
}

/// The wait a server asks for in its body. Gemini does so, and sends no `Retry-After`.
pub(crate) fn asked_wait(body: &[u8]) -> Option<Duration> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let value = value.get(0).unwrap_or(&value);
    let details = value.pointer("/error/details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds: f64 = delay.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Whether there is no money left. `OpenAI` says so with the status of a full queue, but waiting
/// does not help.
pub(crate) fn is_out_of_credit(body: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(body) else { return false };
    ["/error/code", "/error/type"].into_iter().any(|place| {
        value
            .pointer(place)
            .and_then(Value::as_str)
            .is_some_and(|code| code == "insufficient_quota")
    })
}

/// Whether a refusal is about the length of what was sent. There is no code for it: these are the
/// words of `OpenAI`, Anthropic, Gemini, Ollama, llama.cpp, vLLM and text-embeddings-inference.
pub(crate) fn is_too_long(status: u16, message: &str) -> bool {
    const SIGNS: [&str; 10] = [
        "maximum context length",
        "maximum input length",
        "exceeds the context length",
        "exceeds maximum context length",
        "exceeds the maximum number of tokens",
        "context size",
        "input is too large",
        "must have less than",
        "too many tokens",
        "too long",
    ];
    let message = message.to_lowercase();
    // A busy server speaks of tokens too: so many a minute.
    let sized = status >= 400 && status != 429;
    status == 413 || (sized && SIGNS.iter().any(|sign| message.contains(sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_found_in_every_usual_place() {
        for body in [
            r#"{"error":{"message":"no","type":"invalid_request_error","code":null}}"#,
            r#"{"type":"error","error":{"type":"not_found_error","message":"no"},"request_id":"r"}"#,
            r#"{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}"#,
            r#"[{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}]"#,
            r#"{"error":{"message":"no","param":""}}"#,
            r#"{"error":"no"}"#,
            r#"{"message":"no"}"#,
            r#"{"detail":"no"}"#,
        ] {
            assert_eq!(message(body.as_bytes()).as_deref(), Some("no"), "{body}");
        }
        let field = r#"{"error":{"message":"Required","param":"text.format"}}"#;
        assert_eq!(message(field.as_bytes()).as_deref(), Some("Required (text.format)"));
        for none in ["", "[]", "{}", "7", r#"{"error":{"message":7}}"#, "<html>"] {
            assert_eq!(message(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn words_of_a_server_cannot_steer_a_terminal() {
        assert_eq!(one_line("\u{1b}[2J a\nb\0"), "[2J a b");
        assert_eq!(one_line(&"é".repeat(1000)).chars().count(), limits::SHOWN_CHARS);
        assert_eq!(beginning(b"<html>\xff\x07"), "<html>\u{fffd}");
    }

    #[test]
    fn gemini_asks_for_time_in_its_body() {
        let body = |delay: &str| {
            format!(
                r#"{{"error":{{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[
                {{"@type":"type.googleapis.com/google.rpc.Help"}},
                {{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"{delay}"}}]}}}}"#
            )
        };
        assert_eq!(asked_wait(body("34s").as_bytes()), Some(Duration::from_secs(34)));
        assert_eq!(asked_wait(body("0.25s").as_bytes()), Some(Duration::from_millis(250)));
        for none in ["34", "-1s", "NaNs", "s"] {
            assert_eq!(asked_wait(body(none).as_bytes()), None, "{none}");
        }
        assert_eq!(asked_wait(b"{}"), None);
    }

    #[test]
    fn an_empty_purse_is_told_from_a_full_queue() {
        let body = |code: &str| format!(r#"{{"error":{{"message":"m","code":"{code}"}}}}"#);
        assert!(is_out_of_credit(body("insufficient_quota").as_bytes()));
        assert!(!is_out_of_credit(body("rate_limit_exceeded").as_bytes()));
        assert!(!is_out_of_credit(b"<html>"));
    }

    #[test]
    fn refusals_for_length_are_known_by_their_words() {
        for message in [
            "This model's maximum context length is 8192 tokens, however you requested 9000 tokens",
            "Invalid 'input[1]': maximum input length is 8192 tokens.",
            "the input length exceeds the context length",
            "input is too large to process. increase the physical batch size",
            "inputs must have less than 512 tokens. Given: 600",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ] {
            assert!(is_too_long(400, message), "{message}");
        }
        assert!(is_too_long(413, ""));
        assert!(!is_too_long(404, "model not found"));
        assert!(!is_too_long(429, "too many tokens per minute"));
    }
}
