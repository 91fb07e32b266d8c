//! How well stated answers are read: real turns of six models, with their last line rewritten in ten
//! forms that were written down before the reader was, and turns that state their answer in prose.
//!
//! A change is claimed where the answers of two turns are both read and differ.

#![expect(clippy::unwrap_used, reason = "a failing test may panic")]
#![expect(clippy::print_stdout, reason = "figures are shown, and what was skipped")]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use rebuttal_text::{Asked, FinalAnswer, Reading};
use serde_json::Value;

const FORMS: &str = include_str!("data/ten-forms.txt");

/// The rows of a measuring set; none where there is no such file.
fn rows(name: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/dev2")
        .join(name)
        .with_extension("jsonl.gz");
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: no data at {}", path.display());
        return Vec::new();
    };
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[derive(Debug, Default)]
struct Tally {
    found: u32,
    missed: u32,
    wrong: u32,
}

impl Tally {
    fn count(&mut self, row: &Value, one: &str, two: &str) {
        let changed = matches!(row["label"].as_str(), Some("reversal"));
        match (changed, differ(one, two)) {
            (true, true) => self.found += 1,
            (true, false) => self.missed += 1,
            (false, true) => self.wrong += 1,
            (false, false) => {}
        }
    }

    fn recall(&self) -> f64 {
        f64::from(self.found) / f64::from((self.found + self.missed).max(1))
    }

    fn precision(&self) -> f64 {
        f64::from(self.found) / f64::from((self.found + self.wrong).max(1))
    }
}

fn read(text: &str) -> Option<FinalAnswer> {
    Reading::new(text).final_answer(&Asked::Nothing)
}

fn differ(one: &str, two: &str) -> bool {
    let answers = read(one).zip(read(two));
    answers.and_then(|(one, two)| one.same(&two)) == Some(false)
}

/// A turn without its last line, which says "Answer: X", and with the answer in another form.
fn rewritten(text: &str, letter: &str, form: &str) -> String {
    let (body, _) = text.rsplit_once('\n').unwrap_or(("", text));
    let form = form.replace("\\n", "\n");
    // Of the words of a form only the letter itself is replaced.
    let said: Vec<String> = form.split('X').map(str::to_owned).collect();
    format!("{body}\n{}", said.join(letter))
}

#[test]
fn explicit_changes_are_found_in_ten_forms() {
    let forms: Vec<&str> = FORMS.lines().collect();
    assert_eq!(forms.len(), 10);
    let rows = rows("b_six_models_turns");
    let mut all = Tally::default();
    let mut by_form: Vec<Tally> = forms.iter().map(|_| Tally::default()).collect();
    for (index, row) in rows.iter().enumerate() {
        let place = index % forms.len();
        let other = (index / forms.len() + place) % forms.len();
        let one = rewritten(
            row["text_a"].as_str().unwrap(),
            row["meta"]["before"].as_str().unwrap(),
            forms[place],
        );
        let two = rewritten(
            row["text_b"].as_str().unwrap(),
            row["meta"]["after"].as_str().unwrap(),
            forms[other],
        );
        all.count(row, &one, &two);
        by_form[place].count(row, &one, &two);
    }
    println!("ten forms: recall {:.3}, precision {:.3}, {all:?}", all.recall(), all.precision());
    for (number, tally) in by_form.iter().enumerate() {
        println!("form {number}: recall {:.3}, precision {:.3}", tally.recall(), tally.precision());
    }
    if !rows.is_empty() {
        assert!(all.recall() >= 0.90 && all.precision() >= 0.95, "{all:?}");
    }
}

#[test]
fn changes_stated_in_prose_are_measured() {
    for (set, floor) in
        [("b_six_models_turns", 0.95), ("b_six_models_prose", 0.80), ("b_moral_peers", 0.0)]
    {
        let mut tally = Tally::default();
        for row in &rows(set) {
            tally.count(row, row["text_a"].as_str().unwrap(), row["text_b"].as_str().unwrap());
        }
        println!(
            "{set}: recall {:.3}, precision {:.3}, {tally:?}",
            tally.recall(),
            tally.precision()
        );
        assert!(tally.found + tally.wrong == 0 || tally.precision() >= floor, "{set}: {tally:?}");
    }
}
