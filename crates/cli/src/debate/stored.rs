//! Stored debates: listed, shown, resumed, replayed, branched, counted again.

use std::io::Write as _;

use anyhow::Result;
use rebuttal::config::Config;
use rebuttal::debates::{self, DebateDocument, DebateEntry, NOTHING_STORED, StoredDebate};
use rebuttal::engine::debate::{State, Waiting};
use rebuttal::model::{DebateId, Record};
use rebuttal::panel;
use rebuttal::store::{DebateFilter, DebateRow, DebateStatus, Store};
use tokio::runtime::Runtime;

use super::live::{Live, fetch_bar, fetching};
use super::{Database, breakpoints, decision, finish, plan};
use crate::args::{
    DbArgs, DebateFormat, DebatesArgs, ForkArgs, ListFormat, ResumeArgs, StoredArgs, TapeArgs,
};
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::store;
use crate::terminal::one_line;

/// Writes a stored debate.
pub(super) fn write(
    state: &State,
    records: &[Record],
    format: DebateFormat,
    out: &mut Output,
) -> Result<Status> {
    let (Some(decision), Some(last)) = (&state.decision, records.last()) else {
        so_far(state, records, format, out)?;
        out.note("the debate has not ended")?;
        return Ok(Status::Findings);
    };
    match format {
        DebateFormat::Text => {
            let text = decision::text(state, decision, last, out.paint());
            write!(out, "{text}")?;
        }
        DebateFormat::Json => {
            JsonText::line(out, &DebateDocument::new(state, records))?;
        }
        DebateFormat::Jsonl => {}
        DebateFormat::Markdown => {
            write!(out, "{}", rebuttal_report::debate::markdown(state, records))?;
        }
        DebateFormat::Html => {
            write!(
                out,
                "{}",
                rebuttal_report::debate::page(state, records).stand_alone().into_string()
            )?;
        }
    }
    Ok(if decision.answer.is_some() { Status::Clean } else { Status::Findings })
}

/// Writes the report of a debate that has not ended, in the formats that have one.
pub(super) fn so_far(
    state: &State,
    records: &[Record],
    format: DebateFormat,
    out: &mut Output,
) -> Result<()> {
    match format {
        DebateFormat::Markdown => {
            write!(out, "{}", rebuttal_report::debate::markdown(state, records))?;
        }
        DebateFormat::Html => {
            write!(
                out,
                "{}",
                rebuttal_report::debate::page(state, records).stand_alone().into_string()
            )?;
        }
        DebateFormat::Text | DebateFormat::Json | DebateFormat::Jsonl => {}
    }
    Ok(())
}

/// `rebuttal debates`: what is stored, the latest first.
pub(crate) fn list(args: &DebatesArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let filter = DebateFilter {
        owner: None,
        status: args.status,
        question: args.about.clone(),
        after: args.after.clone(),
        limit: args.limit,
    };
    let page = runtime.block_on(store.debates(&filter))?;
    let is_damaged = |row: &DebateRow| row.status == DebateStatus::Damaged;
    let status = if page.debates.iter().any(is_damaged) { Status::Findings } else { Status::Clean };
    if args.format == ListFormat::Json {
        JsonText::line(out, &page.debates.iter().map(DebateEntry::from).collect::<Vec<_>>())?;
        return Ok(status);
    }
    for row in &page.debates {
        let answer = match &row.answer {
            Some(answer) if !is_damaged(row) => one_line(answer).into_owned(),
            None if row.status == DebateStatus::Undecided => "no decision".to_owned(),
            _ => row.status.as_str().to_owned(),
        };
        let told = row.damage.as_deref().unwrap_or(&row.question);
        let told: String =
            one_line(told).chars().take(if is_damaged(row) { 200 } else { 44 }).collect();
        let told = match &row.overrode {
            Some(votes) => format!("[moderator overrode {}] {told}", one_line(votes)),
            None => told,
        };
        let at = row.started.to_string();
        let day = at.get(..16).unwrap_or(&at).replace('T', " ");
        writeln!(out, "{:<16} {day}  {answer:<12.12} {told}", row.id)?;
    }
    match (&page.next, page.debates.is_empty()) {
        (Some(next), _) => out.note(format_args!("there are more: --after {next}"))?,
        (None, true) if filter.status.is_some() || filter.question.is_some() => {
            out.note("no debate is like that")?;
        }
        (None, true) => out.note(NOTHING_STORED)?,
        (None, false) => {}
    }
    Ok(status)
}

/// Every stored debate that stands there, or every one. Those that are damaged are told.
pub(super) fn all(
    (runtime, store): (&Runtime, &Store),
    status: Option<DebateStatus>,
    out: &mut Output,
) -> Result<Vec<State>> {
    let mut damaged = |id: &DebateId, error: &rebuttal::Error| told_damaged(id, error, out);
    Ok(runtime.block_on(debates::all(store, status, &mut damaged))?)
}

/// Says that a debate cannot be read.
pub(super) fn told_damaged(
    id: &DebateId,
    error: &rebuttal::Error,
    out: &mut Output,
) -> rebuttal::Result<()> {
    Ok(out.warn(one_line(&format!("{id} is damaged: {}", error.whole())))?)
}

/// Opens the database and reads the debate that is meant.
pub(super) fn open(db: &DbArgs, wanted: &str) -> Result<(Runtime, Store, StoredDebate)> {
    let (runtime, store) = store::open(db)?;
    let debate = read(&runtime, &store, wanted)?;
    Ok((runtime, store, debate))
}

