//! Every probe of the shared case files about receipts, time and evidence that a debate answers.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rebuttal::detect::evidence::quality;
use rebuttal::model::QualityWeights;
use serde_json::Value;

use super::server::{Panel, says};

/// The rows of an area, or none where the folder is not at hand.
fn rows(area: &str, least: usize) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let mut all: Vec<Value> = Vec::new();
    for file in ["adversarial.jsonl", "upstream_expectations.jsonl"] {
        let path = root.join("cases").join(file);
        let Ok(text) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
            println!("skipped: no data at {}", path.display());
            continue;
        };
        all.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    let own: Vec<Value> = all.iter().filter(|row| row["area"] == area).cloned().collect();
    assert!(all.is_empty() || own.len() >= least, "{} rows of {area}", own.len());
    println!("{area}: {} rows", own.len());
    own
}

/// Makes a key of this name, once, and gives its public part.
fn key(panel: &Panel, name: &str) -> (PathBuf, String) {
    let path = panel.database().with_file_name(format!("{name}.key"));
    let public = path.with_extension("public");
    if !path.exists() {
        let run = panel.run(&format!("receipt --new-key {}", path.display()));
        assert_eq!(run.code, 0, "{}", run.shown());
        std::fs::write(&public, run.stdout.trim()).unwrap();
    }
    (path, std::io::read_to_string(std::fs::File::open(public).unwrap()).unwrap())
}

/// The text with an empty list in the place of the list after `name`.
fn emptied(text: &str, name: &str) -> String {
    let start = text.rfind(&format!("\"{name}\":[")).expect("a list") + name.len() + 4;
    let mut depth = 1;
    let length = text[start..].find(|c: char| {
        depth += match c {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        depth == 0
    });
    format!("{}{}", &text[..start], &text[start + length.expect("its end")..])
}

/// Whether the journal still verifies without its dissents.
fn erased(panel: &Panel) -> bool {
    let journal = panel.run("export").stdout;
    let path = panel.database().with_file_name("erased.jsonl");
    let verifies = |text: &str| {
        std::fs::write(&path, text).unwrap();
        panel.run(&format!("verify {}", path.display())).code == 0
    };
    assert!(verifies(&journal));
    let without = emptied(&journal, "dissent");
    assert!(without.len() < journal.len(), "there was dissent to erase");
    verifies(&without)
}

#[test]
fn receipts_hold_against_every_change() {
    let panel = Panel::split();
    assert_eq!(panel.debate("--seed 7").code, 0);
    for row in rows("receipt", 5) {
        let input = &row["input"];
        if input.is_string() {
            assert!(!erased(&panel), "{row}");
            continue;
        }
        let file = panel.database().with_file_name("receipt.json");
        let (_, wanted) = key(&panel, input["verify"].as_str().unwrap());
        let signed = input["sign"].as_str().map(|name| key(&panel, name).0);
        let with = signed.map_or(String::new(), |path| format!("--key {}", path.display()));
        let run = panel.run(&format!("receipt {with} -o {}", file.display()));
        assert_eq!(run.code, 0, "{}", run.shown());
        if input.get("tamper").is_some() {
            let text = std::io::read_to_string(std::fs::File::open(&file).unwrap()).unwrap();
            let changed = text.replacen("\"yes\"", "\"no\"", 1);
            assert_ne!(changed, text);
            std::fs::write(&file, changed).unwrap();
        }
        let run = panel.run(&format!("verify --receipt {} --public-key {wanted}", file.display()));
        assert_eq!(run.code == 0, row["expected"]["eq"] == true, "{row}: {}", run.shown());
    }
}

#[test]
fn a_timeout_is_kept() {
    for row in rows("timeout", 1) {
        let number = |name: &str| row["input"][name].as_f64().unwrap();
        let (timeout, sleeps) = (number("timeout_seconds"), number("agent_sleeps"));
        let slow = Duration::from_secs_f64(sleeps);
        let panel = Panel::slow(slow, |_, _| (200, says("yes", 0.9)))
            .configured(&format!("[providers.openai]\ntimeout = {timeout}\n"));
        let start = Instant::now();
        let run = panel.debate("--rounds 0 --format jsonl");
        let took = start.elapsed();
        let failed = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let millis: Vec<f64> = failed
            .filter(|record| record["event"]["type"] == "call_failed")
            .map(|record| record["event"]["spent"]["millis"].as_f64().unwrap())
            .collect();
        assert_eq!(millis.len(), 3, "{}", run.shown());
        let in_time = |millis: &f64| *millis >= timeout * 1e3 - 50.0 && *millis < sleeps * 1e3;
        assert!(millis.iter().all(in_time), "{millis:?}, {took:?}");
    }
}

#[test]
fn the_weakest_is_who_gives_the_least_evidence() {
    let overall = |text: &str| quality(text, &QualityWeights::default()).overall;
    for row in rows("weakest_agent", 1) {
        let said = row["input"].as_object().unwrap();
        let scores = said.iter().map(|(name, text)| (overall(text.as_str().unwrap()), name));
        let weakest = scores.min_by(|one, two| one.0.total_cmp(&two.0)).unwrap().1;
        assert_eq!(row["expected"]["weakest"], weakest.as_str(), "{row}");
    }
}
