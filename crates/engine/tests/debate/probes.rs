//! The rows of the shared case files about breakpoints, played by the real engine, and those about
//! likeness and novelty, as the engine is told of them. `evidence_converging` has no counterpart: its
//! cut-offs are those of a page that there is not.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use rebuttal_detect::panel::trajectories;
use rebuttal_engine::debate::{Ended, MemoryJournal, State, Waiting};
use rebuttal_model::{AgentId, BreakpointAnswer, RoundAnalysis};
use rebuttal_semantics::{BuiltinVectors, Embedder};
use serde_json::Value;

use crate::panel::{block_on, drive};
use crate::steering::{answer, state, waiting};

/// The rows of an area, or none where the folder is not at hand.
fn rows(area: &str) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let mut rows: Vec<Value> = Vec::new();
    for file in ["adversarial.jsonl", "upstream_expectations.jsonl"] {
        let path = root.join("cases").join(file);
        let Ok(text) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
            println!("skipped: no data at {}", path.display());
            continue;
        };
        rows.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
    }
    rows.retain(|row| row["area"] == area);
    rows
}

#[test]
fn text_similarity() {
    for row in rows("text_similarity") {
        let [one, two] = [&row["input"][0], &row["input"][1]].map(|text| text.as_str().unwrap());
        let vectors = BuiltinVectors.embed(&[one, two]).unwrap();
        let got = f64::from(vectors[0].cosine(&vectors[1]));
        let bound = |name: &str| row["expected"][name].as_f64();
        // Shared words there, meaning here: words of two fields still have something in common.
        assert!(bound("eq").is_none_or(|wanted| (got - wanted).abs() < 0.3), "{got}: {row}");
        assert!(bound("gt").is_none_or(|least| got > least), "{got}: {row}");
        assert!(bound("lt").is_none_or(|most| got < most), "{got}: {row}");
    }
}

/// The one row is contested: it reads an absent agent as one that says nothing new.
#[test]
fn novelty_trajectory() {
    for row in rows("novelty_trajectory") {
        assert!(row["note"].as_str().unwrap().starts_with("CONTESTED"), "{row}");
        let absent = AgentId::new(row["input"]["agent"].as_str().unwrap());
        let spoke = BTreeMap::from([(AgentId::new("ann"), 0.4)]);
        let rounds = [
            RoundAnalysis { novelty: spoke, ..RoundAnalysis::default() },
            RoundAnalysis {
                novelty: BTreeMap::from([(absent.clone(), 0.6)]),
                ..RoundAnalysis::default()
            },
        ];
        assert_eq!(trajectories(&rounds[..1]).get(&absent), None);
        assert_eq!(trajectories(&rounds).get(&absent), Some(&vec![None, Some(0.6)]));
    }
}

#[test]
fn breakpoint_api() {
    for row in rows("breakpoint_api") {
        match row["expected"].as_str().unwrap() {
            "abort" => aborted_while_it_waits(),
            "200 list" => two_that_wait_are_listed(),
            other => panic!("nobody answers {other}: {row}"),
        }
    }
}

/// The first answer wakes it, and a time-out that comes later does not take its place.
fn aborted_while_it_waits() {
    let (arena, journal, stream) = waiting(Some(60.0));
    let now = Timestamp::UNIX_EPOCH;
    answer(&journal, &stream, now, None, BreakpointAnswer::Abort, None).unwrap();
    let late = Timestamp::from_second(61).unwrap();
    answer(&journal, &stream, late, None, BreakpointAnswer::Continue, None).unwrap_err();
    let ended = block_on(drive(&arena, &journal, &stream)).unwrap();
    assert!(matches!(ended, Ended::Decided(_)), "{ended:?}");
    let answers = state(&journal, &stream).steering.answers;
    assert_eq!((answers.len(), answers[0].answer), (1, BreakpointAnswer::Abort));
}

fn two_that_wait_are_listed() {
    let debates: [(_, MemoryJournal, _); 2] = [waiting(None), waiting(Some(60.0))];
    let states: Vec<State> =
        debates.iter().map(|(_, journal, stream)| state(journal, stream)).collect();
    let listed: Vec<Waiting> =
        states.iter().filter_map(|state| Waiting::of(state, Timestamp::UNIX_EPOCH)).collect();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|one| !one.timed_out), "{listed:?}");
}
