//! Numbers of one debate and of many.

use rebuttal_model::{Intervention, InterventionKind as Kind, TricksterConfig};
use rebuttal_policy::trickster::{
    Flagged, InterventionStats, flagged_agents, quality_trend, stats,
};

use crate::kit::{chosen, done, id, panel, round};

fn near(one: f64, two: f64) -> bool {
    (one - two).abs() < 1e-9
}

#[test]
fn a_debate_in_numbers() {
    let config = TricksterConfig::default();
    let rounds = [
        round(0, 0.9, &[("a", 0.1), ("b", 0.3)]),
        round(1, 0.9, &[("a", 0.2), ("b", 0.4)]),
        round(2, 0.9, &[("a", 0.8), ("b", 0.8)]),
    ];
    let mut past = Vec::new();
    for (analysis, left) in rounds.iter().zip([2, 1, 0]) {
        past.extend(chosen(&config, analysis, &past, left));
    }
    let numbers = stats(&rounds, &past);
    assert_eq!((numbers.total_interventions, numbers.hollow_alerts_detected), (2, 2));
    let quality: Vec<(u32, f64)> = numbers.avg_quality_per_round.clone().into_iter().collect();
    assert!(quality.iter().zip([0.2, 0.3, 0.8]).all(|(own, expected)| near(own.1, expected)));
    assert_eq!(numbers.interventions[1].targets, panel(&["a", "b"]));
    let json = serde_json::to_string(&numbers).unwrap();
    for name in
        ["total_interventions", "hollow_alerts_detected", "avg_quality_per_round", "targets"]
    {
        assert!(json.contains(&format!("\"{name}\":")), "{json}");
    }
    assert_eq!(serde_json::from_str::<InterventionStats>(&json).unwrap(), numbers);
}

#[test]
fn nobody_judged_is_no_quality_of_zero() {
    let mut analysis = round(0, 0.9, &[("a", 0.1)]);
    analysis.not_judged = [(id("a"), "not English".to_owned())].into();
    assert!(stats(&[analysis], &[]).avg_quality_per_round.is_empty());
    assert_eq!(stats(&[], &[]), InterventionStats::default());
}

#[test]
fn who_is_challenged_often_stands_first_and_a_role_is_no_reproach() {
    let to = |kind, targets: &[&str]| Intervention { targets: panel(targets), ..done(kind, 0) };
    let debates = [
        stats(&[], &[to(Kind::Challenge, &["a", "b"]), to(Kind::EvidenceGap, &["b"])]),
        stats(&[], &[to(Kind::Role, &["c"]), to(Kind::ExtraRound, &[])]),
        stats(&[], &[to(Kind::Novelty, &["b"])]),
    ];
    let one =
        |name: &str, interventions, debates| Flagged { agent: id(name), interventions, debates };
    assert_eq!(flagged_agents(&debates), [one("b", 3, 2), one("a", 1, 1)]);
}

#[test]
fn a_trend_has_a_slope_over_debates_and_a_gain_within_them() {
    let debate = |first: f64, last: f64| {
        stats(&[round(0, 0.9, &[("a", first)]), round(1, 0.9, &[("a", last)])], &[])
    };
    let trend = quality_trend(&[debate(0.1, 0.3), InterventionStats::default(), debate(0.3, 0.7)]);
    assert_eq!(trend.points.iter().map(|point| point.debate).collect::<Vec<_>>(), [0, 2]);
    assert!(near(trend.slope.unwrap(), 0.15) && near(trend.gain.unwrap(), 0.3), "{trend:?}");
    let none = quality_trend(&[debate(0.1, 0.3)]);
    assert!(none.slope.is_none() && quality_trend(&[]).gain.is_none());
}
