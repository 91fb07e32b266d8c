//! What is learned from how debates ended, and what is not.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rebuttal_model::TricksterConfig;
use rebuttal_policy::trickster::{
    Adjusted, Calibration, CalibrationSettings, DebateOutcome, Success, calibrate, sensitivity_of,
    threshold_of,
};

fn near(one: f64, two: f64) -> bool {
    (one - two).abs() < 1e-9
}

/// Makes `count` debates of a field, of which `well` ended well.
fn debates(domain: &str, intervened: bool, count: usize, well: usize) -> Vec<DebateOutcome> {
    let one = |at| DebateOutcome { domain: domain.to_owned(), intervened, succeeded: at < well };
    (0..count).map(one).collect()
}

/// What is learned about one field from debates stepped into and debates left alone.
fn learned(into: (usize, usize), left: (usize, usize)) -> Calibration {
    let mut outcomes = debates("law", true, into.0, into.1);
    outcomes.extend(debates("law", false, left.0, left.1));
    let current = BTreeMap::from([("law".to_owned(), 0.5)]);
    calibrate(&CalibrationSettings::default(), &current, &outcomes).remove(0)
}

#[test]
fn it_rises_where_stepping_in_helped_and_falls_where_it_did_not() {
    let helped = learned((20, 18), (20, 8));
    assert_eq!(helped.adjusted, Adjusted::Raised, "{}", helped.reason);
    assert!(near(helped.sensitivity, 0.55) && near(helped.threshold, 0.47));
    let harmed = learned((20, 6), (20, 17));
    assert_eq!(harmed.adjusted, Adjusted::Lowered, "{}", harmed.reason);
    let idle = learned((50, 49), (50, 49));
    assert_eq!(idle.adjusted, Adjusted::Lowered, "no gain, shown by many: {}", idle.reason);
    let unclear = learned((10, 6), (10, 5));
    assert_eq!(unclear.adjusted, Adjusted::Kept, "{}", unclear.reason);
}

#[test]
fn without_a_comparison_it_learns_only_what_is_sure() {
    assert_eq!(learned((0, 0), (20, 0)).adjusted, Adjusted::Raised);
    assert_eq!(learned((0, 0), (20, 20)).adjusted, Adjusted::Kept);
    assert_eq!(learned((20, 20), (0, 0)).adjusted, Adjusted::Kept, "success is no reproach");
    assert_eq!(learned((20, 0), (0, 0)).adjusted, Adjusted::Lowered);
    assert_eq!(learned((20, 20), (4, 0)).adjusted, Adjusted::Kept, "four are too few");
    assert_eq!(learned((4, 4), (15, 0)).adjusted, Adjusted::Kept, "nineteen are too few");
}

#[test]
fn the_evidence_is_shown() {
    let learned = learned((20, 18), (20, 8));
    let evidence = &learned.evidence;
    assert_eq!((evidence.intervened.succeeded, evidence.silent.debates), (18, 20));
    // Wilson's interval of 18 of 20, from the formula by hand.
    assert!((evidence.intervened.low - 0.699).abs() < 1e-3, "{evidence:?}");
    assert!((evidence.intervened.high - 0.972).abs() < 1e-3, "{evidence:?}");
    let difference = evidence.difference.unwrap();
    assert!(near(difference.value, 0.5) && difference.low > 0.0 && difference.high < 1.0);
    assert!(learned.reason.contains("18 of 20 ended well (70% to 97%)"), "{}", learned.reason);
    assert_eq!(Success::of(0, 0).rate, None);
}

#[test]
fn fields_learn_apart_and_the_latest_count() {
    let mut outcomes = debates("Law ", false, 20, 0);
    outcomes.extend(debates("medicine", false, 20, 20));
    outcomes.extend(debates("", false, 3, 0));
    let all = calibrate(&CalibrationSettings::default(), &BTreeMap::new(), &outcomes);
    let seen: Vec<(&str, Adjusted)> =
        all.iter().map(|one| (one.domain.as_str(), one.adjusted)).collect();
    let expected =
        [("general", Adjusted::Kept), ("law", Adjusted::Raised), ("medicine", Adjusted::Kept)];
    assert_eq!(seen, expected);
    // A bad past that is more than a window ago is forgotten.
    let mut outcomes = debates("law", false, 100, 0);
    outcomes.extend(debates("law", false, 100, 100));
    let all = calibrate(&CalibrationSettings::default(), &BTreeMap::new(), &outcomes);
    assert_eq!((all[0].adjusted, all[0].evidence.silent.debates), (Adjusted::Kept, 100));
}

#[test]
fn what_was_learned_becomes_a_threshold() {
    let learned = learned((20, 18), (20, 8));
    let config = learned.apply(&TricksterConfig::strict());
    assert!(near(config.hollow_detection_threshold, 0.47) && config.check().is_ok());
    assert!(near(config.min_quality_threshold, 0.7), "nothing else changes");
    assert!(near(sensitivity_of(threshold_of(0.37)), 0.37));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn sensitivity_stays_within_bounds_and_moves_one_step(
        into in 0..60_usize, into_well in 0..60_usize,
        left in 0..60_usize, left_well in 0..60_usize, before in -1.0..2.0_f64,
    ) {
        let settings = CalibrationSettings::default();
        let mut outcomes = debates("x", true, into, into_well);
        outcomes.extend(debates("x", false, left, left_well));
        let current = BTreeMap::from([("x".to_owned(), before)]);
        let one = calibrate(&settings, &current, &outcomes).remove(0);
        prop_assert!((settings.lowest..=settings.highest).contains(&one.sensitivity));
        prop_assert!((one.sensitivity - one.before).abs() <= settings.step + 1e-9);
        let signs = match one.adjusted {
            Adjusted::Raised => one.sensitivity >= one.before,
            Adjusted::Lowered => one.sensitivity <= one.before,
            Adjusted::Kept => near(one.sensitivity, one.before),
        };
        prop_assert!(signs);
        for share in [one.evidence.intervened, one.evidence.silent] {
            prop_assert!(share.low <= share.rate.unwrap_or(0.5) + 1e-12);
            prop_assert!(share.high >= share.rate.unwrap_or(0.5) - 1e-12);
        }
    }

    #[test]
    fn it_never_falls_because_debates_ended_well(count in 0..80_usize, silent in 0..5_usize) {
        let mut outcomes = debates("x", true, count, count);
        outcomes.extend(debates("x", false, silent, 0));
        for one in calibrate(&CalibrationSettings::default(), &BTreeMap::new(), &outcomes) {
            prop_assert_ne!(one.adjusted, Adjusted::Lowered);
        }
    }
}
