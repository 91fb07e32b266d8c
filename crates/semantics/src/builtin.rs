//! The models inside the program, loaded when they are first asked.

use std::sync::OnceLock;

use crate::{
    CrossEncoder, Embedder, Embedding, Inference, Leaning, Pair, SemanticsError, SentenceEncoder,
    StaticVectors, Verdict,
};

/// Loads once; a broken asset gives the same error every time it is asked.
struct Lazy<M> {
    name: &'static str,
    model: OnceLock<Result<M, String>>,
}

impl<M> Lazy<M> {
    const fn new(name: &'static str) -> Self {
        Self { name, model: OnceLock::new() }
    }

    fn get(
        &'static self,
        load: impl FnOnce(&'static str) -> Result<M, SemanticsError>,
    ) -> Result<&'static M, SemanticsError> {
        let loaded = self.model.get_or_init(|| load(self.name).map_err(|error| error.to_string()));
        loaded.as_ref().map_err(|reason| SemanticsError::Model {
            name: self.name.to_owned(),
            reason: reason.clone(),
        })
    }
}

/// The sentence encoder: all-MiniLM-L6-v2 in eight bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltinEncoder;

impl BuiltinEncoder {
    /// The model, loaded.
    pub fn load(self) -> Result<&'static SentenceEncoder, SemanticsError> {
        static MODEL: Lazy<SentenceEncoder> = Lazy::new("minilm-l6-embed");
        let bytes: &'static [u8] = include_bytes!("../../../assets/minilm-l6-embed.rbt");
        MODEL.get(|name| SentenceEncoder::load(bytes, name))
    }
}

impl Embedder for BuiltinEncoder {
    fn id(&self) -> &str {
        self.load().map_or("minilm-l6-embed", Embedder::id)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        self.load()?.embed(texts)
    }
}

/// The reader that `cargo xtask train` makes, in eight bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltinReader;

impl BuiltinReader {
    /// The model, loaded.
    pub fn load(self) -> Result<&'static CrossEncoder, SemanticsError> {
        static MODEL: Lazy<CrossEncoder> = Lazy::new("minilm-l6-judge");
        let bytes: &'static [u8] = include_bytes!("../../../assets/minilm-l6-judge.rbt");
        MODEL.get(|name| CrossEncoder::load(bytes, name))
    }
}

impl Inference for BuiltinReader {
    fn id(&self) -> &str {
        self.load().map_or("minilm-l6-judge", Inference::id)
    }

    fn infer(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, SemanticsError> {
        self.load()?.infer(pairs)
    }

    fn lean(&self, pairs: &[Pair<'_>]) -> Result<Vec<Leaning>, SemanticsError> {
        self.load()?.lean(pairs)
    }

    fn classes(
        &self,
        heads: &[&str],
        pairs: &[Pair<'_>],
    ) -> Result<Option<Vec<Vec<f32>>>, SemanticsError> {
        self.load()?.classes(heads, pairs)
    }
}

/// The static vectors distilled from the encoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltinVectors;

impl BuiltinVectors {
    /// The table, loaded.
    pub fn load(self) -> Result<&'static StaticVectors, SemanticsError> {
        static MODEL: Lazy<StaticVectors> = Lazy::new("static-256");
        let bytes: &'static [u8] = include_bytes!("../../../assets/static-256.rbv");
        MODEL.get(|name| StaticVectors::from_bytes(name, bytes))
    }
}

impl Embedder for BuiltinVectors {
    fn id(&self) -> &str {
        self.load().map_or("static-256", Embedder::id)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        self.load()?.embed(texts)
    }
}
