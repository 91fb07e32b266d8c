//! The knowledge store: each flip once, whatever fails.

use std::collections::BTreeMap;
use std::sync::Mutex;

use jiff::{SignedDuration, Timestamp};
use rebuttal_model::{Flip, FlipId, Position, Stance};
use rebuttal_store::{Answer, Contested, Durability, KnowledgeStore, KnownFlip, Store};

use crate::detection::{detect, take};
use crate::support::{Place, at, on_both, said};

/// A store that refuses for a while, and remembers how often it got each flip.
#[derive(Default)]
struct Moody {
    refusals: Mutex<u32>,
    got: Mutex<BTreeMap<FlipId, u32>>,
}

impl KnowledgeStore for Moody {
    fn store_flip<'a>(&'a self, flip: &'a Flip) -> Answer<'a, ()> {
        Box::pin(async move {
            let mut refusals = self.refusals.lock().unwrap();
            if *refusals > 0 {
                *refusals -= 1;
                return Err("out of order".into());
            }
            *self.got.lock().unwrap().entry(flip.id.clone()).or_default() += 1;
            Ok(())
        })
    }

    fn forget_flip<'a>(&'a self, flip: &'a FlipId) -> Answer<'a, ()> {
        Box::pin(async move {
            self.got.lock().unwrap().remove(flip);
            Ok(())
        })
    }

    fn search<'a>(&'a self, _: &'a str, _: u32) -> Answer<'a, Vec<KnownFlip>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn flips_of<'a>(&'a self, _: &'a str, _: &'a str, _: u32) -> Answer<'a, Vec<KnownFlip>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn contested(&self, _: u32) -> Answer<'_, Vec<Contested>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// What is changed in our own store behind its back is named, and made good by passing all on again.
async fn what_was_not_passed_on_is_named(place: Place) {
    let store = place.open().await;
    let flips = ten_flips(&store).await;
    store.verify_knowledge().await.unwrap();
    let knowledge = store.knowledge();
    store.sync_knowledge(&knowledge, at(), 100).await.unwrap();
    store.verify_knowledge().await.unwrap();
    let [first, second, third] = [0, 1, 2].map(|at: usize| flips[at].id.as_str());
    for (sql, table, named) in [
        (format!("DELETE FROM knowledge_flips WHERE id = '{second}'"), "knowledge_flips", second),
        (
            format!("UPDATE knowledge_flips SET after = 'forged' WHERE id = '{first}'"),
            "knowledge_flips",
            first,
        ),
        (
            format!("UPDATE outbox SET withdrawn = 1 WHERE flip_id = '{third}'"),
            "knowledge_flips",
            "the ledger has no such flip",
        ),
        (
            "UPDATE knowledge_topics SET flips = flips + 1".to_owned(),
            "knowledge_topics",
            "its counts",
        ),
        ("DELETE FROM knowledge_topics".to_owned(), "knowledge_topics", "its counts"),
    ] {
        place.meddle(&sql).await;
        let error = store.verify_knowledge().await.unwrap_err().to_string();
        assert!(error.contains(&format!("“{table}”")), "{sql}: {error}");
        assert!(error.contains(named) && error.contains("db rebuild"), "{sql}: {error}");
        place.meddle("UPDATE outbox SET withdrawn = 0").await;
        store.empty_knowledge().await.unwrap();
        assert_eq!(store.sync_knowledge(&knowledge, at(), 100).await.unwrap().done, 10);
        store.verify_knowledge().await.unwrap();
        assert_eq!(knowledge.search("claim", 100).await.unwrap().len(), 10);
        store.verify_file_structure().await.unwrap();
    }
}

async fn ten_flips(store: &Store) -> Vec<Flip> {
    let positions = take(store, "claude", 11).await;
    detect(store, &positions).await
}

async fn a_store_that_fails_gets_every_flip_once_all_the_same(place: Place) {
    let store = place.open().await;
    let flips = ten_flips(&store).await;
    let moody = Moody { refusals: Mutex::new(7), ..Moody::default() };
    let mut now = at();
    let first = store.sync_knowledge(&moody, now, 100).await.unwrap();
    assert_eq!((first.done, first.failed, first.waiting), (0, 3, 10));
    // Those that were not tried are due at once, the three that failed in a second.
    let second = store.sync_knowledge(&moody, now, 100).await.unwrap();
    assert_eq!((second.done, second.failed), (0, 3));
    let mut rounds = 0;
    loop {
        let synced = store.sync_knowledge(&moody, now, 100).await.unwrap();
        let Some(next) = synced.next else { break };
        assert!(synced.waiting > 0);
        now = next.max(now + SignedDuration::from_millis(1));
        rounds += 1;
        assert!(rounds < 50, "it comes to an end");
    }
    assert!(now >= at() + SignedDuration::from_secs(1), "it waited");
    let got = moody.got.lock().unwrap().clone();
    assert_eq!(got.len(), flips.len());
    assert!(got.values().all(|count| *count == 1), "{got:?}");
    // Nothing is owed any more, not even after the tables were made anew.
    store.rebuild().await.unwrap();
    let synced = store.sync_knowledge(&moody, now + SignedDuration::from_hours(9), 100).await;
    assert_eq!(synced.unwrap().done, 0);
}

