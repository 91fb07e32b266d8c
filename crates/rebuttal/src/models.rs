//! The models a command asks: as rebuttal.toml chooses them, loaded when they are first asked.
//!
//! A model that cannot be used is named with the reason, and the rules decide instead.

use std::path::Path;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use rebuttal_detect::pair::{Combined, RuleInference};
use rebuttal_detect::{ByModel, Models, Reader};
use rebuttal_llm::EmbeddingsEndpoint;
use rebuttal_model::Method;
use rebuttal_semantics::{
    BuiltinEncoder, BuiltinReader, BuiltinVectors, Cached, CrossEncoder, Embedder, Embedding,
    HashedWords, Inference, IsolatedEmbedder, IsolatedInference, Leaning, Pair, SemanticsError,
    SentenceEncoder, Store, Verdict, Worker, is_onnx_folder,
};

use crate::config::{Cache, Embeddings, InferenceBy, Semantics};
use crate::error::{Result as Outcome, err};
use crate::judge::{Judge, Judging};

/// Bytes of answers that are remembered, for each model.
const REMEMBERED: usize = 16 << 20;

/// Who reads, and what the user should know about it.
///
/// It owns its models and its threads: two of them with different settings live side by side in one
/// process. A clone shares both.
#[derive(Clone, Debug)]
pub struct Analyzer {
    method: Method,
    models: Option<Arc<Models>>,
    threads: Option<Arc<ThreadPool>>,
    judge: Option<Arc<Judge>>,
    /// What was not as configured.
    pub notes: Vec<String>,
}

impl Analyzer {
    /// Chooses by method and configuration. Models are loaded when they are first asked.
    pub fn new(method: Method, semantics: &Semantics) -> Self {
        let none = Self { method, models: None, threads: None, judge: None, notes: Vec::new() };
        match method {
            Method::Seed | Method::Rules => none,
            Method::Model => none.with_models(semantics),
        }
    }

    /// Rules alone: no model, no configuration.
    pub fn rules() -> Self {
        Self { method: Method::Rules, models: None, threads: None, judge: None, notes: Vec::new() }
    }

    fn with_models(mut self, semantics: &Semantics) -> Self {
        if semantics.inference.value == InferenceBy::Rules {
            self.notes.push("the configuration switches the model off: rules decide".to_owned());
            return self;
        }
        if let Some(threads) = semantics.threads.value {
            match ThreadPoolBuilder::new().num_threads(threads.get()).build() {
                Ok(pool) => self.threads = Some(Arc::new(pool)),
                Err(error) => {
                    self.notes.push(format!("threads: {error}: all cores are used instead"));
                }
            }
        }
        let (models, notes) = models(semantics, self.threads.as_ref());
        self.models = models.map(Arc::new);
        self.notes.extend(notes);
        self
    }

    /// Who reads.
    pub fn reader(&self) -> Reader<'_> {
        match (self.method, &self.models) {
            (Method::Seed, _) => Reader::Seed,
            (_, Some(models)) => Reader::Model(models),
            (_, None) => Reader::Rules,
        }
    }

    /// Asks a judge from outside where the models are not sure. Where no model infers, nobody knows
    /// where that is.
    pub fn judged(mut self, judge: Arc<Judge>) -> Outcome<Self> {
        let models = self.models.take().and_then(Arc::into_inner);
        let Some(models) = models.filter(Models::infers) else {
            return Err(err!(
                "a judge is asked where the model is not sure, and no model is used here; leave \
                 out --method, and `inference` in [semantics] of rebuttal.toml"
            ));
        };
        let asked = Arc::clone(&judge);
        let front = |local| -> Arc<dyn Inference> { Arc::new(Judging::new(local, asked)) };
        self.models = Some(Arc::new(models.behind(front)));
        self.judge = Some(judge);
        Ok(self)
    }

    /// What the user should know when the work is done: why a model stopped answering, what the judge
    /// was asked and what that cost.
    pub fn remarks(&self) -> Vec<String> {
        let judge = self.judge.as_ref().map(|judge| judge.summary());
        self.failure().into_iter().chain(judge).collect()
    }

    /// Why a model stopped answering on the way, if one did.
    pub fn failure(&self) -> Option<String> {
        let failure = self.models.as_ref().filter(|models| models.infers())?.failure()?;
        Some(format!("{failure}: rules decided instead where it was asked"))
    }

    /// How many threads it works on.
    pub fn threads(&self) -> usize {
        self.threads
            .as_ref()
            .map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Does work on the threads that were configured, beside the caller.
    pub(crate) fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        match &self.threads {
            Some(pool) => pool.spawn(work),
            None => rayon::spawn(work),
        }
    }

    /// Does work on the threads that were configured, and waits for it.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.threads {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// A model that works on threads of its own, whoever asks it.
#[derive(Debug)]
struct OnThreads<M> {
    model: M,
    threads: Option<Arc<ThreadPool>>,
}

impl<M: Sync> OnThreads<M> {
    fn ask<T: Send>(&self, ask: impl FnOnce(&M) -> T + Send) -> T {
        match &self.threads {
            Some(pool) => pool.install(|| ask(&self.model)),
            None => ask(&self.model),
        }
    }
}

impl<E: Embedder> Embedder for OnThreads<E> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        self.ask(|model| model.embed(texts))
    }
}

