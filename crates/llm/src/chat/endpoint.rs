//! A model on a server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rebuttal_model::limits;
use serde_json::Value;
use tokio::sync::mpsc;

use super::form::{self, Asked, Form, Ladder};
use super::provider::Call;
use super::telling::{self, Telling};
use super::{Chat, Draft, Hear, Pending, Provider, Reply, Request, Usage};
use crate::address::{Address, PlainHttp};
use crate::breaker::{Breaker, Circuit};
use crate::budget::Repeats;
use crate::error::{Fault, LlmError};
use crate::exchange::{Allowance, Delay, Exchange, Failed, Sent};
use crate::key::KeyRef;
use crate::leak::LeakCheck;
use crate::rate::{Gate, Rate};
use crate::retry::Retries;
use crate::said;
use crate::transport::{Timeouts, Transport};
use crate::worker::Worker;

/// Most pieces of a reply that wait to be heard. A listener that is slower than a model makes the
/// server wait.
const PIECES: usize = 64;

/// Bytes of a request that make a token, at least: what is feared of a request must not be too
/// little.
const TOKEN_BYTES: usize = 3;

/// What a [`ChatEndpoint`] must know.
#[derive(Clone, Debug)]
pub struct ChatSettings {
    /// The agent's name.
    pub id: String,
    /// Which format its server speaks.
    pub provider: Provider,
    /// Where the server is.
    pub address: Address,
    /// Which model it shall use.
    pub model: String,
    /// Where the key is kept, if it wants one.
    pub key: Option<KeyRef>,
    /// Where the key may travel unencrypted.
    pub plain_http: PlainHttp,
    /// How freely the model chooses its words; the server's own default where nothing is said,
    /// because newer models refuse any other.
    pub temperature: Option<f64>,
    /// Most tokens of a reply, thinking included.
    pub max_tokens: u32,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// How often to try.
    pub retries: Retries,
    /// How much the provider may be asked in a minute. Agents with the same address, key and limits
    /// share them.
    pub rate: Rate,
    /// When the server is left alone.
    pub breaker: Breaker,
}

impl ChatSettings {
    /// Enough for some pages and the thinking before them, and no bill to be afraid of.
    pub const MAX_TOKENS: u32 = 8192;
    /// The names that [`ChatSettings::known`] knows.
    pub const KNOWN: [&'static str; 4] = ["claude", "gemini", "gpt4", "ollama"];

    /// Settings of an agent that needs no configuration: its maker's server, and the key in the
    /// variable where people keep it. Makers retire models: `gpt-4.1` ends in January 2027, and
    /// whoever wants another sets `model`.
    pub fn known(name: &str) -> Option<Self> {
        let (provider, model) = match name {
            "claude" => (Provider::Anthropic, "claude-sonnet-5"),
            "gemini" => (Provider::Gemini, "gemini-flash-latest"),
            "gpt4" => (Provider::OpenAi, "gpt-4.1"),
            "ollama" => (Provider::Ollama, "llama3.2"),
            _ => return None,
        };
        let address = provider.usual_address().parse().ok()?;
        let mut settings = Self::new(name, provider, address, model);
        settings.key = provider.usual_variable().map(|name| KeyRef::Env(name.to_owned()));
        Some(settings)
    }

    /// Models that think take their time.
    pub const TIMEOUT: Duration = Duration::from_mins(2);

    /// Settings for a server without a key, and the usual limits.
    pub fn new(
        id: impl Into<String>,
        provider: Provider,
        address: Address,
        model: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            provider,
            address,
            model: model.into(),
            key: None,
            plain_http: PlainHttp::default(),
            temperature: None,
            max_tokens: Self::MAX_TOKENS,
            timeouts: Timeouts { total: Self::TIMEOUT, ..Timeouts::default() },
            retries: Retries::default(),
            rate: Rate::default(),
            breaker: Breaker::default(),
        }
    }
}

/// A model that runs on a server.
///
/// May be used and dropped anywhere, also inside an async runtime, where [`Chat::reply`] blocks and
/// [`Chat::stream`] does not: requests run on threads that all endpoints share, as many side by
/// side as there are callers. A stream whose future is dropped ends at once, and its connection
/// with it.
pub struct ChatEndpoint {
    server: Arc<Server>,
    worker: Arc<Worker>,
}

/// What the requests share.
#[derive(Debug)]
struct Server {
    settings: ChatSettings,
    exchange: Exchange,
    /// Where streams are asked for.
    streams: Transport,
    /// In which form this model takes what is asked of it.
    ladder: Ladder,
}

