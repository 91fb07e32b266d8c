//! An agent that says what a test wrote: no network, no model.
//!
//! [`Chat::stream`] waits on tokio's clock, which a simulation can pause, and every latency and
//! fault is drawn from a seed: the same seed is the same run.

mod chance;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::draft::{Draft, End};
use super::{Chat, Hear, Pending, Reply, Request, Usage};
use crate::error::{Fault, LlmError};
use chance::Chance;

/// What happens at one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scene {
    /// A whole reply.
    Says(String),
    /// A reply that ends in the middle.
    IsCutShort,
    /// The model will not, in these words.
    Declines(String),
    /// A filter will not.
    IsFiltered,
    /// A reply without a word.
    SaysNothing,
    /// The server answers with this status.
    Answers(u16),
    /// No answer in time.
    TimesOut,
    /// These words are heard, and then the connection breaks.
    BreaksOff(String),
    /// Never an answer: a stream waits until nobody waits for it. Where a thread would be held,
    /// this times out.
    NeverAnswers,
}

impl From<&str> for Scene {
    fn from(text: &str) -> Self {
        Self::Says(text.to_owned())
    }
}

impl From<String> for Scene {
    fn from(text: String) -> Self {
        Self::Says(text)
    }
}

/// Says what happens on a call, by its number.
type Play = dyn Fn(u32, &Request) -> Scene + Send + Sync;

/// How long calls take.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Latency {
    Fixed(Duration),
    LogNormal { median: Duration, sigma: f64, seed: u64 },
}

/// Which calls go wrong.
#[derive(Clone, Debug)]
struct Faults {
    seed: u64,
    share: f64,
    scenes: Vec<Scene>,
}

/// An agent that follows a script, and remembers who asked what and how many at once.
pub struct Scripted {
    id: String,
    play: Box<Play>,
    latency: Latency,
    faults: Option<Faults>,
    counts: bool,
    seen: Mutex<Seen>,
}

/// What was asked so far.
#[derive(Debug, Default)]
struct Seen {
    requests: Vec<Request>,
    under_way: usize,
    peak: usize,
    /// The longest chain among the calls that have ended.
    depth_ended: usize,
    depth: usize,
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Scripted {
    /// Says these in order, then fails: a test that asks too often shall see it.
    pub fn new<S: Into<Scene>>(id: impl Into<String>, scenes: impl IntoIterator<Item = S>) -> Self {
        let scenes: VecDeque<Scene> = scenes.into_iter().map(Into::into).collect();
        let scenes = Mutex::new(scenes);
        Self::from_fn(id, move |_| lock(&scenes).pop_front().unwrap_or(Scene::SaysNothing))
    }

    /// Says what a function makes of the request.
    pub fn from_fn(
        id: impl Into<String>,
        play: impl Fn(&Request) -> Scene + Send + Sync + 'static,
    ) -> Self {
        Self::by_call(id, move |_, request| play(request))
    }

    /// Says what a function makes of the number of the call, counted from 0, and the request. An
    /// agent that is asked once a round has the round in the number.
    pub fn by_call(
        id: impl Into<String>,
        play: impl Fn(u32, &Request) -> Scene + Send + Sync + 'static,
    ) -> Self {
        Self {
            id: id.into(),
            play: Box::new(play),
            latency: Latency::Fixed(Duration::ZERO),
            faults: None,
            counts: false,
            seen: Mutex::default(),
        }
    }

    /// Makes each call take this long.
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = Latency::Fixed(latency);
        self
    }

    /// Makes calls take as long as models do: half of them longer than `median`, a few much
    /// longer (log-normal, with `sigma` the spread of the logarithm). One seed, agent and call
    /// take the same time.
    #[must_use]
    pub fn with_log_normal_latency(mut self, median: Duration, sigma: f64, seed: u64) -> Self {
        self.latency = Latency::LogNormal { median, sigma, seed };
        self
    }

    /// Makes this share of the calls, drawn by `seed`, one of these scenes instead.
    #[must_use]
    pub fn with_faults(mut self, seed: u64, share: f64, scenes: Vec<Scene>) -> Self {
        self.faults = Some(Faults { seed, share, scenes });
        self
    }

    /// Counts tokens: one for every four bytes, as models roughly do.
    #[must_use]
    pub fn counting(mut self) -> Self {
        self.counts = true;
        self
    }

