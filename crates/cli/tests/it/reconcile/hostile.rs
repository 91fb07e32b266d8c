//! What agents wrote is data: it obeys nobody's terminal, page or comment.

use serde_json::json;

use crate::run::{folder, run_with, written};

/// Two reports whose names and words try to be something else.
pub(crate) fn hostile() -> String {
    let nasty =
        "<img src=x onerror=alert(1)><script>alert(1)</script>\u{1b}]0;x\u{7}\u{202e}\n# x\n```\n";
    let one = json!({"agent": format!("one\u{1b}[31m {nasty}"),
        "text": format!("Unemployment in Qatar was 4 % in 2024. {nasty}")});
    let two = json!({"agent": format!("two|`x` @team {nasty}"),
        "text": format!("Unemployment in Qatar was 9 % in 2024. {nasty}")});
    format!("{one}\n{two}\n")
}

fn is_shown(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}')
}

#[test]
fn nothing_reaches_a_terminal_that_it_would_obey() {
    for format in ["text", "json", "markdown", "html"] {
        let run = run_with(&format!("reconcile - --events --format {format}"), &hostile());
        assert_eq!(run.code, 1, "{}", run.shown());
        assert!(is_shown(&run.stdout) && is_shown(&run.stderr), "{format}: {:?}", run.shown());
    }
}

/// What is left of a line without its code spans: a span ends at as many backticks as began it.
fn outside_spans(line: &str) -> String {
    let mut runs: Vec<&str> = line.split_inclusive('`').collect();
    runs = runs
        .iter()
        .flat_map(|run| run.strip_suffix('`').map_or(vec![*run], |it| vec![it, "`"]))
        .collect();
    let tokens = runs.chunk_by(|a, b| *a == "`" && (*b == "`" || b.is_empty()) || a.is_empty());
    let tokens: Vec<String> = tokens.map(<[&str]>::concat).collect();
    let (mut prose, mut open) = (String::new(), None);
    for token in tokens {
        match &open {
            None if token.starts_with('`') => open = Some(token),
            None => prose.push_str(&token),
            Some(ticks) if *ticks == token => open = None,
            Some(_) => {}
        }
    }
    prose + &open.unwrap_or_default()
}

#[test]
fn nothing_becomes_markup() {
    let page = run_with("reconcile - --format html", &hostile()).stdout;
    assert!(!page.contains("<img") && !page.contains("<script"), "{page}");
    let markdown = run_with("reconcile - --format markdown", &hostile()).stdout;
    let mut fence: Option<&str> = None;
    for line in markdown.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = line.get(..ticks),
            None => {
                let prose = outside_spans(line);
                assert!(!prose.contains(['<', '@', '`']), "{prose} in {line}");
                assert_ne!(line, "# x");
            }
        }
    }
    assert_eq!(fence, None, "every block is closed");
}

#[test]
fn adjusted_texts_cannot_be_obeyed_either() {
    let folder = folder(&[]);
    let path = folder.path().display().to_string();
    run_with(&format!("reconcile - --adjusted {path}/"), &hostile());
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let entry = entry.expect("a file");
        let text = written(entry.path());
        assert!(is_shown(&text), "{text:?}");
    }
}
