//! Files of positions into the ledger, as they are read.
//!
//! A file is read on one thread and stored on another, batch by batch, each batch one transaction: killed
//! at any point, the ledger holds whole batches, and running the same again adds the rest. Memory is
//! bounded by the batches, whatever the file's size.

use std::collections::HashSet;
use std::path::PathBuf;

use jiff::Timestamp;
use rebuttal_model::{Ending, Position, PositionId, Problem, ProblemKind};
use rebuttal_store::{Clash, Durability, Store};
use rebuttal_transcripts::{PositionItem, PositionOptions, PositionReader};
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::error::{Context, Result};
use crate::inputs::{STDIN, stdin};

/// Positions in one transaction. Enough that its cost is shared: ids come in no order, so each
/// transaction writes most pages of their index again. Few enough that little is done twice after a
/// kill.
const BATCH: usize = 20_000;

/// Bytes of claims in one transaction, so that memory does not depend on how long claims are.
const BATCH_BYTES: usize = 8 << 20;

/// Batches that are read while one is stored.
const AHEAD: usize = 1;

/// Clashes that are told; the rest are counted.
const CLASHES: u64 = 20;

/// Where positions are read from.
#[derive(Debug)]
#[non_exhaustive]
pub enum PositionSource {
    /// Whatever is piped in.
    Stdin,
    /// A file, packed with gzip or not.
    File(PathBuf),
    /// Bytes at hand, such as the body of a request, and what messages call them.
    Bytes(String, Vec<u8>),
}

impl PositionSource {
    /// A file as it is typed; a dash is standard input.
    pub fn typed(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path) }
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => STDIN.to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Bytes(name, _) => name.clone(),
        }
    }
}

/// What one file came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Imported {
    /// The file.
    pub file: String,
    /// Positions that were added.
    pub added: u64,
    /// Positions that were there already.
    pub same: u64,
    /// Positions left out because their id is taken by another.
    pub clashing: u64,
    /// Rows that are no position.
    pub bad: u64,
    /// It could not be opened, or not be read to its end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unread: bool,
    /// Positions of which the file says how they turned out.
    pub resolved: u64,
}

impl Imported {
    /// Whether everything in the file is in the ledger.
    pub fn is_whole(&self) -> bool {
        self.clashing == 0 && self.bad == 0 && !self.unread
    }
}

/// What is told while a file is imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportNews<'n> {
    /// This many more positions were read and stored.
    Stored(u64),
    /// A row, or the whole file, cannot be used.
    Problem(&'n Problem),
    /// An id is taken by another position; the line it stands on.
    Clash(&'n Clash, Option<u32>),
    /// This many further ids belong to other positions.
    MoreClashes(u64),
}

/// What the reader hands over: positions with their lines, and problems.
#[derive(Default)]
struct Batch {
    positions: Vec<Position>,
    lines: Vec<u32>,
    bytes: usize,
    /// How positions turned out.
    endings: Vec<(PositionId, Ending)>,
    problems: Vec<Problem>,
}

/// Takes the positions of one file into the ledger. Flips are looked for afterwards, by
/// [`look`](super::look()).
pub async fn import(
    store: &Store,
    now: Timestamp,
    source: PositionSource,
    options: PositionOptions,
    tell: &mut impl FnMut(ImportNews<'_>) -> std::io::Result<()>,
) -> Result<Imported> {
    let name = source.name();
    let (sender, batches) = channel(AHEAD);
    let reader = tokio::task::spawn_blocking(move || read_source(source, options, &sender));
    let stored = store_batches(store, now, name.clone(), batches, tell).await;
    // It stops by itself once nobody listens; a reader that panicked left the file unread.
    let read = reader.await;
    let mut imported = stored.with_context(|| format!("{name} is not whole in the ledger"))?;
    imported.unread |= read.is_err();
    Ok(imported)
}

fn read_source(source: PositionSource, options: PositionOptions, batches: &Sender<Batch>) {
    match source {
        PositionSource::Stdin => {
            read(PositionReader::new(STDIN, stdin(), options), batches);
        }
        PositionSource::File(path) => read(PositionReader::open(&path, options), batches),
        PositionSource::Bytes(name, bytes) => {
            read(PositionReader::new(&name, bytes.as_slice(), options), batches);
        }
    }
}

fn read(reader: PositionReader<'_>, batches: &Sender<Batch>) {
    let mut batch = Batch::default();
    for item in reader {
        match item {
            PositionItem::Position { position, ending, line } => {
                batch.endings.extend(ending.map(|ending| (position.id.clone(), ending)));
                batch.bytes += position.claim.len();
                batch.positions.push(*position);
                batch.lines.push(line);
            }
            PositionItem::Problem(problem) => batch.problems.push(problem),
        }
        let many = batch.positions.len() + batch.problems.len();
        if (many >= BATCH || batch.bytes >= BATCH_BYTES)
            && batches.blocking_send(std::mem::take(&mut batch).in_time()).is_err()
        {
            return;
        }
    }
    // Nobody listens any more when storing failed, which is said there.
    batches.blocking_send(batch.in_time()).ok();
}

impl Batch {
    /// In the order of time: a list that has the newest first, as `positions list` prints it, would
    /// otherwise have no flip in it, for nobody has left what it says later.
    fn in_time(mut self) -> Self {
        if !self.positions.is_sorted_by_key(|position| position.at) {
            let mut both: Vec<(Position, u32)> =
                self.positions.into_iter().zip(self.lines).collect();
            both.sort_by_key(|(position, _)| position.at);
            (self.positions, self.lines) = both.into_iter().unzip();
        }
        self
    }
}

async fn store_batches(
    store: &Store,
    now: Timestamp,
    file: String,
    mut batches: Receiver<Batch>,
    tell: &mut impl FnMut(ImportNews<'_>) -> std::io::Result<()>,
) -> Result<Imported> {
    let mut imported = Imported { file, ..Imported::default() };
    while let Some(Batch { positions, lines, endings, problems, .. }) = batches.recv().await {
        for problem in &problems {
            match problem.kind {
                ProblemKind::Unreadable | ProblemKind::UnknownFormat => imported.unread = true,
                kind => imported.bad += u64::from(kind.is_loss()),
            }
            tell(ImportNews::Problem(problem))?;
        }
        let read = positions.len() as u64;
        let stored = store.insert_positions(now, positions, Durability::Fast).await?;
        imported.added += stored.added;
        imported.same += stored.same;
        for clash in &stored.clashes {
            imported.clashing += 1;
            if imported.clashing <= CLASHES {
                tell(ImportNews::Clash(clash, lines.get(clash.place).copied()))?;
            }
        }
        imported.resolved += resolve(store, now, endings, &stored.clashes).await?;
        tell(ImportNews::Stored(read))?;
    }
    if imported.clashing > CLASHES {
        tell(ImportNews::MoreClashes(imported.clashing - CLASHES))?;
    }
    Ok(imported)
}

/// Says how positions turned out. What is said of an id that is taken by another position is not said of
/// that.
async fn resolve(
    store: &Store,
    now: Timestamp,
    mut endings: Vec<(PositionId, Ending)>,
    clashes: &[Clash],
) -> Result<u64> {
    let clashing: HashSet<&PositionId> = clashes.iter().map(|clash| &clash.given.id).collect();
    endings.retain(|(id, _)| !clashing.contains(id));
    if endings.is_empty() {
        return Ok(0);
    }
    Ok(store.resolve_all(now, &endings, Durability::Fast).await?)
}
