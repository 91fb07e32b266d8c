//! `rebuttal db`: where the database is, whether it is what was written, and its tables made anew.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::ledger::{
    CheckProgress, StreamInfo, database_info, rebuild_database, restart_detection, verify_database,
};

use super::Ledger;
use super::search;
use crate::args::ListFormat;
use crate::args::ledger::{DatabaseArgs, DatabaseCommand, DatabaseListArgs, RebuildArgs};
use crate::output::{Output, Status};
use crate::report::{JsonText, count, grouped};
use crate::terminal::one_line;
use rebuttal::config::Config;
use rebuttal::models::Analyzer;
use rebuttal_report::{flips, positions};

/// Streams named as text; the rest are counted.
const SHOWN: usize = 20;

/// Does what was asked.
pub(crate) fn run(args: &DatabaseArgs, config: &Config, out: &mut Output) -> Result<Status> {
    match &args.command {
        DatabaseCommand::Info(args) => info(args, out),
        DatabaseCommand::Verify(args) => verify(args, out),
        DatabaseCommand::Rebuild(args) => rebuild(args, config, out),
    }
}

fn info(args: &DatabaseListArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let info = ledger.wait(database_info(&ledger.store, ledger.now))?;
    if args.format == ListFormat::Json {
        JsonText::line(out, &Versioned::new(&info))?;
        return Ok(Status::Clean);
    }
    let size = info.bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    let size = size.map_or_else(String::new, |bytes| format!(" ({} bytes)", grouped(bytes)));
    writeln!(out, "{}{size}", one_line(&info.database))?;
    let waiting = match info.unseen.unwrap_or_default() {
        0 => String::new(),
        unseen => format!("; {} not looked at yet", positions(unseen)),
    };
    writeln!(out, "  {}, {}{waiting}", positions(info.positions), flips(info.flips))?;
    list(&info.streams, out)?;
    Ok(Status::Clean)
}

fn list(streams: &[StreamInfo], out: &mut Output) -> Result<()> {
    for StreamInfo { stream, records, head } in streams.iter().take(SHOWN) {
        let records = count(usize::try_from(*records).unwrap_or(usize::MAX), "record");
        writeln!(out, "  {}: {records}, head {head}", one_line(stream.as_str()))?;
    }
    let more = streams.len().saturating_sub(SHOWN);
    if more > 0 {
        writeln!(out, "  … and {}; --format json has all", count(more, "stream"))?;
    }
    Ok(())
}

/// Checks the chain of every stream, and that the ledger's tables hold what the journal says.
fn verify(args: &DatabaseListArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open_as_it_is(&args.db)?;
    let bar = search::bar(out, None, "{spinner} {wide_bar} {human_pos}/{human_len} {msg}");
    let moved = bar.clone();
    let watch = Arc::new(move |progress| {
        let (done, of, what) = match progress {
            CheckProgress::Records(done, of) => (done, of, "records"),
            CheckProgress::Positions(done, of) => (done, of, "positions"),
            _ => return,
        };
        moved.set_length(of);
        moved.set_position(done);
        moved.set_message(what);
    });
    let info = ledger.wait(verify_database(&ledger.store, ledger.now, watch));
    bar.finish_and_clear();
    let info = info?;
    if args.format == ListFormat::Json {
        JsonText::line(out, &Versioned::new(&info))?;
        return Ok(Status::Clean);
    }
    writeln!(
        out,
        "every record is what was written, and every row of the tables follows from them: {}, {}",
        positions(info.positions),
        flips(info.flips)
    )?;
    list(&info.streams, out)?;
    Ok(Status::Clean)
}

fn rebuild(args: &RebuildArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open_as_it_is(&args.db)?;
    let records = ledger.wait(rebuild_database(&ledger.store, ledger.now))?;
    let summary = ledger.wait(ledger.store.summary(ledger.now, 0))?;
    writeln!(
        out,
        "made anew from {}: {}, {}",
        count(usize::try_from(records).unwrap_or(usize::MAX), "record"),
        positions(summary.positions),
        flips(summary.total_flips)
    )?;
    if !args.flips {
        return Ok(Status::Clean);
    }
    ledger.wait(restart_detection(&ledger.store))?;
    let analyzer = Analyzer::new(args.method.into(), &config.semantics);
    let found = ledger.look(&analyzer, args.lookback, out)?;
    writeln!(
        out,
        "looked at {}: {} that the ledger did not have",
        positions(found.looked_at),
        flips(found.flips)
    )?;
    Ok(Status::Clean)
}
