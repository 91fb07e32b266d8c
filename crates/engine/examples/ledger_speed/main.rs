//! How fast positions are taken and flips found, and what one position costs as the ledger grows,
//! beside the seed's algorithm written plainly.
//!
//!     cargo run --release -p rebuttal-engine --example ledger_speed -- \
//!         [--sizes 10000,100000,1000000] [--models 2000] [--plain 1000000] [--plot FILE.svg] [--db FILE]
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
use rebuttal_model::Position;
use rebuttal_semantics::{BuiltinEncoder, BuiltinReader, BuiltinVectors};
use rebuttal_store::{Durability, Location, Store, StoreOptions};
use tokio::runtime::Runtime;

use cost::{Curve, Meter};

/// Positions in one transaction.
const BATCH: usize = 10_000;

/// Positions that arrive at a ledger of each size, so many at a time, to be looked at by somebody who
/// has read nothing yet: within a long run much is in memory, and a small ledger is all there.
const ARRIVING: usize = 4_000;
const AT_A_TIME: usize = 200;

/// The seed's algorithm looks at the last 50 only, so beyond this it has nothing more to show, unless
/// told otherwise.
const PLAIN_MOST: usize = 1_000_000;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What was typed.
struct Wanted {
    sizes: Vec<usize>,
    models: usize,
    plain: usize,
    plot: Option<PathBuf>,
    db: PathBuf,
}

impl Wanted {
    fn read() -> Outcome<Self> {
        let mut wanted = Self {
            sizes: vec![10_000, 100_000, 1_000_000],
            models: 2_000,
            plain: PLAIN_MOST,
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
                "--plain" => wanted.plain = value.parse()?,
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

    let Costs { taking, finding, arriving } = rules(&runtime, &wanted, now, &mut out)?;
    let plain = plain_lines(most.min(wanted.plain), &mut out)?;
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
    for (size, cost) in arriving.each() {
        writeln!(
            out,
            "{size:>9} positions: {cost:.1} µs of processor for each of {ARRIVING} that arrive"
        )?;
    }
    let kinds =
        [("taking", &taking), ("finding in one go", &finding), ("finding on arrival", &arriving)];
    for (what, curve) in kinds {
        let (small, large) = (curve.cost_near(first), curve.cost_near(most as u64));
        writeln!(
            out,
            "{what}: {small:.1} µs of processor for a position at {first}, {large:.1} at {most}: {:.2} times",
            large / small
        )?;
    }
    models(&runtime, &wanted, now, &mut out)?;
    if let Some(path) = &wanted.plot {
        let lines = [
            ("finding flips on arrival", &arriving),
            ("finding flips, all at once", &finding),
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
    Ok(runtime.block_on(Store::open(&Location::file(&wanted.db), StoreOptions::default()))?)
}

/// What rules cost: taking, finding in one go, and finding among a few that arrive.
#[derive(Default)]
struct Costs {
    taking: Curve,
    finding: Curve,
    arriving: Curve,
}

/// Takes positions and finds flips among them by rules, from each size to the next.
fn rules(
    runtime: &Runtime,
    wanted: &Wanted,
    now: Timestamp,
    out: &mut impl Write,
) -> Outcome<Costs> {
    let store = open(runtime, wanted)?;
    let most = wanted.sizes.last().copied().unwrap_or(0) + wanted.sizes.len() * ARRIVING;
    let mut made = made::Made::new(most);
    let mut costs = Costs::default();
    let mut flips = 0;
    for size in &wanted.sizes {
        let more = size.saturating_sub(usize::try_from(costs.taking.size())?);
        take(runtime, &store, made.by_ref().take(more), now, &mut costs.taking)?;
        flips += find(runtime, &store, Reader::Rules, now, &mut costs.finding)?.flips;
        let mut aside = costs.taking.at_same_size();
        let mut arriving = costs.finding.at_same_size();
        for _ in 0..ARRIVING / AT_A_TIME {
            take(runtime, &store, made.by_ref().take(AT_A_TIME), now, &mut aside)?;
            flips += find(runtime, &store, Reader::Rules, now, &mut arriving)?.flips;
        }
        costs.arriving.add(&arriving);
        costs.taking.go_to(aside.size());
        costs.finding.go_to(aside.size());
        let looked_at = aside.size();
        writeln!(out, "{looked_at} positions, {flips} flips found by rules")?;
        let started = Instant::now();
        runtime.block_on(store.summary(now, 20))?;
        writeln!(out, "summary of {looked_at} positions: {:?}", started.elapsed())?;
        out.flush()?;
    }
    runtime.block_on(store.close());
    open(runtime, wanted).map(drop)?;
    Ok(costs)
}

fn take(
    runtime: &Runtime,
    store: &Store,
    mut made: impl Iterator<Item = Position>,
    now: Timestamp,
    curve: &mut Curve,
) -> Outcome<()> {
    let mut meter = Meter::start_at(curve.size());
    let mut taken = curve.size();
    loop {
        let batch: Vec<_> = made.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(());
        }
        taken += batch.len() as u64;
        // Making them up is not what is measured.
        meter.restart();
        runtime.block_on(store.insert_positions(now, batch, Durability::Fast))?;
        meter.note(taken, curve);
    }
}

fn find(
    runtime: &Runtime,
    store: &Store,
    reader: Reader<'_>,
    now: Timestamp,
    curve: &mut Curve,
) -> Outcome<Progress> {
    let before = curve.size();
    let noted = std::sync::Mutex::new((Meter::start_at(before), curve));
    let watch = |progress: Progress| {
        if let Ok(mut noted) = noted.lock() {
            let (meter, curve) = &mut *noted;
            meter.note(before + progress.looked_at, curve);
        }
    };
    let finding = Ledger::new(store, reader);
    Ok(runtime.block_on(finding.catch_up(now, &|_| None, &watch))?)
}

/// The seed's algorithm over the same positions.
fn plain_lines(most: usize, out: &mut impl Write) -> Outcome<Curve> {
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

/// Measures the models in the program, on fewer positions.
fn models(runtime: &Runtime, wanted: &Wanted, now: Timestamp, out: &mut impl Write) -> Outcome<()> {
    if wanted.models == 0 {
        return Ok(());
    }
    let store = open(runtime, wanted)?;
    let positions: Vec<_> = made::Made::new(wanted.models).collect();
    runtime.block_on(store.insert_positions(now, positions, Durability::Fast))?;
    let judge = Combined::new(BuiltinReader, BuiltinVectors);
    let models = Models::new(BuiltinVectors, BuiltinEncoder, judge);
    let mut curve = Curve::default();
    let progress = find(runtime, &store, Reader::Model(&models), now, &mut curve)?;
    said(out, wanted.models, "flips found by the local models", curve.speed_to(u64::MAX))?;
    writeln!(out, "{} flips", progress.flips)?;
    runtime.block_on(store.close());
    open(runtime, wanted).map(drop)
}
