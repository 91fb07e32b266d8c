//! From the codes of a font to characters.

use std::collections::HashMap;

use super::object::{File, Lexer, Token, Value};
use crate::limits;

/// How the codes of a font are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Font {
    /// Two bytes a code.
    wide: bool,
    /// What the font says of its codes.
    codes: HashMap<u32, String>,
}

impl Font {
    pub(super) fn new(file: &File<'_>, font: &Value) -> Self {
        let mut own =
            Self { wide: font.get("Subtype").name() == Some("Type0"), codes: HashMap::new() };
        own.differences(&file.follow(font.get("Encoding")));
        own.read_table(&file.stream(font.get("ToUnicode")));
        own
    }

    /// A string in this font.
    pub(super) fn decode(&self, bytes: &[u8]) -> String {
        let wide = |pair: &[u8]| pair.iter().fold(0, |code, byte| code << 8 | u32::from(*byte));
        let step = if self.wide { 2 } else { 1 };
        let mut out = String::new();
        for code in bytes.chunks(step).map(wide) {
            match self.codes.get(&code) {
                Some(text) => out.push_str(text),
                None if !self.wide => out.extend(western(code)),
                None => {}
            }
        }
        out
    }

    /// The names a font gives to single codes.
    fn differences(&mut self, encoding: &Value) {
        let Value::List(entries) = encoding.get("Differences") else { return };
        let mut code = 0;
        for entry in entries {
            match entry {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a code is a byte"
                )]
                Value::Number(number) => code = *number as u32,
                Value::Name(name) => {
                    self.codes.extend(glyph(name).map(|text| (code, text)));
                    code = code.saturating_add(1);
                }
                _ => {}
            }
        }
    }

    /// The table of codes that a font carries.
    fn read_table(&mut self, table: &[u8]) {
        let mut lexer = Lexer::new(table);
        let mut given: Vec<Value> = Vec::new();
        while let Some(token) = lexer.token() {
            match token {
                Token::Value(value) => given.push(value),
                Token::Word(word) => {
                    match word.as_str() {
                        "endbfchar" => self.chars(&given),
                        "endbfrange" => self.ranges(&given),
                        _ => {}
                    }
                    given.clear();
                }
            }
            if self.codes.len() > limits::PDF_VALUES || given.len() > limits::PDF_VALUES {
                break;
            }
        }
    }

    fn chars(&mut self, given: &[Value]) {
        for pair in given.chunks_exact(2) {
            if let [Value::Text(code), Value::Text(text)] = pair {
                self.codes.insert(number(code), utf16(text));
            }
        }
    }

    fn ranges(&mut self, given: &[Value]) {
        /// Longest range that is believed.
        const CODES: u32 = 1 << 16;
        for range in given.chunks_exact(3) {
            let [Value::Text(first), Value::Text(last), to] = range else { continue };
            let (first, last) = (number(first), number(last));
            let last = last.min(first.saturating_add(CODES));
            match to {
                Value::Text(text) => {
                    let start = number(text);
                    for code in first..=last {
                        let c = char::from_u32(start.saturating_add(code - first));
                        self.codes.extend(c.map(|c| (code, c.to_string())));
                    }
                }
                Value::List(texts) => {
                    for (code, text) in (first..=last).zip(texts) {
                        if let Value::Text(text) = text {
                            self.codes.insert(code, utf16(text));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

fn utf16(bytes: &[u8]) -> String {
    let units =
        bytes.chunks(2).map(|pair| pair.iter().fold(0, |unit, byte| unit << 8 | u16::from(*byte)));
    char::decode_utf16(units).map(|it| it.unwrap_or('\u{fffd}')).collect()
}

/// A code of a font that says nothing of its codes, as Western fonts have them.
fn western(code: u32) -> Option<char> {
    Some(match code {
        0x80 => '\u{20ac}',
        0x85 => '\u{2026}',
        0x91 => '\u{2018}',
        0x92 => '\u{2019}',
        0x93 => '\u{201c}',
        0x94 => '\u{201d}',
        0x95 => '\u{2022}',
        0x96 => '\u{2013}',
        0x97 => '\u{2014}',
        0x20..=0x7e | 0xa0..=0xff => char::from_u32(code)?,
        _ => return None,
    })
}

/// What a glyph is called.
fn glyph(name: &str) -> Option<String> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Some(letter.to_string());
    }
    let text = match name {
        "space" => " ",
        "fi" => "fi",
        "fl" => "fl",
        "ff" => "ff",
        "ffi" => "ffi",
        "ffl" => "ffl",
        "hyphen" => "-",
        "endash" => "\u{2013}",
        "emdash" => "\u{2014}",
        "quoteright" | "quotesingle" => "'",
        "quoteleft" => "\u{2018}",
        "quotedblleft" => "\u{201c}",
        "quotedblright" => "\u{201d}",
        "bullet" => "\u{2022}",
        "ellipsis" => "\u{2026}",
        "period" => ".",
        "comma" => ",",
        "colon" => ":",
        "semicolon" => ";",
        "percent" => "%",
        "dollar" => "$",
        "Euro" => "\u{20ac}",
        "parenleft" => "(",
        "parenright" => ")",
        "slash" => "/",
        "zero" => "0",
        "one" => "1",
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        _ => {
            let digits = name.strip_prefix("uni").or(name.strip_prefix('u'))?;
            return char::from_u32(u32::from_str_radix(digits, 16).ok()?).map(String::from);
        }
    };
    Some(text.to_owned())
}
