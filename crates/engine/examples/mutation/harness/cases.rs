//! What panels debate: questions from eleven fields for the development half and from five others for
//! the held-out one, with arguments, sources and reasons made up for this harness.

use super::dice::Dice;
use super::grammar::expand;
use super::{Half, HarnessError};

/// Fields of the development half.
const DEVELOPMENT: [(&str, &str); 11] = [
    ("policy", include_str!("cases/policy.txt")),
    ("engineering", include_str!("cases/engineering.txt")),
    ("medicine", include_str!("cases/medicine.txt")),
    ("markets", include_str!("cases/markets.txt")),
    ("law", include_str!("cases/law.txt")),
    ("education", include_str!("cases/education.txt")),
    ("agriculture", include_str!("cases/agriculture.txt")),
    ("energy", include_str!("cases/energy.txt")),
    ("housing", include_str!("cases/housing.txt")),
    ("aviation", include_str!("cases/aviation.txt")),
    ("libraries", include_str!("cases/libraries.txt")),
];
/// Fields of the held-out half. They are never changed because of what a detector made of them.
const HELD_OUT: [(&str, &str); 5] = [
    ("transport", include_str!("cases/held_out/transport.txt")),
    ("insurance", include_str!("cases/held_out/insurance.txt")),
    ("security", include_str!("cases/held_out/security.txt")),
    ("water", include_str!("cases/held_out/water.txt")),
    ("museums", include_str!("cases/held_out/museums.txt")),
];

/// Something a source says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    pub(crate) source: String,
    pub(crate) says: String,
}

/// One reason for a side: the same claim in several wordings, what supports it, and why it follows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Argument {
    pub(crate) claims: Vec<String>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) whys: Vec<String>,
}

/// A question with what can be said on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) domain: &'static str,
    pub(crate) question: String,
    /// What is asked about, as the subject of a sentence.
    pub(crate) thing: String,
    pub(crate) yes: Vec<Argument>,
    pub(crate) no: Vec<Argument>,
}

impl Case {
    /// The arguments for an answer.
    pub(crate) fn side(&self, answer: &str) -> &[Argument] {
        if answer == "no" { &self.no } else { &self.yes }
    }
}

/// All cases, as they were written.
#[derive(Clone, Debug)]
pub(crate) struct Cases {
    development: Vec<Case>,
    held_out: Vec<Case>,
}

impl Cases {
    /// Reads them.
    pub(crate) fn read() -> Result<Self, HarnessError> {
        let all = |files: &[(&'static str, &str)]| -> Result<Vec<Case>, HarnessError> {
            let mut cases = Vec::new();
            for (domain, text) in files {
                cases.extend(parse(domain, text)?);
            }
            Ok(cases)
        };
        Ok(Self { development: all(&DEVELOPMENT)?, held_out: all(&HELD_OUT)? })
    }

    /// A case for a panel, its numbers drawn and its arguments in an order of their own, on a field of
    /// this half alone.
    pub(crate) fn draw(&self, half: Half, dice: &mut Dice) -> Case {
        let from = match half {
            Half::Development => &self.development,
            Half::HeldOut => &self.held_out,
        };
        let mut case = dice.pick(from).cloned().unwrap_or_default();
        for side in [&mut case.yes, &mut case.no] {
            dice.shuffle(side);
            for argument in side.iter_mut() {
                dice.shuffle(&mut argument.claims);
                dice.shuffle(&mut argument.facts);
                for fact in &mut argument.facts {
                    fact.says = expand(&fact.says, dice);
                    fact.source = expand(&fact.source, dice);
                }
            }
        }
        case
    }
}

fn parse(domain: &'static str, text: &str) -> Result<Vec<Case>, HarnessError> {
    let mut cases: Vec<Case> = Vec::new();
    let mut on_yes = true;
    for (number, line) in text.lines().enumerate() {
        let wrong = || HarnessError::new(format!("{domain}.txt, line {}: {line}", number + 1));
        if let Some(question) = line.strip_prefix("? ") {
            cases.push(Case { domain, question: question.to_owned(), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().ok_or_else(wrong)?;
        if let Some(thing) = line.strip_prefix("= ") {
            thing.clone_into(&mut case.thing);
            continue;
        }
        if line == "+" || line == "-" {
            on_yes = line == "+";
            let side = if on_yes { &mut case.yes } else { &mut case.no };
            side.push(Argument::default());
            continue;
        }
        let side = if on_yes { &mut case.yes } else { &mut case.no };
        let argument = side.last_mut().ok_or_else(wrong)?;
        match line.split_once(": ").ok_or_else(wrong)? {
            ("c", claim) => argument.claims.push(claim.to_owned()),
            ("w", why) => argument.whys.push(why.to_owned()),
            ("f", fact) => {
                let (source, says) = fact.split_once(" :: ").ok_or_else(wrong)?;
                let fact = Fact { source: source.to_owned(), says: says.to_owned() };
                argument.facts.push(fact);
            }
            _ => return Err(wrong()),
        }
    }
    Ok(cases)
}
