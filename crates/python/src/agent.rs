//! Agents that are Python objects: asked on the event loop, or on a thread of their own where they block.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rebuttal::config::Config;
use rebuttal::engine::debate::{
    Agent, AgentError as Failure, Answering, Ask, Responder, Response, RunsOn,
};
use rebuttal::llm::Usage;
use rebuttal::model::AgentId;
use rebuttal::panel::{self, PanelNames, Tape};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::callback::later;
use crate::error::raised;
use crate::json;

/// Longest that an agent may take, in seconds: a week.
const TIMEOUT_MAX: f64 = 604_800.0;

/// One who can be put on a panel.
#[pyclass(frozen, module = "rebuttal._native")]
pub(crate) struct Seat(Agent);

impl Seat {
    pub(crate) fn agent(&self) -> Agent {
        self.0.clone()
    }
}

/// What is known of a Python agent beside how it is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    name: String,
    persona: Option<String>,
    model: Option<String>,
    weight: Option<f64>,
    timeout: Option<f64>,
}

#[pymethods]
impl Seat {
    /// A Python agent. `call(ask_json, reply)` begins to work an answer out and gives what cancels it; with
    /// `blocks` it is called on a thread of its own.
    #[staticmethod]
    fn python(about: &str, call: Py<PyAny>, blocks: bool) -> PyResult<Self> {
        let about: About = json::read("agent", about)?;
        if about.name.trim().is_empty() {
            return Err(PyValueError::new_err("agent: the name is empty"));
        }
        let runs_on = if blocks { RunsOn::OwnThread } else { RunsOn::Runtime };
        let mut agent = Agent::new(&about.name, InPython { call: Arc::new(call), runs_on }).free();
        if let Some(persona) = about.persona {
            agent = agent.persona(persona);
        }
        if let Some(model) = about.model {
            agent = agent.model(model);
        }
        if let Some(weight) = about.weight {
            agent = agent.weight(weight);
        }
        if let Some(seconds) = about.timeout {
            if !(seconds > 0.0 && seconds <= TIMEOUT_MAX) {
                let message =
                    format!("timeout: {seconds} is not between 0 and {TIMEOUT_MAX} seconds");
                return Err(PyValueError::new_err(message));
            }
            agent = agent.timeout(Duration::from_secs_f64(seconds));
        }
        Ok(Self(agent))
    }

    /// An agent of rebuttal.toml, or one that comes with the program, under this name.
    #[staticmethod]
    fn configured(py: Python<'_>, name: String, shown: Option<String>) -> PyResult<Self> {
        let agent = py.detach(move || {
            let wanted = PanelNames { agents: vec![name], ..PanelNames::default() };
            let config = Config::load(None)?;
            let mut watch = |_| ControlFlow::Continue(());
            panel::seats(&wanted, Tape::Off, 0, &config, &mut watch)
        });
        let agent = agent.map_err(raised)?.panel.into_iter().next();
        let agent = agent.ok_or_else(|| PyValueError::new_err("agents: nobody is named"))?;
        Ok(Self(match shown {
            Some(shown) => agent.named(&AgentId::new(shown)),
            None => agent,
        }))
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> String {
        self.0.name().as_str().to_owned()
    }
}

/// Asks a Python object.
struct InPython {
    call: Arc<Py<PyAny>>,
    runs_on: RunsOn,
}

impl Responder for InPython {
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move {
            let (reply, answer) = Reply::new(ask.clone());
            let asked = asked(ask);
            let cancel = match self.runs_on {
                RunsOn::OwnThread => {
                    let done = Python::try_attach(|py| begin(py, &self.call, asked, reply).err());
                    if let Some(error) = done.flatten() {
                        return Err(Failure::failed(error));
                    }
                    None
                }
                _ => Some(self.begin_later(asked, reply)),
            };
            let answered = answer.await;
            if let Some(cancel) = cancel {
                cancel.forget();
            }
            answered.unwrap_or_else(|_| Err(Failure::failed("it ended without an answer")))
        })
    }

    fn runs_on(&self) -> RunsOn {
        self.runs_on
    }
}

