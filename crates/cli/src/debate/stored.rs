//! Stored debates: listed, shown, resumed, replayed, branched, counted again.

use std::io::Write as _;

use anyhow::{Context, Result, anyhow, bail};
use jiff::Timestamp;
use rebuttal::engine::debate::{
    Changes, Journal, State, Waiting, check_protocol, fork as branch, replay as run_again,
};
use rebuttal::model::{AgentId, DebateId, Hash, Record, StreamId};
use rebuttal::panel;
use rebuttal::policy::trickster::{InterventionStats, stats};
use rebuttal::policy::voting::{Election, Rule, redecide as count_again};
use rebuttal::store::{Cursor, DebateFilter, DebateRow, DebateStatus, Store};
use rebuttal::text::nearest;
use serde::Serialize;

use super::live::{Live, fetch_bar, fetching};
use super::{Database, breakpoints, decision, finish, plan};
use crate::args::{
    DebateFormat, DebatesArgs, ForkArgs, ListFormat, ResumeArgs, StoredArgs, TapeArgs,
};
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::store;
use crate::terminal::one_line;
use rebuttal::config::Config;

/// What a debate's stream is called before its id.
const DEBATE: &str = "debate/";

/// The id in the name of a debate's stream.
pub(super) fn id_of(stream: &StreamId) -> &str {
    stream.as_str().strip_prefix(DEBATE).unwrap_or(stream.as_str())
}

/// All records of a debate.
pub(super) async fn records(store: &Store, stream: &StreamId) -> Result<Vec<Record>> {
    Ok(Journal::records(store, stream).await?)
}

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
            let text = decision::text(state.spec(), decision, last, out.paint());
            write!(out, "{text}")?;
        }
        DebateFormat::Json => {
            let (seen, done) = (&state.steering.analyses, &state.steering.interventions);
            let document = Document {
                spec: state.spec(),
                decision,
                stats: stats(seen, done),
                records: last.seq,
                head: last.hash,
            };
            JsonText::line(out, &document)?;
        }
        DebateFormat::Jsonl => {}
        DebateFormat::Markdown => {
            write!(out, "{}", rebuttal_report::debate::markdown(state, records))?;
        }
        DebateFormat::Html => {
            write!(out, "{}", rebuttal_report::debate::page(state, records).into_string())?;
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
            write!(out, "{}", rebuttal_report::debate::page(state, records).into_string())?;
        }
        DebateFormat::Text | DebateFormat::Json | DebateFormat::Jsonl => {}
    }
    Ok(())
}

/// A debate as one JSON document.
#[derive(Serialize)]
struct Document<'d> {
    spec: &'d rebuttal::model::DebateSpec,
    decision: &'d rebuttal::model::Decision,
    /// What the trickster saw and did: seed 001's `get_stats()`.
    stats: InterventionStats,
    records: u64,
    head: Hash,
}

