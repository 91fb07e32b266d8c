//! JSON as models write it: between words, in a fence, with a comma too many, or cut off.
//!
//! A repair takes away, and closes brackets; it never writes a value. So what a repaired reply says
//! is what the model said. Each pass goes over the text once.

use rebuttal_model::limits;
use serde_json::Value;

use super::schema::{Complaint, Schema};
use super::strict;

/// What was done to a reply before it fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repair {
    /// Words or a fence around the object were taken away.
    Surroundings,
    /// Commas before a closing bracket were taken away.
    Commas,
    /// What was cut off in the middle was taken away, and what was open closed.
    Tail,
}

/// A value that fits its schema, and what was done to the text before it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitting {
    /// The value.
    pub value: Value,
    /// What was done; nothing, most of the time.
    pub repairs: Vec<Repair>,
}

/// Reads the one object of a reply that fits the schema; else what is wrong with it.
pub fn fit(text: &str, schema: &Schema) -> Result<Fitting, Vec<Complaint>> {
    let text = text.trim();
    let whole = checked(text, schema);
    let Err(complaints) = whole else { return whole };
    let Objects { complete, open } = objects(text);
    let mut fitting: Vec<Fitting> = Vec::new();
    let mut last = None;
    for object in complete.iter().rev() {
        match checked(object, schema) {
            Ok(found) => fitting.push(found),
            Err(complaints) => last = last.or(Some(complaints)),
        }
    }
    fitting.dedup_by(|one, two| one.value == two.value);
    match &mut fitting[..] {
        [] => {}
        [one] => {
            let mut one = one.clone();
            if complete.first() != Some(&text) {
                one.repairs.insert(0, Repair::Surroundings);
            }
            return Ok(one);
        }
        [..] => return Err(complaint("there are several objects that fit; send one".to_owned())),
    }
    if complete.is_empty()
        && let Some(open) = open
        && let Some(closed) = closed(open)
        && let Ok(mut found) = checked(&closed, schema)
    {
        if open != text {
            found.repairs.insert(0, Repair::Surroundings);
        }
        found.repairs.push(Repair::Tail);
        return Ok(found);
    }
    Err(last.unwrap_or(complaints))
}

/// One document, as it is or without commas too many.
fn checked(text: &str, schema: &Schema) -> Result<Fitting, Vec<Complaint>> {
    let (value, repairs) = match strict::parse(text) {
        Ok(value) => (value, Vec::new()),
        Err(reason) => match without_commas(text).map(|text| strict::parse(&text)) {
            Some(Ok(value)) => (value, vec![Repair::Commas]),
            _ => return Err(complaint(format!("it is not JSON: {reason}"))),
        },
    };
    let complaints = schema.complaints(&value);
    if complaints.is_empty() { Ok(Fitting { value, repairs }) } else { Err(complaints) }
}

fn complaint(what: String) -> Vec<Complaint> {
    vec![Complaint { place: String::new(), what }]
}

/// The objects in a text.
struct Objects<'t> {
    complete: Vec<&'t str>,
    /// One that begins and does not end.
    open: Option<&'t str>,
}

/// Walks over the objects of a text, at most so many.
fn objects(text: &str) -> Objects<'_> {
    let mut found = Objects { complete: Vec::new(), open: None };
    let mut from = 0;
    while found.complete.len() < limits::JSON_CANDIDATES {
        let Some(rest) = text.get(from..) else { break };
        let Some(start) = rest.find('{') else { break };
        let rest = rest.get(start..).unwrap_or_default();
        let mut depth = 0_usize;
        let end = marks(rest).find_map(|(at, mark)| {
            match mark {
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0).then_some(at + 1)
        });
        let Some(end) = end else {
            found.open = Some(rest);
            break;
        };
        found.complete.extend(rest.get(..end));
        from += start + end;
    }
    found
}

/// The brackets, commas and colons of a text that are not in a string, with their places.
fn marks(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut in_string, mut escaped) = (false, false);
    text.char_indices().filter(move |(_, c)| {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            return false;
        }
        in_string = *c == '"';
        matches!(c, '{' | '}' | '[' | ']' | ',' | ':')
    })
}

/// The text without the commas that stand before a closing bracket, if there are any.
fn without_commas(text: &str) -> Option<String> {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    let mut comma: Option<usize> = None;
    for (at, mark) in marks(text) {
        match (mark, comma) {
            ('}' | ']', Some(place)) if text.get(place + 1..at)?.trim().is_empty() => {
                kept.push_str(text.get(from..place)?);
                from = place + 1;
                comma = None;
            }
            (',', _) => comma = Some(at),
            _ => comma = None,
        }
    }
    if from == 0 {
        return None;
    }
    kept.push_str(text.get(from..)?);
    Some(kept)
}

/// An object that was cut off, ended after its last complete member. A value that nothing follows
/// may itself be cut: `0.7` of `0.75`, or `"no"` of `"not yet"`, so it goes.
fn closed(text: &str) -> Option<String> {
    let mut open: Vec<char> = Vec::new();
    let mut good: Option<(usize, Vec<char>)> = None;
    for (at, mark) in marks(text) {
        match mark {
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                if open.pop() != Some(mark) {
                    return None;
                }
                good = Some((at + 1, open.clone()));
            }
            // Everything before a comma is complete.
            ',' => good = Some((at, open.clone())),
            _ => {}
        }
        if open.len() > limits::JSON_DEPTH {
            return None;
        }
    }
    let (end, open) = good?;
    let mut closed = text.get(..end)?.to_owned();
    closed.extend(open.iter().rev());
    Some(closed)
}

#[cfg(test)]
mod tests;
