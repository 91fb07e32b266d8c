//! Killed at any point, the ledger verifies; run again, the import completes without duplicates.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rebuttal_model::{Position, StreamId};
use rebuttal_store::{Detection, Durability, FlipFilter, Location, Options, Store};

use crate::support::{Place, at, block_on, flip, position};

const WHERE: &str = "REBUTTAL_STORE_KILL_TEST";
const COUNT: u32 = 3_000;
const BATCH: usize = 100;

/// What the child does: an import in batches, then detection in batches.
async fn import(location: &Location) {
    let store = Store::open(location, Options::default()).await.unwrap();
    let given: Vec<Position> = (0..COUNT).map(|i| position("claude", i)).collect();
    for batch in given.chunks(BATCH) {
        let taken = store.take(at(), batch.to_vec(), Durability::Fast).await.unwrap();
        assert!(taken.clashes.is_empty());
    }
    loop {
        let through = store.detected_through().await.unwrap();
        // One back, so that flips reach over the edges of batches.
        let batch = store.positions_after(through.saturating_sub(1), 300).await.unwrap();
        let last = batch.last().unwrap().n;
        if last == through {
            return;
        }
        let flips = batch
            .windows(2)
            .filter(|pair| pair[0].n % 10 == 0)
            .map(|pair| flip(&pair[0].position, &pair[1].position, 3))
            .collect();
        let detection = Detection { flips, through: last, ..Detection::default() };
        store.record_detection(at(), detection, Durability::Fast).await.unwrap();
    }
}

/// Not a test of its own: the process that is killed.
#[test]
fn child() {
    if let Ok(url) = std::env::var(WHERE) {
        block_on(import(&url.parse().unwrap()));
    }
}

fn start(place: &Place) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child", "--nocapture"])
        .env(WHERE, place.url.replace("sqlite://", "sqlite:"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn killed_and_run_again(place: &Place, kills: u32) {
    // How long an undisturbed run takes here and now says when to kill.
    let other = Place::sqlite();
    let begun = Instant::now();
    assert!(start(&other).wait().unwrap().success());
    let whole = begun.elapsed();
    let mut random = u64::from(std::process::id());
    let mut verified = BTreeSet::new();
    for _ in 0..kills {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let share = f64::from(u32::try_from(random >> 40).unwrap()) / f64::from(1_u32 << 24);
        let mut child = start(place);
        std::thread::sleep(whole.mul_f64(share).max(Duration::from_millis(5)));
        child.kill().unwrap();
        child.wait().unwrap();
        let seq = block_on(async {
            let store = place.open().await;
            let head = store.verify(&StreamId::ledger(), None).await.unwrap();
            check(&store).await;
            head.seq
        });
        verified.insert(seq);
    }
    println!("killed {kills} times, at {} different points of the journal", verified.len());
    assert!(start(place).wait().unwrap().success());
    block_on(async {
        let store = place.open().await;
        let positions = store.positions_after(0, 10_000).await.unwrap();
        let given = (0..COUNT).map(|i| position("claude", i));
        assert!(positions.into_iter().map(|held| held.position).eq(given));
        let flips = store.flips(&FlipFilter { limit: 10_000, ..FlipFilter::default() }).await;
        assert_eq!(flips.unwrap().len(), COUNT as usize / 10 - 1);
        check(&store).await;
        store.verify(&StreamId::ledger(), None).await.unwrap();
    });
}

/// Totals and rows never part.
async fn check(store: &Store) {
    let summary = store.summary(at(), 10).await.unwrap();
    let positions = store.positions_after(0, 10_000).await.unwrap();
    assert_eq!(summary.positions, positions.len() as u64);
    let flips = store.flips(&FlipFilter { limit: 10_000, ..FlipFilter::default() }).await.unwrap();
    assert_eq!(summary.total_flips, flips.len() as u64);
    let agents = store.agents(&["claude"]).await.unwrap();
    assert_eq!((agents[0].positions, agents[0].flips), (summary.positions, summary.total_flips));
}

#[test]
fn on_sqlite() {
    killed_and_run_again(&Place::sqlite(), 12);
}

#[test]
fn on_postgres() {
    if let Some(place) = block_on(Place::postgres()) {
        killed_and_run_again(&place, 6);
    }
}
