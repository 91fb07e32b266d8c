//! One value of a [`Json`] document: a place on its tape.

use std::borrow::Cow;

use rebuttal_model::Span;

use crate::json::{Entry, Json, Kind};
use crate::string;

/// One value. Cheap to copy; lives as long as its document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    json: &'a Json<'a>,
    index: usize,
    entry: Entry,
}

impl<'a> Value<'a> {
    pub(crate) fn at(json: &'a Json<'a>, index: usize) -> Option<Self> {
        let entry = *json.tape.get(index)?;
        Some(Self { json, index, entry })
    }

    /// Its bytes in the document, quotes included.
    pub(crate) fn span(self) -> Span {
        Span::new(self.entry.start as usize, self.entry.end as usize)
    }

    fn bytes(self) -> &'a [u8] {
        self.json.bytes.get(self.span().start()..self.span().end()).unwrap_or_default()
    }

    pub(crate) fn is_object(self) -> bool {
        self.entry.kind == Kind::Object
    }

    pub(crate) fn is_array(self) -> bool {
        self.entry.kind == Kind::Array
    }

    pub(crate) fn is_string(self) -> bool {
        matches!(self.entry.kind, Kind::Plain | Kind::Escaped)
    }

    pub(crate) fn is_null(self) -> bool {
        self.entry.kind == Kind::Null
    }

    /// True when the document broke off before this value was closed.
    pub(crate) fn is_cut(self) -> bool {
        self.json.broken.is_some_and(|broken| self.span().end() >= broken.at)
    }

    /// True when a part of this value is missing, or may be: a number at the break may have gone
    /// on. What ends right at the break is whole.
    pub(crate) fn is_torn(self) -> bool {
        self.is_cut()
            && match self.entry.kind {
                Kind::Plain | Kind::Escaped => false,
                Kind::Array | Kind::Object => Json::parse(self.bytes(), 0).broken.is_some(),
                Kind::Null | Kind::Bool | Kind::Number => true,
            }
    }

    /// What it is, for messages.
    pub(crate) fn kind_name(self) -> &'static str {
        match self.entry.kind {
            Kind::Null => "null",
            Kind::Bool => "true or false",
            Kind::Number => "a number",
            Kind::Plain | Kind::Escaped => "a text",
            Kind::Array => "a list",
            Kind::Object => "an object",
        }
    }

    /// The bytes between the quotes, still encoded.
    pub(crate) fn encoded(self) -> &'a [u8] {
        let bytes = self.bytes();
        bytes.get(1..bytes.len().saturating_sub(1)).unwrap_or_default()
    }

    /// The text of a string.
    pub(crate) fn str(self) -> Option<Cow<'a, str>> {
        match self.entry.kind {
            Kind::Plain => Some(String::from_utf8_lossy(self.encoded())),
            Kind::Escaped => Some(string::decode(self.encoded())),
            _ => None,
        }
    }

    /// The text of a string, unless there is nothing in it but white space.
    pub(crate) fn filled(self) -> Option<Cow<'a, str>> {
        self.str().filter(|text| !text.trim().is_empty())
    }

    /// A string or a number as text: ids come in both forms.
    pub(crate) fn label(self) -> Option<String> {
        match self.entry.kind {
            Kind::Plain | Kind::Escaped => self.filled().map(|text| text.trim().to_owned()),
            Kind::Number => Some(self.raw().into_owned()),
            _ => None,
        }
    }

    /// A number; also one written as a string, as OTLP does.
    pub(crate) fn number(self) -> Option<f64> {
        let text = match self.entry.kind {
            Kind::Number => self.raw(),
            Kind::Plain => self.str()?,
            _ => return None,
        };
        text.trim().parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A whole number that is not negative.
    pub(crate) fn whole(self) -> Option<u64> {
        let text = match self.entry.kind {
            Kind::Number => self.raw(),
            Kind::Plain => self.str()?,
            _ => return None,
        };
        let text = text.trim();
        text.parse().ok().or_else(|| text.strip_suffix(".0")?.parse().ok())
    }

    /// The value as it is written.
    pub(crate) fn raw(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.bytes())
    }

    /// The member called `key`; the last of several.
    ///
    /// Importers ask for many fields that are not there, so this looks at lengths before bytes.
    pub(crate) fn get(self, key: &str) -> Option<Value<'a>> {
        if !self.is_object() {
            return None;
        }
        let tape = &self.json.tape;
        let end = self.entry.next as usize;
        let mut at = self.index + 1;
        let mut found = None;
        while let Some(name) = tape.get(at).filter(|_| at < end) {
            let member = name.next as usize;
            let Some(value) = tape.get(member).filter(|_| member < end) else { break };
            if self.json.is_called(name, key) {
                found = Some(Value { json: self.json, index: member, entry: *value });
            }
            at = value.next as usize;
        }
        found
    }

    /// The first of `keys` that is there and not null.
    pub(crate) fn first(self, keys: &[&str]) -> Option<Value<'a>> {
        keys.iter().find_map(|key| self.get(key).filter(|value| !value.is_null()))
    }

    /// The member at the end of a path of keys.
    pub(crate) fn path(self, keys: &[&str]) -> Option<Value<'a>> {
        keys.iter().try_fold(self, |value, key| value.get(key))
    }

    pub(crate) fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The elements of an array; nothing for anything else.
    pub(crate) fn items(self) -> impl Iterator<Item = Value<'a>> {
        self.children().filter(move |_| self.is_array())
    }

    /// The members of an object as name and value; nothing for anything else.
    pub(crate) fn pairs(self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let mut children = self.children().filter(move |_| self.is_object());
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    fn children(self) -> impl Iterator<Item = Value<'a>> {
        let end = self.entry.next as usize;
        let first = (self.index + 1 < end).then(|| Value::at(self.json, self.index + 1)).flatten();
        std::iter::successors(first, move |child| {
            let next = child.entry.next as usize;
            (next < end).then(|| Value::at(self.json, next)).flatten()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_elements_and_spans() {
        let text = r#"{"a":[1,{"b":"x\ty"}],"\u0063":"7","a2":{}}"#;
        let json = Json::parse(text.as_bytes(), 0);
        let root = json.root().unwrap();
        let inner = root.get("a").unwrap().items().nth(1).unwrap();
        assert_eq!(inner.span().of(text), Some(r#"{"b":"x\ty"}"#));
        assert_eq!(inner.get("b").unwrap().str().unwrap(), "x\ty");
        assert_eq!(root.get("c").unwrap().whole(), Some(7));
        assert_eq!(root.path(&["a2", "none"]).map(Value::raw), None);
        assert_eq!(root.pairs().count(), 3);
    }

    #[test]
    fn the_last_of_equal_keys_wins() {
        let json = Json::parse(br#"{"a":1,"a":2}"#, 0);
        assert_eq!(json.root().unwrap().get("a").and_then(Value::number), Some(2.0));
    }
}
