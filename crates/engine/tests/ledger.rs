//! The ledger at work on a real database: what is found, once, whatever the batches.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{SignedDuration, Timestamp};
use rebuttal_detect::Reader;
use rebuttal_detect::flips::KEYS_VERSION;
use rebuttal_engine::ledger::{Ledger, Progress, verify_keys};
use rebuttal_model::{AgentId, Cause, Event, Flip, FlipKind, Position};
use rebuttal_store::{
    Detection, Durability, FlipFilter, Location, PositionKeys, Store, StoreOptions,
};

fn start() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn said(agent: &str, claim: &str, hour: i64) -> Position {
    let at = start() + SignedDuration::from_hours(hour);
    Position::new(AgentId::new(agent), claim, at)
}

async fn store(folder: &tempfile::TempDir) -> Store {
    let location = Location::file(folder.path().join("ledger.db"));
    Store::open(&location, StoreOptions::default()).await.unwrap()
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
    store.insert_positions(start(), positions, Durability::Fast).await.unwrap();
    let found = look(&store).await;
    assert_eq!(found, Progress { looked_at: 5, flips: 1 });
    let flips = flips(&store).await;
    assert_eq!(
        (flips[0].kind, flips[0].after.at),
        (FlipKind::Contradiction, start() + SignedDuration::from_hours(4))
    );
    assert_eq!(look(&store).await, Progress::default(), "nothing is left to look at");
    store.restart_detection(KEYS_VERSION).await.unwrap();
    assert_eq!(
        look(&store).await,
        Progress { looked_at: 5, flips: 0 },
        "found again is not found anew"
    );
}

/// A ledger whose keys an earlier version made would find nothing under those of this one.
#[tokio::test]
async fn keys_of_another_version_are_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    store
        .insert_positions(start(), vec![said("ann", "The vault is open.", 1)], Durability::Fast)
        .await
        .unwrap();
    let old = Detection { through: 1, ..Detection::default() };
    store.restart_detection(KEYS_VERSION - 1).await.unwrap();
    store.record_detection(start(), old, Durability::Fast).await.unwrap();
    store
        .insert_positions(start(), vec![said("ann", "The vault is not open.", 2)], Durability::Fast)
        .await
        .unwrap();
    assert_eq!(look(&store).await, Progress { looked_at: 2, flips: 1 });
    assert_eq!(store.keys_version().await.unwrap(), u64::from(KEYS_VERSION));
}

/// A position that is not under its keys would never be found again.
#[tokio::test]
async fn keys_that_are_not_those_of_the_positions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let claim = |at: i64| said("ann", &format!("The vault of {} is open.", THINGS[0]), at);
    store.insert_positions(start(), (0..80).map(claim).collect(), Durability::Fast).await.unwrap();
    look(&store).await;
    verify_keys(&store, &|_| {}).await.unwrap();
    let strange = PositionKeys::new(81, "ann", None, &[7]);
    let detection = Detection { keys: vec![strange], through: 81, ..Detection::default() };
    store.record_detection(start(), detection, Durability::Fast).await.unwrap();
    let error = verify_keys(&store, &|_| {}).await.unwrap_err().to_string();
    assert!(error.contains("“position_lists”") && error.contains("rebuild --flips"), "{error}");
    store.restart_detection(KEYS_VERSION).await.unwrap();
    verify_keys(&store, &|_| {}).await.unwrap();
    look(&store).await;
    verify_keys(&store, &|_| {}).await.unwrap();
}

/// Whether a position and the one it leaves come in one call or in two, the flip is the same.
#[tokio::test]
async fn batches_do_not_matter() {
    let claims = ["The vault is open.", "The garden is large.", "The vault is not open."];
    let positions: Vec<Position> =
        claims.iter().zip(1..).map(|(claim, hour)| said("ann", claim, hour)).collect();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (together, apart) = (store(&folders[0]).await, store(&folders[1]).await);
    together.insert_positions(start(), positions.clone(), Durability::Fast).await.unwrap();
    look(&together).await;
    for position in positions {
        apart.insert_positions(start(), vec![position], Durability::Fast).await.unwrap();
        look(&apart).await;
    }
    let (one, two) = (flips(&together).await, flips(&apart).await);
    assert_eq!(one.len(), 1);
    assert_eq!(one, two);
}

/// The flips of these positions, taken and looked at one by one.
async fn one_by_one(positions: &[Position]) -> (Vec<Flip>, Store, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    for position in positions {
        store.insert_positions(start(), vec![position.clone()], Durability::Fast).await.unwrap();
        look(&store).await;
    }
    (flips(&store).await, store, folder)
}

#[tokio::test]
async fn what_comes_late_is_found_as_if_it_had_come_in_time() {
    let late_first =
        [said("ann", "The vault is open.", 9), said("ann", "The vault is not open.", 1)];
    let (found, ..) = one_by_one(&late_first).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].before.claim, "The vault is not open.");
}

