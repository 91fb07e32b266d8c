//! The features of pairs, and what a model says of each pair in both directions.
//!
//!     pair_features MODEL.rbt ROWS.jsonl OUT.jsonl
//!
//! Rows are `{"text_a", "text_b"}`, a line each, and so is the output, whose first line names the
//! features. `training/combine.py` reads it.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};

use rebuttal_detect::pair::{Feature, PairReading};
use rebuttal_semantics::{CrossEncoder, Pair};
use serde_json::{Value, json};

/// No model file of ours is larger.
const MODEL_BYTES: u64 = 256 << 20;
/// Pairs the model is given at once.
const CHUNK: usize = 256;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, rows, out] = arguments.as_slice() else {
        return Err("pair_features MODEL.rbt ROWS.jsonl OUT.jsonl".into());
    };
    let mut bytes = Vec::new();
    File::open(model)?.take(MODEL_BYTES).read_to_end(&mut bytes)?;
    let model = CrossEncoder::load(bytes, model)?;
    let mut out = BufWriter::new(File::create(out)?);
    let names: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
    writeln!(out, "{}", json!({ "names": names }))?;
    let mut rows = BufReader::new(File::open(rows)?).lines();
    loop {
        let lines = rows.by_ref().take(CHUNK).collect::<Result<Vec<String>, _>>()?;
        if lines.is_empty() {
            break;
        }
        let parsed = lines.iter().map(|line| serde_json::from_str(line));
        write(&mut out, &parsed.collect::<Result<Vec<Value>, _>>()?, &model)?;
    }
    out.flush()?;
    Ok(())
}

fn write(out: &mut impl Write, rows: &[Value], model: &CrossEncoder) -> Outcome {
    let pairs: Vec<Pair<'_>> = rows
        .iter()
        .map(|row| {
            let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
            Pair { premise: text("text_a"), hypothesis: text("text_b") }
        })
        .collect();
    let reversed: Vec<Pair<'_>> = pairs.iter().map(|pair| pair.reversed()).collect();
    let (there, back) = (model.logits(&pairs)?, model.logits(&reversed)?);
    for (((row, asked), there), back) in rows.iter().zip(&pairs).zip(there).zip(back) {
        let pair = PairReading::new(asked.premise, asked.hypothesis);
        let verdict = pair.verdict();
        let line = json!({
            "label": row.get("label"), "set": row.get("set"), "features": pair.features,
            "rules": [verdict.entailment, verdict.neutral, verdict.contradiction],
            "there": there, "back": back,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
