//! From a model's text to checked opinions.

use rebuttal_model::{Contradiction, limits, structured};
use serde_json::{Map, Value};

use super::check::check;
use super::{Opinion, Order, Refused};

/// Fields of which a ruling has at least one; other JSON in the text is not meant.
const MARKS: [&str; 3] = ["resolution", "action", "explanation"];

/// Reads a model's answer to [`prompt`](super::prompt): one result for each contradiction, in their
/// order.
///
/// Code fences and text around the JSON do not matter. What does not follow the schema, or holds
/// what was not provided, is [refused](Refused), item by item.
///
/// ```
/// use rebuttal_model::{Contradiction, Ruling};
/// use rebuttal_policy::{Order, replies};
///
/// let json = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two_sources.json"));
/// let contradiction: Contradiction = serde_json::from_str(json).unwrap();
/// let answer = r#"Here is my ruling:
/// {"resolution": "agent2_correct", "explanation": "GCC-STAT is the regional authority.",
///  "recommended_value": "0.10%", "recommended_citation": "GCC-STAT", "confidence": 0.8,
///  "action": "use_agent2"}"#;
///
/// // It saw the last side first, so its agent 2 is our side 0.
/// let opinions = replies(answer, &[&contradiction], Order::Reversed);
/// assert_eq!(opinions[0].as_ref().unwrap().resolution, Ruling::Correct(0));
///
/// let invented = answer.replace("0.10%", "0.11%");
/// let opinions = replies(&invented, &[&contradiction], Order::Reversed);
/// assert!(opinions[0].as_ref().unwrap_err().is_invented());
/// ```
pub fn replies(
    text: &str,
    contradictions: &[&Contradiction],
    order: Order,
) -> Vec<Result<Opinion, Refused>> {
    let items = items(text, contradictions.len());
    let one = |(index, contradiction): (usize, &&Contradiction)| {
        let items = items.as_ref().map_err(Clone::clone)?;
        let item = if contradictions.len() == 1 { only(items)? } else { pick(items, index)? };
        check(item, contradiction, order, contradictions.len())
    };
    contradictions.iter().enumerate().map(one).collect()
}

type Item = Map<String, Value>;

/// The one item of an answer to one question.
fn only(items: &[Item]) -> Result<&Item, Refused> {
    match items {
        [item] => Ok(item),
        _ => Err(Refused::Several),
    }
}

/// The item of a batch for a contradiction.
fn pick(items: &[Item], index: usize) -> Result<&Item, Refused> {
    let id = format!("c{}", index + 1);
    let mut found = items.iter().filter(|item| item.get("id").and_then(Value::as_str) == Some(&id));
    match (found.next(), found.next()) {
        (Some(item), None) => Ok(item),
        (Some(_), Some(_)) => Err(Refused::Twice(id)),
        (None, _) => Err(Refused::NoItem(id)),
    }
}

/// The rulings in a text, alone or in a list.
fn items(text: &str, asked: usize) -> Result<Vec<Item>, Refused> {
    let most = limits::STRUCTURED_REPLY_BYTES;
    if text.len() > most {
        return Err(Refused::TooLong { bytes: text.len(), most });
    }
    let found = structured::objects(text);
    let is_ruling = |item: &Item| MARKS.iter().any(|mark| item.contains_key(*mark));
    let mut rulings: Vec<Item> = Vec::new();
    for item in found.objects.into_iter().filter(is_ruling) {
        // Said twice in the same words is said once.
        if !rulings.contains(&item) {
            rulings.push(item);
        }
    }
    match (rulings.is_empty(), found.cut_off) {
        (false, _) => Ok(rulings),
        (true, true) => Err(Refused::CutOff),
        (true, false) if asked > 1 => Err(Refused::NoJson("array of rulings")),
        (true, false) => Err(Refused::NoJson("object with a ruling")),
    }
}
