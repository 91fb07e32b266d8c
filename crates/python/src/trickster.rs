//! The trickster for programs that run debates of their own.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rebuttal::model::{AgentId, TricksterConfig};
use rebuttal::trickster::{Round, Watcher};
use serde_json::json;

use crate::json::{read, write};

/// Sees the rounds of one debate.
#[pyclass(frozen, module = "rebuttal._native")]
pub(crate) struct Trickster(Mutex<Watcher>);

#[pymethods]
impl Trickster {
    /// One that has seen nothing yet.
    #[new]
    fn new(config: &str) -> PyResult<Self> {
        let config: TricksterConfig = read("config", config)?;
        let watcher = Watcher::new(config);
        let watcher = watcher.map_err(|error| PyValueError::new_err(format!("config: {error}")))?;
        Ok(Self(Mutex::new(watcher)))
    }

    /// Looks at a round: `{"analysis", "interventions"}`. Of `responses` each is an agent and its words.
    #[pyo3(signature = (responses, round, convergence=None, rounds_left=None))]
    fn look(
        &self,
        py: Python<'_>,
        responses: Vec<(String, String)>,
        round: u32,
        convergence: Option<f64>,
        rounds_left: Option<u32>,
    ) -> PyResult<String> {
        if convergence.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            let message = "convergence_similarity: it is not between 0 and 1";
            return Err(PyValueError::new_err(message));
        }
        py.detach(|| {
            let mut watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let said =
                responses.into_iter().map(|(agent, text)| (AgentId::new(agent), text)).collect();
            let looked = watcher.look(Round { number: round, said, convergence, rounds_left });
            write(&json!({"analysis": looked.analysis, "interventions": looked.interventions}))
        })
    }

    /// What was seen and done so far.
    fn stats(&self) -> PyResult<String> {
        write(&self.0.lock().unwrap_or_else(PoisonError::into_inner).stats())
    }

    /// The quality challenger's part: `{"agent", "round", "role", "prompt"}`.
    fn challenger(&self, agent: &str, round: u32) -> PyResult<String> {
        let watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let part = watcher.challenger(&AgentId::new(agent), round);
        write(
            &json!({"agent": part.agent, "round": part.round, "role": part.role, "prompt": part.prompt}),
        )
    }
}
