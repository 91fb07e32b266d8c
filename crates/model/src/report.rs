//! What agents hand in, where two of them cannot both be right, and what becomes of it.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence, FindingId, Method, Severity, Source, Span};

/// What one agent found, handed in from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Whose it is. One agent may hand in several.
    pub agent: AgentId,
    /// What it says. Findings given as fields are written out here, one a line, so that everything
    /// a report says can be quoted from it.
    pub text: String,
    /// How sure the agent says it is of the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// What is known of pieces of the text beside the text itself, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Given>,
    /// What arbiters have added. Never changes `text`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjustments: Vec<Adjustment>,
    /// The file and line it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

impl Report {
    /// A report that is a text and nothing else.
    pub fn new(agent: AgentId, text: impl Into<String>) -> Self {
        let text = text.into();
        let (given, adjustments) = (Vec::new(), Vec::new());
        Self { agent, text, confidence: None, given, adjustments, source: None }
    }
}

/// What a report says of one piece of its text in fields of their own. Fields win over what the
/// piece itself would be read as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Given {
    /// The piece, in the report's text.
    pub span: Span,
    /// What was measured: `unemployment rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The entity it is about: `Qatar`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The period it is for: `Q1-2024`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// The source that is cited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    /// How sure the agent says it is of this piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// How much hangs on it, where the caller says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stakes: Option<Severity>,
}

/// In what way two agents conflict: the four rules of seed 002.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContradictionKind {
    /// Two values for one metric.
    Value,
    /// Two numbers ascribed to one source and period: one of them was copied wrongly.
    SourceData,
    /// Improving and declining, safe and unsafe, adopt and avoid.
    Interpretation,
    /// One claim, held with very different confidence.
    Confidence,
}

impl ContradictionKind {
    /// `value`, `source_data`, `interpretation` or `confidence`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::SourceData => "source_data",
            Self::Interpretation => "interpretation",
            Self::Confidence => "confidence",
        }
    }
}

/// A stretch of time as a text names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct When {
    /// The words: `Q1-2024`.
    pub text: String,
    /// First and last day, where the words give them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<(Date, Date)>,
}

/// The source an agent names for what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    /// The citation as written.
    pub text: String,
    /// The name of the source in it: `GCC-STAT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When the source is from, or what time it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<When>,
    /// True when it repeats the value it is cited for.
    #[serde(default)]
    pub quotes_value: bool,
    /// True when it can be looked up: a link, a DOI, a query id.
    #[serde(default)]
    pub locator: bool,
}

/// What one agent says in a contradiction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The agent.
    pub agent: AgentId,
    /// Which of the reports, counted from 0.
    pub report: usize,
    /// The sentence, in that report's text.
    pub span: Span,
    /// Its words.
    pub quote: String,
    /// The value, in the unit of the contradiction; none for an interpretation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The value as written: `$317.1 billion`; the deciding words of an interpretation.
    pub shown: String,
    /// Where the value or the deciding words stand, in the report's text.
    pub shown_span: Span,
    /// The time it is said of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<When>,
    /// The source named for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<Cited>,
    /// How sure the agent says it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// The file and line of the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Why all sides of a contradiction can be right at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Apart {
    /// They speak of times that overlap but are not the same: a quarter and its year.
    Period,
    /// They measure by different definitions: seasonally adjusted and not.
    Definition,
}

/// Two or more agents that cannot all be right as they stand. Invariant, kept by whoever builds
/// it: at least two sides, of at least two agents, the sides in the order of the reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contradiction {
    /// Equal evidence always gets an equal id.
    pub id: FindingId,
    /// In what way they conflict.
    pub kind: ContradictionKind,
    /// What they conflict about, as a name: `qatar_unemployment_rate`.
    pub metric_name: String,
    /// Its name for people: `unemployment rate`.
    pub metric: String,
    /// The entity it is about: `Qatar`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// What the values are measured in: `%`, `USD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The conflicting sides; two, or more when more agents spoke.
    pub sides: Vec<Side>,
    /// The largest difference between two sides, as a share of the smaller value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative_difference: Option<f64>,
    /// By what share of the smaller one values may differ and still go together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// How much it matters.
    pub severity: Severity,
    /// How sure the detector is.
    pub confidence: Confidence,
    /// Which method decided.
    pub method: Method,
    /// What makes all sides true, where something does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<Apart>,
    /// One sentence that explains it to a person.
    pub explanation: String,
}

/// Who is right in a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Ruling {
    /// One side, counted from 0. Written `agent1_correct` for side 0.
    Correct(usize),
    /// All of them, in different contexts.
    BothValid,
    /// None of them.
    NeitherValid,
}

impl From<Ruling> for String {
    fn from(ruling: Ruling) -> Self {
        match ruling {
            Ruling::Correct(side) => format!("agent{}_correct", side + 1),
            Ruling::BothValid => "both_valid".into(),
            Ruling::NeitherValid => "neither_valid".into(),
        }
    }
}

