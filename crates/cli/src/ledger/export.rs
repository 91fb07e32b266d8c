//! `rebuttal positions export`: all positions to a file that can be imported again.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::ProgressBar;
use rebuttal::ledger::export;
use rebuttal::transcripts::PositionFormat;

use super::Ledger;
use super::search::bar;
use crate::args::ledger::ExportPositionsArgs;
use crate::output::{Output, Status};
use crate::terminal::one_line;
use rebuttal_report::positions;

/// Writes positions in the order the ledger took them.
pub(super) fn run(args: &ExportPositionsArgs, out: &mut Output) -> Result<Status> {
    let path = &args.file;
    let is_stdout = path.as_os_str() == "-";
    let name = if is_stdout { "stdout".to_owned() } else { path.display().to_string() };
    let format = format(args, is_stdout)?;
    let ledger = Ledger::open(&args.db)?;
    let total = ledger.wait(ledger.store.summary(ledger.now, 0))?.positions;
    let bar = bar(out, Some(total), "{spinner} {wide_bar} {human_pos}/{human_len} positions");
    let job = Job { ledger: &ledger, agent: args.agent.as_deref(), format, bar };
    let written = if is_stdout {
        job.copy(out)?
    } else {
        job.to_file(path).with_context(|| format!("{} is not whole", one_line(&name)))?
    };
    job.bar.finish_and_clear();
    if let (0, Some(agent)) = (written, &args.agent) {
        ledger.unknown_agent(agent, out)?;
    }
    out.note(format_args!("{} written to {}", positions(written), one_line(&name)))?;
    Ok(Status::Clean)
}

/// What to write: as typed, else as the file's name says.
fn format(args: &ExportPositionsArgs, is_stdout: bool) -> Result<PositionFormat> {
    let named = PositionFormat::of_path(&args.file).filter(|_| !is_stdout);
    match args.format.map(PositionFormat::from).or(named) {
        Some(format) => Ok(format),
        None if is_stdout => Ok(PositionFormat::Jsonl),
        None => bail!(
            "{} does not say what to write; end it in .jsonl, .csv or .parquet, or give --format",
            one_line(&args.file.display().to_string())
        ),
    }
}

struct Job<'j> {
    ledger: &'j Ledger,
    agent: Option<&'j str>,
    format: PositionFormat,
    bar: ProgressBar,
}

impl Job<'_> {
    fn to_file(&self, path: &Path) -> Result<u64> {
        let file = File::create(path)
            .context("it cannot be written; check that its folder exists and is yours")?;
        let mut file = BufWriter::new(file);
        let is_packed = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        let written = if is_packed {
            let mut packed = GzEncoder::new(&mut file, Compression::default());
            let written = self.copy(&mut packed)?;
            packed.finish()?;
            written
        } else {
            self.copy(&mut file)?
        };
        file.flush()?;
        Ok(written)
    }

    fn copy(&self, to: &mut dyn Write) -> Result<u64> {
        let store = &self.ledger.store;
        let watch = |read| self.bar.inc(read);
        self.ledger.wait(export(store, self.agent, self.format, to, &watch))
    }
}
