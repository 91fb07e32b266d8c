//! One ruling of a model, field by field: does it follow the schema, and was everything in it
//! provided?

use rebuttal_model::{Action, Confidence, Contradiction, Ruling, Side, Whose};
use rebuttal_text::visible;
use serde_json::{Map, Value};

use super::{Opinion, Order, Refused, names as named};
use crate::numbers::{Number, numbers, same};
use crate::words::{key, names, short, words};

/// Longest explanation kept, in characters; longer ones are cut.
const EXPLANATION: usize = 4_000;
/// Characters of a bad field that are repeated in a message.
const REPEATED: usize = 80;
/// Longest list that an explanation may number.
const LIST: f64 = 20.0;

pub(super) fn check(
    item: &Map<String, Value>,
    contradiction: &Contradiction,
    order: Order,
    batch: usize,
) -> Result<Opinion, Refused> {
    let sides = contradiction.sides.len();
    let resolution = Ruling::try_from(text(item, "resolution")?.to_owned())
        .map_err(|message| unknown("resolution", &message))?;
    let explanation = text(item, "explanation")?;
    let value = field(item, "recommended_value")?;
    let citation = field(item, "recommended_citation")?;
    let confidence = confidence(item)?;
    let action = Action::try_from(text(item, "action")?.to_owned())
        .map_err(|message| unknown("action", &message))?;
    consistent(resolution, action)?;

    let back = |field, side: usize| {
        let no_such = Refused::NoSuchSide { field, number: side + 1, sides };
        order.place(side, sides).ok_or(no_such)
    };
    let resolution = match resolution {
        Ruling::Correct(side) => Ruling::Correct(back("resolution", side)?),
        other => other,
    };
    let action = match action {
        Action::Use(side) => Action::Use(back("action", side)?),
        other => other,
    };
    let value = recommended_value(value, contradiction, resolution)?;
    let citation = recommended_citation(citation, contradiction, resolution)?;
    provided(explanation, contradiction, confidence, batch)?;
    Ok(Opinion {
        resolution,
        explanation: short(explanation, EXPLANATION),
        recommended_value: value,
        recommended_citation: citation,
        confidence,
        action,
    })
}

fn unknown(field: &'static str, message: &str) -> Refused {
    // The message repeats what the model wrote.
    Refused::Unknown { field, message: visible(&short(message, 3 * REPEATED)).into_owned() }
}

fn field<'i>(item: &'i Map<String, Value>, name: &'static str) -> Result<&'i Value, Refused> {
    item.get(name).ok_or(Refused::MissingField(name))
}

fn text<'i>(item: &'i Map<String, Value>, name: &'static str) -> Result<&'i str, Refused> {
    let value = field(item, name)?;
    let text = value.as_str().filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| wrong(name, "a text", value))
}

fn wrong(field: &'static str, wants: &'static str, value: &Value) -> Refused {
    Refused::WrongType { field, wants, found: repeated(&value.to_string()) }
}

fn repeated(text: &str) -> String {
    visible(&short(text, REPEATED)).into_owned()
}

fn confidence(item: &Map<String, Value>) -> Result<Confidence, Refused> {
    let value = field(item, "confidence")?;
    let number = value.as_f64().ok_or_else(|| wrong("confidence", "a number", value))?;
    Confidence::new(number, Whose::Stated).ok_or_else(|| Refused::Confidence(number.to_string()))
}

/// Asking for a person never contradicts a ruling; anything else must be what the ruling means.
fn consistent(resolution: Ruling, action: Action) -> Result<(), Refused> {
    match (resolution, action) {
        (_, Action::FlagForReview) | (Ruling::BothValid, Action::UseBoth) => Ok(()),
        (Ruling::Correct(one), Action::Use(two)) if one == two => Ok(()),
        _ => {
            let (resolution, action) = (String::from(resolution), String::from(action));
            Err(Refused::Inconsistent(format!("{resolution} does not go with {action}")))
        }
    }
}

/// The sides that a recommendation may come from.
fn recommendable(contradiction: &Contradiction, resolution: Ruling) -> Vec<&Side> {
    match resolution {
        Ruling::Correct(side) => contradiction.sides.get(side).into_iter().collect(),
        Ruling::BothValid => contradiction.sides.iter().collect(),
        Ruling::NeitherValid => Vec::new(),
    }
}

