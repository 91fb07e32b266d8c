//! A model on a server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::provider::Call;
use super::{Chat, Provider, Reply, Request};
use crate::address::{Address, PlainHttp};
use crate::error::{Fault, LlmError};
use crate::exchange::Exchange;
use crate::key::KeyRef;
use crate::retry::Retries;
use crate::said;
use crate::transport::{Timeouts, Transport};
use crate::worker::Worker;

/// Longest reply read, in bytes. The longest replies of the most talkative models have some hundred
/// thousand tokens of some five bytes.
const REPLY_BYTES: usize = 4 << 20;

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
}

impl ChatSettings {
    /// Enough for some pages and the thinking before them, and no bill to be afraid of.
    pub const MAX_TOKENS: u32 = 8192;
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
        }
    }
}

/// A model that runs on a server.
///
/// May be used and dropped anywhere, also inside an async runtime, where it blocks: requests run
/// on a thread of its own, as many side by side as there are callers.
pub struct ChatEndpoint {
    server: Arc<Server>,
    worker: Worker,
}

/// What the requests share.
#[derive(Debug)]
struct Server {
    settings: ChatSettings,
    exchange: Exchange,
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
        let key = key.as_ref().map(KeyRef::read).transpose()?;
        let headers = provider.headers(key.as_ref());
        let transport = Transport::new(url.clone(), headers, *timeouts, REPLY_BYTES)?;
        let worker = Worker::start().map_err(|error| refuse(&format!("no thread: {error}")))?;
        let exchange = Exchange { name, transport, key, retries: settings.retries };
        Ok(Self { server: Arc::new(Server { settings, exchange }), worker })
    }
}

impl Chat for ChatEndpoint {
    fn id(&self) -> &str {
        &self.server.settings.id
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        let (server, request) = (Arc::clone(&self.server), request.clone());
        let reply = self.worker.run(async move { server.reply(&request).await });
        let gone = || Err(Fault::Setup("the thread that asks it ended".to_owned()));
        reply.unwrap_or_else(gone).map_err(|fault| self.server.exchange.error(fault))
    }
}

/// A name may stand in an address, so it must not be able to lead elsewhere.
fn is_model(name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "-_.:/@+".contains(c);
    !name.is_empty() && name.chars().all(is_part) && !name.split('/').any(|part| part == "..")
}

impl Server {
    async fn reply(&self, request: &Request) -> Result<Reply, Fault> {
        let ChatSettings { provider, address, model, .. } = &self.settings;
        let max_tokens = request.max_tokens.unwrap_or(self.settings.max_tokens).max(1);
        let temperature = request.temperature.or(self.settings.temperature);
        let call = Call {
            model,
            request,
            max_tokens,
            temperature: temperature.filter(|temperature| temperature.is_finite()),
            host: address.host(),
        };
        let body = provider.body(&call).to_string().into_bytes();
        let answer = self.exchange.send(body).await?;
        self.read(&answer)?.reply(max_tokens).map_err(|fault| self.hidden(fault))
    }

    fn read(&self, answer: &[u8]) -> Result<super::draft::Draft, Fault> {
        let garbled = |reason: &str| Fault::Garbled(self.exchange.shown(reason));
        let parsed: Value = serde_json::from_slice(answer).map_err(|error| {
            garbled(&format!("{error}; it begins {:?}", said::beginning(answer)))
        })?;
        self.settings.provider.read(&parsed).map_err(|reason| match said::message_in(&parsed) {
            // Some servers report errors with status 200.
            Some(message) => garbled(&format!("an error: {message}")),
            None => garbled(&reason),
        })
    }

    /// Words of a server may hold the key here as well.
    fn hidden(&self, fault: Fault) -> Fault {
        let shown = |words: String| self.exchange.shown(&words);
        match fault {
            Fault::Declined(words) => Fault::Declined(shown(words)),
            Fault::Filtered(words) => Fault::Filtered(shown(words)),
            Fault::Empty(words) => Fault::Empty(shown(words)),
            Fault::Garbled(words) => Fault::Garbled(shown(words)),
            fault => fault,
        }
    }
}
