//! Vectors from a server.

mod batch;
mod wire;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use rebuttal_model::limits;
use rebuttal_semantics::{Embedder, Embedding, SemanticsError};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::address::{Address, PlainHttp, shown_location};
use crate::error::{Fault, LlmError, is_retried};
use crate::key::{Key, KeyRef};
use crate::retry::{self, Next, Retries};
use crate::transport::{Answer, Timeouts, Transport};

/// Which format a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
}

impl fmt::Debug for EmbeddingsEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddingsEndpoint").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Drop for EmbeddingsEndpoint {
    fn drop(&mut self) {
        // An ordinary drop waits for the thread, and panics inside an async runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
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
        let authorization = key.as_ref().and_then(Key::header);
        let transport = Transport::new(url.clone(), authorization, *timeouts, limits::REPLY_BYTES)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("rebuttal-llm")
            .enable_all()
            .build()
            .map_err(|error| refuse(Fault::Setup(format!("no thread: {error}"))))?;
        let id = format!("{} {address} {model}", api.name());
        let server = Server { settings, transport, key, length: OnceLock::new() };
        Ok(Self { id, server: Arc::new(server), runtime: Some(runtime) })
    }

    /// One vector a text, in order; the error says more than the trait's.
    pub fn vectors(&self, texts: &[&str]) -> Result<Vec<Embedding>, LlmError> {
        let sent = texts.iter().enumerate().filter(|(_, text)| !text.trim().is_empty());
        let sent: Arc<[Text]> =
            sent.map(|(at, text)| Text { at, text: (*text).to_owned() }).collect();
        let mut found: Vec<Option<Embedding>> = vec![None; texts.len()];
        for (at, vector) in self.wait_for(sent)? {
            if let Some(slot) = found.get_mut(at) {
                *slot = Some(vector);
            }
        }
        let length = self.server.length.get().copied().unwrap_or_default();
        let zero = || Embedding::new(vec![0.0; length]);
        Ok(found.into_iter().map(|vector| vector.unwrap_or_else(zero)).collect())
    }

    /// Runs the requests on our own thread and waits for it, which is allowed where `block_on`
    /// would panic.
    fn wait_for(&self, texts: Arc<[Text]>) -> Result<Vec<(usize, Embedding)>, LlmError> {
        let gone = || self.server.error(Fault::Setup("the thread that asks it ended".to_owned()));
        let (sender, receiver) = mpsc::channel();
        let server = Arc::clone(&self.server);
        self.runtime.as_ref().ok_or_else(gone)?.spawn(async move {
            // Nobody listens when the caller's thread is gone.
            sender.send(server.embed(texts).await).ok();
        });
        receiver.recv().unwrap_or_else(|_| Err(gone()))
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
    transport: Transport,
    key: Option<Key>,
    /// How many numbers its vectors have, once it has shown one.
    length: OnceLock<usize>,
}

/// What became of a batch.
enum Outcome {
    Vectors(Vec<(usize, Embedding)>),
    /// Too long as a whole: to be sent in parts.
    Parts([Range<usize>; 2]),
}

/// What to make of an answer.
enum Judged {
    Good(Vec<Vec<f32>>),
    TooLong(String),
    Again { fault: Fault, asked: Option<Duration> },
    Final(Fault),
}

impl Server {
    fn error(&self, fault: Fault) -> LlmError {
        LlmError::new(self.transport.name(), fault)
    }

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
                Some(Ok(Ok(Outcome::Vectors(vectors)))) => found.extend(vectors),
                Some(Ok(Ok(Outcome::Parts(parts)))) => queue.extend(parts.into_iter().rev()),
                Some(Ok(Err(error))) => return Err(error),
                Some(Err(error)) => return Err(self.error(Fault::Setup(error.to_string()))),
            }
        }
    }

    /// Sends one batch until there is an answer or no reason to go on.
    async fn batch(
        self: Arc<Self>,
        texts: Arc<[Text]>,
        batch: Range<usize>,
    ) -> Result<Outcome, LlmError> {
        let texts = texts.get(batch.clone()).unwrap_or_default();
        let input: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
        let Settings { api, model, retries, .. } = &self.settings;
        let body = wire::request(*api, model, &input)
            .map_err(|error| self.error(Fault::Setup(error.to_string())))?;
        let mut attempt = 1;
        loop {
            let (fault, asked) = match self.once(body.clone(), texts.len(), attempt).await {
                Judged::Good(vectors) => {
                    let places = texts.iter().map(|text| text.at);
                    let vectors = places.zip(vectors.into_iter().map(Embedding::new));
                    return Ok(Outcome::Vectors(vectors.collect()));
                }
                Judged::TooLong(message) => return self.too_long(texts, &batch, message),
                Judged::Final(fault) => return Err(self.error(fault)),
                Judged::Again { fault, asked } => (fault, asked),
            };
            match retries.next(attempt, asked, retry::random()) {
                Next::Wait(wait) => tokio::time::sleep(wait).await,
                Next::GiveUp => return Err(self.error(fault)),
                Next::TooLong(wait) => return Err(self.error(Fault::Busy(wait))),
            }
            attempt += 1;
        }
    }

    /// Servers seldom say which text they mean, and some mean all together: ask for each half.
    fn too_long(
        &self,
        texts: &[Text],
        batch: &Range<usize>,
        message: String,
    ) -> Result<Outcome, LlmError> {
        if let Some(parts) = batch::halves(batch) {
            return Ok(Outcome::Parts(parts));
        }
        let text = texts.first().map_or(0, |text| text.at);
        Err(self.error(Fault::TooLong { text, message }).about(text))
    }

    async fn once(&self, body: Vec<u8>, count: usize, attempt: u32) -> Judged {
        match self.transport.post(body).await {
            Ok(answer) => self.judge(&answer, count, attempt),
            Err(Fault::Broken { reason, .. }) => {
                Judged::Again { fault: Fault::Broken { attempts: attempt, reason }, asked: None }
            }
            Err(fault) => Judged::Final(fault),
        }
    }

    fn judge(&self, answer: &Answer, count: usize, attempt: u32) -> Judged {
        let code = answer.status;
        match code {
            200..=299 => {
                let vectors = wire::read(self.settings.api, &answer.body, count);
                let vectors = vectors.map_err(|reason| Fault::Garbled(self.shown(&reason)));
                return match vectors.and_then(|vectors| self.same_length(vectors)) {
                    Ok(vectors) => Judged::Good(vectors),
                    Err(fault) => Judged::Final(fault),
                };
            }
            300..=399 => {
                let to = shown_location(answer.headers.get(reqwest::header::LOCATION));
                return Judged::Final(Fault::Redirect(to));
            }
            _ => {}
        }
        let message = wire::message(&answer.body).unwrap_or_else(|| wire::beginning(&answer.body));
        let message = self.shown(&message);
        if wire::is_too_long(code, &message) {
            return Judged::TooLong(message);
        }
        let fault = Fault::Status { code, message, attempts: attempt };
        if is_retried(code) {
            Judged::Again { fault, asked: retry::asked_wait(&answer.headers) }
        } else {
            Judged::Final(fault)
        }
    }

    /// Holds a server to the length it showed first: two lengths are two models.
    fn same_length(&self, vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, Fault> {
        let now = vectors.first().map_or(0, Vec::len);
        let before = *self.length.get_or_init(|| now);
        if before == now { Ok(vectors) } else { Err(Fault::Dimensions { before, now }) }
    }

    /// What a server wrote, without the key it may have repeated.
    fn shown(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text))
    }
}
