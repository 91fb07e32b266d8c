//! Two answers of one model become one ruling, or none.

use rebuttal_model::{
    Action, AgentId, Arbiter, Confidence, Contradiction, Resolution, Ruling, Step,
};

use super::{Opinion, Refused};
use crate::arbitration::{AUTHORITY, UNDECIDED};
use crate::camps::Camps;
use crate::side;
use crate::words::short;

/// Characters of each answer that are repeated where the two differ.
const REPEATED: usize = 300;

/// What comes of asking a model in both orders.
///
/// One answer given twice is its ruling, as sure as the less sure of the two. Two different answers
/// are none: a person must look. If either was refused, the `fallback` stands, with a step that
/// says why. A ruling that goes against the authority policy, as the `fallback` read it, says so.
///
/// ```
/// use rebuttal_model::{AgentId, Arbiter, Contradiction};
/// use rebuttal_policy::{Authority, Refused, arbitrate, settle};
///
/// let json = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two_sources.json"));
/// let contradiction: Contradiction = serde_json::from_str(json).unwrap();
/// let fallback = arbitrate(&contradiction, &Authority::default());
///
/// let silent = || Err(Refused::NoReply("no answer within 15 s".to_owned()));
/// let by = AgentId::new("judge");
/// let resolution = settle(&contradiction, silent(), silent(), &by, fallback);
/// assert_eq!(resolution.by, Arbiter::Rules);
/// assert_eq!(
///     resolution.steps.last().unwrap().saw,
///     "not used, because there is no answer: no answer within 15 s"
/// );
/// ```
pub fn settle(
    contradiction: &Contradiction,
    as_given: Result<Opinion, Refused>,
    reversed: Result<Opinion, Refused>,
    by: &AgentId,
    fallback: Resolution,
) -> Resolution {
    match (as_given, reversed) {
        (Ok(one), Ok(two)) if same(contradiction, &one, &two) => {
            let mut resolution = agreed(contradiction, one, &two, by);
            resolution.steps.extend(against_policy(contradiction, &resolution, &fallback));
            resolution
        }
        (Ok(one), Ok(two)) => torn(contradiction, &one, &two, by),
        (Err(refused), _) | (_, Err(refused)) => not_used(fallback, by, &refused),
    }
}

/// True when both mean the same: one ruling, or two sides that say the same.
fn same(contradiction: &Contradiction, one: &Opinion, two: &Opinion) -> bool {
    let one_camp = match (one.resolution, two.resolution) {
        (Ruling::Correct(a), Ruling::Correct(b)) => Camps::of(contradiction).same(a, b),
        (a, b) => a == b,
    };
    let flags = |opinion: &Opinion| opinion.action == Action::FlagForReview;
    one_camp && flags(one) == flags(two)
}

fn agreed(contradiction: &Contradiction, one: Opinion, two: &Opinion, by: &AgentId) -> Resolution {
    let surer_first = one.confidence.value() > two.confidence.value();
    let said = in_words(contradiction, &one);
    let steps = vec![
        step("model, sides as given", said.clone(), false),
        step("model, sides reversed", format!("{said}, again"), true),
    ];
    // Where no side was picked, a recommendation that differs between the orders is none.
    let picked = matches!(one.resolution, Ruling::Correct(_));
    let value =
        one.recommended_value.filter(|_| picked || one.recommended_value == two.recommended_value);
    let keeps_citation = picked || one.recommended_citation == two.recommended_citation;
    Resolution {
        contradiction: contradiction.id.clone(),
        resolution: Some(one.resolution),
        explanation: one.explanation,
        steps,
        recommended_value: value,
        recommended_citation: one.recommended_citation.filter(|_| keeps_citation),
        confidence: if surer_first { two.confidence } else { one.confidence },
        action: one.action,
        by: Arbiter::Agent(by.clone()),
    }
}

/// The step that says so when a model does not rule as the user's policy ranks the sources.
fn against_policy(
    contradiction: &Contradiction,
    ruling: &Resolution,
    rules: &Resolution,
) -> Option<Step> {
    let ranked = rules.steps.iter().find(|step| step.decided && step.looked_at == AUTHORITY)?;
    let Some(Ruling::Correct(upheld)) = rules.resolution else { return None };
    let follows = match ruling.resolution {
        Some(Ruling::Correct(side)) => Camps::of(contradiction).same(side, upheld),
        Some(Ruling::BothValid | Ruling::NeitherValid) | None => false,
    };
    let side = contradiction.sides.get(upheld).filter(|_| !follows)?;
    let saw = format!(
        "the ruling goes against it, by which {}'s {} would stand: {}",
        side::agent(side),
        side::shown(side),
        ranked.saw
    );
    Some(step("authority policy", saw, false))
}

fn torn(contradiction: &Contradiction, one: &Opinion, two: &Opinion, by: &AgentId) -> Resolution {
    let said = [one, two].map(|opinion| {
        let why = short(&opinion.explanation, REPEATED);
        format!("{}: “{why}”", in_words(contradiction, opinion))
    });
    let [given, reversed] = said;
    let explanation = format!(
        "{by} contradicts itself, so a person must look. With the sides as given it says {given}. \
         With the sides reversed, and counted so, it says {reversed}."
    );
    let steps = vec![
        step("model, sides as given", given, false),
        step("model, sides reversed", reversed, false),
    ];
    Resolution {
        contradiction: contradiction.id.clone(),
        resolution: None,
        explanation,
        steps,
        recommended_value: None,
        recommended_citation: None,
        confidence: Confidence::detector(UNDECIDED),
        action: Action::FlagForReview,
        by: Arbiter::Agent(by.clone()),
    }
}

fn not_used(mut fallback: Resolution, by: &AgentId, refused: &Refused) -> Resolution {
    let saw = format!("not used, because {refused}");
    fallback.steps.push(step(&format!("answer of {by}"), saw, false));
    fallback
}

fn step(looked_at: &str, saw: String, decided: bool) -> Step {
    Step { looked_at: looked_at.to_owned(), saw, decided }
}

/// The ruling for a person, with the agent's name.
fn in_words(contradiction: &Contradiction, opinion: &Opinion) -> String {
    let mut said = String::from(opinion.resolution);
    if let Ruling::Correct(index) = opinion.resolution
        && let Some(side) = contradiction.sides.get(index)
    {
        said = format!("{said} ({}, {})", side::agent(side), side::shown(side));
    }
    match opinion.action {
        Action::FlagForReview => format!("{said}, flagged for review"),
        Action::Use(_) | Action::UseBoth => said,
    }
}
