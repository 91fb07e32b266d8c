//! One question to one server: sent until there is an answer, or no reason to go on.
//!
//! [`Exchange::persist`] is the only loop that sends anything again, for whole answers and for
//! streams alike. A reply of which words were heard is never asked for again here: whoever
//! listened would hear two beginnings. They may ask again themselves, and know what they heard.

use std::fmt;
use std::future::Future;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use crate::address::shown_location;
use crate::breaker::{Circuit, Health};
use crate::budget::Repeats;
use crate::chat::{Draft, Telling, Usage};
use crate::error::{Fault, LlmError, is_retried};
use crate::key::Key;
use crate::leak::LeakCheck;
use crate::rate::{Gate, Ticket};
use crate::retry::{self, Next, Retries};
use crate::said;
use crate::transport::{Answer, Opened, Transport};

/// A server, and how patient to be with it.
pub(crate) struct Exchange {
    /// Who it is, for messages.
    pub(crate) name: String,
    pub(crate) transport: Transport,
    /// The key it was given, which it may repeat.
    pub(crate) key: Option<Key>,
    pub(crate) retries: Retries,
    pub(crate) circuit: Circuit,
    pub(crate) gate: Arc<Gate>,
    pub(crate) repeats: Arc<Repeats>,
    /// Whoever wants to see what delays a reply.
    pub(crate) watch: Option<Arc<Watch>>,
    /// Spreads the waits; in `0.0..1.0`.
    pub(crate) random: fn() -> f64,
}

/// What delays a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delay {
    /// Its turn comes when the limit on requests or tokens a minute leaves room.
    Queued {
        /// How long the wait would be.
        wait: Duration,
    },
    /// A request failed in a way that may pass, and is sent again.
    Retry {
        /// How many requests were sent.
        attempts: u32,
        /// After so long.
        wait: Duration,
        /// What happened.
        reason: String,
    },
}

/// Who is told of delays.
pub type Watch = dyn Fn(&Delay) + Send + Sync;

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a call may take.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allowance {
    /// Tokens, for the limit a minute.
    pub(crate) tokens: u64,
    /// Requests that may cost something; else as many as there are attempts.
    pub(crate) paid_requests: Option<u32>,
    /// Requests, whether or not they cost something; else as many as there are attempts.
    pub(crate) requests: Option<u32>,
}

/// What the server has counted during one attempt. Kept outside the attempt, so that a time limit
/// that ends it does not lose the count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<Mutex<Usage>>);

impl Meter {
    /// The counts so far; the last is the whole.
    pub(crate) fn set(&self, usage: Usage) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = usage;
    }

    /// The tokens counted so far.
    pub(crate) fn usage(&self) -> Usage {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What came of a call, with all its attempts.
#[derive(Debug)]
pub(crate) struct Sent<T> {
    pub(crate) value: T,
    pub(crate) ticket: Ticket,
    /// What the attempts before the last cost.
    pub(crate) before: Usage,
    pub(crate) requests: u32,
}

impl<T> Sent<T> {
    /// Changes what was answered and keeps what it cost.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Sent<U> {
        let Self { value, ticket, before, requests } = self;
        Sent { value: change(value), ticket, before, requests }
    }
}

/// Why nothing came of a call, and what it cost.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) fault: Fault,
    pub(crate) usage: Usage,
    pub(crate) requests: u32,
    /// How many of them may have cost something.
    pub(crate) paid: u32,
}

/// What to make of one attempt.
#[derive(Debug)]
pub(crate) enum Judged<T> {
    Good(T),
    Again { fault: Fault, asked: Option<Duration> },
    Final(Fault),
}

impl<T> Judged<T> {
    /// What the answer says about the server, for its circuit.
    fn health(&self) -> Health {
        match self {
            Self::Good(_) => Health::Well,
            Self::Again { fault, .. } | Self::Final(fault) => Health::of(fault),
        }
    }
}

impl Exchange {
    /// An exchange without limits on requests a minute.
    pub(crate) fn new(
        name: String,
        transport: Transport,
        key: Option<Key>,
        retries: Retries,
    ) -> Self {
        let circuit = Circuit::new(crate::breaker::Breaker::default());
        let gate = Arc::new(Gate::new(crate::rate::Rate::default()));
        let repeats = Arc::new(Repeats::new(retries.budget));
        let (watch, random) = (None, retry::random);
        Self { name, transport, key, retries, circuit, gate, repeats, watch, random }
    }

