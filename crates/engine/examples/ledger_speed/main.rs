//! How fast positions are taken and flips found, and what one position costs as the ledger grows,
//! beside the seed's algorithm written plainly.
//!
//!     cargo run --release -p rebuttal-engine --example ledger_speed -- \
//!         [--sizes 10000,100000,1000000] [--models 2000] [--plot FILE.svg] [--db FILE]
//!
//! Positions are made up, the same in every run. Speeds are by the clock; what a position costs is
//! processor time of all threads, which other work on the machine does not change.

mod cost;
mod made;
mod plain;
mod plot;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use jiff::Timestamp;
use rebuttal_detect::pair::Combined;
use rebuttal_detect::{Models, Reader};
use rebuttal_engine::ledger::{Ledger, Progress};
use rebuttal_semantics::{BuiltinEncoder, BuiltinJudge, BuiltinVectors};
use rebuttal_store::{Durability, Location, Options, Store};
use tokio::runtime::Runtime;

use cost::{Curve, Meter};

/// Positions in one transaction.
const BATCH: usize = 10_000;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What was typed.
struct Wanted {
    sizes: Vec<usize>,
    models: usize,
    plot: Option<PathBuf>,
    db: PathBuf,
}

impl Wanted {
    fn read() -> Outcome<Self> {
        let mut wanted = Self {
            sizes: vec![10_000, 100_000, 1_000_000],
            models: 2_000,
            plot: None,
            db: std::env::temp_dir().join(format!("ledger-speed-{}.db", std::process::id())),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--sizes" => {
                    let sizes = value.split(',').map(|size| size.trim().parse());
                    wanted.sizes = sizes.collect::<Result<_, _>>()?;
                }
                "--models" => wanted.models = value.parse()?,
                "--plot" => wanted.plot = Some(value.into()),
                "--db" => wanted.db = value.into(),
                _ => return Err(format!("{word} is no option").into()),
            }
        }
        wanted.sizes.sort_unstable();
        Ok(wanted)
    }
}

fn main() -> Outcome<()> {
    let wanted = Wanted::read()?;
    let mut out = io::stdout().lock();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let now: Timestamp = made::LAST.parse()?;
    let most = wanted.sizes.last().copied().ok_or("which sizes?")?;

    let (taking, finding) = rules(&runtime, &wanted, most, now, &mut out)?;
    let plain = plain_lines(&wanted.sizes, &mut out)?;
    for size in &wanted.sizes {
        let at = |curve: &Curve| curve.speed_to(*size as u64);
        for (what, speed) in [
            ("taken", at(&taking)),
            ("flips found by rules", at(&finding)),
            ("seed's algorithm", at(&plain)),
        ] {
            said(&mut out, *size, what, speed)?;
        }
        let ratio = at(&finding).processor / at(&plain).processor;
        writeln!(
            out,
            "{size:>9} positions: rules are {ratio:.2} times as fast as the seed's algorithm"
        )?;
    }
    let first = wanted.sizes.first().copied().unwrap_or(most) as u64;
    for (what, curve) in [("taking", &taking), ("finding by rules", &finding)] {
        let (small, large) = (curve.cost_at(first), curve.cost_at(most as u64));
        writeln!(
            out,
            "{what}: {small:.1} µs of processor for a position at {first}, {large:.1} at {most}: {:.2} times",
            large / small
        )?;
    }
    models(&runtime, &wanted, now, &mut out)?;
    if let Some(path) = &wanted.plot {
        let lines = [
            ("finding flips, rules", &finding),
            ("taking positions", &taking),
            ("the seed's algorithm, last 50", &plain),
        ];
        std::fs::write(path, plot::svg(&lines))?;
        writeln!(out, "plot written to {}", path.display())?;
    }
    Ok(())
}

fn said(out: &mut impl Write, size: usize, what: &str, speed: cost::Speed) -> Outcome<()> {
    let cost::Speed { clock, processor } = speed;
    Ok(writeln!(
        out,
        "{size:>9} positions: {what} {clock:.0}/s by the clock, {processor:.0}/s of a processor"
    )?)
}

