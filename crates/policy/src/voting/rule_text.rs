//! The short text form of a rule, and what was meant where it is misspelt.

use std::fmt;
use std::str::FromStr;

use rebuttal_text::nearest;

use super::rule::{Rule, WeightBy};
use super::share_text::{share, shown};
use crate::words::either;

/// Why a text is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// Nothing was written.
    #[error("no rule is given; write one of {}", NAMES.join(", "))]
    Empty,
    /// No rule has this name.
    #[error("there is no rule “{name}”{}", hint(.meant.as_deref()))]
    Unknown {
        /// What was written.
        name: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// The rule takes a number that is missing.
    #[error("“{rule}” needs {needs}, as in “{example}”")]
    Missing {
        /// The rule.
        rule: String,
        /// What it needs.
        needs: String,
        /// How that looks.
        example: String,
    },
    /// The rule's number is not one, or out of range.
    #[error("“{given}” in “{rule}:{given}” is not {needs}, as in “{example}”")]
    Bad {
        /// The rule.
        rule: String,
        /// What was written.
        given: String,
        /// What it needs.
        needs: String,
        /// How that looks.
        example: String,
    },
    /// The rule takes nothing more.
    #[error("“{rule}” takes nothing after it, and “{given}” was given")]
    Extra {
        /// The rule.
        rule: String,
        /// What was written.
        given: String,
    },
    /// A rule around a rule around a rule.
    #[error("rules are nested too deep in “{0}”")]
    Deep(String),
}

fn hint(meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("; did you mean “{meant}”?"),
        None => format!("; write one of {}", NAMES.join(", ")),
    }
}

/// Every name, as it is written in the record.
const NAMES: [&str; 21] = [
    "plurality",
    "majority",
    "supermajority",
    "unanimity",
    "quorum",
    "approval",
    "borda",
    "instant-runoff",
    "copeland",
    "schulze",
    "ranked-pairs",
    "cumulative",
    "weighted",
    "linear-pool",
    "log-pool",
    "median",
    "trimmed-mean",
    "judge",
    "judge-panel",
    "veto",
    "escalate",
];

/// Other names that people use.
const OTHER: [(&str, &str); 14] = [
    ("irv", "instant-runoff"),
    ("ranked-choice", "instant-runoff"),
    ("alternative-vote", "instant-runoff"),
    ("tideman", "ranked-pairs"),
    ("beatpath", "schulze"),
    ("strict-majority", "majority"),
    ("simple-majority", "majority"),
    ("unanimous", "unanimity"),
    ("consensus", "unanimity"),
    ("none", "escalate"),
    ("human", "escalate"),
    ("first-past-the-post", "plurality"),
    ("points", "cumulative"),
    ("super-majority", "supermajority"),
];

/// What weights go by, as written.
const WEIGHTS: [(&str, WeightBy); 3] = [
    ("conviction", WeightBy::Conviction),
    ("skill", WeightBy::Skill),
    ("calibration", WeightBy::Calibration),
];

/// How deep rules may stand in rules.
const DEEPEST: usize = 4;

/// A rule's name as written in the record.
fn name(written: &str) -> Result<&'static str, RuleError> {
    let tidy: String = written
        .trim()
        .chars()
        .map(|letter| if matches!(letter, '_' | ' ') { '-' } else { letter.to_ascii_lowercase() })
        .collect();
    if let Some(name) = NAMES.iter().find(|name| **name == tidy) {
        return Ok(name);
    }
    if let Some((_, name)) = OTHER.iter().find(|(other, _)| *other == tidy) {
        return Ok(name);
    }
    let known: Vec<&str> =
        NAMES.iter().copied().chain(OTHER.iter().map(|(other, _)| *other)).collect();
    let meant = nearest(&tidy, &known).map(str::to_owned);
    Err(RuleError::Unknown { name: written.trim().to_owned(), meant })
}

/// What is read of one rule: its name and what follows.
struct Piece<'t> {
    name: &'static str,
    rest: Option<&'t str>,
}

