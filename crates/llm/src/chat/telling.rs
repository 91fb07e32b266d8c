//! A streamed answer as it is told: frames in, words out, a draft at the end.
//!
//! Pure, like [`super::frames`]: the same bytes in any split give the same words and the same end.

use std::ops::ControlFlow;

use rebuttal_model::limits;
use serde_json::Value;

use super::draft::{Draft, End};
use super::form::Form;
use super::frames::{Frames, Rest};
use super::{Provider, Reply, Usage};
use crate::error::{Fault, LlmError};
use crate::said;

/// What one event of a stream says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Event {
    /// Words of the reply.
    pub(crate) words: String,
    /// Arguments of a tool.
    pub(crate) arguments: String,
    /// Words of a refusal.
    pub(crate) refusal: String,
    /// Tokens counted so far.
    pub(crate) usage: Usage,
    /// Why it ended, where that is said.
    pub(crate) end: Option<End>,
    /// The whole answer, where the last event repeats it.
    pub(crate) whole: Option<Draft>,
    /// Whether something may still follow.
    pub(crate) close: Close,
}

/// How far a stream is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Close {
    /// Words may follow.
    #[default]
    Open,
    /// The reply has ended; counts may follow.
    Ended,
    /// The reply has ended.
    Over,
}

/// A reply on its way.
#[derive(Debug)]
pub(crate) struct Telling {
    provider: Provider,
    frames: Frames,
    told: Told,
}

/// What was told so far.
#[derive(Debug, Default)]
struct Told {
    /// In which form the reply was asked for.
    form: Form,
    draft: Draft,
    refusal: String,
    close: Close,
    /// Whether anything was understood at all.
    any: bool,
}

/// Who hears the words.
type Words<'w> = dyn FnMut(&str) + 'w;

impl Telling {
    pub(crate) fn new(provider: Provider, form: Form) -> Self {
        let told = Told { form, ..Told::default() };
        Self { provider, frames: Frames::new(provider.framing()), told }
    }

    /// Whether the reply has ended, whatever happens to the connection from now on.
    pub(crate) fn has_ended(&self) -> bool {
        self.told.close >= Close::Ended
    }

    /// The tokens counted so far.
    pub(crate) fn usage(&self) -> Usage {
        self.told.draft.usage
    }

    /// Takes the next bytes; breaks when nothing can follow.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        hear: &mut Words<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        let Self { provider, frames, told } = self;
        frames.push(bytes, &mut |frame| told.frame(*provider, frame, hear))
    }

    /// The draft, if the end was told; else what is wrong, and the tokens counted nevertheless.
    pub(crate) fn finish(self, hear: &mut Words<'_>) -> Result<Draft, (Fault, Usage)> {
        let Self { provider, frames, mut told } = self;
        let beginning = said::beginning(frames.beginning());
        let rest = frames.finish().map_err(|fault| (fault, told.draft.usage))?;
        let fault = match rest {
            Rest::Whole(document) => return whole(provider, told.form, &document, hear),
            // Half a frame is what a broken connection leaves, so it is no garbage.
            Rest::Frame(frame) if is_document(&frame) => told.frame(provider, &frame, hear).err(),
            Rest::Frame(_) => {
                told.any |= beginning.starts_with(['{', 'd', 'e', ':']);
                None
            }
            Rest::Nothing => None,
        };
        match fault {
            Some(fault) => Err((fault, told.draft.usage)),
            None if told.close >= Close::Ended => Ok(told.draft()),
            None => Err((told.unfinished(&beginning), told.draft.usage)),
        }
    }
}

/// Whether a last frame is complete.
fn is_document(frame: &[u8]) -> bool {
    frame.trim_ascii() == DONE || serde_json::from_slice::<serde::de::IgnoredAny>(frame).is_ok()
}

/// What `OpenAI` ends its streams with, and proxies those of others.
const DONE: &[u8] = b"[DONE]";

impl Told {
    /// What is wrong with a stream that told no end.
    fn unfinished(&self, beginning: &str) -> Fault {
        if self.any {
            let reason = "the reply stopped without its end marker".to_owned();
            return Fault::Broken { attempts: 1, reason };
        }
        let begins = format!("it holds no event; it begins {beginning:?}");
        Fault::Garbled(if beginning.is_empty() { "it is empty".to_owned() } else { begins })
    }

    /// Takes in a frame; what is no JSON is a fault.
    fn frame(
        &mut self,
        provider: Provider,
        frame: &[u8],
        hear: &mut Words<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        if frame.trim_ascii() == DONE {
            self.any = true;
            if provider == Provider::OpenAi {
                self.close = Close::Over;
                return Ok(ControlFlow::Break(()));
            }
            return Ok(ControlFlow::Continue(()));
        }
        let value: Value = serde_json::from_slice(frame).map_err(|error| {
            Fault::Garbled(format!("{error}; the event begins {:?}", said::beginning(frame)))
        })?;
        self.value(provider, &value, hear)
    }

