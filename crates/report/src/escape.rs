//! Text from input, made safe for the format it goes into.

use std::fmt;
use std::io::{self, Write};

use rebuttal_text::hidden;
use serde::Serialize;
use serde_json::ser::Formatter;

use rebuttal_text::visible;

/// Writes a value as one line of JSON in which every character that a terminal could obey, or a
/// reader could overlook, stands as `\uXXXX`. A parser gets the original text back.
#[derive(Clone, Copy, Debug)]
pub struct JsonText;

impl JsonText {
    /// Writes `value` without a line break.
    pub fn write<T: Serialize + ?Sized>(
        out: &mut (impl Write + ?Sized),
        value: &T,
    ) -> io::Result<()> {
        let mut serializer = serde_json::Serializer::with_formatter(out, Self);
        value.serialize(&mut serializer).map_err(io::Error::from)
    }

    /// Writes `value` and a line break.
    pub fn line<T: Serialize + ?Sized>(
        out: &mut (impl Write + ?Sized),
        value: &T,
    ) -> io::Result<()> {
        Self::write(out, value)?;
        writeln!(out)
    }
}

impl Formatter for JsonText {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for piece in pieces(fragment) {
            match piece {
                Piece::Plain(text) => writer.write_all(text.as_bytes())?,
                Piece::Hidden(character) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        write!(writer, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A run of a text: readable, or one character that must be made visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Readable as it stands.
    Plain(&'t str),
    /// A control, bidi, zero-width or tag character.
    Hidden(char),
}

/// Splits a text at its hidden characters.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut plain_from = 0;
    for (at, character) in hidden(text) {
        pieces.extend(text.get(plain_from..at).filter(|run| !run.is_empty()).map(Piece::Plain));
        pieces.push(Piece::Hidden(character));
        plain_from = at + character.len_utf8();
    }
    pieces.extend(text.get(plain_from..).filter(|run| !run.is_empty()).map(Piece::Plain));
    pieces
}

/// Text as XML content or as an attribute's value. Hidden characters, which XML 1.0 forbids in
/// part, are written as `\u{..}`.
#[derive(Clone, Copy, Debug)]
pub struct Xml<'t>(
    /// The text as it came.
    pub &'t str,
);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in visible(self.0).chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // An attribute's line breaks would become blanks.
                '\n' => f.write_str("&#10;")?,
                // Not characters at all, says XML.
                '\u{fffe}' | '\u{ffff}' => write!(f, "{}", character.escape_unicode())?,
                _ => write!(f, "{character}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_shows_hidden_characters_and_keeps_them() {
        let text = "a\u{1b}[2J\u{9b}\u{202e}\u{e0041}\"z";
        let mut bytes = Vec::new();
        JsonText::write(&mut bytes, text).unwrap();
        let json = String::from_utf8(bytes).unwrap();
        assert_eq!(json, r#""a\u001b[2J\u009b\u202e\udb40\udc41\"z""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn xml_is_escaped() {
        let text = "<a b=\"1\">&\u{1b}\n";
        assert_eq!(Xml(text).to_string(), r"&lt;a b=&quot;1&quot;&gt;&amp;\u{1b}&#10;");
    }
}
