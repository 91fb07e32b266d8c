//! The text form of stop rules, and what was meant where it is misspelt.

use std::fmt;
use std::str::FromStr;

use rebuttal_text::nearest;

use super::stop::Stop;
use crate::voting::share;

/// Longest text read. A rule has some ten words.
const LONGEST: usize = 2_000;
/// Deepest brackets read.
const DEEPEST: usize = 16;

/// Why a text is no stop rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopError {
    /// Nothing was written.
    #[error("no stop rule is given; write one of {}, joined with “and” or “or”", NAMES.join(", "))]
    Empty,
    /// No rule has this name.
    #[error("there is no stop rule “{name}”{}", hint(.meant.as_deref()))]
    Unknown {
        /// What was written.
        name: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// The rule's number is missing or wrong.
    #[error("“{rule}” needs {needs}, as in “{example}”{}",
        .given.as_deref().map(|given| format!("; “{given}” is none")).unwrap_or_default())]
    Number {
        /// The rule.
        rule: String,
        /// What it needs.
        needs: String,
        /// How that looks.
        example: String,
        /// What was written instead.
        given: Option<String>,
    },
    /// The rule takes nothing more.
    #[error("“{rule}” takes nothing after it, and “{given}” was given")]
    Extra {
        /// The rule.
        rule: String,
        /// What was written.
        given: String,
    },
    /// Two rules with nothing between them, or nothing where a rule belongs.
    #[error("{0}")]
    Shape(String),
}

fn hint(meant: Option<&str>) -> String {
    match meant {
        Some(meant) => format!("; did you mean “{meant}”?"),
        None => format!("; write one of {}", NAMES.join(", ")),
    }
}

/// Every name, as it is written in the record.
const NAMES: [&str; 10] = [
    "rounds",
    "unanimity",
    "no-change",
    "stable",
    "convergence",
    "judge",
    "repetition",
    "budget",
    "time",
    "human",
];

/// Other names that people use.
const OTHER: [(&str, &str); 8] = [
    ("round", "rounds"),
    ("max-rounds", "rounds"),
    ("unanimous", "unanimity"),
    ("no-changes", "no-change"),
    ("unchanged", "no-change"),
    ("converged", "convergence"),
    ("wall-time", "time"),
    ("moderator", "judge"),
];

/// What is left to read.
struct Reader<'t> {
    tokens: Vec<&'t str>,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).copied()
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    /// Parts joined with `or`.
    fn any(&mut self, depth: usize) -> Result<Stop, StopError> {
        let mut parts = vec![self.all(depth)?];
        while self.takes("or") {
            parts.push(self.all(depth)?);
        }
        Ok(joined(parts, Stop::Any))
    }

    /// Parts joined with `and`.
    fn all(&mut self, depth: usize) -> Result<Stop, StopError> {
        let mut parts = vec![self.one(depth)?];
        while self.takes("and") {
            parts.push(self.one(depth)?);
        }
        Ok(joined(parts, Stop::All))
    }

    fn one(&mut self, depth: usize) -> Result<Stop, StopError> {
        if depth > DEEPEST {
            return Err(StopError::Shape("the brackets are too deep".to_owned()));
        }
        if self.takes("(") {
            let inner = self.any(depth + 1)?;
            if !self.takes(")") {
                return Err(StopError::Shape("a bracket is not closed".to_owned()));
            }
            return Ok(inner);
        }
        let Some(token) = self.peek() else {
            return Err(StopError::Shape("a rule is missing at the end".to_owned()));
        };
        if matches!(token.to_ascii_lowercase().as_str(), "and" | "or" | ")") {
            return Err(StopError::Shape(format!("a rule is missing before “{token}”")));
        }
        self.at += 1;
        single(token)
    }
}

fn joined(mut parts: Vec<Stop>, join: impl Fn(Vec<Stop>) -> Stop) -> Stop {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}

/// The words of a rule; brackets are words of their own, and a number may stand after a space.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        while let Some(at) = rest.find(['(', ')']) {
            let (before, from) = rest.split_at(at);
            let (bracket, after) = from.split_at(1);
            tokens.extend([before, bracket].into_iter().filter(|token| !token.is_empty()));
            rest = after;
        }
        if !rest.is_empty() {
            tokens.push(rest);
        }
    }
    tokens
}

