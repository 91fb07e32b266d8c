//! A JSON reader that knows where every value stands.
//!
//! Serde forgets positions, and a finding must point at a file, a line and bytes. This reader
//! lays a document out on a flat tape, sixteen bytes a value, without recursion: time is linear,
//! depth and number of values are limited by [`limits`], and strings are decoded only when asked
//! for. A broken document keeps what came before the break, so one bad byte does not cost the
//! file.
//!
//! It is more forgiving than the standard in three points, each of which occurs in real logs:
//! `NaN` and `Infinity` (Python writes them), raw control characters inside strings, and bytes
//! that are not UTF-8. The last two are noted, so that the caller can report them.

use rebuttal_model::limits;

use crate::string::{self, Escape};
use crate::value::Value;

/// What a value is. Strings that need decoding are told apart so that the others can be borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    /// A string whose bytes are its text.
    Plain,
    /// A string with escapes or bad bytes.
    Escaped,
    Array,
    Object,
}

/// One value on the tape. Children follow their container; `next` is the entry after the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) next: u32,
}

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The text ends between two values.
    End,
    /// The text, or the line, ends inside a string.
    OpenString,
    /// Something that no value starts or goes on with.
    Unexpected,
    /// An escape sequence that does not exist.
    Escape,
    /// Deeper than [`limits::JSON_DEPTH`].
    Depth,
    /// More values than [`limits::JSON_NODES`].
    Nodes,
}

/// Why reading stopped, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) fault: Fault,
    pub(crate) at: usize,
}

/// How often something worth reporting was seen, and where first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) count: usize,
    pub(crate) first: usize,
}

impl Tally {
    fn note(&mut self, at: usize) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += 1;
    }
}

/// What was forgiven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// Halves of surrogate pairs.
    pub(crate) surrogates: Tally,
    /// Strings with bytes that are not UTF-8.
    pub(crate) bad_utf8: Tally,
    /// Strings with raw control characters.
    pub(crate) controls: Tally,
}

/// One JSON value and everything in it.
#[derive(Debug)]
pub(crate) struct Json<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) tape: Vec<Entry>,
    pub(crate) notes: Notes,
    /// Why reading stopped early; what is on the tape came before that.
    pub(crate) broken: Option<Broken>,
    /// The first byte after the value.
    pub(crate) end: usize,
}

impl<'a> Json<'a> {
    /// Reads the value that starts at `from`, and stops behind it.
    pub(crate) fn parse(bytes: &'a [u8], from: usize) -> Self {
        let mut parser =
            Parser { bytes, at: from, tape: Vec::new(), open: Vec::new(), notes: Notes::default() };
        let broken = parser.document().err();
        parser.close_all();
        let Parser { at, tape, notes, .. } = parser;
        Self { bytes, tape, notes, broken, end: at }
    }

    /// True when the name of a member is `key`.
    pub(crate) fn is_called(&self, name: &Entry, key: &str) -> bool {
        let (start, end) = (name.start as usize + 1, (name.end as usize).saturating_sub(1));
        match name.kind {
            Kind::Plain if end.saturating_sub(start) != key.len() => false,
            Kind::Plain => self.bytes.get(start..end) == Some(key.as_bytes()),
            _ => string::decode(self.bytes.get(start..end).unwrap_or_default()) == key,
        }
    }

    /// The value itself; `None` when not even its start could be read.
    pub(crate) fn root(&self) -> Option<Value<'_>> {
        Value::at(self, 0)
    }

    /// True when the value is whole and nothing but white space follows.
    pub(crate) fn is_whole(&self) -> bool {
        self.broken.is_none() && skip_space(self.bytes, self.end) == self.bytes.len()
    }
}

/// The first byte at or after `at` that is not JSON white space.
pub(crate) fn skip_space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count()
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    tape: Vec<Entry>,
    /// Places on the tape of the containers not yet closed, outermost first.
    open: Vec<usize>,
    notes: Notes,
}

