//! The five test cases of seed 002 and its scenario, from texts to consensus.

use std::sync::Mutex;

use rebuttal_llm::Scripted;
use rebuttal_model::{Action, AgentId, Confidence, Ruling, Severity, Whose};

use super::*;

fn report(agent: &str, text: &str, confidence: f64) -> Report {
    let confidence = Confidence::new(confidence, Whose::Stated);
    Report { confidence, ..Report::new(AgentId::new(agent), text) }
}

fn reconciled(reports: &[Report]) -> Reconciliation {
    let (authority, problems) = Authority::read(Authority::EXAMPLE, "sources.toml");
    assert_eq!(problems, []);
    reconcile(reports, &Settings { authority: &authority, ..Settings::default() }, &|_| ())
}

#[test]
fn the_scenario() {
    let outcome = reconciled(&[
        report(
            "LabourEconomist",
            "Qatar unemployment is [Per extraction: '0.10%' from GCC-STAT Q1-2024]",
            0.90,
        ),
        report(
            "NationalStrategy",
            "Qatar unemployment is [Per extraction: '0.12%' from World Bank 2024]",
            0.85,
        ),
    ]);
    let [found] = outcome.contradictions.as_slice() else { panic!("{outcome:#?}") };
    assert_eq!(found.metric_name, "qatar_unemployment_rate");
    assert_eq!(found.severity, Severity::Medium);
    let [ruling] = outcome.resolutions.as_slice() else { panic!("{outcome:#?}") };
    assert_eq!(ruling.resolution, Some(Ruling::BothValid));
    assert_eq!(ruling.action, Action::UseBoth);
    assert_eq!(outcome.consensus.resolved_contradictions, 1);
    assert_eq!(outcome.consensus.flagged_for_review, 0);
    let narrative = &outcome.consensus.consensus_narrative;
    for part in ["0.10", "0.12%", "GCC-STAT", "World Bank", "Q1-2024", "2024"] {
        assert!(narrative.contains(part), "{part}: {narrative}");
    }
}

#[test]
fn no_contradictions_are_skipped_and_nobody_is_asked() {
    let reports = [
        report("a", "Unemployment in Qatar was 0.10 % in 2024.", 0.9),
        report("b", "Qatar's jobless rate stood at 0.1% in 2024.", 0.9),
        report("c", "In 2024 the unemployment rate of Qatar was 0.10 percent.", 0.9),
    ];
    let arbiter = Scripted::new("judge", Vec::<&str>::new());
    let heard = Mutex::new(Vec::new());
    let settings = Settings { arbiter: Some(&arbiter), ..Settings::default() };
    let outcome =
        reconcile(&reports, &settings, &|event| heard.lock().unwrap().push(event.clone()));
    assert_eq!(outcome.status, Status::Skipped);
    assert_eq!(outcome.consensus.adjusted_reports, reports);
    assert_eq!(arbiter.requests().len(), 0);
    let heard = heard.into_inner().unwrap();
    assert!(matches!(heard.as_slice(), [Event::Running { reports: 3 }, Event::Skipped { .. }]));
}

#[test]
fn one_source_goes_by_confidence() {
    let outcome = reconciled(&[
        report("a", "Unemployment in Qatar was 0.10 % in 2024 (GCC-STAT, 2024).", 0.7),
        report("b", "Unemployment in Qatar was 0.20 % in 2024 (GCC-STAT, 2024).", 0.9),
    ]);
    assert_eq!(outcome.resolutions[0].resolution, Some(Ruling::Correct(1)));
}

#[test]
fn the_better_source_wins() {
    let outcome = reconciled(&[
        report("a", "According to the World Bank, unemployment in Qatar was 0.20 % in 2024.", 0.9),
        report("b", "According to GCC-STAT, unemployment in Qatar was 0.10 % in 2024.", 0.6),
    ]);
    assert_eq!(outcome.resolutions[0].resolution, Some(Ruling::Correct(1)));
    assert_eq!(outcome.resolutions[0].recommended_value, Some(0.10));
}

#[test]
fn three_values_are_one_ruling() {
    let outcome = reconciled(&[
        report("a", "According to the World Bank, unemployment in Qatar was 0.2 % in 2024.", 0.8),
        report("b", "According to GCC-STAT, unemployment in Qatar was 0.1 % in 2024.", 0.9),
        report("c", "Unemployment in Qatar was 0.4 % in 2024.", 0.95),
    ]);
    assert_eq!(outcome.contradictions.len(), 1);
    assert_eq!(outcome.resolutions[0].resolution, Some(Ruling::Correct(1)));
}

#[test]
fn reconciling_again_changes_nothing() {
    let reports = [
        report("a", "Exports of Chile were $80 billion in 2018. Exports are rising.", 0.8),
        report("b", "Exports of Chile were $92 billion in 2018. Exports are falling.", 0.6),
    ];
    let once = reconciled(&reports);
    let twice = reconciled(&once.consensus.adjusted_reports);
    assert_eq!(once.consensus.adjusted_reports, twice.consensus.adjusted_reports);
    assert!(!once.consensus.adjusted_reports[1].adjustments.is_empty());
}
