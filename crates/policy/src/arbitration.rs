//! Ruling by written rules: no model, nothing that was not provided, no coin toss.
//!
//! First: do the sides speak of the same thing? Those that say themselves that they speak of other
//! days, or that the detector found [apart](Contradiction::apart), are all right in their own
//! context. Otherwise four criteria are asked in turn: *source authority*, *freshness*, *citation
//! completeness*, *stated confidence*. Each drops the sides that another side beats. When all that
//! are left say the same, that criterion has decided; when all four leave a dispute, a person must
//! look. Where several of those left say the same, the last asks for both the [majority](majority)
//! of the agents and the greater sum of their confidences.
//!
//! What is missing is said and beats nobody: without a date nothing is older, without a stated
//! confidence nothing is less sure. Only completeness counts what a citation lacks.
//!
//! # How sure a ruling is
//!
//! | decided by | confidence |
//! |---|---|
//! | different periods | 0.9 |
//! | different definitions | 0.8 |
//! | all say the same, with different confidence | 0.8 |
//! | authority, all rivals ranked by the policy | 0.85 |
//! | authority, over a source that the policy does not name | 0.75 |
//! | freshness | 0.65; 0.75 when the sources lie a year or more apart |
//! | completeness | 0.55, and 0.05 for each part that the best rival lacks |
//! | stated confidence | 0.5 and half of the lead over the best rival, at most 0.7 |
//! | confidence and majority | 0.5 and half of the lead in confidence as a share of all of it, at most 0.75 |
//! | nothing: a tie | 0.5 |
//!
//! The numbers order rulings by how much stands behind them; they are not calibrated.

mod criteria;
mod majority;
mod same_thing;

use rebuttal_model::{
    Action, Arbiter, Confidence, Contradiction, ContradictionKind, Resolution, Ruling, Side, Step,
};

use crate::authority::Authority;
use crate::camps::Camps;
use crate::side::{agent, shown};
use crate::words::{capital, list};
use criteria::{Criterion, Facts};
use majority::Weighed;
use same_thing::Sameness;

/// How sure an arbiter is that rules on nothing.
pub(crate) const UNDECIDED: f64 = 0.5;
/// What the criterion is called that asks the user's policy.
pub(crate) const AUTHORITY: &str = "source authority";
/// How sure it is that sides which say the same are no conflict.
const AGREED: f64 = 0.8;

/// Rules on a contradiction. The order of the sides does not change who wins.
///
/// ```
/// use rebuttal_model::{Action, Contradiction, Ruling};
/// use rebuttal_policy::{Authority, arbitrate};
///
/// let json = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two_sources.json"));
/// let contradiction: Contradiction = serde_json::from_str(json).unwrap();
/// let (authority, _) = Authority::read(Authority::EXAMPLE, "authority.toml");
///
/// let resolution = arbitrate(&contradiction, &authority);
/// assert_eq!(resolution.resolution, Some(Ruling::Correct(0)));
/// assert_eq!(resolution.action, Action::Use(0));
/// assert_eq!(
///     resolution.explanation,
///     "Same thing: nothing says that the sides speak of different things. Decided by source \
///      authority: LabourEconomist cites GCC-STAT and NationalStrategy cites World Bank; the policy \
///      ranks GCC-STAT above World Bank. LabourEconomist's 0.10% stands."
/// );
/// ```
pub fn arbitrate(contradiction: &Contradiction, authority: &Authority) -> Resolution {
    let camps = Camps::of(contradiction);
    let sides = contradiction.sides.len();
    if sides < 2 {
        let step = step("same thing", "there are no two sides to weigh.");
        return flagged(contradiction, vec![step], &[]);
    }
    if contradiction.kind == ContradictionKind::Confidence {
        return confidence_gap(contradiction, &camps, authority);
    }
    match same_thing::look(contradiction, &camps) {
        Sameness::Apart { saw, confidence } => {
            let explanation = format!("Not the same thing: {saw}");
            both_valid(contradiction, "same thing", saw, explanation, confidence)
        }
        Sameness::Agreed { saw } => {
            let explanation = capital(&saw);
            both_valid(contradiction, "same thing", saw, explanation, AGREED)
        }
        Sameness::Tangled { saw } => flagged(contradiction, vec![step("same thing", &saw)], &[]),
        Sameness::Same { saw, disputed } => {
            weigh(contradiction, &camps, authority, disputed, step("same thing", &saw))
        }
    }
}

/// Asks the criteria in turn, until those left say the same.
fn weigh(
    contradiction: &Contradiction,
    camps: &Camps,
    authority: &Authority,
    disputed: Vec<usize>,
    first: Step,
) -> Resolution {
    let facts = Facts::of(contradiction, authority);
    let (mut steps, mut tied) = (vec![first], Vec::new());
    let mut left = disputed;
    for criterion in Criterion::ALL {
        let Weighed { looked_at, saw, best, confidence } = match criterion {
            Criterion::Confidence => majority::weigh(&facts, camps, &left),
            _ => by(criterion, &facts, camps, &left),
        };
        let mut step = step(looked_at, &saw);
        if camps.agree(best.iter().copied()) {
            step.decided = true;
            steps.push(step);
            return decided(&facts, camps, &best, steps, confidence);
        }
        steps.push(step);
        if best.len() == left.len() {
            tied.push(looked_at);
        }
        left = best;
    }
    flagged(contradiction, steps, &tied)
}

