//! Many files on all cores, results in the order the files were named, in flat memory.
//!
//! One reader per core takes the next file, reads it transcript by transcript, and audits small
//! batches on all cores; results wait in a bounded channel until it is their turn. The file whose
//! turn it is has always been claimed by some reader, because files are claimed in order; so a
//! full channel delays a reader but never stops the run.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result};
use rayon::prelude::*;
use rebuttal::model::{Problem, ProblemKind, Transcript};
use rebuttal::transcripts::{self, Item};

use super::audited::{Audited, Keep};
use crate::inputs::Input;
use crate::plan::AuditPlan;
use crate::terminal::visible;

/// Most transcripts audited together. Enough to keep all cores busy, few enough to print soon.
const BATCH_TRANSCRIPTS: usize = 64;

/// Most text audited together, in bytes, so that a batch of long debates stays small.
const BATCH_BYTES: usize = 4 << 20;

/// Most results that wait for their turn, per file.
const WAITING: usize = 64;

/// What a file yields.
#[derive(Debug)]
pub(super) enum Message {
    /// A transcript with its findings.
    Audited(Box<Audited>),
    /// Something wrong with the file.
    Problem(Problem),
}

/// A file's name and what it yields, until its reader hangs up.
type Results = (Arc<str>, Receiver<Message>);

/// Files not yet claimed, and the queue that keeps their results in order.
struct Queue {
    inputs: std::vec::IntoIter<Input>,
    order: SyncSender<Results>,
}

/// Starts reading. The receiver yields one channel per input, in order.
///
/// The readers are not waited for: whoever stops listening (a closed pipe) wants the program to
/// end, not to read the rest of a large file first.
pub(super) fn start(plan: &Arc<AuditPlan>, keep: Keep) -> Result<Receiver<Results>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (order, results) = sync_channel(cores);
    let inputs = plan.reading.inputs.clone().into_iter();
    let readers = cores.min(inputs.len());
    let queue = Arc::new(Mutex::new(Queue { inputs, order }));
    for _ in 0..readers {
        let (queue, plan) = (Arc::clone(&queue), Arc::clone(plan));
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || while claim_and_read(&queue, &plan, keep).is_some() {})
            .context("no thread could be started; free some memory and try again")?;
    }
    Ok(results)
}

/// Reads the next file that nobody has claimed; `None` when there is none.
fn claim_and_read(queue: &Mutex<Queue>, plan: &AuditPlan, keep: Keep) -> Option<()> {
    let (input, file, sender) = claim(queue)?;
    let reader = FileReader { file: Arc::clone(&file), plan, keep, sender: &sender };
    // A detector that panics costs one file, and says so, instead of the whole run.
    let outcome = catch_unwind(AssertUnwindSafe(|| reader.read(&input)));
    if outcome.is_err() {
        let message = "rebuttal stumbled over this file; please report it with the message above";
        let problem = Problem::new(file, ProblemKind::Unreadable, message);
        sender.send(Message::Problem(problem)).ok();
    }
    Some(())
}

fn claim(queue: &Mutex<Queue>) -> Option<(Input, Arc<str>, SyncSender<Message>)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    let input = queue.inputs.next()?;
    let file = Arc::<str>::from(visible(&input.name()));
    let (sender, receiver) = sync_channel(WAITING);
    queue.order.send((Arc::clone(&file), receiver)).ok()?;
    Some((input, file, sender))
}

/// Reads one file and audits what it holds.
struct FileReader<'a> {
    file: Arc<str>,
    plan: &'a AuditPlan,
    keep: Keep,
    sender: &'a SyncSender<Message>,
}

impl FileReader<'_> {
    fn read(&self, input: &Input) {
        let mut batch = Batch::default();
        let mut sink = |item| {
            batch.push(item);
            if batch.is_full() {
                self.audit(std::mem::take(&mut batch));
            }
        };
        let options = &self.plan.reading.options;
        match input {
            Input::Stdin => transcripts::read(&self.file, io::stdin().lock(), options, &mut sink),
            Input::File(path) => transcripts::read_path(path, options, &mut sink),
            Input::Missing(problem) => sink(Item::Problem(problem.clone())),
        }
        self.audit(batch);
    }

    /// Audits a batch on all cores and hands the results on in order.
    fn audit(&self, batch: Batch) {
        let results: Vec<_> = batch.items.into_par_iter().map(|item| self.message(item)).collect();
        for result in results {
            // Nobody listens any more when the pipe was closed; the process is about to end.
            if self.sender.send(result).is_err() {
                return;
            }
        }
    }

    fn message(&self, item: Item) -> Message {
        match item {
            Item::Transcript(transcript) => {
                let file = self.file_of(&transcript);
                Message::Audited(Box::new(Audited::new(file, transcript, self.plan, self.keep)))
            }
            Item::Problem(problem) => Message::Problem(problem),
        }
    }

    /// The member of an archive where the transcript says so, else the file itself.
    fn file_of(&self, transcript: &Transcript) -> Arc<str> {
        let source = transcript.turns.iter().find_map(|turn| turn.source.as_ref());
        source.map_or_else(|| Arc::clone(&self.file), |source| Arc::clone(&source.file))
    }
}

/// Items read but not yet audited.
#[derive(Default)]
struct Batch {
    items: Vec<Item>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, item: Item) {
        if let Item::Transcript(transcript) = &item {
            self.bytes += transcript.turns.iter().map(|turn| turn.text.len()).sum::<usize>();
        }
        self.items.push(item);
    }

    fn is_full(&self) -> bool {
        self.items.len() >= BATCH_TRANSCRIPTS || self.bytes >= BATCH_BYTES
    }
}
