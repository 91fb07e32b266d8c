//! What a decision says about the agreement it rests on.

use rebuttal_model::{Decision, RoundAnalysis, TricksterConfig, Verdict};

/// Adds to a decision what its agreement is worth. One that is still hollow at the end is not approved
/// without conditions: that all agree shows nothing where nobody has shown anything.
pub fn qualify(decision: &mut Decision, config: &TricksterConfig, last: &RoundAnalysis) {
    if decision.answer.is_none() {
        return;
    }
    let voices = last.quality.len();
    let hollow = last.hollow.as_ref().filter(|alert| alert.detected);
    let Some(alert) = hollow.filter(|alert| alert.severity >= config.hollow_detection_threshold)
    else {
        return;
    };
    if decision.verdict == Verdict::Approved {
        decision.verdict = Verdict::ApprovedWithConditions;
    }
    let words = format!(
        "The agreement is hollow: its evidence quality is {:.2}, and the {voices} voices are worth {:.1} \
         independent ones.",
        alert.avg_quality, last.independent_voices
    );
    if !decision.narrative.is_empty() {
        decision.narrative.push('\n');
    }
    decision.narrative.push_str(&words);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebuttal_model::HollowAlert;

    fn seen(severity: f64) -> RoundAnalysis {
        let hollow = HollowAlert {
            detected: true,
            severity,
            raw_severity: severity,
            avg_quality: 0.1,
            quality_variance: 0.0,
            similarity: 0.9,
            reason: String::new(),
        };
        RoundAnalysis { hollow: Some(hollow), independent_voices: 1.3, ..RoundAnalysis::default() }
    }

    #[test]
    fn hollow_agreement_is_not_approved_without_conditions() {
        let config = TricksterConfig::default();
        let approved = || Decision {
            answer: Some("yes".to_owned()),
            verdict: Verdict::Approved,
            ..Decision::default()
        };
        let mut decision = approved();
        qualify(&mut decision, &config, &seen(0.8));
        assert_eq!(decision.verdict, Verdict::ApprovedWithConditions);
        assert!(decision.narrative.contains("worth 1.3 independent"), "{}", decision.narrative);
        let mut decision = approved();
        qualify(&mut decision, &config, &seen(0.4));
        assert_eq!((decision.verdict, decision.narrative.as_str()), (Verdict::Approved, ""));
    }
}
