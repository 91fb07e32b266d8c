//! A debate aborted at every write to its journal, and started again.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use rebuttal_engine::debate::{
    Agent, Arena, Ended, Journal, MemoryJournal, RunError, State, replay,
};
use rebuttal_llm::{Cassette, Recorder, Scripted};
use rebuttal_model::{Decision, Event, Record, Spent, StreamId};

use crate::panel::{Fails, Faulty, Slow, arena, block_on, drive, is_later, says};

/// A journal that stops working at its n-th write: before it is written, or just after.
fn dying(journal: &MemoryJournal, at: usize, fails: Fails) -> Faulty {
    let writes = AtomicUsize::new(0);
    Faulty::new(journal, move || {
        if writes.fetch_add(1, Ordering::SeqCst) == at { fails } else { Fails::Never }
    })
}

type Asked = Arc<Mutex<Vec<String>>>;

/// Three agents, three rounds, answers at different times; one moves in each round.
fn panel(asked: &Asked) -> Arena {
    let slow = |name: &'static str, millis: u64, answers: [&'static str; 2]| {
        let scripted = Scripted::from_fn(name, move |request| {
            let [first, then] = answers;
            let answer = if is_later(request) { then } else { first };
            let length = crate::panel::text(request).len();
            #[expect(clippy::cast_precision_loss, reason = "a prompt is short")]
            let conviction = 0.3 + (length % 7) as f64 / 10.0;
            says(answer, conviction, &format!("{answer}, after {length} letters.")).into()
        });
        let latency = move |_: &rebuttal_llm::Request| Duration::from_millis(millis);
        Agent::new(name, Arc::new(Slow::new(scripted, latency, asked.clone())))
    };
    let agents = [
        slow("ann", 30, ["yes", "yes"]),
        slow("bob", 10, ["no", "no"]),
        slow("cyd", 20, ["yes", "no"]),
    ];
    crate::panel::with(arena(agents), |protocol| {
        protocol.rounds = 3;
        protocol.stop = "unanimity or stable:3".to_owned();
    })
}

/// Three agents that agree on nothing, with a devil's advocate: challenges, objections, extra rounds.
fn hollow(asked: &Asked) -> Arena {
    let agents = ["ann", "bob", "cyd"].map(|name| {
        let scripted = Scripted::from_fn(name, |_| {
            let thesis = "Clearly yes is best, and everybody agrees that it is best.";
            let objections = ["Nobody has shown it."];
            serde_json::json!({"answer": "yes", "thesis": thesis, "objections": objections})
                .to_string()
                .into()
        });
        let latency = |_: &rebuttal_llm::Request| Duration::from_millis(10);
        Agent::new(name, Arc::new(Slow::new(scripted, latency, asked.clone())))
    });
    crate::panel::with(arena(agents), |protocol| {
        protocol.enable_trickster = true;
        protocol.rounds = 1;
        protocol.critique = true;
        protocol.roles = true;
        protocol.trickster.enable_breakpoints = false;
    })
}

/// A decision without what it cost: calls made again cost more.
fn without_cost(mut decision: Box<Decision>) -> Box<Decision> {
    let lift = decision.lift.as_mut().unwrap();
    (lift.cost, lift.blind_cost, lift.independent) = Default::default();
    lift.words.clear();
    decision.cost = Spent::default();
    decision
}

/// Everything that happened, as JSON, without what a restart changes: the calls in flight are announced
/// again, and what they may have cost is counted.
fn happened(journal: &MemoryJournal, stream: &StreamId) -> String {
    let mut announced = BTreeSet::new();
    let mut events: Vec<Event> = Vec::new();
    for record in block_on(journal.records(stream)).unwrap() {
        match record.event {
            Event::CallIntended { call, .. } if !announced.insert(call.clone()) => {}
            Event::Decided { decision } => {
                events.push(Event::Decided { decision: without_cost(decision) });
            }
            event => events.push(event),
        }
    }
    serde_json::to_string(&events).unwrap()
}

#[test]
fn aborted_at_every_write_it_ends_the_same_and_asks_nothing_twice() {
    abort_everywhere(panel);
}

#[test]
fn so_does_one_that_is_challenged_between_its_rounds() {
    abort_everywhere(hollow);
}

fn abort_everywhere(panel: impl Fn(&Asked) -> Arena) {
    let asked = Asked::default();
    let arena_once = panel(&asked);
    let stream = crate::panel::stream(&arena_once);
    let whole = MemoryJournal::default();
    block_on(drive(&arena_once, &whole, &stream)).unwrap();
    let expected = happened(&whole, &stream);
    let calls = asked.lock().unwrap().len();
    assert!(calls >= 9, "{calls}");
    let mut points = 0;
    for fails in [Fails::BeforeWriting, Fails::AfterWriting] {
        for at in 0.. {
            let (asked, journal) = (Asked::default(), MemoryJournal::default());
            let arena = panel(&asked);
            let dying = dying(&journal, at, fails);
            if block_on(drive(&arena, &dying, &stream)).is_ok() {
                break;
            }
            points += 1;
            let recorded = recorded(&journal, &stream);
            let before = asked.lock().unwrap().len();
            let ended = block_on(drive(&arena, &journal, &stream)).unwrap();
            assert!(matches!(ended, Ended::Decided(_)));
            let came = happened(&journal, &stream);
            assert_eq!(came, expected, "{fails:?}, write {at}");
            replay(&block_on(journal.records(&stream)).unwrap()).unwrap();
            let again = asked.lock().unwrap().len() - before;
            assert_eq!(again, calls - recorded, "no call with a recorded result is made again");
        }
    }
    assert!(points >= 20, "{points} points");
}

