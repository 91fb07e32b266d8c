//! A panel: a kind, a seed, a case, and everybody's script.

use super::cases::Cases;
use super::dice::Dice;
use super::phrases::Phrases;
use super::script::Script;
use super::stage::Stage;
use super::{Half, HarnessError, Kind};

/// What panels are made from.
#[derive(Debug)]
pub(crate) struct Makers {
    cases: Cases,
    phrases: Phrases,
}

impl Makers {
    /// Reads what was written for them.
    pub(crate) fn read() -> Result<Self, HarnessError> {
        Ok(Self { cases: Cases::read()?, phrases: Phrases::read()? })
    }
}

/// A panel about to debate.
#[derive(Clone)]
pub(crate) struct Panel {
    pub(crate) kind: Kind,
    pub(crate) seed: u64,
    pub(crate) half: Half,
    pub(crate) domain: &'static str,
    /// How its agents write, where that was said.
    pub(crate) register: &'static str,
    pub(crate) question: String,
    pub(crate) scripts: Vec<Script>,
}

impl Panel {
    /// The panel of a kind that this seed makes.
    pub(crate) fn make(makers: &Makers, kind: Kind, seed: u64) -> Self {
        let half = Half::of(seed);
        let mut dice = Dice::new(&format!("{} {seed}", kind.name));
        let case = makers.cases.draw(half, &mut dice);
        let (domain, question) = (case.domain, case.question.clone());
        let mut stage = Stage { case, half, dice, phrases: &makers.phrases };
        let mut scripts = (kind.cast)(&mut stage);
        // Where in the panel who sits must not matter.
        stage.dice.shuffle(&mut scripts);
        Self { kind, seed, half, domain, register: "", question, scripts }
    }

    /// True when somebody on it would answer a challenge with evidence.
    pub(crate) fn listens(&self) -> bool {
        self.scripts.iter().any(|script| !script.challenged.is_empty())
    }
}