    /// Takes in the value of a frame.
    fn value(
        &mut self,
        provider: Provider,
        value: &Value,
        hear: &mut Words<'_>,
    ) -> Result<ControlFlow<()>, Fault> {
        if let Some(fault) = failure(value) {
            self.draft.usage = provider.usage(value).or(self.draft.usage);
            return Err(fault);
        }
        if !value.is_object() {
            return Err(Fault::Garbled("an event is no object".to_owned()));
        }
        self.any = true;
        self.take(provider.event(value), hear)?;
        Ok(if self.close == Close::Over {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Takes in an event, and hands its words to whoever listens.
    fn take(&mut self, event: Event, hear: &mut Words<'_>) -> Result<(), Fault> {
        let Event { words, arguments, refusal, usage, end, whole, close } = event;
        let told = [&self.draft.text, &self.draft.arguments, &self.refusal];
        let more = [&words, &arguments, &refusal];
        if told.into_iter().chain(more).map(String::len).sum::<usize>() > limits::CHAT_REPLY_BYTES {
            return Err(Fault::Oversize(limits::CHAT_REPLY_BYTES));
        }
        // The arguments are the reply where a tool was asked for, and nothing where none was.
        let heard = if self.form == Form::Tool { &arguments } else { &words };
        if !heard.is_empty() {
            hear(heard);
        }
        self.draft.text.push_str(&words);
        self.draft.arguments.push_str(&arguments);
        self.refusal.push_str(&refusal);
        // Counts grow from event to event: the last is the whole.
        self.draft.usage = usage.or(self.draft.usage);
        if let Some(end) = end {
            self.draft.end = end;
        }
        self.close = self.close.max(close);
        if let Some(whole) = whole {
            // Some servers leave the words out where they end.
            let text = if whole.text.is_empty() { self.draft.text.as_str() } else { &whole.text };
            let usage = whole.usage.or(self.draft.usage);
            let told = &self.draft.arguments;
            let arguments = if whole.arguments.is_empty() { told } else { &whole.arguments };
            let (text, arguments) = (text.to_owned(), arguments.clone());
            self.draft = Draft { text, arguments, usage, end: whole.end };
        }
        Ok(())
    }

    /// What the events came to.
    fn draft(self) -> Draft {
        let Self { form, mut draft, refusal, .. } = self;
        if !refusal.is_empty() {
            draft.end = End::Declined(refusal);
        } else if draft.end == End::Declined(String::new()) {
            draft.end = End::Declined(draft.text.clone());
        }
        draft.asked_as(form)
    }
}

/// An error among the events, or instead of them.
fn failure(value: &Value) -> Option<Fault> {
    let is_error = value.get("type").and_then(Value::as_str) == Some("error");
    let error = value.get("error").filter(|error| !error.is_null());
    if error.is_none() && !is_error {
        return None;
    }
    let message = said::message_in(value).unwrap_or_else(|| "an error without a word".to_owned());
    let text = value.to_string();
    Some(if said::is_too_long(400, &message) {
        Fault::TooLong { text: None, message }
    } else if said::is_out_of_credit(text.as_bytes()) {
        Fault::NoCredit(message)
    } else {
        Fault::BrokeOff { attempts: 1, reason: message }
    })
}

/// One document where a stream was asked for.
fn whole(
    provider: Provider,
    form: Form,
    document: &[u8],
    hear: &mut Words<'_>,
) -> Result<Draft, (Fault, Usage)> {
    let value: Value = serde_json::from_slice(document).map_err(|error| {
        let begins = format!("{error}; it begins {:?}", said::beginning(document));
        (Fault::Garbled(begins), Usage::default())
    })?;
    // Gemini's stream without events: a list of what would have been their data.
    if let (Provider::Gemini, Some(events)) = (provider, value.as_array()) {
        let mut told = Told { form, ..Told::default() };
        for event in events {
            let told_one = told.value(provider, event, hear);
            let _flow = told_one.map_err(|fault| (fault, told.draft.usage))?;
        }
        if told.close >= Close::Ended {
            return Ok(told.draft());
        }
    }
    let draft = read(provider, &value).map_err(|fault| (fault, provider.usage(&value)))?;
    let draft = draft.asked_as(form);
    if !draft.text.is_empty() {
        hear(&draft.text);
    }
    Ok(draft)
}

/// What one whole answer says.
pub(crate) fn read(provider: Provider, answer: &Value) -> Result<Draft, Fault> {
    provider.read(answer).map_err(|reason| match said::message_in(answer) {
        // Some servers report errors with status 200.
        Some(message) => Fault::Garbled(format!("an error: {message}")),
        None => Fault::Garbled(reason),
    })
}

/// Reads a streamed answer from its bytes, as they came over the wire, and hands the words to
/// `hear`. Nothing is sent: this is the decoder alone.
///
/// However the bytes are split, the words and the reply are the same. A stream that ends without
/// its end marker is an error.
pub fn decode<'b>(
    provider: Provider,
    pieces: impl IntoIterator<Item = &'b [u8]>,
    hear: &mut dyn FnMut(&str),
) -> Result<Reply, LlmError> {
    let wrong = |fault| LlmError::new(provider.name(), fault);
    let mut telling = Telling::new(provider, Form::Text);
    for piece in pieces {
        let pushed = telling.push(piece, hear);
        if pushed.map_err(|fault| wrong(fault).with_usage(telling.usage()))?.is_break() {
            break;
        }
    }
    let draft = telling.finish(hear).map_err(|(fault, usage)| wrong(fault).with_usage(usage))?;
    let usage = draft.usage;
    draft.reply(u32::MAX).map_err(|fault| wrong(fault).with_usage(usage))
}

#[cfg(test)]
mod tests;
