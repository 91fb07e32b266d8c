//! Vectors from a server.

mod batch;
mod wire;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use rebuttal_model::limits;
use rebuttal_semantics::{Embedder, Embedding, SemanticsError};
use tokio::task::JoinSet;

use crate::address::{Address, PlainHttp};
use crate::error::{Fault, LlmError};
use crate::exchange::Exchange;
use crate::key::{Key, KeyRef};
use crate::retry::Retries;
use crate::transport::{Timeouts, Transport};
use crate::worker::Worker;

/// Which format a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Api {
    /// `POST {base}/embeddings`: `OpenAI`, and the many servers that copy it.
    OpenAi,
    /// `POST {base}/api/embed`: Ollama.
    Ollama,
}

impl Api {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::OpenAi, Self::Ollama];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
        }
    }

    /// Where the server answers, below its address.
    fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/embeddings",
            Self::Ollama => "/api/embed",
        }
    }
}

impl FromStr for Api {
    type Err = LlmError;

    fn from_str(text: &str) -> Result<Self, LlmError> {
        Self::ALL.into_iter().find(|api| api.name() == text).ok_or_else(|| {
            let reason = format!("there is no {text:?}; there are openai and ollama");
            LlmError::new("api", Fault::Setup(reason))
        })
    }
}

/// What an [`EmbeddingsEndpoint`] must know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the server is.
    pub address: Address,
    /// Which format it speaks.
    pub api: Api,
    /// Which model it shall use.
    pub model: String,
    /// Where the key is kept, if it wants one.
    pub key: Option<KeyRef>,
    /// Where the key may travel unencrypted.
    pub plain_http: PlainHttp,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// How often to try.
    pub retries: Retries,
    /// Most texts in one request.
    pub batch_texts: usize,
    /// Most bytes of text in one request, but for a single longer text.
    pub batch_bytes: usize,
    /// Most requests under way at once.
    pub concurrent: usize,
}

impl Settings {
    /// Settings for a server without a key, and the usual limits.
    pub fn new(address: Address, api: Api, model: impl Into<String>) -> Self {
        Self {
            address,
            api,
            model: model.into(),
            key: None,
            plain_http: PlainHttp::default(),
            timeouts: Timeouts::default(),
            retries: Retries::default(),
            batch_texts: limits::EMBEDDINGS_BATCH_TEXTS,
            batch_bytes: limits::EMBEDDINGS_BATCH_BYTES,
            concurrent: 4,
        }
    }
}

/// A model that runs on a server.
///
/// Texts travel in batches, a few at once. A blank text is not sent: servers refuse it, and its
/// vector is zero (of length zero, as long as the server has not shown how long its vectors are).
///
/// May be used and dropped anywhere, also inside an async runtime, where it blocks like any other
/// [`Embedder`]: requests run on a thread of its own.
pub struct EmbeddingsEndpoint {
    id: String,
    server: Arc<Server>,
    worker: Arc<Worker>,
}

impl fmt::Debug for EmbeddingsEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddingsEndpoint").field("id", &self.id).finish_non_exhaustive()
    }
}

impl EmbeddingsEndpoint {
    /// Reads the key and sets up a client; connects to nothing yet.
    pub fn new(settings: Settings) -> Result<Self, LlmError> {
        let Settings { address, api, model, key, plain_http, timeouts, .. } = &settings;
        let url = address.join(api.path());
        let refuse = |fault| LlmError::new(url.as_str(), fault);
        if model.trim().is_empty() {
            return Err(refuse(Fault::Setup("no `model` is named".to_owned())));
        }
        if key.is_some() && !address.may_carry_a_key(*plain_http) {
            return Err(refuse(Fault::PlainHttp));
        }
        let key = key.as_ref().map(KeyRef::read).transpose()?;
        let headers = key.as_ref().map(Key::bearer).unwrap_or_default();
        let transport = Transport::new(url.clone(), headers, *timeouts, limits::REPLY_BYTES)?;
        let worker = Worker::shared()
            .map_err(|error| refuse(Fault::Setup(format!("no thread: {error}"))))?;
        let id = format!("{} {address} {model}", api.name());
        let retries = settings.retries;
        let exchange = Exchange::new(url.to_string(), transport, key, retries);
        let server = Server { settings, exchange, length: OnceLock::new() };
        Ok(Self { id, server: Arc::new(server), worker })
    }

