//! OTLP's way of writing values: `{"stringValue": …}`, key-value lists, and plain JSON beside them.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::value::Value;

/// The attribute called `name` of a span, an event or a log record.
pub(crate) fn attribute<'a>(holder: Value<'a>, name: &str) -> Option<Value<'a>> {
    let attributes = holder.get("attributes")?;
    if attributes.is_object() {
        return attributes.get(name);
    }
    attributes
        .items()
        .find(|pair| pair.get("key").and_then(Value::str).is_some_and(|key| key == name))
        .and_then(|pair| pair.get("value"))
}

/// The first of several attributes that is there.
pub(crate) fn first<'a>(holder: Value<'a>, names: &[&str]) -> Option<Value<'a>> {
    names.iter().find_map(|name| attribute(holder, name))
}

/// A value as text: a name, a number, a message.
pub(crate) fn text(value: Value<'_>) -> Option<Cow<'_, str>> {
    if let Some(text) = value.str() {
        return Some(text);
    }
    let inner =
        value.first(&["stringValue", "intValue", "doubleValue", "boolValue"]).unwrap_or(value);
    match inner.str() {
        Some(text) => Some(text),
        None => inner.label().map(Cow::Owned),
    }
}

/// A value as JSON text: a string that holds JSON is taken as it is, a structured one written out.
pub(crate) fn json(value: Value<'_>) -> String {
    if let Some(text) = text(value) {
        return text.into_owned();
    }
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// Writes a value without OTLP's wrapping. Depth is bounded by the JSON reader.
fn write(value: Value<'_>, out: &mut String) {
    if let Some(list) = value.path(&["arrayValue", "values"]) {
        write_list(list, out);
    } else if value.has("arrayValue") {
        out.push_str("[]");
    } else if let Some(pairs) = value.path(&["kvlistValue", "values"]) {
        let pairs = pairs.items().filter_map(|pair| Some((pair.get("key")?, pair.get("value")?)));
        write_object(pairs, out);
    } else if let Some(inner) =
        value.first(&["stringValue", "intValue", "doubleValue", "boolValue"])
    {
        out.push_str(&inner.raw());
    } else if value.is_array() {
        write_list(value, out);
    } else if value.is_object() {
        write_object(value.pairs(), out);
    } else {
        out.push_str(&value.raw());
    }
}

fn write_list(list: Value<'_>, out: &mut String) {
    out.push('[');
    for (index, item) in list.items().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

fn write_object<'a>(pairs: impl Iterator<Item = (Value<'a>, Value<'a>)>, out: &mut String) {
    out.push('{');
    for (index, (key, value)) in pairs.enumerate() {
        let comma = if index > 0 { "," } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}{}:", key.raw());
        write(value, out);
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    #[test]
    fn both_ways_of_writing_become_plain() {
        let wrapped = r#"{"arrayValue":{"values":[{"kvlistValue":{"values":[
            {"key":"role","value":{"stringValue":"user"}},{"key":"n","value":{"intValue":"7"}}]}}]}}"#;
        let document = Json::parse(wrapped.as_bytes(), 0);
        assert_eq!(json(document.root().unwrap()), r#"[{"role":"user","n":"7"}]"#);
        let plain = Json::parse(br#"[{"role":"user","parts":[]}]"#, 0);
        assert_eq!(json(plain.root().unwrap()), r#"[{"role":"user","parts":[]}]"#);
    }
}
