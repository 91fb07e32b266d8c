//! The form of a structured reply: named fields, each with what may stand in it.
//!
//! A [`Shape`] becomes a JSON Schema for servers, and is read back from one; the local model writes
//! by it, so that what it says always has the form.

use serde_json::{Map, Value, json};

/// The fields of a reply, in the order they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    fields: Vec<Field>,
}

/// One field of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    name: String,
    about: String,
    kind: Kind,
}

/// What may stand in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words, at most so many characters.
    Text {
        /// Most characters.
        chars_max: usize,
    },
    /// One of the listed options.
    Choice {
        /// What may be chosen; never empty.
        options: Vec<String>,
    },
    /// A number from 0 to 1.
    Share {
        /// Digits behind the point: 1 or 2.
        decimals: usize,
    },
    /// A whole number from 0 up.
    Number,
    /// Several short texts.
    List {
        /// Most entries.
        items_max: usize,
        /// Most characters of each.
        chars_max: usize,
    },
    /// Several short texts, each with the number of what it answers: `{"item": 1, "text": "…"}`.
    Numbered {
        /// Most entries.
        items_max: usize,
        /// Most characters of each.
        chars_max: usize,
    },
}

/// What is taken where a schema gives no limit.
const CHARS: usize = 400;
/// Items of a list whose schema sets no limit.
const ITEMS: usize = 3;
/// The most of each that is believed.
const CHARS_MAX: usize = 4000;
/// Most items of a list, whatever its schema says: each is written by the model.
const ITEMS_MAX: usize = 16;
/// The most numbered texts: a small model says the same to all of them.
const NUMBERED_MAX: usize = 3;
/// What it means not to choose. A small model has favourites and no reason to abstain.
const ABSTAIN: &str = "abstain";

impl Shape {
    /// These fields, in this order.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Self {
        Self { fields: fields.into_iter().collect() }
    }

    /// The fields, in the order they are written.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The shape as a JSON Schema: an object, every property required, no others allowed.
    pub fn schema(&self) -> Value {
        let properties = self.fields.iter().map(|field| (field.name.clone(), field.schema()));
        let properties: Map<String, Value> = properties.collect();
        let names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": names,
            "additionalProperties": false
        })
    }

    /// Reads a JSON Schema of this kind; or says which property is of another. Fields stand in the
    /// order of `required`, because a schema's properties have none.
    pub fn from_schema(schema: &Value) -> Result<Self, String> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.ok_or("the schema is no object with properties")?;
        let required = schema.get("required").and_then(Value::as_array);
        let required = required.map(Vec::as_slice).unwrap_or_default();
        let first: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        let rest = properties.keys().map(String::as_str).filter(|name| !first.contains(name));
        let names: Vec<&str> = first.iter().copied().chain(rest).collect();
        let field = |name: &str| {
            let property = properties.get(name).ok_or_else(|| format!("no property {name:?}"))?;
            let kind = Kind::from_schema(property)
                .ok_or_else(|| format!("property {name:?} is of a kind that cannot be written"))?;
            let about = property.get("description").and_then(Value::as_str).unwrap_or_default();
            Ok(Field { name: name.to_owned(), about: about.to_owned(), kind })
        };
        let fields = names.into_iter().map(field).collect::<Result<Vec<_>, String>>()?;
        if fields.is_empty() {
            Err("the schema has no properties".to_owned())
        } else {
            Ok(Self { fields })
        }
    }
}

impl Field {
    /// Words, at most so many characters.
    pub fn text(name: impl Into<String>, chars_max: usize) -> Self {
        Self::of(name, Kind::Text { chars_max })
    }

    /// One of these options.
    pub fn choice<O: Into<String>>(
        name: impl Into<String>,
        options: impl IntoIterator<Item = O>,
    ) -> Self {
        Self::of(name, Kind::Choice { options: options.into_iter().map(Into::into).collect() })
    }

    /// A number from 0 to 1, with one or two digits behind the point.
    pub fn share(name: impl Into<String>, decimals: usize) -> Self {
        Self::of(name, Kind::Share { decimals: decimals.clamp(1, 2) })
    }

    /// A whole number from 0 up.
    pub fn number(name: impl Into<String>) -> Self {
        Self::of(name, Kind::Number)
    }

    /// Several short texts, each with the number of what it answers.
    pub fn numbered(name: impl Into<String>, items_max: usize, chars_max: usize) -> Self {
        Self::of(name, Kind::Numbered { items_max, chars_max })
    }

    /// Several short texts.
    pub fn list(name: impl Into<String>, items_max: usize, chars_max: usize) -> Self {
        Self::of(name, Kind::List { items_max, chars_max })
    }

