//! Cassettes: every exchange with a model written down, and played again without a key.
//!
//! One line of JSON for each exchange, in the order in which they ended. A [`Player`] gives the
//! recorded reply to the same request of the same agent, in the order of the recording, whatever
//! else goes on at the same time; and refuses any other request with what is different.

mod differences;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rebuttal_model::limits;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::{Chat, Hear, Pending, Reply, Request};
use crate::error::{Fault, LlmError};
use crate::files;
use differences::differences;

/// Where exchanges are written down.
pub struct Cassette(Mutex<Sink>);

/// Where exchanges are written, and how far that has come.
struct Sink {
    out: Box<dyn Write + Send>,
    /// Why nothing more is written. What followed a line that was cut off could not be read.
    failed: Option<String>,
}

impl fmt::Debug for Cassette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cassette").finish_non_exhaustive()
    }
}

impl Cassette {
    /// A new file. One that is there already is not written over: it may be the only recording.
    pub fn create(path: &Path) -> Result<Arc<Self>, LlmError> {
        let file = File::options().write(true).create_new(true).open(path);
        let file = file.map_err(|error| wrong(path, format!("cannot be written: {error}")))?;
        Ok(Self::to(file))
    }

    /// Anything that can be written to.
    pub fn to(sink: impl Write + Send + 'static) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Sink { out: Box::new(sink), failed: None })))
    }

    /// Writes one exchange as a line, whole or not at all as far as this program can see to it.
    fn write(&self, exchange: &Recorded) -> io::Result<()> {
        let mut line = serde_json::to_vec(exchange)?;
        line.push(b'\n');
        let mut sink = lock(&self.0);
        if let Some(failed) = &sink.failed {
            return Err(io::Error::other(failed.clone()));
        }
        let written = sink.out.write_all(&line).and_then(|()| sink.out.flush());
        sink.failed = written.as_ref().err().map(ToString::to_string);
        written
    }
}

/// One exchange.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Recorded {
    agent: String,
    /// Of the request, so that a line can be found without reading it.
    digest: String,
    request: Request,
    /// The words as they came.
    words: Vec<String>,
    /// What came of it.
    outcome: Result<Reply, LlmError>,
}

/// What a request comes to in a few letters. Keys are no part of a request.
pub fn digest(request: &Request) -> String {
    let value = serde_json::to_value(request).unwrap_or_default();
    let mut text = String::new();
    canonical(&value, &mut text);
    blake3::hash(text.as_bytes()).to_hex().as_str().get(..32).unwrap_or_default().to_owned()
}

/// JSON with its fields in order, whatever order the map keeps.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let fields: BTreeMap<&String, &Value> = fields.iter().collect();
            text.push('{');
            for (name, value) in fields {
                text.push_str(&Value::from(name.as_str()).to_string());
                canonical(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}

/// A cassette that cannot be used, with its path.
fn wrong(path: &Path, reason: String) -> LlmError {
    LlmError::new(path.display().to_string(), Fault::Setup(reason))
}

/// An agent whose exchanges are written down.
#[derive(Debug)]
pub struct Recorder<C> {
    chat: C,
    cassette: Arc<Cassette>,
}

impl<C: Chat> Recorder<C> {
    /// Puts an agent on this cassette.
    pub fn new(chat: C, cassette: &Arc<Cassette>) -> Self {
        Self { chat, cassette: Arc::clone(cassette) }
    }

    /// Writes an exchange down. What cannot be replayed has not happened.
    fn keep(
        &self,
        request: &Request,
        words: Vec<String>,
        outcome: Result<Reply, LlmError>,
    ) -> Result<Reply, LlmError> {
        let (agent, digest) = (self.chat.id().to_owned(), digest(request));
        let request = request.clone();
        let recorded = Recorded { agent, digest, request, words, outcome };
        self.cassette.write(&recorded).map_err(|error| {
            LlmError::new(self.chat.id(), Fault::NotRecorded(error.to_string()))
        })?;
        recorded.outcome
    }
}

impl<C: Chat> Chat for Recorder<C> {
    fn id(&self) -> &str {
        self.chat.id()
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        let outcome = self.chat.reply(request);
        let words = outcome.iter().map(|reply| reply.text.clone()).collect();
        self.keep(request, words, outcome)
    }

    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear) -> Pending<'a> {
        Box::pin(async move {
            let words = Mutex::new(Vec::new());
            let both = |piece: &str| {
                lock(&words).push(piece.to_owned());
                hear(piece);
            };
            let outcome = self.chat.stream(request, &both).await;
            let words = std::mem::take(&mut *lock(&words));
            self.keep(request, words, outcome)
        })
    }
}

