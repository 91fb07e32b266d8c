//! The part of JSON Schema that is asked of models, checked here: a model may be told to keep to a
//! schema, but only what was checked has kept to it.

use serde_json::{Map, Value};

use super::Complaint;

/// A schema of which every word is understood and checked.
///
/// The words: `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `minimum`,
/// `maximum`, `minItems`, `maxItems`, `minLength`, `maxLength`, and `description` and `title`,
/// which say nothing to check.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    schema: Value,
    /// Other names of fields, with the name each stands for.
    aliases: Vec<(&'static str, &'static str)>,
}

/// A schema with a word that would not be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this schema cannot be checked: {0}")]
pub struct SchemaError(String);

/// Most complaints about one value. A model that is told of more reads none.
const COMPLAINTS: usize = 8;

/// Words that say nothing to check.
const NOTES: [&str; 2] = ["description", "title"];

impl Schema {
    /// A schema as JSON Schema has it. A word that would not be checked is refused, wherever it
    /// stands.
    pub fn new(schema: Value) -> Result<Self, SchemaError> {
        understood(&schema, "").map_err(SchemaError)?;
        Ok(Self { schema, aliases: Vec::new() })
    }

    /// Lets other names stand for a field of the whole. Where both are there they must agree.
    #[must_use]
    pub fn with_aliases(mut self, field: &'static str, names: &[&'static str]) -> Self {
        self.aliases.extend(names.iter().map(|name| (*name, field)));
        self
    }

    /// The schema as JSON Schema has it.
    pub fn as_json(&self) -> &Value {
        &self.schema
    }

    /// The fields that must be there.
    pub(super) fn required(&self) -> Vec<&str> {
        self.schema.get("required").and_then(strings).unwrap_or_default()
    }

    /// What is wrong with a value; nothing if it keeps to the schema.
    pub fn complaints(&self, value: &Value) -> Vec<Complaint> {
        let mut found = Found(Vec::new());
        found.check(&self.schema, value, "");
        found.0
    }

    /// A value without what is harmless: fields nobody asked for, nulls where a field may be
    /// missing, texts and lists beyond their limits. Then it must keep to the schema.
    pub(super) fn settle(&self, mut object: Map<String, Value>) -> Result<Value, Vec<Complaint>> {
        for (name, field) in &self.aliases {
            let Some(value) = object.remove(*name) else { continue };
            let known = object.entry(*field).or_insert_with(|| value.clone());
            if *known != value {
                let what = format!("{field:?} and {name:?} say different things");
                return Err(vec![Complaint { place: String::new(), what }]);
            }
        }
        let mut value = Value::Object(object);
        trim(&self.schema, &mut value);
        let complaints = self.complaints(&value);
        if complaints.is_empty() { Ok(value) } else { Err(complaints) }
    }
}

/// Takes away what is harmless.
fn trim(schema: &Value, value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(most) = bound(schema, "maxLength") {
                shorten(text, most);
            }
        }
        Value::Array(items) => {
            if let Some(most) = bound(schema, "maxItems") {
                items.truncate(most);
            }
            if let Some(each) = schema.get("items") {
                for item in items {
                    trim(each, item);
                }
            }
        }
        Value::Object(fields) => {
            let known = schema.get("properties").and_then(Value::as_object);
            let required = schema.get("required").and_then(strings).unwrap_or_default();
            let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
            fields.retain(|name, value| match known.and_then(|known| known.get(name)) {
                Some(_) => !value.is_null() || required.contains(&name.as_str()),
                None => !closed && !value.is_null(),
            });
            for (name, value) in fields {
                if let Some(field) = known.and_then(|known| known.get(name)) {
                    trim(field, value);
                }
            }
        }
        _ => {}
    }
}

/// Cuts a text to so many characters, after a word, with a mark where it was cut.
fn shorten(text: &mut String, most: usize) {
    let Some((end, _)) = text.char_indices().nth(most) else { return };
    let last = text.char_indices().nth(most.saturating_sub(1)).map_or(end, |(at, _)| at);
    let kept = text.get(..last).unwrap_or_default();
    let word = kept.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(last);
    text.truncate(word);
    text.push('…');
}

