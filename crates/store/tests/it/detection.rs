//! Detection in steps: unseen positions, candidates by key, flips written once.

use rebuttal_model::{Flip, Position};
use rebuttal_store::{Detection, Durability, Error, FlipFilter, Lookup, PositionKeys, Store};

use crate::support::{Place, at, flip, on_both, position, said};

/// Positions `0..count` of an agent, taken.
pub(crate) async fn take(store: &Store, agent: &str, count: u32) -> Vec<Position> {
    let given: Vec<Position> = (0..count).map(|i| position(agent, i)).collect();
    store.take(at(), given.clone(), Durability::Fast).await.unwrap();
    given
}

/// Flips between each position and the next, written.
pub(crate) async fn detect(store: &Store, positions: &[Position]) -> Vec<Flip> {
    let flips: Vec<Flip> =
        positions.windows(2).enumerate().map(|(i, pair)| flip(&pair[0], &pair[1], i)).collect();
    let detection = Detection { flips: flips.clone(), ..Detection::default() };
    let new = store.record_detection(at(), detection, Durability::Fast).await.unwrap();
    assert_eq!(new, flips.len() as u64);
    flips
}

fn keys(n: u64, agent: &str, domain: Option<&str>, keys: &[u64]) -> PositionKeys {
    let domain = domain.map(ToOwned::to_owned);
    PositionKeys { n, agent: agent.to_owned(), domain, keys: keys.to_vec() }
}

fn lookup(agent: &str, domain: Option<&str>, keys: &[u64]) -> Lookup {
    let domain = domain.map(ToOwned::to_owned);
    Lookup { agent: agent.to_owned(), domain, keys: keys.to_vec(), below: u64::MAX }
}

async fn a_run_goes_on_where_it_stopped(place: Place) {
    let store = place.open().await;
    take(&store, "claude", 25).await;
    let mut seen = Vec::new();
    loop {
        let through = store.detected_through().await.unwrap();
        let batch = store.positions_after(through, 10).await.unwrap();
        let Some(last) = batch.last() else { break };
        let detection = Detection { through: last.n, ..Detection::default() };
        seen.extend(batch.iter().map(|held| held.n));
        store.record_detection(at(), detection, Durability::Fast).await.unwrap();
    }
    assert!(seen.into_iter().eq(1..=25));
    // An old run that comes late does not turn it back.
    let late = Detection { through: 3, ..Detection::default() };
    store.record_detection(at(), late, Durability::Fast).await.unwrap();
    assert_eq!(store.detected_through().await.unwrap(), 25);
    store.restart_detection().await.unwrap();
    assert_eq!(store.detected_through().await.unwrap(), 0);
}