/// A cassette that was read.
#[derive(Clone, Debug)]
pub struct Player(Arc<Mutex<BTreeMap<String, Vec<Track>>>>);

/// What was recorded of one request, to be played back in order.
#[derive(Debug)]
struct Track {
    exchange: Recorded,
    played: bool,
}

impl Player {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self, LlmError> {
        let file = files::open(path);
        let file = file.map_err(|error| wrong(path, format!("cannot be read: {error}")))?;
        Self::read(BufReader::new(file)).map_err(|reason| wrong(path, reason))
    }

    /// Reads a cassette from anywhere.
    pub fn read(mut lines: impl BufRead) -> Result<Self, String> {
        let mut agents: BTreeMap<String, Vec<Track>> = BTreeMap::new();
        let most = u64::try_from(limits::CASSETTE_LINE_BYTES).unwrap_or(u64::MAX);
        for number in 1.. {
            let mut line = Vec::new();
            let read = lines.by_ref().take(most).read_until(b'\n', &mut line);
            if read.map_err(|error| format!("line {number}: {error}"))? == 0 {
                break;
            }
            let parsed = serde_json::from_slice(&line);
            // Half a line at the end is what a full disk or a killed process leaves.
            if parsed.is_err() && !line.ends_with(b"\n") && line.len() < limits::CASSETTE_LINE_BYTES
            {
                break;
            }
            let exchange: Recorded = parsed
                .map_err(|error| format!("line {number} is no recorded exchange: {error}"))?;
            if digest(&exchange.request) != exchange.digest {
                return Err(format!(
                    "line {number}: its digest is not its request's; was it edited?"
                ));
            }
            let track = Track { exchange, played: false };
            agents.entry(track.exchange.agent.clone()).or_default().push(track);
        }
        Ok(Self(Arc::new(Mutex::new(agents))))
    }

    /// The agents of the recording.
    pub fn agents(&self) -> Vec<String> {
        self.tracks().keys().cloned().collect()
    }

    /// One of them, ready to be asked. One that was not recorded refuses everything.
    pub fn agent(&self, id: impl Into<String>) -> Played {
        Played { id: id.into(), player: self.clone() }
    }

    /// How many exchanges were not asked for.
    pub fn unplayed(&self) -> usize {
        self.tracks().values().flatten().filter(|track| !track.played).count()
    }

    /// What is left to be played, by request.
    fn tracks(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Track>>> {
        lock(&self.0)
    }

    /// The first exchange with this request that was not played; it is now.
    fn play(&self, agent: &str, request: &Request) -> Result<Recorded, LlmError> {
        let refuse = |reason| Err(LlmError::new(agent, Fault::Unrecorded(reason)));
        let mut agents = self.tracks();
        let Some(tracks) = agents.get_mut(agent) else {
            let known = agents.keys().cloned().collect::<Vec<_>>().join(", ");
            return refuse(format!("is not on the recording; it has {known}"));
        };
        let (count, asked) = (tracks.len(), digest(request));
        let mut left = tracks.iter_mut().filter(|track| !track.played).peekable();
        let next = left.peek().map(|track| track.exchange.request.clone());
        if let Some(track) = left.find(|track| track.exchange.digest == asked) {
            track.played = true;
            return Ok(track.exchange.clone());
        }
        match next {
            Some(next) => refuse(format!(
                "this request is not on the recording; the next recorded one is different: {}",
                differences(&next, request)
            )),
            None => {
                refuse(format!("all {count} recorded exchanges were played, and it is asked again"))
            }
        }
    }
}

/// An agent as it was recorded.
#[derive(Debug)]
pub struct Played {
    id: String,
    player: Player,
}

impl Chat for Played {
    fn id(&self) -> &str {
        &self.id
    }

    fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        self.player.play(&self.id, request)?.outcome
    }

    fn stream<'a>(&'a self, request: &'a Request, hear: &'a Hear) -> Pending<'a> {
        Box::pin(async move {
            let exchange = self.player.play(&self.id, request)?;
            exchange.words.iter().for_each(|piece| hear(piece));
            exchange.outcome
        })
    }
}

/// What a panic leaves behind is still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
