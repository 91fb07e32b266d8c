//! Panels written out whole, each in a register of its own: notes, memos, chat, tables.
//!
//! The other panels are put together from parts, so that whoever wrote the parts speaks in all of them.
//! These are not: no two share a wording. A panel opens with `@ kind / field / register` and its
//! question (`? `). Then come its agents, with an empty line between them unless a table follows it. An
//! agent's turn opens with its answer and conviction (`yes 80 …`), `- ` opens a piece of evidence, and
//! every other line goes on with what stands above it.

use super::script::{Said, Script};
use super::{FAULTS, HEALTHY, Half, HarnessError, Kind, Panel, Ran};

/// Which panels: the first were run before anything was mended for them, the second were written at the
/// same time and run when it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Batch {
    First,
    Second,
}

impl Batch {
    /// Both.
    pub(crate) const BOTH: [Self; 2] = [Self::First, Self::Second];

    fn files(self) -> [(&'static str, &'static str); 2] {
        match self {
            Self::First => [
                ("first_faults.txt", include_str!("written/first_faults.txt")),
                ("first_sound.txt", include_str!("written/first_sound.txt")),
            ],
            Self::Second => [
                ("second_faults.txt", include_str!("written/second_faults.txt")),
                ("second_sound.txt", include_str!("written/second_sound.txt")),
            ],
        }
    }

    /// Its panels, in the order in which they were written.
    pub(crate) fn panels(self) -> Result<Vec<Panel>, HarnessError> {
        let mut panels = Vec::new();
        for (file, text) in self.files() {
            read(file, text, &mut panels)?;
        }
        Ok(panels)
    }
}

fn read(file: &str, text: &'static str, panels: &mut Vec<Panel>) -> Result<(), HarnessError> {
    let wrong = |what: &str, panel: &str| HarnessError::new(format!("{file}: {what}: {panel}"));
    let first = text.strip_prefix("@ ").ok_or_else(|| wrong("begins without a title", file))?;
    for whole in first.split("\n@ ") {
        let (title, rest) = whole.split_once('\n').ok_or_else(|| wrong("no question", whole))?;
        let mut parts = title.split(" / ");
        let (Some(name), Some(domain), Some(register)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong("a title is `kind / field / register`", title));
        };
        let kind = kind(name).ok_or_else(|| wrong("no such kind", name))?;
        let (question, turns) = rest
            .strip_prefix("? ")
            .and_then(|rest| rest.split_once('\n'))
            .ok_or_else(|| wrong("no question", title))?;
        let scripts = scripts(turns);
        if scripts.len() < 3 {
            return Err(wrong("fewer than three agents", title));
        }
        let seed = u64::try_from(panels.len()).unwrap_or(u64::MAX);
        let half = Half::Development;
        let question = question.to_owned();
        panels.push(Panel { kind, seed, half, domain, register, question, scripts });
    }
    Ok(())
}

/// The kind of this name.
fn kind(name: &str) -> Option<Kind> {
    FAULTS.into_iter().chain(HEALTHY).find(|kind| kind.name == name)
}

/// Everybody's script. An empty line before a turn ends an agent; any other belongs to the text.
fn scripts(text: &'static str) -> Vec<Script> {
    let mut scripts: Vec<Script> = Vec::new();
    let mut parted = true;
    for line in text.lines() {
        if let Some(said) = opening(line) {
            match scripts.last_mut().filter(|_| !parted) {
                Some(script) => script.turns.push(said),
                None => scripts.push(Script::of(vec![said])),
            }
        } else if let Some(said) = scripts.last_mut().and_then(|script| script.turns.last_mut()) {
            if let Some(evidence) = line.strip_prefix("- ") {
                said.evidence.push(evidence.to_owned());
            } else {
                let open = said.evidence.last_mut().unwrap_or(&mut said.thesis);
                open.push('\n');
                open.push_str(line);
            }
        }
        parted = line.is_empty();
    }
    for said in scripts.iter_mut().flat_map(|script| &mut script.turns) {
        let open = said.evidence.last_mut().unwrap_or(&mut said.thesis);
        open.truncate(open.trim_end().len());
    }
    scripts
}

/// A line that opens a turn: an answer, a conviction, and the first words.
fn opening(line: &'static str) -> Option<Said> {
    let (answer, rest) =
        line.split_once(' ').filter(|(answer, _)| ["yes", "no"].contains(answer))?;
    let (conviction, thesis) = rest.split_once(' ')?;
    let conviction = conviction.parse().ok()?;
    Some(Said { answer, conviction, thesis: thesis.to_owned(), ..Said::default() })
}

/// What a batch came to.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) faults: Vec<Ran>,
    pub(crate) sound: Vec<Ran>,
}

impl Written {
    /// Sorts panels that were run.
    pub(crate) fn of(runs: Vec<Ran>) -> Self {
        let (faults, sound) = runs.into_iter().partition(|ran| ran.panel.kind.is_fault());
        Self { faults, sound }
    }
}
