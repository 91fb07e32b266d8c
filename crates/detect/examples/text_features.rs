//! What the rules say of texts, and their vectors by the encoder in the program.
//!
//!     text_features ROWS.jsonl OUT.jsonl [VECTORS]
//!
//! Rows are `{"text"}`, a line each; so is the output, with how hedged and how specific the rules find
//! the text and which words hedge it. Vectors are little-endian floats, one after another.
//! `training/heads.py` reads both.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use rebuttal_semantics::{BuiltinEncoder, Embedder};
use rebuttal_text::Reading;
use serde_json::{Value, json};

/// Texts the encoder is given at once.
const CHUNK: usize = 256;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rows, out, vectors) = match arguments.as_slice() {
        [rows, out] => (rows, out, None),
        [rows, out, vectors] => (rows, out, Some(vectors)),
        _ => return Err("text_features ROWS.jsonl OUT.jsonl [VECTORS]".into()),
    };
    let mut out = BufWriter::new(File::create(out)?);
    let mut vectors = vectors.map(File::create).transpose()?.map(BufWriter::new);
    let mut rows = BufReader::new(File::open(rows)?).lines();
    loop {
        let lines = rows.by_ref().take(CHUNK).collect::<Result<Vec<String>, _>>()?;
        if lines.is_empty() {
            break;
        }
        let texts = lines.iter().map(|line| text(line)).collect::<Outcome<Vec<String>>>()?;
        for text in &texts {
            writeln!(out, "{}", features(text))?;
        }
        if let Some(vectors) = &mut vectors {
            write(vectors, &texts)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn text(line: &str) -> Outcome<String> {
    let row: Value = serde_json::from_str(line)?;
    let text = row.get("text").and_then(Value::as_str).ok_or("a row has no text")?;
    Ok(text.to_owned())
}

fn features(text: &str) -> Value {
    let reading = Reading::new(text);
    let hedging = reading.hedging();
    let cues: Vec<&str> = hedging.cues.iter().filter_map(|cue| cue.span.of(text)).collect();
    json!({ "hedge": hedging.score, "cues": cues, "specificity": reading.specificity() })
}

fn write(out: &mut impl Write, texts: &[String]) -> Outcome {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for vector in BuiltinEncoder.embed(&texts)? {
        for value in vector.values() {
            out.write_all(&value.to_le_bytes())?;
        }
    }
    Ok(())
}
