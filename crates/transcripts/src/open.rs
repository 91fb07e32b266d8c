//! The transcripts that single turns are joining, several at a time.
//!
//! A log may hold the lines of several debates in turn. They are kept open side by side, up to
//! [`limits::OPEN_DEBATES`] and [`limits::OPEN_BYTES`]; beyond that the one idle longest is
//! delivered. Turns without a debate of their own belong together only while nothing else comes
//! between them: joining them over a gap would put words into the wrong debate.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rebuttal_model::{ProblemKind, limits};

use crate::Format;
use crate::out::{Out, excerpt};
use crate::talk::{Order, Talk};

/// One transcript that is being joined.
pub(crate) struct Open {
    format: Format,
    key: Option<String>,
    pub(crate) talk: Talk,
    /// Hashes of texts already in, for formats whose records repeat them.
    heard: HashSet<u64>,
    /// When a turn last joined, in turns of the file.
    last: u64,
}

impl Open {
    fn is(&self, format: Format, key: Option<&str>) -> bool {
        self.key.as_deref() == key && self.format.family() == format.family()
    }

    /// Takes note of a text. False when it was heard before.
    pub(crate) fn hear(&mut self, text: &str) -> bool {
        self.heard.insert(hash(text))
    }

    fn cost_bytes(&self) -> usize {
        self.talk.cost_bytes() + self.heard.len() * size_of::<u64>()
    }
}

/// All of them, in the order they first appeared.
#[derive(Default)]
pub(crate) struct OpenDebates {
    open: Vec<Open>,
    /// Where in `open` the last turn went: the next one mostly goes there too.
    current: usize,
    clock: u64,
    /// Parts delivered of debates that had to be closed early.
    closed: HashMap<u64, usize>,
    /// Whether it was said that a closed debate goes on.
    told: bool,
}

impl OpenDebates {
    /// The transcript with this key, opened if need be. `line` is where it is asked for.
    pub(crate) fn enter(
        &mut self,
        format: Format,
        key: Option<&str>,
        line: u32,
        out: &mut Out<'_>,
    ) -> Option<&mut Open> {
        let is_here = self.open.get(self.current).is_some_and(|open| open.is(format, key));
        if !is_here {
            self.flush_nameless(out);
            match self.open.iter().position(|open| open.is(format, key)) {
                Some(found) => self.current = found,
                None => self.begin(format, key, line, out),
            }
        }
        self.clock += 1;
        let open = self.open.get_mut(self.current)?;
        open.last = self.clock;
        Some(open)
    }

    /// Starts a transcript anew, as a header says: an open one with the same key ends.
    pub(crate) fn restart(&mut self, format: Format, key: Option<&str>, out: &mut Out<'_>) {
        if let Some(found) = self.open.iter().position(|open| open.is(format, key)) {
            self.open.remove(found).talk.finish(out);
        }
        if let Some(key) = key {
            self.closed.remove(&hash(key));
        }
        self.flush_nameless(out);
        self.open_new(format, key, 0, out);
    }

    fn begin(&mut self, format: Format, key: Option<&str>, line: u32, out: &mut Out<'_>) {
        let parts = key.and_then(|key| self.closed.remove(&hash(key))).unwrap_or(0);
        if parts > 0 && !std::mem::replace(&mut self.told, true) {
            let message = format!(
                "the debate “{}” goes on here after it was closed: at most {} are kept open at \
                 once, in {} bytes. Its parts are transcripts of their own, and nothing is \
                 compared across the cut; sort the file by debate. Said for the first such debate \
                 only",
                excerpt(key.unwrap_or_default()),
                limits::OPEN_DEBATES,
                limits::OPEN_BYTES
            );
            out.problem(ProblemKind::Split, Some(line), &message);
        }
        self.open_new(format, key, parts, out);
    }

    fn open_new(&mut self, format: Format, key: Option<&str>, parts: usize, out: &mut Out<'_>) {
        while self.open.len() >= limits::OPEN_DEBATES {
            self.close_idle(out);
        }
        let mut talk = Talk::continued(key.map(ToOwned::to_owned), parts);
        if format == Format::Otel {
            talk.order = Order::ByTime;
        }
        talk.format = Some(format);
        self.clock += 1;
        self.current = self.open.len();
        self.open.push(Open {
            format,
            key: key.map(ToOwned::to_owned),
            talk,
            heard: HashSet::new(),
            last: self.clock,
        });
    }

    /// Closes what is idle while everything open takes too much memory together.
    pub(crate) fn keep_within(&mut self, out: &mut Out<'_>) {
        while self.open.len() > 1
            && self.open.iter().map(Open::cost_bytes).sum::<usize>() > limits::OPEN_BYTES
        {
            self.close_idle(out);
        }
    }

    fn close_idle(&mut self, out: &mut Out<'_>) {
        let idle = self.open.iter().enumerate().min_by_key(|(_, open)| open.last);
        let Some((index, _)) = idle else { return };
        let open = self.remove(index);
        let parts = open.talk.finish(out);
        if let Some(key) = open.key
            && parts > 0
            && self.closed.len() < limits::CLOSED_DEBATES
        {
            self.closed.insert(hash(&key), parts);
        }
    }

    fn remove(&mut self, index: usize) -> Open {
        if self.current > index {
            self.current -= 1;
        }
        self.open.remove(index)
    }

    /// Delivers turns without a debate of their own.
    pub(crate) fn flush_nameless(&mut self, out: &mut Out<'_>) {
        while let Some(index) = self.open.iter().position(|open| open.key.is_none()) {
            self.remove(index).talk.finish(out);
        }
    }

    /// Delivers everything, and forgets what was closed: what follows is another file.
    pub(crate) fn flush(&mut self, out: &mut Out<'_>) {
        for open in std::mem::take(self).open {
            open.talk.finish(out);
        }
    }
}

fn hash(text: &str) -> u64 {
    // Without a random key, so that the same file always reads the same.
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
