//! `rebuttal positions import`: files into the ledger, as they are read.
//!
//! As JSON `{ "files": [ { "file", "added", "same", "clashing", "bad", "unread": true?, "resolved" } ],
//! "looked_at": positions, "flips": found now }`.

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::config::Config;
use rebuttal::engine::ledger::Progress;
use rebuttal::ledger::{ImportNews, Imported, PositionSource, import};
use rebuttal::model::Position;
use rebuttal::store::Clash;
use rebuttal::transcripts::PositionOptions;
use rebuttal_report::{flips, positions};
use serde::Serialize;

use super::Ledger;
use super::search::bar;
use crate::args::ListFormat;
use crate::args::ledger::ImportArgs;
use crate::judge;
use crate::output::{Output, Status};
use crate::report::{JsonText, excerpt, grouped};
use crate::terminal::one_line;

/// Characters of a claim in a message.
const SHOWN: usize = 60;

#[derive(Serialize)]
struct Document<'d> {
    files: &'d [Imported],
    looked_at: u64,
    flips: u64,
}

/// Takes files into the ledger and looks for flips.
pub(super) fn run(args: &ImportArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let options = PositionOptions { now: ledger.now, from: args.from.map(Into::into) };
    let mut files = Vec::new();
    for path in &args.files {
        files.push(file(&ledger, PositionSource::typed(path.clone()), options, out)?);
    }
    let found = if args.detection.no_detect {
        None
    } else {
        let analyzer =
            judge::analyzer(args.detection.method.into(), &args.detection.judge, config)?;
        Some(ledger.look(&analyzer, args.detection.lookback, out)?)
    };
    write(&files, found, args.format, out)?;
    let is_whole = files.iter().all(Imported::is_whole);
    Ok(if is_whole { Status::Clean } else { Status::CouldNotRun })
}

/// Imports one file while somebody watches.
fn file(
    ledger: &Ledger,
    source: PositionSource,
    options: PositionOptions,
    out: &mut Output,
) -> Result<Imported> {
    let name = source.name();
    let bar = bar(out, None, "{spinner} {human_pos} positions, {per_sec} {msg}");
    bar.set_message(one_line(&name).into_owned());
    let mut tell = |news: ImportNews<'_>| match news {
        ImportNews::Stored(number) => {
            bar.inc(number);
            Ok(())
        }
        ImportNews::Problem(problem) => bar.suspend(|| out.error(one_line(&problem.to_string()))),
        ImportNews::Clash(clash, line) => bar.suspend(|| out.error(clashing(&name, line, clash))),
        ImportNews::MoreClashes(number) => {
            let more = grouped(usize::try_from(number).unwrap_or(usize::MAX));
            out.error(format_args!("{}: {more} further ids are taken", one_line(&name)))
        }
        _ => Ok(()),
    };
    let imported = ledger.wait(import(&ledger.store, ledger.now, source, options, &mut tell));
    bar.finish_and_clear();
    imported
}

/// `p.jsonl:7: the id “x” is taken: the ledger has it of ann, “…”; ben's “…” was left out`.
fn clashing(file: &str, line: Option<u32>, clash: &Clash) -> String {
    let Clash { given, kept, .. } = clash;
    let at = line.map_or_else(String::new, |line| format!(":{line}"));
    let short = |position: &Position| one_line(&excerpt(&position.claim, SHOWN)).into_owned();
    let clash = format!(
        "{}{at}: the id “{}” is taken: the ledger has it of {}, “{}”",
        one_line(file),
        one_line(given.id.as_str()),
        one_line(kept.agent.as_str()),
        short(kept)
    );
    if (&given.agent, &given.claim) == (&kept.agent, &kept.claim) {
        return match other(given, kept) {
            Some((what, has, gives)) => {
                format!("{clash} with the {what} {has}; the same with {gives} was left out")
            }
            None => format!("{clash}; the same, said elsewhere, was left out"),
        };
    }
    format!("{clash}; {}'s “{}” was left out", one_line(given.agent.as_str()), short(given))
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
    files: &[Imported],
    found: Option<Progress>,
    format: ListFormat,
    out: &mut Output,
) -> io::Result<()> {
    if format == ListFormat::Json {
        let Progress { looked_at, flips } = found.unwrap_or_default();
        let document = Document { files, looked_at, flips };
        return JsonText::line(out, &Versioned::new(&document));
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