impl InPython {
    /// Puts the question on the event loop.
    fn begin_later(&self, asked: String, reply: Reply) -> Cancel {
        let (cancel, call) = (Cancel::default(), Arc::clone(&self.call));
        let place = Arc::clone(&cancel.0);
        let sender = Arc::clone(&reply.sender);
        later(move |py| {
            let begun = begin(py, &call, asked, reply);
            match begun {
                Ok(cancel) => {
                    let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
                    // Whoever does not wait any more has left before it began.
                    if matches!(*place, Wanted::No) {
                        cancel.call0(py).ok();
                    } else {
                        *place = Wanted::Yes(Some(cancel));
                    }
                }
                Err(words) => send(&sender, Err(Failure::failed(words))),
            }
        });
        cancel
    }
}

/// Calls the Python side; an error in words where it cannot even begin.
fn begin(
    py: Python<'_>,
    call: &Py<PyAny>,
    asked: String,
    reply: Reply,
) -> Result<Py<PyAny>, String> {
    let begun = Py::new(py, reply).and_then(|reply| call.call1(py, (asked, reply)));
    begun.map_err(|error| error.value(py).to_string())
}

/// Whether somebody waits for an answer that is being worked out, and what cancels it.
enum Wanted {
    Yes(Option<Py<PyAny>>),
    No,
}

/// Cancels the work in Python when nobody waits for it any more.
struct Cancel(Arc<Mutex<Wanted>>);

impl Default for Cancel {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Wanted::Yes(None))))
    }
}

impl Cancel {
    fn take(&self) -> Option<Py<PyAny>> {
        let mut wanted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *wanted, Wanted::No) {
            Wanted::Yes(cancel) => cancel,
            Wanted::No => None,
        }
    }

    /// The work has ended by itself.
    fn forget(self) {
        drop(self.take());
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        if let Some(cancel) = self.take() {
            later(move |py| drop(cancel.call0(py)));
        }
    }
}

/// What the agent is asked, as Python's `Ask` is made from.
fn asked(ask: &Ask) -> String {
    let items: Vec<Value> =
        ask.items.iter().map(|item| json!({"number": item.number, "text": item.text})).collect();
    json!({
        "agent": ask.call.agent.as_str(),
        "round": ask.round(),
        "purpose": ask.purpose().as_str(),
        "attempt": ask.call.attempt,
        "question": ask.question,
        "context": ask.context,
        "options": ask.options,
        "items": items,
        "prompt": ask.prompt(),
    })
    .to_string()
}

type Answered = Result<Response, Failure>;
type Waiting = Arc<Mutex<Option<oneshot::Sender<Answered>>>>;

/// Where a Python agent puts its answer. Only the first counts.
#[pyclass(frozen, module = "rebuttal._native")]
pub(crate) struct Reply {
    ask: Ask,
    sender: Waiting,
}

impl Reply {
    fn new(ask: Ask) -> (Self, oneshot::Receiver<Answered>) {
        let (sender, answer) = oneshot::channel();
        (Self { ask, sender: Arc::new(Mutex::new(Some(sender))) }, answer)
    }
}

fn send(sender: &Waiting, answered: Answered) {
    let sender = sender.lock().unwrap_or_else(PoisonError::into_inner).take();
    // Whoever does not wait any more wants no answer.
    sender.map(|sender| sender.send(answered));
}

#[pymethods]
impl Reply {
    /// The words of the answer: JSON as models write it, or a text that holds it.
    #[pyo3(signature = (text, input=None, output=None))]
    fn answer(&self, text: &str, input: Option<u64>, output: Option<u64>) {
        let usage = Usage { input, output };
        send(&self.sender, Ok(Response::text(text).with_usage(usage)));
    }

    /// Why there is none.
    fn fail(&self, why: &str) {
        send(&self.sender, Err(Failure::failed(why)));
    }

    /// Shows words while they are being worked out.
    fn say(&self, words: &str) {
        self.ask.say(words);
    }
}
