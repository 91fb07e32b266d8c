//! Who reads: word lists, rules, or rules with models beside them.

use std::sync::{Arc, OnceLock};

use rebuttal_model::Method;
use rebuttal_semantics::{Embedder, Inference, SemanticsError};

/// How a detector is to read.
#[derive(Clone, Copy, Debug)]
pub enum Reader<'m> {
    /// By the word lists of the seed documents.
    Seed,
    /// By rules alone.
    Rules,
    /// By rules where they are sure, and by models where they are not.
    Model(&'m Models),
}

impl<'m> Reader<'m> {
    /// What findings say decided, unless one says otherwise.
    pub fn method(self) -> Method {
        match self {
            Self::Seed => Method::Seed,
            Self::Model(models) if models.infers() => Method::Model,
            Self::Rules | Self::Model(_) => Method::Rules,
        }
    }

    /// The models, if there are any to ask for a verdict.
    pub fn models(self) -> Option<&'m Models> {
        match self {
            Self::Model(models) => Some(models).filter(|models| models.infers()),
            Self::Seed | Self::Rules => None,
        }
    }
}

/// What a model does; the rest goes by rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByModel {
    /// Both embedding and inference.
    Both,
    /// Embedding alone: the inference model could not be used.
    Embedding,
    /// Inference alone: the embedder could not be used.
    Inference,
}

/// The models of an audit: a cheap one to choose, dear ones to decide.
#[derive(Debug)]
pub struct Models {
    /// Finds what is on the same matter, by the hundred thousand.
    pub vectors: Arc<dyn Embedder>,
    /// Says how alike two texts are.
    pub embedder: Arc<dyn Embedder>,
    /// Decides on the pairs that are left.
    pub inference: Arc<dyn Inference>,
    by_model: ByModel,
    failed: OnceLock<String>,
}

impl Models {
    /// The models to be asked.
    pub fn new(
        vectors: impl Embedder + 'static,
        embedder: impl Embedder + 'static,
        inference: impl Inference + 'static,
    ) -> Self {
        Self {
            vectors: Arc::new(vectors),
            embedder: Arc::new(embedder),
            inference: Arc::new(inference),
            by_model: ByModel::Both,
            failed: OnceLock::new(),
        }
    }

    /// Puts something in front of the model that infers: it may ask that model, or somebody else.
    #[must_use]
    pub fn behind(self, front: impl FnOnce(Arc<dyn Inference>) -> Arc<dyn Inference>) -> Self {
        let inference = front(Arc::clone(&self.inference));
        Self { inference, ..self }
    }

    /// Says which of them are models and not what stands in for one.
    #[must_use]
    pub fn only(self, by_model: ByModel) -> Self {
        Self { by_model, ..self }
    }

    /// Whether a model embeds.
    pub fn embeds(&self) -> bool {
        self.by_model != ByModel::Inference
    }

    /// Whether a model infers.
    pub fn infers(&self) -> bool {
        self.by_model != ByModel::Embedding
    }

    /// Why a model did not answer, the first time it did not; rules decided instead.
    pub fn failure(&self) -> Option<&str> {
        self.failed.get().map(String::as_str)
    }

    /// The answer, or nothing and a note of why.
    pub(crate) fn answer<A>(&self, asked: Result<A, SemanticsError>) -> Option<A> {
        asked.inspect_err(|error| drop(self.failed.set(error.to_string()))).ok()
    }
}
