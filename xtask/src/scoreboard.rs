//! `cargo xtask scoreboard`: every detector's figures on labelled sets, into docs/.
//!
//! The sets belong to their authors and are not part of the project; without them nothing is
//! written. A chart shows the sets on which seed, rules and model can all be ranked.
//! `docs/scoreboard.json` keeps a row per version, set and method, so that each release
//! stands beside the earlier ones.

mod chart;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::process::{Profile, Step, build};
use crate::{files, say};

/// Where the sets are, relative to the root, unless `--data` says otherwise.
const DATA: &str = "../shared/data/dev";

/// Where the chart goes, relative to the root.
const CHART: &str = "docs/images/scoreboard.svg";

/// What each set is scored on, by the start of its file name.
const TASKS: [(&str, &str); 13] = [
    ("a_", "contradiction"),
    ("b_cmv", "acknowledgement"),
    ("b_decode", "contradiction"),
    ("b_sycobench", "self-contradiction"),
    ("c_flip", "flip"),
    ("c_persuasion", "self-contradiction"),
    ("d_", "contradiction"),
    ("e_hedge", "hedge"),
    ("e_ibm", "evidence"),
    ("e_specificity", "specificity"),
    ("e_ukp", "evidence-pair"),
    ("f_", "similarity"),
    ("g_", "stance"),
];

/// One method of one version on one set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    version: String,
    task: String,
    set: String,
    method: String,
    n: u64,
    positives: Option<u64>,
    /// By name: `{value, low, high}`, or null where undefined.
    metrics: Map<String, Value>,
    rows_per_second: Option<u64>,
}

impl Row {
    /// One part of a figure: `value`, `low` or `high`.
    fn part(&self, figure: &str, part: &str) -> Option<f64> {
        self.metrics.get(figure)?.get(part)?.as_f64()
    }
}

/// Scores all sets and writes the files.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let root = files::root();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (data, only) = match arguments.as_slice() {
        [] => (root.join(DATA), ""),
        ["--data", folder] => (PathBuf::from(folder), ""),
        ["--only", start] => (root.join(DATA), *start),
        ["--data", folder, "--only", start] => (PathBuf::from(folder), *start),
        _ => bail!("`cargo xtask scoreboard` takes `--data DIR` and `--only START-OF-A-NAME`"),
    };
    let Ok(sets) = sets(&data) else {
        say::line(format_args!("skipped: no data at {}", data.display()));
        return Ok(());
    };
    let program = build(&root, Profile::Release)?;
    let mut fresh = Vec::new();
    let mut unmeasured = Vec::new();
    for set in sets {
        match task(&set.name) {
            None => unmeasured.push(set.name),
            // The others keep the rows they have.
            Some(_) if !set.name.starts_with(only) => {}
            Some(task) => {
                say::line(format_args!("scoreboard: {} on {task}", set.name));
                fresh.extend(score(&program, task, &set)?);
            }
        }
    }
    let json = root.join("docs/scoreboard.json");
    let rows = merge(earlier(&json)?, fresh);
    fs::create_dir_all(root.join("docs"))?;
    files::write(&json, &lines(&rows)?)?;
    let version = env!("CARGO_PKG_VERSION");
    files::write(&root.join("docs/scoreboard.md"), &page::write(version, &rows, &unmeasured))?;
    files::write(&root.join(CHART), &chart::draw(version, &rows))?;
    say::line(format_args!(
        "scoreboard: docs/scoreboard.md, .json and {CHART}, {} rows",
        rows.len()
    ));
    Ok(())
}

/// A labelled file.
struct Set {
    name: String,
    path: PathBuf,
}

fn sets(data: &Path) -> anyhow::Result<Vec<Set>> {
    let mut sets = Vec::new();
    for entry in fs::read_dir(data)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bare = file.strip_suffix(".gz").unwrap_or(&file);
        if let Some(name) = bare.strip_suffix(".jsonl") {
            sets.push(Set { name: name.to_owned(), path });
        }
    }
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(sets)
}

fn task(set: &str) -> Option<&'static str> {
    TASKS.iter().find(|(start, _)| set.starts_with(start)).map(|(_, task)| *task)
}

/// About so many rows of a set are put to the model, which takes some ten milliseconds for a pair.
const ROWS_FOR_MODEL: u64 = 2500;

/// One text takes half as long. And the weights of hedges were set on every second row, so that the
/// model on those alone would stand beside the rules on all.
const TEXTS_FOR_MODEL: u64 = 5000;

