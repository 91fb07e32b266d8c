//! Replies as models write them: what is taken, and what is not.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn schema() -> Schema {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["vote"],
        "properties": {
            "vote": {"type": "string", "enum": ["yes", "no"]},
            "conviction": {"type": "number", "minimum": 0, "maximum": 1},
            "why": {"type": "array", "items": {"type": "string"}},
        },
    });
    Schema::new("ballot", schema).unwrap()
}

fn fitted(text: &str) -> Result<(String, Vec<Repair>), String> {
    let said = |complaints: Vec<Complaint>| complaints[0].to_string();
    fit(text, &schema()).map(|fit| (fit.value["vote"].to_string(), fit.repairs)).map_err(said)
}

#[test]
fn good_replies_need_no_repair() {
    assert_eq!(fitted(" {\"vote\": \"yes\"}\n"), Ok(("\"yes\"".to_owned(), vec![])));
}

#[test]
fn wrappings_commas_and_cut_tails_are_taken_away() {
    use Repair::{Commas, Surroundings, Tail};
    for (text, repairs) in [
        ("```json\n{\"vote\": \"yes\"}\n```", vec![Surroundings]),
        ("Sure! {\"vote\": \"yes\"} I hope {that} helps.", vec![Surroundings]),
        ("{\"vote\": \"yes\", \"why\": [\"a, ]\", ],}", vec![Commas]),
        ("As {asked}: {\"vote\": \"yes\",}", vec![Surroundings, Commas]),
        ("{\"vote\": \"yes\", \"why\": [\"it is", vec![Tail]),
        ("{\"vote\": \"yes\", \"why\": [\"a\", \"b\"", vec![Tail]),
        ("```\n{\"vote\": \"yes\", \"convic", vec![Surroundings, Tail]),
        // The same object twice is one answer.
        ("{\"vote\": \"yes\"}\n{\"vote\": \"yes\"}", vec![Surroundings]),
    ] {
        assert_eq!(fitted(text), Ok(("\"yes\"".to_owned(), repairs)), "{text}");
    }
}

#[test]
fn what_would_be_invented_is_refused() {
    for (text, reason) in [
        // Cut inside the value that decides: "no" may be the beginning of anything.
        ("{\"vote\": \"no", "it is not JSON"),
        ("{\"vote\": \"no\"", "it is not JSON"),
        ("{\"conviction\": 0.5, \"vote\": \"no\"", "it is not JSON"),
        ("{\"vote\": no}", "it is not JSON"),
        ("{'vote': 'no'}", "it is not JSON"),
        ("{\"vote\": \"yes\", \"vote\": \"no\"}", "is there twice"),
        ("{\"vote\": \"yes\"} or {\"vote\": \"no\"}", "several objects that fit"),
        ("{\"vote\": \"maybe\"}", "must be one of"),
        ("{\"vote\": \"yes\", \"extra\": 1}", "must not have the field"),
        ("I vote yes.", "it is not JSON"),
        ("", "it is not JSON"),
        ("[{\"vote\": 1}]", "must be string"),
    ] {
        let found = fitted(text);
        assert!(found.as_ref().is_err_and(|found| found.contains(reason)), "{text}: {found:?}");
    }
}

#[test]
fn long_nonsense_takes_no_long_time() {
    for text in [
        "{".repeat(200_000),
        "{\"a\":".repeat(100_000),
        "{}".repeat(100_000),
        "{\"vote\": \"yes\", ".repeat(50_000),
        "\"{\\".repeat(100_000),
        format!("{{\"vote\": \"yes\", \"why\": [{}", "\"a\",".repeat(100_000)),
    ] {
        let start = std::time::Instant::now();
        drop(fit(&text, &schema()));
        assert!(start.elapsed().as_secs() < 10, "{}…", &text[..20]);
    }
}

proptest! {
    /// P6: whatever is done to a reply, what comes out fits the schema, and the vote in it is the
    /// vote that was written.
    #[test]
    fn a_damaged_reply_never_changes_sides(
        yes in any::<bool>(),
        before in "[a-z \n`]{0,12}",
        after in "[a-z \n`,]{0,12}",
        cut in 0_usize..120,
        commas in any::<bool>(),
        damage in prop::option::of((0_usize..90, any::<char>())),
    ) {
        let vote = if yes { "yes" } else { "no" };
        let comma = if commas { "," } else { "" };
        let reply = format!(
            "{before}{{\"why\": [\"it costs\"{comma}], \"vote\": \"{vote}\", \"conviction\": 0.75{comma}}}{after}"
        );
        let mut chars: Vec<char> = reply.chars().take(cut).collect();
        if let Some((at, c)) = damage && at < chars.len() {
            chars[at] = c;
        }
        let damaged: String = chars.into_iter().collect();
        if let Ok(found) = fit(&damaged, &schema()) {
            prop_assert!(schema().complaints(&found.value).is_empty());
            prop_assert_eq!(&found.value["vote"], vote);
        }
    }
}
