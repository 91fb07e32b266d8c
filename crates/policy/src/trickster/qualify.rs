//! What a decision says about the agreement it rests on.

use std::collections::BTreeMap;

use rebuttal_model::{Decision, RoundAnalysis, TricksterConfig, Verdict};

use super::share::{number, percent};

/// Adds to a decision what its agreement is worth, by what was seen round by round. One that is still
/// hollow at the end is not approved without conditions, nor one that nobody could judge, nor one that
/// rests on the same sources from the first round to the last: that all agree shows nothing where
/// nobody has shown anything. `policy` is the version of the rules the debate runs under.
pub fn qualify(
    decision: &mut Decision,
    config: &TricksterConfig,
    policy: u32,
    rounds: &[RoundAnalysis],
) {
    let (Some(first), Some(last)) = (rounds.first(), rounds.last()) else { return };
    if decision.answer.is_none() {
        return;
    }
    let found = hollow(config, last).or_else(|| unjudged(config, last));
    let found =
        found.or_else(|| last.counts_answers(policy).then(|| echo(config, first, last)).flatten());
    let Some(words) = found else { return };
    if decision.verdict == Verdict::Approved {
        decision.verdict = Verdict::ApprovedWithConditions;
    }
    if !decision.narrative.is_empty() {
        decision.narrative.push('\n');
    }
    decision.narrative.push_str(&words);
}

/// Agreement with nothing behind it.
fn hollow(config: &TricksterConfig, last: &RoundAnalysis) -> Option<String> {
    let alert = last.hollow.as_ref().filter(|alert| alert.detected)?;
    (alert.severity >= config.hollow_detection_threshold).then(|| {
        format!(
            "The agreement is hollow: its evidence quality is {:.2}, and {}.",
            alert.avg_quality,
            worth(last)
        )
    })
}

/// Agreement of answers most of which, or all but one of which, could not be judged.
fn unjudged(config: &TricksterConfig, last: &RoundAnalysis) -> Option<String> {
    let (judged, blank) = (last.quality.len(), last.not_judged.len());
    let agreed = last.one_answer.is_some_and(|share| share > config.convergence_threshold);
    let unknown = blank > 0 && judged + blank > 1 && (judged < 2 || blank > judged);
    (agreed && unknown).then(|| {
        format!(
            "What the agreement rests on could not be judged in {blank} of {} answers ({}).",
            judged + blank,
            reasons(last)
        )
    })
}

/// Agreement on sources that all had in the blind round and nobody has added to. Who takes a source
/// over from another is convinced by it; who has the same from the start is not another voice.
fn echo(config: &TricksterConfig, first: &RoundAnalysis, last: &RoundAnalysis) -> Option<String> {
    let repeated = |seen: &RoundAnalysis| {
        seen.echo.as_ref().is_some_and(|echo| echo.redundancy > config.redundancy_threshold)
    };
    let agreed = last.convergence.is_some_and(|alike| alike > config.convergence_threshold);
    let few = last.independent_voices * 2.0 < number(last.quality.len());
    let share = percent(last.echo.as_ref()?.redundancy);
    (agreed && few && repeated(first) && repeated(last)).then(|| {
        format!(
            "The agreement rests on the same sources from the first round to the last: {share} of the \
             citations repeat another agent's, and {}.",
            worth(last)
        )
    })
}

/// "the 3 voices are worth 1.2 independent ones"
fn worth(last: &RoundAnalysis) -> String {
    format!(
        "the {} voices are worth {:.1} independent ones",
        last.quality.len(),
        last.independent_voices
    )
}

/// Why answers could not be judged, each reason once, with how often it holds.
fn reasons(last: &RoundAnalysis) -> String {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for why in last.not_judged.values() {
        *times.entry(why).or_default() += 1;
    }
    let each = times.into_iter().map(|(why, times)| format!("{times} ×: {why}"));
    each.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebuttal_model::{AgentId, Echo, HollowAlert, Quality};

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

    fn agents(names: &[&str]) -> BTreeMap<AgentId, Quality> {
        names.iter().map(|name| (AgentId::new(*name), Quality::default())).collect()
    }

    fn blank(names: &[&str], why: &str) -> BTreeMap<AgentId, String> {
        names.iter().map(|name| (AgentId::new(*name), why.to_owned())).collect()
    }

    fn approved(rounds: &[RoundAnalysis]) -> (Verdict, String) {
        let mut decision = Decision {
            answer: Some("yes".to_owned()),
            verdict: Verdict::Approved,
            ..Decision::default()
        };
        qualify(&mut decision, &TricksterConfig::default(), 0, rounds);
        (decision.verdict, decision.narrative)
    }

    #[test]
    fn hollow_agreement_is_not_approved_without_conditions() {
        let (verdict, words) = approved(&[seen(0.8)]);
        assert_eq!(verdict, Verdict::ApprovedWithConditions);
        assert!(words.contains("worth 1.3 independent"), "{words}");
        assert_eq!(approved(&[seen(0.4)]), (Verdict::Approved, String::new()));
        assert_eq!(approved(&[]), (Verdict::Approved, String::new()));
    }

    #[test]
    fn agreement_that_nobody_could_judge_is_not_approved_without_conditions() {
        let not_judged = blank(&["a", "b", "c"], "the answer is empty");
        let all = RoundAnalysis { not_judged, one_answer: Some(1.0), ..RoundAnalysis::default() };
        let (verdict, words) = approved(std::slice::from_ref(&all));
        assert_eq!(verdict, Verdict::ApprovedWithConditions);
        assert!(words.contains("3 of 3 answers (3 ×: the answer is empty)"), "{words}");
        // One of three leaves two who can be judged; half for and half against is no agreement; and
        // journals from before say nothing of it.
        let one = RoundAnalysis {
            quality: agents(&["a", "b"]),
            not_judged: blank(&["c"], "the answer is empty"),
            ..all.clone()
        };
        let split = RoundAnalysis { one_answer: Some(0.5), ..all.clone() };
        let old = RoundAnalysis { one_answer: None, ..all };
        for seen in [one, split, old] {
            assert_eq!(approved(&[seen]), (Verdict::Approved, String::new()));
        }
    }

    #[test]
    fn an_echo_that_nobody_answers_is_not_approved_without_conditions() {
        let echo = Echo {
            redundancy: 1.0,
            unique_sources: 1,
            total_citations: 3,
            sources: vec!["survey".to_owned()],
            agents: Vec::new(),
        };
        let echoed = RoundAnalysis {
            quality: agents(&["a", "b", "c"]),
            convergence: Some(0.9),
            independent_voices: 1.0,
            one_answer: Some(1.0),
            echo: Some(echo),
            ..RoundAnalysis::default()
        };
        let (verdict, words) = approved(&[echoed.clone(), echoed.clone()]);
        assert_eq!(verdict, Verdict::ApprovedWithConditions);
        assert!(words.contains("3 voices are worth 1.0 independent"), "{words}");
        // Who takes over what convinced it, and who has reasons of its own, repeats nobody.
        let blind = RoundAnalysis { echo: None, ..echoed.clone() };
        let own = RoundAnalysis { independent_voices: 2.4, ..echoed.clone() };
        assert_eq!(approved(&[blind, echoed.clone()]).0, Verdict::Approved);
        assert_eq!(approved(&[echoed, own]).0, Verdict::Approved);
    }
}
