//! What became of each contradiction: several arbiters' rulings weighed into one.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::{
    Action, Arbiter, Confidence, Contradiction, FindingId, Resolution, Ruling, Step,
};

use crate::arbitration::UNDECIDED;
use crate::camps::Camps;
use crate::words::list;

/// A contradiction and the ruling that holds, if anybody ruled.
pub(crate) struct WeighedRuling<'c> {
    pub(crate) contradiction: &'c Contradiction,
    pub(crate) ruling: Option<Cow<'c, Resolution>>,
    pub(crate) camps: Camps,
}

impl WeighedRuling<'_> {
    /// The ruling to go on with; none when a person must look.
    pub(crate) fn resolved(&self) -> Option<(Ruling, &Resolution)> {
        let resolution = self.ruling.as_deref()?;
        let sides = self.contradiction.sides.len();
        match resolution.resolution? {
            _ if resolution.action == Action::FlagForReview => None,
            Ruling::NeitherValid => None,
            Ruling::Correct(side) if side >= sides => None,
            ruling => Some((ruling, resolution)),
        }
    }
}

/// The outcome of every contradiction, each once, in their order. Rulings on others are nobody's.
pub(crate) fn outcomes<'c>(
    contradictions: &'c [Contradiction],
    resolutions: &'c [Resolution],
) -> Vec<WeighedRuling<'c>> {
    let mut rulings: BTreeMap<&FindingId, Vec<&Resolution>> = BTreeMap::new();
    for resolution in resolutions {
        rulings.entry(&resolution.contradiction).or_default().push(resolution);
    }
    let mut seen = BTreeSet::new();
    let first = |contradiction: &&'c Contradiction| seen.insert(&contradiction.id);
    let outcome = |contradiction: &'c Contradiction| {
        let camps = Camps::of(contradiction);
        let rulings = rulings.get(&contradiction.id).map_or(&[][..], Vec::as_slice);
        WeighedRuling { contradiction, ruling: weigh(&camps, rulings), camps }
    };
    contradictions.iter().filter(first).map(outcome).collect()
}

/// What a ruling comes to, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The camp of this side is right.
    Side(usize),
    All,
    Nobody,
    Open,
}

impl Verdict {
    fn of(resolution: &Resolution) -> Self {
        match resolution.resolution {
            Some(Ruling::Correct(side)) => Self::Side(side),
            Some(Ruling::BothValid) => Self::All,
            Some(Ruling::NeitherValid) => Self::Nobody,
            None => Self::Open,
        }
    }

    fn same(self, other: Self, camps: &Camps) -> bool {
        match (self, other) {
            (Self::Side(one), Self::Side(two)) => camps.same(one, two),
            (one, two) => one == two,
        }
    }
}

/// A person's ruling holds. Otherwise the verdict with more than half of all confidence behind it
/// does, in the words of its surest arbiter; and without such a one, a person must look.
fn weigh<'c>(camps: &Camps, rulings: &[&'c Resolution]) -> Option<Cow<'c, Resolution>> {
    let rulings = latest(rulings);
    let human = rulings.iter().find(|ruling| ruling.by == Arbiter::Human);
    let [first, _, ..] = rulings.as_slice() else {
        return rulings.first().copied().map(Cow::Borrowed);
    };
    if let Some(human) = human {
        return Some(Cow::Borrowed(human));
    }
    let all: f64 = rulings.iter().map(|ruling| ruling.confidence.value()).sum();
    let behind = |verdict: Verdict| -> Vec<&'c Resolution> {
        let same = |ruling: &&&Resolution| Verdict::of(ruling).same(verdict, camps);
        rulings.iter().filter(same).copied().collect()
    };
    let majority = rulings.iter().map(|ruling| behind(Verdict::of(ruling))).find(|agreed| {
        let weight: f64 = agreed.iter().map(|ruling| ruling.confidence.value()).sum();
        weight > all / 2.0 || agreed.len() == rulings.len()
    });
    Some(Cow::Owned(match majority {
        Some(agreed) => accepted(&agreed, &rulings)?,
        None => split(first, &rulings),
    }))
}

/// The last ruling of every arbiter, in the order of their first.
fn latest<'c>(rulings: &[&'c Resolution]) -> Vec<&'c Resolution> {
    let mut kept: Vec<&Resolution> = Vec::new();
    for ruling in rulings {
        match kept.iter_mut().find(|kept| kept.by == ruling.by) {
            Some(earlier) => *earlier = ruling,
            None => kept.push(ruling),
        }
    }
    kept
}

fn accepted(agreed: &[&Resolution], all: &[&Resolution]) -> Option<Resolution> {
    let sure = |ruling: &Resolution| ruling.confidence.value();
    let surest = agreed.iter().rev().max_by(|one, two| sure(one).total_cmp(&sure(two)))?;
    let mut resolution = Resolution::clone(surest);
    // Each may know another context in which all are right.
    if resolution.resolution == Some(Ruling::BothValid) {
        let mut reasons: Vec<&str> = vec![&surest.explanation];
        for ruling in agreed {
            if !reasons.contains(&ruling.explanation.as_str()) {
                reasons.push(&ruling.explanation);
            }
        }
        resolution.explanation = reasons.join(" ");
    }
    let against = all.iter().filter(|ruling| !agreed.iter().any(|one| one.by == ruling.by));
    let against: Vec<String> = against.map(|ruling| says(ruling)).collect();
    let mut saw = format!("{} agree", list(agreed.iter().map(|ruling| name(&ruling.by))));
    if let [_] = agreed {
        saw = format!("{} is surer than the rest", name(&surest.by));
    }
    if !against.is_empty() {
        saw = format!("{saw}; {}", list(against));
    }
    resolution.steps.push(Step { looked_at: "arbiters".to_owned(), saw, decided: false });
    Some(resolution)
}

fn split(first: &Resolution, all: &[&Resolution]) -> Resolution {
    let saw = list(all.iter().map(|ruling| says(ruling)));
    Resolution {
        contradiction: first.contradiction.clone(),
        resolution: None,
        explanation: format!("The arbiters are split, so a person must look: {saw}."),
        steps: vec![Step { looked_at: "arbiters".to_owned(), saw, decided: false }],
        recommended_value: None,
        recommended_citation: None,
        confidence: Confidence::detector(UNDECIDED),
        action: Action::FlagForReview,
        by: Arbiter::Rules,
    }
}

fn says(ruling: &Resolution) -> String {
    let verdict = ruling.resolution.map_or("undecided".to_owned(), String::from);
    format!("{} says {verdict}", name(&ruling.by))
}

/// An arbiter's name in a sentence.
pub(crate) fn name(arbiter: &Arbiter) -> String {
    match arbiter {
        Arbiter::Rules => "rules".to_owned(),
        Arbiter::Agent(agent) => agent.to_string(),
        Arbiter::Human => "a person".to_owned(),
    }
}

/// What decided: the step of the rules, or whoever ruled.
pub(crate) fn decided_by(resolution: &Resolution) -> String {
    let step = resolution.steps.iter().find(|step| step.decided);
    match (&resolution.by, step) {
        (Arbiter::Rules, Some(step)) => step.looked_at.clone(),
        (by, _) => name(by),
    }
}
