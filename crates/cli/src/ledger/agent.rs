//! `rebuttal agent NAME`: what one agent held, gave up, was moved by, and how right it was.

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::detect::scores::Calibration;
use rebuttal::ledger::{AgentAnswer, portrait};
use rebuttal::model::Cause;
use rebuttal_report::ledger::{Portrait, became, cause_words, percent};
use rebuttal_report::{flips, positions};

use super::agents::coloured;
use super::draw::Strokes;
use super::list::sure;
use super::{Ledger, when};
use crate::args::ledger::{AgentArgs, PageFormat};
use crate::output::{Output, Status, to_file};
use crate::report::{JsonText, excerpt};
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;

/// Characters of a claim in the history.
const CLAIM_CHARS: usize = 150;

/// Shows one agent.
pub(crate) fn run(args: &AgentArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let portrait = ledger.wait(portrait(&ledger.store, &args.name, args.limit))?;
    to_file(out, args.output.as_deref())?;
    match args.format {
        PageFormat::Json => JsonText::line(out, &Versioned::new(&AgentAnswer::from(&portrait)))?,
        PageFormat::Html => {
            writeln!(
                out,
                "{}",
                rebuttal_report::ledger::agent(&portrait, rebuttal_report::Place::File)
                    .stand_alone()
                    .into_string()
            )?;
        }
        PageFormat::Text if portrait.is_known() => text(out, &portrait)?,
        PageFormat::Text => {}
    }
    if !portrait.is_known() {
        ledger.unknown_agent(&args.name, out)?;
    }
    Ok(Status::Clean)
}

fn text(out: &mut Output, portrait: &Portrait) -> io::Result<()> {
    let (paint, strokes) = (out.paint(), Strokes::of(out));
    let Portrait { totals, score, .. } = portrait;
    let (held, gave_up) = (positions(totals.positions), flips(totals.flips));
    writeln!(
        out,
        "{}  {held}, {gave_up} ({} silent)",
        paint.bold(one_line(&totals.agent)),
        totals.silent
    )?;
    let share = score.consistency_score();
    let bar = coloured(paint, score.class(), strokes.bar(share));
    writeln!(out, "  consistency  {bar} {share:.2}, {}", score.class().as_str())?;
    let line = strokes.sparkline(portrait.confidences());
    if !line.trim().is_empty() {
        writeln!(out, "  confidence   {}", line.trim_end())?;
    }
    if totals.flips > 0 {
        let sure = totals.confidence_before.map(|sure| format!(", {sure:.2} sure before it did"));
        writeln!(
            out,
            "  gave up      {:.2} of a position each{}",
            score.flip_rate(),
            sure.unwrap_or_default()
        )?;
    }
    if !score.domains_with_flips.is_empty() {
        let domains: Vec<_> =
            score.domains_with_flips.iter().map(|domain| one_line(domain)).collect();
        let domains = wrap(&domains.join(", "), "  flips in     ".len());
        writeln!(out, "  flips in     {}", domains.trim_start())?;
    }
    writeln!(out, "  vote weight  {:.2}", portrait.weight.weight())?;
    history(out, portrait)?;
    if !portrait.flips.is_empty() {
        writeln!(out, "\n{}", paint.bold("Flips, the latest found first"))?;
        for (index, flip) in portrait.flips.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            super::flips::card(out, flip)?;
        }
    }
    moved(out, portrait)?;
    right(out, portrait)
}

fn history(out: &mut Output, portrait: &Portrait) -> io::Result<()> {
    let paint = out.paint();
    writeln!(out, "\n{}", paint.bold("History, the latest first"))?;
    let times = when::stamps(portrait.listed().iter().map(|held| held.position.at));
    for (held, at) in portrait.listed().iter().zip(times) {
        let position = &held.position;
        let became =
            became(held).map(|became| format!("  {}", paint.yellow(format_args!("({became})"))));
        let domain = position.domain.as_deref().map(|domain| format!("  {}", one_line(domain)));
        writeln!(
            out,
            "  {at}  {}{}{}",
            sure(position),
            domain.unwrap_or_default(),
            became.unwrap_or_default()
        )?;
        let claim = excerpt(&position.claim, CLAIM_CHARS);
        writeln!(out, "{}", wrap(&format!("“{}”", visible(&claim)), 14))?;
    }
    let more = portrait.totals.positions.saturating_sub(portrait.listed().len() as u64);
    if more > 0 {
        writeln!(out, "  … and {} before", positions(more))?;
    }
    Ok(())
}

/// What it was exposed to, and how often it gave way.
fn moved(out: &mut Output, portrait: &Portrait) -> io::Result<()> {
    let visible = portrait.moved_by.iter().filter(|(cause, _)| **cause != Cause::NoneVisible);
    let visible: Vec<_> = visible.collect();
    if visible.is_empty() {
        return Ok(());
    }
    let paint = out.paint();
    writeln!(out, "\n{}", paint.bold("Gave way, of the times it was shown"))?;
    for (cause, rate) in visible {
        writeln!(out, "  {:<18} {}", cause_words(*cause), percent(*rate))?;
    }
    Ok(())
}

/// How right it was, where anybody knows.
fn right(out: &mut Output, portrait: &Portrait) -> io::Result<()> {
    let paint = out.paint();
    if let Some(judged) = &portrait.judged {
        let Calibration { predictions, brier, ece, buckets } = &judged.calibration;
        writeln!(out, "\n{}", paint.bold("As sure as right?"))?;
        let number =
            |value: &Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
        let outcomes = positions(*predictions);
        writeln!(
            out,
            "  {outcomes} with an outcome: Brier {}, calibration error {}",
            number(brier),
            number(ece)
        )?;
        writeln!(out, "  {}", judged.temperature_words())?;
        for (key, bucket) in buckets {
            let right = bucket.accuracy().unwrap_or_default() * 100.0;
            writeln!(
                out,
                "  said {key}: {} of {} right, {right:.0} %",
                bucket.correct, bucket.predictions
            )?;
        }
    }
    if let Some(rating) = &portrait.rating {
        let (low, high) = rating.glicko.interval();
        writeln!(out, "\n{}", paint.bold("Rating"))?;
        writeln!(
            out,
            "  Elo {:.0}, {:.0} with its consistency, Glicko-2 {:.0} (95 %: {low:.0} to {high:.0}), \
             of {} debates",
            rating.elo, rating.elo_with_consistency, rating.glicko.rating, rating.debates
        )?;
    }
    Ok(())
}
