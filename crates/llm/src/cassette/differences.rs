//! What two requests differ in, so that a person sees it at a glance.

use serde_json::Value;

use crate::chat::Request;

/// Most places named.
const PLACES: usize = 4;
/// Characters shown before the first difference of two texts, and from it on.
const BEFORE: usize = 20;
/// Characters shown after the place where two texts part.
const AFTER: usize = 60;

/// The places in which `now` is not what was `recorded`.
pub(super) fn differences(recorded: &Request, now: &Request) -> String {
    let value = |request| serde_json::to_value(request).unwrap_or_default();
    let mut found = Vec::new();
    compare(&value(recorded), &value(now), "", &mut found);
    let more = found.len().saturating_sub(PLACES);
    found.truncate(PLACES);
    let mut text = found.join("; ");
    if more > 0 {
        text.extend(["; and ", &more.to_string(), " more"]);
    }
    text
}

/// Notes where two requests differ, member by member.
fn compare(recorded: &Value, now: &Value, place: &str, found: &mut Vec<String>) {
    match (recorded, now) {
        (Value::Object(before), Value::Object(after)) => {
            let added = after.keys().filter(|name| !before.contains_key(*name));
            for name in before.keys().chain(added) {
                let [one, two] =
                    [before, after].map(|fields| fields.get(name).unwrap_or(&Value::Null));
                compare(one, two, &format!("{place}/{name}"), found);
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            for at in 0..before.len().max(after.len()) {
                let [one, two] = [before, after].map(|items| items.get(at).unwrap_or(&Value::Null));
                compare(one, two, &format!("{place}/{at}"), found);
            }
        }
        (Value::String(before), Value::String(after)) if before != after => {
            let (before, after) = around(before, after);
            found.push(format!("{place} was {before:?}, is {after:?}"));
        }
        (before, after) if before != after => {
            let short = |value: &Value| value.to_string().chars().take(AFTER).collect::<String>();
            found.push(format!("{place} was {}, is {}", short(before), short(after)));
        }
        _ => {}
    }
}

/// Two texts where they begin to differ.
fn around(before: &str, after: &str) -> (String, String) {
    let shared = before.chars().zip(after.chars()).take_while(|(one, two)| one == two).count();
    let from = shared.saturating_sub(BEFORE);
    let shown = |text: &str| {
        let start = if from > 0 { "…" } else { "" };
        let middle: String = text.chars().skip(from).take(shared - from + AFTER).collect();
        let end = if text.chars().count() > shared + AFTER { "…" } else { "" };
        format!("{start}{middle}{end}")
    };
    (shown(before), shown(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::Message;

    #[test]
    fn places_are_named_with_the_words_around_them() {
        let long = "x".repeat(500);
        let one = Request::new(format!("{long}Is it red?{long}"));
        let mut two = Request::new(format!("{long}Is it blue?{long}"));
        two.temperature = Some(0.5);
        two.messages.push(Message::model("No."));
        let text = differences(&one, &two);
        assert!(
            text.contains("/messages/0/text was \"…") && text.contains("Is it red?x"),
            "{text}"
        );
        assert!(text.contains("/temperature was null, is 0.5"), "{text}");
        assert!(text.contains("/messages/1 was null, is {"), "{text}");
        assert!(text.chars().count() < 600, "{text}");
        assert_eq!(differences(&one, &one), "");
    }
}
