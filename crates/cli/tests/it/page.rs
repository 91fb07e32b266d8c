//! The HTML report: what comes first, what is counted, and what is said once.

use serde_json::json;

use crate::run::{folder, run, run_with};

fn debate(turns: &[(&str, &str)]) -> String {
    let message = |(name, text): &(&str, &str)| json!({ "type": "TextMessage", "source": name, "content": text });
    let question =
        json!({ "type": "TextMessage", "source": "user", "content": "Should we adopt it?" });
    let messages: Vec<_> = std::iter::once(question).chain(turns.iter().map(message)).collect();
    json!({ "messages": messages, "stop_reason": null }).to_string()
}

const YES: &str = "Yes, we should adopt it.";
const NO: &str = "No, we should not adopt it.";

fn flip(name: &str) -> String {
    debate(&[(name, YES), ("Bear", YES), (name, NO)])
}

fn page(files: &[(&str, &str)]) -> String {
    let files = folder(files);
    run(&format!("audit {} --format html", files.path().display())).stdout
}

#[test]
fn findings_come_before_agents_and_method() {
    let page = run_with("audit - --format html", &flip("Bull")).stdout;
    let places = ["1 finding. It would", "class=\"card high\"", "id=\"agents\"", "<footer>"]
        .map(|text| page.find(text).unwrap_or_else(|| panic!("{text} in {page}")));
    assert!(places.is_sorted(), "{places:?}");
    assert!(page.contains("1 agent without findings (1 turn, 1 position)"), "{page}");
    for said in ["method model", "no problems with the input", "the detector’s own scale"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!page.contains("class=\"contents\""), "one transcript needs no table of contents");
}

#[test]
fn namesakes_of_two_transcripts_stay_apart() {
    let page = page(&[("a.json", &flip("Bull")), ("b.json", &flip("Bull"))]);
    let (_, agents) = page.split_once("id=\"agents\"").expect("agents");
    assert_eq!(agents.matches("<th scope=\"row\">Bull").count(), 2, "{agents}");
    assert!(agents.contains("2 agents without findings"), "{agents}");
    assert_eq!(page.matches("<nav class=\"contents\"").count(), 1);
    for anchor in ["t0", "t1"] {
        assert!(page.contains(&format!("href=\"#{anchor}\"")), "{anchor}");
        assert!(page.contains(&format!("id=\"{anchor}\"")), "{anchor}");
    }
}

#[test]
fn many_agents_are_folded_away() {
    let names: Vec<_> = (0..15).map(|number| format!("agent-{number:02}")).collect();
    let mut turns: Vec<_> = names.iter().map(|name| (name.as_str(), YES)).collect();
    turns.extend(names.iter().map(|name| (name.as_str(), NO)));
    let page = run_with("audit - --format html", &debate(&turns)).stdout;
    assert!(page.contains("<summary>3 further agents with findings</summary>"), "{page}");
}

#[test]
fn the_headline_counts_the_cards() {
    let honest = "I have changed my mind. No, we should not adopt it.";
    let turns = [("a", YES), ("b", YES), ("a", NO), ("b", honest)];
    let page = run_with("audit - --format html", &debate(&turns)).stdout;
    assert_eq!(page.matches("<article class=\"card").count(), 2, "{page}");
    assert!(page.contains("2 findings, 1 of which would change"), "{page}");
}

#[test]
fn a_sentence_is_quoted_once_per_card() {
    let honest = "I have changed my mind: no, we should not adopt it.";
    let page = run_with("audit - --format html", &debate(&[("a", YES), ("a", honest)])).stdout;
    assert_eq!(page.matches("<article class=\"card").count(), 1, "{page}");
    assert!(page.contains("position after, acknowledgment"), "{page}");
    assert_eq!(page.matches("<q>I have changed my mind").count(), 1, "{page}");
}

#[test]
fn transcripts_without_findings_are_out_of_the_way() {
    let clean = debate(&[("Judge", YES)]);
    let page = page(&[("a.json", &clean), ("b.json", &flip("Bull"))]);
    let (before, after) =
        page.split_once("1 transcript without findings</summary>").expect("folded");
    assert!(before.contains("b.json") && after.contains("a.json"), "{page}");
}