impl fmt::Debug for ChatEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ChatSettings { id, model, .. } = &self.server.settings;
        f.debug_struct("ChatEndpoint").field("id", id).field("model", model).finish_non_exhaustive()
    }
}

impl ChatEndpoint {
    /// Reads the key and sets up a client; connects to nothing yet.
    pub fn new(settings: ChatSettings) -> Result<Self, LlmError> {
        Self::watched(settings, |_| ())
    }

    /// Sets who is told of everything that delays a reply.
    pub fn watched(
        settings: ChatSettings,
        watch: impl Fn(&Delay) + Send + Sync + 'static,
    ) -> Result<Self, LlmError> {
        let ChatSettings { id, provider, address, model, key, timeouts, .. } = &settings;
        let url = address.join(&provider.path(model));
        let name = format!("{id} ({url})");
        let refuse = |reason: &str| LlmError::new(&name, Fault::Setup(reason.to_owned()));
        if !is_model(model) {
            return Err(refuse("`model` is not the name of a model"));
        }
        if settings.max_tokens == 0 {
            return Err(refuse("`max_tokens` must be above 0"));
        }
        if settings.temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
            return Err(refuse("`temperature` must be within 0 and 2"));
        }
        if key.is_some() && !address.may_carry_a_key(settings.plain_http) {
            return Err(LlmError::new(name, Fault::PlainHttp));
        }
        let whose =
            format!("{address} {}", key.as_ref().map(KeyRef::to_string).unwrap_or_default());
        let key = key.as_ref().map(KeyRef::read).transpose()?;
        let headers = provider.headers(key.as_ref());
        let most = limits::CHAT_REPLY_BYTES;
        let transport = Transport::new(url.clone(), headers, *timeouts, most)?;
        let worker = Worker::shared().map_err(|error| refuse(&format!("no thread: {error}")))?;
        let (path, query) = provider.stream_path(model);
        let mut streams = address.join(&path);
        streams.set_query(query);
        let streams = transport.at(streams);
        let mut exchange = Exchange::new(name, transport, key, settings.retries);
        exchange.circuit = Circuit::new(settings.breaker);
        exchange.gate = Gate::shared(&whose, settings.rate);
        exchange.repeats = Repeats::shared(&whose, settings.retries.budget);
        exchange.watch = Some(Arc::new(watch));
        Ok(Self {
            server: Arc::new(Server { settings, exchange, streams, ladder: Ladder::default() }),
            worker,
        })
    }

    /// What is said when the thread that sends requests has ended.
    fn gone(&self) -> LlmError {
        let reason = "the thread that asks it ended".to_owned();
        self.server.exchange.error(Fault::Setup(reason))
    }
}

impl Chat for ChatEndpoint {
    fn id(&self) -> &str {
        &self.server.settings.id
    }

    fn max_tokens(&self) -> u32 {
        self.server.settings.max_tokens
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        let (server, request) = (Arc::clone(&self.server), request.clone());
        let reply = self.worker.run(async move { server.ask(&request, None).await });
        reply.unwrap_or_else(|| Err(self.gone()))
    }

    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear) -> Pending<'a> {
        Box::pin(async move {
            let (server, request) = (Arc::clone(&self.server), request.clone());
            let (words, mut heard) = mpsc::channel(PIECES);
            let work = async move { server.ask(&request, Some(&words)).await };
            let task = self.worker.begin(work).ok_or_else(|| self.gone())?;
            while let Some(piece) = heard.recv().await {
                hear(&piece);
            }
            task.result().await.map_err(|_| self.gone())?
        })
    }
}

/// A name may stand in an address, so it must not be able to lead elsewhere.
fn is_model(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "-_.:/@+".contains(c);
    !name.is_empty() && name.chars().all(is_part) && !name.split('/').any(|part| part == "..")
}

