//! `rebuttal agent NAME`: what one agent held, gave up, was moved by, and how right it was.
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed:
//!
//! ```text
//! { "rebuttal": "0.1.0", "schema": 1, "known": bool,
//!   "consistency": every field of the seed document's AgentConsistencyScore,
//!   "silent": flips it did not own up to,
//!   "history": [ positions, the latest first ], "flips": [ flips, the latest found first ],
//!   "moved_by": { cause: { "count", "of", "value", "low", "high" } },
//!   "calibration": null | { "predictions", "brier", "ece", "buckets", "temperature": null | n },
//!   "rating": null | { "elo", "elo_with_consistency", "domains", "glicko", "debates" },
//!   "vote_weight": { "consistency", "calibration", "rating", "weight" } }
//! ```

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::Result;
use rebuttal::detect::scores::{
    AgentConsistencyScore, AgentRating, Calibration, Rate, Temperature, VoteWeight,
};
use rebuttal::ledger::portrait;
use rebuttal::model::{Cause, Flip};
use rebuttal_report::ledger::{Portrait, became, cause_words, percent};
use rebuttal_report::{flips, positions};
use serde::Serialize;

use super::agents::coloured;
use super::draw::Strokes;
use super::list::{Row, sure};
use super::{Ledger, when};
use crate::args::ledger::{AgentArgs, PageFormat};
use crate::output::{Output, Status, to_file};
use crate::report::{JsonText, SCHEMA, VERSION, excerpt};
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
        PageFormat::Json => JsonText::line(out, &Document::new(&portrait))?,
        PageFormat::Html => {
            writeln!(out, "{}", rebuttal_report::ledger::agent(&portrait).into_string())?;
        }
        PageFormat::Text if portrait.is_known() => text(out, &portrait)?,
        PageFormat::Text => {}
    }
    if !portrait.is_known() {
        ledger.unknown_agent(&args.name, out)?;
    }
    Ok(Status::Clean)
}

#[derive(Serialize)]
struct Document<'p> {
    rebuttal: &'static str,
    schema: u32,
    known: bool,
    consistency: &'p AgentConsistencyScore,
    silent: u64,
    history: Vec<Row<'p>>,
    flips: &'p [Flip],
    moved_by: &'p BTreeMap<Cause, Rate>,
    calibration: Option<Calibrated<'p>>,
    rating: Option<&'p AgentRating>,
    vote_weight: Weight,
}

#[derive(Serialize)]
struct Calibrated<'p> {
    #[serde(flatten)]
    measured: &'p Calibration,
    temperature: Option<Temperature>,
}

#[derive(Serialize)]
struct Weight {
    #[serde(flatten)]
    factors: VoteWeight,
    weight: f64,
}

impl<'p> Document<'p> {
    fn new(portrait: &'p Portrait) -> Self {
        Self {
            rebuttal: VERSION,
            schema: SCHEMA,
            known: portrait.is_known(),
            consistency: &portrait.score,
            silent: portrait.totals.silent,
            history: portrait.listed().iter().map(Row::from).collect(),
            flips: &portrait.flips,
            moved_by: &portrait.moved_by,
            calibration: portrait.judged.as_ref().map(|judged| Calibrated {
                measured: &judged.calibration,
                temperature: judged.temperature,
            }),
            rating: portrait.rating.as_ref(),
            vote_weight: Weight { factors: portrait.weight, weight: portrait.weight.weight() },
        }
    }
}

fn text(out: &mut Output, portrait: &Portrait) -> io::Result<()> {
    let (paint, strokes) = (out.paint(), Strokes::of(out));
    let Portrait { totals, score, .. } = portrait;
    let (taken, left) = (positions(totals.positions), flips(totals.flips));
    writeln!(
        out,
        "{}  {taken}, {left} ({} silent)",
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
