//! An agent that a local model speaks for.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::sync::mpsc;

use super::model::LocalModel;
use super::sample::Sampling;
use super::shape::Shape;
use super::write::Writer;
use crate::chat::{Chat, Hear, Pending, Reply, Request, Usage, Wanted};
use crate::error::{Fault, LlmError};

/// An agent that runs inside this process. Several may share one model: prompts that begin alike
/// are read once, and replies that are written at the same time cost little more than one.
#[derive(Clone)]
pub struct LocalChat {
    id: String,
    model: Arc<LocalModel>,
    sampling: Sampling,
    max_tokens: u32,
    stop: Arc<AtomicBool>,
}

impl fmt::Debug for LocalChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalChat").field("id", &self.id).finish_non_exhaustive()
    }
}

impl LocalChat {
    /// Most tokens of free words: what a small model can say before it repeats itself.
    pub const MAX_TOKENS: u32 = 256;

    /// An agent of this name.
    pub fn new(id: impl Into<String>, model: Arc<LocalModel>) -> Self {
        Self {
            id: id.into(),
            model,
            sampling: Sampling::default(),
            max_tokens: Self::MAX_TOKENS,
            stop: Arc::default(),
        }
    }

    /// Sets how it chooses its words.
    #[must_use]
    pub fn with_sampling(mut self, sampling: Sampling) -> Self {
        self.sampling = sampling;
        self
    }

    /// Ends its replies with an error as soon as this is set.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// Asks once, and hands on the reply piece by piece as it is written. The pieces together are
    /// the reply's text.
    pub fn reply_live(
        &self,
        request: &Request,
        heard: &mut dyn FnMut(&str),
    ) -> Result<Reply, LlmError> {
        self.reply_unless(request, heard, &|| false)
    }

    /// Writes a reply on this thread, unless somebody says stop.
    fn reply_unless(
        &self,
        request: &Request,
        heard: &mut dyn FnMut(&str),
        gone: &dyn Fn() -> bool,
    ) -> Result<Reply, LlmError> {
        let stop = || self.stop.load(Ordering::Relaxed) || gone();
        let wrote = self.write(request, heard, &stop);
        wrote.map_err(|(fault, usage)| LlmError::new(&self.id, fault).with_usage(usage))
    }

    /// Writes a reply in the form that is wanted.
    fn write(
        &self,
        request: &Request,
        heard: &mut dyn FnMut(&str),
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, (Fault, Usage)> {
        let free = |fault| (fault, Usage::default());
        let (shape, most) = match &request.wanted {
            Wanted::Text => (None, self.max_tokens),
            Wanted::Json => {
                let message = "a local model writes JSON by a schema only, and none was given";
                return Err(free(Fault::Setup(message.to_owned())));
            }
            Wanted::Schema { schema, .. } => {
                let shape = Shape::from_schema(schema).map_err(|why| free(Fault::Setup(why)))?;
                (Some(shape), Chat::max_tokens(self))
            }
        };
        let max_tokens = request.max_tokens.unwrap_or(most).max(1);
        let mut sampling = self.sampling;
        if let Some(temperature) = request.temperature.filter(|temperature| temperature.is_finite())
        {
            #[expect(clippy::cast_possible_truncation, reason = "a temperature needs no more")]
            let temperature = temperature as f32;
            sampling.temperature = temperature;
        }
        let request = &without_form(request);
        let begun = Writer::begin(&self.model, request, sampling, max_tokens, stop, heard);
        let mut writer = begun.map_err(free)?;
        let input = writer.tokens();
        let wrote = match shape {
            Some(shape) => writer.form(&shape),
            None => writer.words(),
        };
        let count = |tokens: usize| u64::try_from(tokens).ok();
        let usage = Usage { input: count(input), output: count(writer.tokens_written) };
        wrote.map_err(|fault| (fault, usage))?;
        if writer.text.trim().is_empty() {
            return Err((Fault::Empty(String::new()), usage));
        }
        Ok(Reply::new(writer.text).with_usage(usage))
    }
}

/// The request without the paragraph that asks for JSON: a form is filled in by construction, and
/// words about it only find their way into the answer.
fn without_form(request: &Request) -> Request {
    let mut request = request.clone();
    if matches!(request.wanted, Wanted::Schema { .. }) {
        for message in &mut request.messages {
            if let Some((asked, _)) = message.text.split_once("\nReturn one JSON object") {
                message.text = asked.to_owned();
            }
        }
    }
    request
}

impl Chat for LocalChat {
    fn id(&self) -> &str {
        &self.id
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        self.reply_live(request, &mut |_| {})
    }

    /// Runs on a thread of its own, so that agents who are asked together write together. Whoever
    /// drops the future ends the writing.
    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear<'a>) -> Pending<'a> {
        Box::pin(async move {
            let (sender, mut receiver) = mpsc::unbounded_channel();
            let (agent, request) = (self.clone(), request.clone());
            let work = move || {
                // Nobody listens once the future is gone, and then nothing is sent.
                let mut heard = |text: &str| drop(sender.send(Ok(text.to_owned())));
                let reply = agent.reply_unless(&request, &mut heard, &|| sender.is_closed());
                drop(sender.send(Err(reply)));
            };
            let failed = |reason: String| LlmError::new(&self.id, Fault::Setup(reason));
            let thread = thread::Builder::new().name("rebuttal-local".to_owned()).spawn(work);
            thread.map_err(|error| failed(format!("no thread: {error}")))?;
            loop {
                match receiver.recv().await {
                    Some(Ok(words)) => hear(&words),
                    Some(Err(reply)) => return reply,
                    None => return Err(failed("the thread that ran it ended".to_owned())),
                }
            }
        })
    }
}
