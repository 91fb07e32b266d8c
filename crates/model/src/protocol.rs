//! How a debate is run: everything that must be known to run it again.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{AgentId, BreakpointPolicy, DebateId, TricksterConfig};

/// The version of the form in which a debate's events are written. It is raised when an older program
/// could no longer read them; a program refuses debates of a later format than it knows.
pub const JOURNAL_FORMAT: u32 = 1;

/// The version of the rules by which one record of a debate follows from those before. It is raised
/// with every release in which the same answers lead to other records, and the old rules are kept:
/// a debate verifies, resumes and forks under the policy it was begun with.
pub const POLICY_VERSION: u32 = 1;

/// What is debated, by whom and how. The first record of a debate's journal holds it, so that the
/// rest can be replayed from the journal alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DebateSpec {
    /// The [`JOURNAL_FORMAT`] it is written in; 0 in journals from before there were versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub format: u32,
    /// The [`POLICY_VERSION`] it runs under; 0 in journals from before there were versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub policy: u32,
    /// The debate's id.
    pub id: DebateId,
    /// What is asked.
    pub question: String,
    /// What was given beside the question; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// The answers to choose from; empty if agents answer in their own words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Who takes part, in order.
    pub panel: Vec<Panelist>,
    /// How it is run.
    pub protocol: Protocol,
    /// The right answer, where the caller knows it; shown to nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<String>,
    /// What every random choice is made from: boundaries, names, order.
    pub seed: u64,
    /// The debate and the last record this one was branched from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<(DebateId, u64)>,
}

/// One of those who take part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Panelist {
    /// Its name in this debate.
    pub agent: AgentId,
    /// The model behind it, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Who it is to be: a few sentences that open its prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub persona: String,
    /// How much its vote weighs under rules that weigh votes.
    #[serde(default = "one")]
    pub weight: f64,
    /// Who answers in its place, by the name in the settings; itself if nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(version: &u32) -> bool {
    *version == 0
}

fn one() -> f64 {
    1.0
}

impl Panelist {
    /// A member with nothing but a name.
    pub fn new(agent: AgentId) -> Self {
        Self { agent, model: String::new(), persona: String::new(), weight: 1.0, answered_by: None }
    }
}

/// How a debate is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in the settings")]
pub struct Protocol {
    /// Most rounds after the blind one.
    pub rounds: u32,
    /// When it ends before that, in the text form of stop rules: `unanimity or no-change`.
    pub stop: String,
    /// How votes are counted, in the text form of decision rules: `majority`, `borda`, …. `usual`
    /// stands for the median of numbers, else the majority; a debate that has begun always names it.
    pub rule: String,
    /// What becomes of a tie: `none`, `option-order`, `earlier-round` or `random:NUMBER`.
    pub tie: String,
    /// Only the camps that disagree debate; the others keep their position (seed 004, option 1).
    pub targeted: bool,
    /// The full evidence and thesis of the other side are shown, and each item is owed a rebuttal
    /// (option 2).
    pub evidence_exchange: bool,
    /// Agents are given passages of the user's documents, and what they cite is checked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub evidence: bool,
    /// Who moderates at the end (option 4); nobody by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moderator: Option<AgentId>,
    /// Who writes down what it came to; it is put together from the record by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesis: Option<AgentId>,
    /// Who judges, where the rule asks for judges.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<AgentId>,
    /// Whose turns an agent sees.
    pub sees: Sees,
    /// How much of a turn it sees.
    pub detail: Detail,
    /// Whether the others are shown without their names.
    pub anonymous: bool,
    /// Whether agents of a round answer one after the other, each seeing those before it.
    pub in_turn: bool,
    /// By how much a conviction must move to count as moved.
    pub conviction_step: f64,
    /// An answer without evidence counts as neutral, with a conviction of 0.3 at most.
    pub evidence_required: bool,
    /// The agents take roles, another one each round.
    pub roles: bool,
    /// After each round a devil's advocate speaks against what most hold, and all must answer it.
    pub critique: bool,
    /// Hollow consensus is looked for after each round, and challenged.
    pub enable_trickster: bool,
    /// When and how it is challenged.
    pub trickster: TricksterConfig,
    /// What becomes of a breakpoint that nobody answers.
    pub breakpoints: BreakpointPolicy,
    /// What it may cost.
    pub budget: Budget,
}

impl Protocol {
    /// What stands for the decision rule where nobody chose one.
    pub const USUAL_RULE: &'static str = "usual";
}

impl Default for Protocol {
    /// The hybrid of seed 004: targeted, with evidence, in rounds; a moderator when one is named.
    fn default() -> Self {
        Self {
            rounds: 2,
            stop: "unanimity or no-change".to_owned(),
            rule: Self::USUAL_RULE.to_owned(),
            tie: "none".to_owned(),
            targeted: true,
            evidence: false,
            evidence_exchange: true,
            moderator: None,
            synthesis: None,
            judges: Vec::new(),
            sees: Sees::Opposing,
            detail: Detail::Full,
            anonymous: true,
            in_turn: false,
            conviction_step: 0.1,
            evidence_required: false,
            roles: false,
            critique: false,
            enable_trickster: true,
            trickster: TricksterConfig::default(),
            breakpoints: BreakpointPolicy::default(),
            budget: Budget::default(),
        }
    }
}

/// Whom an agent sees of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sees {
    /// Everybody.
    All,
    /// Agents of other camps.
    Opposing,
    /// The next one in the panel.
    Ring,
    /// This many agents, drawn at random anew each round.
    Random(u32),
}

/// How much an agent sees of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Answer, conviction, thesis and evidence.
    Full,
    /// Answer, conviction and thesis.
    Summary,
    /// The answer.
    Answer,
}

/// What a debate may cost. A call that would go beyond is not made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Tokens, read and written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Time from the first record, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// What a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// An answer to the question, with reasons and a vote.
    Answer,
    /// A moderator's opinion.
    Moderate,
    /// A judge's ruling, the options in the question's order.
    Judge,
    /// The judges' question with the options in the opposite order.
    JudgeReversed,
    /// A devil's advocate's objections to what most hold.
    Critique,
    /// Whether enough has been said.
    Done,
    /// What the debate came to, in writing.
    Synthesize,
}

impl Purpose {
    /// `answer`, `moderate`, ….
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Moderate => "moderate",
            Self::Judge => "judge",
            Self::JudgeReversed => "judge_reversed",
            Self::Critique => "critique",
            Self::Done => "done",
            Self::Synthesize => "synthesize",
        }
    }
}

/// One call of a debate, known before it is made: the same call after a restart is the same value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Call {
    /// The round.
    pub round: u32,
    /// Who is asked.
    pub agent: AgentId,
    /// The purpose of the call.
    pub purpose: Purpose,
    /// The how-many-eth time, counted from 1: an answer that cannot be used is asked for again.
    pub attempt: u32,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { round, agent, purpose, attempt } = self;
        write!(f, "round {round}, {agent}, {}, try {attempt}", purpose.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_names_only_what_differs() {
        let protocol: Protocol = serde_json::from_str(r#"{"rounds":5,"sees":"all"}"#).unwrap();
        assert_eq!((protocol.rounds, protocol.sees), (5, Sees::All));
        assert!(protocol.targeted);
        let ring: Protocol = serde_json::from_str(r#"{"sees":{"random":2}}"#).unwrap();
        assert_eq!(ring.sees, Sees::Random(2));
        let error = serde_json::from_str::<Protocol>(r#"{"round":5}"#).unwrap_err();
        assert!(error.to_string().contains("unknown field `round`"), "{error}");
    }
}
