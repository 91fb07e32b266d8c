//! The test plan and the scenario of the seed document.

use rebuttal_model::{Action, ConsensusResult, ContradictionKind, Report, Ruling};
use rebuttal_policy::{Authority, adjusted_text, arbitrate, consensus};

use crate::kit::{Backed, contradiction, example, reports, side, values};

#[test]
fn no_contradictions() {
    let agents = ["A", "B", "C"].map(|agent| side(agent, 0.10, "0.10%"));
    let reports = reports(&values(agents));
    let result = consensus(&[], &[], &reports);
    assert_eq!(
        result,
        ConsensusResult {
            resolved_contradictions: 0,
            flagged_for_review: 0,
            consensus_narrative: "The reports do not contradict each other.".into(),
            adjusted_reports: reports,
        }
    );
}

#[test]
fn simple_contradiction_goes_to_the_higher_confidence() {
    let sides = [
        side("LabourEconomist", 0.10, "0.10%").cites("GCC-STAT").dated("2024").sure(0.85),
        side("NationalStrategy", 0.12, "0.12%").cites("GCC-STAT").dated("2024").sure(0.9),
    ];
    let resolution = arbitrate(&contradiction(ContradictionKind::SourceData, sides), &example());
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert_eq!(resolution.recommended_value, Some(0.12));
    let decided: Vec<&str> = resolution
        .steps
        .iter()
        .filter(|step| step.decided)
        .map(|step| step.looked_at.as_str())
        .collect();
    assert_eq!(decided, ["stated confidence"]);
    assert!(resolution.explanation.contains("copied wrongly"), "{}", resolution.explanation);
    assert!((resolution.confidence.value() - 0.525).abs() < 1e-9);
}

#[test]
fn source_conflict_goes_to_the_authority() {
    // However sure the other one is, and however fresh and complete its citation.
    let sides = [
        side("NationalStrategy", 0.12, "0.12%").cites("World Bank").dated("2024").fully().sure(1.0),
        side("LabourEconomist", 0.10, "0.10%").cites("GCC-STAT").dated("2020").sure(0.1),
    ];
    let resolution = arbitrate(&values(sides), &example());
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert_eq!(resolution.action, Action::Use(1));
    assert!(resolution.explanation.contains("ranks GCC-STAT above World Bank"));
    assert_eq!(
        resolution.recommended_citation.as_deref(),
        Some("[Per extraction: '0.10%' from GCC-STAT 2020]")
    );
}

#[test]
fn both_valid_for_different_periods() {
    let sides = [
        side("A", 0.10, "0.10%").during("2023").sure(0.9),
        side("B", 0.12, "0.12%").during("2024").sure(0.2),
    ];
    let resolution = arbitrate(&values(sides), &example());
    assert_eq!(resolution.resolution, Some(Ruling::BothValid));
    assert_eq!(resolution.action, Action::UseBoth);
    assert_eq!(
        resolution.explanation,
        "Not the same thing: A's 0.10% is for 2023 and B's 0.12% is for 2024; each holds for its \
         own period."
    );
}

#[test]
fn three_values_one_ruling() {
    let sides = [
        side("A", 0.10, "0.10%").cites("GCC-STAT").sure(0.7),
        side("B", 0.12, "0.12%").cites("World Bank").sure(0.9),
        side("C", 0.15, "0.15%").cites("GCC-STAT").sure(0.8),
    ];
    let resolution = arbitrate(&values(sides), &example());
    // Authority leaves A and C; surer is C.
    assert_eq!(resolution.resolution, Some(Ruling::Correct(2)));
    let saw: Vec<&str> = resolution.steps.iter().map(|step| step.saw.as_str()).collect();
    assert_eq!(
        saw,
        [
            "nothing says that the sides speak of different things.",
            "A cites GCC-STAT, B cites World Bank and C cites GCC-STAT; the policy ranks GCC-STAT \
             above World Bank.",
            "A gives no date and C gives no date; none is known to be more recent.",
            "A names its source and C names its source; no citation is more complete.",
            "A states confidence 0.7 and C states confidence 0.8; surer is C.",
        ]
    );
}

#[test]
fn the_scenario() {
    let sides = [
        side("LabourEconomist", 0.10, "0.10%")
            .cites("GCC-STAT")
            .dated("Q1-2024")
            .during("Q1-2024")
            .sure(0.9),
        side("NationalStrategy", 0.12, "0.12%")
            .cites("World Bank")
            .dated("2024")
            .during("2024")
            .sure(0.85),
    ];
    let contradiction = values(sides);
    let reports = reports(&contradiction);
    let resolution = arbitrate(&contradiction, &example());
    let result = consensus(&[contradiction], &[resolution], &reports);
    assert_eq!((result.resolved_contradictions, result.flagged_for_review), (1, 0));
    assert_eq!(
        result.consensus_narrative,
        "Qatar unemployment rate ranges 0.10-0.12% depending on source and period. GCC-STAT reports \
         0.10% for Q1-2024, while World Bank reports 0.12% for full year 2024."
    );
    let texts: Vec<String> = result.adjusted_reports.iter().map(adjusted_text).collect();
    assert_eq!(
        texts,
        [
            "LabourEconomist finds 0.10%. [By rules: Holds for Q1-2024, beside 0.12% (World Bank) for \
             2024.] And so on.",
            "NationalStrategy finds 0.12%. [By rules: Holds for 2024, beside 0.10% (GCC-STAT) for \
             Q1-2024.] And so on.",
        ]
    );
    let untouched = |report: &Report| report.text.clone();
    assert!(reports.iter().map(untouched).eq(result.adjusted_reports.iter().map(untouched)));
}

#[test]
fn without_a_policy_no_source_is_better() {
    let sides =
        [side("A", 0.10, "0.10%").cites("GCC-STAT"), side("B", 0.12, "0.12%").cites("World Bank")];
    let resolution = arbitrate(&values(sides), &Authority::default());
    assert_eq!((resolution.resolution, resolution.action), (None, Action::FlagForReview));
}
