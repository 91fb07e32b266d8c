//! From a reply's text to the one value in it that keeps to a schema.

use serde_json::{Map, Value};

use super::mend::mend;
use super::schema::Schema;
use super::{Unfit, strict};
use crate::limits;

/// The JSON objects in a text, in their order, those inside others left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objects {
    /// Those that can be read.
    pub objects: Vec<Map<String, Value>>,
    /// Whether the text ends in the middle of one.
    pub cut_off: bool,
    /// What is wrong with the last that looked like one.
    wrong: Option<String>,
}

/// Reads the one object of a reply that keeps to the schema; else says what is wrong.
///
/// Objects that fit and agree in every required field are one answer, of which the last is taken.
pub fn read(text: &str, schema: &Schema) -> Result<Value, Unfit> {
    if text.len() > limits::STRUCTURED_REPLY_BYTES {
        let most = limits::STRUCTURED_REPLY_BYTES;
        let what = format!("it has {} bytes, and at most {most} are read", text.len());
        return Err(Unfit::whole(what));
    }
    let Objects { objects, cut_off, wrong } = objects(text);
    let (mut fitting, mut unfit): (Vec<Value>, _) = (Vec::new(), None);
    for object in objects {
        match schema.settle(object) {
            Ok(value) => fitting.push(value),
            Err(complaints) => unfit = Some(complaints),
        }
    }
    let agree = |one: &Value, two: &Value| {
        schema.required().iter().all(|field| one.get(*field) == two.get(*field))
    };
    match (fitting.pop(), cut_off, unfit) {
        (Some(last), ..) if fitting.iter().all(|other| agree(other, &last)) => Ok(last),
        (Some(_), ..) => Err(Unfit::whole("there are several different objects; send one")),
        (None, true, _) => {
            Err(Unfit::whole("it is cut off: its JSON object does not end; be brief"))
        }
        (None, false, Some(unfit)) => Err(Unfit(unfit)),
        (None, false, None) => Err(Unfit::whole(match wrong {
            Some(reason) => format!("it is not JSON: {reason}"),
            None => "there is no JSON object in the reply".to_owned(),
        })),
    }
}

/// Finds the objects of a text, at most [`limits::JSON_CANDIDATES`], whatever stands between them.
pub fn objects(text: &str) -> Objects {
    let mut found = Objects::default();
    let mut rest = after_thoughts(text);
    for _ in 0..limits::JSON_CANDIDATES {
        let Some(start) = rest.find('{') else { break };
        rest = rest.get(start..).unwrap_or_default();
        let next = match closing(rest) {
            Some(end) => {
                match parse(rest.get(..end).unwrap_or_default()) {
                    Ok(Value::Object(object)) => found.objects.push(object),
                    Ok(_) => {}
                    Err(reason) => found.wrong = Some(reason),
                }
                end
            }
            // What is inside a cut object must not pass for the whole.
            None if begins_like_json(rest) => {
                found.cut_off = true;
                break;
            }
            None => 1,
        };
        rest = rest.get(next..).unwrap_or_default();
    }
    found
}

/// The text behind what a model thought aloud before it answered.
fn after_thoughts(text: &str) -> &str {
    let thinks = text.trim_start().starts_with("<think>");
    let answer = text.rsplit_once("</think>").filter(|_| thinks);
    answer.map_or(text, |(_, answer)| answer)
}

/// One document, as it is or mended.
fn parse(text: &str) -> Result<Value, String> {
    strict::parse(text)
        .or_else(|reason| mend(text).and_then(|mended| strict::parse(&mended).ok()).ok_or(reason))
}

/// Whether an opening brace is followed by a name in quotes.
fn begins_like_json(text: &str) -> bool {
    text.get(1..).unwrap_or_default().trim_start().starts_with(['"', '\''])
}

/// Where the object ends that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
