//! Many debates at once, beside the same protocol in LangGraph: in one run, on one machine.

use std::fs;

use anyhow::Context;
use serde_json::Value;

use super::report;
use crate::process::Step;
use crate::{files, say};

/// How many debates at once, and how long a model takes in the middle, in seconds.
const DEBATES: &str = "1000";
const MEDIAN: &str = "2";
/// What the other side is made of.
const LANGGRAPH: &str = "langgraph==1.2.20";

/// Prints the figures of both.
pub(super) fn run() -> anyhow::Result<()> {
    let root = files::root();
    let folder = root.join("target/bench-langgraph");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        Step::new("python3").args(["-m", "venv", "venv"]).current_dir(&folder).run()?;
        let pip = folder.join("venv/bin/pip");
        Step::new(pip).args(["install", "--quiet", LANGGRAPH]).run()?;
    }
    let example =
        ["run", "--quiet", "--release", "-p", "rebuttal-engine", "--example", "concurrent"];
    let ours = Step::cargo(&example).args(["--", DEBATES, MEDIAN]).current_dir(&root);
    let script = root.join("bench/langgraph/debates.py");
    let theirs = Step::new(python).args([script]).args([DEBATES, MEDIAN]);
    say::line(format_args!("{DEBATES} debates at once, {MEDIAN} s in the middle for an answer"));
    for step in [ours, theirs] {
        let printed = step.printed()?;
        let line = printed.stdout.lines().last().unwrap_or_default();
        let figures: Value = serde_json::from_str(line).with_context(|| printed.stderr.clone())?;
        let number = |name: &str| figures.get(name).and_then(Value::as_f64).unwrap_or(f64::NAN);
        let name = figures.get("engine").and_then(Value::as_str).unwrap_or_default();
        let ratio = format!("{:.3}", number("ratio"));
        let beside = format!(
            "times the calls' own {:.1} s; {:.0} µs of CPU a call, {:.0} KB a debate",
            number("critical_path_s"),
            number("cpu_us_per_call"),
            number("kb_per_debate")
        );
        report(name, &ratio, &beside);
    }
    Ok(())
}
