//! What a detector saw. No quote, no finding.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence, DebateId, FindingId, Source, Span, TurnId};

/// Which rule found it, as `family/kind`: `self-contradiction/silent`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleId(Cow<'static, str>);

impl RuleId {
    /// A rule's name, known at compile time.
    pub const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; nothing is wrong (an honest change of mind).
    Info,
    /// A blemish.
    Low,
    /// Would change how far to trust the agent.
    Medium,
    /// Would change whether to believe the outcome.
    High,
}

impl Severity {
    /// All of them, mildest first.
    pub const ALL: [Self; 4] = [Self::Info, Self::Low, Self::Medium, Self::High];

    /// `info`, `low`, `medium` or `high`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Which method decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The word lists of the seed documents, word-bounded. For comparison.
    Seed,
    /// Rules over the text as `rebuttal-text` reads it.
    Rules,
    /// A model that infers or embeds, behind `rebuttal-semantics`.
    Model,
}

impl Method {
    /// `seed`, `rules` or `model`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Rules => "rules",
            Self::Model => "model",
        }
    }
}

/// A piece of a turn, quoted by its place in the original text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// The turn it stands in.
    pub turn: TurnId,
    /// Its bytes in the turn's original text.
    pub span: Span,
    /// The words themselves.
    pub text: String,
    /// What the quote shows: `position before`, `position after`, `acknowledgment`, `instruction`.
    pub shows: Cow<'static, str>,
    /// The file and line of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The quotes a finding stands on. Invariant: at least one, so a finding without evidence does not
/// compile and does not parse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Quote>", into = "Vec<Quote>")]
pub struct Quotes {
    first: Quote,
    rest: Vec<Quote>,
}

impl Quotes {
    /// The quote that shows it, and further ones.
    pub fn new(first: Quote, rest: Vec<Quote>) -> Self {
        Self { first, rest }
    }

    /// The first quote; there always is one.
    pub fn first(&self) -> &Quote {
        &self.first
    }

    /// The quote that comes latest in the debate: where the reader should look.
    pub fn last(&self) -> &Quote {
        let latest = self.rest.iter().max_by_key(|quote| (quote.turn, quote.span));
        latest.filter(|quote| quote.turn >= self.first.turn).unwrap_or(&self.first)
    }

    /// All quotes, in the order they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Quote> {
        std::iter::once(&self.first).chain(&self.rest)
    }
}

impl From<Quotes> for Vec<Quote> {
    fn from(quotes: Quotes) -> Self {
        std::iter::once(quotes.first).chain(quotes.rest).collect()
    }
}

impl TryFrom<Vec<Quote>> for Quotes {
    type Error = &'static str;

    fn try_from(quotes: Vec<Quote>) -> Result<Self, Self::Error> {
        let mut quotes = quotes.into_iter();
        let first = quotes.next().ok_or("a finding must quote its evidence")?;
        Ok(Self { first, rest: quotes.collect() })
    }
}

/// What a detector saw, with the evidence for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Equal evidence in one debate always gets an equal id.
    pub id: FindingId,
    /// Which rule found it.
    pub rule: RuleId,
    /// Whom it is about.
    pub agent: AgentId,
    /// How much it matters.
    pub severity: Severity,
    /// How sure the detector is.
    pub confidence: Confidence,
    /// Which method decided.
    pub method: Method,
    /// One sentence that explains it to a person.
    pub explanation: String,
    /// The evidence.
    pub quotes: Quotes,
}

impl FindingId {
    /// The id of what `rule` found about `agent` in `debate` at these quotes.
    pub fn of(debate: &DebateId, rule: &RuleId, agent: &AgentId, quotes: &Quotes) -> Self {
        let mut hash = Fnv::new();
        for text in [debate.as_str(), rule.as_str(), agent.as_str()] {
            hash.text(text);
        }
        for quote in quotes.iter() {
            hash.number(quote.turn.index());
            hash.number(quote.span.start());
            hash.number(quote.span.end());
        }
        Self::new(format!("f-{:016x}", hash.0))
    }

    /// The id of what is told by these texts.
    pub fn of_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut hash = Fnv::new();
        texts.into_iter().for_each(|text| hash.text(text));
        Self::new(format!("f-{:016x}", hash.0))
    }
}

/// FNV-1a: short, and the same on every machine and in every release.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// The length goes in as well, so that ("ab", "c") and ("a", "bc") differ.
    fn text(&mut self, text: &str) {
        self.number(text.len());
        text.bytes().for_each(|byte| self.byte(byte));
    }

    fn number(&mut self, number: usize) {
        (number as u64).to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(start: usize) -> Quote {
        Quote {
            turn: TurnId::new(1),
            span: Span::new(start, start + 2),
            text: "no".into(),
            shows: "position after".into(),
            source: None,
        }
    }

    #[test]
    fn no_quote_no_finding() {
        assert!(serde_json::from_str::<Quotes>("[]").is_err());
    }

    #[test]
    fn the_id_depends_on_the_evidence_only() {
        let (debate, rule, agent) =
            (DebateId::new("d"), RuleId::new("a/b"), AgentId::new("claude"));
        let id = |start| FindingId::of(&debate, &rule, &agent, &Quotes::new(quote(start), vec![]));
        assert_eq!(id(3), id(3));
        assert_ne!(id(3), id(4));
    }
}
