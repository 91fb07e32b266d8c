//! `rebuttal formats`.

use crate::run::{run, run_with};

#[test]
fn every_format_is_listed_with_an_example() {
    let text = run("formats");
    let json: Vec<serde_json::Value> =
        serde_json::from_str(&run("formats --format json").stdout).expect("is JSON");
    assert_eq!(text.code, 0);
    assert!(json.len() >= 10);
    for format in json {
        let name = format["name"].as_str().expect("has a name");
        assert!(text.stdout.contains(name), "{name}");
        assert!(!format["example"].as_str().expect("has an example").is_empty(), "{name}");
    }
}

#[test]
fn every_example_can_be_read() {
    let json: Vec<serde_json::Value> =
        serde_json::from_str(&run("formats --format json").stdout).expect("is JSON");
    for format in json {
        let (name, example) = (&format["name"], format["example"].as_str().expect("has one"));
        // One line says too little to tell plain text from anything else.
        let args = format!("audit - --fail-on never --from {}", name.as_str().expect("a name"));
        let run = run_with(&args, example);
        assert_eq!(run.code, 0, "{name}: {}", run.shown());
    }
}
