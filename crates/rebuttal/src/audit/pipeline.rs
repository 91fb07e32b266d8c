//! Many files on all cores, results in the order the files were named, in flat memory.
//!
//! One reader per core takes the next file and reads it transcript by transcript, while small
//! batches of what it has read are audited on all cores; results wait in a bounded channel until
//! it is their turn. The file whose turn it is has always been claimed by some reader, because
//! files are claimed in order; so a full channel delays a reader but never stops the run.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::error::{Context, Result};
use rayon::prelude::*;
use rebuttal_model::limits::TURN_COST_BYTES;
use rebuttal_model::{Problem, ProblemKind, Transcript, Turn};
use rebuttal_transcripts::{self as transcripts, Item, ReadOptions};

use rebuttal_report::audit::{Audited, Keep};
use rebuttal_report::problems::Origin;
use rebuttal_text::visible;

use super::AuditSettings;
use super::audited::audit_as;
use crate::inputs::{Input, stdin};

/// Most transcripts audited together. Enough to keep all cores busy, few enough to print soon.
const BATCH_TRANSCRIPTS: usize = 64;

/// Most text audited together, in bytes, so that a batch of long debates stays small.
const BATCH_BYTES: usize = 4 << 20;

/// Most batches of one file being audited while the next is read.
const BATCHES_IN_FLIGHT: usize = 4;

/// Most results that wait for their turn, per file.
const WAITING: usize = 64;

/// What a file yields.
#[derive(Debug)]
pub enum Message {
    /// A transcript with its findings.
    Audited(Box<Audited>),
    /// Something wrong with the file.
    Problem(Problem),
}

/// A file and what it yields, until its reader hangs up.
#[derive(Debug)]
pub struct Results {
    /// The file as the user named it.
    pub file: Arc<str>,
    /// How it came to be read.
    pub origin: Origin,
    /// What it yields.
    pub messages: Receiver<Message>,
}

/// Files not yet claimed, and the queue that keeps their results in order.
struct Queue {
    inputs: std::vec::IntoIter<Input>,
    order: SyncSender<Results>,
}

/// Starts reading. The receiver yields one channel per input, in order.
///
/// The readers are not waited for: whoever stops listening (a closed pipe) wants the program to
/// end, not to read the rest of a large file first.
pub fn start(
    inputs: Vec<Input>,
    options: ReadOptions,
    settings: Arc<AuditSettings>,
    keep: Keep,
) -> Result<Receiver<Results>> {
    let plan = Arc::new(Plan { options, settings, keep });
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (order, results) = sync_channel(cores);
    let inputs = inputs.into_iter();
    let readers = cores.min(inputs.len());
    let queue = Arc::new(Mutex::new(Queue { inputs, order }));
    for _ in 0..readers {
        let (queue, plan) = (Arc::clone(&queue), Arc::clone(&plan));
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || while claim_and_read(&queue, &plan).is_some() {})
            .context("no thread could be started; free some memory and try again")?;
    }
    Ok(results)
}

/// Reads the next file that nobody has claimed; `None` when there is none.
fn claim_and_read(queue: &Mutex<Queue>, plan: &Arc<Plan>) -> Option<()> {
    let (input, file, sender) = claim(queue)?;
    let job = Job { file, plan: Arc::clone(plan) };
    let mut reader = FileReader { job: job.clone(), sender: &sender, in_flight: VecDeque::new() };
    // A panic costs one file, and says so, instead of the whole run.
    if catch_unwind(AssertUnwindSafe(|| reader.read(&input))).is_err() {
        sender.send(job.stumbled()).ok();
    }
    Some(())
}

fn claim(queue: &Mutex<Queue>) -> Option<(Input, Arc<str>, SyncSender<Message>)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    let input = queue.inputs.next()?;
    let file = Arc::<str>::from(visible(&input.name()));
    let (sender, messages) = sync_channel(WAITING);
    let results = Results { file: Arc::clone(&file), origin: input.origin(), messages };
    queue.order.send(results).ok()?;
    Some((input, file, sender))
}

