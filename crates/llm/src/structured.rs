//! Replies in a form that can be relied on: asked for by a schema, checked by it, and asked for
//! again when they do not fit, at most twice.
//!
//! [`fit`] and [`asking_again`] are pure, for whoever runs the loop themselves; [`ask_json`] is the
//! loop.

mod repair;
mod schema;
mod strict;

use std::fmt;
use std::pin::Pin;

use serde_json::Value;

pub use repair::{Fitting, Repair, fit};
pub use schema::{Complaint, Schema};

use crate::chat::{Chat, Hear, Message, Request, Usage};
use crate::error::LlmError;

/// Most calls for one answer: the question, and asking again twice.
pub const ATTEMPTS: u32 = 3;

/// Most characters of an unfit reply that are shown to the model again.
const SHOWN_BACK: usize = 4_000;

/// One call, and what came of it.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u32,
    /// What came of it.
    pub outcome: Outcome,
    /// What it cost, as far as the server says.
    pub usage: Usage,
}

/// What came of a call.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A reply that fits, perhaps after repairs.
    Fits(Vec<Repair>),
    /// A reply that does not.
    Unfit {
        /// The reply.
        text: String,
        /// What is wrong with it.
        complaints: Vec<Complaint>,
    },
    /// No reply.
    Failed(LlmError),
}

/// What [`Witness::before`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Go {
    /// The call may leave.
    On,
    /// It may not, for this reason.
    Stop(String),
}

/// Something to await.
pub type Noted<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Whoever must know of every call before it leaves and after it came back: a budget, a journal.
/// Implemented by the engine, and by `()` for nobody.
pub trait Witness: Send + Sync {
    /// A call is about to leave; it does when this says so.
    fn before<'a>(&'a self, number: u32, request: &'a Request) -> Noted<'a, Go>;

    /// A call came back.
    fn after<'a>(&'a self, attempt: &'a Attempt) -> Noted<'a, ()>;
}

impl Witness for () {
    fn before<'a>(&'a self, _: u32, _: &'a Request) -> Noted<'a, Go> {
        Box::pin(async { Go::On })
    }

    fn after<'a>(&'a self, _: &'a Attempt) -> Noted<'a, ()> {
        Box::pin(async {})
    }
}

/// Why there is no answer. Whoever asked lets the agent abstain, and says so.
#[derive(Clone, Debug)]
pub struct NoAnswer {
    /// Why.
    pub why: Why,
    /// Every call that was made.
    pub attempts: Vec<Attempt>,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Why {
    /// No reply fitted; what was wrong with the last.
    Unfit(Vec<Complaint>),
    /// The last call failed.
    Failed(LlmError),
    /// A call was not allowed to leave.
    Stopped(String),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Failed(error) => error.fmt(f),
            Why::Stopped(reason) => write!(f, "not asked: {reason}"),
            Why::Unfit(complaints) => {
                let calls = self.attempts.len();
                write!(f, "no usable answer after {calls} calls: {}", joined(complaints))
            }
        }
    }
}

impl std::error::Error for NoAnswer {}

fn joined(complaints: &[Complaint]) -> String {
    let complaints: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    complaints.join("; ")
}

/// What calls cost together.
pub fn total(attempts: &[Attempt]) -> Usage {
    attempts.iter().fold(Usage::default(), |sum, attempt| sum.and(attempt.usage))
}

/// The request again, with the reply that did not fit and what is wrong with it.
#[must_use]
pub fn asking_again(request: &Request, reply: &str, complaints: &[Complaint]) -> Request {
    let mut request = request.clone();
    if !reply.trim().is_empty() {
        let shown: String = reply.chars().take(SHOWN_BACK).collect();
        request.messages.push(Message::model(shown));
    }
    let wrong = joined(complaints);
    let again = format!(
        "That reply cannot be used: {wrong}. Reply again with one JSON object that keeps to the \
         schema, and nothing before or after it."
    );
    // Two messages of ours in a row are refused by some servers.
    match request.messages.last_mut() {
        Some(last) if last.role == crate::chat::Role::User => {
            last.text = format!("{}\n\n{again}", last.text);
        }
        _ => request.messages.push(Message::user(again)),
    }
    request
}

/// Asks for a JSON value that keeps to `schema`, and gives it with every call that was made.
///
/// A reply that does not fit, or ended too early, is asked for again, at most twice, with a word on
/// what is wrong. `hear` is given the words of every attempt as they come; `witness` is told where
/// one ends and the next begins.
pub async fn ask_json(
    chat: &dyn Chat,
    request: &Request,
    schema: &Schema,
    hear: &Hear<'_>,
    witness: &dyn Witness,
) -> Result<(Value, Vec<Attempt>), NoAnswer> {
    let mut request = request.clone().wanting(schema.wanted());
    let first = request.clone();
    let mut attempts = Vec::new();
    for number in 1..=ATTEMPTS {
        if let Go::Stop(reason) = witness.before(number, &request).await {
            return Err(NoAnswer { why: Why::Stopped(reason), attempts });
        }
        let (attempt, value) = once(chat, &request, schema, hear, number).await;
        witness.after(&attempt).await;
        let outcome = attempt.outcome.clone();
        attempts.push(attempt);
        match (outcome, value) {
            (_, Some(value)) => return Ok((value, attempts)),
            (Outcome::Unfit { text, complaints }, None) => {
                if number == ATTEMPTS {
                    return Err(NoAnswer { why: Why::Unfit(complaints), attempts });
                }
                request = asking_again(&first, &text, &complaints);
            }
            (Outcome::Failed(error), None) => {
                let Some(complaint) = worth_asking_again(&error).filter(|_| number < ATTEMPTS)
                else {
                    return Err(NoAnswer { why: Why::Failed(error), attempts });
                };
                request = asking_again(&first, "", &[complaint]);
            }
            (Outcome::Fits(_), None) => {}
        }
    }
    Err(NoAnswer { why: Why::Unfit(Vec::new()), attempts })
}

async fn once(
    chat: &dyn Chat,
    request: &Request,
    schema: &Schema,
    hear: &Hear<'_>,
    number: u32,
) -> (Attempt, Option<Value>) {
    let reply = match chat.stream(request, hear).await {
        Ok(reply) => reply,
        Err(error) => {
            let usage = error.usage();
            return (Attempt { number, outcome: Outcome::Failed(error), usage }, None);
        }
    };
    let usage = reply.usage;
    let (outcome, value) = match fit(&reply.text, schema) {
        Ok(Fitting { value, repairs }) => (Outcome::Fits(repairs), Some(value)),
        Err(complaints) => (Outcome::Unfit { text: reply.text, complaints }, None),
    };
    (Attempt { number, outcome, usage }, value)
}

/// Whether a failure is one of the reply and not of the server.
fn worth_asking_again(error: &LlmError) -> Option<Complaint> {
    let what = match error.code() {
        "cut-short" => "it was cut off because it is too long; be brief",
        "empty" => "it was empty",
        _ => return None,
    };
    Some(Complaint { place: String::new(), what: what.to_owned() })
}

#[cfg(test)]
mod tests;
