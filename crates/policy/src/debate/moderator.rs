//! A moderator's evaluation, and when it overrides the vote. An override is never silent.

mod first;

use rebuttal_model::structured::{self, Schema};
use rebuttal_model::{
    AgentId, Basis, Confidence, Decision, Moderation, ModeratorEvaluation, Override, Whose,
};
use serde_json::json;

use super::policy::DebatePolicy;
use crate::voting::{Answer, Options};

/// Why a moderator's reply does not count.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModeratorError {
    /// There is no evaluation in it, or one with a wrong field.
    #[error("the moderator's evaluation cannot be used: {0}")]
    Unfit(String),
    /// It recommends what was not asked about.
    #[error("the moderator recommends what is no option: {0}")]
    Outside(String),
    /// Under policy 0: it is too long to be one.
    #[error("the moderator's reply has {0} bytes, and at most 262144 are read")]
    TooLong(usize),
    /// Under policy 0: there is no evaluation in it.
    #[error("the moderator's reply holds no JSON with a recommended_action")]
    NoJson,
    /// Under policy 0: a field is missing or of the wrong kind.
    #[error("the moderator's evaluation does not fit: {0}")]
    Field(String),
    /// Under policy 0: the conviction is none.
    #[error("the moderator's recommended_conviction is {0}, not a number from 0 to 1")]
    Conviction(f64),
}

/// Reads a moderator's reply under this version of the policy. Text and code fences around the JSON
/// do not matter; the recommended action comes back by its name among the options.
pub fn read_evaluation(
    policy: u32,
    reply: &str,
    options: &Options,
) -> Result<ModeratorEvaluation, ModeratorError> {
    if policy == 0 {
        return first::read_evaluation(reply, options);
    }
    let form = json!({
        "type": "object", "required": ["recommended_action", "recommended_conviction"],
        "properties": {"recommended_conviction": {"type": "number", "minimum": 0, "maximum": 1}},
    });
    let form = Schema::new(form).map_err(|error| ModeratorError::Unfit(error.to_string()))?;
    let value = structured::read(reply, &form);
    let value = value.map_err(|unfit| ModeratorError::Unfit(unfit.to_string()))?;
    let mut evaluation: ModeratorEvaluation =
        serde_json::from_value(value).map_err(|error| ModeratorError::Unfit(error.to_string()))?;
    match options.read(&evaluation.recommended_action) {
        Answer::Outside(why) => return Err(ModeratorError::Outside(why)),
        inside => evaluation.recommended_action = inside.name().unwrap_or_default(),
    }
    Ok(evaluation)
}

/// What came of a moderator's evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum Moderated {
    /// It agrees with the vote.
    Agrees,
    /// It disagrees, but not surely enough.
    Unsure,
    /// It disagrees surely enough, but may not override.
    Barred,
    /// It replaced the vote.
    Overrode,
}

/// Lets a moderator look at a decision.
///
/// It overrides when it disagrees and is surer than the threshold: its recommendation stands, at its
/// conviction times the factor; the original narrative is kept below its rationale, and the record
/// says what was overridden. `barred` says why it may not override, where it may not.
pub fn moderate(
    decision: &mut Decision,
    moderator: AgentId,
    evaluation: ModeratorEvaluation,
    options: &Options,
    policy: &DebatePolicy,
    barred: Option<&str>,
) -> Moderated {
    let (action, sure) = (&evaluation.recommended_action, evaluation.recommended_conviction);
    let agrees = decision.answer.as_deref().is_some_and(|answer| options.same(answer, action));
    let bar = policy.moderator_threshold;
    let (moderated, words, overrode) = if agrees {
        (Moderated::Agrees, format!("{moderator} agrees with the vote."), None)
    } else if let Some(why) = barred.filter(|_| sure > bar) {
        let words = format!(
            "{moderator} recommends {action} with conviction {sure}, above {bar}, but may not override the vote: {why}."
        );
        (Moderated::Barred, words, None)
    } else if sure > bar {
        let from = decision.answer.clone();
        let was = from.as_deref().unwrap_or("no decision").to_owned();
        let words = format!(
            "{moderator} overrode the vote for {was}: it recommends {action} with conviction {sure}, above {bar}."
        );
        let overrode = Override {
            from,
            from_confidence: decision.confidence,
            to: action.clone(),
            moderator_conviction: sure,
            threshold: bar,
            factor: policy.moderator_factor,
        };
        (Moderated::Overrode, words, Some(overrode))
    } else {
        let words = format!(
            "{moderator} recommends {action} with conviction {sure}; above {bar} it would override the vote."
        );
        (Moderated::Unsure, words, None)
    };
    if overrode.is_some() {
        decision.narrative = format!(
            "Moderator synthesis: {}\n\nOriginal rationale:\n{}",
            evaluation.rationale, decision.narrative
        );
        decision.answer = Some(action.clone());
        let confidence = (sure * policy.moderator_factor).clamp(0.0, 1.0);
        decision.confidence = Confidence::new(confidence, Whose::Stated);
        decision.basis = Some(Basis::Moderator);
        decision.verdict = super::verdict(Some(action), confidence, decision.dissent.len().max(1));
    }
    decision.moderation = Some(Moderation { moderator, evaluation, overrode, words });
    moderated
}
