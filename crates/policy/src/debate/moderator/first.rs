//! How a moderator's reply was read before policies had versions. Never changes: journals from then
//! must verify for ever, and verifying reads their replies again.

use rebuttal_model::ModeratorEvaluation;
use serde_json::Value;

use super::ModeratorError;
use crate::voting::{Answer, Options};

/// Longest reply read, in bytes.
const REPLY: usize = 256 << 10;
/// Places where JSON may begin that are tried.
const TRIES: usize = 100;

pub(super) fn read_evaluation(
    reply: &str,
    options: &Options,
) -> Result<ModeratorEvaluation, ModeratorError> {
    if reply.len() > REPLY {
        return Err(ModeratorError::TooLong(reply.len()));
    }
    let starts = reply.match_indices('{').take(TRIES);
    let objects = starts.filter_map(|(at, _)| {
        let mut values = serde_json::Deserializer::from_str(reply.get(at..)?).into_iter::<Value>();
        values.next()?.ok()
    });
    let mut found = objects.filter(|value| value.get("recommended_action").is_some());
    let value = found.next().ok_or(ModeratorError::NoJson)?;
    let mut evaluation: ModeratorEvaluation =
        serde_json::from_value(value).map_err(|error| ModeratorError::Field(error.to_string()))?;
    if !(0.0..=1.0).contains(&evaluation.recommended_conviction) {
        return Err(ModeratorError::Conviction(evaluation.recommended_conviction));
    }
    match options.read(&evaluation.recommended_action) {
        Answer::Outside(why) => return Err(ModeratorError::Outside(why)),
        inside => evaluation.recommended_action = inside.name().unwrap_or_default(),
    }
    Ok(evaluation)
}
