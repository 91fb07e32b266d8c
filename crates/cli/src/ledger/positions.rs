//! `rebuttal positions`: one position taken, and how one turned out.

use std::io::Write;

use anyhow::{Result, bail, ensure};
use rebuttal::model::{AgentId, Confidence, DebateId, Flip, Position, PositionId, Whose, limits};
use rebuttal::store::{Durability, FlipFilter};

use super::{Ledger, export, flips, import, list, when};
use crate::args::ledger::{AddArgs, PositionsArgs, PositionsCommand, ResolveArgs};
use crate::judge;
use crate::output::{Output, Status};
use crate::report::excerpt;
use crate::terminal::one_line;
use rebuttal::config::Config;

/// Characters of a claim in a message.
const SHOWN: usize = 80;

/// Does what was asked.
pub(crate) fn run(args: &PositionsArgs, config: &Config, out: &mut Output) -> Result<Status> {
    match &args.command {
        PositionsCommand::Add(args) => add(args, config, out),
        PositionsCommand::Import(args) => import::run(args, config, out),
        PositionsCommand::Export(args) => export::run(args, out),
        PositionsCommand::List(args) => list::run(args, out),
        PositionsCommand::Resolve(args) => resolve(args, out),
    }
}

/// `rebuttal positions add`.
fn add(args: &AddArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let now = crate::store::now();
    let position = position(args, now)?;
    let ledger = Ledger::open(&args.db)?;
    let inserted = ledger.wait(ledger.store.insert_positions(
        now,
        vec![position.clone()],
        Durability::Full,
    ))?;
    if let Some(clash) = inserted.clashes.first() {
        bail!(
            "the id “{}” is taken by another position: {} said “{}”. Nothing was written; leave \
             --id out, or give another",
            one_line(position.id.as_str()),
            one_line(clash.kept.agent.as_str()),
            one_line(&excerpt(&clash.kept.claim, SHOWN)),
        );
    }
    let id = one_line(position.id.as_str());
    match inserted.same {
        0 => writeln!(out, "added {id}")?,
        _ => writeln!(out, "{id} was there already")?,
    }
    if args.detection.no_detect {
        return Ok(Status::Clean);
    }
    let analyzer = judge::analyzer(args.detection.method.into(), &args.detection.judge, config)?;
    let found = ledger.look(&analyzer, args.detection.lookback, out)?;
    if found.flips > 0 {
        for flip in flips_to(&ledger, &position)? {
            writeln!(out)?;
            flips::card(out, &flip)?;
        }
    }
    Ok(Status::Clean)
}

/// The position as it was typed.
fn position(args: &AddArgs, now: jiff::Timestamp) -> Result<Position> {
    let is_there = |text: &str| !text.trim().is_empty();
    ensure!(is_there(&args.agent), "--agent is empty; say who holds the position");
    ensure!(is_there(&args.claim), "--claim is empty; write what was said");
    let fits = args.claim.len() <= limits::CLAIM_BYTES;
    ensure!(
        fits,
        "--claim is longer than {} bytes; a claim is a paragraph at most",
        limits::CLAIM_BYTES
    );
    let confidence = match args.confidence {
        None => None,
        Some(value) => match Confidence::new(value, Whose::Stated) {
            Some(confidence) => Some(confidence),
            None => bail!("--confidence {value} is not within 0 and 1; 85 % is 0.85"),
        },
    };
    let at = args.at.as_deref().map_or(Ok(now), when::time)?;
    ensure!(
        !when::is_future(at, now),
        "--at {at} lies in the future; nobody has said anything then"
    );
    let mut position = Position::new(AgentId::new(args.agent.as_str()), args.claim.as_str(), at);
    position.question = args.question.clone().filter(|question| is_there(question));
    position.confidence = confidence;
    position.debate = args.debate.as_deref().map(DebateId::new);
    position.round = args.round;
    position.domain = args.domain.clone().filter(|domain| is_there(domain));
    position.id = args.id.as_deref().map_or_else(|| position.derive_id(true), PositionId::new);
    Ok(position)
}

/// The flips that a position made; one that came late may be what a later one left.
fn flips_to(ledger: &Ledger, position: &Position) -> Result<Vec<Flip>> {
    let agent = Some(position.agent.as_str().to_owned());
    let rows = ledger.wait(ledger.store.flips(&FlipFilter { agent, ..FlipFilter::default() }))?;
    let is_its = |flip: &Flip| [&flip.before.id, &flip.after.id].contains(&&position.id);
    Ok(rows.into_iter().map(|row| row.flip).filter(is_its).collect())
}

/// `rebuttal positions resolve`.
fn resolve(args: &ResolveArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let outcome = rebuttal::model::Outcome::from(args.outcome);
    ledger.wait(ledger.store.resolve(ledger.now, &PositionId::new(args.id.as_str()), outcome))?;
    writeln!(out, "{} is {}", one_line(&args.id), outcome.as_str())?;
    Ok(Status::Clean)
}
