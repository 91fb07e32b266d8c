//! Replies of servers and models.

use rebuttal_llm::structured::{Schema, read};
use rebuttal_llm::{Provider, decode};
use serde_json::json;

/// Reads bytes as the streamed answer of a provider, whole and in pieces: no panic, the same words and the
/// same end either way, and what was heard is the beginning of the reply.
///
/// The first byte says which provider, the second where to cut.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn provider_reply(bytes: &[u8]) {
    let [which, cut, bytes @ ..] = bytes else { return };
    let provider = Provider::ALL[usize::from(*which) % Provider::ALL.len()];
    let told = |pieces: &[&[u8]]| {
        let mut heard = Vec::new();
        let reply =
            decode(provider, pieces.iter().copied(), &mut |words| heard.push(words.to_owned()));
        (heard, reply.map_err(|error| format!("{error} {error:?}")))
    };
    let whole = told(&[bytes]);
    let size = usize::from(*cut).max(1);
    let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
    assert_eq!(told(&pieces), whole, "any split tells the same");
    let (before, after) = bytes.split_at(size.min(bytes.len()));
    assert_eq!(told(&[before, &[], after]), whole, "any split tells the same");
    match whole {
        (heard, Ok(reply)) => {
            assert!(!reply.text.trim().is_empty(), "a reply without a word");
            // Only the format that repeats its reply at the end may have said it otherwise before.
            let same = provider == Provider::OpenAiResponses || heard.concat() == reply.text;
            assert!(same, "what was heard is not the reply");
        }
        (_, Err(error)) => assert!(!error.chars().any(char::is_control), "{error:?}"),
    }
}

/// Reads text as a ballot: no panic, and what fits keeps to the schema with a vote that was written.
///
/// # Panics
///
/// When one of these does not hold: that is the point.
pub fn structured_reply(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["vote"],
        "properties": {
            "vote": {"type": "string", "enum": ["yes", "no"]},
            "conviction": {"type": "number", "minimum": 0, "maximum": 1},
            "why": {"type": "array", "maxItems": 3, "items": {"type": "string"}},
        },
    });
    let schema = Schema::new(schema).expect("a schema that is understood");
    match read(&text, &schema) {
        Ok(found) => {
            assert!(schema.complaints(&found).is_empty(), "it keeps to the schema");
            let vote = found["vote"].as_str().expect("a vote");
            let written = ['"', '\''].map(|quote| text.contains(&format!("{quote}{vote}{quote}")));
            // An escape is another way to write a letter.
            assert!(written.contains(&true) || text.contains("\\u"), "a vote nobody wrote");
        }
        Err(unfit) => assert!(!unfit.to_string().is_empty(), "refused without a word"),
    }
}
