//! An agent that says what a test wrote: no network, no model.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::draft::{Draft, End};
use super::{Chat, Reply, Request, Usage};
use crate::error::{Fault, LlmError};

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

type Play = dyn Fn(&Request) -> Scene + Send + Sync;

/// An agent that follows a script, and remembers who asked what and how many at once.
pub struct Scripted {
    id: String,
    play: Box<Play>,
    latency: Duration,
    seen: Mutex<Seen>,
}

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
        let (play, seen) = (Box::new(play), Mutex::default());
        Self { id: id.into(), play, latency: Duration::ZERO, seen }
    }

    /// The same, each call taking this long.
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
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

    fn begin(&self, request: &Request) -> usize {
        let mut seen = lock(&self.seen);
        seen.requests.push(request.clone());
        seen.under_way += 1;
        seen.peak = seen.peak.max(seen.under_way);
        let depth = seen.depth_ended + 1;
        seen.depth = seen.depth.max(depth);
        depth
    }

    fn end(&self, depth: usize) {
        let mut seen = lock(&self.seen);
        seen.under_way -= 1;
        seen.depth_ended = seen.depth_ended.max(depth);
    }
}

impl Chat for Scripted {
    fn id(&self) -> &str {
        &self.id
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        let depth = self.begin(request);
        let scene = (self.play)(request);
        if !self.latency.is_zero() {
            thread::sleep(self.latency);
        }
        self.end(depth);
        let (text, end) = match scene {
            Scene::Says(text) => (text, End::Stop),
            Scene::IsCutShort => (String::new(), End::Length),
            Scene::Declines(words) => (String::new(), End::Declined(words)),
            Scene::IsFiltered => (String::new(), End::Filtered(String::new())),
            Scene::SaysNothing => (String::new(), End::Stop),
            Scene::Answers(code) => {
                let fault = Fault::Status { code, message: String::new(), attempts: 1 };
                return Err(LlmError::new(&self.id, fault));
            }
            Scene::TimesOut => return Err(LlmError::new(&self.id, Fault::Timeout(self.latency))),
        };
        let max_tokens = request.max_tokens.unwrap_or_default();
        let draft = Draft { text, end, usage: Usage::default() };
        draft.reply(max_tokens).map_err(|fault| LlmError::new(&self.id, fault))
    }
}

/// What a panicking test leaves behind is still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_said_in_order_and_then_nothing() {
        let agent = Scripted::new("ann", ["one", "two"]);
        let ask = || agent.reply(&Request::new("?")).map(|reply| reply.text);
        assert_eq!((ask().unwrap(), ask().unwrap()), ("one".to_owned(), "two".to_owned()));
        assert!(ask().unwrap_err().to_string().starts_with("ann: the reply is empty"));
        assert_eq!((agent.requests().len(), agent.peak(), agent.depth()), (3, 1, 3));
    }

    #[test]
    fn every_scene_is_the_error_a_server_would_make() {
        for (scene, reason) in [
            (Scene::IsCutShort, "cut off before its end"),
            (Scene::Declines("no".to_owned()), "declined to answer (no)"),
            (Scene::IsFiltered, "a content filter stepped in"),
            (Scene::SaysNothing, "the reply is empty"),
            (Scene::Answers(503), "answered 503"),
            (Scene::TimesOut, "no complete answer"),
        ] {
            let error = Scripted::new("ann", [scene]).reply(&Request::default()).unwrap_err();
            assert!(error.to_string().contains(reason), "{error}");
        }
    }

    #[test]
    fn calls_at_once_are_counted() {
        let agent =
            Scripted::from_fn("ann", |_| "yes".into()).with_latency(Duration::from_millis(300));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| agent.reply(&Request::default()).unwrap());
            }
        });
        assert_eq!((agent.peak(), agent.depth()), (3, 1));
        agent.reply(&Request::default()).unwrap();
        assert_eq!((agent.peak(), agent.depth()), (3, 2));
    }
}
