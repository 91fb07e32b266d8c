//! A running debate, and one that has ended.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rebuttal::debates::DebateDocument;
use rebuttal::engine::debate::{
    self, Arena, Ended, Engine, Environment, Events, MemoryJournal, RunError, Update,
};
use rebuttal::ledger::{Saver, Search};
use rebuttal::model::{BreakpointAnswer, DebateId, Protocol, Record};
use rebuttal::models::Analyzer;
use rebuttal::report;
use rebuttal::store::Store;
use rebuttal::{Error, export};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use crate::agent::Seat;
use crate::callback::{later, tell};
use crate::error::{DebateError, raised};
use crate::ledger::Ledger;
use crate::threads::{runtime, wait};
use crate::{json, json::write};

/// Who is told what while a debate runs.
#[derive(Debug)]
struct Listeners {
    /// Each update, as JSON.
    update: Arc<Py<PyAny>>,
    /// The end: what came of it, or why there is none.
    end: Py<PyAny>,
}

/// What is wanted of a running debate.
#[derive(Clone, Copy, Debug)]
enum Wish {
    Pause,
    Stop,
    /// Its owner is gone.
    Drop,
}

/// What is debated and how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    question: String,
    #[serde(default)]
    context: String,
    #[serde(default)]
    options: Vec<String>,
    truth: Option<String>,
    #[serde(default)]
    protocol: Protocol,
    seed: Option<u64>,
    id: Option<String>,
}

/// A debate that runs by itself. Dropping it ends the run.
#[pyclass(frozen, module = "rebuttal._native")]
pub(crate) struct Debate {
    id: String,
    wishes: UnboundedSender<Wish>,
}

#[pymethods]
impl Debate {
    /// Starts a debate. `update(json)` hears what happens, `end(finished, error)` how it ended; `alert(json)`
    /// and `intervention(json)` what the trickster saw and did.
    #[staticmethod]
    #[pyo3(signature = (plan, panel, update, end, moderator=None, judges=Vec::new(), alert=None, intervention=None, ledger=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names them; each is given once")]
    fn start(
        plan: &str,
        panel: Vec<PyRef<'_, Seat>>,
        update: Py<PyAny>,
        end: Py<PyAny>,
        moderator: Option<PyRef<'_, Seat>>,
        judges: Vec<PyRef<'_, Seat>>,
        alert: Option<Py<PyAny>>,
        intervention: Option<Py<PyAny>>,
        ledger: Option<PyRef<'_, Ledger>>,
    ) -> PyResult<Self> {
        let Plan { question, context, options, truth, protocol, seed, id } =
            json::read("protocol", plan)?;
        let environment = Environment { question, context, options, truth };
        let panel = panel.iter().map(|seat| seat.agent());
        let mut arena = Arena::new(environment).panel(panel).protocol(protocol);
        arena = moderator.iter().fold(arena, |arena, seat| arena.moderator(seat.agent()));
        arena = judges.iter().fold(arena, |arena, seat| arena.judge(seat.agent()));
        arena = seed.into_iter().fold(arena, Arena::seed);
        arena = id.into_iter().fold(arena, |arena, id| arena.id(DebateId::new(id)));
        if let Some(call) = alert {
            arena = arena.on_alert(move |alert| told(&call, alert));
        }
        if let Some(call) = intervention {
            arena = arena.on_intervention(move |intervention| told(&call, intervention));
        }
        let store = ledger.map(|ledger| ledger.store());
        let engine = match &store {
            Some(store) => Engine::new(Arc::clone(store)),
            None => Engine::new(MemoryJournal::default()),
        };
        let runtime = runtime()?;
        let _inside = runtime.enter();
        let debate = arena.start(&engine).map_err(raised)?;
        let listeners = Listeners { update: Arc::new(update), end };
        Ok(Self::follow(debate, listeners, store, engine))
    }

    /// Its id.
    #[getter]
    fn id(&self) -> &str {
        &self.id
    }

    /// Asks nobody any more; the run ends as soon as the calls in flight are answered.
    fn pause(&self) {
        self.wishes.send(Wish::Pause).ok();
    }

    /// Ends the rounds now, and counts the votes so far.
    fn stop(&self) {
        self.wishes.send(Wish::Stop).ok();
    }

    /// Ends the run at once, with the calls in flight.
    fn close(&self) {
        self.wishes.send(Wish::Drop).ok();
    }
}

impl Drop for Debate {
    fn drop(&mut self) {
        self.close();
    }
}

impl Debate {
    /// Lets a debate run in a task of its own, inside the runtime that was entered.
    fn follow(
        debate: debate::Debate,
        listeners: Listeners,
        store: Option<Arc<Store>>,
        engine: Engine,
    ) -> Self {
        let (wishes, asked) = mpsc::unbounded_channel();
        let id = debate.id().as_str().to_owned();
        let following = follow(debate, asked, listeners, store, engine);
        tokio::runtime::Handle::current().spawn(following);
        Self { id, wishes }
    }
}

/// Hands on what happens, and in the end what came of it.
async fn follow(
    debate: debate::Debate,
    mut asked: UnboundedReceiver<Wish>,
    Listeners { update, end }: Listeners,
    store: Option<Arc<Store>>,
    engine: Engine,
) {
    let mut events = debate.events();
    loop {
        tokio::select! {
            event = Events::next(&mut events) => match event {
                Some(event) => tell(&update, shown(&event)),
                None => break,
            },
            Some(wish) = asked.recv() => match wish {
                Wish::Pause => debate.pause(),
                Wish::Stop => debate.stop(),
                Wish::Drop => return,
            },
        }
    }
    let finished = Box::pin(ended(debate, store.as_ref(), &engine)).await;
    later(move |py| {
        let told = finished.and_then(|finished| {
            let finished = Finished { inner: Mutex::new(Some(finished)), store, engine };
            end.call1(py, (Py::new(py, finished)?, py.None()))
        });
        if let Err(error) = told {
            end.call1(py, (py.None(), error)).ok();
        }
    });
}

