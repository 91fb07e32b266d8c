//! From what was typed to a debate ready to begin.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use rebuttal::engine::debate::{Arena, Environment};
use rebuttal::model::{Budget, Passage, Protocol, limits};
use rebuttal::panel::{self, Material, PanelNames, Tape, mixed};
use rebuttal::transcripts::open;

use super::live::{fetch_bar, fetching};
use super::person::{self, ME};
use crate::args::{DebateArgs, ProtocolArgs, TapeArgs};
use crate::output::Output;
use rebuttal::config::{Config, sees};

/// A debate ready to begin.
#[derive(Debug)]
pub(super) struct DebatePlan {
    pub(super) arena: Arena,
    /// What must be said about the panel.
    pub(super) note: Option<String>,
}

impl DebatePlan {
    pub(super) fn new(args: &DebateArgs, config: &Config, out: &mut Output) -> Result<Self> {
        let question = question(&args.question)?;
        let mut protocol = protocol(&args.protocol, config, &question)?;
        let preset = args.protocol.preset.as_deref().or(Some(&config.debate.preset.value));
        let preset = preset.map(rebuttal::presets::find).transpose()?.flatten();
        let preset = preset.map_or_else(Default::default, |it| (it.options, it.seats));
        let given = args.options.iter().map(|option| option.trim().to_owned());
        let options = if args.options.is_empty() { preset.0 } else { given.collect() };
        let mut environment = Environment::new(question).options(options.clone());
        if let Some(path) = &args.context {
            environment = environment.context(read(path)?);
        }
        if let Some(truth) = &args.truth {
            environment = environment.truth(truth.clone());
        }
        // Another seed would be another recording: names and orders are drawn by it.
        let taped = args.tape.record.is_some() || args.tape.cassette.is_some();
        let drawn = || if taped { 0 } else { mixed(super::drawn_seed()) };
        let seed = args.seed.unwrap_or_else(drawn);
        let material = Material {
            question: environment.question().to_owned(),
            options,
            passages: passages(&args.evidence, out)?,
        };
        let wanted = PanelNames {
            agents: args.panel.agents.iter().filter(|name| *name != ME).cloned().collect(),
            moderator: args.panel.moderator.clone(),
            judges: args.panel.judges.clone(),
            synthesis: args.panel.synthesis.clone(),
            seats: preset.1,
            material,
        };
        let bar = fetch_bar(out);
        let mut watch = |progress| fetching(&bar, progress, out);
        let seats = panel::seats(&wanted, tape(&args.tape)?, seed, config, &mut watch);
        bar.finish_and_clear();
        let seats = seats?;
        if seats.note.is_some() {
            // Whoever tries it out wants to see how it ends, and the panel has no more to bring.
            protocol.trickster.enable_breakpoints = false;
            protocol.trickster.enable_extended_rounds = false;
        }
        let me = args.panel.agents.iter().any(|name| name == ME).then(person::agent);
        let panel = seats.panel.into_iter().chain(me);
        let mut arena = Arena::new(environment).panel(panel).protocol(protocol).seed(seed);
        if let Some(moderator) = seats.moderator {
            arena = arena.moderator(moderator);
        }
        if let Some(writer) = seats.writer {
            arena = arena.writer(writer);
        }
        for judge in seats.judges {
            arena = arena.judge(judge);
        }
        Ok(Self { arena, note: seats.note })
    }
}

/// Whether exchanges are recorded, or come from a recording.
pub(super) fn tape(args: &TapeArgs) -> Result<Tape> {
    Ok(Tape::new(args.record.as_deref(), args.cassette.as_deref())?)
}

fn question(given: &str) -> Result<String> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut text = String::new();
    let most = limits::QUESTION_BYTES as u64 + 1;
    std::io::stdin().take(most).read_to_string(&mut text).context("the question on stdin")?;
    Ok(text.trim().to_owned())
}

/// What the documents say, whoever they are for.
fn passages(named: &[PathBuf], out: &mut Output) -> Result<Vec<Passage>> {
    let path = |named: &PathBuf| match named.to_string_lossy().split_once('=') {
        Some((_, path)) if !named.exists() => PathBuf::from(path),
        _ => named.clone(),
    };
    super::passages(&named.iter().map(path).collect::<Vec<_>>(), out)
}

fn read(path: &Path) -> Result<String> {
    let shown = path.display();
    let mut text = String::new();
    let most = limits::TURN_BYTES as u64 + 1;
    let read = if path == Path::new("-") {
        std::io::stdin().take(most).read_to_string(&mut text)
    } else {
        let file = open(path).map_err(|error| anyhow!("the context {shown} {error}"))?;
        file.take(most).read_to_string(&mut text)
    };
    read.with_context(|| format!("the context {shown}"))?;
    if text.len() > limits::TURN_BYTES {
        bail!("the context {shown} has more than {} bytes; give what matters", limits::TURN_BYTES);
    }
    Ok(text)
}

/// The preset, changed by what was configured, for the question's field too, and then by what was
/// typed.
pub(super) fn protocol(args: &ProtocolArgs, config: &Config, question: &str) -> Result<Protocol> {
    let mut protocol = config.protocol_for(question, args.preset.as_deref())?;
    if let Some(rounds) = args.rounds {
        protocol.rounds = rounds;
    }
    let texts = [
        (&args.rule, &mut protocol.rule),
        (&args.stop, &mut protocol.stop),
        (&args.tie, &mut protocol.tie),
    ];
    for (typed, kept) in texts {
        if let Some(given) = typed {
            kept.clone_from(given);
        }
    }
    if let Some(text) = &args.sees {
        let wrong = || anyhow!("--sees is all, opposing, ring or random:K, not {text:?}");
        protocol.sees = sees(text).ok_or_else(wrong)?;
    }
    protocol.targeted &= !args.all_debate;
    protocol.in_turn |= args.in_turn;
    protocol.anonymous &= !args.named;
    protocol.roles |= args.roles;
    protocol.critique |= args.critique;
    protocol.enable_trickster &= !args.no_trickster;
    let budget = protocol.budget;
    protocol.budget = Budget {
        calls: args.budget_calls.or(budget.calls),
        tokens: args.budget_tokens.or(budget.tokens),
        usd: args.budget_usd.or(budget.usd),
        seconds: args.budget_seconds.or(budget.seconds),
    };
    Ok(protocol)
}
