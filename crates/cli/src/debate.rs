//! `rebuttal debate` and the commands on stored debates.

mod breakpoints;
mod decision;
mod exports;
mod live;
mod plan;
mod quality_text;
mod receipts;
mod stored;
mod verify;

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use rebuttal::engine::debate::{AnswerError, Ended, RunError, Runner, Seat, Seen, State};
use rebuttal::model::{AgentId, DebateId, Event, Method, Record, StreamId, Transcript};
use rebuttal::panel::mixed;
use rebuttal::store::Store;
use rebuttal_llm::LocalError;
use tokio::runtime::Runtime;

use crate::args::{DbArgs, DebateArgs, DebateFormat};
use crate::ledger::{Ledger, Saving, remind};
use crate::output::{Output, Status};
use crate::store;
use crate::terminal::one_line;
use breakpoints::Heard;
use live::{Live, Shown};
use plan::DebatePlan;
use rebuttal::config::Config;
use rebuttal::models::Chosen;

pub(crate) use breakpoints::run as breakpoints;
pub(crate) use exports::run as export;
pub(crate) use quality_text::run as quality;
pub(crate) use receipts::run as receipt;
pub(crate) use stored::{debates, fork, redecide, replay, resume, show};
pub(crate) use verify::run as verify;

/// Runs a debate while somebody watches.
pub(crate) fn run(args: &DebateArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let plan = match DebatePlan::new(args, config, out) {
        Ok(plan) => plan,
        Err(error) if wants_local(args) && is_about_fetching(&error) => {
            return recorded(args, &error, out);
        }
        Err(error) => return Err(error),
    };
    crate::output::to_file(out, args.output.as_deref())?;
    let (runtime, store) = store::open(&args.db)?;
    let spec = plan.arena.spec()?;
    let stream = StreamId::debate(&spec.id);
    let panel: Vec<AgentId> = spec.panel.iter().map(|panelist| panelist.agent.clone()).collect();
    remind((&runtime, &store), &panel, &spec.question, out)?;
    let first = Event::DebateStarted { spec: Box::new(spec) };
    let seats = plan.arena.seats();
    let mut live = Live::new(args.format, plan.note.clone(), out);
    let ended = drive((&runtime, &store, &stream), &seats, Some(first), &mut live, out)?;
    let records = runtime.block_on(stored::records(&store, &stream))?;
    finish(ended, &stream, &records, args.format, (&args.db, config), out)
}

/// Runs a debate to its end, asking whoever sits at the terminal at its breakpoints.
fn drive(
    (runtime, store, stream): (&Runtime, &Store, &StreamId),
    seats: &BTreeMap<AgentId, Seat>,
    mut first: Option<Event>,
    live: &mut Live,
    out: &mut Output,
) -> Result<Result<Ended, RunError>> {
    loop {
        let ended = live.follow(out, |tell| {
            let watch = |seen: Seen<'_>| tell(Shown::of(&seen));
            let clock = store::now;
            let runner = Runner::new(store, seats, &clock, &watch);
            runtime.block_on(runner.run(stream, first.take()))
        })?;
        let Ok(Ended::Waiting(_)) = &ended else { return Ok(ended) };
        let state = State::fold(&runtime.block_on(stored::records(store, stream))?)?;
        let (answer, note) = match breakpoints::ask(&state, out)? {
            Heard::Answer(answer, note) => (answer, note),
            // Going on with it is what applies the time-out.
            Heard::TimedOut => continue,
            Heard::Later => return Ok(ended),
        };
        let (clock, watch) = (store::now, |_: Seen<'_>| ());
        let runner = Runner::new(store, seats, &clock, &watch);
        match runtime.block_on(runner.answer(stream, None, answer, note.as_deref())) {
            Err(RunError::Answer(late @ AnswerError::TimedOut { .. })) => out.note(late)?,
            answered => answered?,
        }
    }
}

/// A debate of the local panel that comes with the program.
const RECORDED: &str = include_str!("../../../assets/recorded-debate.jsonl");

/// True when the user named nobody.
fn wants_local(args: &DebateArgs) -> bool {
    args.panel.agents.is_empty() && args.tape.cassette.is_none()
}

fn is_about_fetching(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<rebuttal::Error>();
    let local = error.and_then(rebuttal::Error::find::<LocalError>);
    local.is_some_and(LocalError::is_about_fetching)
}

/// Without a model there is still something to look at: a debate that was recorded, and marked so.
fn recorded(args: &DebateArgs, error: &anyhow::Error, out: &mut Output) -> Result<Status> {
    out.warn(one_line(&format!("{error:#}")))?;
    let note = "RECORDED: nobody could be asked, so this is a debate on another day, and the \
                question is its own.";
    let records = RECORDED.lines().map(serde_json::from_str).collect::<Result<Vec<Record>, _>>();
    let records = records.context("the recorded debate that comes with rebuttal")?;
    crate::output::to_file(out, args.output.as_deref())?;
    let mut live = Live::new(args.format, Some(note.to_owned()), out);
    for record in &records {
        live.show(&Shown::Written(Box::new(record.clone())), out)?;
    }
    stored::write(&records, args.format, out)?;
    out.note(note)?;
    Ok(Status::Findings)
}

/// The positions that were taken go into the ledger: who flips over many debates is seen there.
fn save(records: &[Record], db: &DbArgs, config: &Config, out: &mut Output) -> Result<()> {
    let state = State::fold(records)?;
    let spec = state.spec();
    let transcript =
        Transcript::new(spec.id.clone(), Some(spec.question.clone()), state.turns.clone());
    let chosen = Chosen::new(Method::Rules, &config.semantics);
    let ledger = Ledger::open(db)?;
    let mut saver = Saving::new(&ledger);
    saver.add(transcript, &chosen, out)?;
    saver.score(&state)?;
    saver.finish(&chosen, out)
}

/// Writes what a run came to.
fn finish(
    ended: Result<Ended, RunError>,
    stream: &StreamId,
    records: &[Record],
    format: DebateFormat,
    (db, config): (&DbArgs, &Config),
    out: &mut Output,
) -> Result<Status> {
    let id = stored::id_of(stream);
    match ended {
        Ok(Ended::Decided(_)) => {
            let status = stored::write(records, format, out)?;
            // The decision stands, whatever becomes of the ledger.
            if let Err(error) = save(records, db, config, out) {
                out.warn(one_line(&format!("{error:#}")))?;
            }
            Ok(status)
        }
        Ok(Ended::Waiting(reason)) => {
            // A report shows what was said so far: whoever is asked wants to read it.
            stored::so_far(&State::fold(records)?, records, format, out)?;
            out.note(format_args!(
                "the debate waits: {} Answer by `rebuttal breakpoints answer {id} \
                 continue|redirect|add-evidence|abort`, then `rebuttal resume {id}`",
                rebuttal_report::debate::sentence(&one_line(&reason))
            ))?;
            Ok(Status::Findings)
        }
        // Somebody else goes on with it.
        Err(RunError::Journal(error)) if error.is_leased() => Err(error.into()),
        Err(error) => Err(error).with_context(|| {
            format!("the debate stopped; nothing is lost, and `rebuttal resume {id}` goes on")
        }),
    }
}

/// An id nobody has: the same question with the same seed is still another debate.
fn drawn_id() -> DebateId {
    DebateId::new(format!("d-{:012x}", mixed(drawn_seed()) >> 16))
}

/// A seed nobody chose.
fn drawn_seed() -> u64 {
    let nanos = u64::try_from(store::now().as_nanosecond()).unwrap_or(u64::MAX);
    nanos ^ (u64::from(std::process::id()) << 40)
}