fn bound(schema: &Value, word: &str) -> Option<usize> {
    schema.get(word).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok())
}

/// Whether every word of a schema is one that [`Found::check`] checks.
fn understood(schema: &Value, place: &str) -> Result<(), String> {
    let Some(words) = schema.as_object() else {
        return Err(format!("at {place:?} there is no object"));
    };
    for (word, meaning) in words {
        let known = match word.as_str() {
            "type" => types(meaning).is_some(),
            "required" => strings(meaning).is_some(),
            "enum" => meaning.as_array().is_some_and(|values| !values.is_empty()),
            "minimum" | "maximum" => meaning.is_number(),
            "minItems" | "maxItems" | "minLength" | "maxLength" => meaning.is_u64(),
            "additionalProperties" => meaning.is_boolean(),
            "items" => {
                understood(meaning, &format!("{place}/items"))?;
                true
            }
            "properties" => {
                let none = || format!("at {place:?} `properties` is no object");
                for (name, field) in meaning.as_object().ok_or_else(none)? {
                    understood(field, &format!("{place}/properties/{name}"))?;
                }
                true
            }
            note => NOTES.contains(&note),
        };
        if !known {
            return Err(format!("at {place:?} the word `{word}` is not one that is checked"));
        }
    }
    Ok(())
}

fn strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

