//! A process killed at any moment leaves a ledger that verifies, and running it again completes it.

use std::collections::HashSet;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Ledger;
use super::bad::many;
use crate::run::{folder, rebuttal};

/// Longest wait for a process to get somewhere, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

fn start(ledger: &Ledger, args: &[&str]) -> Child {
    let mut command = rebuttal();
    command.args(args).env("REBUTTAL_DB", ledger.path("ledger.db"));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
}

/// Waits until the ledger is as far as wanted, and kills whoever works on it. True if it was killed
/// in the middle.
fn kill_when(ledger: &Ledger, mut child: Child, is_far: impl Fn(&Value) -> bool) -> bool {
    let started = Instant::now();
    loop {
        if let Ok(Some(_)) = child.try_wait() {
            return false;
        }
        let run = ledger.run("db info --format json");
        let info: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
        if is_far(&info) {
            child.kill().expect("can be killed");
            child.wait().expect("ends");
            return true;
        }
        assert!(started.elapsed() < PATIENCE, "{}", run.shown());
    }
}

#[test]
fn killed_while_importing() {
    let number = 60_000;
    let files = folder(&[("in.jsonl", &many(number))]);
    let path = files.path().join("in.jsonl").display().to_string();
    let ledger = Ledger::new();
    let import = ["positions", "import", &path, "--no-detect"];
    let far = |info: &Value| info["positions"].as_u64().unwrap_or(0) > 0;
    let killed = kill_when(&ledger, start(&ledger, &import), far);
    let half = ledger.json("db verify")["positions"].as_u64().expect("a number");
    assert!(!killed || half < number as u64, "killed after the end: {half}");
    let again = ledger.run_args(&import);
    assert_eq!(again.code, 0, "{}", again.shown());
    assert_eq!(ledger.json("db verify")["positions"], number);
    let exported = ledger.run("positions export - --format jsonl").stdout;
    let ids: HashSet<String> = exported
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("is JSON")["id"].to_string())
        .collect();
    assert_eq!((exported.lines().count(), ids.len()), (number, number), "no duplicates");
}

#[test]
fn killed_while_looking_for_flips() {
    let lines = many(5_000);
    let files = folder(&[("in.jsonl", &lines)]);
    let path = files.path().join("in.jsonl").display().to_string();
    let ledger = Ledger::new();
    let import = ["positions", "import", &path, "--method", "rules"];
    let far = |info: &Value| info["flips"].as_u64().unwrap_or(0) > 0;
    kill_when(&ledger, start(&ledger, &import), far);
    ledger.json("db verify");
    let again = ledger.run_args(&import);
    assert_eq!(again.code, 0, "{}", again.shown());
    ledger.json("db verify");
    let whole = Ledger::with(&lines);
    let (one, two) = (ledger.flips(), whole.flips());
    assert!(!one.is_empty());
    assert_eq!(one.len(), two.len());
    assert_eq!(one, two, "the same flips as without a kill");
}