impl Server {
    /// Asks in the form the model is known to take, and one rung down the ladder each time the
    /// server refuses it. Words are sent on as they come where somebody hears them.
    async fn ask(
        &self,
        request: &Request,
        words: Option<&mpsc::Sender<String>>,
    ) -> Result<Reply, LlmError> {
        let (provider, wanted) = (self.settings.provider, &request.wanted);
        let mut form = self.ladder.start(provider, wanted);
        let (mut usage, mut requests, mut paid) = (Usage::default(), 0, 0);
        loop {
            let left = Left {
                paid_requests: request.paid_requests_max.map(|most| most.saturating_sub(paid)),
                requests: request.requests_max.map(|most| most.saturating_sub(requests)),
            };
            let asked = form::ask(provider, request, form);
            let (said, asked) =
                asked.map_err(|fault| self.exchange.error(fault).with_requests(requests))?;
            let failed = match self.once(&said, &asked, form, left, words).await {
                Ok(reply) => {
                    self.ladder.remember(provider, wanted, form);
                    let (usage, requests) = (usage.and(reply.usage), requests + reply.requests);
                    return Ok(Reply { usage, requests, ..reply });
                }
                Err(failed) => failed,
            };
            usage = usage.and(failed.usage);
            requests += failed.requests;
            paid += failed.paid;
            let no_more = request.paid_requests_max.is_some_and(|most| paid >= most)
                || request.requests_max.is_some_and(|most| requests >= most);
            let next = Ladder::below(provider, wanted, form, &failed.fault).filter(|_| !no_more);
            let Some(next) = next else {
                let error = self.exchange.error(failed.fault);
                return Err(error.with_usage(usage).with_requests(requests));
            };
            form = next;
        }
    }

    /// Asks in one form.
    async fn once(
        &self,
        request: &Request,
        asked: &Asked,
        form: Form,
        left: Left,
        words: Option<&mpsc::Sender<String>>,
    ) -> Result<Reply, Failed> {
        let call = self.call(request, asked, words.is_some());
        let (max_tokens, provider) = (call.max_tokens, self.settings.provider);
        let body = provider.body(&call).to_string().into_bytes();
        let allowance = allowance(request, max_tokens, left);
        let Some(words) = words else {
            let sent = self.exchange.send_counted(body, allowance).await?;
            let read = |answer: Vec<u8>| Ok(self.read(&answer)?.asked_as(form));
            return self.finish(sent.map(read), max_tokens);
        };
        let begin = || Telling::new(provider, form);
        let sent = self.exchange.stream(&self.streams, body, allowance, begin, words).await?;
        self.finish(sent.map(Ok), max_tokens)
    }

    /// The request with everything settled.
    fn call<'r>(&'r self, request: &'r Request, asked: &'r Asked, streamed: bool) -> Call<'r> {
        let ChatSettings { address, model, .. } = &self.settings;
        let temperature = request.temperature.or(self.settings.temperature);
        Call {
            model,
            request,
            max_tokens: request.max_tokens.unwrap_or(self.settings.max_tokens).max(1),
            temperature: temperature.filter(|temperature| temperature.is_finite()),
            asked,
            streamed,
            host: address.host(),
        }
    }

    /// What an answer says; or what is wrong with it, and the tokens it counts nevertheless.
    fn read(&self, answer: &[u8]) -> Result<Draft, (Fault, Usage)> {
        let parsed: Value = serde_json::from_slice(answer).map_err(|error| {
            let begins = format!("{error}; it begins {:?}", said::beginning(answer));
            (Fault::Garbled(begins), Usage::default())
        })?;
        let provider = self.settings.provider;
        telling::read(provider, &parsed).map_err(|fault| (fault, provider.usage(&parsed)))
    }

    /// The reply, if the draft is a whole one. What it took is known now.
    fn finish(
        &self,
        sent: Sent<Result<Draft, (Fault, Usage)>>,
        max_tokens: u32,
    ) -> Result<Reply, Failed> {
        let Sent { value, ticket, before, requests } = sent;
        let usage = match &value {
            Ok(draft) => draft.usage,
            Err((_, usage)) => *usage,
        };
        if let Usage { input: Some(input), output: Some(output) } = usage {
            self.exchange.gate.settle(&ticket, input.saturating_add(output));
        }
        let usage = before.and(usage);
        // Words of a server may hold the key here as well.
        let wrong =
            |fault| Failed { fault: self.exchange.hidden(fault), usage, requests, paid: requests };
        let draft = value.map_err(|(fault, _)| wrong(fault))?;
        let reply = draft.reply(max_tokens).map_err(wrong)?;
        LeakCheck::new(self.exchange.key.as_ref()).push(&reply.text).map_err(wrong)?;
        Ok(Reply { usage, requests, ..reply })
    }
}

/// How many requests may still be sent for a call.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// Of those that may cost something.
    paid_requests: Option<u32>,
    /// Requests of the whole run.
    requests: Option<u32>,
}

/// The most a request may take.
fn allowance(request: &Request, max_tokens: u32, left: Left) -> Allowance {
    let said: usize = request.messages.iter().map(|message| message.text.len()).sum();
    let read = (said + request.system.len()).div_ceil(TOKEN_BYTES);
    let read = u64::try_from(read).unwrap_or(u64::MAX);
    let tokens = read.saturating_add(u64::from(max_tokens));
    let Left { paid_requests, requests } = left;
    Allowance { tokens, paid_requests, requests }
}
