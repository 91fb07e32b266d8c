//! Runs a panel with the real engine: journal, runner, scripted agents, nothing in between.

use jiff::Timestamp;
use rebuttal_engine::debate::{Arena, Ended, Engine, Environment, MemoryJournal};
use rebuttal_model::{BreakpointAnswer, Protocol, Record};
use tokio::runtime::Builder;

use super::keyword::Surface;
use super::sight::{Seen, Sight};
use super::{HarnessError, Panel};

/// Most breakpoints that are answered before a debate is given up.
const BREAKPOINTS: usize = 8;

/// A panel that has debated.
#[derive(Clone)]
pub(crate) struct Ran {
    pub(crate) panel: Panel,
    /// What was seen and done.
    pub(crate) seen: Seen,
    /// Runs the panel without the trickster.
    pub(crate) without: Seen,
    /// What keyword rules see of it.
    pub(crate) surface: Surface,
    /// Its journal.
    pub(crate) records: Vec<Record>,
}

impl Ran {
    /// True when a detector that should see its fault did, whether or not anything came of it.
    pub(crate) fn is_seen(&self) -> bool {
        self.panel.kind.seen_by.iter().any(|sight| self.seen.sights.contains(sight))
    }

    /// True when what should happen did: the trickster met the fault with what it should be met with,
    /// or the finding that it deserves was raised. By the same measure sound panels are alarmed.
    pub(crate) fn is_killed(&self) -> bool {
        let found = |sight: &Sight| sight.is_finding() && self.seen.sights.contains(sight);
        let met = self.panel.kind.met_by.iter().any(|act| self.seen.acts.contains(act));
        met || self.panel.kind.seen_by.iter().any(found)
    }

    /// True when the panel was stepped into, or a finding against one of its agents was raised.
    pub(crate) fn is_alarmed(&self) -> bool {
        !self.seen.acts.is_empty() || self.seen.sights.iter().any(|sight| sight.is_finding())
    }

    /// True when the trickster changed where the debate went: more rounds or another decision.
    pub(crate) fn has_turned(&self) -> bool {
        (self.seen.rounds, &self.seen.answer) != (self.without.rounds, &self.without.answer)
    }
}

/// Runs a panel as the protocol says, and once more without the trickster.
pub(crate) fn run(panel: Panel) -> Result<Ran, HarnessError> {
    let protocol = Protocol::default();
    let silent = Protocol { enable_trickster: false, ..Protocol::default() };
    let records = debate(&panel, protocol.clone())?;
    let undisturbed = debate(&panel, silent)?;
    let without = Seen::of(&undisturbed, &protocol.trickster);
    let seen = Seen::of(&records, &protocol.trickster);
    let surface = Surface::of(&undisturbed);
    Ok(Ran { panel, seen, without, surface, records })
}

fn debate(panel: &Panel, protocol: Protocol) -> Result<Vec<Record>, HarnessError> {
    const NAMES: [&str; 6] = ["ann", "bob", "cyd", "dee", "eli", "fay"];
    let agents = NAMES.iter().zip(&panel.scripts).map(|(name, script)| script.agent(name));
    let arena = Arena::new(Environment::new(panel.question.clone()))
        .panel(agents)
        .protocol(protocol)
        .seed(panel.seed);
    let runtime = Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| HarnessError::new(error.to_string()))?;
    let whole = drive(&arena);
    let what = |error: String| {
        HarnessError::new(format!("{}, seed {}: {error}", panel.kind.name, panel.seed))
    };
    runtime.block_on(whole).map_err(what)
}

/// Runs to the end; whoever is asked at a breakpoint tells the panel to bring evidence.
async fn drive(arena: &Arena) -> Result<Vec<Record>, String> {
    // A clock that stands still: a debate run again is the same to the byte.
    let engine = Engine::new(MemoryJournal::default()).clock(|| Timestamp::UNIX_EPOCH).random(|| 0);
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let mut debate = arena.start(&engine).map_err(|error| said(&error))?;
    for _ in 0..BREAKPOINTS {
        let mut finished = debate.finished().await.map_err(|error| said(&error))?;
        if let Ended::Decided(_) = finished.ended {
            return Ok(finished.records.iter().map(|record| (**record).clone()).collect());
        }
        let note = "QUALITY CHALLENGE from the person in charge: bring sources and figures.";
        let answered = finished.answer(BreakpointAnswer::Redirect, Some(note)).await;
        answered.map_err(|error| said(&error))?;
        debate = finished.resume().map_err(|error| said(&error))?;
    }
    Err("it waits at one breakpoint after the other".to_owned())
}
