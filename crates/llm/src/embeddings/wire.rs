//! The two formats: what is sent, and what an answer must look like.

use rebuttal_model::limits;
use serde::{Deserialize, Serialize};

use super::Api;
use crate::said::{beginning, message};

/// A request in the `OpenAI` format.
#[derive(Debug, Serialize)]
struct OpenAiRequest<'t> {
    model: &'t str,
    input: &'t [&'t str],
    encoding_format: &'static str,
}

/// A request in the Ollama format. Without `truncate: false` the end of a long text is cut off in
/// silence, and its vector is another text's.
#[derive(Debug, Serialize)]
struct OllamaRequest<'t> {
    model: &'t str,
    input: &'t [&'t str],
    truncate: bool,
}

/// A reply in `OpenAI`'s form.
#[derive(Debug, Deserialize)]
struct OpenAiAnswer {
    data: Vec<OpenAiItem>,
}

/// One vector of it, with the place of its text.
#[derive(Debug, Deserialize)]
struct OpenAiItem {
    index: Option<usize>,
    embedding: Vec<Option<f64>>,
}

/// A reply in Ollama's form.
#[derive(Debug, Deserialize)]
struct OllamaAnswer {
    embeddings: Vec<Vec<Option<f64>>>,
}

/// The body of a request.
pub(crate) fn request(api: Api, model: &str, texts: &[&str]) -> serde_json::Result<Vec<u8>> {
    match api {
        Api::OpenAi => {
            serde_json::to_vec(&OpenAiRequest { model, input: texts, encoding_format: "float" })
        }
        Api::Ollama => serde_json::to_vec(&OllamaRequest { model, input: texts, truncate: false }),
    }
}

/// The vectors of `count` texts, in the order they were sent; or what is wrong with the answer.
pub(crate) fn read(api: Api, body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, String> {
    let rows = match api {
        Api::OpenAi => in_order(parse::<OpenAiAnswer>(body)?.data, count)?,
        Api::Ollama => parse::<OllamaAnswer>(body)?.embeddings,
    };
    if rows.len() != count {
        return Err(format!("{} vectors for {count} texts", rows.len()));
    }
    let length = rows.first().map_or(0, Vec::len);
    if length == 0 || length > limits::EMBEDDING_NUMBERS {
        return Err(format!("vectors of {length} numbers"));
    }
    rows.iter().enumerate().map(|(at, row)| vector(at, row, length)).collect()
}

/// Reads JSON; what is wrong with it is said without its content.
fn parse<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| {
        // Some servers report errors with status 200.
        message(body).map_or_else(
            || format!("{error}; it begins {:?}", beginning(body)),
            |message| format!("an error: {message}"),
        )
    })
}

/// Servers may answer in any order and say which is which; some leave the numbers out.
fn in_order(items: Vec<OpenAiItem>, count: usize) -> Result<Vec<Vec<Option<f64>>>, String> {
    if items.iter().all(|item| item.index.is_none()) {
        return Ok(items.into_iter().map(|item| item.embedding).collect());
    }
    let mut rows: Vec<Option<Vec<Option<f64>>>> = vec![None; count];
    for item in items {
        let index = item.index.ok_or("some vectors have no index")?;
        let row = rows.get_mut(index).ok_or_else(|| format!("index {index} of {count} texts"))?;
        if row.replace(item.embedding).is_some() {
            return Err(format!("index {index} twice"));
        }
    }
    let missing = rows.iter().position(Option::is_none);
    missing.map_or(Ok(()), |at| Err(format!("no vector for text {at} of {count}")))?;
    Ok(rows.into_iter().flatten().collect())
}

