//! How readily the trickster steps in, learned from how debates ended.
//!
//! A debate ended well or not, and was stepped into or not. Per field the two shares of good endings
//! are compared, each with its 95 % interval (Wilson), their difference with Newcombe's:
//!
//! * **raise** where stepping in helped: the whole interval of the difference is above 0;
//! * **lower** where it did not: the whole interval is below the least gain that is worth a round;
//! * with (nearly) nobody to compare with, **raise** where silence surely failed more often than is
//!   tolerated, and **lower** where stepping in surely failed more often than not;
//! * else **keep**: too few debates, or not clear either way.
//!
//! That all debates that were stepped into ended well is no reason to step in less: it may be why
//! they did. Debates are stepped into because they look bad, so the comparison leans against
//! stepping in; it is never a reason to raise that silence went well.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::TricksterConfig;
use serde::{Deserialize, Serialize};

use super::share::{number, percent};

/// The severity from which hollow consensus is acted on at a sensitivity.
pub fn threshold_of(sensitivity: f64) -> f64 {
    0.8 - 0.6 * sensitivity
}

/// The sensitivity that stands for a threshold.
pub fn sensitivity_of(threshold: f64) -> f64 {
    (0.8 - threshold) / 0.6
}

/// How a debate ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebateOutcome {
    /// Its field; empty for none.
    #[serde(default)]
    pub domain: String,
    /// Whether the trickster stepped in.
    pub intervened: bool,
    /// Whether it ended well, by whatever the caller goes by: the truth, a review, a verdict.
    pub succeeded: bool,
}

/// How sensitivity is learned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CalibrationSettings {
    /// Fewest debates of a field from which anything is learned.
    pub min_samples: usize,
    /// Fewest debates on either side that can be compared with.
    pub min_compared: usize,
    /// How many debates of a field are looked at, the latest.
    pub window: usize,
    /// By how much sensitivity moves at once.
    pub step: f64,
    /// The lowest sensitivity.
    pub lowest: f64,
    /// The highest.
    pub highest: f64,
    /// The share of silent debates that may end badly.
    pub tolerated_failures: f64,
    /// The least difference that is worth stepping in.
    pub least_gain: f64,
}

impl Default for CalibrationSettings {
    fn default() -> Self {
        Self {
            min_samples: 20,
            min_compared: 5,
            window: 100,
            step: 0.05,
            lowest: 0.3,
            highest: 0.9,
            tolerated_failures: 0.2,
            least_gain: 0.1,
        }
    }
}

impl CalibrationSettings {
    /// A sensitivity within the bounds; what is no number becomes 0.5.
    pub fn bounded(&self, sensitivity: f64) -> f64 {
        let known = if sensitivity.is_nan() { DEFAULT_SENSITIVITY } else { sensitivity };
        known.min(self.highest).max(self.lowest)
    }
}

/// The sensitivity of a field that nothing was learned about: seed 001's threshold of 0.5.
const DEFAULT_SENSITIVITY: f64 = 0.5;
/// 95 % of a normal distribution lie within so many deviations.
const Z: f64 = 1.96;

/// How many of some debates ended well.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Success {
    /// How many debates.
    pub debates: usize,
    /// How many of them ended well.
    pub succeeded: usize,
    /// The share; `None` of none.
    pub rate: Option<f64>,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Success {
    /// Of some debates, so many ended well; with Wilson's interval.
    pub fn of(debates: usize, succeeded: usize) -> Self {
        if debates == 0 {
            return Self { debates, succeeded: 0, rate: None, low: 0.0, high: 1.0 };
        }
        let succeeded = succeeded.min(debates);
        let (n, rate) = (number(debates), number(succeeded) / number(debates));
        let scale = 1.0 + Z * Z / n;
        let centre = (rate + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
        let (low, high) = ((centre - half).max(0.0), (centre + half).min(1.0));
        Self { debates, succeeded, rate: Some(rate), low, high }
    }

    fn words(&self) -> String {
        let of = format!("{} of {} ended well", self.succeeded, self.debates);
        match self.rate {
            None => "none".to_owned(),
            Some(_) => format!("{of} ({} to {})", percent(self.low), percent(self.high)),
        }
    }
}

/// By how much stepping in raised the share of good endings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The difference of the shares.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Difference {
    /// Newcombe's interval of the difference of two shares.
    fn between(one: &Success, two: &Success) -> Option<Self> {
        let (own, other) = (one.rate?, two.rate?);
        let value = own - other;
        let low = value - (own - one.low).hypot(two.high - other);
        let high = value + (one.high - own).hypot(other - two.low);
        Some(Self { value, low: low.max(-1.0), high: high.min(1.0) })
    }
}

/// What a calibration rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationEvidence {
    /// The debates that were stepped into.
    pub intervened: Success,
    /// Those that were not.
    pub silent: Success,
    /// The difference, where both sides have enough debates.
    pub difference: Option<Difference>,
}

/// What became of a sensitivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjusted {
    /// Steps in sooner.
    Raised,
    /// Steps in later.
    Lowered,
    /// The setting was kept.
    Kept,
}