fn read(runtime: &Runtime, store: &Store, wanted: &str) -> Result<StoredDebate> {
    let found = runtime.block_on(async {
        let id = debates::find(store, wanted).await?;
        debates::read(store, &id).await
    });
    Ok(found?)
}

/// `rebuttal show`.
pub(crate) fn show(args: &StoredArgs, out: &mut Output) -> Result<Status> {
    if args.debate == "recorded" {
        crate::output::to_file(out, args.output.as_deref())?;
        return super::recorded(args.format, out);
    }
    let (_runtime, _store, debate) = open(&args.db, &args.debate)?;
    crate::output::to_file(out, args.output.as_deref())?;
    tell(&debate.records, args.format, out)?;
    write(&debate.state, &debate.records, args.format, out)
}

/// Tells a stored debate as if it ran.
fn tell(records: &[Record], format: DebateFormat, out: &mut Output) -> Result<()> {
    let mut live = Live::new(format, None, out);
    for record in records {
        live.record(record, out)?;
    }
    Ok(())
}

/// `rebuttal replay`: runs a stored debate again without asking anybody, and shows it.
pub(crate) fn replay(args: &StoredArgs, out: &mut Output) -> Result<Status> {
    let (_runtime, _store, debate) = open(&args.db, &args.debate)?;
    let state = debate.replay()?;
    crate::output::to_file(out, args.output.as_deref())?;
    tell(&debate.records, args.format, out)?;
    write(&state, &debate.records, args.format, out)
}

/// `rebuttal resume`: goes on where a debate stopped.
pub(crate) fn resume(args: &ResumeArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let stored = &args.stored;
    let database = Database::open(&stored.db)?;
    let debate = read(&database.runtime, &database.store, &stored.debate)?;
    crate::output::to_file(out, stored.output.as_deref())?;
    tell(&debate.records, stored.format, out)?;
    go_on(database, debate, (stored, &args.tape), config, out)
}

fn go_on(
    database: Database,
    StoredDebate { state, records, .. }: StoredDebate,
    (args, tape): (&StoredArgs, &TapeArgs),
    config: &Config,
    out: &mut Output,
) -> Result<Status> {
    if state.decision.is_some() {
        out.note("the debate had ended already")?;
        return write(&state, &records, args.format, out);
    }
    let waits = Waiting::of(&state, store::now()).filter(|waiting| !waiting.timed_out);
    if let Some(waiting) = waits.filter(|_| !breakpoints::is_somebody_there(out)) {
        // Nobody is asked anything, so nobody needs to be there, and no recording is begun.
        return super::waits(&state, &records, &waiting.breakpoint.reason, args.format, out);
    }
    let bar = fetch_bar(out);
    let mut watch = |progress| fetching(&bar, progress, out);
    let agents = panel::again(state.spec(), Vec::new(), plan::tape(tape)?, config, &mut watch);
    bar.finish_and_clear();
    let agents = agents?;
    let mut live = Live::new(args.format, None, out);
    live.catch_up(&records);
    let engine = database.engine(config, out)?;
    let debate = database.within(|| engine.resume_from(state, records, agents))?;
    finish(database, debate, live, args.format, out)
}

/// `rebuttal fork`: branches a debate at a round, under another protocol.
pub(crate) fn fork(args: &ForkArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let stored = &args.stored;
    let database = Database::open(&stored.db)?;
    let (runtime, store) = (&database.runtime, &*database.store);
    let old = read(runtime, store, &stored.debate)?;
    let spec = old.state.spec();
    let protocol = plan::protocol(&args.protocol, config, &spec.question)?;
    let id = DebateId::new(format!("{}-{:04x}", spec.id, super::drawn_seed() & 0xffff));
    let seats = args.seats.iter().map(|text| debates::seat(text)).collect::<Result<_, _>>()?;
    let changes = (args.round, protocol, seats);
    let branch = runtime.block_on(debates::fork(store, store::now(), &old, id, changes))?;
    crate::output::to_file(out, stored.output.as_deref())?;
    tell(&branch.records, stored.format, out)?;
    go_on(database, branch, (stored, &args.tape), config, out)
}

/// `rebuttal redecide`: the same votes counted under every rule, without asking anybody.
pub(crate) fn redecide(args: &StoredArgs, out: &mut Output) -> Result<Status> {
    let (_runtime, _store, StoredDebate { state, .. }) = open(&args.db, &args.debate)?;
    let again = debates::redecide(&state);
    crate::output::to_file(out, args.output.as_deref())?;
    if args.format == DebateFormat::Json {
        JsonText::line(out, &again)?;
        return Ok(Status::Clean);
    }
    let paint = out.paint();
    writeln!(out, "{}", paint.bold(one_line(&state.spec().question)))?;
    for outcome in &again.outcomes {
        let winner = outcome.winner.as_deref().unwrap_or("–");
        let share = outcome.share.map_or(String::new(), |share| format!("{:.0} %", share * 100.0));
        let reason: String = one_line(&outcome.reason).chars().take(90).collect();
        let rule = outcome.rule.to_string();
        writeln!(out, "  {rule:<22} {:<14} {share:>5}  {}", one_line(winner), paint.dim(reason))?;
    }
    match &again.agreed {
        Some(answer) => writeln!(out, "Every rule that decides comes to {}.", one_line(answer))?,
        None => writeln!(out, "The answer depends on the rule.")?,
    }
    Ok(Status::Clean)
}
