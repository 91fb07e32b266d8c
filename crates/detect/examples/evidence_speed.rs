//! How fast evidence is judged and a panel looked at.
//!
//!     evidence_speed [SECONDS]
//!
//! Prints texts of 900 characters a second on one core, by rule; and how long a whole look at a panel
//! of 3, 10 and 30 agents takes with the vectors of whole answers at hand, in its third round. Of
//! several tries the best counts: whatever else the machine does can only add to a time.
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use rebuttal_detect::evidence::{Reader, read};
use rebuttal_detect::panel::{Said, analyze_round};
use rebuttal_model::{AgentId, QualityWeights, TricksterConfig, TurnId};
use rebuttal_semantics::{Embedder, Embedding, HashedWords, SemanticsError};

/// Sentences to make answers of; each has a place for a number.
const SENTENCES: [&str; 12] = [
    "The load test of run LT-{} held 2,400 requests per second for half an hour.",
    "According to the incident report, {} orders were lost because the queue was full.",
    "We measured a p99 of {} ms on the old cluster, so the new limit is no luxury.",
    "Many teams feel that this is generally the better way to work.",
    "For example, the checkout service went from {} ms to 95 ms after the change.",
    "The vendor says that the price rises by {}% a year (Miller et al., 2021).",
    "It should be adopted, and nobody has named a reason to wait.",
    "Since the pool has {} connections, a second worker cannot get one.",
    "This is not what the documentation of PostgreSQL promises [3].",
    "Costs fell by ${} a month, which paid for the move within a year.",
    "Perhaps the risk is smaller than it looks, and perhaps it is not.",
    "Therefore the database is not what limits the throughput of the shop.",
];

/// An answer of about 900 characters.
fn answer(seed: usize) -> String {
    let mut text = String::new();
    let mut at = seed * 7;
    while text.len() < 880 {
        let sentence = SENTENCES.get(at % SENTENCES.len()).copied().unwrap_or_default();
        text.push_str(&sentence.replace("{}", &(at * 13 % 900 + 17).to_string()));
        text.push(' ');
        at += 1 + seed % 5;
    }
    text
}

/// Gives back vectors made before: what a cache does.
#[derive(Debug)]
struct AtHand(Vec<(String, Embedding)>);

impl Embedder for AtHand {
    fn id(&self) -> &'static str {
        "at-hand"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        let one = |text: &&str| {
            let found = self.0.binary_search_by(|(known, _)| known.as_str().cmp(text));
            found.ok().and_then(|at| self.0.get(at)).map(|(_, vector)| vector.clone())
        };
        let found: Option<Vec<Embedding>> = texts.iter().map(one).collect();
        found.map_or_else(|| HashedWords.embed(texts), Ok)
    }
}

/// The best time of one call, over about `seconds`.
fn best(seconds: f64, mut call: impl FnMut()) -> Duration {
    let started = Instant::now();
    let mut best = Duration::MAX;
    while started.elapsed().as_secs_f64() < seconds {
        let one = Instant::now();
        call();
        best = best.min(one.elapsed());
    }
    best
}

fn main() -> Result<(), SemanticsError> {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2.0);
    let weights = QualityWeights::default();
    let texts: Vec<String> = (0..64).map(answer).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut reader = Reader::new();
    let time = best(seconds, || {
        for text in &texts {
            black_box(reader.quality(black_box(text), &weights));
        }
    });
    let rate = |time: Duration| f64::from(64u32) / time.as_secs_f64();
    println!("{} characters a text", bytes / texts.len());
    println!("quality            {:>9.0} texts/s on one core", rate(time));
    let time = best(seconds, || {
        for text in &texts {
            black_box(read(black_box(text), &weights));
        }
    });
    println!("quality with spans {:>9.0} texts/s on one core", rate(time));
    for agents in [3, 10, 30] {
        step(agents, seconds)?;
    }
    Ok(())
}

/// Looks at a panel in its third round.
fn step(agents: usize, seconds: f64) -> Result<(), SemanticsError> {
    let ids: Vec<AgentId> = (0..agents).map(|at| AgentId::new(format!("agent {at}"))).collect();
    let texts: Vec<String> = (0..agents * 3).map(answer).collect();
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut known: Vec<(String, Embedding)> =
        texts.iter().cloned().zip(HashedWords.embed(&all)?).collect();
    known.sort_by(|one, two| one.0.cmp(&two.0));
    let embedder = AtHand(known);
    let said: Vec<Said<'_>> = ids
        .iter()
        .cycle()
        .zip(&texts)
        .enumerate()
        .map(|(at, (agent, text))| {
            let round = u32::try_from(at / agents).unwrap_or(0);
            Said { agent, turn: TurnId::new(at), round, text, answer: None }
        })
        .collect();
    let (earlier, now) = said.split_at(agents * 2);
    let config = TricksterConfig::default();
    let time = best(seconds, || {
        black_box(analyze_round(now, earlier, &embedder, &config));
    });
    println!("step, {agents:>2} agents    {:>9.3} ms", time.as_secs_f64() * 1000.0);
    Ok(())
}
