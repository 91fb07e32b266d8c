//! `rebuttal debate` and the commands on stored debates.

mod breakpoints;
mod decision;
mod exports;
mod live;
mod person;
mod plan;
mod quality_text;
mod receipts;
mod stored;
mod verify;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use rebuttal::engine::debate::{AnswerError, Debate, Ended, Engine, Finished, RunError, State};
use rebuttal::evidence::{Documents, Limits};
use rebuttal::grounding::Grounds;
use rebuttal::ledger::Search;
use rebuttal::model::{AgentId, Passage, Record};
use rebuttal::store::Store;
use tokio::runtime::Runtime;

use crate::args::{DbArgs, DebateArgs, DebateFormat};
use crate::ask::{Answer, yes_or_no};
use crate::ledger::{Ledger, Saving, remind};
use crate::output::{Output, Status};
use crate::store;
use crate::terminal::one_line;
use breakpoints::Heard;
use live::Live;
use plan::DebatePlan;
use rebuttal::config::Config;
use rebuttal::models::Analyzer;

pub(crate) use breakpoints::run as breakpoints;
pub(crate) use exports::run as export;
pub(crate) use quality_text::run as quality;
pub(crate) use receipts::run as receipt;
pub(crate) use stored::{fork, list as debates, redecide, replay, resume, show};
pub(crate) use verify::run as verify;

/// Runs a debate while somebody watches.
pub(crate) fn run(args: &DebateArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let plan = match DebatePlan::new(args, config, out) {
        Ok(plan) => plan,
        Err(error) if is_about_evidence(&error) => return offer(args, error, out),
        Err(error) => return Err(error),
    };
    crate::output::to_file(out, args.output.as_deref())?;
    let database = Database::open(&args.db)?;
    let (panel, question) = plan.arena.about();
    remind((&database.runtime, &database.store), &panel, question, out)?;
    let engine = database.engine(config, out)?;
    // Who quotes has read the documents already, and quotes nothing else.
    let given = if plan.note.is_some() { &[][..] } else { &args.evidence };
    let engine = match grounds(given, out)? {
        Some(grounds) => engine.library(grounds),
        None => engine,
    };
    let debate = database.within(|| plan.arena.start(&engine))?;
    let live = Live::new(args.format, plan.note.clone(), out);
    finish(database, debate, live, args.format, out)
}

/// The documents that were named, for all agents or, as AGENT=PATH, for one.
fn grounds(named: &[PathBuf], out: &mut Output) -> Result<Option<Grounds>> {
    if named.is_empty() {
        return Ok(None);
    }
    let mut own: BTreeMap<AgentId, Vec<PathBuf>> = BTreeMap::new();
    let mut all = Vec::new();
    for path in named {
        let typed = path.to_string_lossy();
        match typed.split_once('=').filter(|_| !path.exists()) {
            Some((agent, path)) => own.entry(AgentId::new(agent)).or_default().push(path.into()),
            None => all.push(path.clone()),
        }
    }
    let mut read = |paths: &[PathBuf]| passages(paths, out);
    let all = read(&all)?;
    let own: Result<_> = own.into_iter().map(|(agent, paths)| Ok((agent, read(&paths)?))).collect();
    Ok(Some(Grounds::new(all, own?, Analyzer::rules())))
}

/// What documents say; what could not be read is told.
fn passages(paths: &[PathBuf], out: &mut Output) -> Result<Vec<Passage>> {
    let (documents, problems) = Documents::read(paths, Limits::default());
    crate::evidence::tell(&problems, out)?;
    let found: Vec<Passage> = documents.into_iter().flat_map(|it| it.passages).collect();
    if found.is_empty() && !paths.is_empty() {
        bail!("there is nothing to read in what --evidence names");
    }
    Ok(found)
}

/// The database a debate is kept in, and the runtime it runs on.
struct Database {
    runtime: Runtime,
    store: Arc<Store>,
}

impl Database {
    fn open(args: &DbArgs) -> Result<Self> {
        let (runtime, store) = store::open(args)?;
        Ok(Self { runtime, store: Arc::new(store) })
    }

    /// Runs debates here, with the embedder of the configuration.
    fn engine(&self, config: &Config, out: &mut Output) -> Result<Engine> {
        engine_on(&self.store, config, out)
    }

    /// Starts something that runs by itself.
    fn within<T>(&self, start: impl FnOnce() -> T) -> T {
        let _entered = self.runtime.enter();
        start()
    }
}

/// What runs debates on a store, with the embedder of the configuration.
pub(crate) fn engine_on(store: &Arc<Store>, config: &Config, out: &mut Output) -> Result<Engine> {
    let engine = Engine::new(Arc::clone(store)).clock(store::now);
    Ok(match rebuttal::models::debate_embedder(&config.semantics) {
        Ok(Some(embedder)) => engine.embedder(embedder),
        Ok(None) => engine,
        Err(error) => {
            out.warn(format_args!("embeddings: {error}: the built-in ones are used instead"))?;
            engine
        }
    })
}

