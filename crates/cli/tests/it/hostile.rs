//! What agents write is data, wherever it ends up.

use serde_json::json;

use crate::run::run_with;

/// A debate whose agent's name and words try everything.
pub(crate) fn hostile() -> String {
    let name = "<img src=x onerror=alert(1)>\u{1b}]0;owned\u{7}\u{202e}";
    let yes =
        "Yes, we should adopt it. </div><script>alert(1)</script> ``` @everyone \u{1b}[2J\u{9b}31m";
    let no =
        "No, we should not adopt it. <img src=x onerror=alert(2)> \u{200b}\u{e0041}\u{feff} ]]>";
    let message = |text: &str| json!({ "type": "TextMessage", "source": name, "content": text });
    let question =
        json!({ "type": "TextMessage", "source": "user", "content": "Should we adopt it?" });
    json!({ "messages": [question, message(yes), message(no)], "stop_reason": null }).to_string()
}

#[test]
fn no_control_character_reaches_the_terminal() {
    for format in ["text", "json", "jsonl", "html", "sarif", "junit", "markdown"] {
        let run = run_with(&format!("audit - --format {format}"), &hostile());
        assert_eq!(run.code, 1, "{}", run.shown());
        for character in run.stdout.chars().chain(run.stderr.chars()) {
            let is_fine = !character.is_control() || character == '\n' || character == '\t';
            assert!(is_fine, "{format}: {character:?}");
            let is_hidden = matches!(character, '\u{200b}' | '\u{202e}' | '\u{feff}' | '\u{e0041}');
            assert!(!is_hidden, "{format}: {character:?}");
        }
    }
}

#[test]
fn json_keeps_the_original_characters() {
    let run = run_with("audit - --format json", &hostile());
    let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("is JSON");
    let agent = value["findings"][0]["agent"].as_str().expect("a name");
    assert!(agent.contains("<img src=x onerror=alert(1)>"), "{agent:?}");
}

#[test]
fn the_page_escapes_names_and_words() {
    let page = run_with("audit - --format html", &hostile()).stdout;
    assert!(!page.contains("<script") && !page.contains("<img"), "nothing becomes markup");
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(page.contains("&lt;script&gt;alert(1)"));
    assert!(page.contains("\\u{200b}"), "hidden characters are shown");
}

#[test]
fn markdown_keeps_words_in_their_fence() {
    let text = run_with("audit - --format markdown", &hostile()).stdout;
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let ticks: String = line.chars().take_while(|character| *character == '`').collect();
        match &fence {
            Some(open) if ticks == *open && line == ticks => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => assert!(!line.contains("@everyone") || line.contains('`'), "{line}"),
        }
    }
    assert_eq!(fence, None, "every fence is closed");
}
