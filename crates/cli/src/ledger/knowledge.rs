//! `rebuttal knowledge`: what later debates ask of flips. Has this agent flipped on this before? Which
//! matters are contested?
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed:
//!
//! ```text
//! search:    { "rebuttal", "schema", "flips": [ { "id", "agent", "words", "before", "after", "kind",
//!              "toward", "domain", "happened_at", "on_the_matter": bool } ] }
//! contested: { "rebuttal", "schema",
//!              "contested": [ { "words", "agents", "flips", "toward_yes", "toward_no" } ] }
//! ```

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Result, anyhow};
use jiff::Timestamp;
use rebuttal::engine::ledger::{is_on, nearest, recall};
use rebuttal::model::{AgentId, FlipKind, Method, Stance};
use rebuttal::store::{Answer, Contested, KnowledgeStore, KnownFlip, Store};
use serde::Serialize;
use tokio::runtime::Runtime;

use super::{Ledger, summary, when};
use crate::args::ListFormat;
use crate::args::knowledge::{
    ContestedArgs, KnowledgeArgs, KnowledgeCommand, SearchArgs, SearchBy,
};
use crate::output::{Output, Status};
use crate::report::{JsonText, SCHEMA, VERSION, excerpt};
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;
use rebuttal::config::Config;
use rebuttal::models::Chosen;
use rebuttal_report::flips;

/// Characters of a claim.
const SHOWN: usize = 200;

/// Does what was asked.
pub(crate) fn run(args: &KnowledgeArgs, config: &Config, out: &mut Output) -> Result<Status> {
    match &args.command {
        KnowledgeCommand::Search(args) => search(args, config, out),
        KnowledgeCommand::Contested(args) => contested(args, out),
    }
}

impl Ledger {
    /// Waits for the knowledge store.
    fn ask<T>(&self, answer: Answer<'_, T>) -> Result<T> {
        self.runtime.block_on(answer).map_err(|error| anyhow!("the knowledge store: {error}"))
    }
}

#[derive(Serialize)]
struct Found<'k> {
    id: &'k str,
    agent: &'k AgentId,
    words: &'k str,
    before: &'k str,
    after: &'k str,
    kind: FlipKind,
    toward: Stance,
    domain: Option<&'k str>,
    happened_at: Timestamp,
    on_the_matter: bool,
}

impl<'k> Found<'k> {
    /// A flip that was found for these words; all are on the matter where none was asked about.
    fn new(flip: &'k KnownFlip, asked: Option<&str>) -> Self {
        Self {
            id: flip.id.as_str(),
            agent: &flip.agent,
            words: &flip.words,
            before: &flip.before,
            after: &flip.after,
            kind: flip.kind,
            toward: flip.toward,
            domain: flip.domain.as_deref(),
            happened_at: flip.happened_at,
            on_the_matter: asked.is_none_or(|asked| is_on(flip, asked)),
        }
    }
}

#[derive(Serialize)]
struct FoundDocument<'d> {
    rebuttal: &'static str,
    schema: u32,
    flips: Vec<Found<'d>>,
}

/// Flips that are near to some words: in meaning, where the configuration has embeddings on.
fn found(
    ledger: &Ledger,
    args: &SearchArgs,
    words: &str,
    config: &Config,
    out: &mut Output,
) -> Result<Vec<KnownFlip>> {
    let knowledge = ledger.store.knowledge();
    let agent = args.agent.as_deref();
    // Nothing is near to no words.
    if args.by == SearchBy::Meaning && !words.trim().is_empty() {
        let chosen = Chosen::new(Method::Model, &config.semantics);
        for note in &chosen.notes {
            out.note(one_line(note))?;
        }
        if let Some(models) = chosen.reader().models().filter(|models| models.embeds()) {
            let near = nearest(&knowledge, &*models.embedder, words, agent, args.limit);
            return ledger.ask(Box::pin(near));
        }
    }
    match agent {
        Some(agent) => ledger.ask(knowledge.flips_of(agent, words, args.limit)),
        None => ledger.ask(knowledge.search(words, args.limit)),
    }
}

