//! JSON without duplicate fields.
//!
//! Of `{"vote": "yes", "vote": "no"}` most readers keep the last and say nothing: a ballot must not
//! hang on that.

use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads one document, at most as deep as `serde_json` goes.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict.deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(value)
}

#[derive(Clone, Copy)]
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let value = fields.next_value_seed(self)?;
            if map.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the field {name:?} is there twice")));
            }
            map.insert(name, value);
        }
        Ok(map.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn documents_are_read_as_serde_reads_them() {
        let text = r#"{"a": [1, -2, 0.5, 1e3, "é\n", null, true], "b": {}}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(parse(" 7 ").unwrap(), json!(7));
    }

    #[test]
    fn doubles_rests_and_depths_are_refused() {
        assert!(
            parse(r#"{"a": 1, "b": {"c": 1, "c": 2}}"#).unwrap_err().contains("\"c\" is there")
        );
        assert!(parse("{} {}").unwrap_err().contains("trailing"));
        assert!(parse(&"[".repeat(10_000)).unwrap_err().contains("recursion limit"));
    }
}
