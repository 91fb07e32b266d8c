//! The text of a PDF, page by page, as far as it holds any: what was scanned is a picture and says nothing.
//!
//! Written for text alone, so that nothing of a file is run, fetched or drawn. Everything is bounded: what a
//! stream unpacks to, how deep values nest, how many objects and pages are read. What cannot be read is left
//! out; encrypted files are refused in words.

mod font;
mod object;

use rebuttal_model::{Passage, Place};

use crate::{limits, split};
use font::Font;
use object::{File, Lexer, Token, Value};

/// The passages of a file.
pub(super) fn passages(name: &str, bytes: &[u8]) -> Result<Vec<Passage>, String> {
    let file = File::new(bytes)?;
    let mut found = Vec::new();
    let mut left = limits::PDF_TEXT_BYTES;
    for (number, page) in (1..).zip(file.pages()) {
        let text = text_of(&file, &page);
        for piece in paragraphs(&text) {
            found.push(Passage::new(name, Place::Page(number), &piece));
        }
        left = left.saturating_sub(text.len());
        if left == 0 {
            break;
        }
    }
    if found.is_empty() {
        return Err(
            "has no text that can be read: its pages may be pictures. Run it through character \
                    recognition first, and name the text"
                .to_owned(),
        );
    }
    Ok(found)
}

/// The paragraphs of a page, each as one passage or several.
fn paragraphs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for block in text.split("\n\n") {
        let joined = joined(block);
        let short = found.last().is_some_and(|last| last.len() < limits::PASSAGE_CHARS_MIN);
        match found.last_mut().filter(|_| short) {
            Some(last) => {
                last.push('\n');
                last.push_str(&joined);
            }
            None => found.push(joined),
        }
    }
    let cut = |block: &String| {
        let pieces = split::pieces(block).into_iter().filter_map(|span| span.of(block));
        pieces.map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    found.iter().flat_map(cut).collect()
}

/// Lines of one paragraph, with words that were cut at the end of a line whole again.
fn joined(block: &str) -> String {
    let mut out = String::new();
    for line in block.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let cut = out.ends_with('-') && line.starts_with(|c: char| c.is_lowercase());
        if cut {
            out.pop();
        } else if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(line);
    }
    out
}

/// Where the last word was put, and what was written so far.
struct Pen {
    text: String,
    y: f64,
    leading: f64,
}

impl Pen {
    /// Moves to another height, or along the line.
    fn to(&mut self, y: f64) {
        let apart = (self.y - y).abs();
        let mark = match apart {
            apart if apart < 1.0 => ' ',
            // Wider than two lines: another paragraph.
            apart if apart > 2.0 * self.leading.max(10.0) => {
                self.put('\n');
                '\n'
            }
            _ => '\n',
        };
        self.put(mark);
        self.y = y;
    }

    fn put(&mut self, mark: char) {
        let last = self.text.chars().next_back();
        let idle = last.is_none() || mark == ' ' && last.is_some_and(char::is_whitespace);
        if !idle && !self.text.ends_with("\n\n") {
            self.text.push(mark);
        }
    }
}

fn text_of(file: &File<'_>, page: &Value) -> String {
    let fonts = fonts(file, page);
    let content = file.contents(page);
    let mut pen = Pen { text: String::new(), y: 0.0, leading: 12.0 };
    let mut font: Option<&Font> = None;
    let mut given: Vec<Value> = Vec::new();
    let mut lexer = Lexer::new(&content);
    while let Some(token) = lexer.token() {
        let word = match token {
            Token::Value(value) => {
                given.push(value);
                // More than any operator takes: nothing of a page's text.
                given.truncate(limits::PDF_OPERANDS);
                continue;
            }
            Token::Word(word) => word,
        };
        let number = |at: usize| given.get(at).and_then(Value::number).unwrap_or(0.0);
        match word.as_str() {
            "Tf" => {
                let name = given.first().and_then(Value::name).unwrap_or_default();
                font = fonts.iter().find(|it| it.0 == name).map(|it| &it.1);
                pen.leading = number(1).abs().clamp(1.0, 72.0);
            }
            "Tj" => show(&mut pen, font, given.last()),
            "'" | "\"" => {
                pen.put('\n');
                show(&mut pen, font, given.last());
            }
            "TJ" => show(&mut pen, font, given.first()),
            "Td" | "TD" => pen.to(pen.y + number(1)),
            "T*" => pen.put('\n'),
            "Tm" => pen.to(number(5)),
            "ID" => lexer.skip_image(),
            _ => {}
        }
        given.clear();
        if pen.text.len() > limits::PDF_TEXT_BYTES {
            break;
        }
    }
    pen.text
}

/// Writes a string, or strings with gaps between them.
fn show(pen: &mut Pen, font: Option<&Font>, shown: Option<&Value>) {
    /// A gap as wide as this, in thousandths of the size, is a space.
    const SPACE: f64 = 180.0;
    let plain = Font::default();
    let font = font.unwrap_or(&plain);
    match shown {
        Some(Value::Text(bytes)) => pen.text.push_str(&font.decode(bytes)),
        Some(Value::List(parts)) => {
            for part in parts {
                match part {
                    Value::Text(bytes) => pen.text.push_str(&font.decode(bytes)),
                    Value::Number(gap) if *gap < -SPACE => pen.put(' '),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn fonts(file: &File<'_>, page: &Value) -> Vec<(String, Font)> {
    let resources = file.follow(page.get("Resources"));
    let fonts = file.follow(resources.get("Font"));
    let Value::Map(entries) = fonts else { return Vec::new() };
    let font =
        |(name, value): &(String, Value)| (name.clone(), Font::new(file, &file.follow(value)));
    entries.iter().take(limits::PDF_FONTS).map(font).collect()
}
