//! What can go wrong with a server, said so that a user can act on it.

use std::fmt;
use std::time::Duration;

use rebuttal_semantics::SemanticsError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::chat::{Usage, one_request};

/// Why a server gave no usable answer: which one, what happened, what to try.
#[derive(Clone, Debug, Error, Serialize, Deserialize)]
#[error("{endpoint}: {fault}")]
pub struct LlmError {
    endpoint: String,
    fault: Fault,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<usize>,
    #[serde(default)]
    usage: Usage,
    #[serde(default = "one_request")]
    requests: u32,
}

/// For whoever implements an agent of their own.
impl LlmError {
    /// An agent that failed for good: the same call would fail again.
    pub fn failed(agent: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(agent, Fault::Agent { reason: reason.into(), temporary: false })
    }

    /// An agent that failed in a way that may pass: the same call may succeed later.
    pub fn temporary(agent: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::new(agent, Fault::Agent { reason: reason.into(), temporary: true })
    }

    /// An agent that gave no complete answer in this time.
    pub fn timed_out(agent: impl Into<String>, limit: Duration) -> Self {
        Self::new(agent, Fault::Timeout(limit))
    }

    /// An agent that would not answer, in its own words.
    pub fn declined(agent: impl Into<String>, words: impl Into<String>) -> Self {
        Self::new(agent, Fault::Declined(words.into()))
    }

    /// An agent whose reply reached this limit of tokens before its end.
    pub fn cut_short(agent: impl Into<String>, max_tokens: u32) -> Self {
        Self::new(agent, Fault::CutShort { max_tokens })
    }

    /// Sets what the call cost although nothing came of it.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Sets how many requests were sent.
    #[must_use]
    pub fn with_requests(mut self, requests: u32) -> Self {
        self.requests = requests;
        self
    }
}

impl LlmError {
    /// A fault at an endpoint.
    pub(crate) fn new(endpoint: impl Into<String>, fault: Fault) -> Self {
        let (text, usage) = (None, Usage::default());
        Self { endpoint: endpoint.into(), fault, text, usage, requests: one_request() }
    }

    /// What the call cost although nothing came of it, as far as the server said.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// How many requests were sent before it was given up.
    pub fn requests(&self) -> u32 {
        self.requests
    }

    /// Whether the call may have cost something: a server that refuses with a status, or is not
    /// there, charges nothing.
    pub fn may_have_cost(&self) -> bool {
        self.usage != Usage::default() || self.fault.may_have_cost()
    }

    /// What happened, in a word that stays the same: for journals and tables.
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }

    /// Blames one of the texts.
    pub(crate) fn about(mut self, text: usize) -> Self {
        self.text = Some(text);
        self
    }

    /// Which of the texts handed over is to blame, counted from 0, where that is known.
    pub fn text(&self) -> Option<usize> {
        self.text
    }

    /// Whether a text was longer than the model reads.
    pub fn is_too_long(&self) -> bool {
        matches!(self.fault, Fault::TooLong { .. })
    }

    /// Whether the key is missing, unreadable, or none.
    pub fn is_about_the_key(&self) -> bool {
        matches!(self.fault, Fault::Key(_))
    }

    /// Whether the exchange could not be recorded. The model may have answered; whoever asked should
    /// stop, because the next exchange will not be recorded either.
    pub fn is_about_recording(&self) -> bool {
        matches!(self.fault, Fault::NotRecorded(_))
    }

    /// Whether the reply ended before it was finished, because it may not be longer.
    pub fn is_cut_short(&self) -> bool {
        matches!(self.fault, Fault::CutShort { .. })
    }

    /// Whether the model, or a filter before or behind it, would not answer.
    pub fn is_refusal(&self) -> bool {
        matches!(self.fault, Fault::Declined(_) | Fault::Filtered(_))
    }

    /// Whether the same call may well succeed later: the server was busy, broken or away.
    pub fn is_transient(&self) -> bool {
        match &self.fault {
            Fault::Unreachable(_)
            | Fault::Broken { .. }
            | Fault::BrokeOff { .. }
            | Fault::Timeout(_)
            | Fault::Stalled(_)
            | Fault::Busy(_)
            | Fault::Queue(_)
            | Fault::Tripped { .. }
            | Fault::Agent { temporary: true, .. } => true,
            Fault::Status { code, .. } => is_retried(*code),
            _ => false,
        }
    }
}

impl From<LlmError> for SemanticsError {
    fn from(error: LlmError) -> Self {
        let LlmError { endpoint, fault, text, .. } = error;
        Self::Endpoint { endpoint, reason: fault.to_string(), text }
    }
}