    /// One vector a text, in order; the error says more than the trait's.
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Embedding>, LlmError> {
        let sent = texts.iter().enumerate().filter(|(_, text)| !text.trim().is_empty());
        let sent: Arc<[Text]> =
            sent.map(|(at, text)| Text { at, text: (*text).to_owned() }).collect();
        let mut found: Vec<Option<Embedding>> = vec![None; texts.len()];
        let asked = self.worker.run(Arc::clone(&self.server).embed(sent));
        let gone = || Fault::Setup("the thread that asks it ended".to_owned());
        let vectors = asked.ok_or_else(|| self.server.exchange.error(gone()))??;
        for (at, vector) in vectors {
            if let Some(slot) = found.get_mut(at) {
                *slot = Some(vector);
            }
        }
        let length = self.server.length.get().copied().unwrap_or_default();
        let zero = || Embedding::new(vec![0.0; length]);
        Ok(found.into_iter().map(|vector| vector.unwrap_or_else(zero)).collect())
    }
}

impl Embedder for EmbeddingsEndpoint {
    /// Format, address and model's name. Whether the server changes the weights behind the name is
    /// beyond our sight.
    fn id(&self) -> &str {
        &self.id
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        Ok(self.vectors(texts)?)
    }
}

/// A text and where it stands among those handed over.
#[derive(Debug)]
struct Text {
    at: usize,
    text: String,
}

/// What the requests share.
#[derive(Debug)]
struct Server {
    settings: Settings,
    exchange: Exchange,
    /// How many numbers its vectors have, once it has shown one.
    length: OnceLock<usize>,
}

/// What became of a batch.
enum BatchResult {
    Vectors(Vec<(usize, Embedding)>),
    /// Too long as a whole: to be sent in parts.
    Parts([Range<usize>; 2]),
}

impl Server {
    /// Sends all batches, a few at once. The first error ends the rest.
    async fn embed(
        self: Arc<Self>,
        texts: Arc<[Text]>,
    ) -> Result<Vec<(usize, Embedding)>, LlmError> {
        let Settings { batch_texts, batch_bytes, concurrent, .. } = &self.settings;
        let lengths = texts.iter().map(|text| text.text.len());
        let mut queue = batch::batches(lengths, *batch_texts, *batch_bytes);
        queue.reverse();
        let mut running = JoinSet::new();
        let mut found = Vec::with_capacity(texts.len());
        loop {
            while running.len() < (*concurrent).max(1)
                && let Some(batch) = queue.pop()
            {
                running.spawn(Arc::clone(&self).batch(Arc::clone(&texts), batch));
            }
            match running.join_next().await {
                None => return Ok(found),
                Some(Ok(Ok(BatchResult::Vectors(vectors)))) => found.extend(vectors),
                Some(Ok(Ok(BatchResult::Parts(parts)))) => queue.extend(parts.into_iter().rev()),
                Some(Ok(Err(error))) => return Err(error),
                Some(Err(error)) => {
                    return Err(self.exchange.error(Fault::Setup(error.to_string())));
                }
            }
        }
    }

    /// Sends one batch until there is an answer or no reason to go on.
    async fn batch(
        self: Arc<Self>,
        texts: Arc<[Text]>,
        batch: Range<usize>,
    ) -> Result<BatchResult, LlmError> {
        let texts = texts.get(batch.clone()).unwrap_or_default();
        let input: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
        let Settings { api, model, .. } = &self.settings;
        let body = wire::request(*api, model, &input)
            .map_err(|error| self.exchange.error(Fault::Setup(error.to_string())))?;
        let answer = match self.exchange.send(body).await {
            Ok(answer) => answer,
            Err(Fault::TooLong { message, .. }) => return self.too_long(texts, &batch, message),
            Err(fault) => return Err(self.exchange.error(fault)),
        };
        let vectors =
            self.read(&answer, texts.len()).map_err(|fault| self.exchange.error(fault))?;
        let places = texts.iter().map(|text| text.at);
        Ok(BatchResult::Vectors(places.zip(vectors.into_iter().map(Embedding::new)).collect()))
    }

    /// Servers seldom say which text they mean, and some mean all together: ask for each half.
    fn too_long(
        &self,
        texts: &[Text],
        batch: &Range<usize>,
        message: String,
    ) -> Result<BatchResult, LlmError> {
        if let Some(parts) = batch::halves(batch) {
            return Ok(BatchResult::Parts(parts));
        }
        let text = texts.first().map_or(0, |text| text.at);
        let fault = Fault::TooLong { text: Some(text), message };
        Err(self.exchange.error(fault).about(text))
    }

    /// Reads the vectors of a reply, which must be as many as there were texts.
    fn read(&self, body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, Fault> {
        let vectors = wire::read(self.settings.api, body, count);
        let vectors = vectors.map_err(|reason| Fault::Garbled(self.exchange.shown(&reason)))?;
        self.same_length(vectors)
    }

    /// Holds a server to the length it showed first: two lengths are two models.
    fn same_length(&self, vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, Fault> {
        let now = vectors.first().map_or(0, Vec::len);
        let before = *self.length.get_or_init(|| now);
        if before == now { Ok(vectors) } else { Err(Fault::Dimensions { before, now }) }
    }
}
