//! The objects of a PDF: values, streams and pages, found by reading the file from its start, so that a
//! broken table of contents does no harm.

use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;

use flate2::read::ZlibDecoder;

use crate::limits;

/// A value of the format.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Number(f64),
    Name(String),
    Text(Vec<u8>),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
    /// Another object, by its number.
    Reference(u32),
}

impl Value {
    /// The entry of a map; null where there is none.
    pub(super) fn get(&self, name: &str) -> &Value {
        let Self::Map(entries) = self else { return &Self::Null };
        entries.iter().find(|it| it.0 == name).map_or(&Self::Null, |it| &it.1)
    }

    pub(super) fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    pub(super) fn name(&self) -> Option<&str> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }
}

/// A value, or a word between values: an operator, `obj`, `stream`.
#[derive(Debug)]
pub(super) enum Token {
    Value(Value),
    Word(String),
}

/// Reads values from bytes.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Lexer<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn token(&mut self) -> Option<Token> {
        self.value(0)
    }

    /// Passes over the bytes of an image that stands between operators.
    pub(super) fn skip_image(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += memchr::memmem::find(rest, b"EI").map_or(rest.len(), |at| at + 2);
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|it| it != b'\n' && it != b'\r') {
                    self.at += 1;
                }
            } else if byte.is_ascii_whitespace() || byte == 0 {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Token> {
        self.space();
        let byte = self.peek()?;
        let value = match byte {
            b'/' => Value::Name(self.name()),
            b'(' => Value::Text(self.text()),
            b'[' => {
                self.at += 1;
                Value::List(self.values(depth, b"]"))
            }
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => {
                self.at += 2;
                let mut values = self.values(depth, b">>").into_iter();
                let mut entries = Vec::new();
                while let (Some(name), Some(value)) = (values.next(), values.next()) {
                    if let Value::Name(name) = name {
                        entries.push((name, value));
                    }
                }
                Value::Map(entries)
            }
            b'<' => Value::Text(self.hex()),
            b'+' | b'-' | b'.' | b'0'..=b'9' => self.number(),
            _ => return Some(Token::Word(self.word())),
        };
        Some(Token::Value(value))
    }

    /// Values up to what ends them; a reference is two numbers and an R.
    fn values(&mut self, depth: usize, end: &[u8]) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        loop {
            self.space();
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            if rest.is_empty() || depth > limits::PDF_DEPTH || found.len() > limits::PDF_VALUES {
                return found;
            }
            if rest.starts_with(end) {
                self.at += end.len();
                return found;
            }
            match self.value(depth + 1) {
                Some(Token::Value(value)) => found.push(value),
                Some(Token::Word(word)) if word == "R" => {
                    found.pop();
                    let number = found.pop().and_then(|it| it.number()).unwrap_or(0.0);
                    found.push(reference(number));
                }
                Some(Token::Word(_)) => found.push(Value::Null),
                None => return found,
            }
        }
    }

    fn name(&mut self) -> String {
        self.at += 1;
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|it| is_regular(*it)) {
            self.at += 1;
            let digits = self.bytes.get(self.at..self.at + 2);
            let code = digits.and_then(|it| std::str::from_utf8(it).ok());
            match code.and_then(|it| u8::from_str_radix(it, 16).ok()).filter(|_| byte == b'#') {
                Some(code) => {
                    self.at += 2;
                    name.push(code);
                }
                None => name.push(byte),
            }
        }
        String::from_utf8_lossy(&name).into_owned()
    }

    fn number(&mut self) -> Value {
        let start = self.at;
        while self.peek().is_some_and(|it| matches!(it, b'+' | b'-' | b'.' | b'0'..=b'9')) {
            self.at += 1;
        }
        let digits = self.bytes.get(start..self.at).unwrap_or_default();
        let number = std::str::from_utf8(digits).ok().and_then(|it| it.parse().ok());
        Value::Number(number.unwrap_or(0.0))
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(is_regular) {
            self.at += 1;
        }
        if self.at == start {
            self.at += 1;
        }
        String::from_utf8_lossy(self.bytes.get(start..self.at).unwrap_or_default()).into_owned()
    }

    fn hex(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut digits = Vec::new();
        while let Some(byte) = self.next().filter(|it| *it != b'>') {
            digits.extend(char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok()));
        }
        let pair = |pair: &[u8]| match *pair {
            [high, low] => high << 4 | low,
            [high] => high << 4,
            _ => 0,
        };
        digits.chunks(2).map(pair).collect()
    }

    fn text(&mut self) -> Vec<u8> {
        self.at += 1;
        let (mut depth, mut out) = (1_usize, Vec::new());
        while let Some(byte) = self.next() {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => {
                    self.escaped(&mut out);
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
            out.push(byte);
        }
        out
    }

    fn escaped(&mut self, out: &mut Vec<u8>) {
        let Some(byte) = self.next() else { return };
        match byte {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'b' | b'f' | b'\n' => {}
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit) = self.peek().filter(|it| matches!(it, b'0'..=b'7')) else {
                        break;
                    };
                    self.at += 1;
                    code = code * 8 + u32::from(digit - b'0');
                }
                out.push(u8::try_from(code & 0xff).unwrap_or(b'?'));
            }
            byte => out.push(byte),
        }
    }
}

