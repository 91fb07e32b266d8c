//! One neutral schema, as each provider takes it.
//!
//! What is sent is the strictest subset that all of them take: every field required, `null` instead
//! of a missing field, no other fields, no limits on numbers, lengths or counts. Limits are said in
//! the descriptions instead, and checked here when the reply is read. Where each rule comes from
//! stands in `docs/providers.md`.

use rebuttal_model::structured::Schema;
use serde_json::{Map, Value, json};

/// Which spelling of a schema a field of a request takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// JSON Schema: `OpenAI`, Anthropic, Ollama, Gemini's `responseJsonSchema`.
    JsonSchema,
    /// The part of `OpenAPI` that Gemini's tools take: it knows no `additionalProperties` and no
    /// lists of types.
    OpenApi,
}

/// The schema as it is sent.
pub(crate) fn on_the_wire(schema: &Schema, dialect: Dialect) -> Value {
    node(schema.as_json(), dialect, false)
}

/// A schema in a provider's dialect. What it cannot say is left out here, and checked when the
/// reply is read.
fn node(schema: &Value, dialect: Dialect, nullable: bool) -> Value {
    let mut sent = Map::new();
    if let Some(kind) = schema.get("type") {
        put_type(&mut sent, kind, dialect, nullable);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let mut values = values.clone();
        if nullable && dialect == Dialect::JsonSchema && !values.contains(&Value::Null) {
            values.push(Value::Null);
        }
        sent.insert("enum".to_owned(), values.into());
    }
    if let Some(words) = description(schema) {
        sent.insert("description".to_owned(), words.into());
    }
    if let Some(items) = schema.get("items") {
        sent.insert("items".to_owned(), node(items, dialect, false));
    }
    if let Some(fields) = schema.get("properties").and_then(Value::as_object) {
        put_fields(&mut sent, fields, schema.get("required"), dialect);
    } else if schema.get("type").and_then(Value::as_str) == Some("object") {
        put_fields(&mut sent, &Map::new(), None, dialect);
    }
    sent.into()
}

/// Writes the type of a value, in the dialect's way of saying that it may be null.
fn put_type(sent: &mut Map<String, Value>, kind: &Value, dialect: Dialect, nullable: bool) {
    let mut kinds: Vec<Value> = kind.as_array().cloned().unwrap_or_else(|| vec![kind.clone()]);
    let null = json!("null");
    if nullable && !kinds.contains(&null) {
        kinds.push(null.clone());
    }
    if dialect == Dialect::OpenApi && kinds.contains(&null) {
        kinds.retain(|kind| *kind != null);
        sent.insert("nullable".to_owned(), true.into());
    }
    let kind = match (&kinds[..], dialect) {
        ([one], _) | ([one, ..], Dialect::OpenApi) => one.clone(),
        _ => kinds.into(),
    };
    sent.insert("type".to_owned(), kind);
}

/// Writes the fields of an object. Where every field must be required, those that were optional may
/// be null.
fn put_fields(
    sent: &mut Map<String, Value>,
    fields: &Map<String, Value>,
    required: Option<&Value>,
    dialect: Dialect,
) {
    let required = required.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_required = |name: &str| required.iter().any(|one| one.as_str() == Some(name));
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, field)| (name.clone(), node(field, dialect, !is_required(name))))
        .collect();
    // The order in which they were asked for is the order in which they are best written.
    let first = required.iter().filter_map(Value::as_str).filter(|name| fields.contains_key(*name));
    let rest = fields.keys().map(String::as_str).filter(|name| !is_required(name));
    let names: Vec<&str> = first.chain(rest).collect();
    sent.insert("properties".to_owned(), properties.into());
    sent.insert("required".to_owned(), names.into());
    if dialect == Dialect::JsonSchema {
        sent.insert("additionalProperties".to_owned(), false.into());
    }
}

/// What a field is, and within which limits.
fn description(schema: &Value) -> Option<String> {
    let said = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let bound = |word: &str| schema.get(word).filter(|bound| bound.is_number());
    let mut limits = Vec::new();
    for (least, most, what) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
    ] {
        limits.extend(match (bound(least), bound(most)) {
            (Some(least), Some(most)) => Some(format!("from {least} to {most}{what}")),
            (Some(least), None) => Some(format!("at least {least}{what}")),
            (None, Some(most)) => Some(format!("at most {most}{what}")),
            (None, None) => None,
        });
    }
    let limits = limits.join(", ");
    match (said.is_empty(), limits.is_empty()) {
        (true, true) => None,
        (true, false) => Some(limits),
        (false, true) => Some(said.to_owned()),
        (false, false) => Some(format!("{said} ({limits})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neutral() -> Schema {
        let note =
            json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}});
        let schema = json!({
            "type": "object", "title": "A ballot", "required": ["vote", "conviction"],
            "properties": {
                "vote": {"type": "string", "enum": ["yes", "no"]},
                "conviction": {"type": "number", "minimum": 0, "maximum": 1},
                "side": {"type": "string", "enum": ["a"]},
                "thesis": {"type": "string", "maxLength": 600, "description": "Why."},
                "notes": {"type": "array", "items": note, "minItems": 1, "maxItems": 3},
            },
        });
        Schema::new(schema).unwrap()
    }

    #[test]
    fn limits_become_words_and_missing_fields_become_null() {
        let n = json!({"type": ["integer", "null"], "description": "at least 1"});
        let note = json!({"type": "object", "properties": {"n": n}, "required": ["n"],
            "additionalProperties": false});
        let expected = json!({
            "type": "object", "additionalProperties": false,
            "required": ["vote", "conviction", "notes", "side", "thesis"],
            "properties": {
                "vote": {"type": "string", "enum": ["yes", "no"]},
                "conviction": {"type": "number", "description": "from 0 to 1"},
                "side": {"type": ["string", "null"], "enum": ["a", null]},
                "thesis": {"type": ["string", "null"], "description": "Why. (at most 600 characters)"},
                "notes": {"type": ["array", "null"], "items": note,
                    "description": "from 1 to 3 items"},
            },
        });
        assert_eq!(on_the_wire(&neutral(), Dialect::JsonSchema), expected);
    }

    #[test]
    fn geminis_tools_take_another_spelling() {
        let sent = on_the_wire(&neutral(), Dialect::OpenApi);
        assert_eq!(
            sent["properties"]["side"],
            json!({"type": "string", "nullable": true, "enum": ["a"]})
        );
        assert!(!sent.to_string().contains("additionalProperties"), "{sent}");
    }

    #[test]
    fn an_object_without_fields_is_closed_too() {
        let schema = Schema::new(json!({"type": "object"})).unwrap();
        let expected = json!({"type": "object", "properties": {}, "required": [],
            "additionalProperties": false});
        assert_eq!(on_the_wire(&schema, Dialect::JsonSchema), expected);
    }
}