impl Piece<'_> {
    fn bad(&self, given: &str, needs: &str, example: &str) -> RuleError {
        RuleError::Bad {
            rule: self.name.to_owned(),
            given: given.to_owned(),
            needs: needs.to_owned(),
            example: example.to_owned(),
        }
    }

    /// The one number a rule takes.
    fn number(
        &self,
        fits: impl Fn(f64) -> bool,
        needs: &str,
        example: &str,
    ) -> Result<f64, RuleError> {
        let Some(given) = self.rest else {
            let (rule, needs, example) =
                (self.name.to_owned(), needs.to_owned(), example.to_owned());
            return Err(RuleError::Missing { rule, needs, example });
        };
        share(given).filter(|number| fits(*number)).ok_or_else(|| self.bad(given, needs, example))
    }

    /// A rule that takes nothing.
    fn alone(&self, rule: Rule) -> Result<Rule, RuleError> {
        match self.rest {
            None => Ok(rule),
            Some(given) => {
                Err(RuleError::Extra { rule: self.name.to_owned(), given: given.to_owned() })
            }
        }
    }

    /// `weighted`, `weighted:skill`, `weighted:conviction:0.7`.
    fn weighted(&self) -> Result<Rule, RuleError> {
        let mut by = WeightBy::Conviction;
        let mut needed = None;
        for part in self.rest.into_iter().flat_map(|rest| rest.split(':')) {
            let tidy = part.trim().to_ascii_lowercase();
            if let Some((_, named)) = WEIGHTS.iter().find(|(name, _)| *name == tidy) {
                by = *named;
                continue;
            }
            let number = share(part).filter(|share| *share > 0.0 && *share <= 1.0);
            let needs = format!(
                "{} or a share of the weight",
                either(WEIGHTS.iter().map(|(name, _)| name))
            );
            needed = Some(number.ok_or_else(|| self.bad(part, &needs, "weighted:skill:0.7"))?);
        }
        Ok(Rule::Weighted { by, share: needed })
    }

    /// `quorum:0.5:borda`.
    fn quorum(&self, depth: usize) -> Result<Rule, RuleError> {
        let (first, rest) = match self.rest {
            Some(rest) => rest.split_once(':').map_or((rest, None), |(one, two)| (one, Some(two))),
            None => {
                return Piece { name: self.name, rest: None }
                    .number(|_| true, QUORUM, "quorum:0.5:majority")
                    .map(|_| Rule::Plurality);
            }
        };
        let fits = |share: f64| share > 0.0 && share <= 1.0;
        let share = Piece { name: self.name, rest: Some(first) }.number(
            fits,
            QUORUM,
            "quorum:0.5:majority",
        )?;
        let rule = rest.map_or(Ok(Rule::Plurality), |rest| parse(rest, depth + 1))?;
        Ok(Rule::Quorum { share, rule: Box::new(rule) })
    }
}

const QUORUM: &str = "the share of the panel that must vote, above 0 and at most 1";

fn parse(text: &str, depth: usize) -> Result<Rule, RuleError> {
    if depth > DEEPEST {
        return Err(RuleError::Deep(crate::words::short(text, 60)));
    }
    if text.trim().is_empty() {
        return Err(RuleError::Empty);
    }
    let (written, rest) =
        text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest.trim())));
    let piece = Piece { name: name(written)?, rest };
    match piece.name {
        "plurality" => piece.alone(Rule::Plurality),
        "majority" => piece.alone(Rule::Majority),
        "supermajority" => {
            let needs = "a share of the panel above 0.5 and at most 1";
            let fits = |share: f64| share > 0.5 && share <= 1.0;
            Ok(Rule::Supermajority { share: piece.number(fits, needs, "supermajority:0.66")? })
        }
        "unanimity" => piece.alone(Rule::Unanimity),
        "quorum" => piece.quorum(depth),
        "approval" => piece.alone(Rule::Approval),
        "borda" => piece.alone(Rule::Borda),
        "instant-runoff" => piece.alone(Rule::InstantRunoff),
        "copeland" => piece.alone(Rule::Copeland),
        "schulze" => piece.alone(Rule::Schulze),
        "ranked-pairs" => piece.alone(Rule::RankedPairs),
        "cumulative" => piece.alone(Rule::Cumulative),
        "weighted" => piece.weighted(),
        "linear-pool" => piece.alone(Rule::LinearPool),
        "log-pool" => piece.alone(Rule::LogPool),
        "median" => piece.alone(Rule::Median),
        "trimmed-mean" => {
            let needs = "the share dropped at each end, at least 0 and below 0.5";
            let fits = |cut: f64| (0.0..0.5).contains(&cut);
            Ok(Rule::TrimmedMean { cut: piece.number(fits, needs, "trimmed-mean:0.1")? })
        }
        "judge" => piece.alone(Rule::Judge),
        "judge-panel" => piece.alone(Rule::JudgePanel),
        "veto" => {
            let rule = piece.rest.map_or(Ok(Rule::Plurality), |rest| parse(rest, depth + 1))?;
            Ok(Rule::Veto { rule: Box::new(rule) })
        }
        _ => piece.alone(Rule::Escalate),
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        parse(text, 1)
    }
}

