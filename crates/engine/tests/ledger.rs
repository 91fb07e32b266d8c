//! The ledger at work on a real database: what is found, once, whatever the batches.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{SignedDuration, Timestamp};
use rebuttal_detect::Reader;
use rebuttal_engine::ledger::{Ledger, Progress};
use rebuttal_model::{AgentId, Cause, Flip, FlipKind, Position};
use rebuttal_store::{Durability, FlipFilter, Location, Options, Store};

fn start() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn said(agent: &str, claim: &str, hour: i64) -> Position {
    let at = start() + SignedDuration::from_hours(hour);
    Position::new(AgentId::new(agent), claim, at)
}

async fn store(folder: &tempfile::TempDir) -> Store {
    let location = Location::file(folder.path().join("ledger.db"));
    Store::open(&location, Options::default()).await.unwrap()
}

async fn look(store: &Store) -> Progress {
    let now = start() + SignedDuration::from_hours(100_000);
    Ledger::new(store, Reader::Rules).catch_up(now, &|_| None, &|_| {}).await.unwrap()
}

async fn flips(store: &Store) -> Vec<Flip> {
    let filter = FlipFilter { limit: 10_000, ..FlipFilter::default() };
    let rows = store.flips(&filter).await.unwrap();
    let mut flips: Vec<Flip> = rows.into_iter().map(|row| row.flip).collect();
    flips.sort_by(|one, two| one.id.as_str().cmp(two.id.as_str()));
    flips
}

#[tokio::test]
async fn a_turn_around_is_found_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let positions = vec![
        said("ann", "The cache is safe.", 1),
        said("ben", "The cache is not safe.", 2),
        said("ann", "The team meets in June.", 3),
        said("ann", "The cache is not safe.", 4),
        said("ann", "The cache is not safe.", 5),
    ];
    store.take(start(), positions, Durability::Fast).await.unwrap();
    let found = look(&store).await;
    assert_eq!(found, Progress { looked_at: 5, flips: 1 });
    let flips = flips(&store).await;
    assert_eq!(
        (flips[0].kind, flips[0].after.at),
        (FlipKind::Contradiction, start() + SignedDuration::from_hours(4))
    );
    assert_eq!(look(&store).await, Progress::default(), "nothing is left to look at");
    store.restart_detection().await.unwrap();
    assert_eq!(
        look(&store).await,
        Progress { looked_at: 5, flips: 0 },
        "found again is not found anew"
    );
}

/// Whether a position and the one it leaves come in one call or in two, the flip is the same.
#[tokio::test]
async fn batches_do_not_matter() {
    let claims = ["The vault is open.", "The garden is large.", "The vault is not open."];
    let positions: Vec<Position> =
        claims.iter().zip(1..).map(|(claim, hour)| said("ann", claim, hour)).collect();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (together, apart) = (store(&folders[0]).await, store(&folders[1]).await);
    together.take(start(), positions.clone(), Durability::Fast).await.unwrap();
    look(&together).await;
    for position in positions {
        apart.take(start(), vec![position], Durability::Fast).await.unwrap();
        look(&apart).await;
    }
    let (one, two) = (flips(&together).await, flips(&apart).await);
    assert_eq!(one.len(), 1);
    assert_eq!(one, two);
}

#[tokio::test]
async fn what_was_said_later_cannot_be_left() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let late_first =
        vec![said("ann", "The vault is open.", 9), said("ann", "The vault is not open.", 1)];
    store.take(start(), late_first, Durability::Fast).await.unwrap();
    assert_eq!(look(&store).await.flips, 0);
}

#[tokio::test]
async fn whoever_knows_the_debate_says_what_moved_the_agent() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let positions =
        vec![said("ann", "The vault is open.", 1), said("ann", "The vault is not open.", 2)];
    store.take(start(), positions, Durability::Fast).await.unwrap();
    let seen = AtomicU64::new(0);
    let watch = |progress: Progress| seen.store(progress.looked_at, Ordering::Relaxed);
    let explain = |_: &Flip| Some((Cause::Insistence, None));
    let now = start() + SignedDuration::from_hours(10);
    Ledger::new(&store, Reader::Rules).catch_up(now, &explain, &watch).await.unwrap();
    assert_eq!(flips(&store).await[0].cause, Cause::Insistence);
    assert_eq!(seen.load(Ordering::Relaxed), 2);
    let moved = store.exposures(Some("ann")).await.unwrap();
    assert!(
        moved.iter().any(|row| row.cause == Cause::Insistence && row.flipped == 1),
        "{moved:?}"
    );
}

/// The seed's call finds the same as going along did, and writes nothing.
#[tokio::test]
async fn the_seeds_call() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let positions = vec![
        said("ann", "The vault is open.", 1),
        said("ann", "The vault is not open.", 2),
        said("ben", "The vault is open.", 3),
    ];
    store.take(start(), positions, Durability::Fast).await.unwrap();
    let ledger = Ledger::new(&store, Reader::Rules);
    let found = ledger.detect_flips_for_agent("ann", 50, start()).await.unwrap();
    assert_eq!(found.len(), 1);
    assert!(flips(&store).await.is_empty());
    assert!(ledger.detect_flips_for_agent("nobody", 50, start()).await.unwrap().is_empty());
    let short = ledger.detect_flips_for_agent("ann", 1, start()).await.unwrap();
    assert!(short.is_empty(), "one position is no flip");
}