/// How readily the trickster steps in in a field, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The field; `general` for debates without one.
    pub domain: String,
    /// How readily, 0 to 1, within the bounds of the settings.
    pub sensitivity: f64,
    /// The severity from which hollow consensus is acted on then.
    pub threshold: f64,
    /// The sensitivity it was before.
    pub before: f64,
    /// What became of it.
    pub adjusted: Adjusted,
    /// What it rests on.
    pub evidence: CalibrationEvidence,
    /// Why, in a sentence.
    pub reason: String,
}

impl Calibration {
    /// The settings with what was learned.
    pub fn apply(&self, config: &TricksterConfig) -> TricksterConfig {
        TricksterConfig { hollow_detection_threshold: self.threshold.clamp(0.0, 1.0), ..*config }
    }
}

/// What is learned from debates in their order, one calibration for each field in them or with a
/// sensitivity already. Fields are compared without case.
pub fn calibrate(
    settings: &CalibrationSettings,
    current: &BTreeMap<String, f64>,
    outcomes: &[DebateOutcome],
) -> Vec<Calibration> {
    let mut fields: BTreeMap<String, Vec<&DebateOutcome>> = BTreeMap::new();
    for outcome in outcomes {
        fields.entry(field(&outcome.domain)).or_default().push(outcome);
    }
    let before: BTreeMap<String, f64> =
        current.iter().map(|(domain, sensitivity)| (field(domain), *sensitivity)).collect();
    let all: BTreeSet<&String> = fields.keys().chain(before.keys()).collect();
    let one = |domain: &&String| {
        let before = before.get(*domain).copied().unwrap_or(DEFAULT_SENSITIVITY);
        let own = fields.get(*domain).map_or(&[][..], Vec::as_slice);
        calibrated(settings, domain, before, own)
    };
    all.iter().map(one).collect()
}

fn field(domain: &str) -> String {
    let field = domain.trim().to_lowercase();
    if field.is_empty() { "general".to_owned() } else { field }
}

fn calibrated(
    settings: &CalibrationSettings,
    domain: &str,
    before: f64,
    outcomes: &[&DebateOutcome],
) -> Calibration {
    let recent = outcomes.iter().rev().take(settings.window);
    let (mut into, mut left) = ((0, 0), (0, 0));
    for outcome in recent {
        let side = if outcome.intervened { &mut into } else { &mut left };
        side.0 += 1;
        side.1 += usize::from(outcome.succeeded);
    }
    let (intervened, silent) = (Success::of(into.0, into.1), Success::of(left.0, left.1));
    let comparable = intervened.debates.min(silent.debates) >= settings.min_compared.max(1);
    let difference = Difference::between(&intervened, &silent).filter(|_| comparable);
    let evidence = CalibrationEvidence { intervened, silent, difference };
    let (adjusted, why) = verdict(settings, &evidence);
    let before = settings.bounded(before);
    let sensitivity = settings.bounded(match adjusted {
        Adjusted::Raised => before + settings.step,
        Adjusted::Lowered => before - settings.step,
        Adjusted::Kept => before,
    });
    let reason = format!("{why} Stepped in: {}. Silent: {}.", intervened.words(), silent.words());
    let threshold = threshold_of(sensitivity);
    let domain = domain.to_owned();
    Calibration { domain, sensitivity, threshold, before, adjusted, evidence, reason }
}

/// What follows from the evidence, and why.
fn verdict(settings: &CalibrationSettings, evidence: &CalibrationEvidence) -> (Adjusted, String) {
    let CalibrationEvidence { intervened, silent, difference } = evidence;
    let debates = intervened.debates + silent.debates;
    if debates < settings.min_samples {
        let least = settings.min_samples;
        return (Adjusted::Kept, format!("{debates} debates, and {least} are needed."));
    }
    let Some(difference) = difference else { return one_sided(settings, intervened, silent) };
    let points = |value: f64| format!("{:+.0}", value * 100.0);
    let interval = format!(
        "{} points ({} to {})",
        points(difference.value),
        points(difference.low),
        points(difference.high)
    );
    if difference.low > 0.0 {
        (Adjusted::Raised, format!("Stepping in helped by {interval}."))
    } else if difference.high < settings.least_gain {
        (Adjusted::Lowered, format!("Stepping in did not help: {interval}."))
    } else {
        (Adjusted::Kept, format!("Not clear whether stepping in helped: {interval}."))
    }
}

/// What follows where there is nothing to compare with.
fn one_sided(
    settings: &CalibrationSettings,
    intervened: &Success,
    silent: &Success,
) -> (Adjusted, String) {
    if silent.debates >= intervened.debates {
        let failures = 1.0 - silent.high;
        if failures > settings.tolerated_failures {
            let tolerated = percent(settings.tolerated_failures);
            let least = percent(failures);
            let why = format!(
                "At least {least} of the debates left alone ended badly, more than {tolerated}."
            );
            return (Adjusted::Raised, why);
        }
    } else if intervened.high < 0.5 {
        let why = "Most debates ended badly although it stepped in.".to_owned();
        return (Adjusted::Lowered, why);
    }
    (Adjusted::Kept, "Too few debates to compare with.".to_owned())
}
