//! What stands after the `?`, and bodies: read field by field, and refused by the field's name.

use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Uri};
use rebuttal::text::nearest;
use serde::de::DeserializeOwned;

use crate::problem::{INVALID, MALFORMED, MEDIA_TYPE, Problem};

/// What stands after the `?`.
#[derive(Debug)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// What was asked, of what can be asked.
    pub(crate) fn of(uri: &Uri, known: &[&str]) -> Result<Self, Problem> {
        let pairs: Vec<(String, String)> =
            form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
                .into_owned()
                .collect();
        for (at, (name, _)) in pairs.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                return Err(unknown(name, known));
            }
            if pairs.iter().take(at).any(|(before, _)| before == name) {
                return Err(Problem::new(INVALID, format!("`{name}` is given twice")));
            }
        }
        Ok(Self(pairs))
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find_map(|(known, value)| (known == name).then_some(value.as_str()))
    }

    /// A value by its words, or what is wrong with it.
    pub(crate) fn parsed<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Problem>
    where
        T::Err: std::fmt::Display,
    {
        let parse = |value: &str| {
            value.parse().map_err(|wrong| {
                let shown: String = value.chars().take(60).collect();
                Problem::new(INVALID, format!("`{name}` is {shown:?}: {wrong}"))
            })
        };
        self.text(name).map(parse).transpose()
    }

    /// How many are wanted, within what may be asked for.
    pub(crate) fn limit(&self, usual: u32, most: u32) -> Result<u32, Problem> {
        let limit = self.parsed("limit")?.unwrap_or(usual);
        if (1..=most).contains(&limit) {
            return Ok(limit);
        }
        Err(Problem::new(INVALID, format!("`limit` is {limit}, not from 1 to {most}")))
    }

    /// `true` or `false`; `false` if nothing is said.
    pub(crate) fn is_set(&self, name: &str) -> Result<bool, Problem> {
        match self.text(name) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1" | "") => Ok(true),
            Some(_) => Err(Problem::new(INVALID, format!("`{name}` is neither true nor false"))),
        }
    }

    /// A word of an enumeration, by its name in JSON.
    pub(crate) fn word<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Problem> {
        let Some(word) = self.text(name) else { return Ok(None) };
        let value = serde_json::Value::String(word.to_owned());
        serde_json::from_value(value)
            .map(Some)
            .map_err(|wrong| Problem::new(INVALID, format!("`{name}`: {wrong}")))
    }
}

fn unknown(name: &str, known: &[&str]) -> Problem {
    let name: String = name.chars().take(60).collect();
    let problem = Problem::new(INVALID, format!("there is no parameter {name:?} here"));
    match nearest(&name, known) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None if known.is_empty() => problem.hint("this takes no parameters"),
        None => problem.hint(format!("there are {}", known.join(", "))),
    }
}

/// A JSON body as what it should be, or the field that is not.
pub(crate) fn body<T: DeserializeOwned>(headers: &HeaderMap, body: &Bytes) -> Result<T, Problem> {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(Problem::new(MEDIA_TYPE, "the body is not marked as JSON")
            .hint("send `Content-Type: application/json`"));
    }
    parsed(body)
}

/// The same where a body may be left out.
pub(crate) fn body_or_default<T: DeserializeOwned + Default>(
    headers: &HeaderMap,
    bytes: &Bytes,
) -> Result<T, Problem> {
    if bytes.is_empty() { Ok(T::default()) } else { body(headers, bytes) }
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json);
    let value = read.map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        let code = if inner.is_data() { INVALID } else { MALFORMED };
        let place = if path == "." { String::new() } else { format!("`{path}`: ") };
        Problem::new(code, format!("{place}{inner}"))
    })?;
    json.end().map_err(|error| Problem::new(MALFORMED, error.to_string()))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use rebuttal::jobs::DebateRequest;

    use super::*;

    #[test]
    fn a_body_that_is_none_names_the_field() {
        let wrong = |text: &str| parsed::<DebateRequest>(text.as_bytes()).unwrap_err();
        for (text, code, told) in [
            ("{", MALFORMED, "EOF"),
            ("\u{feff}", MALFORMED, "expected"),
            ("[]", INVALID, "expected"),
            ("{}", INVALID, "missing field `question`"),
            (r#"{"task": 7}"#, INVALID, "task"),
            (r#"{"task": "a", "agents": [1]}"#, INVALID, "`agents[0]`"),
            (r#"{"task": "a", "agent": []}"#, INVALID, "unknown field `agent`"),
            (r#"{"task": "a"} x"#, MALFORMED, "trailing"),
        ] {
            let problem = wrong(text);
            assert_eq!(problem.code, code, "{text}: {}", problem.detail);
            assert!(problem.detail.contains(told), "{text}: {}", problem.detail);
        }
    }

    #[test]
    fn a_parameter_nobody_knows_is_refused_with_what_was_meant() {
        let uri: Uri = "/api/debates?limt=3".parse().unwrap();
        let problem = Query::of(&uri, &["limit", "after"]).unwrap_err();
        assert!(problem.document()["hint"].as_str().unwrap().contains("`limit`"));
        let uri: Uri = "/api/debates?limit=3&limit=4".parse().unwrap();
        assert!(Query::of(&uri, &["limit"]).is_err());
        let uri: Uri = "/api/debates?limit=0".parse().unwrap();
        assert!(Query::of(&uri, &["limit"]).unwrap().limit(1, 9).is_err());
    }
}
