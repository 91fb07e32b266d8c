//! Replies as models write them: what is taken, and what is not.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn schema() -> Schema {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["vote"],
        "properties": {
            "vote": {"type": "string", "enum": ["yes", "no"]},
            "conviction": {"type": "number", "minimum": 0, "maximum": 1},
            "thesis": {"type": "string", "maxLength": 20},
            "why": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        },
    });
    Schema::new(schema).unwrap()
}

fn told(text: &str) -> Result<Value, String> {
    read(text, &schema()).map_err(|unfit| unfit.to_string())
}

#[test]
fn what_stands_around_and_what_can_be_read_one_way_is_no_reason_to_ask_again() {
    for text in [
        " {\"vote\": \"yes\"}\n",
        "```json\n{\"vote\": \"yes\"}\n```",
        "Sure! {\"vote\": \"yes\"} I hope {that} helps.",
        "Use { with care: {\"vote\": \"yes\"}",
        "As {asked}: {\"vote\": \"yes\",}",
        "[{\"vote\": \"yes\"}]",
        "{'vote': 'yes'}",
        "{'vote': \"yes\" , }",
        // The same object twice is one answer.
        "{\"vote\": \"yes\"}\n{\"vote\": \"yes\"}",
        // A field nobody asked for, and one that says nothing.
        "{\"vote\": \"yes\", \"extra\": 1, \"conviction\": null}",
        "<think>Perhaps {\"vote\": \"no\"}? Then again</think> {\"vote\": \"yes\"}",
    ] {
        assert_eq!(told(text), Ok(json!({"vote": "yes"})), "{text}");
    }
    let text = "{\"vote\": \"no\", 'why': [\"a, ]\", 'say \"b\"', ],}";
    assert_eq!(told(text), Ok(json!({"vote": "no", "why": ["a, ]", "say \"b\""]})));
    // Where objects agree on what decides, the last says the most.
    let text = "First {\"vote\": \"no\"}, in full {\"vote\": \"no\", \"conviction\": 1}";
    assert_eq!(told(text), Ok(json!({"vote": "no", "conviction": 1})));
}

#[test]
fn long_texts_and_lists_are_shortened() {
    let text = json!({"vote": "yes", "thesis": "It is safe and cheap and good", "why": [1, 2, 3]});
    let said = told(&text.to_string()).unwrap_err();
    assert_eq!(said, "/why/0: must be string, not a number; /why/1: must be string, not a number");
    let text =
        json!({"vote": "yes", "thesis": "It is safe and cheap and good", "why": ["a", "b", "c"]});
    let short = json!({"vote": "yes", "thesis": "It is safe and…", "why": ["a", "b"]});
    assert_eq!(told(&text.to_string()), Ok(short));
    let unbroken = told(&json!({"vote": "yes", "thesis": "é".repeat(30)}).to_string()).unwrap();
    assert_eq!(unbroken["thesis"], "é".repeat(19) + "…");
}

#[test]
fn what_would_be_invented_is_refused() {
    for (text, reason) in [
        ("{\"vote\": \"no", "it is cut off"),
        ("{\"vote\": \"no\"", "it is cut off"),
        ("```json\n{\"conviction\": 0.5, \"vote\": \"no\"", "it is cut off"),
        // An object inside a cut one is not the answer.
        ("{\"others\": [{\"vote\": \"no\"}], \"vote\": \"y", "it is cut off"),
        ("{\"vote\": no}", "it is not JSON"),
        // An apostrophe may end a text too early.
        ("{'vote': 'no', 'thesis': 'it's bad'}", "it is not JSON"),
        ("{\"vote\": \"yes\", \"vote\": \"no\"}", "is there twice"),
        ("{\"vote\": \"yes\"} or {\"vote\": \"no\"}", "several different objects"),
        ("{\"vote\": \"maybe\"}", "/vote: must be one of \"yes\", \"no\""),
        ("{\"vote\": null}", "/vote: must be string, not null"),
        ("{\"conviction\": 0.5}", "lacks the field \"vote\""),
        ("{\"vote\": \"yes\", \"conviction\": 75}", "/conviction: must be at most 1"),
        ("I vote yes.", "there is no JSON object in the reply"),
        ("", "there is no JSON object in the reply"),
        ("[{\"vote\": 1}]", "/vote: must be string"),
        (&"x".repeat(300 << 10), "at most 262144 are read"),
    ] {
        let found = told(text);
        assert!(found.as_ref().is_err_and(|found| found.contains(reason)), "{text}: {found:?}");
    }
}

