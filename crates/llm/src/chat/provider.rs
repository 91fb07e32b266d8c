//! Who speaks which format: where its calls go, how it wants its key, what it sends and says.

use std::str::FromStr;

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::draft::Draft;
use super::form::Asked;
use super::frames::Framing;
use super::telling::Event;
use super::{Request, Role, Usage, anthropic, gemini, ollama, openai, responses};
use crate::error::{Fault, LlmError};
use crate::key::Key;

/// Which format a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// `OpenAI`'s chat completions, and the many servers that copy them.
    OpenAi,
    /// `OpenAI`'s responses.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Ollama's own chat.
    Ollama,
}

impl Provider {
    /// Every format.
    pub const ALL: [Self; 5] =
        [Self::OpenAi, Self::OpenAiResponses, Self::Anthropic, Self::Gemini, Self::Ollama];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// Where its maker's own server is.
    pub fn usual_address(self) -> &'static str {
        match self {
            Self::OpenAi | Self::OpenAiResponses => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
            Self::Gemini => "https://generativelanguage.googleapis.com",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The variable in which people keep the key for that server, if it wants one.
    pub fn usual_variable(self) -> Option<&'static str> {
        match self {
            Self::OpenAi | Self::OpenAiResponses => Some("OPENAI_API_KEY"),
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::Gemini => Some("GEMINI_API_KEY"),
            Self::Ollama => None,
        }
    }

    /// Where its calls go, below the address.
    pub(crate) fn path(self, model: &str) -> String {
        match self {
            Self::OpenAi => "/chat/completions".to_owned(),
            Self::OpenAiResponses => "/responses".to_owned(),
            Self::Anthropic => "/v1/messages".to_owned(),
            Self::Gemini => gemini::path(model),
            Self::Ollama => "/api/chat".to_owned(),
        }
    }

    /// Where its streams are asked for, below the address, and with which query.
    pub(crate) fn stream_path(self, model: &str) -> (String, Option<&'static str>) {
        if self == Self::Gemini {
            let (path, query) = gemini::stream_path(model);
            return (path, Some(query));
        }
        (self.path(model), None)
    }

    /// How its streams are cut.
    pub(crate) fn framing(self) -> Framing {
        match self {
            Self::OpenAi | Self::OpenAiResponses | Self::Anthropic | Self::Gemini => {
                Framing::Events
            }
            Self::Ollama => Framing::Lines,
        }
    }

    /// What goes with every call: the key as it wants it, and a version.
    pub(crate) fn headers(self, key: Option<&Key>) -> HeaderMap {
        let named = |name| key.map(|key| key.named(name)).unwrap_or_default();
        match self {
            Self::OpenAi | Self::OpenAiResponses | Self::Ollama => {
                key.map(Key::bearer).unwrap_or_default()
            }
            Self::Gemini => named("x-goog-api-key"),
            Self::Anthropic => {
                let mut headers = named("x-api-key");
                headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
                headers
            }
        }
    }

    /// The body of a request in this provider's form.
    pub(crate) fn body(self, call: &Call<'_>) -> Value {
        match self {
            Self::OpenAi => openai::body(call),
            Self::OpenAiResponses => responses::body(call),
            Self::Anthropic => anthropic::body(call),
            Self::Gemini => gemini::body(call),
            Self::Ollama => ollama::body(call),
        }
    }

    /// What an answer says; or what is wrong with it.
    pub(crate) fn read(self, answer: &Value) -> Result<Draft, String> {
        match self {
            Self::OpenAi => openai::read(answer),
            Self::OpenAiResponses => responses::read(answer),
            Self::Anthropic => anthropic::read(answer),
            Self::Gemini => gemini::read(answer),
            Self::Ollama => ollama::read(answer),
        }
    }
}

impl Provider {
    /// The tokens an answer counts, whatever else is wrong with it.
    pub(crate) fn usage(self, answer: &Value) -> Usage {
        match self {
            Self::OpenAi => openai::counted(answer),
            Self::OpenAiResponses => responses::counted(answer),
            Self::Anthropic => anthropic::counted(answer.get("usage")),
            Self::Gemini => gemini::counted(answer),
            Self::Ollama => ollama::counted(answer),
        }
    }

    /// What an event of a stream says. An event of an unknown kind says nothing.
    pub(crate) fn event(self, event: &Value) -> Event {
        match self {
            Self::OpenAi => openai::event(event),
            Self::OpenAiResponses => responses::event(event),
            Self::Anthropic => anthropic::event(event),
            Self::Gemini => gemini::event(event),
            Self::Ollama => ollama::event(event),
        }
    }
}

impl FromStr for Provider {
    type Err = LlmError;

    fn from_str(text: &str) -> Result<Self, LlmError> {
        Self::ALL.into_iter().find(|provider| provider.name() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            LlmError::new("provider", Fault::Setup(format!("there is no {text:?}; known: {known}")))
        })
    }
}

/// What a tool that stands for a form says of itself.
pub(crate) const TOOL: &str = "Takes the reply. Call it once, with the whole reply.";

/// A request with everything settled.
#[derive(Debug)]
pub(crate) struct Call<'r> {
    pub(crate) model: &'r str,
    pub(crate) request: &'r Request,
    pub(crate) max_tokens: u32,
    pub(crate) temperature: Option<f64>,
    /// In which form the reply is asked for.
    pub(crate) asked: &'r Asked,
    /// Whether the words are wanted as they come.
    pub(crate) streamed: bool,
    /// The machine it goes to.
    pub(crate) host: &'r str,
}

impl Call<'_> {
    /// The messages as most formats have them.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let role = |role| match role {
            Role::User => "user",
            Role::Model => "assistant",
        };
        let messages = self.request.messages.iter();
        messages.map(|said| json!({"role": role(said.role), "content": said.text})).collect()
    }

    /// Reads messages of which the first says who the model is to be.
    pub(crate) fn messages_with_system(&self) -> Vec<Value> {
        let system = &self.request.system;
        let first = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
        first.into_iter().chain(self.messages()).collect()
    }
}

/// Adds what is there. A field that is left out lets a server have its own way, and old ones refuse
/// what they do not know.
pub(crate) fn put(body: &mut Value, name: &str, value: Option<Value>) {
    if let (Some(fields), Some(value)) = (body.as_object_mut(), value) {
        fields.insert(name.to_owned(), value);
    }
}
