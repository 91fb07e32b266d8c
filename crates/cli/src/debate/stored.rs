//! Stored debates: listed, shown, resumed, replayed, branched, counted again, verified.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use jiff::Timestamp;
use rebuttal::engine::debate::{
    Changes, Ended, Journal, State, Waiting, check_protocol, fork as branch, replay as run_again,
};
use rebuttal::model::{AgentId, DebateId, Hash, Record, StreamId};
use rebuttal::panel;
use rebuttal::policy::voting::{Election, Rule, redecide as count_again};
use rebuttal::store::{Head, Store, verify_file};
use rebuttal::text::nearest;
use serde::Serialize;

use super::live::{Live, Shown, fetch_bar, fetching};
use super::{breakpoints, decision, finish, plan};
use crate::args::{
    DebateFormat, DebatesArgs, ForkArgs, ListFormat, ResumeArgs, StoredArgs, TapeArgs, VerifyArgs,
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
pub(super) fn write(records: &[Record], format: DebateFormat, out: &mut Output) -> Result<Status> {
    let state = State::fold(records)?;
    let (Some(decision), Some(last)) = (&state.decision, records.last()) else {
        so_far(&state, records, format, out)?;
        out.note("the debate has not ended")?;
        return Ok(Status::Findings);
    };
    match format {
        DebateFormat::Text => {
            let text = decision::text(state.spec(), decision, last, out.paint());
            write!(out, "{text}")?;
        }
        DebateFormat::Json => {
            let document =
                Document { spec: state.spec(), decision, records: last.seq, head: last.hash };
            JsonText::line(out, &document)?;
        }
        DebateFormat::Jsonl => {}
        DebateFormat::Markdown => {
            write!(out, "{}", rebuttal_report::debate::markdown(&state, records))?;
        }
        DebateFormat::Html => {
            write!(out, "{}", rebuttal_report::debate::page(&state, records).into_string())?;
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
    records: u64,
    head: Hash,
}

/// `rebuttal debates`: what is stored, the latest first.
pub(crate) fn debates(args: &DebatesArgs, out: &mut Output) -> Result<Status> {
    #[derive(Serialize)]
    struct Line {
        id: String,
        at: Timestamp,
        question: String,
        agents: usize,
        answer: Option<String>,
        ended: bool,
    }
    let (runtime, store) = store::open(&args.db)?;
    let mut lines = Vec::new();
    for (stream, _) in runtime.block_on(store.streams())? {
        if !stream.as_str().starts_with(DEBATE) {
            continue;
        }
        let records = runtime.block_on(records(&store, &stream))?;
        let Ok(state) = State::fold(&records) else { continue };
        let spec = state.spec();
        lines.push(Line {
            id: spec.id.to_string(),
            at: records.first().map_or(Timestamp::UNIX_EPOCH, |record| record.at),
            question: spec.question.clone(),
            agents: spec.panel.len(),
            answer: state.decision.as_ref().and_then(|decision| decision.answer.clone()),
            ended: state.decision.is_some(),
        });
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.at));
    lines.truncate(args.limit);
    if args.format == ListFormat::Json {
        JsonText::line(out, &lines)?;
        return Ok(Status::Clean);
    }
    for line in &lines {
        let answer = match (&line.answer, line.ended) {
            (Some(answer), _) => one_line(answer).into_owned(),
            (None, true) => "no decision".to_owned(),
            (None, false) => "unfinished".to_owned(),
        };
        let question: String = one_line(&line.question).chars().take(44).collect();
        let at = line.at.to_string();
        let day = at.get(..16).unwrap_or(&at).replace('T', " ");
        writeln!(out, "{:<16} {day}  {answer:<12.12} {question}", line.id)?;
    }
    if lines.is_empty() {
        out.note("no debate is stored yet; rebuttal debate \"…\" runs one")?;
    }
    Ok(Status::Clean)
}

/// Every stored debate, in no order. A stream that does not make a debate is passed over.
pub(super) fn all(runtime: &tokio::runtime::Runtime, store: &Store) -> Result<Vec<State>> {
    let mut states = Vec::new();
    for (stream, _) in runtime.block_on(store.streams())? {
        if stream.as_str().starts_with(DEBATE) {
            states.extend(State::fold(&runtime.block_on(records(store, &stream))?));
        }
    }
    Ok(states)
}

/// The stream that a user means by an id, the beginning of one, or `last`.
pub(super) fn find(
    runtime: &tokio::runtime::Runtime,
    store: &Store,
    wanted: &str,
) -> Result<StreamId> {
    let mut found: Vec<(StreamId, Timestamp)> = Vec::new();
    for (stream, _) in runtime.block_on(store.streams())? {
        if stream.as_str().starts_with(DEBATE) {
            let first = runtime.block_on(store.read(&stream, 0))?;
            let at = first.first().map_or(Timestamp::UNIX_EPOCH, |record| record.at);
            found.push((stream, at));
        }
    }
    if wanted == "last" {
        let last = found.into_iter().max_by_key(|(_, at)| *at);
        return last
            .map(|(stream, _)| stream)
            .ok_or_else(|| anyhow!("no debate is stored yet; rebuttal debate \"…\" runs one"));
    }
    let ids: Vec<&str> = found.iter().map(|(stream, _)| id_of(stream)).collect();
    let begin: Vec<&str> = ids.iter().copied().filter(|id| id.starts_with(wanted)).collect();
    match (ids.iter().copied().find(|id| *id == wanted), begin.as_slice()) {
        (Some(id), _) | (None, &[id]) => Ok(StreamId::debate(&DebateId::new(id))),
        (None, []) => {
            let hint = nearest(wanted, &ids).map(|near| format!("; did you mean {near}?"));
            bail!("no debate is called {wanted:?}{}", hint.unwrap_or_default())
        }
        (None, several) => bail!("{wanted:?} is the beginning of {} debates", several.len()),
    }
}

/// `rebuttal show`.
pub(crate) fn show(args: &StoredArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let stream = find(&runtime, &store, &args.debate)?;
    let records = runtime.block_on(records(&store, &stream))?;
    crate::output::to_file(out, args.output.as_deref())?;
    tell(&records, args.format, out)?;
    write(&records, args.format, out)
}

/// Tells a stored debate as if it ran.
fn tell(records: &[Record], format: DebateFormat, out: &mut Output) -> Result<()> {
    let mut live = Live::new(format, None, out);
    for record in records {
        live.show(&Shown::Written(Box::new(record.clone())), out)?;
    }
    Ok(())
}

/// `rebuttal replay`: runs a stored debate again without asking anybody, and shows it.
pub(crate) fn replay(args: &StoredArgs, out: &mut Output) -> Result<Status> {
    let (runtime, store) = store::open(&args.db)?;
    let stream = find(&runtime, &store, &args.debate)?;
    let records = runtime.block_on(records(&store, &stream))?;
    run_again(&records).context("the debate does not replay")?;
    crate::output::to_file(out, args.output.as_deref())?;
    tell(&records, args.format, out)?;
    write(&records, args.format, out)
}

/// `rebuttal resume`: goes on where a debate stopped.
pub(crate) fn resume(args: &ResumeArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let stored = &args.stored;
    let (runtime, store) = store::open(&stored.db)?;
    let stream = find(&runtime, &store, &stored.debate)?;
    let records = runtime.block_on(records(&store, &stream))?;
    crate::output::to_file(out, stored.output.as_deref())?;
    tell(&records, stored.format, out)?;
    go_on((&runtime, &store, &stream), &records, (stored, &args.tape), config, out)
}

fn go_on(
    (runtime, store, stream): (&tokio::runtime::Runtime, &Store, &StreamId),
    records: &[Record],
    (args, tape): (&StoredArgs, &TapeArgs),
    config: &Config,
    out: &mut Output,
) -> Result<Status> {
    let state = State::fold(records)?;
    if state.decision.is_some() {
        out.note("the debate had ended already")?;
        return write(records, args.format, out);
    }
    let waits = Waiting::of(&state, store::now()).filter(|waiting| !waiting.timed_out);
    if let Some(waiting) = waits.filter(|_| !breakpoints::is_somebody_there(out)) {
        // Nobody is asked anything, so nobody needs to be there, and no recording is begun.
        let ended = Ok(Ended::Waiting(waiting.breakpoint.reason));
        return finish(ended, stream, records, args.format, (&args.db, config), out);
    }
    let bar = fetch_bar(out);
    let mut watch = |progress| fetching(&bar, progress);
    let seats = panel::again(state.spec(), plan::tape(tape)?, config, &mut watch);
    bar.finish_and_clear();
    let seats = seats?;
    let mut live = Live::new(args.format, None, out);
    live.catch_up(records);
    let ended = super::drive((runtime, store, stream), &seats, None, &mut live, out)?;
    let records = runtime.block_on(self::records(store, stream))?;
    finish(ended, stream, &records, args.format, (&args.db, config), out)
}

/// `rebuttal fork`: branches a debate at a round, under another protocol.
pub(crate) fn fork(args: &ForkArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let stored = &args.stored;
    let (runtime, store) = store::open(&stored.db)?;
    let stream = find(&runtime, &store, &stored.debate)?;
    let old = runtime.block_on(records(&store, &stream))?;
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
    let now = store::now();
    runtime.block_on(Journal::append(&store, &new, 0, now, &events))?;
    let records = runtime.block_on(records(&store, &new))?;
    crate::output::to_file(out, stored.output.as_deref())?;
    tell(&records, stored.format, out)?;
    go_on((&runtime, &store, &new), &records, (stored, &args.tape), config, out)
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

/// `rebuttal verify`: is the journal what was written, and does the verdict follow from it?
pub(crate) fn verify(args: &VerifyArgs, out: &mut Output) -> Result<Status> {
    let mut known = args.head.as_deref().map(head).transpose()?;
    let mut wanted = args.debate.clone();
    if let Some(path) = &args.receipt {
        let (receipt, signer) = rebuttal::receipt::read(path, args.public_key.as_deref())?;
        let by = signer.map_or("not signed".to_owned(), |key| format!("signed by {key}"));
        writeln!(out, "{}: {by}", path.display())?;
        known = Some(receipt.head());
        if wanted == "last" {
            wanted = receipt.debate().to_string();
        }
    }
    let path = Path::new(&wanted);
    if path.is_file() {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let found = verify_file(&mut BufReader::new(file), known)?;
        writeln!(
            out,
            "{}: {} records, unchanged; head {}:{}",
            path.display(),
            found.seq,
            found.seq,
            found.hash
        )?;
        return Ok(Status::Clean);
    }
    let (runtime, store) = store::open(&args.db)?;
    let stream = find(&runtime, &store, &wanted)?;
    let found = runtime.block_on(store.verify(&stream, known))?;
    let records = runtime.block_on(records(&store, &stream))?;
    run_again(&records)?;
    writeln!(
        out,
        "{}: {} records, unchanged, and the verdict follows from them; head {}:{}",
        id_of(&stream),
        found.seq,
        found.seq,
        found.hash
    )?;
    Ok(Status::Clean)
}

/// A head as `rebuttal debate` shows it.
fn head(text: &str) -> Result<Head> {
    let wrong = || anyhow!("--head is RECORDS:HASH, as a debate's receipt shows it");
    let (seq, hash) = text.split_once(':').ok_or_else(wrong)?;
    let seq = seq.parse().map_err(|_| wrong())?;
    let hash = Hash::try_from(hash.to_owned()).map_err(|_| wrong())?;
    Ok(Head { seq, hash })
}
