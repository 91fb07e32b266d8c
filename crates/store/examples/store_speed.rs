//! How fast the ledger is: positions taken, candidates found, flips written, questions answered.
//!
//! `cargo run --release -p rebuttal-store --example store_speed -- 1000000 [database]`
#![expect(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement prints what it measured, of counts far below 2^52"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use rebuttal_model::{
    Acknowledgment, AgentId, Cause, Confidence, DebateId, Flip, FlipId, FlipKind, Method, Position,
    PositionId, Span, Stance, Whose,
};
use rebuttal_store::{
    Detection, Durability, FlipFilter, HistoryPage, Location, PositionKeys, RankPage, Store,
    StoreOptions,
};

const AGENTS: u64 = 200;
const KEYS: u64 = 8;
const BATCH: usize = 50_000;

type Done<T> = Result<T, Box<dyn Error>>;

fn main() -> Done<()> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().unwrap_or_else(|| "200000".to_owned()).parse()?;
    let folder = tempfile::tempdir()?;
    let location = match arguments.next() {
        Some(location) => location.parse()?,
        None => Location::file(folder.path().join("ledger.db")),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure(&location, count))
}

async fn measure(location: &Location, count: u64) -> Done<()> {
    let store = Store::open(location, StoreOptions::default()).await?;
    take(&store, count).await?;
    if let Some(path) = location.path() {
        let bytes = path.metadata()?.len();
        println!("file: {} bytes a position", bytes / count);
    }
    detect(&store, count.min(20_000), count).await?;
    ask(&store).await?;
    let begun = Instant::now();
    let head = store.verify(&rebuttal_model::StreamId::ledger(), None).await?;
    println!("verify: {} records in {:?}", head.seq, begun.elapsed());
    Ok(())
}

