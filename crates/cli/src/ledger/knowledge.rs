//! `rebuttal knowledge`: what later debates ask of flips. Has this agent flipped on this before? Which
//! matters are contested?

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::engine::ledger::recall;
use rebuttal::ledger::{KnowledgeQuery, KnownAgent, contested, known_agent, search_knowledge};
use rebuttal::model::{AgentId, Method};
use rebuttal::store::{KnownFlip, Store};
use tokio::runtime::Runtime;

use super::{Ledger, summary, when};
use crate::args::ListFormat;
use crate::args::knowledge::{
    ContestedArgs, KnowledgeArgs, KnowledgeCommand, SearchArgs, SearchBy,
};
use crate::output::{Output, Status};
use crate::report::{JsonText, excerpt};
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;
use rebuttal::config::Config;
use rebuttal::models::Analyzer;
use rebuttal_report::flips;

/// Characters of a claim.
const SHOWN: usize = 200;

/// Does what was asked.
pub(crate) fn run(args: &KnowledgeArgs, config: &Config, out: &mut Output) -> Result<Status> {
    match &args.command {
        KnowledgeCommand::Search(args) => search(args, config, out),
        KnowledgeCommand::Contested(args) => show_contested(args, out),
    }
}

fn search(args: &SearchArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let words = args.words.join(" ");
    if words.trim().is_empty() {
        out.note("no words were given; these are the latest flips")?;
    }
    let by_meaning = args.by == SearchBy::Meaning;
    let analyzer = by_meaning.then(|| Analyzer::new(Method::Model, &config.semantics));
    let agent = args.agent.as_deref();
    let query = KnowledgeQuery { words: &words, agent, limit: args.limit };
    let found = ledger.wait(search_knowledge(&ledger.store, query, analyzer.as_ref()))?;
    let is_listed = found.is_list;
    for note in analyzer.iter().flat_map(|analyzer| &analyzer.notes).filter(|_| !is_listed) {
        out.note(one_line(note))?;
    }
    if args.format == ListFormat::Json {
        JsonText::line(out, &Versioned::new(&found))?;
        return Ok(Status::Clean);
    }
    if let Some(agent) = args.agent.as_ref().filter(|_| !is_listed) {
        if ledger.wait(known_agent(&ledger.store, agent))? != KnownAgent::Known {
            ledger.unknown_agent(agent, out)?;
            return Ok(Status::Clean);
        }
        let on = found.on_the_matter.iter().filter(|on| **on).count() as u64;
        let agent = one_line(agent);
        match on {
            0 => writeln!(out, "{agent} has not flipped on this, as far as the ledger knows")?,
            _ => writeln!(out, "{agent} has flipped on this before: {}", flips(on))?,
        }
    } else if found.flips.is_empty() {
        out.note("no flip is about this, or has any of these words")?;
    }
    for (index, (flip, on)) in found.flips.iter().zip(&found.on_the_matter).enumerate() {
        if index > 0 || (args.agent.is_some() && !is_listed) {
            writeln!(out)?;
        }
        show(out, flip, *on)?;
    }
    Ok(Status::Clean)
}

fn show(out: &mut Output, row: &KnownFlip, on_the_matter: bool) -> Result<()> {
    let paint = out.paint();
    let domain =
        row.domain.as_deref().map_or_else(String::new, |domain| format!(", {}", one_line(domain)));
    let near = if on_the_matter { "" } else { ", on something near" };
    writeln!(
        out,
        "{}  {}  {}{domain}{near}",
        when::day(row.happened_at),
        paint.bold(one_line(row.agent.as_str())),
        row.kind.as_str()
    )?;
    for (label, claim) in [("held", &row.before), ("then", &row.after)] {
        let claim = format!("{label} “{}”", visible(&excerpt(claim, SHOWN)));
        writeln!(out, "{}", wrap(&claim, 2))?;
    }
    writeln!(out, "  {}", paint.dim(one_line(row.id.as_str())))?;
    Ok(())
}

fn show_contested(args: &ContestedArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let found = ledger.wait(contested(&ledger.store, args.limit))?;
    if args.format == ListFormat::Json {
        JsonText::line(out, &Versioned::new(&found))?;
        return Ok(Status::Clean);
    }
    if found.contested.is_empty() {
        out.note("nobody has flipped on anything, as far as the ledger knows")?;
    }
    for claim in &found.contested {
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