impl TryFrom<String> for Rule {
    type Error = RuleError;

    fn try_from(text: String) -> Result<Self, RuleError> {
        text.parse()
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.to_string()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plurality => f.write_str("plurality"),
            Self::Majority => f.write_str("majority"),
            Self::Supermajority { share } => write!(f, "supermajority:{}", shown(*share)),
            Self::Unanimity => f.write_str("unanimity"),
            Self::Quorum { share, rule } => write!(f, "quorum:{}:{rule}", shown(*share)),
            Self::Approval => f.write_str("approval"),
            Self::Borda => f.write_str("borda"),
            Self::InstantRunoff => f.write_str("instant-runoff"),
            Self::Copeland => f.write_str("copeland"),
            Self::Schulze => f.write_str("schulze"),
            Self::RankedPairs => f.write_str("ranked-pairs"),
            Self::Cumulative => f.write_str("cumulative"),
            Self::Weighted { by, share } => {
                let name =
                    WEIGHTS.iter().find(|(_, weight)| weight == by).map_or("", |(name, _)| name);
                write!(f, "weighted:{name}")?;
                share.map_or(Ok(()), |share| write!(f, ":{}", shown(share)))
            }
            Self::LinearPool => f.write_str("linear-pool"),
            Self::LogPool => f.write_str("log-pool"),
            Self::Median => f.write_str("median"),
            Self::TrimmedMean { cut } => write!(f, "trimmed-mean:{}", shown(*cut)),
            Self::Judge => f.write_str("judge"),
            Self::JudgePanel => f.write_str("judge-panel"),
            Self::Veto { rule } => write!(f, "veto:{rule}"),
            Self::Escalate => f.write_str("escalate"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Rule>().unwrap_err().to_string()
    }

    #[test]
    fn every_rule_is_read_back_from_its_text() {
        for rule in Rule::all() {
            assert_eq!(rule.to_string().parse::<Rule>().as_ref(), Ok(&rule));
            let json = serde_json::to_string(&rule).unwrap();
            assert_eq!(serde_json::from_str::<Rule>(&json).unwrap(), rule);
        }
        assert_eq!("supermajority:2/3".parse(), Ok(Rule::Supermajority { share: 2.0 / 3.0 }));
        assert_eq!(Rule::Supermajority { share: 2.0 / 3.0 }.to_string(), "supermajority:2/3");
        assert_eq!("supermajority: 66%".parse(), Ok(Rule::Supermajority { share: 0.66 }));
        assert_eq!("Ranked_Pairs".parse(), Ok(Rule::RankedPairs));
        let inner = Box::new(Rule::Supermajority { share: 0.75 });
        let quorum = Rule::Quorum { share: 0.5, rule: inner };
        assert_eq!(
            "veto:quorum:0.5:supermajority:0.75".parse(),
            Ok(Rule::Veto { rule: Box::new(quorum) })
        );
        let weighted = Rule::Weighted { by: WeightBy::Skill, share: Some(0.7) };
        assert_eq!("weighted:skill:0.7".parse(), Ok(weighted));
    }

    #[test]
    fn errors_say_what_was_meant() {
        assert_eq!(error("boorda"), "there is no rule “boorda”; did you mean “borda”?");
        assert_eq!(error("majorty"), "there is no rule “majorty”; did you mean “majority”?");
        assert!(
            error("dictator").contains("write one of plurality, majority"),
            "{}",
            error("dictator")
        );
        assert!(error("supermajority").contains("needs a share of the panel"));
        assert!(error("supermajority:0.5").contains("above 0.5"));
        assert!(error("supermajority:x").contains("“x”"));
        assert!(error("trimmed-mean:0.5").contains("below 0.5"));
        assert!(error("quorum").contains("quorum:0.5:majority"));
        assert!(error("quorum:0.5:bordda").contains("“borda”"));
        assert!(error("weighted:skil").contains("conviction, skill or calibration"));
        assert_eq!(error("borda:3"), "“borda” takes nothing after it, and “3” was given");
        assert!(error("").contains("no rule is given"));
        assert!(error(&"veto:".repeat(10_000)).contains("nested too deep"));
        assert!(error("supermajority:nan").contains("not"));
        assert!(error("supermajority:1/0").contains("not"));
    }
}