/// A vector of the expected length whose numbers are all finite.
fn vector(at: usize, row: &[Option<f64>], length: usize) -> Result<Vec<f32>, String> {
    if row.len() != length {
        return Err(format!("vectors of {length} and of {} numbers in one answer", row.len()));
    }
    row.iter()
        .map(|value| {
            #[expect(clippy::cast_possible_truncation, reason = "vectors are kept in f32")]
            let value = value.map(|value| value as f32).filter(|value| value.is_finite());
            value.ok_or_else(|| format!("vector {at} holds what is no number"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openai(body: &str, count: usize) -> Result<Vec<Vec<f32>>, String> {
        read(Api::OpenAi, body.as_bytes(), count)
    }

    #[test]
    fn requests_are_what_the_servers_document() {
        let text = |api| String::from_utf8(request(api, "m", &["a", "\"b\""]).unwrap()).unwrap();
        assert_eq!(
            text(Api::OpenAi),
            r#"{"model":"m","input":["a","\"b\""],"encoding_format":"float"}"#
        );
        assert_eq!(text(Api::Ollama), r#"{"model":"m","input":["a","\"b\""],"truncate":false}"#);
    }

    #[test]
    fn vectors_come_in_the_order_of_the_texts() {
        let shuffled = r#"{"object":"list","data":[
            {"object":"embedding","index":1,"embedding":[3,4]},
            {"object":"embedding","index":0,"embedding":[1,2.5]}],"model":"m","usage":{}}"#;
        assert_eq!(openai(shuffled, 2).unwrap(), [[1.0, 2.5], [3.0, 4.0]]);
        let unnumbered = r#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#;
        assert_eq!(openai(unnumbered, 2).unwrap(), [[1.0], [2.0]]);
        let ollama = br#"{"model":"m","embeddings":[[1,2],[3,4]],"total_duration":1}"#;
        assert_eq!(read(Api::Ollama, ollama, 2).unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
    }

    #[test]
    fn wrong_answers_are_named() {
        for (body, count, reason) in [
            (r#"{"data":[{"index":0,"embedding":[1]}]}"#, 2, "no vector for text 1 of 2"),
            (r#"{"data":[{"embedding":[1]}]}"#, 2, "1 vectors for 2 texts"),
            (r#"{"data":[{"index":2,"embedding":[1]}]}"#, 2, "index 2 of 2 texts"),
            (
                r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
                2,
                "index 0 twice",
            ),
            (
                r#"{"data":[{"index":0,"embedding":[1]},{"embedding":[1]}]}"#,
                2,
                "some vectors have no index",
            ),
            (
                r#"{"data":[{"embedding":[1]},{"embedding":[1,2]}]}"#,
                2,
                "vectors of 1 and of 2 numbers in one answer",
            ),
            (r#"{"data":[{"embedding":[null]}]}"#, 1, "vector 0 holds what is no number"),
            (r#"{"data":[{"embedding":[1e300]}]}"#, 1, "vector 0 holds what is no number"),
            (r#"{"data":[{"embedding":[]}]}"#, 1, "vectors of 0 numbers"),
            (r#"{"error":{"message":"no such model"}}"#, 1, "an error: no such model"),
            (r#"{"error":"busy"}"#, 1, "an error: busy"),
        ] {
            assert_eq!(openai(body, count).unwrap_err(), reason, "{body}");
        }
        for (body, part) in [
            (r#"{"data":[{"embedding":[NaN]}]}"#, "expected value"),
            (r#"{"data":[{"embedding":[1e999]}]}"#, "out of range"),
            (r#"{"data":[{"embedding":"AAAA"}]}"#, "invalid type: string"),
            ("<html>\u{1b}[2J bad gateway", "it begins \"<html> [2J bad gateway\""),
            ("", "EOF"),
            (r#"{"embeddings":[[1]]}"#, "missing field `data`"),
        ] {
            let reason = openai(body, 1).unwrap_err();
            assert!(reason.contains(part), "{body}: {reason}");
        }
        let deep = "[".repeat(10_000);
        assert!(openai(&format!(r#"{{"data":{deep}"#), 1).is_err());
    }
}