    /// Adds a word on what belongs there. It stands in the schema, and the local model
    /// has it before its eyes when it writes the field: `{name}` in it stands for what was chosen
    /// in the field of that name, and after words that end in "..." it goes on with the sentence.
    #[must_use]
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = about.into();
        self
    }

    /// A field of a kind.
    fn of(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), about: String::new(), kind }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What belongs there; may be empty.
    pub fn described(&self) -> &str {
        &self.about
    }

    /// What may stand in it.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The field as a JSON schema.
    fn schema(&self) -> Value {
        let mut schema = match &self.kind {
            Kind::Text { chars_max } => json!({"type": "string", "maxLength": chars_max}),
            Kind::Choice { options } => json!({"type": "string", "enum": options}),
            Kind::Share { decimals } => {
                let step = if *decimals == 1 { 0.1 } else { 0.01 };
                json!({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": step})
            }
            Kind::Number => json!({"type": ["number", "null"]}),
            Kind::Numbered { items_max, chars_max } => {
                let text = json!({"type": "string", "maxLength": chars_max});
                let item = json!({
                    "type": "object",
                    "properties": {"item": {"type": "integer"}, "text": text},
                    "required": ["item", "text"],
                    "additionalProperties": false,
                });
                json!({"type": "array", "items": item, "maxItems": items_max})
            }
            Kind::List { items_max, chars_max } => {
                let item = json!({"type": "string", "maxLength": chars_max});
                json!({"type": "array", "items": item, "maxItems": items_max})
            }
        };
        if let (Some(schema), false) = (schema.as_object_mut(), self.about.is_empty()) {
            schema.insert("description".to_owned(), json!(self.about));
        }
        schema
    }
}

impl Kind {
    /// The kind that a schema describes; `None` where this model cannot write such a thing.
    fn from_schema(schema: &Value) -> Option<Self> {
        let limit = |schema: &Value, name: &str, usual: usize, max: usize| {
            let given = schema.get(name).and_then(Value::as_u64);
            given.map_or(usual, |given| usize::try_from(given).unwrap_or(max).clamp(1, max))
        };
        if let Some(options) = schema.get("enum").and_then(Value::as_array) {
            let mut texts: Vec<String> =
                options.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let all = texts.len() == options.len() && !texts.is_empty();
            if texts.len() > 2 && texts.last().is_some_and(|last| last == ABSTAIN) {
                texts.pop();
            }
            return all.then_some(Self::Choice { options: texts });
        }
        // Where something may be null, the model says what it is instead.
        let kind = schema.get("type")?;
        let named = |kind: &&Value| kind.as_str().is_some_and(|name| name != "null");
        let kind = kind.as_array().map_or(Some(kind), |kinds| kinds.iter().find(named))?;
        match kind.as_str()? {
            "string" => {
                Some(Self::Text { chars_max: limit(schema, "maxLength", CHARS, CHARS_MAX) })
            }
            "number" => {
                let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
                let share = bound("minimum") == Some(0.0) && bound("maximum") == Some(1.0);
                let decimals = if bound("multipleOf") == Some(0.1) { 1 } else { 2 };
                Some(if share { Self::Share { decimals } } else { Self::Number })
            }
            "integer" => Some(Self::Number),
            "array" => {
                let items = schema.get("items")?;
                let part = |name: &str| items.get("properties").and_then(|all| all.get(name));
                if let (Some(_), Some(text)) = (part("item"), part("text")) {
                    return Some(Self::Numbered {
                        items_max: limit(schema, "maxItems", ITEMS, NUMBERED_MAX),
                        chars_max: limit(text, "maxLength", CHARS, CHARS_MAX),
                    });
                }
                let text = items.get("type").and_then(Value::as_str) == Some("string");
                text.then(|| Self::List {
                    items_max: limit(schema, "maxItems", ITEMS, ITEMS_MAX),
                    chars_max: limit(items, "maxLength", CHARS, CHARS_MAX),
                })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_survives_its_schema() {
        let shape = Shape::new([
            Field::choice("answer", ["yes", "no"]).about("your answer"),
            Field::share("conviction", 1),
            Field::share("doubt", 2),
            Field::text("thesis", 200),
            Field::list("evidence", 2, 120),
            Field::number("replicas"),
            Field::numbered("rebuttals", 2, 120),
        ]);
        assert_eq!(Shape::from_schema(&shape.schema()), Ok(shape));
    }

    #[test]
    fn schemas_of_other_kinds_are_refused_by_name() {
        for (schema, reason) in [
            (json!({"type": "string"}), "no object"),
            (json!({"properties": {}}), "no properties"),
            (json!({"properties": {}, "required": ["a"]}), "no property \"a\""),
            (json!({"properties": {"a": {"type": "object"}}}), "\"a\" is of a kind"),
            (json!({"properties": {"a": {"enum": [1, 2]}}}), "\"a\" is of a kind"),
            (json!({"properties": {"a": {"type": "array", "items": {}}}}), "\"a\" is of a kind"),
        ] {
            let error = Shape::from_schema(&schema).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn what_a_schema_leaves_open_is_bounded() {
        let schema = json!({"properties": {
            "a": {"type": "string"},
            "b": {"type": "array", "items": {"type": "string", "maxLength": 1_u64 << 40}},
        }});
        let kinds: Vec<Kind> = Shape::from_schema(&schema)
            .unwrap()
            .fields
            .into_iter()
            .map(|field| field.kind)
            .collect();
        assert_eq!(
            kinds,
            [
                Kind::Text { chars_max: CHARS },
                Kind::List { items_max: ITEMS, chars_max: CHARS_MAX },
            ]
        );
    }
}