/// Every order in which positions can come leads to the same flips, and to tables that follow from the
/// journal: what was found between two that are no neighbours any more is withdrawn.
#[tokio::test]
async fn every_order_leads_to_the_same_flips() {
    let history = [
        said("ann", "The vault is open.", 1),
        said("ann", "The garden is large.", 2),
        said("ann", "The vault is not open.", 3),
        said("ann", "The vault is open.", 4),
        said("ann", "The vault is open.", 5),
    ];
    let (expected, ..) = one_by_one(&history).await;
    assert_eq!(expected.len(), 2);
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..history.len() {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..history.len()).filter(move |at| !order.contains(at)).collect::<Vec<_>>()
        };
        orders = orders
            .iter()
            .flat_map(|order| longer(order).into_iter().map(move |at| [&order[..], &[at]].concat()))
            .collect();
    }
    assert_eq!(orders.len(), 120);
    let mut withdrawn = 0;
    // Each fifth: the first and the last come first and last in some of them.
    for order in orders.iter().step_by(5) {
        let positions: Vec<Position> = order.iter().map(|at| history[*at].clone()).collect();
        let (found, store, _folder) = one_by_one(&positions).await;
        assert!(found == expected, "{order:?}");
        assert_eq!(store.summary(start(), 10).await.unwrap().total_flips, 2, "{order:?}");
        store.verify_tables(&|_| {}).await.unwrap();
        store.rebuild().await.unwrap();
        assert_eq!(flips(&store).await, expected, "{order:?}");
        let records = store.read(&rebuttal_model::StreamId::ledger(), 0).await.unwrap();
        let is_withdrawn = |event: &Event| matches!(event, Event::FlipsWithdrawn { .. });
        withdrawn += records.iter().filter(|record| is_withdrawn(&record.event)).count();
    }
    assert!(withdrawn > 0, "some order finds what is none");
}

/// Positions that come in two files, each looked at as a whole.
#[tokio::test]
async fn a_file_of_last_year_after_one_of_this_year() {
    let side = |round: usize| if round.is_multiple_of(3) { "is not" } else { "is" };
    let history: Vec<Position> = (0..60)
        .map(|hour| {
            let claim = format!("The {} dam {} safe.", THINGS[hour % 6], side(hour / 6));
            said("ann", &claim, i64::try_from(hour).unwrap())
        })
        .collect();
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (in_order, late) = (store(&folders[0]).await, store(&folders[1]).await);
    in_order.insert_positions(start(), history.clone(), Durability::Fast).await.unwrap();
    look(&in_order).await;
    for half in [&history[30..], &history[..30]] {
        late.insert_positions(start(), half.to_vec(), Durability::Fast).await.unwrap();
        look(&late).await;
    }
    let (one, two) = (flips(&in_order).await, flips(&late).await);
    assert!(one.len() > 20, "{}", one.len());
    let ids = |flips: &[Flip]| flips.iter().map(|flip| flip.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&one), ids(&two));
}

const THINGS: [&str; 6] = ["granite", "river", "valley", "timber", "harbour", "castle"];

#[tokio::test]
async fn no_domain_is_compared_with_every_domain() {
    let in_field = |mut position: Position, domain: Option<&str>| {
        position.domain = domain.map(ToOwned::to_owned);
        position
    };
    let (yes, no) = ("The vault is open.", "The vault is not open.");
    for (before, after, expected) in [
        (None, Some("security"), 1),
        (Some("security"), None, 1),
        (None, None, 1),
        (Some("security"), Some("security"), 1),
        (Some("security"), Some("finance"), 0),
    ] {
        let positions =
            [in_field(said("ann", yes, 1), before), in_field(said("ann", no, 2), after)];
        let (found, store, _folder) = one_by_one(&positions).await;
        assert_eq!(found.len(), expected, "{before:?} {after:?}");
        let domains = store.domains(10).await.unwrap();
        let named = before.or(after).unwrap_or_default();
        let counted = domains.iter().find(|totals| totals.domain == named).unwrap();
        assert_eq!(counted.flips, expected as u64, "{before:?} {after:?}");
    }
}

/// What shares no key is compared all the same where an agent has said little, and what takes back is
/// beside what was said last; on other matters neither makes a flip.
#[tokio::test]
async fn a_small_ledger_is_compared_as_a_whole() {
    let short = said("ann", "The dam is safe.", 1);
    let keys = |claim: &str| rebuttal_detect::flips::keys(claim, None);
    let words = ["engineer", "drawing", "concrete", "gate", "inspection", "spring", "visitor"];
    let long = |from: usize| {
        let seen: Vec<String> =
            (from..from + 6).map(|at| format!("the {} {at}", words[at % 7])).collect();
        format!("Having seen {}, I say that the dam is not safe.", seen.join(", "))
    };
    let shares = |claim: &str| keys(claim).iter().any(|key| keys(&short.claim).contains(key));
    let long = (0..200).map(long).find(|claim| !shares(claim)).unwrap();
    let (found, ..) = one_by_one(&[short.clone(), said("ann", &long, 2)]).await;
    assert_eq!(found.len(), 1, "{long}");
    let back = [said("ann", "The dam is safe.", 1), said("ann", "I retract that statement.", 2)];
    let (found, ..) = one_by_one(&back).await;
    assert_eq!(found.iter().map(|flip| flip.kind).collect::<Vec<_>>(), [FlipKind::Retraction]);
    let others = ["The dam is safe.", "Rates will rise.", "Never sell bonds.", "Tea is cheap."];
    let others: Vec<Position> =
        others.iter().zip(1..).map(|(claim, hour)| said("ann", claim, hour)).collect();
    let (found, ..) = one_by_one(&others).await;
    assert!(found.is_empty(), "{found:?}");
}

#[tokio::test]
async fn whoever_knows_the_debate_says_what_moved_the_agent() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder).await;
    let positions =
        vec![said("ann", "The vault is open.", 1), said("ann", "The vault is not open.", 2)];
    store.insert_positions(start(), positions, Durability::Fast).await.unwrap();
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
    store.insert_positions(start(), positions, Durability::Fast).await.unwrap();
    let ledger = Ledger::new(&store, Reader::Rules);
    let found = ledger.detect_flips_for_agent("ann", 50, start()).await.unwrap();
    assert_eq!(found.len(), 1);
    assert!(flips(&store).await.is_empty());
    assert!(ledger.detect_flips_for_agent("nobody", 50, start()).await.unwrap().is_empty());
    let short = ledger.detect_flips_for_agent("ann", 1, start()).await.unwrap();
    assert!(short.is_empty(), "one position is no flip");
}
