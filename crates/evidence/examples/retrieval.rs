//! How often the passage behind a claim is among the ten nearest: by words, by vectors, by both; and how long
//! it takes to index and to search 100,000 passages.
//!
//! `cargo run -p rebuttal-evidence --example retrieval`. The pairs are those of `../shared/data/dev2` whose one
//! side is a passage; where they are missing only the speed is measured.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a measurement that cannot go on should stop where it is, and its figures are what it is for"
)]

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::time::Instant;

use flate2::read::GzDecoder;
use rebuttal_evidence::Index;
use rebuttal_model::{Passage, Place};
use rebuttal_semantics::BuiltinVectors;

const SETS: [&str; 5] =
    ["a_wice_no_contradictions", "a_averitec", "d_scitab", "d_infotabs", "d_nli4ct_single"];
const NEAREST: usize = 10;
const PASSAGES: usize = 100_000;
const QUERIES: usize = 200;

/// Claims with the passages they are judged by.
fn pairs(set: &str) -> Option<Vec<(String, String)>> {
    let file = File::open(format!("../shared/data/dev2/{set}.jsonl.gz")).ok()?;
    let rows = BufReader::new(GzDecoder::new(file)).lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        (text("text_b"), text("text_a"))
    });
    Some(rows.collect())
}

fn passage(number: usize, text: &str) -> Passage {
    Passage::new("set.md", Place::Row(u32::try_from(number + 1).unwrap()), text)
}

fn recall(index: &Index, pairs: &[(String, String)]) -> f64 {
    let found = pairs.iter().filter(|(claim, text)| {
        index.search(claim, NEAREST).iter().any(|hit| hit.passage.text == *text)
    });
    found.count() as f64 / pairs.len() as f64
}

fn main() {
    println!("recall@{NEAREST}, claim to its passage among all passages of all sets");
    let sets: Vec<_> = SETS.iter().filter_map(|set| Some((*set, pairs(set)?))).collect();
    let texts = sets.iter().flat_map(|(_, pairs)| pairs).map(|(_, text)| text.as_str());
    let all: Vec<Passage> = texts.enumerate().map(|(at, text)| passage(at, text)).collect();
    if sets.is_empty() {
        println!("skipped: no data at ../shared/data/dev2");
    } else {
        let mut index = Index::new(all.clone(), Box::new(BuiltinVectors));
        println!("{} passages; share of the words in the score:", index.passages().len());
        for share in [1.0, 0.0, 0.3, 0.5, 0.7, 0.85] {
            index = index.words_share(share);
            print!("{share:.2}");
            for (set, pairs) in &sets {
                print!("  {set} {:.3}", recall(&index, pairs));
            }
            println!();
        }
    }
    speed(&all);
}

/// Passages made of the words of these, in other orders; of a few common words where there are none.
fn speed(from: &[Passage]) {
    let words: Vec<&str> = from.iter().flat_map(|it| it.text.split_whitespace()).collect();
    let few = ["hosting", "cost", "staff", "incident", "May", "2023", "percent", "the", "of"];
    let words = if words.is_empty() { few.to_vec() } else { words };
    let text = |at: usize| {
        let start = at * 7919 % words.len();
        let own = (0..90).map(|step| words[(start + step * (1 + at % 3)) % words.len()]);
        own.collect::<Vec<_>>().join(" ")
    };
    let passages: Vec<Passage> = (0..PASSAGES).map(|at| passage(at, &text(at))).collect();
    let bytes: usize = passages.iter().map(|it| it.text.len()).sum();
    let queries: Vec<String> = (0..QUERIES)
        .map(|at| text(at * 31).split(' ').take(12).collect::<Vec<_>>().join(" "))
        .collect();
    let began = Instant::now();
    let index = Index::new(passages, Box::new(BuiltinVectors));
    let took = began.elapsed().as_secs_f64();
    println!("{} passages, {} MB: indexed in {took:.1} s", index.passages().len(), bytes >> 20);
    let mut times: Vec<f64> = queries
        .iter()
        .map(|query| {
            let began = Instant::now();
            index.search(query, NEAREST);
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "a query: median {:.1} ms, slowest of {QUERIES} {:.1} ms",
        times[QUERIES / 2],
        times[QUERIES - 1]
    );
}