/// A number that looks like chance and is the same in every run.
fn mixed(i: u64, salt: u64) -> u64 {
    let i = (i ^ salt.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (i ^ (i >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 16
}

fn position(i: u64) -> Position {
    let agent = AgentId::new(format!("agent-{}", mixed(i, 1) % AGENTS));
    let words = ["latency", "the budget", "the vote", "this drug", "the index", "our plan"];
    let word = |salt| {
        let at = usize::try_from(mixed(i, salt) % 6).unwrap_or_default();
        words.get(at).copied().unwrap_or_default()
    };
    let claim = format!(
        "On {} we hold that {} rises by {} percent before {} does, as far as anybody has \
         measured it in case {i:08}.",
        word(2),
        word(3),
        mixed(i, 4) % 100,
        word(5)
    );
    let at = Timestamp::UNIX_EPOCH
        + SignedDuration::from_secs(1_700_000_000 + i64::try_from(i).unwrap_or_default());
    let mut position = Position {
        confidence: Confidence::new((mixed(i, 6) % 101) as f64 / 100.0, Whose::Stated),
        debate: Some(DebateId::new(format!("debate-{}", i / 30))),
        round: Some(u32::try_from(i % 5).unwrap_or_default()),
        domain: Some(format!("domain-{}", mixed(i, 7) % 10)),
        stance: if i.is_multiple_of(2) { Stance::Yes } else { Stance::No },
        ..Position::new(agent, claim, at)
    };
    position.id = position.derive_id(true);
    position
}

async fn take(store: &Store, count: u64) -> Done<()> {
    let (mut made, mut taken, mut worked) = (Duration::ZERO, Duration::ZERO, Worked::default());
    let mut begun = Instant::now();
    for start in (0..count).step_by(BATCH) {
        let batch: Vec<Position> = (start..count.min(start + BATCH as u64)).map(position).collect();
        made += begun.elapsed();
        begun = Instant::now();
        let before = processor();
        store.insert_positions(Timestamp::UNIX_EPOCH, batch, Durability::Fast).await?;
        taken += begun.elapsed();
        let after = processor();
        worked.all += after.all - before.all;
        worked.database += after.database - before.database;
        begun = Instant::now();
    }
    println!("made {count} positions in {made:?}");
    println!("took {count} positions in {taken:?}: {:.0}/s", count as f64 / taken.as_secs_f64());
    let each = |seconds: f64| seconds * 1e6 / count as f64;
    println!(
        "processor time for one: {:.1} µs, of which {:.1} µs on the database's own thread",
        each(worked.all),
        each(worked.database)
    );
    let batch: Vec<Position> = (0..count.min(BATCH as u64)).map(position).collect();
    let begun = Instant::now();
    let same = store.insert_positions(Timestamp::UNIX_EPOCH, batch, Durability::Fast).await?.same;
    println!("took {same} again in {:?}", begun.elapsed());
    Ok(())
}

/// Processor time so far, in seconds: what else the machine does is no part of it. 0 where the
/// system does not tell.
#[derive(Clone, Copy, Default)]
struct Worked {
    /// Of all threads.
    all: f64,
    /// Of the database's own threads: the rest is done beside them, where there is a processor.
    database: f64,
}

fn processor() -> Worked {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Worked::default() };
    let mut worked = Worked::default();
    for thread in threads.flatten() {
        let read = |name: &str| {
            let file = std::fs::File::open(thread.path().join(name));
            file.and_then(std::io::read_to_string).unwrap_or_default()
        };
        let text = read("schedstat");
        let nanos = text.split_whitespace().next().and_then(|nanos| nanos.parse::<f64>().ok());
        let seconds = nanos.unwrap_or(0.0) / 1e9;
        worked.all += seconds;
        if read("comm").starts_with("sqlx-sqlite") {
            worked.database += seconds;
        }
    }
    worked
}

/// Eight keys, one of them shared by every tenth position.
fn keys(i: u64) -> Vec<u64> {
    (0..KEYS).map(|k| if k == 0 { i % 10 } else { mixed(i / 3, k) }).collect()
}

async fn detect(store: &Store, looked: u64, count: u64) -> Done<()> {
    let (mut lookups, mut written, mut flipped) = (Duration::ZERO, Duration::ZERO, 0);
    let mut through = count - looked;
    while through < count {
        let batch = store.positions_after(through, 250).await?;
        let Some(last) = batch.last() else { break };
        through = last.n;
        let first = batch.first().map_or(0, |held| held.n);
        let keys: Vec<PositionKeys> = batch
            .iter()
            .map(|held| {
                let (agent, domain) =
                    (held.position.agent.as_str(), held.position.domain.as_deref());
                PositionKeys::new(held.n, agent, domain, &keys(held.n))
            })
            .collect();
        let asked: Vec<i64> = keys.iter().flat_map(|one| one.blocks.iter().copied()).collect();
        let begun = Instant::now();
        let found = store.newest(&asked, first, 50).await?;
        let latest: BTreeSet<u64> = found.iter().filter_map(|list| list.last().copied()).collect();
        let latest = store.positions_numbered(&latest.into_iter().collect::<Vec<_>>()).await?;
        lookups += begun.elapsed();
        let flips: Vec<Flip> = batch
            .iter()
            .zip(&latest)
            .map(|(held, before)| flip(&before.position, &held.position))
            .collect();
        flipped += flips.len();
        let begun = Instant::now();
        let detection = Detection { keys, flips, through, ..Detection::default() };
        store.record_detection(Timestamp::UNIX_EPOCH, detection, Durability::Fast).await?;
        written += begun.elapsed();
    }
    let each = |time: Duration| time / u32::try_from(looked).unwrap_or(1);
    println!("looked {looked} positions up: {:?} each", each(lookups));
    println!("wrote keys and {flipped} flips: {:?} each position", each(written));
    Ok(())
}

fn flip(before: &Position, after: &Position) -> Flip {
    Flip {
        id: FlipId::of(&before.id, &after.id),
        before: before.clone(),
        after: after.clone(),
        kind: FlipKind::Contradiction,
        similarity: 0.7,
        confidence: Confidence::detector(0.9),
        method: Method::Rules,
        acknowledgment: Acknowledgment::Silent,
        acknowledged_in: None,
        before_span: Span::new(0, 10),
        after_span: Span::new(0, 10),
        cause: Cause::NoneVisible,
        because: None,
        toward: rebuttal_model::Stance::Unclear,
        explanation: "One rises, the other falls.".to_owned(),
        detected_at: Timestamp::UNIX_EPOCH,
    }
}

/// The middle and the worst but one of twenty times.
macro_rules! timed {
    ($what:literal, $asked:expr) => {{
        let mut times = Vec::new();
        for _ in 0..20 {
            let begun = Instant::now();
            $asked.await?;
            times.push(begun.elapsed());
        }
        times.sort();
        let at = |rank: usize| times.get(rank).copied().unwrap_or_default();
        println!("{}: median {:?}, p95 {:?}", $what, at(10), at(18));
    }};
}

async fn ask(store: &Store) -> Done<()> {
    let now = Timestamp::UNIX_EPOCH;
    let names: Vec<String> = (0..AGENTS).map(|i| format!("agent-{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let page = HistoryPage::default();
    let of_agent = FlipFilter { agent: Some("agent-7".to_owned()), ..FlipFilter::default() };
    let silent = FlipFilter { silent_only: true, limit: 100, ..FlipFilter::default() };
    timed!("history page of an agent", store.history("agent-7", &page));
    timed!("flips of an agent", store.flips(&of_agent));
    timed!("100 silent flips", store.flips(&silent));
    timed!("200 agents in a batch", store.agents(&names));
    timed!("ranking page", store.agents_ranked(&RankPage { after: None, limit: 50 }));
    timed!("summary", store.summary(now, 20));
    timed!("heat map", store.heat_map(50));
    timed!("contested", store.contested(2, 20));
    let id = PositionId::new("p-none");
    timed!("positions by id", store.positions(&[id.as_str()]));
    Ok(())
}
