//! Killed at any point, the ledger verifies; run again, the import completes without duplicates.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rebuttal_model::{Position, StreamId};
use rebuttal_store::{Detection, Durability, FlipFilter, Location, Store, StoreOptions};

use crate::support::{Place, at, block_on, flip, position};

const WHERE: &str = "REBUTTAL_STORE_KILL_TEST";
const COUNT: u32 = 2_000;
const BATCH: usize = 40;

/// What the child does: an import in batches, then detection in batches. It says when each is in.
async fn import(location: &Location) {
    let store = Store::open(location, StoreOptions::default()).await.unwrap();
    let given: Vec<Position> = (0..COUNT).map(|i| position("claude", i)).collect();
    for batch in given.chunks(BATCH) {
        let inserted =
            store.insert_positions(at(), batch.to_vec(), Durability::Fast).await.unwrap();
        assert!(inserted.clashes.is_empty());
        println!("{DONE}");
    }
    loop {
        let through = store.detected_through().await.unwrap();
        // One back, so that flips reach over the edges of batches.
        let batch = store.positions_after(through.saturating_sub(1), 100).await.unwrap();
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
        println!("{DONE}");
    }
}

/// What the child says after each batch.
const DONE: &str = "a batch is in";

/// Not a test of its own: the process that is killed.
#[test]
fn child() {
    if let Ok(url) = std::env::var(WHERE) {
        block_on(import(&url.parse().unwrap()));
    }
}

fn start(place: &Place) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child", "--nocapture"])
        .env(WHERE, place.url.replace("sqlite://", "sqlite:"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills the child somewhere in the batch after the how-many-eth; it may be done before.
fn kill_after(mut child: Child, batches: usize, wait: Duration) {
    let said = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = said.map_while(Result::ok).filter(|line| line.contains(DONE));
    said.nth(batches);
    std::thread::sleep(wait);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A new database, an import killed twice, further on the second time, and then let be. Where it
/// was killed.
fn killed_and_run_again(place: &Place, random: &mut u64) -> [u64; 2] {
    let mut batches = 0;
    let points = [(); 2].map(|()| {
        *random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        batches += usize::try_from(*random >> 33).unwrap() % 32;
        kill_after(start(place), batches, Duration::from_micros((*random >> 20) % 5_000));
        block_on(async {
            let store = place.open().await;
            let seq = store.verify(&StreamId::ledger(), None).await.unwrap().seq;
            check(&store).await;
            seq
        })
    });
    let mut child = start(place);
    std::io::copy(&mut child.stdout.take().unwrap(), &mut std::io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
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
    points
}

fn rounds(count: usize, mut place: impl FnMut() -> Option<Place>) {
    let mut random = u64::from(std::process::id());
    let mut points = BTreeSet::new();
    for _ in 0..count {
        let Some(place) = place() else { return };
        points.extend(killed_and_run_again(&place, &mut random));
    }
    println!("killed {} times, at {} different points", 2 * count, points.len());
    assert!(points.len() > count, "the kills came at different points: {points:?}");
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
    rounds(5, || Some(Place::sqlite()));
}

#[test]
fn on_postgres() {
    rounds(2, || block_on(Place::postgres()));
}
