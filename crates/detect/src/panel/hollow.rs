//! Agreement with nothing behind it.

use rebuttal_model::{HollowAlert, TricksterConfig};

use super::count;
use crate::evidence::severity;

/// Below this likeness nobody would speak of agreement.
const APART: f64 = 0.15;

/// Whether agents this alike, with evidence of these qualities, agree on nothing.
pub fn hollow(qualities: &[f64], similarity: f64, config: &TricksterConfig) -> HollowAlert {
    let number = count(qualities.len()).max(1.0);
    let avg_quality = qualities.iter().sum::<f64>() / number;
    let quality_variance =
        qualities.iter().map(|quality| (quality - avg_quality).powi(2)).sum::<f64>() / number;
    let found = severity(avg_quality, similarity, quality_variance);
    let alike = similarity > config.convergence_threshold;
    let thin = avg_quality < config.min_quality_threshold;
    let detected = !qualities.is_empty() && alike && thin;
    let least = config.min_quality_threshold;
    let percent = similarity * 100.0;
    let reason = match () {
        () if qualities.is_empty() => "No responses to analyze.".to_owned(),
        () if similarity < APART => "Not converging yet.".to_owned(),
        () if !alike => format!("The answers are {percent:.0} % alike, which is no agreement."),
        () if !thin => format!(
            "The answers are {percent:.0} % alike, and their evidence quality of {avg_quality:.2} is enough."
        ),
        () => format!(
            "The answers are {percent:.0} % alike, but their evidence quality is {avg_quality:.2} on average, \
             below {least:.2}: agreement with little behind it."
        ),
    };
    HollowAlert {
        detected,
        severity: if qualities.is_empty() { 0.0 } else { found.clamped },
        raw_severity: if qualities.is_empty() { 0.0 } else { found.raw },
        avg_quality,
        quality_variance,
        similarity,
        reason,
    }
}

/// How far agents have come together, in words.
pub fn in_words(convergence: f64) -> &'static str {
    match convergence {
        value if value >= 0.85 => "Strong convergence",
        value if value >= 0.7 => "Good convergence",
        value if value >= 0.5 => "Moderate convergence",
        value if value >= 0.3 => "Weak convergence",
        _ => "No convergence",
    }
}
