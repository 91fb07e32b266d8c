//! `rebuttal beliefs`: what follows for each claim from all the others.

use std::io::Write;

use anyhow::{Result, bail};
use rebuttal::Versioned;
use rebuttal::beliefs::{BeliefAnswer, infer, network};
use rebuttal::detect::beliefs::{Bounds, How, Network};
use rebuttal::inputs::Source;
use rebuttal::ledger::{store_beliefs, stored_beliefs};

use crate::args::{BeliefsArgs, DbArgs, ListFormat};
use crate::output::{Output, Status};
use crate::report::{JsonText, count, excerpt};
use crate::store;
use crate::terminal::one_line;

/// Most claims and cruxes that are shown as text.
const CLAIMS_SHOWN: usize = 60;
const CRUXES_SHOWN: usize = 5;
/// A swing below this is none.
const SWING_MIN: f64 = 0.0005;
/// Columns of a bar.
const BAR: u32 = 20;
/// Widest name that is shown whole.
const NAME_CHARS: usize = 28;

/// Reads the file, computes the posteriors and writes them.
pub(crate) fn run(args: &BeliefsArgs, out: &mut Output) -> Result<Status> {
    let (name, network) = match &args.file {
        Some(file) => {
            let source = Source::file(file);
            let name = source.name();
            let network = network(&source.load()?, &name)?;
            (name, network)
        }
        None => ("the stored network".to_owned(), stored(&args.db)?),
    };
    let given = given(&args.given)?;
    let given: Vec<(&str, bool)> = given.iter().map(|(id, value)| (*id, *value)).collect();
    let mut answer = infer(&network, &given, args.conclusion.as_deref())?;
    answer.file = Some(name);
    match args.format {
        ListFormat::Json => JsonText::line(out, &Versioned::new(&answer))?,
        ListFormat::Text => show(out, &answer)?,
    }
    if args.save {
        let (runtime, store) = store::open(&args.db)?;
        runtime.block_on(store_beliefs(&store, store::now(), &network))?;
        runtime.block_on(store.close());
        out.note(
            "stored; flips on its claims are passed on from now on, `rebuttal beliefs` shows it",
        )?;
    }
    Ok(Status::Clean)
}

/// The network that the ledger keeps, as flips have left it.
fn stored(db: &DbArgs) -> Result<Network> {
    let (runtime, store) = store::open(db)?;
    let stored = runtime.block_on(stored_beliefs(&store))?;
    runtime.block_on(store.close());
    match stored {
        Some(stored) => Ok(stored.network().clone()),
        None => bail!("no network of beliefs is stored; `rebuttal beliefs FILE --save` stores one"),
    }
}

/// `CLAIM=true` and `CLAIM=false`; a claim's name may hold a `=` itself.
fn given(typed: &[String]) -> Result<Vec<(&str, bool)>> {
    let read = |typed: &'_ String| match typed.rsplit_once('=') {
        Some((_, "true")) => Ok(true),
        Some((_, "false")) => Ok(false),
        _ => bail!("--given takes CLAIM=true or CLAIM=false, not {typed:?}"),
    };
    let id = |typed: &str| typed.rfind('=').unwrap_or(typed.len());
    typed
        .iter()
        .map(|typed| Ok((typed.get(..id(typed)).unwrap_or_default(), read(typed)?)))
        .collect()
}

fn show(out: &mut Output, answer: &BeliefAnswer<'_>) -> std::io::Result<()> {
    let paint = out.paint();
    writeln!(out, "{}", paint.bold(one_line(answer.file.as_deref().unwrap_or_default())))?;
    let (claims, links) = (count(answer.claims.len(), "claim"), count(answer.links, "link"));
    writeln!(out, "{claims}, {links}: {}", how(answer))?;
    writeln!(out)?;
    let width = answer.claims.iter().map(|claim| name(claim.id).chars().count()).max().unwrap_or(0);
    writeln!(out, "  {:<width$}  {}", "", paint.dim("prior → posterior"))?;
    for claim in answer.claims.iter().take(CLAIMS_SHOWN) {
        let mark = match claim.given {
            Some(true) => "  given as true",
            Some(false) => "  given as false",
            None => "",
        };
        writeln!(
            out,
            "  {:<width$}  {:>5.2} → {:.2}  {}{mark}",
            name(claim.id),
            claim.prior,
            claim.posterior,
            bar(claim.posterior)
        )?;
    }
    let more = answer.claims.len().saturating_sub(CLAIMS_SHOWN);
    if more > 0 {
        writeln!(out, "  … and {} more; --format json has all", count(more, "claim"))?;
    }
    show_cruxes(out, answer, width)?;
    for note in &answer.notes {
        writeln!(out, "\nnote: {}", one_line(note))?;
    }
    Ok(())
}

fn show_cruxes(out: &mut Output, answer: &BeliefAnswer<'_>, width: usize) -> std::io::Result<()> {
    let (Some(conclusion), Some(likely)) = (answer.conclusion, answer.likely) else {
        return Ok(());
    };
    let paint = out.paint();
    let heading = format!("What {} turns on", name(conclusion));
    let proven = answer
        .bounds
        .map(|Bounds { low, high }| format!(", proven to lie within {low:.2} and {high:.2}"));
    let proven = proven.unwrap_or_default();
    writeln!(out, "\n{} (now {likely:.2}{proven})", paint.bold(heading))?;
    let mut turns = answer.cruxes.iter().filter(|crux| crux.swing.abs() >= SWING_MIN).peekable();
    if turns.peek().is_none() {
        writeln!(out, "  nothing that is still open")?;
    }
    for crux in turns.take(CRUXES_SHOWN) {
        writeln!(
            out,
            "  {:<width$}  if true {:.2}, if false {:.2}: {:+.2}",
            name(crux.claim),
            crux.if_true,
            crux.if_false,
            crux.swing
        )?;
    }
    Ok(())
}

/// How the posteriors were had, in a few words.
fn how(answer: &BeliefAnswer<'_>) -> String {
    let widest = answer.parts.iter().map(|part| match part.how {
        How::Exact { width } => width,
        How::Loopy { .. } => 0,
    });
    let loopy = answer.parts.iter().filter(|part| matches!(part.how, How::Loopy { .. }));
    let doubtful = answer.parts.iter().filter(|part| !part.certified).count();
    match (answer.exact, answer.certified) {
        (true, _) => format!("exact (treewidth {} at most)", widest.max().unwrap_or(0)),
        (false, true) => format!(
            "approximate, certified (propagation in {} has one fixed point and reached it)",
            count(loopy.count(), "part")
        ),
        (false, false) => format!(
            "approximate, not certified (propagation in {} may have ended elsewhere)",
            count(doubtful, "part")
        ),
    }
}

fn name(id: &str) -> String {
    excerpt(&one_line(id), NAME_CHARS)
}

fn bar(share: f64) -> String {
    let filled = (0..BAR).filter(|at| (f64::from(*at) + 0.5) / f64::from(BAR) < share).count();
    let empty = usize::try_from(BAR).unwrap_or_default().saturating_sub(filled);
    "█".repeat(filled) + &"·".repeat(empty)
}
