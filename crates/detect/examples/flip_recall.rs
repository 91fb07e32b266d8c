//! How often the right earlier statement is among those that a new one is compared with.
//!
//!     flip_recall POSITIONS LABEL ROWS.jsonl FILLER.jsonl…
//!
//! Rows are `{"text_a", "text_b", "label"}`, a line each. One agent holds `text_a` of every row with
//! the label, and other statements of all files up to that many positions, in a fixed disorder. Then
//! each `text_b` looks for its own `text_a`, as the ledger looks.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};

use rebuttal_detect::flips::{LISTED, LOOKBACK, Sharing, keys};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [positions, label, files @ ..] = arguments.as_slice() else {
        return Err("flip_recall POSITIONS LABEL ROWS.jsonl FILLER.jsonl…".into());
    };
    let positions: usize = positions.parse()?;
    let rows = read(files.first().ok_or("which rows?")?)?;
    let pairs: Vec<(&str, &str)> = rows
        .iter()
        .filter(|row| row.2 == *label)
        .map(|row| (row.0.as_str(), row.1.as_str()))
        .collect();
    let mut filler: Vec<String> = Vec::new();
    for file in files {
        filler.extend(read(file)?.into_iter().flat_map(|(a, b, _)| [a, b]));
    }
    let ledger = Ledger::new(&pairs, filler, positions);
    let mut out = std::io::stdout().lock();
    let found: Vec<Places> = pairs.iter().map(|(a, b)| ledger.places(a, b)).collect();
    let share = |fits: &dyn Fn(&Places) -> bool| {
        #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
        let share =
            found.iter().filter(|places| fits(places)).count() as f64 / found.len().max(1) as f64;
        share
    };
    let within = |place: Option<usize>, most: usize| place.is_some_and(|place| place < most);
    writeln!(
        out,
        "{} pairs among {}: share a key {:.3}; compared: newest 50 {:.3}, most keys 50 {:.3}; \
         as the ledger ranks, 24 {:.3}, 32 {:.3}, 40 {:.3}, 50 {:.3}; candidates {}",
        pairs.len(),
        ledger.held.len(),
        share(&|places| places.shares),
        share(&|places| within(places.newest, LOOKBACK)),
        share(&|places| within(places.most, LOOKBACK)),
        share(&|places| within(places.ranked, 24)),
        share(&|places| within(places.ranked, 32)),
        share(&|places| within(places.ranked, 40)),
        share(&|places| within(places.ranked, LOOKBACK)),
        found.iter().map(|places| places.candidates).sum::<usize>() / found.len().max(1),
    )?;
    Ok(())
}

fn read(path: &str) -> Outcome<Vec<(String, String, String)>> {
    let mut rows = Vec::new();
    for line in BufReader::new(File::open(path)?).lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let text =
            |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        rows.push((text("text_a"), text("text_b"), text("label")));
    }
    Ok(rows)
}

/// What the agent holds, and where it is found.
struct Ledger {
    held: HashMap<String, u64>,
    by_key: HashMap<u64, Vec<u64>>,
}

/// Where the right statement stands among those found, counted from 0.
#[derive(Default)]
struct Places {
    shares: bool,
    newest: Option<usize>,
    most: Option<usize>,
    ranked: Option<usize>,
    candidates: usize,
}

impl Ledger {
    fn new(pairs: &[(&str, &str)], filler: Vec<String>, positions: usize) -> Self {
        let mut texts: Vec<String> = Vec::new();
        let mut seen: HashSet<String> = pairs.iter().map(|(_, b)| (*b).to_owned()).collect();
        let given = pairs.iter().map(|(a, _)| (*a).to_owned());
        for text in given.chain(filler) {
            if texts.len() < positions && !text.trim().is_empty() && seen.insert(text.clone()) {
                texts.push(text);
            }
        }
        let mut state = 20_261_116u64;
        for at in (1..texts.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let other = usize::try_from(state >> 33).unwrap_or(0) % (at + 1);
            texts.swap(at, other);
        }
        let (mut held, mut by_key): (HashMap<String, u64>, HashMap<u64, Vec<u64>>) =
            Default::default();
        for (text, n) in texts.into_iter().zip(1..) {
            for key in keys(&text, None) {
                by_key.entry(key).or_default().push(n);
            }
            held.insert(text, n);
        }
        Self { held, by_key }
    }

    fn places(&self, before: &str, after: &str) -> Places {
        let Some(right) = self.held.get(before) else { return Places::default() };
        let asked = keys(after, None);
        let lists: Vec<&[u64]> = asked
            .iter()
            .filter_map(|key| self.by_key.get(key))
            .map(|list| list.get(list.len().saturating_sub(LISTED)..).unwrap_or_default())
            .collect();
        let shares =
            asked.iter().any(|key| self.by_key.get(key).is_some_and(|list| list.contains(right)));
        // What was done before, to compare: the newest fifty under each key, by how many keys share.
        let longer = asked.iter().filter_map(|key| self.by_key.get(key));
        let longer = longer.flat_map(|list| list.iter().rev().take(LOOKBACK));
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for n in longer {
            *counts.entry(*n).or_default() += 1;
        }
        let mut newest: Vec<u64> = counts.keys().copied().collect();
        newest.sort_unstable_by(|one, two| two.cmp(one));
        let mut most: Vec<(usize, u64)> = counts.iter().map(|(n, count)| (*count, *n)).collect();
        most.sort_unstable_by(|one, two| two.cmp(one));
        let mut sharing = Sharing::default();
        for list in &lists {
            sharing.add(list.iter().copied(), list.len());
        }
        let ranked = sharing.best(usize::MAX);
        Places {
            shares,
            newest: newest.iter().position(|n| n == right),
            most: most.iter().position(|(_, n)| n == right),
            ranked: ranked.iter().position(|n| n == right),
            candidates: counts.len(),
        }
    }
}
