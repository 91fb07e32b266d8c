//! `rebuttal db`: where the database is, whether it is what was written, and its tables made anew.
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed:
//!
//! ```text
//! info:   { "rebuttal", "schema", "database", "bytes": null | n, "positions", "flips", "unseen",
//!           "streams": [ { "stream", "records", "head" } ] }
//! verify: { "rebuttal", "schema", "database", "streams": [ … ], "positions", "flips" }
//! ```

use std::io::Write;

use anyhow::{Context, Result};
use rebuttal::engine::ledger::verify_keys;
use rebuttal::model::{Hash, StreamId};
use rebuttal::store::Head;
use serde::Serialize;

use super::Ledger;
use super::search;
use crate::args::ListFormat;
use crate::args::ledger::{DatabaseArgs, DatabaseCommand, DatabaseListArgs, RebuildArgs};
use crate::output::{Output, Status};
use crate::report::{JsonText, SCHEMA, VERSION, count, grouped};
use crate::terminal::one_line;
use rebuttal::config::Config;
use rebuttal::models::Chosen;
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

#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "as it stands in the JSON")]
struct Stream {
    stream: StreamId,
    records: u64,
    head: Hash,
}

impl Stream {
    fn new(stream: StreamId, head: Head) -> Self {
        Self { stream, records: head.seq, head: head.hash }
    }
}

#[derive(Serialize)]
struct Info {
    rebuttal: &'static str,
    schema: u32,
    database: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    positions: u64,
    flips: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unseen: Option<u64>,
    streams: Vec<Stream>,
}

fn info(args: &DatabaseListArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let location = ledger.store.location();
    let summary = ledger.wait(ledger.store.summary(ledger.now, 0))?;
    let streams = ledger.wait(ledger.store.streams())?;
    let bytes = location.path().and_then(|path| std::fs::metadata(path).ok());
    let info = Info {
        rebuttal: VERSION,
        schema: SCHEMA,
        database: location.to_string(),
        bytes: bytes.map(|about| about.len()),
        positions: summary.positions,
        flips: summary.total_flips,
        unseen: Some(summary.unseen),
        streams: streams.into_iter().map(|(stream, head)| Stream::new(stream, head)).collect(),
    };
    if args.format == ListFormat::Json {
        JsonText::line(out, &info)?;
        return Ok(Status::Clean);
    }
    let size = info.bytes.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    let size = size.map_or_else(String::new, |bytes| format!(" ({} bytes)", grouped(bytes)));
    writeln!(out, "{}{size}", one_line(&info.database))?;
    let waiting = match summary.unseen {
        0 => String::new(),
        unseen => format!("; {} not looked at yet", positions(unseen)),
    };
    writeln!(out, "  {}, {}{waiting}", positions(info.positions), flips(info.flips))?;
    list(&info.streams, out)?;
    Ok(Status::Clean)
}

fn list(streams: &[Stream], out: &mut Output) -> Result<()> {
    for Stream { stream, records, head } in streams.iter().take(SHOWN) {
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
    ledger.wait(ledger.store.verify_file_structure())?;
    let mut streams = Vec::new();
    for (stream, _) in ledger.wait(ledger.store.streams())? {
        let head = ledger.wait(ledger.store.verify(&stream, None))?;
        streams.push(Stream::new(stream, head));
    }
    let records = streams.iter().find(|stream| stream.stream == StreamId::ledger());
    let bar = search::bar(
        out,
        records.map(|stream| stream.records),
        "{spinner} {wide_bar} {human_pos}/{human_len} records",
    );
    let followed = ledger.wait(ledger.store.verify_tables(&|done| bar.set_position(done)));
    bar.finish_and_clear();
    followed?;
    ledger.wait(ledger.store.verify_debates())?;
    ledger.wait(ledger.store.verify_knowledge())?;
    let summary = ledger.wait(ledger.store.summary(ledger.now, 0))?;
    let bar = search::bar(
        out,
        Some(summary.positions),
        "{spinner} {wide_bar} {human_pos}/{human_len} positions",
    );
    let found = ledger.wait(verify_keys(&ledger.store, &|done| bar.set_position(done)));
    bar.finish_and_clear();
    found?;
    let info = Info {
        rebuttal: VERSION,
        schema: SCHEMA,
        database: ledger.store.location().to_string(),
        bytes: None,
        positions: summary.positions,
        flips: summary.total_flips,
        unseen: None,
        streams,
    };
    if args.format == ListFormat::Json {
        JsonText::line(out, &info)?;
        return Ok(Status::Clean);
    }
    writeln!(
        out,
        "every record is what was written, and every row of the tables follows from them: {}, {}",
        positions(summary.positions),
        flips(summary.total_flips)
    )?;
    list(&info.streams, out)?;
    Ok(Status::Clean)
}

fn rebuild(args: &RebuildArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open_as_it_is(&args.db)?;
    let head = ledger
        .wait(ledger.store.rebuild())
        .context("the tables were not made anew, and are as they were")?;
    ledger.wait(ledger.store.rebuild_debates())?;
    ledger.wait(ledger.store.empty_knowledge())?;
    ledger.wait(rebuttal::ledger::pass_on(&ledger.store, ledger.now))?;
    let summary = ledger.wait(ledger.store.summary(ledger.now, 0))?;
    writeln!(
        out,
        "made anew from {}: {}, {}",
        count(usize::try_from(head.seq).unwrap_or(usize::MAX), "record"),
        positions(summary.positions),
        flips(summary.total_flips)
    )?;
    if !args.flips {
        return Ok(Status::Clean);
    }
    ledger.wait(ledger.store.restart_detection(rebuttal::detect::flips::KEYS_VERSION))?;
    let chosen = Chosen::new(args.method.into(), &config.semantics);
    let found = ledger.look(&chosen, args.lookback, out)?;
    writeln!(
        out,
        "looked at {}: {} that the ledger did not have",
        positions(found.looked_at),
        flips(found.flips)
    )?;
    Ok(Status::Clean)
}
