//! An answer in a field of JSON, in a fence or in the middle of a sentence: `{"answer": "B"}`.

use memchr::memmem;
use rebuttal_model::Span;

use super::labels::is_label;
use super::value::{self, Strictness};
use super::{Candidate, Explicit};
use crate::asked::Asked;
use crate::reading::Reading;

/// Longest name of a field, and longest value, in bytes.
const NAME: usize = 40;
const VALUE: usize = 240;

/// Every field whose name says that it holds an answer.
pub(super) fn find(reading: &Reading<'_>, asked: &Asked, keep: &mut impl FnMut(Candidate)) {
    let text = reading.clean();
    for close in memmem::find_iter(text.as_bytes(), b"\"") {
        let Some(after) = text.get(close + 1..) else { continue };
        let Some(behind) = after.trim_start_matches(' ').strip_prefix(':') else { continue };
        if !names_an_answer(text, close) {
            continue;
        }
        let start = text.len() - behind.trim_start().len();
        let Some(written) = text.get(start..).and_then(written) else { continue };
        if let Some(found) = value::whole(written, asked, Strictness::Labelled) {
            let span = Span::new(start, start + written.len());
            keep(Candidate { found, span, explicit: Explicit::Marked });
        }
    }
}

/// True when the quoted name that ends before `close` is a label.
fn names_an_answer(text: &str, close: usize) -> bool {
    let from = text.floor_char_boundary(close.saturating_sub(NAME));
    let Some(before) = text.get(from..close) else { return false };
    let Some(open) = before.rfind('"') else { return false };
    let name = before.get(open + 1..).unwrap_or_default();
    let words: Vec<&str> = name.split(['_', '-', ' ']).filter(|word| !word.is_empty()).collect();
    is_label(&words)
}

/// The value a text starts with: a string without its quotes, a number, a word.
fn written(text: &str) -> Option<&str> {
    let text = text.get(..text.floor_char_boundary(text.len().min(VALUE)))?;
    let Some(body) = text.strip_prefix('"') else {
        return text.get(..text.find([',', '}', ']', '\n'])?).map(str::trim_end);
    };
    let mut escaped = false;
    let end = body.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    text.get(..end? + 2)
}