    /// A fault with the name of this endpoint.
    pub(crate) fn error(&self, fault: Fault) -> LlmError {
        LlmError::new(&self.name, fault)
    }

    /// Sends one document and hands back the body of the answer.
    pub(crate) async fn send(&self, body: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let sent = self.send_counted(body, Allowance::default()).await;
        sent.map(|sent| sent.value).map_err(|failed| failed.fault)
    }

    /// Sends one document that may take this much.
    pub(crate) async fn send_counted(
        &self,
        body: Vec<u8>,
        allowance: Allowance,
    ) -> Result<Sent<Vec<u8>>, Failed> {
        let body = &body;
        let once = move |_, _| async move {
            match self.transport.post(body.clone()).await {
                Ok(answer) => self.judge(answer),
                Err(fault) => judge_fault(fault),
            }
        };
        self.persist(allowance, once).await
    }

    /// Asks for a stream at `transport`, and sends the words on as they come.
    pub(crate) async fn stream(
        &self,
        transport: &Transport,
        body: Vec<u8>,
        allowance: Allowance,
        begin: impl Fn() -> Telling,
        words: &mpsc::Sender<String>,
    ) -> Result<Sent<Draft>, Failed> {
        let (body, begin) = (&body, &begin);
        let once = move |_, meter: Meter| async move {
            let stream = match transport.open(body.clone()).await {
                Ok(Opened::Stream(stream)) => stream,
                Ok(Opened::Refusal(answer)) => return self.judge_refusal(answer),
                Err(fault) => return judge_fault(fault),
            };
            let leaks = LeakCheck::new(self.key.as_ref());
            let mut listener = Listener { words, leaks, heard: false };
            let told = tell(transport, stream, begin(), &mut listener, &meter).await;
            let heard = listener.heard;
            match told {
                Ok(draft) => Judged::Good(draft),
                Err(fault) if heard => Judged::Final(fault),
                Err(fault) => judge_fault(fault),
            }
        };
        self.persist(allowance, once).await
    }

    /// Does `once` until it succeeds, or there is no reason to go on.
    pub(crate) async fn persist<T, F: Future<Output = Judged<T>>>(
        &self,
        allowance: Allowance,
        once: impl Fn(u32, Meter) -> F,
    ) -> Result<Sent<T>, Failed> {
        let deadline = Instant::now() + self.retries.deadline;
        let (mut requests, mut paid, mut spent) = (0, 0, Usage::default());
        let mut before: Option<Fault> = None;
        loop {
            let failed = |fault| Failed { fault, usage: spent, requests, paid };
            let waits = |wait| self.tell(&Delay::Queued { wait });
            let ticket = self.gate.enter(allowance.tokens, deadline, &waits).await;
            let entered = ticket.and_then(|t| Ok((t, self.circuit.enter(Instant::now())?)));
            // What went wrong first says more than that it is not tried again.
            let (ticket, leave) =
                entered.map_err(|fault| failed(before.take().unwrap_or(fault)))?;
            match before.take() {
                None => self.repeats.first(Instant::now()),
                Some(fault) if !self.repeats.again(Instant::now()) => return Err(failed(fault)),
                Some(_) => {}
            }
            requests += 1;
            let meter = Meter::default();
            let judged = timeout_at(deadline, once(requests, meter.clone())).await;
            let judged =
                judged.unwrap_or_else(|_| Judged::Final(Fault::Timeout(self.retries.deadline)));
            leave.report(Instant::now(), judged.health());
            let (fault, again) = match judged {
                Judged::Good(value) => return Ok(Sent { value, ticket, before: spent, requests }),
                Judged::Final(fault) => (self.hidden(fault).after(requests), None),
                Judged::Again { fault, asked } => (self.hidden(fault).after(requests), Some(asked)),
            };
            spent = spent.and(meter.usage());
            paid += u32::from(fault.may_have_cost() || meter.usage() != Usage::default());
            let failed = |fault| Err(Failed { fault, usage: spent, requests, paid });
            let Some(asked) = again else { return failed(fault) };
            let wait = match self.retries.next(requests, asked, (self.random)()) {
                Next::Wait(wait) => wait,
                Next::GiveUp => return failed(fault),
                Next::TooLong(wait) => return failed(Fault::Busy(wait)),
            };
            // Nobody waits for a request that will not be sent.
            let no_money = allowance.paid_requests.is_some_and(|most| paid >= most)
                || allowance.requests.is_some_and(|most| requests >= most);
            let no_time = Instant::now() + wait >= deadline;
            if no_money || no_time || !self.repeats.has_room(Instant::now()) {
                return failed(fault);
            }
            self.tell(&Delay::Retry { attempts: requests, wait, reason: fault.to_string() });
            tokio::time::sleep(wait).await;
            before = Some(fault);
        }
    }

