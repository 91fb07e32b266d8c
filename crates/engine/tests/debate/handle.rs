//! A running debate as a handle: watched, paused, stopped, dropped, and run beside others.

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use rebuttal_engine::debate::{
    Agent, Arena, ArenaError, Ended, Engine, Environment, Journal, MemoryJournal, Update, Vote,
    replay,
};
use rebuttal_llm::Scripted;
use rebuttal_model::{Event, Protocol, Record, StreamId};
use rebuttal_semantics::{Embedder, Embedding, SemanticsError};
use rebuttal_store::{Location, Store, StoreOptions};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;

use crate::panel::{arena, fixed_vote, says, swayed, with};

fn runtime() -> Runtime {
    Builder::new_multi_thread().enable_time().build().unwrap()
}

async fn stored(journal: &impl Journal, id: &rebuttal_model::DebateId) -> Vec<Record> {
    journal.records(&StreamId::debate(id)).await.unwrap()
}

fn seqs(updates: &[Update]) -> Vec<u64> {
    let records = updates.iter().filter(|update| matches!(update, Update::Recorded(_)));
    records.map(Update::seq).collect()
}

#[test]
fn every_watcher_sees_every_record_in_order_with_its_number() {
    runtime().block_on(async {
        let journal = MemoryJournal::default();
        let engine = Engine::new(journal.clone());
        let debate = arena([fixed_vote("ann", "yes", 0.8), swayed("bob", "no", "yes")]);
        let debate = debate.start(&engine).unwrap();
        let (id, mut early) = (debate.id(), debate.events());
        let mut all = Vec::new();
        while let Some(update) = early.next().await {
            assert!(update.seq() >= all.last().map_or(0, Update::seq), "numbers only rise");
            all.push(update);
        }
        let records = stored(&journal, &id).await;
        let expected: Vec<u64> = (1..=records.len() as u64).collect();
        assert_eq!(seqs(&all), expected);
        let asked = all.iter().filter(|update| matches!(update, Update::Asked { .. })).count();
        assert_eq!(asked, 4, "two rounds of two");
        let words = |update: &Update| match update {
            Update::Words { agent, words, .. } if agent.as_str() == "ann" => words.clone(),
            _ => String::new(),
        };
        let heard: String = all.iter().map(words).collect();
        assert!(heard.starts_with(&says("yes", 0.8, "I stand for yes.")), "{heard}");
        // One who comes late, after the end, reads on from where it was.
        let mut late = debate.events_after(3);
        let mut rest = Vec::new();
        while let Some(update) = late.next().await {
            rest.push(update);
        }
        assert_eq!(seqs(&rest), expected[3..]);
        let finished = debate.finished().await.unwrap();
        let shown: Vec<Record> = finished.records.iter().map(|record| (**record).clone()).collect();
        assert_eq!(shown, records);
    });
}

#[test]
fn a_slow_watcher_misses_words_and_no_record() {
    runtime().block_on(async {
        let engine = Engine::new(MemoryJournal::default());
        let chatty = |name: &str| {
            Agent::from_fn(name, |ask| async move {
                (0..5_000).for_each(|_| ask.say("word "));
                Ok(Vote::new("yes"))
            })
        };
        let debate = Arena::new(Environment::new("Ship?")).panel([chatty("ann"), chatty("bob")]);
        let debate = debate.start(&engine).unwrap();
        let mut events = debate.events();
        let finished = debate.finished().await.unwrap();
        let mut seen = Vec::new();
        while let Some(update) = events.next().await {
            seen.push(update);
        }
        let expected: Vec<u64> = finished.records.iter().map(|record| record.seq).collect();
        assert_eq!(seqs(&seen), expected);
    });
}

/// Agents that wait until they are let go, and count how often they are asked.
struct Held {
    asked: Arc<AtomicU32>,
    begun: Arc<Notify>,
    go: Arc<Notify>,
}

impl Held {
    fn new() -> Self {
        Self { asked: Arc::default(), begun: Arc::default(), go: Arc::default() }
    }

    fn agent(&self, name: &str, answer: &'static str) -> Agent {
        let (asked, begun, go) = (self.asked.clone(), self.begun.clone(), self.go.clone());
        Agent::from_fn(name, move |_| {
            let (asked, begun, go) = (asked.clone(), begun.clone(), go.clone());
            async move {
                asked.fetch_add(1, Ordering::SeqCst);
                let wait = go.notified();
                begun.notify_one();
                wait.await;
                Ok(Vote::new(answer).conviction(0.8))
            }
        })
    }
}

