//! The parameters of operations.

use serde_json::{Value, json};

/// Name in the table of operations, where it is, what it is called, its schema, what it says.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    ("id", "path", "id", r#"{"type": "string"}"#, "the debate"),
    ("name", "path", "name", r#"{"type": "string"}"#, "the agent"),
    ("code", "path", "code", r#"{"type": "string"}"#, "the code"),
    (
        "Idempotency-Key",
        "header",
        "Idempotency-Key",
        r#"{"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"}"#,
        "a word of the client's own: the same word starts one debate, however often it is sent",
    ),
    (
        "Last-Event-ID",
        "header",
        "Last-Event-ID",
        r#"{"type": "integer", "minimum": 0}"#,
        "goes on after this record",
    ),
    (
        "after_seq",
        "query",
        "after",
        r#"{"type": "integer", "minimum": 0}"#,
        "goes on after this record",
    ),
    (
        "status",
        "query",
        "status",
        r#"{"enum": ["running", "unfinished", "waiting", "decided", "undecided", "damaged"]}"#,
        "only debates that stand so",
    ),
    (
        "question",
        "query",
        "question",
        r#"{"type": "string"}"#,
        "only debates whose question contains this",
    ),
    ("after", "query", "after", r#"{"type": "string"}"#, "goes on after `next` of the page before"),
    (
        "limit",
        "query",
        "limit",
        r#"{"type": "integer", "minimum": 1, "maximum": 500}"#,
        "at most so many",
    ),
    (
        "kind",
        "query",
        "kind",
        r#"{"type": "string"}"#,
        "only events of these kinds, with commas between",
    ),
    ("words", "query", "words", r#"{"type": "boolean"}"#, "words as they are said, too"),
    (
        "at",
        "query",
        "at",
        r#"{"type": "integer", "minimum": 1}"#,
        "the number of the record; the last one if not given",
    ),
    (
        "report_format",
        "query",
        "format",
        r#"{"enum": ["html", "md", "json"]}"#,
        "how it is written",
    ),
    (
        "audit_format",
        "query",
        "format",
        r#"{"enum": ["json", "html", "md", "sarif", "junit"]}"#,
        "how it is written",
    ),
    ("agent", "query", "agent", r#"{"type": "string"}"#, "only of this agent"),
    (
        "flip_kind",
        "query",
        "kind",
        r#"{"enum": ["refinement", "qualification", "retraction", "contradiction"]}"#,
        "only of this kind",
    ),
    ("domain", "query", "domain", r#"{"type": "string"}"#, "only in this domain"),
    (
        "silent",
        "query",
        "silent",
        r#"{"type": "boolean"}"#,
        "only those that the agent did not own up to",
    ),
    (
        "since",
        "query",
        "since",
        r#"{"type": "string", "format": "date-time"}"#,
        "only from this time on",
    ),
    (
        "before",
        "query",
        "before",
        r#"{"type": "integer", "minimum": 0}"#,
        "only those before this number",
    ),
    (
        "name_of",
        "query",
        "name",
        r#"{"type": "string", "minLength": 1, "maxLength": 200}"#,
        "what the text is called in findings",
    ),
    ("from", "query", "from", r#"{"type": "string"}"#, "its format, instead of finding out"),
    ("method", "query", "method", r#"{"enum": ["model", "rules", "seed"]}"#, "who decides"),
    (
        "min_severity",
        "query",
        "min_severity",
        r#"{"enum": ["info", "low", "medium", "high"]}"#,
        "leaves milder findings out",
    ),
    (
        "tolerance",
        "query",
        "tolerance",
        r#"{"type": "number", "minimum": 0, "maximum": 1}"#,
        "values may differ by this share",
    ),
];

/// A parameter by its name in the table of operations.
pub(super) fn parameter(name: &str) -> Value {
    let row = ROWS.iter().find(|row| row.0 == name);
    let Some((_, at, called, schema, says)) = row else { return Value::Null };
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    json!({
        "name": called, "in": at, "required": *at == "path", "schema": schema, "description": says,
    })
}

#[cfg(test)]
mod tests {
    use super::super::operations::OPERATIONS;
    use super::*;

    #[test]
    fn every_parameter_is_described() {
        for name in OPERATIONS.iter().flat_map(|operation| operation.parameters) {
            assert!(parameter(name)["schema"].is_object(), "{name}");
        }
    }
}