#[test]
fn fields_have_other_names_and_what_is_not_in_the_schema_is_left_alone() {
    let form = json!({
        "type": "object", "required": ["answer"],
        "properties": {"conviction": {"type": "number", "minimum": 0, "maximum": 1}},
    });
    let schema = Schema::new(form).unwrap().with_aliases("answer", &["action", "position"]);
    let told = |text: &str| read(text, &schema).map_err(|unfit| unfit.to_string());
    assert_eq!(told("{\"answer\": \"hold.\"}"), Ok(json!({"answer": "hold."})));
    assert_eq!(told("{\"action\": \"SELL\"}"), Ok(json!({"answer": "SELL"})));
    let both = told("{\"action\": \"SELL\", \"answer\": \"HOLD\"}");
    assert_eq!(both, Err("\"answer\" and \"action\" say different things".to_owned()));
    assert_eq!(told("{\"conviction\": 1}"), Err("lacks the field \"answer\"".to_owned()));
    let wrong = told("{\"answer\": \"SELL\", \"conviction\": 2}");
    assert_eq!(wrong, Err("/conviction: must be at most 1".to_owned()));
}

#[test]
fn long_nonsense_takes_no_long_time() {
    for text in [
        "{".repeat(200_000),
        "{\"a\":".repeat(40_000),
        "{}".repeat(100_000),
        "{\"vote\": \"yes\", ".repeat(15_000),
        "\"{\\".repeat(80_000),
        "{'a',".repeat(50_000),
        format!("{{\"vote\": \"yes\", \"why\": [{}", "\"a\",".repeat(60_000)),
    ] {
        let start = std::time::Instant::now();
        drop(told(&text));
        assert!(start.elapsed().as_secs() < 10, "{}…", &text[..20]);
    }
}

/// A reply as models spoil it.
fn spoiled() -> impl Strategy<Value = (bool, bool, String)> {
    (
        any::<bool>(),
        "[a-z \n`]{0,12}",
        "[a-z \n`,]{0,12}",
        prop::option::of(0_usize..120),
        any::<(bool, bool, bool)>(),
        prop::option::of((0_usize..110, any::<char>())),
    )
        .prop_map(|(yes, before, after, cut, (commas, single, fenced), damage)| {
            let vote = if yes { "yes" } else { "no" };
            let comma = if commas { "," } else { "" };
            let (open, close) = if fenced { ("```json\n", "\n```") } else { ("", "") };
            let reply = format!(
                "{before}{open}{{\"why\": [\"it costs\"{comma}], \"vote\": \"{vote}\", \
                 \"conviction\": 0.75{comma}}}{close}{after}"
            );
            let reply = if single { reply.replace('"', "'") } else { reply };
            let whole = cut.is_none() && damage.is_none();
            let mut chars: Vec<char> = reply.chars().take(cut.unwrap_or(usize::MAX)).collect();
            if let Some((at, c)) = damage
                && at < chars.len()
            {
                chars[at] = c;
            }
            (yes, whole, chars.into_iter().collect())
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever is done to a reply, what comes out keeps to the schema, and the vote in it is the
    /// vote that was written. Fences, commas, quotes and words around it alone cost nothing.
    #[test]
    fn a_damaged_reply_never_changes_sides((yes, whole, text) in spoiled()) {
        match told(&text) {
            Ok(value) => {
                prop_assert!(schema().complaints(&value).is_empty());
                prop_assert_eq!(&value["vote"], if yes { "yes" } else { "no" });
            }
            Err(reason) => prop_assert!(!whole, "{text}: {reason}"),
        }
    }

    /// A word that is no option is refused, and named with the options.
    #[test]
    fn a_wrong_option_is_never_mended(vote in "[a-zA-Z.]{0,6}") {
        prop_assume!(vote != "yes" && vote != "no");
        let found = told(&format!("{{\"vote\": \"{vote}\"}}"));
        prop_assert_eq!(found, Err("/vote: must be one of \"yes\", \"no\"".to_owned()));
    }

    /// No text makes the reader panic, and an object is found whatever is around it.
    #[test]
    fn any_text_can_be_read(text in any::<String>(), braces in "[{}\\[\\]\"',:a\\\\ ]{0,60}") {
        drop(told(&text));
        drop(told(&braces));
        drop(objects(&braces));
    }
}