/// Whether a status says that the same request may be sent again.
pub(crate) fn is_retried(code: u16) -> bool {
    matches!(code, 408 | 429 | 500..=599)
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fault {
    /// Not the address of a server.
    Address(String),
    /// A key that cannot be had.
    Key(String),
    /// A key that would travel unencrypted.
    PlainHttp,
    /// The client could not be set up.
    Setup(String),
    /// Nobody answers there.
    Unreachable(String),
    /// The connection broke while the answer was awaited or read.
    Broken { attempts: u32, reason: String },
    /// No answer in time.
    Timeout(Duration),
    /// Silence in the middle of an answer.
    Stalled(Duration),
    /// The server gave up in the middle of its answer, in its own words.
    BrokeOff { attempts: u32, reason: String },
    /// Our own limit on requests leaves no room in time.
    Queue(Duration),
    /// It failed too often to be asked again now.
    Tripped { failures: u32, rest: Duration },
    /// Not what was recorded.
    Unrecorded(String),
    /// An exchange that could not be written down, though it was asked for.
    NotRecorded(String),
    /// The server asks for a wait beyond our patience.
    Busy(Duration),
    /// The server says no.
    Status { code: u16, message: String, attempts: u32 },
    /// The server points elsewhere.
    Redirect(String),
    /// The server's answer does not end.
    Oversize(usize),
    /// An answer that is not what was asked for.
    Garbled(String),
    /// More than the model reads: one text of several, or the whole request.
    TooLong { text: Option<usize>, message: String },
    /// An account that pays for nothing more.
    NoCredit(String),
    /// A reply that reached its limit before its end.
    CutShort { max_tokens: u32 },
    /// A model that would not answer.
    Declined(String),
    /// A filter that would not let the request or the reply pass.
    Filtered(String),
    /// A reply without a word.
    Empty(String),
    /// Vectors of another length than before.
    Dimensions { before: usize, now: usize },
    /// An agent of somebody else's making failed, in its own words.
    Agent { reason: String, temporary: bool },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(reason) => write!(f, "not the address of a server: {reason}"),
            Self::Key(reason)
            | Self::Setup(reason)
            | Self::Unrecorded(reason)
            | Self::Agent { reason, .. } => f.write_str(reason),
            Self::PlainHttp => f.write_str(
                "the key would travel unencrypted to another machine; use https, or allow plain \
                 HTTP outright",
            ),
            Self::Unreachable(reason) => write!(
                f,
                "cannot be reached: {reason}; is the server running, and is the address right?"
            ),
            Self::Broken { attempts, reason } => {
                write!(f, "the connection broke ({reason}), {}", times(*attempts))
            }
            Self::Timeout(limit) => {
                write!(f, "no complete answer in {limit:?}; send less at once, or allow more time")
            }
            Self::Stalled(limit) => {
                write!(
                    f,
                    "the reply stopped for {limit:?} in the middle; try again, or ask another agent"
                )
            }
            Self::BrokeOff { attempts, reason } => {
                write!(f, "the server broke off ({reason}), {}; {LATER}", times(*attempts))
            }
            Self::Queue(wait) => write!(
                f,
                "its limit of requests or tokens a minute leaves no room for another {} seconds; \
                 raise the limit, or ask less at once",
                wait.as_secs().max(1)
            ),
            Self::Tripped { failures, rest } => write!(
                f,
                "it failed {} and is left alone for another {} seconds",
                times(*failures),
                rest.as_secs().max(1)
            ),
            Self::Busy(wait) => {
                write!(f, "the server asks to wait {} seconds; try again then", wait.as_secs())
            }
            Self::Status { code, message, attempts } => status(f, *code, message, *attempts),
            Self::Redirect(to) => write!(
                f,
                "redirects to {to}, which is not followed: a key must not reach a host you did \
                 not name; write the right address"
            ),
            Self::Oversize(limit) => {
                write!(f, "the answer is longer than {limit} bytes; is this the right server?")
            }
            Self::Garbled(reason) => {
                write!(
                    f,
                    "the answer is not what was asked for: {reason}; does it speak another format?"
                )
            }
            Self::NotRecorded(_)
            | Self::TooLong { .. }
            | Self::NoCredit(_)
            | Self::CutShort { .. }
            | Self::Declined(_)
            | Self::Filtered(_)
            | Self::Empty(_)
            | Self::Dimensions { .. } => self.on_the_content(f),
        }
    }
}

/// What to try with a server in trouble.
const LATER: &str = "try again later, or ask another agent";

/// What to try with a model that will not.
const ELSEWHERE: &str = "ask in other words, or ask another agent";