/// What one criterion makes of the sides left.
fn by(criterion: Criterion, facts: &Facts<'_>, camps: &Camps, left: &[usize]) -> Weighed {
    let best = criterion.best(facts, left);
    Weighed {
        looked_at: criterion.name(),
        saw: criterion.saw(facts, left, &best),
        confidence: criterion.confidence(facts, camps, &best, left),
        best,
    }
}

/// The ruling for a camp; what is recommended is its best-cited side.
fn decided(
    facts: &Facts<'_>,
    camps: &Camps,
    best: &[usize],
    mut steps: Vec<Step>,
    sure: f64,
) -> Resolution {
    let contradiction = facts.contradiction;
    let camp: Vec<usize> = (0..contradiction.sides.len())
        .filter(|side| best.first().is_some_and(|best| camps.same(*best, *side)))
        .collect();
    let Some((index, side)) = facts.best_of(best) else {
        return flagged(contradiction, steps, &[]);
    };
    if camp.len() > 1 {
        let names = camp.iter().filter_map(|index| contradiction.sides.get(*index)).map(agent);
        let saw = match &side.citation {
            Some(_) => format!("{} say the same; {} is the best cited.", list(names), agent(side)),
            None => format!("{} say the same.", list(names)),
        };
        steps.push(step("who says it", &saw));
    }
    let explanation = format!("{} {}'s {} stands.", explain(&steps), agent(side), shown(side));
    Resolution {
        contradiction: contradiction.id.clone(),
        resolution: Some(Ruling::Correct(index)),
        explanation,
        steps,
        recommended_value: side.value,
        recommended_citation: side.citation.as_ref().map(|citation| citation.text.clone()),
        confidence: Confidence::detector(sure),
        action: Action::Use(index),
        by: Arbiter::Rules,
    }
}

fn both_valid(
    contradiction: &Contradiction,
    looked_at: &str,
    saw: String,
    explanation: String,
    confidence: f64,
) -> Resolution {
    let steps = vec![Step { looked_at: looked_at.to_owned(), saw, decided: true }];
    Resolution {
        contradiction: contradiction.id.clone(),
        resolution: Some(Ruling::BothValid),
        explanation,
        steps,
        recommended_value: None,
        recommended_citation: None,
        confidence: Confidence::detector(confidence),
        action: Action::UseBoth,
        by: Arbiter::Rules,
    }
}

/// Nobody is wrong about the value; how sure one may be of it is what differs.
fn confidence_gap(
    contradiction: &Contradiction,
    camps: &Camps,
    authority: &Authority,
) -> Resolution {
    let says = |side: &Side| match side.confidence {
        Some(confidence) => format!("{} with confidence {}", agent(side), confidence.value()),
        None => format!("{} without saying how sure", agent(side)),
    };
    let saw = format!("the same is said by {}.", list(contradiction.sides.iter().map(says)));
    let explanation = format!(
        "{} Nobody is wrong about what is said; the confidences are kept, to be read as a range.",
        capital(&saw)
    );
    let mut resolution = both_valid(contradiction, "same claim", saw, explanation, AGREED);
    let facts = Facts::of(contradiction, authority);
    let all: Vec<usize> = (0..contradiction.sides.len()).collect();
    if let (true, Some((_, side))) = (camps.agree(all.iter().copied()), facts.best_of(&all)) {
        resolution.recommended_value = side.value;
        resolution.recommended_citation =
            side.citation.as_ref().map(|citation| citation.text.clone());
    }
    resolution
}

/// No ruling: a person must look.
fn flagged(contradiction: &Contradiction, steps: Vec<Step>, tied: &[&str]) -> Resolution {
    let lead = if tied.is_empty() {
        "Not decided: a person must look.".to_owned()
    } else {
        format!("Tied on {}: a person must look.", list(tied))
    };
    Resolution {
        contradiction: contradiction.id.clone(),
        resolution: None,
        explanation: format!("{lead} {}", explain(&steps)),
        steps,
        recommended_value: None,
        recommended_citation: None,
        confidence: Confidence::detector(UNDECIDED),
        action: Action::FlagForReview,
        by: Arbiter::Rules,
    }
}

fn step(looked_at: &str, saw: &str) -> Step {
    Step { looked_at: looked_at.to_owned(), saw: saw.to_owned(), decided: false }
}

/// The steps as one text.
fn explain(steps: &[Step]) -> String {
    let sentences: Vec<String> = steps
        .iter()
        .map(|step| {
            if step.decided {
                format!("Decided by {}: {}", step.looked_at, step.saw)
            } else {
                format!("{}: {}", capital(&step.looked_at), step.saw)
            }
        })
        .collect();
    sentences.join(" ")
}
