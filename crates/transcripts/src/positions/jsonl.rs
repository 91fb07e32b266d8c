//! Positions as JSON, an object a line.

use std::io;

use rebuttal_model::{ProblemKind, limits};

use super::Cx;
use super::fields::{FIELDS, Field, Row};
use crate::input::{Line, Lines};
use crate::json::Json;
use crate::value::Value;

/// Reads the next line. False at the end.
pub(super) fn row(lines: &mut Lines<'_>, cx: &mut Cx) -> io::Result<bool> {
    let line = match lines.next(limits::LINE_BYTES)? {
        Line::End => return Ok(false),
        Line::TooLong { number, bytes } => {
            let message = format!(
                "a line of {bytes} bytes is longer than the limit of {} and was left out",
                limits::LINE_BYTES
            );
            cx.problem(ProblemKind::Limit, Some(number), &message);
            return Ok(true);
        }
        Line::Whole { number, .. } => number,
    };
    let text = lines.bytes().trim_ascii();
    if text.is_empty() {
        return Ok(true);
    }
    let json = Json::parse(text, 0);
    let object = json.root().filter(|root| json.is_whole() && root.is_object());
    let Some(object) = object else {
        let what = match json.root() {
            Some(root) if json.is_whole() => root.kind_name(),
            _ => "broken JSON",
        };
        let message = format!("{what}, where an object is expected, one a line; it was left out");
        cx.problem(ProblemKind::Malformed, Some(line), &message);
        return Ok(true);
    };
    if std::str::from_utf8(text).is_err() {
        let message = "a line with bytes that are not UTF-8; they were replaced by U+FFFD";
        cx.problem(ProblemKind::Encoding, Some(line), message);
    }
    read(object).deliver(line, cx);
    Ok(true)
}

fn read(object: Value<'_>) -> Row<'_> {
    let mut row = Row::default();
    for (field, names) in FIELDS {
        let found = names.iter().find_map(|name| object.get(name).filter(|value| !value.is_null()));
        if let Some(value) = found {
            cell(field, value, &mut row);
        }
    }
    if let Some(span) = object.get("span").filter(|span| span.is_array()) {
        for (field, value) in [Field::SpanStart, Field::SpanEnd].into_iter().zip(span.items()) {
            row.set(field, value.raw());
        }
    }
    row
}

/// Rebuttal's own lines say whose a confidence is, and list causes.
fn cell<'a>(field: Field, value: Value<'a>, row: &mut Row<'a>) {
    match (field, value.str()) {
        (_, Some(text)) => row.set(field, text),
        (Field::Confidence, None) if value.is_object() => {
            if let Some(number) = value.get("value") {
                row.set(Field::Confidence, number.raw());
            }
            if let Some(whose) = value.get("whose").and_then(Value::str) {
                row.set(Field::ConfidenceWhose, whose);
            }
        }
        (Field::ExposedTo, None) if value.is_array() => {
            let words: Vec<_> = value.items().filter_map(Value::str).collect();
            row.set(field, words.join(" "));
        }
        _ => row.set(field, value.raw()),
    }
}