fn types(value: &Value) -> Option<Vec<&str>> {
    let types = value.as_str().map(|one| vec![one]).or_else(|| strings(value))?;
    (!types.is_empty() && types.iter().all(|one| TYPES.contains(one))).then_some(types)
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        // 3.0 is a whole number too, says JSON Schema.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// What was found wrong so far.
struct Found(Vec<Complaint>);

impl Found {
    fn say(&mut self, place: &str, what: String) {
        if self.0.len() < COMPLAINTS {
            self.0.push(Complaint { place: place.to_owned(), what });
        }
    }

    fn check(&mut self, schema: &Value, value: &Value, place: &str) {
        let Some(kinds) = schema.get("type").map_or(Some(Vec::new()), types) else { return };
        if !kinds.is_empty() && !kinds.iter().any(|kind| is_of(value, kind)) {
            return self
                .say(place, format!("must be {}, not {}", kinds.join(" or "), kind_of(value)));
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array)
            && !values.contains(value)
        {
            let known: Vec<String> = values.iter().map(Value::to_string).collect();
            self.say(place, format!("must be one of {}", known.join(", ")));
        }
        self.number(schema, value, place);
        if let Some(text) = value.as_str() {
            self.text(schema, text, place);
        }
        if let Some(items) = value.as_array() {
            self.list(schema, items, place);
        }
        if let Some(fields) = value.as_object() {
            self.fields(schema, fields, place);
        }
    }

    fn number(&mut self, schema: &Value, value: &Value, place: &str) {
        let Some(number) = value.as_f64() else { return };
        let bound = |word: &str| schema.get(word).and_then(Value::as_f64);
        if let Some(least) = bound("minimum").filter(|least| number < *least) {
            self.say(place, format!("must be at least {least}"));
        }
        if let Some(most) = bound("maximum").filter(|most| number > *most) {
            self.say(place, format!("must be at most {most}"));
        }
    }

    fn text(&mut self, schema: &Value, text: &str, place: &str) {
        let count = text.chars().count();
        if let Some(most) = bound(schema, "maxLength").filter(|most| count > *most) {
            self.say(place, format!("must have at most {most} characters"));
        }
        if let Some(least) = bound(schema, "minLength").filter(|least| count < *least) {
            self.say(place, format!("must have at least {least} characters"));
        }
    }

    fn list(&mut self, schema: &Value, items: &[Value], place: &str) {
        if let Some(most) = bound(schema, "maxItems").filter(|most| items.len() > *most) {
            self.say(place, format!("must have at most {most} items"));
        }
        if let Some(least) = bound(schema, "minItems").filter(|least| items.len() < *least) {
            self.say(place, format!("must have at least {least} items"));
        }
        if let Some(each) = schema.get("items") {
            for (at, item) in items.iter().enumerate() {
                self.check(each, item, &format!("{place}/{at}"));
            }
        }
    }

    fn fields(&mut self, schema: &Value, fields: &Map<String, Value>, place: &str) {
        let known = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(strings).unwrap_or_default();
        for name in required.into_iter().filter(|name| !fields.contains_key(*name)) {
            self.say(place, format!("lacks the field {name:?}"));
        }
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        for (name, value) in fields {
            let field = known.and_then(|known| known.get(name));
            match field {
                Some(field) => self.check(field, value, &format!("{place}/{name}")),
                None if closed => {
                    let name: String = name.chars().take(40).collect();
                    self.say(place, format!("must not have the field {name:?}"));
                }
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ballot() -> Schema {
        let schema = json!({
            "type": "object", "title": "A ballot", "additionalProperties": false,
            "required": ["vote", "conviction"],
            "properties": {
                "vote": {"type": "string", "enum": ["yes", "no"]},
                "conviction": {"type": "number", "minimum": 0, "maximum": 1},
                "note": {"type": "string", "minLength": 2, "maxLength": 4},
                "round": {"type": ["integer", "null"]},
                "reasons": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string"}},
            },
        });
        Schema::new(schema).unwrap()
    }

    fn complaints(value: &Value) -> Vec<String> {
        ballot().complaints(value).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_fits_fits() {
        assert_eq!(complaints(&json!({"vote": "yes", "conviction": 1})), [""; 0]);
        let full = json!({"vote": "no", "conviction": 0.5, "round": 3.0, "reasons": ["a", "b"]});
        assert_eq!(complaints(&full), [""; 0]);
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_place() {
        for (value, expected) in [
            (json!([]), "must be object, not an array"),
            (json!({"conviction": 1}), "lacks the field \"vote\""),
            (json!({"vote": "maybe", "conviction": 1}), "/vote: must be one of \"yes\", \"no\""),
            (json!({"vote": 1, "conviction": 1}), "/vote: must be string, not a number"),
            (json!({"vote": "yes", "conviction": 1.1}), "/conviction: must be at most 1"),
            (json!({"vote": "yes", "conviction": -1}), "/conviction: must be at least 0"),
            (
                json!({"vote": "yes", "conviction": "1"}),
                "/conviction: must be number, not a string",
            ),
            (json!({"vote": "yes", "conviction": 1, "x": 1}), "must not have the field \"x\""),
            (
                json!({"vote": "yes", "conviction": 1, "round": 1.5}),
                "/round: must be integer or null",
            ),
            (
                json!({"vote": "yes", "conviction": 1, "reasons": []}),
                "/reasons: must have at least 1",
            ),
            (json!({"vote": "yes", "conviction": 1, "reasons": ["", "", ""]}), "at most 2 items"),
            (
                json!({"vote": "yes", "conviction": 1, "note": "ééééé"}),
                "/note: must have at most 4",
            ),
            (json!({"vote": "yes", "conviction": 1, "note": "é"}), "/note: must have at least 2"),
            (
                json!({"vote": "yes", "conviction": 1, "reasons": ["a", 1]}),
                "/reasons/1: must be string",
            ),
        ] {
            let found = complaints(&value);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(expected), "{found:?}");
        }
    }

    #[test]
    fn complaints_are_few() {
        let fields: Map<String, Value> = (0..99).map(|n| (format!("f{n}"), json!(n))).collect();
        assert_eq!(complaints(&Value::Object(fields)).len(), COMPLAINTS);
    }

    #[test]
    fn a_word_that_nobody_checks_is_refused() {
        for (schema, word) in [
            (json!({"type": "object", "patternProperties": {}}), "patternProperties"),
            (json!({"properties": {"a": {"format": "date"}}}), "format"),
            (json!({"items": {"anyOf": []}}), "anyOf"),
            (json!({"items": {"type": "string"}, "oneOf": []}), "oneOf"),
            (json!({"type": "text"}), "type"),
            (json!({"additionalProperties": {}}), "additionalProperties"),
            (json!({"required": [1]}), "required"),
            (json!(true), "no object"),
        ] {
            let error = Schema::new(schema).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