impl TryFrom<String> for Ruling {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "both_valid" => Ok(Self::BothValid),
            "neither_valid" => Ok(Self::NeitherValid),
            _ => numbered(&text, "agent", "_correct").map(Self::Correct).ok_or(format!(
                "{text:?} is no resolution; known are agent1_correct, agent2_correct, both_valid \
                 and neither_valid"
            )),
        }
    }
}

/// What is to be done about a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Action {
    /// Use what one side says, counted from 0. Written `use_agent1` for side 0.
    Use(usize),
    /// Keep all, with the context that makes each true.
    UseBoth,
    /// A person must look.
    FlagForReview,
}

impl From<Action> for String {
    fn from(action: Action) -> Self {
        match action {
            Action::Use(side) => format!("use_agent{}", side + 1),
            Action::UseBoth => "use_both".into(),
            Action::FlagForReview => "flag_for_review".into(),
        }
    }
}

impl TryFrom<String> for Action {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "use_both" => Ok(Self::UseBoth),
            "flag_for_review" => Ok(Self::FlagForReview),
            _ => numbered(&text, "use_agent", "").map(Self::Use).ok_or(format!(
                "{text:?} is no action; known are use_agent1, use_agent2, use_both and \
                 flag_for_review"
            )),
        }
    }
}

/// The number between two words, counted from 1 in the text and from 0 here.
fn numbered(text: &str, before: &str, after: &str) -> Option<usize> {
    let number = text.strip_prefix(before)?.strip_suffix(after)?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    number.parse::<usize>().ok().filter(|_| plain)?.checked_sub(1)
}

/// Who ruled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arbiter {
    /// The written rules.
    Rules,
    /// A model, by the name of its agent.
    Agent(AgentId),
    /// A person.
    Human,
}

/// One step on the way to a ruling, in words that can be checked against the citations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What was looked at: `same thing`, `source authority`, `freshness`, …
    pub looked_at: String,
    /// What was seen.
    pub saw: String,
    /// True for the step that settled it.
    pub decided: bool,
}

/// An arbiter's ruling on one contradiction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// The contradiction ruled on.
    pub contradiction: FindingId,
    /// Who is right; none when it was flagged without a ruling.
    pub resolution: Option<Ruling>,
    /// Why, as one text.
    pub explanation: String,
    /// Why, step by step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// The value to go on with; always one of the sides'.
    pub recommended_value: Option<f64>,
    /// Its citation; always one of the sides'.
    pub recommended_citation: Option<String>,
    /// How sure the arbiter is.
    pub confidence: Confidence,
    /// What is to be done.
    pub action: Action,
    /// Who ruled.
    pub by: Arbiter,
}

/// What a ruling means for one piece of one report. Stands beside the text, never in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adjustment {
    /// The contradiction it comes from.
    pub contradiction: FindingId,
    /// The piece of the report's text it is about.
    pub span: Span,
    /// Its words, unchanged.
    pub original: String,
    /// What to read beside them.
    pub note: String,
    /// The value to use instead, where the report's own was ruled out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommended_value: Option<f64>,
    /// Who ruled.
    pub by: Arbiter,
    /// Why.
    pub why: String,
}

/// What reconciling reports comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConsensusResult {
    /// Contradictions with a ruling to go on with.
    pub resolved_contradictions: usize,
    /// Contradictions a person must look at.
    pub flagged_for_review: usize,
    /// The outcome as a text.
    pub consensus_narrative: String,
    /// Every report, with what the rulings mean for it.
    pub adjusted_reports: Vec<Report>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back_and_forth<T>(value: T, text: &str)
    where
        T: Copy + PartialEq + std::fmt::Debug + Serialize + for<'d> Deserialize<'d>,
    {
        assert_eq!(serde_json::to_string(&value).unwrap(), format!("{text:?}"));
        assert_eq!(serde_json::from_str::<T>(&format!("{text:?}")).unwrap(), value);
    }

    #[test]
    fn rulings_and_actions_are_written_as_in_the_seed() {
        back_and_forth(Ruling::Correct(0), "agent1_correct");
        back_and_forth(Ruling::Correct(11), "agent12_correct");
        back_and_forth(Ruling::BothValid, "both_valid");
        back_and_forth(Action::Use(1), "use_agent2");
        back_and_forth(Action::FlagForReview, "flag_for_review");
    }

    #[test]
    fn other_words_are_refused() {
        for text in ["agent0_correct", "agent01_correct", "agent+1_correct", "agent_correct", ""] {
            assert!(Ruling::try_from(text.to_owned()).is_err(), "{text}");
        }
        assert!(Action::try_from("use_agent".to_owned()).is_err());
    }
}