#[test]
fn paused_it_ends_after_the_calls_in_flight_and_goes_on_without_asking_twice() {
    runtime().block_on(async {
        let (journal, held) = (MemoryJournal::default(), Held::new());
        let engine = Engine::new(journal.clone());
        let arena = arena([held.agent("ann", "yes"), fixed_vote("bob", "no", 0.7)]);
        let debate = arena.start(&engine).unwrap();
        let id = debate.id();
        held.begun.notified().await;
        debate.pause();
        held.go.notify_one();
        assert_eq!(debate.result().await.unwrap(), Ended::Paused);
        let records = stored(&journal, &id).await;
        let votes =
            records.iter().filter(|record| matches!(record.event, Event::BallotCast { .. }));
        assert_eq!((votes.count(), held.asked.load(Ordering::SeqCst)), (2, 1));
        // Later, with agents of the same names.
        held.go.notify_one();
        let ended = engine.resume(&id, arena.agents()).unwrap().result().await.unwrap();
        assert!(matches!(ended, Ended::Decided(_)), "{ended:?}");
        assert_eq!(held.asked.load(Ordering::SeqCst), 2, "once a round");
        replay(&stored(&journal, &id).await).unwrap();
    });
}

#[test]
fn stopped_it_cuts_the_calls_in_flight_and_counts_the_votes_there_are() {
    runtime().block_on(async {
        let (journal, held) = (MemoryJournal::default(), Held::new());
        let engine = Engine::new(journal.clone());
        let panel =
            [held.agent("ann", "no"), fixed_vote("bob", "yes", 0.7), fixed_vote("cyd", "yes", 0.7)];
        let arena = with(arena(panel), |protocol| protocol.rule = "plurality".to_owned());
        let debate = arena.start(&engine).unwrap();
        let id = debate.id();
        let mut events = debate.events();
        held.begun.notified().await;
        let mut votes = 0;
        while votes < 2 {
            let Some(Update::Recorded(record)) = events.next().await else { continue };
            votes += usize::from(matches!(record.event, Event::BallotCast { .. }));
        }
        debate.stop();
        let Ended::Decided(decision) = debate.result().await.unwrap() else { panic!() };
        assert_eq!(decision.answer.as_deref(), Some("yes"));
        assert_eq!(decision.stop.as_ref().unwrap().words, "Whoever ran the debate stopped it.");
        let records = stored(&journal, &id).await;
        let failed = records.iter().find_map(|record| match &record.event {
            Event::CallFailed { call, reason, .. } => Some((call.agent.as_str(), reason.as_str())),
            _ => None,
        });
        assert_eq!(failed, Some(("ann", "the debate was stopped before it answered")));
        assert_eq!(replay(&records).unwrap().decision, Some(*decision));
    });
}

#[test]
fn dropped_it_ends_at_once_and_can_be_resumed() {
    runtime().block_on(async {
        let (journal, held) = (MemoryJournal::default(), Held::new());
        let engine = Engine::new(journal.clone());
        let debate = arena([held.agent("ann", "yes"), fixed_vote("bob", "yes", 0.7)]);
        let debate = debate.start(&engine).unwrap();
        let (id, mut events) = (debate.id(), debate.events());
        held.begun.notified().await;
        drop(debate);
        // They end although nobody lets ann go.
        while events.next().await.is_some() {}
        let later = [fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "yes", 0.7)];
        let ended = engine.resume(&id, later).unwrap().result().await.unwrap();
        assert!(matches!(ended, Ended::Decided(_)), "{ended:?}");
    });
}

#[test]
fn two_runs_of_one_arena_in_one_store_are_two_debates() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let location = Location::file(folder.path().join("debates.db"));
        let store = Arc::new(Store::open(&location, StoreOptions::default()).await.unwrap());
        let engine = Engine::new(Arc::clone(&store));
        let arena = Arena::new(Environment::new("Should we ship?"))
            .panel([fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "yes", 0.8)]);
        let first = arena.start(&engine).unwrap();
        let second = arena.start(&engine).unwrap();
        assert_ne!(first.id(), second.id());
        let ids = [first.id(), second.id()];
        for debate in [first, second] {
            assert!(matches!(debate.result().await.unwrap(), Ended::Decided(_)));
        }
        let mut seeds = Vec::new();
        for id in ids {
            let records = stored(&store, &id).await;
            let Event::DebateStarted { spec } = &records[0].event else { panic!() };
            seeds.push(spec.seed);
        }
        assert_ne!(
            seeds[0], seeds[1],
            "what nobody chose is drawn: boundaries are not predictable"
        );
        store.close().await;
    });
}

