//! `rebuttal positions import`: files into the ledger, as they are read.
//!
//! A file is read on one thread and stored on another, batch by batch, each batch one transaction:
//! killed at any point, the ledger holds whole batches, and running the same again adds the rest.
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed:
//!
//! ```text
//! { "rebuttal": "0.1.0", "schema": 1,
//!   "files": [ { "file", "added", "same", "clashing", "bad", "unread": true?, "resolved" } ],
//!   "looked_at": positions, "flips": found now }
//! ```

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use rebuttal::engine::ledger::Progress;
use rebuttal::model::{Ending, Position, PositionId, Problem, ProblemKind};
use rebuttal::store::{Clash, Durability};
use rebuttal::transcripts::{PositionItem, PositionOptions, PositionReader};
use serde::Serialize;

use super::Ledger;
use super::search::bar;
use crate::args::ListFormat;
use crate::args::ledger::ImportArgs;
use crate::output::{Output, Status};
use crate::report::{JsonText, SCHEMA, VERSION, excerpt, grouped};
use crate::terminal::one_line;
use rebuttal::config::Config;
use rebuttal::inputs::STDIN;
use rebuttal::models::Chosen;
use rebuttal_report::{flips, positions};

/// Positions in one transaction. Enough that its cost is shared: ids come in no order, so each
/// transaction writes most pages of their index again. Few enough that little is done twice after a
/// kill.
const BATCH: usize = 20_000;

/// Batches that are read while one is stored.
const AHEAD: usize = 2;

/// Clashes that are named; the rest are counted.
const CLASHES: u64 = 20;

/// Characters of a claim in a message.
const SHOWN: usize = 60;

/// What one file came to.
#[derive(Debug, Default, Serialize)]
#[expect(clippy::struct_field_names, reason = "as it stands in the JSON")]
struct File {
    file: String,
    added: u64,
    same: u64,
    clashing: u64,
    bad: u64,
    /// It could not be opened, or not be read to its end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unread: bool,
    resolved: u64,
}

impl File {
    fn is_whole(&self) -> bool {
        self.clashing == 0 && self.bad == 0 && !self.unread
    }
}

#[derive(Serialize)]
struct Document<'d> {
    rebuttal: &'static str,
    schema: u32,
    files: &'d [File],
    looked_at: u64,
    flips: u64,
}

/// Takes files into the ledger and looks for flips.
pub(super) fn run(args: &ImportArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let options = PositionOptions { now: ledger.now, from: args.from.map(Into::into) };
    let mut files = Vec::new();
    for path in &args.files {
        files.push(file(&ledger, path, options, out)?);
    }
    let found = if args.detection.no_detect {
        None
    } else {
        let chosen = Chosen::new(args.detection.method.into(), &config.semantics);
        Some(ledger.look(&chosen, args.detection.lookback, out)?)
    };
    write(&files, found, args.format, out)?;
    let is_whole = files.iter().all(File::is_whole);
    Ok(if is_whole { Status::Clean } else { Status::CouldNotRun })
}

/// What the reader hands over: positions with their lines, and problems.
#[derive(Default)]
struct Batch {
    positions: Vec<Position>,
    lines: Vec<u32>,
    /// How positions turned out.
    endings: Vec<(PositionId, Ending)>,
    problems: Vec<Problem>,
}

fn file(ledger: &Ledger, path: &Path, options: PositionOptions, out: &mut Output) -> Result<File> {
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin { STDIN.to_owned() } else { path.display().to_string() };
    let mut came = File { file: name.clone(), ..File::default() };
    let bar = bar(out, None, "{spinner} {human_pos} positions, {per_sec} {msg}");
    bar.set_message(one_line(&name).into_owned());
    thread::scope(|scope| {
        let (sender, batches) = sync_channel(AHEAD);
        let reader = thread::Builder::new().name("positions".to_owned());
        reader
            .spawn_scoped(scope, move || {
                if is_stdin {
                    let stdin = io::stdin().lock();
                    read(PositionReader::new(STDIN, stdin, options), &sender);
                } else {
                    read(PositionReader::open(path, options), &sender);
                }
            })
            .context("no thread could be started; free some memory and try again")?;
        let stored = store(ledger, &batches, &mut came, &bar, out);
        bar.finish_and_clear();
        // Dropped before the scope waits for the reader: it stops once nobody listens.
        drop(batches);
        stored.with_context(|| format!("{} is not whole in the ledger", one_line(&name)))
    })?;
    Ok(came)
}