    /// Tells whoever watches why the request waits.
    fn tell(&self, delay: &Delay) {
        if let Some(watch) = &self.watch {
            watch(delay);
        }
    }

    /// Takes an answer apart into what was asked for, or why it cannot be used.
    fn judge(&self, answer: Answer) -> Judged<Vec<u8>> {
        if answer.is_good() { Judged::Good(answer.body) } else { self.judge_refusal(answer) }
    }

    /// What an answer with a bad status means: whether to try again, and when.
    fn judge_refusal<T>(&self, answer: Answer) -> Judged<T> {
        let Answer { status: code, headers, body } = answer;
        if matches!(code, 300..=399) {
            let to = shown_location(headers.get(reqwest::header::LOCATION));
            return Judged::Final(Fault::Redirect(to));
        }
        let message = said::message(&body).unwrap_or_else(|| said::beginning(&body));
        if said::is_too_long(code, &message) {
            return Judged::Final(Fault::TooLong { text: None, message });
        }
        if code == 429 && said::is_out_of_credit(&body) {
            return Judged::Final(Fault::NoCredit(message));
        }
        let fault = Fault::Status { code, message: self.shown(&message), attempts: 1 };
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

    /// A fault whose words may hold the key.
    pub(crate) fn hidden(&self, fault: Fault) -> Fault {
        fault.with_words(&|text| self.shown(text))
    }
}

/// Whether a fault on the way may pass.
fn judge_fault<T>(fault: Fault) -> Judged<T> {
    match fault {
        Fault::Broken { .. } | Fault::BrokeOff { .. } => Judged::Again { fault, asked: None },
        fault => Judged::Final(fault),
    }
}

/// Reads a stream to its end, and sends the words on as they come.
async fn tell(
    transport: &Transport,
    mut stream: reqwest::Response,
    mut telling: Telling,
    listener: &mut Listener<'_>,
    meter: &Meter,
) -> Result<Draft, Fault> {
    let mut begun = false;
    loop {
        let chunk = match transport.chunk(&mut stream, begun).await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => break,
            // What has ended is whole, whatever becomes of the connection.
            Err(_) if telling.has_ended() => break,
            Err(fault) => return Err(fault),
        };
        begun = true;
        let mut pieces = Vec::new();
        let flow = telling.push(chunk.as_ref(), &mut |piece| pieces.push(piece.to_owned()));
        meter.set(telling.usage());
        listener.hear(pieces).await?;
        if let ControlFlow::Break(()) = flow? {
            break;
        }
    }
    let mut pieces = Vec::new();
    let draft = telling.finish(&mut |piece| pieces.push(piece.to_owned()));
    listener.hear(pieces).await?;
    draft.map_err(|(fault, usage)| {
        meter.set(usage);
        fault
    })
}

/// Whoever hears the words.
struct Listener<'w> {
    words: &'w mpsc::Sender<String>,
    /// Looks for the key among them.
    leaks: LeakCheck,
    heard: bool,
}

impl Listener<'_> {
    /// Sends words on; whether anybody is there to hear them is not our business.
    async fn hear(&mut self, pieces: Vec<String>) -> Result<(), Fault> {
        for piece in pieces {
            self.leaks.push(&piece)?;
            self.heard = true;
            self.words.send(piece).await.ok();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