/// The value of a side that the model's value is; of the winner, when it gives none.
fn recommended_value(
    value: &Value,
    contradiction: &Contradiction,
    resolution: Ruling,
) -> Result<Option<f64>, Refused> {
    let unit = contradiction.unit.as_deref().unwrap_or_default();
    let is_of = |side: &&Side| match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| is_value(number, side)),
        Value::String(text) => is_written(text, side, unit),
        _ => false,
    };
    match value {
        Value::Null => match resolution {
            Ruling::Correct(side) => Ok(contradiction.sides.get(side).and_then(|side| side.value)),
            _ => Ok(None),
        },
        Value::Number(_) | Value::String(_) => {
            if let Some(side) = recommendable(contradiction, resolution).into_iter().find(is_of) {
                return Ok(side.value);
            }
            let shown = repeated(&value.to_string());
            if contradiction.sides.iter().any(|side| is_of(&side)) {
                let ruling = String::from(resolution);
                return Err(Refused::Inconsistent(format!(
                    "{ruling} does not go with the recommended value {shown}"
                )));
            }
            Err(Refused::InventedValue(shown))
        }
        _ => Err(wrong("recommended_value", "a number, a text or null", value)),
    }
}

/// True when the number is the side's, in its unit or as it is written.
fn is_value(number: f64, side: &Side) -> bool {
    let as_written = || numbers(&side.shown).iter().any(|shown| same(shown.value, number.abs()));
    match side.value {
        Some(value) => same(value, number) || (as_written() && (value < 0.0) == (number < 0.0)),
        None => as_written(),
    }
}

/// True when the text is the side's value, perhaps with other zeros or without its unit.
fn is_written(text: &str, side: &Side, unit: &str) -> bool {
    // "%" and "$" are no words; each must stand in what the side wrote, or be its unit.
    let is_known = |sign: char| {
        let harmless = sign.is_alphanumeric() || sign.is_whitespace() || "+-−–.,'\"".contains(sign);
        harmless || side.shown.contains(sign) || unit.contains(sign)
    };
    if !text.chars().all(is_known) {
        return false;
    }
    let own = words(text);
    if own == words(&side.shown) && !own.is_empty() {
        return negative(text) == negative(&side.shown);
    }
    let [number] = numbers(text).try_into().unwrap_or([Number { value: f64::NAN, at: 0..0 }]);
    let before = text.get(..number.at.start).unwrap_or_default();
    let after = text.get(number.at.end..).unwrap_or_default();
    let known = words(&format!("{} {unit}", side.shown));
    let rest_is_known =
        [before, after].into_iter().flat_map(words).all(|word| known.contains(&word));
    let value = if negative(before) { -number.value } else { number.value };
    rest_is_known && is_value(value, side)
}

fn negative(text: &str) -> bool {
    text.trim_start().starts_with(['-', '−', '–'])
}

/// The citation of a side that the model's citation is, as the side wrote it.
fn recommended_citation(
    citation: &Value,
    contradiction: &Contradiction,
    resolution: Ruling,
) -> Result<Option<String>, Refused> {
    let own = |side: &Side| side.citation.as_ref().map(|citation| citation.text.clone());
    let text = match citation {
        Value::Null => {
            let Ruling::Correct(side) = resolution else { return Ok(None) };
            return Ok(contradiction.sides.get(side).and_then(own));
        }
        Value::String(text) => text,
        _ => return Err(wrong("recommended_citation", "a text or null", citation)),
    };
    let is_of = |side: &&Side| is_cited(text, side);
    if let Some(side) = recommendable(contradiction, resolution).into_iter().find(is_of) {
        return Ok(own(side));
    }
    let shown = repeated(text);
    if contradiction.sides.iter().any(|side| is_of(&side)) {
        let ruling = String::from(resolution);
        return Err(Refused::Inconsistent(format!(
            "{ruling} does not go with the recommended citation {shown}"
        )));
    }
    Err(Refused::InventedCitation(shown))
}

