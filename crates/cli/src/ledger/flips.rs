//! `rebuttal flips`: who gave up which position, how, and what moved them.

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::Versioned;
use rebuttal::ledger::{FlipPage, KnownAgent, flips, known_agent};
use rebuttal::model::{Acknowledgment, Cause, Flip, FlipKind, Position, Span};
use rebuttal::store::FlipFilter;
use rebuttal_report::ledger::cause_words;

use super::{Ledger, when};
use crate::args::ledger::{FlipsArgs, FlipsFormat};
use crate::output::{Output, Status, to_file};
use crate::report::{JsonText, excerpt};
use crate::terminal::{Paint, Painted, one_line, visible};
use crate::wrap::wrap;

/// Characters of a claim that are shown around what decided.
const CLAIM_CHARS: usize = 300;

/// Shows flips, the latest found first.
pub(crate) fn run(args: &FlipsArgs, out: &mut Output) -> Result<Status> {
    let ledger = Ledger::open(&args.db)?;
    let since = args.since.as_deref().map(|since| when::since(since, ledger.now)).transpose()?;
    let filter = FlipFilter {
        agent: args.agent.clone(),
        kind: args.kind.map(FlipKind::from),
        domain: args.domain.clone(),
        silent_only: args.silent,
        happened_since: since,
        limit: args.limit,
        ..FlipFilter::default()
    };
    let page = ledger.wait(flips(&ledger.store, &filter))?;
    to_file(out, args.output.as_deref())?;
    write(&page, args.format, out)?;
    if page.flips.is_empty() {
        explain_none(&ledger, args, out)?;
    } else if page.more && args.format == FlipsFormat::Text {
        out.note(format_args!(
            "there are more; --limit {} shows them",
            args.limit.saturating_mul(5)
        ))?;
    }
    Ok(Status::Clean)
}

fn write(page: &FlipPage, format: FlipsFormat, out: &mut Output) -> io::Result<()> {
    let flips = &page.flips;
    match format {
        FlipsFormat::Text => {
            for (index, flip) in flips.iter().enumerate() {
                if index > 0 {
                    writeln!(out)?;
                }
                card(out, flip)?;
            }
            Ok(())
        }
        FlipsFormat::Json => JsonText::line(out, &Versioned::new(page)),
        FlipsFormat::Jsonl => page.events().try_for_each(|flip| JsonText::line(out, &flip)),
        FlipsFormat::Ui => JsonText::line(out, &page.cards()),
        FlipsFormat::Html => {
            let flips: Vec<&Flip> = flips.iter().collect();
            writeln!(
                out,
                "{}",
                rebuttal_report::ledger::flips(&flips, page.more, rebuttal_report::Place::File)
                    .stand_alone()
                    .into_string()
            )
        }
    }
}

/// Why there is nothing to show.
fn explain_none(ledger: &Ledger, args: &FlipsArgs, out: &mut Output) -> Result<()> {
    if let Some(agent) = &args.agent
        && ledger.wait(known_agent(&ledger.store, agent))? != KnownAgent::Known
    {
        return ledger.unknown_agent(agent, out);
    }
    let summary = ledger.wait(ledger.store.summary(ledger.now, 0))?;
    out.note(match (summary.positions, summary.total_flips) {
        (0, _) => "the ledger is empty; `rebuttal positions import FILE` fills it",
        (_, 0) if summary.unseen > 0 => {
            "no flips yet; `rebuttal db rebuild --flips` looks for them"
        }
        (_, 0) => "no flips: nobody gave a position up",
        (_, _) => "no flips like that; leave an option out to see others",
    })?;
    Ok(())
}

/// One flip, for a person.
pub(super) fn card(out: &mut Output, flip: &Flip) -> io::Result<()> {
    let paint = out.paint();
    let silent = match flip.acknowledgment {
        Acknowledgment::Silent => "silent",
        Acknowledgment::Acknowledged => "acknowledged",
    };
    let domain = flip.after.domain.as_deref().or(flip.before.domain.as_deref());
    let domain = domain.map_or_else(String::new, |domain| format!(", {}", one_line(domain)));
    writeln!(
        out,
        "{}  {}, {silent}{domain}",
        paint.bold(one_line(flip.after.agent.as_str())),
        kind(paint, flip.kind),
    )?;
    let times = when::stamps([flip.before.at, flip.after.at]);
    let sides = [("held", &flip.before, flip.before_span), ("now", &flip.after, flip.after_span)];
    for ((label, position, span), at) in sides.into_iter().zip(&times) {
        side(out, (label, at), position, span)?;
    }
    writeln!(out, "{}", wrap(&visible(&flip.explanation), 2))?;
    if let Some(why) = moved_by(flip) {
        writeln!(out, "{}", wrap(&why, 2))?;
    }
    writeln!(
        out,
        "  {}",
        paint.dim(format_args!(
            "{}  by {}, {:.2} alike, {:.2} sure",
            one_line(flip.id.as_str()),
            flip.method.as_str(),
            flip.similarity,
            flip.confidence.value(),
        ))
    )
}

fn kind(paint: Paint, kind: FlipKind) -> Painted<&'static str> {
    match kind {
        FlipKind::Contradiction => paint.red(kind.as_str()),
        FlipKind::Retraction => paint.yellow(kind.as_str()),
        FlipKind::Qualification | FlipKind::Refinement => paint.blue(kind.as_str()),
    }
}

fn side(
    out: &mut Output,
    (label, at): (&str, &str),
    position: &Position,
    span: Span,
) -> io::Result<()> {
    let sure = position.confidence.map(|sure| format!(", {:.2} sure", sure.value()));
    let sure = sure.unwrap_or_default();
    let debate = position.debate.as_ref();
    let debate = debate.map_or_else(String::new, |id| format!(", {}", one_line(id.as_str())));
    let round = position.round.map_or_else(String::new, |round| format!(" round {round}"));
    writeln!(out, "  {label:<4} {at}{sure}{debate}{round}")?;
    let claim = format!("“{}”", visible(&shown(&position.claim, span)));
    writeln!(out, "{}", wrap(&claim, 7))
}

/// The claim; of a long one, what decided.
pub(super) fn shown(claim: &str, span: Span) -> String {
    if claim.chars().nth(CLAIM_CHARS).is_none() {
        return claim.to_owned();
    }
    let decided = span.of(claim).filter(|words| !words.trim().is_empty());
    let (Some(words), true) = (decided, span.start() > 0) else {
        return excerpt(claim, CLAIM_CHARS);
    };
    format!("… {}", excerpt(words, CLAIM_CHARS))
}

/// What moved the agent, with the words that did; `None` where nothing can be seen.
pub(super) fn moved_by(flip: &Flip) -> Option<String> {
    if flip.cause == Cause::NoneVisible {
        return None;
    }
    let cause = cause_words(flip.cause);
    Some(match &flip.because {
        Some(because) => {
            let words = excerpt(&because.quote.text, CLAIM_CHARS);
            let by = one_line(because.by.as_str());
            format!("Moved by {cause}, from {by}: “{}”", visible(&words))
        }
        None => format!("Moved by {cause}"),
    })
}