/// Whoever took flips and died leaves them to the next, after a while.
async fn what_a_dead_process_took_comes_back(place: Place) {
    struct Deadly;
    impl KnowledgeStore for Deadly {
        fn store_flip<'a>(&'a self, _: &'a Flip) -> Answer<'a, ()> {
            Box::pin(std::future::pending())
        }
        fn forget_flip<'a>(&'a self, _: &'a FlipId) -> Answer<'a, ()> {
            Box::pin(std::future::pending())
        }
        fn search<'a>(&'a self, _: &'a str, _: u32) -> Answer<'a, Vec<KnownFlip>> {
            Box::pin(std::future::pending())
        }
        fn flips_of<'a>(&'a self, _: &'a str, _: &'a str, _: u32) -> Answer<'a, Vec<KnownFlip>> {
            Box::pin(std::future::pending())
        }
        fn contested(&self, _: u32) -> Answer<'_, Vec<Contested>> {
            Box::pin(std::future::pending())
        }
    }
    let store = place.open().await;
    ten_flips(&store).await;
    let wait = std::time::Duration::from_millis(500);
    let killed = tokio::time::timeout(wait, store.sync_knowledge(&Deadly, at(), 4)).await;
    assert!(killed.is_err());
    let moody = Moody::default();
    assert_eq!(store.sync_knowledge(&moody, at(), 100).await.unwrap().done, 6);
    let later = at() + SignedDuration::from_secs(61);
    let synced = store.sync_knowledge(&moody, later, 100).await.unwrap();
    assert_eq!((synced.done, synced.waiting, synced.next), (4, 0, None::<Timestamp>));
}

async fn our_own_is_searched(place: Place) {
    let store = place.open().await;
    let said = |agent: &str, claim: &str, question: Option<&str>, stance| Position {
        question: question.map(ToOwned::to_owned),
        stance,
        ..said(agent, claim)
    };
    let caching = "Is caching of tokens safe?";
    for (agent, before, after, question) in [
        ("claude", "Caching tokens is safe.", "Caching tokens was never safe.", Some(caching)),
        ("gpt4", "Tokens may be cached.", "Do not cache tokens.", Some(caching)),
        ("gpt4", "Rates will rise in autumn.", "Rates will fall in autumn.", None),
    ] {
        let given = vec![
            said(agent, before, question, Stance::Yes),
            said(agent, after, question, Stance::No),
        ];
        store.insert_positions(at(), given.clone(), Durability::Fast).await.unwrap();
        detect(&store, &given).await;
    }
    let knowledge = store.knowledge();
    for done in [3, 0] {
        assert_eq!(store.sync_knowledge(&knowledge, at(), 100).await.unwrap().done, done);
    }
    let flip = store.flips(&rebuttal_store::FlipFilter::default()).await.unwrap().remove(0).flip;
    knowledge.store_flip(&flip).await.unwrap();
    let found = knowledge.search("will the rate fall?", 10).await.unwrap();
    assert_eq!(found.len(), 1, "given twice, it is there once");
    assert_eq!(found[0].after, "Rates will fall in autumn.");
    let of = |agent: &'static str, near: &'static str| knowledge.flips_of(agent, near, 10);
    assert_eq!(knowledge.search("cached tokens", 10).await.unwrap().len(), 2);
    assert_eq!(of("gpt4", "cached tokens").await.unwrap().len(), 1);
    assert_eq!(of("gpt4", "").await.unwrap().len(), 2);
    assert!(of("nobody", "tokens").await.unwrap().is_empty());
    let contested = knowledge.contested(1).await.unwrap();
    assert_eq!((contested[0].words.as_str(), contested[0].agents), (caching, 2));
    // Nothing that is typed is an operator.
    for hostile in ["\" OR 1=1 --", "a AND NOT (b)", "tokens*", "NEAR(a b)", "' | !x", "\0", "—"]
    {
        knowledge.search(hostile, 5).await.unwrap();
    }
}

on_both!(
    a_store_that_fails_gets_every_flip_once_all_the_same,
    what_a_dead_process_took_comes_back,
    our_own_is_searched,
    what_was_not_passed_on_is_named,
);
