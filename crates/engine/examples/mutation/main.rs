//! The mutation score: panels with planted faults and sound ones, debated by the real engine, and how
//! often what should be seen is seen.
//!
//!     cargo run --release -p rebuttal-engine --example mutation -- \
//!         [--seeds 50] [--out FILE.md] [--misses N] [--written BATCH] [--show KIND:SEED]
//!
//! `--misses` lists faults that were not killed and sound panels with an alarm, of the development half
//! only: who looks at the held-out half tunes on it. `--written` runs only the panels that were written
//! out whole, the `first` or the `second` batch of them, and lists the same of those. `--show` prints one
//! panel's debate; of a written one, the batch and its number.

mod harness;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use harness::{
    Batch, FAULTS, HEALTHY, Half, Kind, Makers, Panel, Ran, Written, measure, report, run,
};
use rayon::prelude::*;
use rebuttal_model::Event;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What was typed.
struct Wanted {
    seeds: u64,
    out: Option<PathBuf>,
    misses: usize,
    written: Option<Batch>,
    show: Option<(String, u64)>,
}

impl Wanted {
    fn read() -> Outcome<Self> {
        let mut wanted = Self { seeds: 50, out: None, misses: 0, written: None, show: None };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--seeds" => wanted.seeds = value.parse()?,
                "--out" => wanted.out = Some(value.into()),
                "--misses" => wanted.misses = value.parse()?,
                "--written" => wanted.written = Some(batch(&value).ok_or("first or second")?),
                "--show" => {
                    let (kind, seed) = value.split_once(':').ok_or("--show takes KIND:SEED")?;
                    wanted.show = Some((kind.to_owned(), seed.parse()?));
                }
                other => return Err(format!("no option {other}").into()),
            }
        }
        Ok(wanted)
    }
}

fn main() -> Outcome<()> {
    let wanted = Wanted::read()?;
    let makers = Makers::read()?;
    let mut out = io::stdout().lock();
    if let Some((kind, seed)) = &wanted.show {
        if let Some(batch) = batch(kind) {
            let number = usize::try_from(*seed)?;
            let panel = batch.panels()?.into_iter().nth(number).ok_or("no such panel")?;
            return Ok(show(&mut out, &run(panel)?)?);
        }
        let mut kinds = FAULTS.iter().chain(&HEALTHY);
        let kind = kinds.find(|known| known.name == kind).ok_or("no such kind")?;
        let ran = run(Panel::make(&makers, *kind, *seed))?;
        return Ok(show(&mut out, &ran)?);
    }
    if let Some(batch) = wanted.written {
        let written = run_written(batch)?;
        out.write_all(report::written(&written).as_bytes())?;
        misses(&mut out, &written.faults, "missed", usize::MAX, |ran| !ran.is_killed())?;
        return Ok(misses(&mut out, &written.sound, "alarm", usize::MAX, Ran::is_alarmed)?);
    }
    let faults = run_all(&makers, &FAULTS, wanted.seeds)?;
    let healthy = run_all(&makers, &HEALTHY, wanted.seeds)?;
    let measured = measure(&faults, &healthy);
    let [first, second] = Batch::BOTH;
    let written = [run_written(first)?, run_written(second)?];
    let page = report::page(&measured, &written, wanted.seeds);
    match &wanted.out {
        Some(file) => std::fs::write(file, &page)?,
        None => out.write_all(page.as_bytes())?,
    }
    if wanted.misses > 0 {
        misses(&mut out, &faults, "missed", wanted.misses, |ran| !ran.is_killed())?;
        misses(&mut out, &healthy, "alarm", wanted.misses, Ran::is_alarmed)?;
    }
    Ok(())
}

fn run_all(makers: &Makers, kinds: &[Kind], seeds: u64) -> Outcome<Vec<Ran>> {
    let panels: Vec<Panel> = kinds
        .iter()
        .flat_map(|kind| (0..seeds).map(|seed| Panel::make(makers, *kind, seed)))
        .collect();
    Ok(panels.into_par_iter().map(run).collect::<Result<_, _>>()?)
}

/// The batch of this name.
fn batch(name: &str) -> Option<Batch> {
    match name {
        "first" => Some(Batch::First),
        "second" => Some(Batch::Second),
        _ => None,
    }
}

fn run_written(batch: Batch) -> Outcome<Written> {
    let runs: Result<Vec<Ran>, _> = batch.panels()?.into_par_iter().map(run).collect();
    Ok(Written::of(runs?))
}

/// Lists up to `most` panels of each kind that hold, of the development half.
fn misses(
    out: &mut impl Write,
    runs: &[Ran],
    what: &str,
    most: usize,
    hit: impl Fn(&Ran) -> bool,
) -> io::Result<()> {
    let mut last = ("", 0);
    for ran in runs.iter().filter(|ran| ran.panel.half == Half::Development && hit(ran)) {
        last = if last.0 == ran.panel.kind.name {
            (last.0, last.1 + 1)
        } else {
            (ran.panel.kind.name, 1)
        };
        if last.1 <= most {
            let Ran { panel, seen, .. } = ran;
            writeln!(
                out,
                "{what}: {}:{} ({}{}) saw {:?} did {:?}, severity {:.2} = alike {:.2}, quality {:.2}",
                panel.kind.name,
                panel.seed,
                panel.domain,
                if panel.register.is_empty() {
                    String::new()
                } else {
                    format!(", {}", panel.register)
                },
                seen.sights,
                seen.acts,
                seen.hollowest.0,
                seen.hollowest.1,
                seen.hollowest.2
            )?;
        }
    }
    Ok(())
}

/// Prints a debate: what was said, seen and done.
fn show(out: &mut impl Write, ran: &Ran) -> io::Result<()> {
    writeln!(out, "{} {} ({})", ran.panel.kind.name, ran.panel.seed, ran.panel.question)?;
    for record in &ran.records {
        match &record.event {
            Event::TurnTaken { turn } => {
                let answer = turn.structured.answer.as_deref().unwrap_or_default();
                writeln!(out, "\n[{:?}] {} ({answer})\n{}", turn.round, turn.agent, turn.text)?;
            }
            Event::RoundAnalyzed { analysis } => writeln!(out, "\nSEEN {analysis:#?}")?,
            Event::Intervened { intervention } => {
                let Intervened { kind, reason, targets } = brief(intervention);
                writeln!(out, "\nDONE {kind} to {targets}: {reason}")?;
            }
            Event::FindingRaised { finding } => {
                writeln!(out, "\nFOUND {}: {}", finding.rule.as_str(), finding.explanation)?;
            }
            Event::Stopped { reason } => writeln!(out, "\nSTOPPED {}", reason.words)?,
            _ => {}
        }
    }
    writeln!(out, "\nseen {}, killed {}", ran.is_seen(), ran.is_killed())
}

struct Intervened {
    kind: String,
    reason: String,
    targets: String,
}

fn brief(done: &rebuttal_model::Intervention) -> Intervened {
    let targets: Vec<&str> = done.targets.iter().map(rebuttal_model::AgentId::as_str).collect();
    Intervened {
        kind: format!("{:?}", done.kind),
        reason: done.reason.clone(),
        targets: targets.join(", "),
    }
}
