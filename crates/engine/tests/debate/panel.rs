//! Panels whose agents say what a test wrote, and what was asked of them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use rebuttal_engine::debate::{
    Agent, Arena, Ended, Engine, Environment, Journal, MemoryJournal, RunError, SeededRng, State,
    Writing,
};
use rebuttal_llm::{Chat, Hear, LlmError, Pending, Reply, Request, Scene, Scripted};
use rebuttal_model::{DebateId, Decision, Event, Protocol, Record, StreamId};
use rebuttal_store::Error;

/// The JSON an agent answers with.
pub(crate) fn says(answer: &str, conviction: f64, thesis: &str) -> String {
    serde_json::json!({
        "answer": answer,
        "conviction": conviction,
        "thesis": thesis,
        "evidence": [format!("A test of {answer} ran for 14 days.")],
        "rebuttals": ["That was measured on other hardware."],
    })
    .to_string()
}

/// True once an agent has been shown its own earlier position.
pub(crate) fn is_later(request: &Request) -> bool {
    text(request).contains("Your position so far")
}

/// Everything a request says.
pub(crate) fn text(request: &Request) -> String {
    request.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// An agent that answers the same in every round.
pub(crate) fn fixed_vote(name: &str, answer: &'static str, conviction: f64) -> Agent {
    speaker(name, move |_| says(answer, conviction, &format!("I stand for {answer}.")).into())
}

/// An agent that answers one thing blind and another after hearing the others.
pub(crate) fn swayed(name: &str, first: &'static str, then: &'static str) -> Agent {
    speaker(name, move |request| {
        if is_later(request) {
            says(then, 0.7, &format!("I was wrong about {first}: the evidence is better.")).into()
        } else {
            says(first, 0.6, &format!("I stand for {first}.")).into()
        }
    })
}

pub(crate) fn speaker(
    name: &str,
    play: impl Fn(&Request) -> Scene + Send + Sync + 'static,
) -> Agent {
    Agent::new(name, Arc::new(Scripted::from_fn(name, play)))
}

pub(crate) fn arena(agents: impl IntoIterator<Item = Agent>) -> Arena {
    let arena = Arena::new(Environment::new("Should we migrate to Kubernetes?"));
    arena.panel(agents).protocol(unwatched()).seed(7)
}

/// A debate that was run, from its journal.
pub(crate) struct Ran {
    pub(crate) records: Vec<Record>,
    pub(crate) state: State,
}

impl Ran {
    pub(crate) fn decision(&self) -> &Decision {
        self.state.decision.as_ref().expect("the debate ended")
    }

    pub(crate) fn calls(&self) -> usize {
        self.records
            .iter()
            .filter(|record| matches!(record.event, Event::CallIntended { .. }))
            .count()
    }
}

/// Runs a debate in memory, with a clock that counts.
pub(crate) fn run(arena: &Arena) -> Ran {
    let journal = MemoryJournal::default();
    let stream = stream(arena);
    let ended = block_on(drive(arena, &journal, &stream)).unwrap();
    assert!(matches!(ended, Ended::Decided(_)), "{ended:?}");
    let records = block_on(journal.records(&stream)).unwrap();
    let state = State::fold(&records).unwrap();
    Ran { records, state }
}

/// An engine whose clock stands still and whose ids are always the same: a debate run again is the same
/// to the byte.
pub(crate) fn engine(journal: &(impl Journal + Clone + 'static)) -> Engine {
    Engine::new(journal.clone()).clock(|| Timestamp::UNIX_EPOCH).random(|| 7)
}

/// The stream that a debate run by [`engine`] has.
pub(crate) fn stream(arena: &Arena) -> StreamId {
    StreamId::debate(&arena.spec(&engine(&MemoryJournal::default())).unwrap().id)
}

/// The id in the name of a stream.
pub(crate) fn id(stream: &StreamId) -> DebateId {
    DebateId::new(stream.as_str().strip_prefix("debate/").unwrap())
}

/// Begins a debate, or goes on with it if its journal has a beginning.
pub(crate) async fn drive(
    arena: &Arena,
    journal: &(impl Journal + Clone + 'static),
    stream: &StreamId,
) -> Result<Ended, RunError> {
    let engine = engine(journal);
    if journal.records(stream).await?.is_empty() {
        arena.run(&engine).await
    } else {
        engine.resume(&id(stream), arena.agents())?.result().await
    }
}

/// Runs a future on a runtime whose time passes only when nothing else can happen.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.unwrap().block_on(future)
}

/// The usual protocol without the trickster: scripted agents have little to say, and it would say so.
fn unwatched() -> Protocol {
    Protocol { enable_trickster: false, ..Protocol::default() }
}

pub(crate) fn with(arena: Arena, change: impl FnOnce(&mut Protocol)) -> Arena {
    let mut protocol = unwatched();
    change(&mut protocol);
    arena.protocol(protocol)
}

/// An agent whose answers take their time, and which remembers what it was asked.
pub(crate) struct Slow {
    inner: Scripted,
    latency: Box<dyn Fn(&Request) -> Duration + Send + Sync>,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
}

impl Slow {
    pub(crate) fn new(
        inner: Scripted,
        latency: impl Fn(&Request) -> Duration + Send + Sync + 'static,
        asked: Arc<Mutex<Vec<String>>>,
    ) -> Self {
        Self { inner, latency: Box::new(latency), asked }
    }
}

impl Chat for Slow {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        self.inner.reply(request)
    }

    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear<'a>) -> Pending<'a> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(format!("{} {}", self.id(), text(request)));
            tokio::time::sleep((self.latency)(request)).await;
            let reply = self.inner.reply(request)?;
            hear(&reply.text);
            Ok(reply)
        })
    }
}

/// Where a write to a [`Faulty`] journal fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fails {
    Never,
    BeforeWriting,
    AfterWriting,
}

/// A journal of which some writes fail, as if the disk were full or the process had died.
#[derive(Clone)]
pub(crate) struct Faulty {
    journal: MemoryJournal,
    fails: Arc<dyn Fn() -> Fails + Send + Sync>,
}

impl Faulty {
    /// `fails` is asked before each write.
    pub(crate) fn new(
        journal: &MemoryJournal,
        fails: impl Fn() -> Fails + Send + Sync + 'static,
    ) -> Self {
        Self { journal: journal.clone(), fails: Arc::new(fails) }
    }

    /// Fails one write of twenty-five before, and one after it was made, drawn from this seed.
    pub(crate) fn now_and_then(journal: &MemoryJournal, seed: u64) -> Self {
        let dice = Mutex::new(SeededRng::new(seed, "journal"));
        Self::new(journal, move || match dice.lock().unwrap().below(25) {
            0 => Fails::BeforeWriting,
            1 => Fails::AfterWriting,
            _ => Fails::Never,
        })
    }
}

impl Journal for Faulty {
    fn append<'a>(
        &'a self,
        stream: &'a StreamId,
        seen: u64,
        at: Timestamp,
        events: &'a [Event],
    ) -> Writing<'a, Vec<Record>> {
        Box::pin(async move {
            let fails = (self.fails)();
            let died = || Err(Error::Invalid("the process died".to_owned()));
            if fails == Fails::BeforeWriting {
                return died();
            }
            let records = self.journal.append(stream, seen, at, events).await?;
            if fails == Fails::AfterWriting { died() } else { Ok(records) }
        })
    }

    fn records<'a>(&'a self, stream: &'a StreamId) -> Writing<'a, Vec<Record>> {
        self.journal.records(stream)
    }
}
