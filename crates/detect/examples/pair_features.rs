//! Reads `{"text_a", "text_b"}` lines and writes the features of each pair, a line each.
//!
//! The first line of the output names them.

use std::io::{self, BufRead, BufWriter, Write};

use rebuttal_detect::pair::{Feature, PairReading};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let names: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
    writeln!(out, "{}", json!({ "names": names }))?;
    for line in io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
        let pair = PairReading::new(text("text_a"), text("text_b"));
        let verdict = pair.verdict();
        let verdict = [verdict.entailment, verdict.neutral, verdict.contradiction];
        let id = row.get("id").cloned().unwrap_or_default();
        writeln!(out, "{}", json!({ "id": id, "features": pair.features, "verdict": verdict }))?;
    }
    out.flush()
}