/// The built-in vectors, counted.
#[derive(Debug)]
struct Counting(Arc<AtomicU32>);

impl Embedder for Counting {
    fn id(&self) -> &'static str {
        "counting"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        rebuttal_semantics::BuiltinVectors.embed(texts)
    }
}

#[test]
fn two_engines_with_other_clocks_and_embedders_live_side_by_side() {
    runtime().block_on(async {
        let embedded: [Arc<AtomicU32>; 2] = Default::default();
        let days = [100_i64, 200];
        let at = |day: i64| Timestamp::from_second(day * 86_400).unwrap();
        let panel = || [fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "yes", 0.8)];
        let arena = Arena::new(Environment::new("Should we ship?")).panel(panel());
        let mut running = Vec::new();
        for (day, embedded) in days.iter().copied().zip(&embedded) {
            let engine = Engine::new(MemoryJournal::default()).clock(move || at(day));
            let engine =
                if day == 100 { engine.embedder(Counting(embedded.clone())) } else { engine };
            running.push((day, arena.start(&engine).unwrap()));
        }
        for (day, debate) in running {
            let finished = debate.finished().await.unwrap();
            assert!(finished.records.iter().all(|record| record.at == at(day)));
        }
        assert!(embedded[0].load(Ordering::SeqCst) > 0, "its own embedder is asked");
        assert_eq!(embedded[1].load(Ordering::SeqCst), 0);
    });
}

#[test]
fn a_clock_that_runs_backwards_does_not_turn_the_journal_around() {
    runtime().block_on(async {
        let seconds = AtomicI64::new(1_000_000);
        let clock =
            move || Timestamp::from_second(seconds.fetch_sub(60, Ordering::SeqCst)).unwrap();
        let journal = MemoryJournal::default();
        let engine = Engine::new(journal.clone()).clock(clock);
        let mut arena = arena([fixed_vote("ann", "yes", 0.8), swayed("bob", "no", "yes")]);
        arena = with(arena, |protocol| protocol.budget.seconds = Some(3600.0));
        let debate = arena.start(&engine).unwrap();
        let id = debate.id();
        let Ended::Decided(decision) = debate.result().await.unwrap() else { panic!() };
        assert_eq!(decision.answer.as_deref(), Some("yes"));
        let records = stored(&journal, &id).await;
        assert!(records.is_sorted_by_key(|record| record.at));
        replay(&records).unwrap();
    });
}

#[test]
fn outside_a_runtime_it_says_so() {
    let engine = Engine::new(MemoryJournal::default());
    let error =
        arena([fixed_vote("ann", "yes", 0.8), fixed_vote("bob", "yes", 0.8)]).start(&engine);
    assert_eq!(error.unwrap_err(), ArenaError::NoRuntime);
}

/// The seed document's protocol never fails to start for want of words.
#[test]
fn rules_are_read_once_and_a_journal_with_others_is_refused() {
    runtime().block_on(async {
        let journal = MemoryJournal::default();
        let engine = Engine::new(journal.clone());
        let asked: Arc<Mutex<u32>> = Arc::default();
        let count = asked.clone();
        let scripted = Scripted::from_fn("ann", move |_| {
            *count.lock().unwrap() += 1;
            says("yes", 0.8, "Yes.").into()
        });
        let arena = arena([Agent::new("ann", Arc::new(scripted)), fixed_vote("bob", "no", 0.8)]);
        let mut spec = arena.spec(&engine).unwrap();
        spec.protocol = Protocol { rule: "most".to_owned(), ..Protocol::default() };
        let (id, stream) = (spec.id.clone(), StreamId::debate(&spec.id));
        let first = Event::DebateStarted { spec: Box::new(spec) };
        journal.append(&stream, 0, Timestamp::UNIX_EPOCH, &[first]).await.unwrap();
        let error = engine.resume(&id, arena.agents()).unwrap().result().await.unwrap_err();
        assert!(
            error.to_string().starts_with("the decision rule: there is no rule “most”"),
            "{error}"
        );
        assert_eq!(*asked.lock().unwrap(), 0);
    });
}
