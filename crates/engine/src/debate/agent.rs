//! Who takes part in a debate, and how each one is asked.
//!
//! An [`Agent`] is a name and a [`Responder`]: something that is given an [`Ask`] and answers with a
//! [`Response`], usually a [`Vote`], or an [`AgentError`]. Chat models are one kind of responder; a
//! closure or a struct of one's own is another.

mod ask;
mod error;
mod from_env;
mod response;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rebuttal_llm::{Chat, Price};
use rebuttal_model::{AgentId, Panelist};

pub use ask::{Ask, ShownItem};
pub use error::{AgentError, AgentErrorKind};
pub use from_env::FromEnvError;
pub use response::{Response, Vote};

/// An answer that is being worked out.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Response, AgentError>> + Send + 'a>>;

/// Something that answers for an agent.
///
/// Each call runs apart from the debate and from the other agents. One that panics, fails or takes
/// longer than its [`Agent::timeout`] loses its own vote for that round, and nobody waits longer.
///
/// ```
/// use rebuttal_engine::debate::{Agent, AgentError, Answering, Ask, Responder, Vote};
///
/// struct Cautious;
///
/// impl Responder for Cautious {
///     fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
///         Box::pin(async move {
///             let last = ask.options.last().ok_or_else(|| AgentError::refused("no options"))?;
///             Ok(Vote::new(last).conviction(0.6).thesis("Better safe than sorry.").into())
///         })
///     }
/// }
///
/// let agent = Agent::new("cautious", Cautious);
/// ```
pub trait Responder: Send + Sync {
    /// Answers one question of a debate. May be called again before an earlier call has ended, and is
    /// dropped where nobody waits for it any more.
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a>;

    /// Where the future of [`Responder::respond`] is run. A thread of its own is the safe choice: code
    /// that blocks holds up nobody else.
    fn runs_on(&self) -> RunsOn {
        RunsOn::OwnThread
    }

    /// Most tokens of an answer where the request does not say: what budgets plan with.
    fn max_tokens(&self) -> Option<u32> {
        None
    }
}

/// Where an answer is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunsOn {
    /// On a thread that is started for the call. It may block.
    OwnThread,
    /// On the threads of the async runtime. It must not block; thousands can wait at once.
    Runtime,
}

/// A chat model is asked with the rendered prompt, and its words are read by the debate.
impl<C: Chat + ?Sized + 'static> Responder for Arc<C> {
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move {
            let reply = self.stream(&ask.request, &|words| ask.say(words)).await?;
            Ok(Response::text(reply.text).with_usage(reply.usage).with_requests(reply.requests))
        })
    }

    fn runs_on(&self) -> RunsOn {
        RunsOn::Runtime
    }

    fn max_tokens(&self) -> Option<u32> {
        Some(Chat::max_tokens(&**self))
    }
}

/// An async closure as a responder.
struct FromFn<F>(F);

impl<F, A, R> Responder for FromFn<F>
where
    F: Fn(Ask) -> A + Send + Sync,
    A: Future<Output = Result<R, AgentError>> + Send,
    R: Into<Response>,
{
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move { (self.0)(ask.clone()).await.map(Into::into) })
    }
}

/// A closure that blocks as a responder.
struct FromBlocking<F>(F);

impl<F, R> Responder for FromBlocking<F>
where
    F: Fn(&Ask) -> Result<R, AgentError> + Send + Sync,
    R: Into<Response>,
{
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move { (self.0)(ask).map(Into::into) })
    }
}

/// Who answers for an agent, how long that may take and what it costs.
#[derive(Clone)]
pub(super) struct Seat {
    pub(super) responder: Arc<dyn Responder>,
    pub(super) price: Option<Price>,
    pub(super) timeout: Duration,
}

impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { price, timeout, .. } = self;
        f.debug_struct("Seat")
            .field("price", price)
            .field("timeout", timeout)
            .finish_non_exhaustive()
    }
}

/// One who takes part in a debate, and who answers for it.
#[derive(Clone, Debug)]
pub struct Agent {
    pub(super) member: Panelist,
    pub(super) seat: Seat,
}

impl Agent {
    /// How long one answer may take unless [`Agent::timeout`] says otherwise, retries included.
    pub const TIMEOUT: Duration = Duration::from_mins(10);

    /// An agent whose answers come from a [`Responder`], or from a chat model in an [`Arc`].
    pub fn new(name: &str, responder: impl Responder + 'static) -> Self {
        let seat = Seat { responder: Arc::new(responder), price: None, timeout: Self::TIMEOUT };
        Self { member: Panelist::new(AgentId::new(name)), seat }
    }

    /// An agent whose answers come from an async closure.
    pub fn from_fn<F, A, R>(name: &str, answer: F) -> Self
    where
        F: Fn(Ask) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, AgentError>> + Send + 'static,
        R: Into<Response> + 'static,
    {
        Self::new(name, FromFn(answer))
    }

    /// An agent whose answers come from a closure that may block: it calls a blocking client, or
    /// computes for long.
    pub fn from_blocking<F, R>(name: &str, answer: F) -> Self
    where
        F: Fn(&Ask) -> Result<R, AgentError> + Send + Sync + 'static,
        R: Into<Response> + 'static,
    {
        Self::new(name, FromBlocking(answer))
    }

    /// The agent's name.
    pub fn name(&self) -> &AgentId {
        &self.member.agent
    }

    /// Sets the name.
    #[must_use]
    pub fn named(mut self, name: &AgentId) -> Self {
        self.member.agent = name.clone();
        self
    }

    /// Puts it into a seat with a name and a persona of its own; who answers there stays known.
    #[must_use]
    pub fn seated(mut self, name: &AgentId, persona: &str) -> Self {
        self.member.answered_by = Some(self.member.agent.as_str().to_owned());
        self.named(name).persona(persona)
    }

    /// Sets who it is to be: a few sentences that open its prompt.
    #[must_use]
    pub fn persona(mut self, persona: impl Into<String>) -> Self {
        self.member.persona = persona.into();
        self
    }

    /// Sets the name of its model, for people.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.member.model = model.into();
        self
    }

    /// Sets how much its vote weighs under rules that weigh votes.
    #[must_use]
    pub fn weight(mut self, weight: f64) -> Self {
        self.member.weight = weight;
        self
    }

    /// Sets what its tokens cost. A budget in money needs a price for every agent.
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.seat.price = Some(price);
        self
    }

    /// Says that its answers cost nothing.
    #[must_use]
    pub fn free(self) -> Self {
        self.price(Price::default())
    }

    /// Sets how long one answer may take, retries included.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.seat.timeout = timeout;
        self
    }
}
