//! How soon and how fast the local model writes.
//!
//!     cargo run --release -p rebuttal-llm --example local_speed -- MODEL.gguf THREADS
//!
//! For a short prompt and a long one: the time to the first word, and tokens a second after it, by
//! the clock on the wall and by the time on the processor. The middle of five runs is printed, each
//! with a prompt of its own, because what was read before is not read again.

use std::error::Error;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rebuttal_llm::{LocalChat, LocalModel, Request, Sampling};

const RUNS: usize = 5;
const TOKENS: u32 = 96;
/// The clock of `/proc`: a hundredth of a second.
const TICKS: f64 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a GGUF file")?;
    let threads = arguments.next().map_or(Ok(1), |threads| threads.parse())?;
    let (start, busy) = (Instant::now(), processor());
    let model = Arc::new(LocalModel::open_on(Path::new(&path), threads)?);
    let out = &mut std::io::stdout().lock();
    let (took, busy) = (start.elapsed().as_secs_f64(), processor() - busy);
    writeln!(out, "loading: {took:.2} s, {busy:.2} s of processor; load {}", load())?;
    for (name, sentences) in [("short", 1), ("long", 30)] {
        let runs: Vec<Run> = (0..RUNS).map(|run| once(&model, &prompt(run, sentences))).collect();
        let of = |part: fn(&Run) -> f64| middle(runs.iter().map(part));
        writeln!(
            out,
            "{name}: first word after {:.0} ms ({:.0} ms of processor), then {:.0} tokens a second \
             ({:.0} for each second of processor); load {}",
            of(|run| run.first) * 1e3,
            of(|run| run.first_busy) * 1e3,
            of(|run| run.tokens / run.rest),
            of(|run| run.tokens / run.rest_busy),
            load()
        )?;
    }
    Ok(())
}

struct Run {
    first: f64,
    first_busy: f64,
    /// After the first.
    tokens: f64,
    rest: f64,
    rest_busy: f64,
}

fn once(model: &Arc<LocalModel>, prompt: &str) -> Run {
    let sampling = Sampling { seed: 1, ..Sampling::default() };
    let chat = LocalChat::new("speed", Arc::clone(model)).with_sampling(sampling);
    let request = Request { max_tokens: Some(TOKENS), ..Request::new(prompt) };
    let (start, busy) = (Instant::now(), processor());
    let (mut first, mut first_busy, mut tokens) = (None, busy, 0.0);
    // A reply that is cut off here was written all the same.
    let _ = chat.reply_live(&request, &mut |_| {
        if first.is_none() {
            first = Some(start.elapsed().as_secs_f64());
            first_busy = processor();
        } else {
            tokens += 1.0;
        }
    });
    let all = start.elapsed().as_secs_f64();
    let first = first.unwrap_or(all);
    let rest_busy = (processor() - first_busy).max(1.0 / TICKS);
    Run { first, first_busy: first_busy - busy, tokens, rest: all - first, rest_busy }
}

/// A prompt that begins like no other.
fn prompt(run: usize, sentences: usize) -> String {
    let facts = "The trial ran for fourteen days on three machines and was stopped twice. ";
    let facts = facts.repeat(sentences - 1);
    format!("{run}. {facts}Write a long story about a harbour and the people in it.")
}

fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn text_of(path: &str) -> String {
    let mut text = String::new();
    File::open(path).and_then(|mut file| file.read_to_string(&mut text)).ok();
    text
}

/// Seconds of processor that this program has had.
fn processor() -> f64 {
    let text = text_of("/proc/self/stat");
    // After the name, which may hold anything, come the numbers; user and system are 12th and 13th.
    let numbers = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    numbers.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// How busy the machine is.
fn load() -> String {
    text_of("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned()
}