/// What reading one value led to.
enum Step {
    /// The value is whole.
    Done,
    /// A container was opened and has something in it.
    Opened,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<(), Broken> {
        loop {
            match self.value()? {
                Step::Opened => {}
                Step::Done => {
                    if !self.after_value()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Closes what ends here. True when a further value must follow.
    fn after_value(&mut self) -> Result<bool, Broken> {
        while let Some(&top) = self.open.last() {
            let in_object = self.tape.get(top).is_some_and(|entry| entry.kind == Kind::Object);
            self.at = skip_space(self.bytes, self.at);
            match (self.peek(), in_object) {
                (Some(b','), _) => {
                    self.at += 1;
                    if in_object {
                        self.key()?;
                    }
                    return Ok(true);
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.at += 1;
                    self.close();
                }
                _ => return self.unexpected(),
            }
        }
        Ok(false)
    }

    fn value(&mut self) -> Result<Step, Broken> {
        self.at = skip_space(self.bytes, self.at);
        match self.peek() {
            Some(b'{') => self.open(Kind::Object, b'}'),
            Some(b'[') => self.open(Kind::Array, b']'),
            Some(b'"') => self.string().map(|()| Step::Done),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", Kind::Bool),
            Some(b'f') => self.word(b"false", Kind::Bool),
            Some(b'n') => self.word(b"null", Kind::Null),
            Some(b'N') => self.word(b"NaN", Kind::Number),
            Some(b'I') => self.word(b"Infinity", Kind::Number),
            _ => self.unexpected(),
        }
    }

    fn open(&mut self, kind: Kind, closing: u8) -> Result<Step, Broken> {
        if self.open.len() >= limits::JSON_DEPTH {
            return self.fail(Fault::Depth);
        }
        self.push(kind, self.at, self.at + 1)?;
        self.open.push(self.tape.len() - 1);
        self.at = skip_space(self.bytes, self.at + 1);
        if self.peek() == Some(closing) {
            self.at += 1;
            self.close();
            return Ok(Step::Done);
        }
        if kind == Kind::Object {
            self.key()?;
        }
        Ok(Step::Opened)
    }

    /// Ends the innermost container at the current byte.
    fn close(&mut self) {
        let next = narrow(self.tape.len());
        if let Some(entry) = self.open.pop().and_then(|top| self.tape.get_mut(top)) {
            entry.end = narrow(self.at);
            entry.next = next;
        }
    }

    fn close_all(&mut self) {
        self.at = self.at.min(self.bytes.len());
        while !self.open.is_empty() {
            self.close();
        }
    }

    fn key(&mut self) -> Result<(), Broken> {
        self.at = skip_space(self.bytes, self.at);
        if self.peek() != Some(b'"') {
            return self.unexpected();
        }
        self.string()?;
        self.at = skip_space(self.bytes, self.at);
        if self.peek() != Some(b':') {
            return self.unexpected();
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Broken> {
        let start = self.at;
        let mut at = start + 1;
        let mut kind = Kind::Plain;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(run) = memchr::memchr3(b'"', b'\\', b'\n', rest) else {
                self.at = self.bytes.len();
                return self.fail(Fault::OpenString);
            };
            let text = rest.get(..run).unwrap_or_default();
            if std::str::from_utf8(text).is_err() {
                self.notes.bad_utf8.note(at);
                kind = Kind::Escaped;
            }
            if text.iter().any(|&byte| byte < b' ') {
                self.notes.controls.note(at);
            }
            at += run;
            match rest.get(run) {
                Some(b'"') => break,
                Some(b'\\') => {
                    kind = Kind::Escaped;
                    at = self.escape(at)?;
                }
                _ => {
                    self.at = at;
                    return self.fail(Fault::OpenString);
                }
            }
        }
        self.push(kind, start, at + 1)?;
        self.at = at + 1;
        Ok(())
    }

    /// Steps over one escape sequence and says where it ends.
    fn escape(&mut self, at: usize) -> Result<usize, Broken> {
        match string::escape(self.bytes.get(at..).unwrap_or_default()) {
            Escape::Char(_, len) => Ok(at + len),
            Escape::Lone(len) => {
                self.notes.surrogates.note(at);
                Ok(at + len)
            }
            Escape::Cut => {
                self.at = self.bytes.len();
                self.fail(Fault::OpenString)
            }
            Escape::Wrong => {
                self.at = at;
                self.fail(Fault::Escape)
            }
        }
    }

    fn number(&mut self) -> Result<Step, Broken> {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        if rest.starts_with(b"-Infinity") {
            return self.word(b"-Infinity", Kind::Number);
        }
        let len = rest
            .iter()
            .take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
            .count();
        let text = rest.get(..len).and_then(|text| std::str::from_utf8(text).ok());
        if text.is_none_or(|text| text.parse::<f64>().is_err()) {
            return self.fail(Fault::Unexpected);
        }
        self.push(Kind::Number, start, start + len)?;
        self.at = start + len;
        Ok(Step::Done)
    }

    fn word(&mut self, word: &[u8], kind: Kind) -> Result<Step, Broken> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(word) {
            self.push(kind, self.at, self.at + word.len())?;
            self.at += word.len();
            return Ok(Step::Done);
        }
        let cut = word.starts_with(rest);
        self.fail(if cut { Fault::End } else { Fault::Unexpected })
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), Broken> {
        if self.tape.len() >= limits::JSON_NODES {
            return self.fail(Fault::Nodes);
        }
        let next = narrow(self.tape.len() + 1);
        self.tape.push(Entry { kind, start: narrow(start), end: narrow(end), next });
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn unexpected<T>(&mut self) -> Result<T, Broken> {
        let ended = self.at >= self.bytes.len();
        self.fail(if ended { Fault::End } else { Fault::Unexpected })
    }

    fn fail<T>(&self, fault: Fault) -> Result<T, Broken> {
        Err(Broken { fault, at: self.at.min(self.bytes.len()) })
    }
}

/// Offsets fit: no document is longer than [`limits::DOCUMENT_BYTES`].
fn narrow(offset: usize) -> u32 {
    const _: () = assert!(limits::DOCUMENT_BYTES < u32::MAX as usize);
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<(Fault, usize)> {
        Json::parse(text.as_bytes(), 0).broken.map(|broken| (broken.fault, broken.at))
    }

    #[test]
    fn whole_values_are_whole() {
        for text in ["{}", "[]", " [1, -2.5e3 ,true,false,null] ", r#"{"a":{"b":[{}]},"c":"d"}"#] {
            assert!(Json::parse(text.as_bytes(), 0).is_whole(), "{text}");
        }
        assert!(!Json::parse(b"{} x", 0).is_whole());
        assert!(Json::parse(b"[NaN, Infinity, -Infinity]", 0).is_whole(), "Python writes these");
    }

    #[test]
    fn a_fault_says_where() {
        assert_eq!(fault("{\"a\": }"), Some((Fault::Unexpected, 6)));
        assert_eq!(fault("[1,2"), Some((Fault::End, 4)));
        assert_eq!(fault("[\"abc"), Some((Fault::OpenString, 5)));
        assert_eq!(fault("[\"a\nb\"]"), Some((Fault::OpenString, 3)));
        assert_eq!(fault(r#"["\x"]"#), Some((Fault::Escape, 2)));
        assert_eq!(fault("tru"), Some((Fault::End, 0)));
        assert_eq!(fault("[1,]"), Some((Fault::Unexpected, 3)));
        assert_eq!(fault(""), Some((Fault::End, 0)));
        assert_eq!(fault("[1-2]"), Some((Fault::Unexpected, 1)));
    }

    #[test]
    fn what_stands_before_a_break_is_kept() {
        let json = Json::parse(br#"[{"a":1},{"a":2},{"a"#, 0);
        assert_eq!(json.broken.map(|broken| broken.fault), Some(Fault::OpenString));
        let seen: Vec<_> = json
            .root()
            .unwrap()
            .items()
            .filter_map(|item| item.get("a").and_then(Value::number))
            .collect();
        assert_eq!(seen, [1.0, 2.0]);
    }

    #[test]
    fn depth_is_limited_and_named() {
        let deep = "[".repeat(10_000);
        assert_eq!(fault(&deep), Some((Fault::Depth, limits::JSON_DEPTH)));
    }

    #[test]
    fn forgiven_things_are_noted() {
        let json = Json::parse(b"[\"\\ud83d\", \"a\x00b\", \"\xff\"]", 0);
        assert!(json.is_whole());
        let counts = (json.notes.surrogates.count, json.notes.controls, json.notes.bad_utf8.first);
        assert_eq!(counts, (1, Tally { count: 1, first: 12 }, 19));
    }
}
