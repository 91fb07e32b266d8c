//! The models a command asks: as rebuttal.toml chooses them, loaded when they are first asked.
//!
//! A model that cannot be used is named with the reason, and the rules decide instead.

use std::path::Path;

use rebuttal_detect::pair::{Combined, RuleInference};
use rebuttal_detect::{ByModel, Models, Reader};
use rebuttal_llm::EmbeddingsEndpoint;
use rebuttal_model::Method;
use rebuttal_semantics::{
    BuiltinEncoder, BuiltinJudge, BuiltinVectors, Cached, CrossEncoder, Embedder, HashedWords,
    Inference, OnnxEmbedder, OnnxInference, SemanticsError, SentenceEncoder, Store, is_onnx_folder,
};

use crate::config::{Cache, Embeddings, InferenceBy, Semantics};

/// Bytes of answers that are remembered, for each model.
const REMEMBERED: usize = 16 << 20;

/// Who reads in this run, and what the user should know about it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Who reads. It lives as long as the program, as the models inside it do.
    pub reader: Reader<'static>,
    /// What was not as configured.
    pub notes: Vec<String>,
}

impl Chosen {
    /// Chooses by `--method` and the configuration.
    pub fn new(method: Method, semantics: &Semantics) -> Self {
        match method {
            Method::Seed => Self { reader: Reader::Seed, notes: Vec::new() },
            Method::Rules => Self { reader: Reader::Rules, notes: Vec::new() },
            Method::Model => Self::with_models(semantics),
        }
    }

    fn with_models(semantics: &Semantics) -> Self {
        if let Some(threads) = semantics.threads.value {
            // The pool can be set once; where a test has set it already, that one is as good.
            rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global().ok();
        }
        if semantics.inference.value == InferenceBy::Rules {
            let note = "the configuration switches the model off: rules decide".to_owned();
            return Self { reader: Reader::Rules, notes: vec![note] };
        }
        let (models, notes) = models(semantics);
        let reader = models.map_or(Reader::Rules, |models| Reader::Model(leak(models)));
        Self { reader, notes }
    }

    /// Why a model stopped answering on the way, if one did.
    pub fn failure(&self) -> Option<String> {
        let failure = self.reader.models()?.failure()?;
        Some(format!("{failure}: rules decided instead where it was asked"))
    }
}

/// The models that can be used, if any; a note names each that cannot.
fn models(semantics: &Semantics) -> (Option<Models<'static>>, Vec<String>) {
    let store = semantics.cache.value.as_ref();
    let threads = semantics.threads.value.map_or_else(rayon::current_num_threads, usize::from);
    let embedder =
        embedder(&semantics.embeddings.value, threads).and_then(|model| cached(model, store));
    // The cache is inside, so that a pair and its reverse share what the model says of them.
    let inference =
        inference(&semantics.inference.value, threads).and_then(|model| cached(model, store));
    let judge = |model| leak(Combined::new(model, BuiltinVectors));
    match (embedder, inference) {
        (Ok(embedder), Ok(inference)) => {
            (Some(Models::new(&BuiltinVectors, leak(embedder), judge(inference))), Vec::new())
        }
        (Err(error), Ok(inference)) => {
            let note = format!("embeddings: {error}: rules say how alike texts are instead");
            let models = Models::new(&BuiltinVectors, &HashedWords, judge(inference));
            (Some(models.only(ByModel::Inference)), vec![note])
        }
        (Ok(embedder), Err(error)) => {
            let note = format!("inference: {error}: rules decide instead");
            let models = Models::new(&BuiltinVectors, leak(embedder), &RuleInference);
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
    let model = embedder(&semantics.embeddings.value, threads)?;
    Ok(Some(Box::new(cached(model, semantics.cache.value.as_ref())?)))
}

fn leak<M>(model: M) -> &'static M {
    Box::leak(Box::new(model))
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

fn embedder(by: &Embeddings, threads: usize) -> Result<Box<dyn Embedder>, SemanticsError> {
    Ok(match by {
        Embeddings::Builtin => Box::new(BuiltinEncoder),
        Embeddings::Folder(folder) if is_onnx_folder(folder) => {
            Box::new(OnnxEmbedder::open(folder, threads)?)
        }
        Embeddings::Folder(folder) => Box::new(SentenceEncoder::load_folder(folder)?),
        Embeddings::Endpoint(settings) => {
            Box::new(EmbeddingsEndpoint::new((**settings).clone()).map_err(SemanticsError::from)?)
        }
    })
}

fn inference(by: &InferenceBy, threads: usize) -> Result<Box<dyn Inference>, SemanticsError> {
    let folder = |folder: &Path| -> Result<Box<dyn Inference>, SemanticsError> {
        Ok(if is_onnx_folder(folder) {
            Box::new(OnnxInference::open(folder, threads)?)
        } else {
            Box::new(CrossEncoder::load_folder(folder)?)
        })
    };
    match by {
        InferenceBy::Folder(path) => folder(path),
        InferenceBy::Builtin | InferenceBy::Rules => Ok(Box::new(BuiltinJudge)),
    }
}