/// Follows a debate to its end, asking whoever sits at the terminal at its breakpoints.
fn drive(
    database: &Database,
    mut debate: Debate,
    live: &mut Live,
    out: &mut Output,
) -> Result<Finished> {
    let mut seen = debate.records().last().map_or(0, |record| record.seq);
    loop {
        match live.follow(&database.runtime, debate.events_after(seen), out) {
            // Nobody reads any more. What was asked is paid for, so the debate goes on and is kept.
            Err(error) if crate::output::is_closed_pipe(&error) => {}
            followed => followed?,
        }
        let (id, begun) = (debate.id(), !debate.records().is_empty());
        let finished = database.runtime.block_on(debate.finished());
        let mut finished = match finished {
            Ok(finished) => finished,
            // Somebody else goes on with it.
            Err(RunError::Journal(error)) if error.is_leased() => return Err(error.into()),
            Err(error) if begun => {
                return Err(error).with_context(|| {
                    format!(
                        "the debate stopped; nothing is lost, and `rebuttal resume {id}` goes on"
                    )
                });
            }
            Err(error) => return Err(error.into()),
        };
        let Ended::Waiting(_) = &finished.ended else { return Ok(finished) };
        match breakpoints::ask(&finished.state, out)? {
            Heard::Answer(answer, note) => {
                match database.runtime.block_on(finished.answer(answer, note.as_deref())) {
                    Err(RunError::Answer(late @ AnswerError::TimedOut { .. })) => out.note(late)?,
                    answered => answered?,
                }
            }
            // Going on with it is what applies the time-out.
            Heard::TimedOut => {}
            Heard::Later => return Ok(finished),
        }
        seen = finished.records.last().map_or(0, |record| record.seq);
        debate = database.within(|| finished.resume())?;
    }
}

/// A debate of the local panel that comes with the program.
const RECORDED: &str = include_str!("../../../assets/recorded-debate.jsonl");
/// What is said of it.
const NOTE_RECORDED: &str = "RECORDED: three agents debated this earlier; it comes with rebuttal.";

/// True where nobody can debate: no documents and no agents.
fn is_about_evidence(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<rebuttal::Error>();
    error.is_some_and(|error| error.kind() == rebuttal::ErrorKind::NoEvidence)
}

/// Nobody can debate, but there is something to look at.
fn offer(args: &DebateArgs, error: anyhow::Error, out: &mut Output) -> Result<Status> {
    const OFFER: &str = "`rebuttal show recorded` shows a debate that was recorded";
    if args.format != DebateFormat::Text {
        return Err(error.context(OFFER));
    }
    out.warn(one_line(&format!("{error:#}")))?;
    let answer = yes_or_no("Show a debate that was recorded, on another question?", out)?;
    if answer == Answer::Yes {
        recorded(DebateFormat::Text, out)?;
    } else {
        out.note(OFFER)?;
    }
    Ok(Status::CouldNotRun)
}

/// Shows the debate that comes with the program, and says that it is one.
fn recorded(format: DebateFormat, out: &mut Output) -> Result<Status> {
    let records = RECORDED.lines().map(serde_json::from_str).collect::<Result<Vec<Record>, _>>();
    let records = records.context("the recorded debate that comes with rebuttal")?;
    let mut live = Live::new(format, Some(NOTE_RECORDED.to_owned()), out);
    for record in &records {
        live.record(record, out)?;
    }
    stored::write(&State::fold(&records)?, &records, format, out)
}

/// The positions that were taken go into the ledger: who flips over many debates is seen there.
fn save(database: Database, state: &State, out: &mut Output) -> Result<()> {
    let ledger = Ledger::on(database.runtime, database.store);
    let mut saver = Saving::new(&ledger, Search::new(Analyzer::rules()));
    saver.add_debate(state, out)?;
    saver.score(state)?;
    saver.finish(out)
}

/// Runs a debate and writes what it came to.
fn finish(
    database: Database,
    debate: Debate,
    mut live: Live,
    format: DebateFormat,
    out: &mut Output,
) -> Result<Status> {
    let Finished { ended, state, records, .. } = drive(&database, debate, &mut live, out)?;
    let records: Vec<Record> = records.into_iter().map(Arc::unwrap_or_clone).collect();
    match ended {
        Ended::Decided(_) => {
            let written = stored::write(&state, &records, format, out);
            // The decision stands, whatever becomes of the ledger.
            if let Err(error) = save(database, &state, out) {
                out.warn(one_line(&format!("{error:#}")))?;
            }
            written
        }
        Ended::Waiting(reason) => waits(&state, &records, &reason, format, out),
        _ => {
            out.note(format_args!("paused; `rebuttal resume {}` goes on", state.spec().id))?;
            Ok(Status::Findings)
        }
    }
}

/// Says what a debate waits for. A report shows what was said so far: whoever is asked wants to read it.
fn waits(
    state: &State,
    records: &[Record],
    reason: &str,
    format: DebateFormat,
    out: &mut Output,
) -> Result<Status> {
    let id = &state.spec().id;
    stored::so_far(state, records, format, out)?;
    out.note(format_args!(
        "the debate waits: {} Answer by `rebuttal breakpoints answer {id} \
         continue|redirect|add-evidence|abort`, then `rebuttal resume {id}`",
        rebuttal_report::debate::sentence(&one_line(reason))
    ))?;
    Ok(Status::Findings)
}

/// A seed nobody chose.
fn drawn_seed() -> u64 {
    let nanos = u64::try_from(store::now().as_nanosecond()).unwrap_or(u64::MAX);
    nanos ^ (u64::from(std::process::id()) << 40)
}
