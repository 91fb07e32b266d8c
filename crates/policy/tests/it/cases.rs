//! The rows `contradiction_resolve` of the shared cases: the test plan of seed 002.

use std::path::PathBuf;

use rebuttal_model::{Resolution, Ruling};
use rebuttal_policy::arbitrate;
use serde_json::{Value, json};

use crate::kit::{Backed, example, side, values};

/// The rows of an area, or none where the folder is not at hand.
fn rows(area: &str) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("cases").join("upstream_expectations.jsonl");
    let Ok(text) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
        println!("skipped: no data at {}", path.display());
        return Vec::new();
    };
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|row| row["area"] == area).collect()
}

fn decided_by(resolution: &Resolution) -> &str {
    resolution.steps.iter().find(|step| step.decided).map_or("", |step| &step.looked_at)
}

#[test]
fn contradictions_are_resolved_as_the_seed_plans() {
    let cited = |agent: &str, value: f64, source: &str, sure: f64| {
        side(agent, value, &format!("{value}%")).cites(source).sure(sure)
    };
    for row in rows("contradiction_resolve") {
        let sides = match row["input"].as_str().unwrap() {
            "same metric, different values, same source" => {
                vec![cited("A", 5.0, "IMF", 0.6), cited("B", 7.0, "IMF", 0.9)]
            }
            "GCC-STAT vs World Bank" => {
                vec![cited("A", 5.0, "World Bank", 0.9), cited("B", 7.0, "GCC-STAT", 0.6)]
            }
            "different time periods" => vec![
                cited("A", 5.0, "IMF", 0.9).during("2023"),
                cited("B", 7.0, "IMF", 0.9).during("2024"),
            ],
            "3 agents, 3 values" => vec![
                cited("A", 5.0, "GCC-STAT", 0.6),
                cited("B", 7.0, "GCC-STAT", 0.9),
                cited("C", 9.0, "World Bank", 0.95),
            ],
            other => unreachable!("a row that nobody knows: {other}"),
        };
        let resolution = arbitrate(&values(sides), &example());
        let expected = &row["expected"];
        let (ruling, by) = if expected["resolution"] == json!("both_valid") {
            (Ruling::BothValid, "same thing")
        } else if expected["winner"] == json!("GCC-STAT") {
            (Ruling::Correct(1), "source authority")
        } else {
            (Ruling::Correct(1), "stated confidence")
        };
        assert_eq!((resolution.resolution, decided_by(&resolution)), (Some(ruling), by), "{row}");
    }
}