/// Every method's figures: of rules and word lists on all rows, of the model on every n-th.
fn score(program: &Path, task: &str, set: &Set) -> anyhow::Result<Vec<Row>> {
    let ask = |options: &[&str]| -> anyhow::Result<Option<Vec<Row>>> {
        let step = Step::new(program).args(["score", task]).args([&set.path]);
        let printed = step.args(["--format", "json"]).args(options).printed()?;
        // A task without such a method says so and ends with 2.
        if printed.stdout.is_empty() {
            return Ok(None);
        }
        let report: Value = serde_json::from_str(&printed.stdout).context("score --format json")?;
        rows(&report, &set.name)
            .with_context(|| format!("{}: unexpected report", set.name))
            .map(Some)
    };
    let mut found = ask(&["--method", "rules"])?.unwrap_or_default();
    let count = found.first().map_or(0, |row| row.n);
    found.extend(ask(&["--method", "seed"])?.unwrap_or_default());
    let most = match task {
        "hedge" | "specificity" | "evidence" => TEXTS_FOR_MODEL,
        _ => ROWS_FOR_MODEL,
    };
    let every = count.div_ceil(most).max(1).to_string();
    found.extend(ask(&["--method", "model", "--every", &every])?.unwrap_or_default());
    Ok(found)
}

/// The rows of one report of `rebuttal score`.
fn rows(report: &Value, set: &str) -> Option<Vec<Row>> {
    let scored = report.get("sets")?.get(0)?;
    let row = |method: &Value| {
        Some(Row {
            version: report.get("version")?.as_str()?.to_owned(),
            task: report.get("task")?.as_str()?.to_owned(),
            set: set.to_owned(),
            method: method.get("method")?.as_str()?.to_owned(),
            n: scored.get("n")?.as_u64()?,
            positives: scored.get("positives").and_then(Value::as_u64),
            metrics: method.get("metrics")?.as_object()?.clone(),
            rows_per_second: method.get("rows_per_second").and_then(Value::as_u64),
        })
    };
    scored.get("methods")?.as_array()?.iter().map(row).collect()
}

fn earlier(path: &Path) -> anyhow::Result<Vec<Row>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    serde_json::from_str(&files::read(path)?).with_context(|| path.display().to_string())
}

/// Fresh rows replace those of the same version, set and method; all others stay.
fn merge(mut rows: Vec<Row>, fresh: Vec<Row>) -> Vec<Row> {
    let same = |a: &Row, b: &Row| {
        (&a.version, &a.task, &a.set, &a.method) == (&b.version, &b.task, &b.set, &b.method)
    };
    rows.retain(|old| !fresh.iter().any(|new| same(old, new)));
    rows.extend(fresh);
    rows.sort_by(|a, b| {
        (&a.version, &a.task, &a.set, &a.method).cmp(&(&b.version, &b.task, &b.set, &b.method))
    });
    rows
}

/// A JSON array with a row a line, so that a diff shows what moved.
fn lines(rows: &[Row]) -> anyhow::Result<String> {
    let rows: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
    Ok(format!("[\n{}\n]\n", rows?.join(",\n")))
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    pub(super) fn row(version: &str, set: &str, method: &str) -> Row {
        let f1 = json!({ "value": 0.5, "low": 0.25, "high": 0.75 });
        Row {
            version: version.to_owned(),
            task: "hedge".to_owned(),
            set: set.to_owned(),
            method: method.to_owned(),
            n: 10,
            positives: Some(4),
            metrics: [("f1".to_owned(), f1), ("mcc".to_owned(), Value::Null)].into_iter().collect(),
            rows_per_second: Some(12_345),
        }
    }

    #[test]
    fn tasks_by_prefix() {
        assert_eq!(task("g_ibm_claim_stance"), Some("stance"));
        assert_eq!(task("b_cmv_op_replies"), Some("acknowledgement"));
        assert_eq!(task("b_decode_pairs"), Some("contradiction"));
        assert_eq!(task("e_ibm_argq30k_dev"), Some("evidence"));
        assert_eq!(task("e_cmv_premise_modes"), None);
    }

    #[test]
    fn a_release_keeps_the_rows_of_the_earlier_ones() {
        let old = vec![row("0.1.0", "e_hedge", "rules"), row("0.2.0", "e_hedge", "rules")];
        let mut new = row("0.2.0", "e_hedge", "rules");
        new.n = 99;
        let merged = merge(old, vec![new, row("0.2.0", "e_hedge", "seed")]);
        let kept: Vec<(&str, u64)> =
            merged.iter().map(|row| (row.version.as_str(), row.n)).collect();
        assert_eq!(kept, [("0.1.0", 10), ("0.2.0", 99), ("0.2.0", 10)]);
    }

    #[test]
    fn the_json_reads_back() {
        let rows = vec![row("0.1.0", "a", "rules"), row("0.1.0", "b", "seed")];
        let back: Vec<Row> = serde_json::from_str(&lines(&rows).unwrap()).unwrap();
        assert_eq!(back, rows);
    }

    #[test]
    fn reads_a_report() {
        let report = json!({
            "task": "hedge", "version": "0.1.0",
            "sets": [{ "file": "x", "n": 3, "positives": 1, "methods": [
                { "method": "rules", "metrics": { "f1": null }, "rows_per_second": 7 },
            ] }],
        });
        let found = rows(&report, "e_hedge").unwrap();
        assert_eq!((found.len(), found[0].n, found[0].rows_per_second), (1, 3, Some(7)));
        assert_eq!(rows(&json!({}), "e_hedge"), None);
    }
}