/// A single rule.
fn single(token: &str) -> Result<Stop, StopError> {
    let (written, given) = match token.split_once([':', '=']) {
        Some((name, given)) => (name, Some(given)),
        None => (token, None),
    };
    let tidy = written.to_ascii_lowercase().replace('_', "-");
    let other =
        OTHER.iter().find(|(other, _)| *other == tidy).map_or(tidy.as_str(), |(_, name)| name);
    let number = |needs: &str, example: &str| StopError::Number {
        rule: other.to_owned(),
        needs: needs.to_owned(),
        example: example.to_owned(),
        given: given.map(str::to_owned),
    };
    let alone = |stop: Stop| match given {
        None => Ok(stop),
        Some(given) => Err(StopError::Extra { rule: other.to_owned(), given: given.to_owned() }),
    };
    let whole = |example: &str| {
        let count = given.and_then(|given| given.parse::<usize>().ok()).filter(|count| *count > 0);
        count.ok_or_else(|| number("a number of rounds, 1 or more", example))
    };
    let part = |example: &str| {
        let fits = |share: &f64| *share > 0.0 && *share <= 1.0;
        let part = given.and_then(share).filter(fits);
        part.ok_or_else(|| number("a share above 0 and at most 1", example))
    };
    match other {
        "rounds" => Ok(Stop::Rounds(whole("rounds:3")?)),
        "stable" => Ok(Stop::Stable(whole("stable:2")?)),
        "convergence" => Ok(Stop::Convergence(part("convergence:0.9")?)),
        "repetition" => Ok(Stop::Repetition(part("repetition:0.8")?)),
        "time" => {
            let millis = given.and_then(duration);
            Ok(Stop::Time(millis.ok_or_else(|| number("a time in s, m or h", "time:90s"))?))
        }
        "unanimity" => alone(Stop::Unanimity),
        "no-change" => alone(Stop::NoChange),
        "judge" => alone(Stop::Judge),
        "budget" => alone(Stop::Budget),
        "human" => alone(Stop::Human),
        _ => {
            let known: Vec<&str> =
                NAMES.iter().copied().chain(OTHER.iter().map(|(other, _)| *other)).collect();
            let meant = nearest(other, &known).map(str::to_owned);
            Err(StopError::Unknown { name: written.to_owned(), meant })
        }
    }
}

/// `1500ms`, `90s`, `5m`, `2h`; a bare number is seconds. In milliseconds.
fn duration(text: &str) -> Option<u64> {
    let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];
    let unit = units.iter().find_map(|(unit, millis)| Some((text.strip_suffix(unit)?, *millis)));
    let (digits, millis) = unit.unwrap_or((text, 1_000));
    digits.parse::<u64>().ok()?.checked_mul(millis).filter(|millis| *millis > 0)
}

impl FromStr for Stop {
    type Err = StopError;

    fn from_str(text: &str) -> Result<Self, StopError> {
        if text.len() > LONGEST {
            return Err(StopError::Shape(format!("a stop rule has at most {LONGEST} bytes")));
        }
        let mut reader = Reader { tokens: tokens(text), at: 0 };
        if reader.tokens.is_empty() {
            return Err(StopError::Empty);
        }
        let stop = reader.any(0)?;
        match reader.peek() {
            None => Ok(stop),
            Some(")") => {
                Err(StopError::Shape("a bracket is closed that was not opened".to_owned()))
            }
            Some(token) => {
                Err(StopError::Shape(format!("“and” or “or” is missing before “{token}”")))
            }
        }
    }
}

impl TryFrom<String> for Stop {
    type Error = StopError;

    fn try_from(text: String) -> Result<Self, StopError> {
        text.parse()
    }
}

impl From<Stop> for String {
    fn from(stop: Stop) -> Self {
        stop.to_string()
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rounds(rounds) => write!(f, "rounds:{rounds}"),
            Self::Unanimity => f.write_str("unanimity"),
            Self::NoChange => f.write_str("no-change"),
            Self::Stable(rounds) => write!(f, "stable:{rounds}"),
            Self::Convergence(least) => write!(f, "convergence:{least}"),
            Self::Judge => f.write_str("judge"),
            Self::Repetition(least) => write!(f, "repetition:{least}"),
            Self::Budget => f.write_str("budget"),
            Self::Time(millis) if millis % 1_000 == 0 => write!(f, "time:{}s", millis / 1_000),
            Self::Time(millis) => write!(f, "time:{millis}ms"),
            Self::Human => f.write_str("human"),
            Self::All(parts) => {
                let inner = |part: &Stop| match part {
                    Stop::Any(_) | Stop::All(_) => format!("({part})"),
                    one => one.to_string(),
                };
                f.write_str(&parts.iter().map(inner).collect::<Vec<_>>().join(" and "))
            }
            Self::Any(parts) => {
                let inner = |part: &Stop| match part {
                    Stop::Any(_) => format!("({part})"),
                    one => one.to_string(),
                };
                f.write_str(&parts.iter().map(inner).collect::<Vec<_>>().join(" or "))
            }
        }
    }
}