impl Fault {
    /// What is wrong with what was sent or said, and not with the connection.
    fn on_the_content(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { text, message } => {
                match text {
                    Some(text) => write!(f, "text {text}")?,
                    None => f.write_str("the request")?,
                }
                write!(f, " is longer than the model reads; shorten it ({message})")
            }
            Self::NoCredit(message) => write!(
                f,
                "the account has no credit left ({message}); add some, or ask another agent"
            ),
            Self::CutShort { max_tokens } => write!(
                f,
                "the reply was cut off before its end, at most {max_tokens} tokens; raise \
                 `max_tokens`, or ask for less"
            ),
            Self::Declined(words) => {
                write!(f, "declined to answer{}; {ELSEWHERE}", in_brackets(words))
            }
            Self::Filtered(why) => {
                write!(f, "a content filter stepped in{}; {ELSEWHERE}", in_brackets(why))
            }
            Self::Empty(why) => {
                write!(f, "the reply is empty{}; ask again, or ask another agent", in_brackets(why))
            }
            Self::Dimensions { before, now } => write!(
                f,
                "vectors of {now} numbers where there were {before} before; two models answer \
                 under one name"
            ),
            Self::NotRecorded(reason) => write!(
                f,
                "the exchange could not be recorded: {reason}; free some space, or record elsewhere"
            ),
            _ => Ok(()),
        }
    }

    /// Whether a request that ended like this may have been charged: it reached a model.
    pub(crate) fn may_have_cost(&self) -> bool {
        match self {
            Self::Broken { .. }
            | Self::Timeout(_)
            | Self::Stalled(_)
            | Self::BrokeOff { .. }
            | Self::Oversize(_)
            | Self::Garbled(_)
            | Self::CutShort { .. }
            | Self::Declined(_)
            | Self::Filtered(_)
            | Self::Empty(_)
            | Self::NotRecorded(_)
            | Self::Agent { .. } => true,
            Self::Address(_)
            | Self::Key(_)
            | Self::PlainHttp
            | Self::Setup(_)
            | Self::Unreachable(_)
            | Self::Queue(_)
            | Self::Tripped { .. }
            | Self::Unrecorded(_)
            | Self::Busy(_)
            | Self::Status { .. }
            | Self::Redirect(_)
            | Self::TooLong { .. }
            | Self::NoCredit(_)
            | Self::Dimensions { .. } => false,
        }
    }

    /// A short name for it, stable between releases.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Address(_) => "address",
            Self::Key(_) => "key",
            Self::PlainHttp => "plain-http",
            Self::Setup(_) => "setup",
            Self::Unreachable(_) => "unreachable",
            Self::Broken { .. } => "broken",
            Self::Timeout(_) => "timeout",
            Self::Stalled(_) => "stalled",
            Self::BrokeOff { .. } => "broke-off",
            Self::Queue(_) => "queue",
            Self::Tripped { .. } => "tripped",
            Self::Unrecorded(_) => "unrecorded",
            Self::NotRecorded(_) => "not-recorded",
            Self::Busy(_) => "busy",
            Self::Status { .. } => "status",
            Self::Redirect(_) => "redirect",
            Self::Oversize(_) => "oversize",
            Self::Garbled(_) => "garbled",
            Self::TooLong { .. } => "too-long",
            Self::NoCredit(_) => "no-credit",
            Self::CutShort { .. } => "cut-short",
            Self::Declined(_) => "declined",
            Self::Filtered(_) => "filtered",
            Self::Empty(_) => "empty",
            Self::Dimensions { .. } => "dimensions",
            Self::Agent { .. } => "failed",
        }
    }

    /// Changes the words of a server: it may repeat a key in them.
    pub(crate) fn with_words(self, shown: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::Declined(words) => Self::Declined(shown(&words)),
            Self::Filtered(words) => Self::Filtered(shown(&words)),
            Self::Empty(words) => Self::Empty(shown(&words)),
            Self::Garbled(words) => Self::Garbled(shown(&words)),
            Self::NoCredit(words) => Self::NoCredit(shown(&words)),
            Self::Redirect(to) => Self::Redirect(shown(&to)),
            Self::BrokeOff { attempts, reason } => {
                Self::BrokeOff { attempts, reason: shown(&reason) }
            }
            Self::Broken { attempts, reason } => Self::Broken { attempts, reason: shown(&reason) },
            Self::TooLong { text, message } => Self::TooLong { text, message: shown(&message) },
            Self::Status { code, message, attempts } => {
                Self::Status { code, message: shown(&message), attempts }
            }
            fault => fault,
        }
    }

    /// Sets after how many attempts it came.
    pub(crate) fn after(self, attempts: u32) -> Self {
        match self {
            Self::Broken { reason, .. } => Self::Broken { attempts, reason },
            Self::BrokeOff { reason, .. } => Self::BrokeOff { attempts, reason },
            Self::Status { code, message, .. } => Self::Status { code, message, attempts },
            fault => fault,
        }
    }
}

/// ` (…)`, or nothing where there are no words.
fn in_brackets(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(" ({words})") }
}

/// How often it was tried, in words.
fn times(attempts: u32) -> String {
    if attempts == 1 { "once".to_owned() } else { format!("{attempts} times in a row") }
}

/// Says which status a server answered, how often, and in which words.
fn status(f: &mut fmt::Formatter<'_>, code: u16, message: &str, attempts: u32) -> fmt::Result {
    write!(f, "answered {code}")?;
    if attempts > 1 {
        write!(f, " {}", times(attempts))?;
    }
    if !message.is_empty() {
        write!(f, " ({message})")?;
    }
    f.write_str(match code {
        401 | 403 => "; check the key",
        404 => "; check the address, its format and the model's name",
        408 | 429 => "; it has too much to do: try again later",
        500..=599 => "; the fault is the server's: try again later, or look into its log",
        _ => "; check the model's name and the settings",
    })
}
