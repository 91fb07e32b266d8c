//! A user's model in a process of its own.
//!
//! An ONNX file is a program: a few bytes of it can ask for more memory than there is or compute
//! until the end of time, and what it asks for depends on what it computed, so that no look at the
//! file can tell. The runtime aborts the process when memory runs out. So the process it runs in is
//! one that may go: it is started for the model, gets so much memory and so much time, holds no key
//! in its environment, and whatever becomes of it is an error here and nothing worse.
//!
//! The two sides speak JSON, a line for each question and each answer.

mod process;
mod serve;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::graph::Kind;
use crate::{Embedder, Embedding, Inference, Pair, SemanticsError, Verdict};
use process::Process;

pub use serve::serve_worker;

/// Texts or pairs in one question.
const QUESTION: usize = 64;

/// How a worker is started, and how much it may use.
#[derive(Clone, Debug)]
pub struct Worker {
    program: PathBuf,
    arguments: Vec<OsString>,
    limits: WorkerLimits,
}

/// What a worker may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerLimits {
    /// Memory beside what its files take. Enforced on Unix.
    pub memory_bytes: u64,
    /// Longest that it may take to load the model, and then to answer one question of up to 64 texts.
    pub time: Duration,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        Self { memory_bytes: 2 << 30, time: Duration::from_mins(1) }
    }
}

impl Worker {
    /// A worker by this program, which must call [`serve_worker`] with the arguments that follow
    /// these: what the model is for, its folder, threads, and bytes of memory.
    pub fn new<A: Into<OsString>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { program: program.into(), arguments, limits: WorkerLimits::default() }
    }

    /// Sets what it may use.
    #[must_use]
    pub fn limits(mut self, limits: WorkerLimits) -> Self {
        self.limits = limits;
        self
    }
}

/// What a worker is asked.
#[derive(Debug, Serialize, Deserialize)]
enum Question {
    Embed(Vec<String>),
    Infer(Vec<(String, String)>),
}

/// What a worker answers.
#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    /// The model is loaded and has this id.
    Ready(String),
    Vectors(Vec<Vec<f32>>),
    Verdicts(Vec<[f32; 3]>),
    /// The file or folder, and what is wrong with it.
    Failed {
        name: String,
        reason: String,
    },
}

/// Sentence vectors from a user's model that runs in a process of its own.
#[derive(Debug)]
pub struct IsolatedEmbedder(Process);

impl IsolatedEmbedder {
    /// Starts a worker, which loads the model and runs it once. `threads` is how many it may use.
    pub fn open(folder: &Path, threads: usize, worker: &Worker) -> Result<Self, SemanticsError> {
        Process::start(worker, Kind::Embedder, folder, threads).map(Self)
    }
}

impl Embedder for IsolatedEmbedder {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        let mut found = Vec::with_capacity(texts.len());
        for texts in texts.chunks(QUESTION) {
            let question = Question::Embed(texts.iter().map(|&text| text.to_owned()).collect());
            match self.0.ask(&question)? {
                Answer::Vectors(vectors) if vectors.len() == texts.len() => {
                    found.extend(vectors.into_iter().map(Embedding::of_unit_length));
                }
                _ => return Err(self.0.confused()),
            }
        }
        Ok(found)
    }
}

/// Inference with a user's model that runs in a process of its own.
#[derive(Debug)]
pub struct IsolatedInference(Process);

impl IsolatedInference {
    /// Starts a worker, which loads the model and runs it once. `threads` is how many it may use.
    pub fn open(folder: &Path, threads: usize, worker: &Worker) -> Result<Self, SemanticsError> {
        Process::start(worker, Kind::Inference, folder, threads).map(Self)
    }
}

impl Inference for IsolatedInference {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        let mut found = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(QUESTION) {
            let owned = |pair: &Pair<'_>| (pair.premise.to_owned(), pair.hypothesis.to_owned());
            match self.0.ask(&Question::Infer(pairs.iter().map(owned).collect()))? {
                Answer::Verdicts(verdicts) if verdicts.len() == pairs.len() => {
                    found.extend(verdicts.into_iter().map(Verdict::of));
                }
                _ => return Err(self.0.confused()),
            }
        }
        Ok(found)
    }
}
