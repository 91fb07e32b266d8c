//! Agreement with nothing behind it.

use rebuttal_model::{HollowAlert, TricksterConfig};

use super::alike::Likeness;
use super::count;
use super::voices::Voice;
use super::{PanelReader, Said};
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

/// The evidence behind a voice: the best it has brought so far for the answer it gives. Who has shown
/// its evidence need not show it again in every round.
pub(super) fn standing(
    voice: &Voice<'_>,
    earlier: &[Said<'_>],
    reader: &mut PanelReader<'_>,
) -> f64 {
    let same = |said: &&Said<'_>| said.agent == voice.agent && said.answer == voice.answer;
    let before = earlier.iter().filter(same);
    let before = before.map(|said| reader.quality(said));
    before.fold(voice.evidence.quality.overall, f64::max)
}

/// How much better supported those against it must be before a majority that agrees on nothing is an
/// alert of its own.
const BETTER: f64 = 0.15;

/// Whether most of the panel agree on nothing, against others who have evidence. Where those have
/// none either it is a disagreement, however thin.
pub(super) fn majority(
    voices: &[Voice<'_>],
    qualities: &[f64],
    likeness: &Likeness,
    config: &TricksterConfig,
) -> Option<HollowAlert> {
    let answers = voices.iter().filter_map(|voice| voice.answer);
    let most = answers.max_by_key(|answer| with(voices, answer).count())?;
    let camp: Vec<usize> = with(voices, most).collect();
    if camp.len() < 2 || camp.len() * 2 <= voices.len() || camp.len() == voices.len() {
        return None;
    }
    let quality = |at: &usize| qualities.get(*at).copied().unwrap_or(0.0);
    let own: Vec<f64> = camp.iter().map(quality).collect();
    let others: Vec<f64> =
        (0..voices.len()).filter(|at| !camp.contains(at)).map(|at| quality(&at)).collect();
    let mean = |of: &[f64]| of.iter().sum::<f64>() / count(of.len()).max(1.0);
    let alert = hollow(&own, likeness.agreement_of(voices, &camp), config);
    let better = mean(&others) >= mean(&own) + BETTER;
    (alert.detected && better).then(|| HollowAlert {
        reason: format!("The majority, {} of {}: {}", camp.len(), voices.len(), alert.reason),
        ..alert
    })
}

/// The voices that give an answer.
fn with<'v>(voices: &'v [Voice<'_>], answer: &'v str) -> impl Iterator<Item = usize> + 'v {
    let same =
        move |voice: &Voice<'_>| voice.answer.is_some_and(|own| own.eq_ignore_ascii_case(answer));
    voices.iter().enumerate().filter(move |(_, voice)| same(voice)).map(|(at, _)| at)
}