fn search(args: &SearchArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let words = args.words.join(" ");
    let named = ledger.store.knowledge();
    let named = ledger.wait(named.named(&words, args.agent.as_deref(), args.limit))?;
    let is_listed = words.trim().is_empty() || !named.is_empty();
    if words.trim().is_empty() {
        out.note("no words were given; these are the latest flips")?;
    }
    let found = if named.is_empty() { found(&ledger, args, &words, config, out)? } else { named };
    let asked = Some(words.as_str()).filter(|_| !is_listed);
    let rows: Vec<Found<'_>> = found.iter().map(|flip| Found::new(flip, asked)).collect();
    if args.format == ListFormat::Json {
        let document = FoundDocument { rebuttal: VERSION, schema: SCHEMA, flips: rows };
        JsonText::line(out, &document)?;
        return Ok(Status::Clean);
    }
    if let Some(agent) = args.agent.as_ref().filter(|_| !is_listed) {
        let known = ledger.wait(ledger.store.agents(&[agent]))?;
        if known.first().is_none_or(|totals| totals.positions == 0) {
            ledger.unknown_agent(agent, out)?;
            return Ok(Status::Clean);
        }
        let on = rows.iter().filter(|row| row.on_the_matter).count() as u64;
        let agent = one_line(agent);
        match on {
            0 => writeln!(out, "{agent} has not flipped on this, as far as the ledger knows")?,
            _ => writeln!(out, "{agent} has flipped on this before: {}", flips(on))?,
        }
    } else if rows.is_empty() {
        out.note("no flip is about this, or has any of these words")?;
    }
    for (index, row) in rows.iter().enumerate() {
        if index > 0 || (args.agent.is_some() && !is_listed) {
            writeln!(out)?;
        }
        show(out, row)?;
    }
    Ok(Status::Clean)
}

fn show(out: &mut Output, row: &Found<'_>) -> Result<()> {
    let paint = out.paint();
    let domain = row.domain.map_or_else(String::new, |domain| format!(", {}", one_line(domain)));
    let near = if row.on_the_matter { "" } else { ", on something near" };
    writeln!(
        out,
        "{}  {}  {}{domain}{near}",
        when::day(row.happened_at),
        paint.bold(one_line(row.agent.as_str())),
        row.kind.as_str()
    )?;
    for (label, claim) in [("held", row.before), ("then", row.after)] {
        let claim = format!("{label} “{}”", visible(&excerpt(claim, SHOWN)));
        writeln!(out, "{}", wrap(&claim, 2))?;
    }
    writeln!(out, "  {}", paint.dim(one_line(row.id)))?;
    Ok(())
}

#[derive(Serialize)]
struct Matter<'c> {
    words: &'c str,
    agents: u64,
    flips: u64,
    toward_yes: u64,
    toward_no: u64,
}

impl<'c> Matter<'c> {
    fn new(claim: &'c Contested) -> Self {
        let Contested { words, agents, flips, toward_yes, toward_no } = claim;
        Self {
            words,
            agents: *agents,
            flips: *flips,
            toward_yes: *toward_yes,
            toward_no: *toward_no,
        }
    }
}

#[derive(Serialize)]
struct MattersDocument<'d> {
    rebuttal: &'static str,
    schema: u32,
    contested: Vec<Matter<'d>>,
}

fn contested(args: &ContestedArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let found = ledger.ask(ledger.store.knowledge().contested(args.limit))?;
    if args.format == ListFormat::Json {
        let contested = found.iter().map(Matter::new).collect();
        let document = MattersDocument { rebuttal: VERSION, schema: SCHEMA, contested };
        JsonText::line(out, &document)?;
        return Ok(Status::Clean);
    }
    if found.is_empty() {
        out.note("nobody has flipped on anything, as far as the ledger knows")?;
    }
    for claim in &found {
        summary::matter(out, claim)?;
    }
    Ok(Status::Clean)
}

/// Says before a debate who of its panel has flipped on this before, and whether others go both ways.
pub(crate) fn remind(
    (runtime, store): (&Runtime, &Store),
    panel: &[AgentId],
    question: &str,
    out: &mut Output,
) -> Result<()> {
    let recalled = runtime.block_on(recall(&store.knowledge(), panel, question));
    let mut times: BTreeMap<&str, Vec<&KnownFlip>> = BTreeMap::new();
    for flip in &recalled.flips {
        times.entry(flip.agent.as_str()).or_default().push(flip);
    }
    for (agent, known) in times {
        let Some(last) = known.iter().max_by_key(|flip| flip.happened_at) else { continue };
        out.note(format_args!(
            "{} has flipped on this before ({}), last on {}: to “{}”",
            one_line(agent),
            flips(known.len() as u64),
            when::day(last.happened_at),
            one_line(&excerpt(&last.after, SHOWN)),
        ))?;
    }
    if let Some(contested) = recalled.contested {
        out.note(format_args!(
            "this is contested: {} agents have flipped on it, {} ended for it and {} against",
            contested.agents, contested.toward_yes, contested.toward_no
        ))?;
    }
    Ok(())
}