fn is_regular(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && byte != 0 && !b"()<>[]{}/%".contains(&byte)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number out of range names no object"
)]
fn reference(number: f64) -> Value {
    Value::Reference(number as u32)
}

/// The objects of a file.
#[derive(Debug)]
pub(super) struct File<'b> {
    objects: BTreeMap<u32, (Value, Option<&'b [u8]>)>,
}

impl<'b> File<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Result<Self, String> {
        let mut file = Self { objects: BTreeMap::new() };
        let mut packed = Vec::new();
        for at in memchr::memmem::find_iter(bytes, b" obj") {
            if file.objects.len() >= limits::PDF_OBJECTS {
                break;
            }
            let Some(number) = object_number(bytes, at) else { continue };
            let mut lexer = Lexer { bytes, at: at + b" obj".len() };
            let Some(Token::Value(value)) = lexer.token() else { continue };
            let stream = stream(&mut lexer);
            if value.get("Type").name() == Some("ObjStm") {
                packed.push((value.clone(), stream));
            }
            file.objects.insert(number, (value, stream));
        }
        if memchr::memmem::find(bytes, b"/Encrypt").is_some() {
            return Err("is encrypted; save it without a password first".to_owned());
        }
        let mut left = limits::PDF_UNPACKED_BYTES;
        for (head, stream) in packed {
            let unpacked = unpacked(&head, stream.unwrap_or_default(), left);
            left = left.saturating_sub(unpacked.len());
            file.unpack(&head, &unpacked);
        }
        Ok(file)
    }

    /// The objects that are packed in a stream.
    fn unpack(&mut self, head: &Value, bytes: &[u8]) {
        let mut numbers = Lexer::new(bytes);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bounded by the bytes"
        )]
        let whole = |value: Option<Token>| match value {
            Some(Token::Value(Value::Number(number))) => Some(number as usize),
            _ => None,
        };
        let first = whole(Some(Token::Value(head.get("First").clone()))).unwrap_or(0);
        while numbers.at < first && self.objects.len() < limits::PDF_OBJECTS {
            let (Some(number), Some(at)) = (whole(numbers.token()), whole(numbers.token())) else {
                break;
            };
            let mut lexer = Lexer { bytes, at: first.saturating_add(at) };
            if let (Ok(number), Some(Token::Value(value))) = (u32::try_from(number), lexer.token())
            {
                self.objects.entry(number).or_insert((value, None));
            }
        }
    }

    /// The object a value stands for.
    pub(super) fn follow(&self, value: &Value) -> Value {
        let mut value = value;
        for _ in 0..limits::PDF_DEPTH {
            let Value::Reference(number) = value else { return value.clone() };
            value = self.objects.get(number).map_or(&Value::Null, |it| &it.0);
        }
        Value::Null
    }

    /// What the stream of an object unpacks to.
    pub(super) fn stream(&self, value: &Value) -> Vec<u8> {
        let Value::Reference(number) = value else { return Vec::new() };
        let Some((head, Some(stream))) = self.objects.get(number) else { return Vec::new() };
        unpacked(head, stream, limits::PDF_STREAM_BYTES)
    }

    /// The pages in their order, each with the resources it has from above.
    pub(super) fn pages(&self) -> Vec<Value> {
        let root = self.objects.values().find(|it| it.0.get("Type").name() == Some("Catalog"));
        let mut found = Vec::new();
        if let Some((root, _)) = root {
            let mut seen = HashSet::new();
            self.kids(root.get("Pages"), &Value::Null, 0, (&mut seen, &mut found));
        }
        if found.is_empty() {
            let all = self.objects.values().map(|it| &it.0);
            found.extend(all.filter(|it| it.get("Type").name() == Some("Page")).cloned());
        }
        found
    }

    fn kids(
        &self,
        node: &Value,
        above: &Value,
        depth: usize,
        (seen, found): (&mut HashSet<u32>, &mut Vec<Value>),
    ) {
        if let Value::Reference(number) = node
            && !seen.insert(*number)
        {
            return;
        }
        let node = self.follow(node);
        let own = node.get("Resources");
        let resources = if *own == Value::Null { above.clone() } else { own.clone() };
        match self.follow(node.get("Kids")) {
            Value::List(kids) if depth < limits::PDF_DEPTH => {
                for kid in kids {
                    if found.len() < limits::PDF_PAGES {
                        self.kids(&kid, &resources, depth + 1, (&mut *seen, &mut *found));
                    }
                }
            }
            _ => {
                let Value::Map(mut entries) = node else { return };
                entries.retain(|it| it.0 != "Resources");
                entries.push(("Resources".to_owned(), resources));
                found.push(Value::Map(entries));
            }
        }
    }

    /// The operators of a page.
    pub(super) fn contents(&self, page: &Value) -> Vec<u8> {
        let contents = page.get("Contents");
        let parts = match self.follow(contents) {
            Value::List(parts) => parts,
            _ => vec![contents.clone()],
        };
        let mut all = Vec::new();
        for part in parts {
            if all.len() < limits::PDF_STREAM_BYTES {
                all.extend(self.stream(&part));
                all.push(b'\n');
            }
        }
        all
    }
}

