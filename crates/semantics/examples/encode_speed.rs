//! How fast a model encodes the lines on standard input, tokenising included: alone, eight at a
//! time and all at once, as sentences and as pairs of neighbours, on one thread and more.
//! `training/bench_onnx.py` measures the same for onnxruntime.
//!
//!     cargo run --release -p rebuttal-semantics --example encode_speed -- FILE.rbt [THREADS] < LINES

use std::error::Error;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use rebuttal_semantics::{Encoder, SemanticsError, Tokens, WordPiece};

const EACH: Duration = Duration::from_millis(1500);

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    let model = std::env::args().nth(1).ok_or("which model?")?;
    let start = Instant::now();
    let mut bytes = Vec::new();
    std::fs::File::open(&model)?.read_to_end(&mut bytes)?;
    let read = start.elapsed();
    let encoder = Encoder::load(bytes, &model)?;
    let pieces = WordPiece::new(encoder.vocab().as_bytes())?;
    let loaded = start.elapsed();
    encoder.hidden(&[sentence(&pieces, "The first answer.")])?;
    let (first, held) = (start.elapsed(), encoder.bytes());
    writeln!(out, "read {read:?}, loaded {loaded:?}, first vector {first:?}, {held} bytes held")?;

    let text = io::read_to_string(io::stdin())?;
    let lines: Vec<&str> = text.lines().collect();
    let tokens: usize = lines.iter().map(|line| sentence(&pieces, line).ids.len()).sum();
    writeln!(out, "{} lines, {tokens} tokens", lines.len())?;
    let most = std::env::args().nth(2).map_or(Ok(2), |most| most.parse())?;
    for threads in 1..=most {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        for batch in [1, 8, lines.len()] {
            let sentences = pool.install(|| {
                measure(&encoder, lines.chunks(batch), |chunk| {
                    chunk.iter().map(|line| sentence(&pieces, line)).collect()
                })
            })?;
            let pairs = pool.install(|| {
                measure(&encoder, lines.chunks(batch), |chunk| {
                    chunk
                        .iter()
                        .map(|line| pair(&pieces, line, lines.first().unwrap_or(line)))
                        .collect()
                })
            })?;
            writeln!(
                out,
                "{threads} threads, batch {batch}: {:.0} sentences/s, {:.0} pairs/s; a CPU-second: {:.0} and {:.0}",
                sentences[0], pairs[0], sentences[1], pairs[1]
            )?;
        }
    }
    Ok(())
}

/// Sequences a second, going round the batches until enough time has passed.
fn measure<'t>(
    encoder: &Encoder,
    batches: impl Iterator<Item = &'t [&'t str]> + Clone,
    tokens: impl Fn(&[&str]) -> Vec<Tokens>,
) -> Result<[f64; 2], SemanticsError> {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mut done = 0_u32;
    for batch in batches.cycle() {
        done += u32::try_from(encoder.hidden(&tokens(batch))?.len()).unwrap_or(u32::MAX);
        if start.elapsed() > EACH {
            break;
        }
    }
    let done = f64::from(done);
    Ok([done / start.elapsed().as_secs_f64(), done / (cpu_seconds() - cpu)])
}

/// What this thread has had of a processor; the measure that a busy machine spoils least. Means
/// something on one thread only, and zero where the system does not tell.
fn cpu_seconds() -> f64 {
    let mut text = String::new();
    let read = std::fs::File::open("/proc/thread-self/schedstat");
    let _ = read.and_then(|mut file| file.read_to_string(&mut text));
    let nanoseconds: f64 = text.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0.0);
    nanoseconds / 1e9
}

fn sentence(pieces: &WordPiece, text: &str) -> Tokens {
    let mut ids = vec![pieces.cls()];
    pieces.encode_up_to(text, 254, &mut ids);
    ids.push(pieces.sep());
    Tokens { segment_b_start: ids.len(), ids }
}

fn pair(pieces: &WordPiece, a: &str, b: &str) -> Tokens {
    let Tokens { mut ids, segment_b_start } = sentence(pieces, a);
    pieces.encode_up_to(b, 254, &mut ids);
    ids.push(pieces.sep());
    Tokens { ids, segment_b_start }
}