/// Reads one file and has what it holds audited.
struct FileReader<'a> {
    job: Job,
    sender: &'a SyncSender<Message>,
    in_flight: VecDeque<Receiver<Vec<Message>>>,
}

impl FileReader<'_> {
    fn read(&mut self, input: &Input) {
        let job = self.job.clone();
        let mut batch = Batch::default();
        let mut sink = |item| {
            batch.push(item);
            if batch.is_full() {
                self.start(std::mem::take(&mut batch));
            }
        };
        let options = &job.plan.options;
        match input {
            Input::Stdin => transcripts::read(&job.file, stdin(), options, &mut sink),
            Input::File(path, _) => transcripts::read_path(path, options, &mut sink),
            Input::Missing(problem) => sink(Item::Problem(problem.clone())),
        }
        self.start(batch);
        while let Some(oldest) = self.in_flight.pop_front() {
            self.hand_on(&oldest);
        }
    }

    /// Has a batch audited while reading goes on.
    fn start(&mut self, batch: Batch) {
        if self.in_flight.len() >= BATCHES_IN_FLIGHT
            && let Some(oldest) = self.in_flight.pop_front()
        {
            self.hand_on(&oldest);
        }
        let (sender, receiver) = sync_channel(1);
        let job = self.job.clone();
        let plan = Arc::clone(&self.job.plan);
        plan.settings.analyzer.spawn(move || {
            sender.send(job.audit(batch)).ok();
        });
        self.in_flight.push_back(receiver);
    }

    /// Hands the results of a batch on, in the order they were read.
    fn hand_on(&self, batch: &Receiver<Vec<Message>>) {
        for message in batch.iter().flatten() {
            // Nobody listens any more when the pipe was closed; the process is about to end.
            if self.sender.send(message).is_err() {
                return;
            }
        }
    }
}

/// What all files share.
struct Plan {
    options: ReadOptions,
    settings: Arc<AuditSettings>,
    keep: Keep,
}

/// What is needed to audit a transcript of one file.
#[derive(Clone)]
struct Job {
    file: Arc<str>,
    plan: Arc<Plan>,
}

impl Job {
    /// Audits a batch on all cores. A detector that panics costs one batch, and says so.
    fn audit(&self, batch: Batch) -> Vec<Message> {
        let audit = || batch.items.into_par_iter().map(|item| self.message(item)).collect();
        catch_unwind(AssertUnwindSafe(audit)).unwrap_or_else(|_| vec![self.stumbled()])
    }

    fn message(&self, item: Item) -> Message {
        match item {
            Item::Transcript(transcript) => {
                let file = self.file_of(&transcript);
                Message::Audited(Box::new(audit_as(
                    file,
                    transcript,
                    &self.plan.settings,
                    self.plan.keep,
                )))
            }
            Item::Problem(problem) => Message::Problem(problem),
        }
    }

    /// The member of an archive where the transcript says so, else the file itself.
    fn file_of(&self, transcript: &Transcript) -> Arc<str> {
        let source = transcript.turns.iter().find_map(|turn| turn.source.as_ref());
        source.map_or_else(|| Arc::clone(&self.file), |source| Arc::clone(&source.file))
    }

    fn stumbled(&self) -> Message {
        let message = "rebuttal stumbled over this file; please report it with the message above";
        Message::Problem(Problem::new(Arc::clone(&self.file), ProblemKind::Unreadable, message))
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
            // A turn of one letter costs far more than its letter.
            let cost = |turn: &Turn| turn.text.len() + TURN_COST_BYTES;
            self.bytes += transcript.turns.iter().map(cost).sum::<usize>();
        }
        self.items.push(item);
    }

    fn is_full(&self) -> bool {
        self.items.len() >= BATCH_TRANSCRIPTS || self.bytes >= BATCH_BYTES
    }
}