/// The number of the object whose head ends at `at`: "12 0 obj".
fn object_number(bytes: &[u8], at: usize) -> Option<u32> {
    let head = bytes.get(at.saturating_sub(16)..at)?;
    let mut words = head.rsplit(u8::is_ascii_whitespace).filter(|it| !it.is_empty());
    let _generation = words.next()?;
    std::str::from_utf8(words.next()?).ok()?.parse().ok()
}

/// The bytes of the stream behind an object's value.
fn stream<'b>(lexer: &mut Lexer<'b>) -> Option<&'b [u8]> {
    match lexer.token()? {
        Token::Word(word) if word == "stream" => {}
        _ => return None,
    }
    let rest = lexer.bytes.get(lexer.at..)?;
    let rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).unwrap_or(rest);
    rest.get(..memchr::memmem::find(rest, b"endstream")?)
}

/// The bytes of a stream; nothing where they are packed in a way that holds no text.
fn unpacked(head: &Value, stream: &[u8], most: usize) -> Vec<u8> {
    let filter = match head.get("Filter") {
        Value::List(filters) => filters.first().cloned().unwrap_or(Value::Null),
        other => other.clone(),
    };
    match filter.name() {
        None => stream.get(..stream.len().min(most)).unwrap_or_default().to_vec(),
        Some("FlateDecode" | "Fl") => {
            let mut out = Vec::new();
            // What is broken is good as far as it goes.
            ZlibDecoder::new(stream).take(most as u64).read_to_end(&mut out).ok();
            out
        }
        Some(_) => Vec::new(),
    }
}
