//! Detection in steps: unseen positions, candidates by key, flips written once.

use rebuttal_model::{Flip, Position};
use rebuttal_store::{
    BLOCK_KEPT, Detection, Durability, Error, FlipFilter, LATEST_KEPT, PositionKeys, Store,
};

use crate::support::{Place, at, flip, on_both, position, said};

/// Positions `0..count` of an agent, taken.
pub(crate) async fn take(store: &Store, agent: &str, count: u32) -> Vec<Position> {
    let given: Vec<Position> = (0..count).map(|i| position(agent, i)).collect();
    store.insert_positions(at(), given.clone(), Durability::Fast).await.unwrap();
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

/// The blocks of these keys.
fn blocks(agent: &str, domain: Option<&str>, keys: &[u64]) -> Vec<i64> {
    PositionKeys::new(0, agent, domain, keys).blocks
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
    assert_eq!(store.keys_version().await.unwrap(), 0);
    store.restart_detection(7).await.unwrap();
    assert_eq!(store.keys_version().await.unwrap(), 7);
    assert_eq!(store.detected_through().await.unwrap(), 0);
}

async fn a_key_finds_the_newest_of_its_agent_and_domain(place: Place) {
    let store = place.open().await;
    let of = |n: u64| {
        let agent = if n <= 30 || n > 40 { "claude" } else { "gpt4" };
        // Key 7 is shared by all, the other by every third.
        let keys = [7, 100 + n % 3, u64::MAX - n];
        PositionKeys::new(n, agent, (n <= 40).then_some("finance"), &keys)
    };
    let detection =
        Detection { keys: (1..=50).map(of).collect(), through: 50, ..Detection::default() };
    for _ in 0..2 {
        store.record_detection(at(), detection.clone(), Durability::Fast).await.unwrap();
    }
    let finance = Some("finance");
    let asked = [
        blocks("claude", finance, &[7, 101, u64::MAX - 3]),
        blocks("claude", None, &[7]),
        blocks("gpt4", None, &[7]),
        blocks("gpt4", finance, &[7, 8]),
    ]
    .concat();
    let before = store.statements();
    let found = store.newest(&asked, u64::MAX, 4).await.unwrap();
    assert_eq!(store.statements() - before, 1);
    let expected: [&[u64]; 7] = [
        &[27, 28, 29, 30],
        &[19, 22, 25, 28],
        &[3],
        &[47, 48, 49, 50],
        &[],
        &[37, 38, 39, 40],
        &[],
    ];
    assert_eq!(found, expected);
    let found = store.newest(&asked[..2], 5, 4).await.unwrap();
    assert_eq!(found, [&[1, 2, 3, 4][..], &[1, 4]]);
    // As many as come in several rows, each where it was asked for.
    let many: Vec<i64> = (0..500).flat_map(|_| asked.iter().copied()).collect();
    let found = store.newest(&many, u64::MAX, 4).await.unwrap();
    assert!(found.chunks(7).all(|found| found == expected));
    assert_eq!(store.newest(&asked[..1], u64::MAX, 0).await.unwrap(), [[0u64; 0]]);
    assert!(store.newest(&[], u64::MAX, 4).await.unwrap().is_empty());
}

/// However many share a key, as many are kept as are ever looked at.
async fn of_each_key_only_the_newest_are_kept(place: Place) {
    let store = place.open().await;
    for step in 0..5 {
        let of = |n: u64| PositionKeys::new(n, "claude", None, &[7]);
        let keys = (step * 50 + 1..=step * 50 + 50).map(of).collect();
        let detection = Detection { keys, through: step * 50 + 50, ..Detection::default() };
        // What comes a second time, or from somebody who was slower, adds nothing.
        for _ in 0..2 {
            store.record_detection(at(), detection.clone(), Durability::Fast).await.unwrap();
        }
    }
    let PositionKeys { blocks, latest, .. } = PositionKeys::new(0, "claude", None, &[7]);
    let found = store.newest(&[blocks[0], latest], u64::MAX, 1000).await.unwrap();
    let newest = |kept: usize| (251 - kept as u64..=250).collect::<Vec<u64>>();
    assert_eq!(found, [newest(BLOCK_KEPT), newest(LATEST_KEPT)]);
    assert_eq!(place.dump("position_lists").await.len(), 2);
}

async fn positions_are_found_by_their_numbers(place: Place) {
    let store = place.open().await;
    let given = take(&store, "claude", 9).await;
    let before = store.statements();
    let mut found = store.positions_numbered(&[3, 9, 12]).await.unwrap();
    assert_eq!(store.statements() - before, 1);
    found.sort_by_key(|held| held.n);
    assert!(found.iter().map(|held| held.n).eq([3, 9]));
    assert!(found.iter().map(|held| &held.position).eq([&given[2], &given[8]]));
    assert!(store.positions_numbered(&[]).await.unwrap().is_empty());
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
    let keys = vec![PositionKeys::new(1, "claude", None, &[1])];
    let detection = Detection { flips, through: 2, keys, ..Detection::default() };
    let error = store.record_detection(at(), detection, Durability::Fast).await.unwrap_err();
    assert!(matches!(&error, Error::NoPosition(id) if *id == stranger.id), "{error}");
    assert_eq!(store.detected_through().await.unwrap(), 0);
    assert!(store.flips(&FlipFilter::default()).await.unwrap().is_empty());
    let asked = blocks("claude", None, &[1]);
    assert!(store.newest(&asked, u64::MAX, 5).await.unwrap()[0].is_empty());
}

async fn an_agents_habits(place: Place) {
    let store = place.open().await;
    let taken = take(&store, "claude", 6).await;
    store.insert_positions(at(), vec![said("gpt4", "Now.")], Durability::Fast).await.unwrap();
    let habits = store.habits(&["claude", "gpt4", "nobody"]).await.unwrap();
    assert_eq!(habits.len(), 2);
    assert!(!habits["claude"].unordered);
    let mut domains = habits["claude"].domains.clone();
    domains.sort();
    let named = |name: &str| Some(name.to_owned());
    assert_eq!(domains, [None, named("ethics"), named("finance"), named("security")]);
    assert_eq!(habits["gpt4"].domains, [None]);
    // One that came after a later one is seen, in the same call or in a further one, and stays seen.
    let early =
        |claim: &str| Position { at: at() - crate::support::hours(1), ..said("gpt4", claim) };
    store.insert_positions(at(), vec![early("Before.")], Durability::Fast).await.unwrap();
    assert!(store.habits(&["gpt4"]).await.unwrap()["gpt4"].unordered);
    let both = vec![said("grok", "Now."), Position { id: early("b").id, ..early("b") }];
    let both: Vec<Position> = both
        .into_iter()
        .map(|position| Position { agent: rebuttal_model::AgentId::new("grok"), ..position })
        .collect();
    store.insert_positions(at(), both, Durability::Fast).await.unwrap();
    assert!(store.habits(&["grok"]).await.unwrap()["grok"].unordered);
    let flips = detect(&store, &taken[..3]).await;
    let found = store.flips_to(&[taken[1].id.as_str(), taken[5].id.as_str()]).await.unwrap();
    assert_eq!(found, [(taken[1].id.clone(), flips[0].id.clone())]);
    store.verify_tables(&|_| {}).await.unwrap();
}

on_both!(
    an_agents_habits,
    a_run_goes_on_where_it_stopped,
    a_key_finds_the_newest_of_its_agent_and_domain,
    of_each_key_only_the_newest_are_kept,
    positions_are_found_by_their_numbers,
    a_flip_is_written_once_and_read_whole,
    a_flip_of_unknown_positions_is_refused_whole,
);
