//! `rebuttal beliefs`: what follows for each claim from all the others.
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed:
//!
//! ```text
//! { "rebuttal": "0.1.0", "schema": 1, "file", "exact": bool, "certified": bool,
//!   "claims": [ { "id", "text": null | text, "prior", "posterior", "given": null | bool } ],
//!   "parts":  [ { "claims": [ id ], "certified": bool, "method": "exact", "width" }
//!           or  { …, "method": "loopy", "sweeps", "residual", "converged",
//!                 "certificate": { "radius_bound", "within": null | number } } ],
//!   "conclusion": null | id, "bounds": null | { "low", "high" },
//!   "cruxes": [ { "claim": id, "if_true", "if_false", "swing", "expected_move" } ],
//!   "notes": [ text ] }
//! ```

use std::io::Write;

use anyhow::{Context, Result, bail};
use rebuttal::detect::beliefs::{
    BeliefOptions, Beliefs, Bounds, Crux, Evidence, How, Link, Network, NetworkError, Node,
};
use serde::{Deserialize, Serialize};

use rebuttal::ledger::{store_beliefs, stored_beliefs};

use crate::args::{BeliefsArgs, DbArgs, ListFormat};
use crate::output::{Output, Status};
use crate::read::Source;
use crate::report::{JsonText, SCHEMA, VERSION, count, excerpt};
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

/// The file, as it is written.
#[derive(Debug, Deserialize)]
struct Document {
    claims: Vec<Node>,
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Debug, Serialize)]
struct ShownClaim<'n> {
    id: &'n str,
    text: Option<&'n str>,
    prior: f64,
    posterior: f64,
    given: Option<bool>,
}

#[derive(Debug, Serialize)]
struct ShownPart<'n> {
    claims: Vec<&'n str>,
    certified: bool,
    #[serde(flatten)]
    how: How,
}

#[derive(Debug, Serialize)]
struct ShownCrux<'n> {
    claim: &'n str,
    if_true: f64,
    if_false: f64,
    swing: f64,
    expected_move: f64,
}

#[derive(Debug, Serialize)]
struct Answer<'n> {
    rebuttal: &'static str,
    schema: u32,
    file: String,
    exact: bool,
    certified: bool,
    claims: Vec<ShownClaim<'n>>,
    #[serde(skip)]
    links: usize,
    parts: Vec<ShownPart<'n>>,
    conclusion: Option<&'n str>,
    #[serde(skip)]
    likely: Option<f64>,
    bounds: Option<Bounds>,
    cruxes: Vec<ShownCrux<'n>>,
    notes: Vec<String>,
}

/// Reads the file, computes the posteriors and writes them.
pub(crate) fn run(args: &BeliefsArgs, out: &mut Output) -> Result<Status> {
    let (name, network) = match &args.file {
        Some(file) => {
            let source = Source::file(file);
            (source.name(), network(&source)?)
        }
        None => ("the stored network".to_owned(), stored(&args.db)?),
    };
    let given = given(&args.given)?;
    let given: Vec<(&str, bool)> = given.iter().map(|(id, value)| (*id, *value)).collect();
    let evidence = network.evidence(&given)?;
    let conclusion = args.conclusion.as_deref().map(|id| network.find(id)).transpose()?;
    let answer = answer(&network, &evidence, conclusion, name)?;
    match args.format {
        ListFormat::Json => JsonText::line(out, &answer)?,
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

fn network(source: &Source) -> Result<Network> {
    let name = source.name();
    let text = source.load()?;
    let document: Document = serde_json::from_str(&text).with_context(|| {
        format!("{name} is not a network of claims (see `rebuttal beliefs --help`)")
    })?;
    if document.claims.is_empty() {
        bail!("{name} has no claims; there is nothing to believe");
    }
    Network::new(document.claims, document.links).with_context(|| name)
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

fn answer<'n>(
    network: &'n Network,
    evidence: &Evidence,
    asked: Option<usize>,
    file: String,
) -> Result<Answer<'n>> {
    let options = BeliefOptions::default();
    let beliefs = network.infer(evidence, &options)?;
    let mut notes = Vec::new();
    let conclusion = asked.or_else(|| network.conclusion());
    if conclusion.is_none() {
        notes.push(
            "no single claim is where all leads to; --conclusion CLAIM finds its cruxes".to_owned(),
        );
    }
    let cruxes = match conclusion.map(|claim| network.cruxes(evidence, claim, &options)) {
        Some(Err(settled @ NetworkError::Settled(_))) => {
            notes.push(settled.to_string());
            Vec::new()
        }
        found => found.transpose()?.unwrap_or_default(),
    };
    // Where the posterior is an approximation, say what it cannot be.
    let rough = conclusion.filter(|claim| {
        beliefs.part_of(*claim).is_some_and(|part| !matches!(part.how, How::Exact { .. }))
    });
    let bounds = rough.map(|claim| network.bounds(evidence, claim)).transpose()?;
    Ok(Answer {
        rebuttal: VERSION,
        schema: SCHEMA,
        file,
        exact: beliefs.is_exact(),
        certified: beliefs.is_certified(),
        claims: claims(network, evidence, &beliefs),
        links: network.links().len(),
        parts: parts(network, &beliefs),
        conclusion: conclusion.map(|claim| network.id(claim)),
        likely: conclusion.map(|claim| beliefs.at(claim)),
        bounds,
        cruxes: cruxes.iter().map(|crux| shown_crux(network, crux)).collect(),
        notes,
    })
}

fn claims<'n>(network: &'n Network, evidence: &Evidence, beliefs: &Beliefs) -> Vec<ShownClaim<'n>> {
    let shown = |(at, node): (usize, &'n Node)| ShownClaim {
        id: &node.id,
        text: node.text.as_deref(),
        prior: node.prior,
        posterior: beliefs.at(at),
        given: evidence.get(&at).copied(),
    };
    network.nodes().iter().enumerate().map(shown).collect()
}

fn parts<'n>(network: &'n Network, beliefs: &Beliefs) -> Vec<ShownPart<'n>> {
    let shown = |part: &rebuttal::detect::beliefs::PartBeliefs| ShownPart {
        claims: part.claims.iter().map(|claim| network.id(*claim)).collect(),
        certified: part.how.is_certified(),
        how: part.how,
    };
    beliefs.parts.iter().map(shown).collect()
}

fn shown_crux<'n>(network: &'n Network, crux: &Crux) -> ShownCrux<'n> {
    let Crux { claim, if_true, if_false, expected_move } = *crux;
    ShownCrux { claim: network.id(claim), if_true, if_false, swing: crux.swing(), expected_move }
}

fn show(out: &mut Output, answer: &Answer<'_>) -> std::io::Result<()> {
    let paint = out.paint();
    writeln!(out, "{}", paint.bold(one_line(&answer.file)))?;
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

fn show_cruxes(out: &mut Output, answer: &Answer<'_>, width: usize) -> std::io::Result<()> {
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
fn how(answer: &Answer<'_>) -> String {
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
