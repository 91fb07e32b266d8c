//! What follows from findings, and what a debate ends with.

mod ballot;
mod debate;
mod lift;
mod outcome;

use serde::{Deserialize, Serialize};

use crate::{AgentId, Confidence, FindingId, PanelRole};

pub use ballot::{Ballot, Silence};
pub use debate::{
    ChangeType, DebateMetrics, Fired, HeldAnswer, Moderation, ModeratorEvaluation, Override,
    PositionChange, RoundRecord, StopReason,
};
pub use lift::{Independent, Lift, Move, Spent, Truth, Uncertain};
pub use outcome::{Broken, OptionScore, Rejected, Tie, Turnout};

/// What the engine can do about findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionKind {
    /// A challenge put into the next round's prompt.
    Challenge,
    /// A role given to an agent.
    Role,
    /// A further round.
    ExtraRound,
    /// A pause until a human has spoken.
    Breakpoint,
    /// A demand to support a claim nobody supports.
    EvidenceGap,
    /// A warning that all cite the same few sources.
    EchoChamber,
    /// A demand for something not said before.
    Novelty,
}

/// What the engine did about findings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    /// What it did.
    pub kind: InterventionKind,
    /// After which round.
    pub round: u32,
    /// How much it matters, 0 to 1; the greater goes first.
    pub priority: f64,
    /// Because of what, in a sentence.
    pub reason: String,
    /// Because of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingId>,
    /// The agents it was addressed to.
    pub targets: Vec<AgentId>,
    /// The words the targets were given.
    pub text: String,
    /// The role the targets were given for the next round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<PanelRole>,
    /// How many rounds were added.
    #[serde(default)]
    pub extra_rounds: u32,
}

/// Where a decision's confidence comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The share of the panel behind the answer.
    Share,
    /// The share of the weight behind the answer.
    Weight,
    /// The probability that the panel gives the answer.
    Pool,
    /// The judge or the judges who ruled.
    Judge,
    /// The moderator who overrode the vote, taken down by the protocol's factor.
    Moderator,
}

/// What follows for whoever must act on a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Decided, surely, and nobody objects.
    Approved,
    /// Decided, with dissent or without much confidence.
    ApprovedWithConditions,
    /// Not decided: a person must look.
    #[default]
    NeedsReview,
}

/// An agent that holds something else than the answer, in its own words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dissent {
    /// What it voted for.
    pub ballot: Ballot,
    /// What it said for it, as it said it; empty when it said nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
}

/// Answers in agents' own words that mean the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerGroup {
    /// The first that was given: the name under which all are counted.
    pub name: String,
    /// The others, in the order they were given.
    pub others: Vec<String>,
}

/// What the debate ends with. Made to be read without anything beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct Decision {
    /// The answer; `None` is an explicit "no decision".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What could have been the answer, in the question's order.
    pub options: Vec<String>,
    /// Answers in agents' own words that were counted as one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<AnswerGroup>,
    /// The rule that counted, in its short text form: `supermajority:0.66`.
    pub rule: String,
    /// The moderator whose answer this is, where it set the outcome of the rule aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overridden_by: Option<AgentId>,
    /// What each option got under the rule.
    pub scores: Vec<OptionScore>,
    /// Who voted, and who did not.
    pub turnout: Turnout,
    /// Ballots that did not count, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// The tie, where there was one, and how it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie: Option<Tie>,
    /// How sure the panel is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// What that confidence is a share of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// What follows for whoever must act.
    pub verdict: Verdict,
    /// Agents that hold something else, kept and quoted.
    pub dissent: Vec<Dissent>,
    /// How it came to this, for a person.
    pub narrative: String,
    /// What moved over the whole debate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debate_metrics: Option<DebateMetrics>,
    /// The rounds after the blind one: what changed in each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundRecord>,
    /// What the moderator said, and whether it overrode the vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moderation: Option<Moderation>,
    /// Why the debate ended when it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// Whether debating helped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift: Option<Lift>,
    /// What it cost.
    pub cost: Spent,
}

impl Decision {
    /// How the answer was come to, for a person: the rule, and who set its outcome aside.
    ///
    /// ```
    /// use rebuttal_model::{AgentId, Decision};
    ///
    /// let rule = "majority".to_owned();
    /// let judy = Some(AgentId::new("judy"));
    /// let decision = Decision { rule, overridden_by: judy, ..Decision::default() };
    /// assert_eq!(decision.how(), "majority, overridden by the moderator judy");
    /// ```
    pub fn how(&self) -> String {
        match self.overrider() {
            Some(moderator) => format!("{}, overridden by the moderator {moderator}", self.rule),
            None => self.rule.clone(),
        }
    }

    /// The moderator who set the vote aside, also in decisions from before they named it.
    pub fn overrider(&self) -> Option<&AgentId> {
        let moderation = self.moderation.as_ref().filter(|said| said.overrode.is_some());
        self.overridden_by.as_ref().or(moderation.map(|said| &said.moderator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Whose;

    #[test]
    fn a_decision_survives_json_and_an_old_one_is_still_read() {
        let ballot = Ballot::choice(AgentId::new("a"), 1, "no").sure(0.4);
        let decision = Decision {
            answer: Some("yes".to_owned()),
            rule: "majority".to_owned(),
            confidence: Confidence::new(0.75, Whose::Detector),
            basis: Some(Basis::Share),
            verdict: Verdict::ApprovedWithConditions,
            dissent: vec![Dissent { ballot, quote: "It is too early.".to_owned() }],
            debate_metrics: Some(DebateMetrics::default()),
            lift: Some(Lift::default()),
            ..Decision::default()
        };
        let json = serde_json::to_string(&decision).unwrap();
        assert_eq!(serde_json::from_str::<Decision>(&json).unwrap(), decision);
        assert!(json.contains(r#""verdict":"approved_with_conditions""#), "{json}");
        let old = r#"{"dissent":[],"narrative":"Nobody agreed."}"#;
        let old: Decision = serde_json::from_str(old).unwrap();
        assert_eq!((old.answer, old.verdict), (None, Verdict::NeedsReview));
    }

    #[test]
    fn the_seed_document_names_its_metrics() {
        let json = serde_json::to_string(&DebateMetrics::default()).unwrap();
        for name in [
            "agents_changed_action",
            "agents_changed_conviction",
            "total_conviction_shift",
            "converged",
            "debate_quality",
        ] {
            assert!(json.contains(&format!("\"{name}\":")), "{name} in {json}");
        }
    }
}
