//! `rebuttal debate` and the commands on stored debates.

mod decision;
mod export;
mod html;
mod live;
mod markdown;
mod panel;
mod plan;
mod stored;

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use jiff::Timestamp;
use rebuttal::engine::debate::{Ended, RunError, Runner, Seen};
use rebuttal::model::{Event, StreamId};

use crate::args::{DebateArgs, DebateFormat};
use crate::config::Config;
use crate::output::{Output, Status};
use crate::store;
use live::{Live, Shown};
use plan::DebatePlan;

pub(crate) use export::run as export;
pub(crate) use stored::{debates, fork, redecide, replay, resume, show, verify};

/// Runs a debate while somebody watches.
pub(crate) fn run(args: &DebateArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let plan = DebatePlan::new(args, config, out)?;
    crate::output::to_file(out, args.output.as_deref())?;
    let (runtime, store) = store::open(&args.db)?;
    let spec = plan.arena.spec()?;
    let stream = StreamId::debate(&spec.id);
    let first = Event::DebateStarted { spec };
    let seats = plan.arena.seats();
    let mut live = Live::new(args.format, plan.note.clone(), out);
    let ended = live.follow(out, |tell| {
        let watch = |seen: Seen<'_>| tell(Shown::of(&seen));
        let clock = Timestamp::now;
        let runner = Runner::new(&store, &seats, &clock, &watch);
        runtime.block_on(runner.run(&stream, Some(first)))
    })?;
    finish(ended, &stream, &runtime.block_on(stored::records(&store, &stream))?, args.format, out)
}

/// Writes what a run came to.
fn finish(
    ended: Result<Ended, RunError>,
    stream: &StreamId,
    records: &[rebuttal::model::Record],
    format: DebateFormat,
    out: &mut Output,
) -> Result<Status> {
    let id = stored::id_of(stream);
    match ended {
        Ok(Ended::Decided(_)) => stored::write(records, format, out),
        Ok(Ended::Waiting(reason)) => {
            out.note(format_args!("the debate waits: {reason}; rebuttal resume {id} goes on"))?;
            Ok(Status::Findings)
        }
        Err(error) => Err(error).with_context(|| {
            format!("the debate stopped; nothing is lost, and `rebuttal resume {id}` goes on")
        }),
    }
}

/// A seed nobody chose.
fn drawn_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let nanos = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX);
    nanos ^ (u64::from(std::process::id()) << 40)
}