impl<I: Inference> Inference for OnThreads<I> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        self.ask(|model| model.infer(pairs))
    }

    fn contradicts(
        &self,
        pair: Pair<'_>,
        at_least: f32,
    ) -> Result<Option<Verdict>, SemanticsError> {
        self.ask(|model| model.contradicts(pair, at_least))
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        self.ask(|model| model.lean(pairs))
    }

    fn classes(
        &self,
        heads: &[&str],
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        self.ask(|model| model.classes(heads, pairs))
    }
}

/// The models that can be used, if any; a note names each that cannot.
fn models(semantics: &Semantics, pool: Option<&Arc<ThreadPool>>) -> (Option<Models>, Vec<String>) {
    let store = semantics.cache.value.as_ref();
    let threads = semantics.threads.value.map_or_else(rayon::current_num_threads, usize::from);
    let embedder = embedder(semantics, threads)
        .and_then(|model| cached(OnThreads { model, threads: pool.cloned() }, store));
    // The cache is inside, so that a pair and its reverse share what the model says of them.
    let inference = inference(semantics, threads)
        .and_then(|model| cached(OnThreads { model, threads: pool.cloned() }, store));
    let judge = |model| Combined::new(model, BuiltinVectors);
    match (embedder, inference) {
        (Ok(embedder), Ok(inference)) => {
            (Some(Models::new(BuiltinVectors, embedder, judge(inference))), Vec::new())
        }
        (Err(error), Ok(inference)) => {
            let note = format!("embeddings: {error}: rules say how alike texts are instead");
            let models = Models::new(BuiltinVectors, HashedWords, judge(inference));
            (Some(models.only(ByModel::Inference)), vec![note])
        }
        (Ok(embedder), Err(error)) => {
            let note = format!("inference: {error}: rules decide instead");
            let models = Models::new(BuiltinVectors, embedder, RuleInference);
            (Some(models.only(ByModel::Embedding)), vec![note])
        }
        (Err(embedder), Err(inference)) => {
            let notes = [("embeddings", embedder), ("inference", inference)];
            let note = |(what, error)| format!("{what}: {error}: rules decide instead");
            (None, notes.map(note).to_vec())
        }
    }
}

/// What tells in debates how alike texts are, where the configuration names something else than the
/// built-in vectors that the trickster is calibrated with.
pub fn debate_embedder(semantics: &Semantics) -> Result<Option<Box<dyn Embedder>>, SemanticsError> {
    if matches!(semantics.embeddings.value, Embeddings::Builtin) {
        return Ok(None);
    }
    let threads = semantics.threads.value.map_or_else(rayon::current_num_threads, usize::from);
    let model = embedder(semantics, threads)?;
    // Without threads of its own it uses everybody's.
    let own = semantics
        .threads
        .value
        .and_then(|_| ThreadPoolBuilder::new().num_threads(threads).build().ok().map(Arc::new));
    let model = OnThreads { model, threads: own };
    Ok(Some(Box::new(cached(model, semantics.cache.value.as_ref())?)))
}

fn cached<M>(model: M, cache: Option<&Cache>) -> Result<Cached<M>, SemanticsError> {
    let cached = Cached::new(model, REMEMBERED);
    Ok(match cache {
        Some(Cache { folder, max_mb }) => {
            cached.with_store(Store::open(folder, max_mb.saturating_mul(1 << 20))?)
        }
        None => cached,
    })
}

fn embedder(semantics: &Semantics, threads: usize) -> Result<Box<dyn Embedder>, SemanticsError> {
    if let Some(refusal) = &semantics.refused {
        return Err(SemanticsError::Model { name: refusal.who.clone(), reason: refusal.message() });
    }
    Ok(match &semantics.embeddings.value {
        Embeddings::Builtin => Box::new(BuiltinEncoder),
        Embeddings::Folder(folder) if is_onnx_folder(folder) => {
            Box::new(IsolatedEmbedder::open(folder, threads, named(semantics, folder)?)?)
        }
        Embeddings::Folder(folder) => Box::new(SentenceEncoder::load_folder(folder)?),
        Embeddings::Endpoint(settings) => {
            Box::new(EmbeddingsEndpoint::new((**settings).clone()).map_err(SemanticsError::from)?)
        }
    })
}

fn inference(semantics: &Semantics, threads: usize) -> Result<Box<dyn Inference>, SemanticsError> {
    let folder = |folder: &Path| -> Result<Box<dyn Inference>, SemanticsError> {
        Ok(if is_onnx_folder(folder) {
            Box::new(IsolatedInference::open(folder, threads, named(semantics, folder)?)?)
        } else {
            Box::new(CrossEncoder::load_folder(folder)?)
        })
    };
    match &semantics.inference.value {
        InferenceBy::Folder(path) => folder(path),
        InferenceBy::Builtin | InferenceBy::Rules => Ok(Box::new(BuiltinReader)),
    }
}

/// The worker for the ONNX model in a folder.
fn named<'s>(semantics: &'s Semantics, folder: &Path) -> Result<&'s Worker, SemanticsError> {
    semantics.worker.as_ref().ok_or_else(|| SemanticsError::Model {
        name: folder.display().to_string(),
        reason: "an ONNX model runs in a process of its own, and no program for it is named; set \
                 `Semantics::worker`"
            .to_owned(),
    })
}