/// An empty ledger in the file that was named.
fn open(runtime: &Runtime, wanted: &Wanted) -> Outcome<Store> {
    for end in ["", "-wal", "-shm"] {
        let mut path = wanted.db.clone().into_os_string();
        path.push(end);
        // Whether one was left from before is all the same.
        std::fs::remove_file(path).ok();
    }
    Ok(runtime.block_on(Store::open(&Location::file(&wanted.db), Options::default()))?)
}

/// Takes positions and finds flips among them by rules.
fn rules(
    runtime: &Runtime,
    wanted: &Wanted,
    most: usize,
    now: Timestamp,
    out: &mut impl Write,
) -> Outcome<(Curve, Curve)> {
    let store = open(runtime, wanted)?;
    let mut made = made::Made::new(most);
    let mut meter = Meter::start();
    let mut taking = Curve::default();
    let mut taken = 0;
    loop {
        let batch: Vec<_> = made.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        taken += batch.len() as u64;
        // Making them up is not what is measured.
        meter.restart();
        runtime.block_on(store.take(now, batch, Durability::Fast))?;
        meter.note(taken, &mut taking);
    }
    let (progress, finding) = find(runtime, &store, Reader::Rules, now)?;
    writeln!(out, "{} positions, {} flips found by rules", progress.looked_at, progress.flips)?;
    let started = Instant::now();
    runtime.block_on(store.summary(now, 20))?;
    writeln!(out, "summary of {} positions: {:?}", progress.looked_at, started.elapsed())?;
    runtime.block_on(store.close());
    open(runtime, wanted).map(drop)?;
    Ok((taking, finding))
}

fn find(
    runtime: &Runtime,
    store: &Store,
    reader: Reader<'_>,
    now: Timestamp,
) -> Outcome<(Progress, Curve)> {
    let noted = std::sync::Mutex::new((Meter::start(), Curve::default()));
    let watch = |progress: Progress| {
        if let Ok(mut noted) = noted.lock() {
            let (meter, curve) = &mut *noted;
            meter.note(progress.looked_at, curve);
        }
    };
    let progress = runtime.block_on(Ledger::new(store, reader).catch_up(now, &|_| None, &watch))?;
    let (_, curve) = noted.into_inner().map_err(|_| "a panic while measuring")?;
    Ok((progress, curve))
}

/// The seed's algorithm over the same positions.
fn plain_lines(sizes: &[usize], out: &mut impl Write) -> Outcome<Curve> {
    let most = sizes.last().copied().unwrap_or(0);
    let (mut meter, mut curve) = (Meter::start(), Curve::default());
    let mut plain = plain::Plain::default();
    let (mut taken, mut found) = (0, 0);
    let mut made = made::Made::new(most);
    loop {
        let batch: Vec<_> = made.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        taken += batch.len() as u64;
        meter.restart();
        for position in batch {
            found += plain.push(position.agent.as_str(), &position.claim);
        }
        meter.note(taken, &mut curve);
    }
    writeln!(out, "{taken} positions, {found} pairs called flips by the seed's algorithm")?;
    Ok(curve)
}

/// The same by the models in the program, on fewer positions.
fn models(runtime: &Runtime, wanted: &Wanted, now: Timestamp, out: &mut impl Write) -> Outcome<()> {
    if wanted.models == 0 {
        return Ok(());
    }
    let store = open(runtime, wanted)?;
    let positions: Vec<_> = made::Made::new(wanted.models).collect();
    runtime.block_on(store.take(now, positions, Durability::Fast))?;
    let judge = Combined::new(BuiltinJudge, BuiltinVectors);
    let models = Models::new(&BuiltinVectors, &BuiltinEncoder, &judge);
    let (progress, curve) = find(runtime, &store, Reader::Model(&models), now)?;
    said(out, wanted.models, "flips found by the local models", curve.speed_to(u64::MAX))?;
    writeln!(out, "{} flips", progress.flips)?;
    runtime.block_on(store.close());
    open(runtime, wanted).map(drop)
}