fn read(reader: PositionReader<'_>, batches: &SyncSender<Batch>) {
    let mut batch = Batch::default();
    for item in reader {
        match item {
            PositionItem::Position { position, ending, line } => {
                batch.endings.extend(ending.map(|ending| (position.id.clone(), ending)));
                batch.positions.push(*position);
                batch.lines.push(line);
            }
            PositionItem::Problem(problem) => batch.problems.push(problem),
        }
        if batch.positions.len() >= BATCH
            && batches.send(std::mem::take(&mut batch).in_time()).is_err()
        {
            return;
        }
    }
    // Nobody listens any more when storing failed, which is said there.
    batches.send(batch.in_time()).ok();
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

fn store(
    ledger: &Ledger,
    batches: &Receiver<Batch>,
    came: &mut File,
    bar: &ProgressBar,
    out: &mut Output,
) -> Result<()> {
    for Batch { positions, lines, endings, problems } in batches {
        for problem in &problems {
            match problem.kind {
                ProblemKind::Unreadable | ProblemKind::UnknownFormat => came.unread = true,
                kind => came.bad += u64::from(kind.is_loss()),
            }
            bar.suspend(|| out.error(one_line(&problem.to_string())))?;
        }
        let read = positions.len() as u64;
        let taken = ledger.wait(ledger.store.take(ledger.now, positions, Durability::Fast))?;
        came.added += taken.added;
        came.same += taken.same;
        for clash in &taken.clashes {
            came.clashing += 1;
            if came.clashing <= CLASHES {
                let line = lines.get(clash.place).copied();
                bar.suspend(|| out.error(clashing(&came.file, line, clash)))?;
            }
        }
        came.resolved += resolve(ledger, endings, &taken.clashes)?;
        bar.inc(read);
    }
    if came.clashing > CLASHES {
        let more = grouped(usize::try_from(came.clashing - CLASHES).unwrap_or(usize::MAX));
        out.error(format_args!("{}: {more} further ids are taken", one_line(&came.file)))?;
    }
    Ok(())
}

/// Says how positions turned out. What is said of an id that is taken by another position is not said of
/// that.
fn resolve(
    ledger: &Ledger,
    mut endings: Vec<(PositionId, Ending)>,
    clashes: &[Clash],
) -> Result<u64> {
    let taken: HashSet<&PositionId> = clashes.iter().map(|clash| &clash.given.id).collect();
    endings.retain(|(id, _)| !taken.contains(id));
    if endings.is_empty() {
        return Ok(0);
    }
    ledger.wait(ledger.store.resolve_all(ledger.now, &endings, Durability::Fast))
}

/// `p.jsonl:7: the id “x” is taken: the ledger has it of ann, “…”; ben's “…” was left out`.
fn clashing(file: &str, line: Option<u32>, clash: &Clash) -> String {
    let Clash { given, kept, .. } = clash;
    let at = line.map_or_else(String::new, |line| format!(":{line}"));
    let short = |position: &Position| one_line(&excerpt(&position.claim, SHOWN)).into_owned();
    let taken = format!(
        "{}{at}: the id “{}” is taken: the ledger has it of {}, “{}”",
        one_line(file),
        one_line(given.id.as_str()),
        one_line(kept.agent.as_str()),
        short(kept)
    );
    if (&given.agent, &given.claim) == (&kept.agent, &kept.claim) {
        return match other(given, kept) {
            Some((what, has, gives)) => {
                format!("{taken} with the {what} {has}; the same with {gives} was left out")
            }
            None => format!("{taken}; the same, said elsewhere, was left out"),
        };
    }
    format!("{taken}; {}'s “{}” was left out", one_line(given.agent.as_str()), short(given))
}

/// In what two positions with the same words differ: what the ledger has, and what was given.
fn other(given: &Position, kept: &Position) -> Option<(&'static str, String, String)> {
    fn text(value: Option<impl ToString>) -> String {
        value.map_or_else(|| "none".to_owned(), |value| one_line(&value.to_string()).into_owned())
    }
    let values = |of: &Position| {
        [
            ("confidence", text(of.confidence.as_ref().map(|sure| sure.value()))),
            ("domain", text(of.domain.as_ref())),
            ("question", text(of.question.as_ref())),
            ("time", text(Some(of.at))),
        ]
    };
    let pairs = values(kept).into_iter().zip(values(given));
    pairs.map(|((what, has), (_, gives))| (what, has, gives)).find(|(_, has, gives)| has != gives)
}

fn write(
    files: &[File],
    found: Option<Progress>,
    format: ListFormat,
    out: &mut Output,
) -> io::Result<()> {
    if format == ListFormat::Json {
        let Progress { looked_at, flips } = found.unwrap_or_default();
        let document = Document { rebuttal: VERSION, schema: SCHEMA, files, looked_at, flips };
        return JsonText::line(out, &document);
    }
    for file in files {
        let read = file.added + file.same + file.clashing + file.bad;
        if file.unread && read == 0 {
            writeln!(out, "{}: not read", one_line(&file.file))?;
            continue;
        }
        let mut parts = vec![format!("{} added", positions(file.added))];
        let counted = [
            (file.same, "there already"),
            (file.clashing, "left out: the id is taken"),
            (file.bad, "left out: the row is bad"),
            (file.resolved, "with an outcome"),
        ];
        for (number, what) in counted {
            if number > 0 {
                let number = grouped(usize::try_from(number).unwrap_or(usize::MAX));
                parts.push(format!("{number} {what}"));
            }
        }
        if file.unread {
            parts.push("not read to its end".to_owned());
        }
        writeln!(out, "{}: {}", one_line(&file.file), parts.join(", "))?;
    }
    match found {
        None => writeln!(out, "flips were not looked for"),
        Some(Progress { flips: 0, .. }) => writeln!(out, "no new flips"),
        Some(Progress { flips: number, .. }) => {
            writeln!(out, "{} found; `rebuttal flips` shows them", flips(number))
        }
    }
}