    /// Every request so far, in the order they came.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.seen).requests.clone()
    }

    /// Most calls under way at once.
    pub fn peak(&self) -> usize {
        lock(&self.seen).peak
    }

    /// The longest chain of calls each of which began after the one before had ended. Times the
    /// latency of a call, this is how long the calls take, whatever the machine.
    pub fn depth(&self) -> usize {
        lock(&self.seen).depth
    }

    /// Notes a request, and gives it a number.
    fn begin(&self, request: &Request) -> Turn<'_> {
        let mut seen = lock(&self.seen);
        let number = u32::try_from(seen.requests.len()).unwrap_or(u32::MAX);
        seen.requests.push(request.clone());
        seen.under_way += 1;
        seen.peak = seen.peak.max(seen.under_way);
        let depth = seen.depth_ended + 1;
        seen.depth = seen.depth.max(depth);
        Turn { agent: self, number, depth }
    }

    /// What happens on this call.
    fn scene(&self, number: u32, request: &Request) -> Scene {
        if let Some(Faults { seed, share, scenes }) = &self.faults {
            let mut chance = Chance::new(*seed, &self.id, number);
            if chance.unit() < *share
                && let Some(scene) = chance.pick(scenes)
            {
                return scene.clone();
            }
        }
        (self.play)(number, request)
    }

    /// How long this call takes.
    fn latency(&self, number: u32) -> Duration {
        match self.latency {
            Latency::Fixed(latency) => latency,
            Latency::LogNormal { median, sigma, seed } => {
                let stretch = (sigma * Chance::new(seed, &self.id, number).normal()).exp();
                Duration::try_from_secs_f64(median.as_secs_f64() * stretch).unwrap_or(Duration::MAX)
            }
        }
    }

    /// What comes of a scene.
    fn outcome(
        &self,
        scene: Scene,
        request: &Request,
        latency: Duration,
    ) -> Result<Reply, LlmError> {
        let fail = |fault| Err(LlmError::new(&self.id, fault));
        let (text, end) = match scene {
            Scene::Says(text) => (text, End::Stop),
            Scene::IsCutShort => (String::new(), End::Length),
            Scene::Declines(words) => (String::new(), End::Declined(words)),
            Scene::IsFiltered => (String::new(), End::Filtered(String::new())),
            Scene::SaysNothing => (String::new(), End::Stop),
            Scene::Answers(code) => {
                return fail(Fault::Status { code, message: String::new(), attempts: 1 });
            }
            Scene::TimesOut | Scene::NeverAnswers => return fail(Fault::Timeout(latency)),
            Scene::BreaksOff(_) => {
                return fail(Fault::Broken { attempts: 1, reason: "as scripted".to_owned() });
            }
        };
        let usage = if self.counts { counted(request, &text) } else { Usage::default() };
        let max_tokens = request.max_tokens.unwrap_or_default();
        let draft = Draft { text, usage, end, ..Draft::default() };
        draft.reply(max_tokens).map_err(|fault| LlmError::new(&self.id, fault).with_usage(usage))
    }
}

/// A token for every four bytes.
fn counted(request: &Request, text: &str) -> Usage {
    let tokens = |bytes: usize| u64::try_from(bytes.div_ceil(4)).ok();
    let said = request.messages.iter().map(|message| message.text.len()).sum::<usize>();
    Usage { input: tokens(said + request.system.len()), output: tokens(text.len()) }
}

/// A call under way; dropped when it ends, or when nobody waits for it any longer.
struct Turn<'a> {
    agent: &'a Scripted,
    number: u32,
    depth: usize,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut seen = lock(&self.agent.seen);
        seen.under_way -= 1;
        seen.depth_ended = seen.depth_ended.max(self.depth);
    }
}

impl Chat for Scripted {
    fn id(&self) -> &str {
        &self.id
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        let turn = self.begin(request);
        let scene = self.scene(turn.number, request);
        let latency = self.latency(turn.number);
        if !latency.is_zero() {
            thread::sleep(latency);
        }
        drop(turn);
        self.outcome(scene, request, latency)
    }

    /// Must be awaited inside a tokio runtime where there is a latency.
    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear) -> Pending<'a> {
        Box::pin(async move {
            let turn = self.begin(request);
            let scene = self.scene(turn.number, request);
            let latency = self.latency(turn.number);
            if !latency.is_zero() {
                tokio::time::sleep(latency).await;
            }
            if scene == Scene::NeverAnswers {
                std::future::pending::<()>().await;
            }
            if let Scene::Says(text) | Scene::BreaksOff(text) = &scene {
                text.split_inclusive(' ').for_each(hear);
            }
            drop(turn);
            self.outcome(scene, request, latency)
        })
    }
}

/// What a panicking test leaves behind is still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