/// `rebuttal debates`: what is stored, the latest first.
pub(crate) fn debates(args: &DebatesArgs, out: &mut Output) -> Result<Status> {
    #[derive(Serialize)]
    struct Line<'r> {
        #[serde(flatten)]
        row: &'r DebateRow,
        at: Timestamp,
        ended: bool,
        cursor: Cursor,
    }
    let (runtime, store) = store::open(&args.db)?;
    let filter = DebateFilter {
        status: args.status,
        question: args.about.clone(),
        after: args.after.clone(),
        limit: args.limit,
    };
    let page = runtime.block_on(store.debates(&filter))?;
    let is_damaged = |row: &DebateRow| row.status == DebateStatus::Damaged;
    let status = if page.debates.iter().any(is_damaged) { Status::Findings } else { Status::Clean };
    if args.format == ListFormat::Json {
        let line = |row| Line { row, at: row.started, ended: has_ended(row), cursor: row.cursor() };
        JsonText::line(out, &page.debates.iter().map(line).collect::<Vec<_>>())?;
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

const NOTHING_STORED: &str = "no debate is stored yet; rebuttal debate \"…\" runs one";

fn has_ended(row: &DebateRow) -> bool {
    matches!(row.status, DebateStatus::Decided | DebateStatus::Undecided)
}

/// Every stored debate that stands there, or every one, in no order. Those that are damaged are told
/// and passed over.
pub(super) fn all(
    (runtime, store): (&tokio::runtime::Runtime, &Store),
    status: Option<DebateStatus>,
    out: &mut Output,
) -> Result<Vec<State>> {
    let mut filter = DebateFilter { status, limit: PAGE, ..DebateFilter::default() };
    let mut found = Vec::new();
    loop {
        let page = runtime.block_on(store.debates(&filter))?;
        for row in &page.debates {
            let stream = StreamId::debate(&row.id);
            let read = runtime.block_on(records(store, &stream));
            match read.and_then(|records| Ok(State::fold(&records)?)) {
                Ok(state) => found.push(state),
                Err(error) => out.warn(one_line(&format!("{} is damaged: {error:#}", row.id)))?,
            }
        }
        match page.next {
            Some(next) => filter.after = Some(next),
            None => return Ok(found),
        }
    }
}

/// How many debates are read at a time.
const PAGE: usize = 100;

/// The stream that a user means by an id, the beginning of one, or `last`.
pub(super) fn find(
    runtime: &tokio::runtime::Runtime,
    store: &Store,
    wanted: &str,
) -> Result<StreamId> {
    if wanted == "last" {
        let filter = DebateFilter { limit: 1, ..DebateFilter::default() };
        let page = runtime.block_on(store.debates(&filter))?;
        let last = page.debates.first().map(|row| StreamId::debate(&row.id));
        return last.ok_or_else(|| anyhow!(NOTHING_STORED));
    }
    let begin = runtime.block_on(store.debate_ids(wanted, PAGE))?;
    // In order, the one that is not longer comes first.
    match begin.as_slice() {
        [id, ..] if id.as_str() == wanted => Ok(StreamId::debate(id)),
        [id] => Ok(StreamId::debate(id)),
        [] => {
            let known = runtime.block_on(store.debate_ids("", NAMES))?;
            let known: Vec<&str> = known.iter().map(DebateId::as_str).collect();
            let hint = nearest(wanted, &known).map(|near| format!("; did you mean {near}?"));
            bail!("no debate is called {wanted:?}{}", hint.unwrap_or_default())
        }
        several if several.len() == PAGE => {
            bail!("{wanted:?} is the beginning of {PAGE} debates or more")
        }
        several => bail!("{wanted:?} is the beginning of {} debates", several.len()),
    }
}

/// How many ids are gone through for one that is like what was typed.
const NAMES: usize = 10_000;

/// `rebuttal show`.
pub(crate) fn show(args: &StoredArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let stream = find(&runtime, &store, &args.debate)?;
    let records = runtime.block_on(records(&store, &stream))?;
    crate::output::to_file(out, args.output.as_deref())?;
    tell(&records, args.format, out)?;
    write(&State::fold(&records)?, &records, args.format, out)
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
    let (runtime, store) = store::open(&args.db)?;
    let stream = find(&runtime, &store, &args.debate)?;
    let records = runtime.block_on(records(&store, &stream))?;
    let state = run_again(&records).context("the debate does not replay")?;
    crate::output::to_file(out, args.output.as_deref())?;
    tell(&records, args.format, out)?;
    write(&state, &records, args.format, out)
}

/// `rebuttal resume`: goes on where a debate stopped.
pub(crate) fn resume(args: &ResumeArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let stored = &args.stored;
    let database = Database::open(&stored.db)?;
    let stream = find(&database.runtime, &database.store, &stored.debate)?;
    let records = database.runtime.block_on(records(&database.store, &stream))?;
    crate::output::to_file(out, stored.output.as_deref())?;
    tell(&records, stored.format, out)?;
    go_on(database, records, (stored, &args.tape), config, out)
}

fn go_on(
    database: Database,
    records: Vec<Record>,
    (args, tape): (&StoredArgs, &TapeArgs),
    config: &Config,
    out: &mut Output,
) -> Result<Status> {
    let state = State::fold(&records)?;
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
    let agents = panel::again(state.spec(), plan::tape(tape)?, config, &mut watch);
    bar.finish_and_clear();
    let agents = agents?;
    let mut live = Live::new(args.format, None, out);
    live.catch_up(&records);
    let engine = database.engine(config, out)?;
    let debate = database.within(|| engine.resume_from(state, records, agents))?;
    finish(database, debate, live, args.format, config, out)
}

/// `rebuttal fork`: branches a debate at a round, under another protocol.
pub(crate) fn fork(args: &ForkArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let stored = &args.stored;
    let database = Database::open(&stored.db)?;
    let (runtime, store) = (&database.runtime, &*database.store);
    let stream = find(runtime, store, &stored.debate)?;
    let old = runtime.block_on(records(store, &stream))?;
    let state = State::fold(&old)?;
    let mut protocol = plan::protocol(&args.protocol, config, &state.spec().question)?;
    protocol.moderator.clone_from(&state.spec().protocol.moderator);
    protocol.judges.clone_from(&state.spec().protocol.judges);
    check_protocol(&protocol, !protocol.judges.is_empty())?;
    let id = DebateId::new(format!("{}-{:04x}", state.spec().id, super::drawn_seed() & 0xffff));
    let seats = args.seats.iter().map(|text| seat(text)).collect::<Result<_>>()?;
    let changes = Changes { id: Some(id.clone()), protocol: Some(protocol), seats };
    let events = branch(&old, args.round, changes)?;
    let new = StreamId::debate(&id);
    let records =
        runtime.block_on(Journal::append(store, &new, 0, crate::store::now(), &events))?;
    crate::output::to_file(out, stored.output.as_deref())?;
    tell(&records, stored.format, out)?;
    go_on(database, records, (stored, &args.tape), config, out)
}

/// `SEAT=AGENT` as it was typed.
fn seat(text: &str) -> Result<(AgentId, String)> {
    let (seat, agent) = text
        .split_once('=')
        .ok_or_else(|| anyhow!("--agent is SEAT=AGENT, as in sre=claude, not {text:?}"))?;
    Ok((AgentId::new(seat.trim()), agent.trim().to_owned()))
}

/// `rebuttal redecide`: the same votes counted under every rule, without asking anybody.
pub(crate) fn redecide(args: &StoredArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let stream = find(&runtime, &store, &args.debate)?;
    let records = runtime.block_on(records(&store, &stream))?;
    let state = State::fold(&records)?;
    let (options, panel, ballots) = (state.options(), state.panel(), state.standing());
    let weights =
        state.spec().panel.iter().map(|member| (member.agent.clone(), member.weight)).collect();
    let election =
        Election::new(&options, &panel, &ballots).weighing(weights).judged(&state.judged);
    let again = count_again(&Rule::all(), &election);
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