fn recorded(journal: &MemoryJournal, stream: &StreamId) -> usize {
    let records = block_on(journal.records(stream)).unwrap();
    let answered = |record: &&Record| {
        matches!(record.event, Event::CallAnswered { .. } | Event::CallFailed { .. })
    };
    records.iter().filter(answered).count()
}

/// A disk with room for so many bytes.
struct Disk(usize);

impl std::io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_recording_that_cannot_go_on_stops_the_debate_and_nobody_abstains() {
    let speakers = |on: Option<&Arc<Cassette>>| {
        let agents = [("ann", "yes"), ("bob", "no"), ("cyd", "yes")].map(|(name, answer)| {
            let scripted = Scripted::from_fn(name, move |_| says(answer, 0.8, answer).into());
            let chat: Arc<dyn rebuttal_llm::Chat> = match on {
                Some(cassette) => Arc::new(Recorder::new(scripted, cassette)),
                None => Arc::new(scripted),
            };
            Agent::new(name, chat)
        });
        arena(agents)
    };
    let plain = speakers(None);
    let stream = crate::panel::stream(&plain);
    let undisturbed = MemoryJournal::default();
    let expected = block_on(drive(&plain, &undisturbed, &stream)).unwrap();
    for room in [0, 2_000, 6_000, 9_000] {
        let journal = MemoryJournal::default();
        let recording = speakers(Some(&Cassette::to(Disk(room))));
        let stopped = block_on(drive(&recording, &journal, &stream));
        assert!(matches!(&stopped, Err(RunError::NotRecorded(_))), "{room}: {stopped:?}");
        let told = block_on(journal.records(&stream)).unwrap();
        let failed = |record: &Record| matches!(record.event, Event::CallFailed { .. });
        assert!(!told.iter().any(failed), "nobody abstained: {told:?}");
        // The calls that were on their way may have been paid for, and are asked again.
        let ended = block_on(drive(&plain, &journal, &stream)).unwrap();
        assert_eq!(votes(&ended), votes(&expected));
    }
}

fn votes(ended: &Ended) -> (Option<&str>, &[rebuttal_model::OptionScore]) {
    let Ended::Decided(decision) = ended else { panic!("{ended:?}") };
    (decision.answer.as_deref(), &decision.scores)
}

/// Between the reading of a journal and the lease, another process may have ended the debate.
#[test]
fn what_others_wrote_meanwhile_is_not_asked_again() {
    let (asked, journal) = (Asked::default(), MemoryJournal::default());
    let arena = panel(&asked);
    let stream = crate::panel::stream(&arena);
    // Dies when its first calls are announced and not answered.
    let dying = dying(&journal, 3, Fails::BeforeWriting);
    block_on(drive(&arena, &dying, &stream)).unwrap_err();
    let stale = block_on(journal.records(&stream)).unwrap();
    let open = |record: &Record| matches!(record.event, Event::CallIntended { .. });
    assert!(stale.last().is_some_and(open), "{stale:?}");
    block_on(drive(&arena, &journal, &stream)).unwrap();
    let whole = block_on(journal.records(&stream)).unwrap();
    let calls = asked.lock().unwrap().len();
    let begun = State::fold(&stale).unwrap();
    let ended = block_on(async {
        let engine = crate::panel::engine(&journal);
        engine.resume_from(begun, stale, arena.agents()).unwrap().result().await
    });
    assert!(matches!(ended, Ok(Ended::Decided(_))), "{ended:?}");
    assert_eq!(block_on(journal.records(&stream)).unwrap(), whole);
    assert_eq!(asked.lock().unwrap().len(), calls);
}

/// A clock that runs backwards changes no decision, and no record is older than the one before it.
#[test]
fn a_clock_that_runs_backwards_changes_nothing() {
    let (asked, journal) = (Asked::default(), MemoryJournal::default());
    let arena = panel(&asked);
    let stream = crate::panel::stream(&arena);
    let told = AtomicI64::new(1_800_000_000);
    let clock = move || {
        let hour_before = told.fetch_sub(3600, Ordering::SeqCst);
        Timestamp::from_second(hour_before).unwrap_or_default()
    };
    let engine = crate::panel::engine(&journal).clock(clock);
    let ended = block_on(arena.run(&engine)).unwrap();
    let Ended::Decided(decision) = ended else { panic!("{ended:?}") };
    let records = block_on(journal.records(&stream)).unwrap();
    assert!(records.array_windows().all(|[one, two]| one.at <= two.at));
    let again = replay(&records).unwrap();
    assert_eq!(again.decision.as_ref(), Some(&*decision));
    let usual = MemoryJournal::default();
    let ended = block_on(drive(&arena, &usual, &stream)).unwrap();
    let Ended::Decided(expected) = ended else { panic!("{ended:?}") };
    assert_eq!((&decision.answer, decision.verdict), (&expected.answer, expected.verdict));
}
