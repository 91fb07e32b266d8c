//! Talking to models: a request, a reply, and whoever gives it.
//!
//! A reply is whole or it is an error: cut off, refused, filtered and empty ones never look like
//! an answer. [`Chat::stream`] gives the words as they come, and ends with the same [`Reply`].

mod anthropic;
mod dialect;
mod draft;
mod endpoint;
mod form;
mod frames;
mod gemini;
mod ollama;
mod openai;
mod provider;
mod responses;
mod scripted;
mod telling;

use std::pin::Pin;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use endpoint::{ChatEndpoint, ChatSettings};
pub use provider::Provider;
pub use scripted::{Scene, Scripted};
pub use telling::decode;

pub(crate) use draft::Draft;
pub(crate) use form::schema_tokens_at_most;
pub(crate) use telling::Telling;

use crate::error::LlmError;

/// Somebody who answers. Implemented by [`ChatEndpoint`], [`LocalChat`](crate::LocalChat),
/// recordings, and, for tests, [`Scripted`].
///
/// Implementations must answer calls from several threads side by side, and must not wait without
/// a limit.
pub trait Chat: Send + Sync {
    /// The agent's name, as reports and rulings give it.
    fn id(&self) -> &str;

    /// Most tokens of a reply where the request sets no limit: what a budget must reckon with.
    fn max_tokens(&self) -> u32 {
        ChatSettings::MAX_TOKENS
    }

    /// Asks once and waits for the whole reply. Blocks the thread.
    fn reply(&self, request: &Request) -> Result<Reply, LlmError>;

    /// Asks once, without holding a thread while waiting; `hear` is given the words as they come.
    /// What was heard of a reply that then fails is no reply.
    ///
    /// There is no default on top of [`Chat::reply`]: it would block the executor, and no time
    /// limit could fire. Whoever can only block asks on a thread of its own.
    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear<'a>) -> Pending<'a>;
}

impl<C: Chat + ?Sized> Chat for Box<C> {
    fn id(&self) -> &str {
        (**self).id()
    }

    fn max_tokens(&self) -> u32 {
        (**self).max_tokens()
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        (**self).reply(request)
    }

    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear) -> Pending<'a> {
        (**self).stream(request, hear)
    }
}

impl<C: Chat + ?Sized> Chat for Arc<C> {
    fn id(&self) -> &str {
        (**self).id()
    }

    fn max_tokens(&self) -> u32 {
        (**self).max_tokens()
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        (**self).reply(request)
    }

    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear<'a>) -> Pending<'a> {
        (**self).stream(request, hear)
    }
}

/// Who hears the words of a reply as they come. A reply of which words were heard is not asked for
/// again behind the listener's back: it fails, and whoever asked may ask again.
pub type Hear<'h> = dyn Fn(&str) + Send + Sync + 'h;

/// A reply under way.
pub type Pending<'a> = Pin<Box<dyn Future<Output = Result<Reply, LlmError>> + Send + 'a>>;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Who the model is to be; may be empty.
    pub system: String,
    /// What was said so far, the last word being ours.
    pub messages: Vec<Message>,
    /// In what form the reply is wanted.
    pub wanted: Wanted,
    /// Most tokens of the reply, thinking included; else what the agent's settings say.
    pub max_tokens: Option<u32>,
    /// How freely the model chooses its words; else what the agent's settings say.
    pub temperature: Option<f64>,
    /// Most requests sent for it that may cost something, repeats included; else as many as the
    /// agent's settings allow. A request that was refused with a status costs nothing. Not part of
    /// what is asked, so it is in no recording.
    #[serde(skip)]
    pub paid_requests_max: Option<u32>,
    /// Most requests sent for it, repeats included, whether or not they cost something. Not part of
    /// what is asked either.
    #[serde(skip)]
    pub requests_max: Option<u32>,
}

impl Request {
    /// A question without anything before it.
    pub fn new(text: impl Into<String>) -> Self {
        Self { messages: vec![Message::user(text)], ..Self::default() }
    }

    /// Sets who the model is to be.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = system.into();
        self
    }

    /// Sets the form in which the reply is wanted.
    #[must_use]
    pub fn wanting(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The words.
    pub text: String,
}

impl Message {
    /// Our words.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    /// The model's words.
    pub fn model(text: impl Into<String>) -> Self {
        Self { role: Role::Model, text: text.into() }
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// We do.
    User,
    /// The model does.
    Model,
}

/// In what form a reply is wanted. Whoever asks must still check what comes: not every server
/// keeps a model to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// Words.
    #[default]
    Text,
    /// A JSON object. The request must say so in words as well, or some servers refuse it.
    Json,
    /// JSON by this schema, an object at the top, in the words of
    /// [`Schema`](crate::structured::Schema). Each provider is sent what it takes of it; where it
    /// takes none, a tool call, JSON mode or plain words take its place.
    Schema {
        /// Letters, digits, `_` and `-`.
        name: String,
        /// The JSON Schema.
        schema: Value,
    },
}

/// A whole reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The words; never blank.
    pub text: String,
    /// What it cost, with the requests before it that failed.
    pub usage: Usage,
    /// Why it ended.
    pub finish: Finish,
    /// How many requests were sent for it: repeats and other forms of asking included.
    #[serde(default = "one_request")]
    pub requests: u32,
}

impl Reply {
    /// A reply to one request, of which nobody said what it cost.
    pub fn new(text: impl Into<String>) -> Self {
        let (usage, finish) = (Usage::default(), Finish::Stop);
        Self { text: text.into(), usage, finish, requests: one_request() }
    }

    /// Sets what it cost.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}

/// Recordings from before requests were counted.
pub(crate) fn one_request() -> u32 {
    1
}

/// Tokens, as the server counts them; nothing where it does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Read.
    pub input: Option<u64>,
    /// Written, thinking included where the server counts it.
    pub output: Option<u64>,
}

impl Usage {
    /// What this says, and where it says nothing what `other` does.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { input: self.input.or(other.input), output: self.output.or(other.output) }
    }

    /// Both together. What only one of them says is at least that much.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = |one: Option<u64>, two: Option<u64>| match (one, two) {
            (Some(one), Some(two)) => Some(one.saturating_add(two)),
            (one, two) => one.or(two),
        };
        Self { input: both(self.input, other.input), output: both(self.output, other.output) }
    }
}

/// Why a whole reply ended. Other ends are errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The server gives no reason.
    Unsaid,
    /// A reason we do not know; servers invent new ones.
    Other(String),
}