async fn candidates_share_a_key_an_agent_and_a_domain(place: Place) {
    let store = place.open().await;
    let finance = |claim: &str, agent: &str| Position {
        domain: Some("finance".to_owned()),
        ..said(agent, claim)
    };
    let given: Vec<Position> = (0..40)
        .map(|i| finance(&format!("Claim {i}"), if i < 30 { "claude" } else { "gpt4" }))
        .chain((40..50).map(|i| said("claude", &format!("Claim {i}"))))
        .collect();
    store.take(at(), given, Durability::Fast).await.unwrap();
    let of = |n: u64| {
        let agent = if n <= 30 || n > 40 { "claude" } else { "gpt4" };
        // Key 7 is shared by all, the other by every third.
        keys(n, agent, (n <= 40).then_some("finance"), &[7, 100 + n % 3, u64::MAX - n])
    };
    let detection =
        Detection { keys: (1..=50).map(of).collect(), through: 50, ..Detection::default() };
    for _ in 0..2 {
        store.record_detection(at(), detection.clone(), Durability::Fast).await.unwrap();
    }
    let before = store.statements();
    let asked = [
        lookup("claude", Some("finance"), &[7]),
        lookup("claude", Some("finance"), &[101, u64::MAX - 3]),
        lookup("claude", None, &[7]),
        lookup("gpt4", None, &[7]),
        lookup("gpt4", Some("finance"), &[7, 100, 101, 102]),
        Lookup { below: 5, ..lookup("claude", Some("finance"), &[7, 100]) },
        lookup("claude", Some("finance"), &[]),
    ];
    let found = store.sharing(&asked, 4).await.unwrap();
    assert_eq!(store.statements() - before, 1);
    let numbers: Vec<Vec<u64>> =
        found.iter().map(|found| found.iter().map(|found| found.held.n).collect()).collect();
    let expected: [&[u64]; 7] = [
        &[30, 29, 28, 27],
        &[28, 25, 22, 19],
        &[50, 49, 48, 47],
        &[],
        &[40, 39, 38, 37],
        &[4, 3, 2, 1],
        &[],
    ];
    assert_eq!(numbers, expected);
    // With room for more, the one found by its own key is there.
    let found = store.sharing(&asked[1..2], 50).await.unwrap();
    assert!(found[0].iter().any(|found| found.held.n == 3));
    assert_eq!(found[0].len(), 11);
    assert_eq!(found[0][0].held.position.claim, "Claim 27");
    // With room for few, those that share most come before those that are newest.
    let asked = [lookup("claude", Some("finance"), &[7, 101, u64::MAX - 25])];
    let found = store.sharing(&asked, 2).await.unwrap();
    let shared: Vec<_> = found[0].iter().map(|found| (found.held.n, found.keys)).collect();
    assert_eq!(shared, [(30, 1), (25, 2)]);
}

async fn a_flip_is_written_once_and_read_whole(place: Place) {
    let store = place.open().await;
    let positions = take(&store, "claude", 9).await;
    let flips = detect(&store, &positions).await;
    let head = store.head(&rebuttal_model::StreamId::ledger()).await.unwrap();
    let mut again = flips.clone();
    again.push(flips[0].clone());
    let detection = Detection { flips: again, ..Detection::default() };
    let new = store.record_detection(at(), detection, Durability::Fast).await.unwrap();
    assert_eq!(new, 0);
    assert_eq!(store.head(&rebuttal_model::StreamId::ledger()).await.unwrap(), head);
    let back = store.flips(&FlipFilter::default()).await.unwrap();
    assert!(back.iter().map(|row| row.n).eq((1..=8).rev()));
    let back: Vec<Flip> = back.into_iter().rev().map(|row| row.flip).collect();
    assert_eq!(back, flips);
    assert_eq!(store.flip(&flips[2].id).await.unwrap().as_ref(), Some(&flips[2]));
    // What was contradicted or withdrawn is reversed; what was made finer is not.
    let positions = store.positions_after(0, 9).await.unwrap();
    let reversed: Vec<bool> = positions.iter().map(|held| held.reversed).collect();
    assert_eq!(reversed, [false, false, true, true, false, false, true, true, false]);
}

async fn a_flip_of_unknown_positions_is_refused_whole(place: Place) {
    let store = place.open().await;
    let positions = take(&store, "claude", 2).await;
    let stranger = said("claude", "Never taken.");
    let flips = vec![flip(&positions[0], &positions[1], 0), flip(&positions[1], &stranger, 1)];
    let detection = Detection { flips, through: 2, keys: vec![keys(1, "claude", None, &[1])] };
    let error = store.record_detection(at(), detection, Durability::Fast).await.unwrap_err();
    assert!(matches!(&error, Error::NoPosition(id) if *id == stranger.id), "{error}");
    assert_eq!(store.detected_through().await.unwrap(), 0);
    assert!(store.flips(&FlipFilter::default()).await.unwrap().is_empty());
    assert!(store.sharing(&[lookup("claude", None, &[1])], 5).await.unwrap()[0].is_empty());
}

on_both!(
    a_run_goes_on_where_it_stopped,
    candidates_share_a_key_an_agent_and_a_domain,
    a_flip_is_written_once_and_read_whole,
    a_flip_of_unknown_positions_is_refused_whole,
);