/// True when the text is the side's citation, a piece of it, or its source with nothing beside it
/// that the side did not write.
fn is_cited(text: &str, side: &Side) -> bool {
    let Some(citation) = &side.citation else { return false };
    let given = words(text);
    if given.is_empty() {
        return false;
    }
    let own = words(&citation.text);
    if names(&own, &given.concat()) {
        return true;
    }
    let source = citation.source.as_deref().map(key).unwrap_or_default();
    let period = side.period.as_ref().map_or("", |period| &period.text);
    let known = words(&format!("{} {period} {} {}", citation.text, side.quote, side.shown));
    names(&given, &source) && given.iter().all(|word| known.contains(word) || source.contains(word))
}

/// Refuses an explanation with a number or a name that stands nowhere in the contradiction.
fn provided(
    explanation: &str,
    contradiction: &Contradiction,
    confidence: Confidence,
    batch: usize,
) -> Result<(), Refused> {
    let input = input(contradiction);
    let mut known: Vec<f64> = numbers(&input).into_iter().map(|number| number.value).collect();
    let stated = contradiction.sides.iter().filter_map(|side| side.confidence);
    let shares = stated.chain([confidence]).map(Confidence::value);
    // A share may be said as a percentage.
    for share in shares.chain(contradiction.relative_difference) {
        known.extend([share, share * 100.0]);
    }
    known.extend(contradiction.sides.iter().filter_map(|side| side.value).map(f64::abs));
    let most = contradiction.sides.len().max(batch);
    for number in numbers(explanation) {
        let is_known = known.iter().any(|known| same(*known, number.value));
        if !is_known && !only_counts(explanation, &number, most) {
            let shown = explanation.get(number.at).unwrap_or_default();
            return Err(Refused::InventedNumber(repeated(shown)));
        }
    }
    // Digits of other scripts, fractions and raised figures: rare enough to ask for the very sign.
    let foreign = |letter: &char| letter.is_numeric() && !letter.is_ascii();
    if let Some(letter) = explanation.chars().filter(foreign).find(|it| !input.contains(*it)) {
        return Err(Refused::InventedNumber(letter.to_string()));
    }
    match named::unknown(explanation, &input) {
        Some(name) => Err(Refused::InventedName(repeated(name))),
        None => Ok(()),
    }
}

/// Everything that was provided, as one text.
fn input(contradiction: &Contradiction) -> String {
    let Contradiction { metric_name, metric, entity, unit, sides, .. } = contradiction;
    let mut pieces: Vec<&str> = vec![metric_name, metric];
    pieces.extend(entity.as_deref());
    pieces.extend(unit.as_deref());
    for side in sides {
        pieces.extend([side.agent.as_str(), &side.quote, &side.shown]);
        pieces.extend(side.period.as_ref().map(|when| when.text.as_str()));
        if let Some(citation) = &side.citation {
            pieces.push(&citation.text);
            pieces.extend(citation.source.as_deref());
            pieces.extend(citation.period.as_ref().map(|when| when.text.as_str()));
        }
    }
    pieces.join("\n")
}

/// True for a number that measures nothing: "agent 2", "c1", "1. First, …", "(2)".
fn only_counts(text: &str, number: &Number, most: usize) -> bool {
    const COUNTED: [&str; 5] = ["agent", "side", "contradiction", "claim", "c"];
    let before = text.get(..number.at.start).unwrap_or_default();
    let after = text.get(number.at.end..).unwrap_or_default();
    let whole = number.value.fract() == 0.0 && number.value >= 1.0;
    let counts_sides = u32::try_from(most).is_ok_and(|most| number.value <= f64::from(most));
    let noun = before.trim_end_matches([' ', '#', '_']);
    let noun = noun.rsplit(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
    let counted = COUNTED.iter().any(|counted| noun.eq_ignore_ascii_case(counted));
    let starts_line = before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
    let starts_item = before.ends_with([' ', '(', '\n']) || before.is_empty();
    let marks_item =
        (starts_line && after.starts_with(". ")) || (starts_item && after.starts_with(')'));
    whole && ((counted && counts_sides) || (marks_item && number.value <= LIST))
}