/// Waits for the end, and passes the positions that were taken on to the ledger.
async fn ended(
    debate: debate::Debate,
    store: Option<&Arc<Store>>,
    engine: &Engine,
) -> PyResult<debate::Finished> {
    let finished = debate.finished().await.map_err(raised)?;
    if let (Some(store), Ended::Decided(_)) = (store, &finished.ended) {
        let search = Search::new(Analyzer::rules());
        let mut saver = Saver::new(Arc::clone(store), engine.now(), search);
        saver.add_debate(&finished.state).await.map_err(raised)?;
        saver.score(&finished.state).await.map_err(raised)?;
        saver.finish().await.map_err(raised)?;
    }
    Ok(finished)
}

fn told(call: &Py<PyAny>, about: &impl serde::Serialize) {
    if let Ok(text) = serde_json::to_string(about) {
        tell(call, text);
    }
}

/// An update as Python's `Event` is made from.
fn shown(update: &Update) -> String {
    let seq = update.seq();
    match update {
        Update::Recorded(record) => json!({"type": "recorded", "seq": seq, "record": &**record}),
        Update::Asked { call, .. } => json!({"type": "asked", "seq": seq, "call": call}),
        Update::Words { agent, words, .. } => {
            json!({"type": "words", "seq": seq, "agent": agent, "words": words})
        }
        _ => json!({"type": "other", "seq": seq}),
    }
    .to_string()
}

/// A run that has ended: with a decision, waiting for a person, or paused.
#[pyclass(frozen, module = "rebuttal._native")]
pub(crate) struct Finished {
    inner: Mutex<Option<debate::Finished>>,
    store: Option<Arc<Store>>,
    engine: Engine,
}

impl Finished {
    fn lock(&self) -> MutexGuard<'_, Option<debate::Finished>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, look: impl FnOnce(&debate::Finished) -> PyResult<T>) -> PyResult<T> {
        look(self.lock().as_ref().ok_or_else(gone)?)
    }
}

fn gone() -> PyErr {
    PyRuntimeError::new_err("this debate went on; look at the result of its next run")
}

#[pymethods]
impl Finished {
    /// `{"ended": "decided" | "waiting" | "paused", "reason", "document", "decision", "metrics"}`.
    fn result(&self) -> PyResult<String> {
        self.with(|finished| {
            let (ended, reason) = match &finished.ended {
                Ended::Decided(_) => ("decided", None),
                Ended::Waiting(why) => ("waiting", Some(why.clone())),
                _ => ("paused", None),
            };
            let records: Vec<Record> =
                finished.records.iter().map(|record| (**record).clone()).collect();
            let state = &finished.state;
            write(&json!({
                "ended": ended,
                "reason": reason,
                "document": DebateDocument::new(state, &records),
                "decision": finished.decision(),
                "spec": state.spec(),
                "turns": state.turns,
                "ballots": state.ballots,
                "spent": state.spent,
            }))
        })
    }

    /// Every record of the journal.
    fn records(&self) -> PyResult<String> {
        self.with(|finished| {
            let records: Vec<&Record> = finished.records.iter().map(|record| &**record).collect();
            write(&records)
        })
    }

    /// One step for each agent and round, for reinforcement learning.
    fn steps(&self) -> PyResult<String> {
        self.with(|finished| write(&export::steps(&finished.state)))
    }

    /// The debate as one page.
    fn html(&self) -> PyResult<String> {
        self.with(|finished| {
            let records: Vec<Record> =
                finished.records.iter().map(|record| (**record).clone()).collect();
            Ok(report::debate::page(&finished.state, &records).stand_alone().into_string())
        })
    }

    /// The debate as Markdown.
    fn markdown(&self) -> PyResult<String> {
        self.with(|finished| {
            let records: Vec<Record> =
                finished.records.iter().map(|record| (**record).clone()).collect();
            Ok(report::debate::markdown(&finished.state, &records))
        })
    }

    /// Answers the breakpoint it waits at.
    #[pyo3(signature = (answer, note=None))]
    fn answer(&self, py: Python<'_>, answer: &str, note: Option<String>) -> PyResult<()> {
        let answer: BreakpointAnswer =
            answer.parse().map_err(|error| DebateError::new_err(format!("answer: {error}")))?;
        let mut finished = self.lock().take().ok_or_else(gone)?;
        let (finished, answered) = wait(py, async move {
            let answered = finished.answer(answer, note.as_deref()).await;
            (finished, answered)
        })?;
        *self.lock() = Some(finished);
        answered.map_err(|error: RunError| raised(Error::from(error)))
    }

    /// Goes on from here.
    fn resume(&self, update: Py<PyAny>, end: Py<PyAny>) -> PyResult<Debate> {
        let runtime = runtime()?;
        let _inside = runtime.enter();
        let finished = self.lock().take().ok_or_else(gone)?;
        let debate = finished.resume().map_err(raised)?;
        let listeners = Listeners { update: Arc::new(update), end };
        Ok(Debate::follow(debate, listeners, self.store.clone(), self.engine.clone()))
    }
}
