//! One question to one server: sent until there is an answer, or no reason to go on.

use std::time::Duration;

use crate::address::shown_location;
use crate::error::{Fault, LlmError, is_retried};
use crate::key::Key;
use crate::retry::{self, Next, Retries};
use crate::said;
use crate::transport::{Answer, Transport};

/// A server, and how patient to be with it.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Who it is, for messages.
    pub(crate) name: String,
    pub(crate) transport: Transport,
    /// The key it was given, which it may repeat.
    pub(crate) key: Option<Key>,
    pub(crate) retries: Retries,
}

/// What to make of one attempt.
enum Judged {
    Good(Vec<u8>),
    Again { fault: Fault, asked: Option<Duration> },
    Final(Fault),
}

impl Exchange {
    pub(crate) fn error(&self, fault: Fault) -> LlmError {
        LlmError::new(&self.name, fault)
    }

    /// Sends one document and hands back the body of the answer. This loop is the only layer of
    /// retries.
    pub(crate) async fn send(&self, body: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let mut attempt = 1;
        loop {
            let (fault, asked) = match self.once(body.clone(), attempt).await {
                Judged::Good(body) => return Ok(body),
                Judged::Final(fault) => return Err(fault),
                Judged::Again { fault, asked } => (fault, asked),
            };
            match self.retries.next(attempt, asked, retry::random()) {
                Next::Wait(wait) => tokio::time::sleep(wait).await,
                Next::GiveUp => return Err(fault),
                Next::TooLong(wait) => return Err(Fault::Busy(wait)),
            }
            attempt += 1;
        }
    }

    async fn once(&self, body: Vec<u8>, attempt: u32) -> Judged {
        match self.transport.post(body).await {
            Ok(answer) => self.judge(answer, attempt),
            Err(Fault::Broken { reason, .. }) => {
                Judged::Again { fault: Fault::Broken { attempts: attempt, reason }, asked: None }
            }
            Err(fault) => Judged::Final(fault),
        }
    }

    fn judge(&self, answer: Answer, attempt: u32) -> Judged {
        let Answer { status: code, headers, body } = answer;
        match code {
            200..=299 => return Judged::Good(body),
            300..=399 => {
                let to = shown_location(headers.get(reqwest::header::LOCATION));
                return Judged::Final(Fault::Redirect(self.shown(&to)));
            }
            _ => {}
        }
        let message = said::message(&body).unwrap_or_else(|| said::beginning(&body));
        let message = self.shown(&message);
        if said::is_too_long(code, &message) {
            return Judged::Final(Fault::TooLong { text: None, message });
        }
        if code == 429 && said::is_out_of_credit(&body) {
            return Judged::Final(Fault::NoCredit(message));
        }
        let fault = Fault::Status { code, message, attempts: attempt };
        if is_retried(code) {
            let asked = retry::asked_wait(&headers).or_else(|| said::asked_wait(&body));
            Judged::Again { fault, asked }
        } else {
            Judged::Final(fault)
        }
    }

    /// What a server wrote, without the key it may have repeated.
    pub(crate) fn shown(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text))
    }
}
