//! Consensus, its narrative, and the adjusted reports.

use rebuttal_model::{
    Action, AgentId, Arbiter, Confidence, Contradiction, ContradictionKind, FindingId, Resolution,
    Ruling, Severity, Whose,
};
use rebuttal_policy::{adjust, adjusted_text, arbitrate, consensus};

use crate::kit::{Backed, contradiction, example, reading, reports, side, values};

fn told(contradiction: &Contradiction) -> String {
    let resolution = arbitrate(contradiction, &example());
    let all = std::slice::from_ref(contradiction);
    consensus(all, &[resolution], &reports(contradiction)).consensus_narrative
}

/// A ruling by some arbiter.
fn ruling(by: &str, resolution: Option<Ruling>, confidence: f64) -> Resolution {
    let action = match resolution {
        Some(Ruling::Correct(side)) => Action::Use(side),
        Some(Ruling::BothValid) => Action::UseBoth,
        Some(Ruling::NeitherValid) | None => Action::FlagForReview,
    };
    Resolution {
        contradiction: FindingId::new("r-1"),
        resolution,
        explanation: format!("{by} says so."),
        steps: Vec::new(),
        recommended_value: None,
        recommended_citation: None,
        confidence: Confidence::new(confidence, Whose::Stated).unwrap(),
        action,
        by: match by {
            "rules" => Arbiter::Rules,
            "human" => Arbiter::Human,
            _ => Arbiter::Agent(AgentId::new(by)),
        },
    }
}

fn two() -> Contradiction {
    values([side("A", 5.0, "5%").cites("IMF"), side("B", 7.0, "7%").cites("Oxfam")])
}

#[test]
fn a_winner_is_told_with_its_rivals() {
    let mut exports = values([
        side("A", 391.6e9, "391.6 billion USD").cites("GCC-STAT").during("2018"),
        side("B", 327.3e9, "327.3 billion").cites("World Bank").during("2018"),
        side("C", 327.3e9, "327.3 billion").cites("World Bank").during("2018"),
        side("D", 300e9, "$300 billion").during("2018"),
    ]);
    (exports.metric, exports.entity) = ("exports".into(), Some("Australia".into()));
    assert_eq!(
        told(&exports),
        // D names no source, which is no loss before completeness.
        "Exports of Australia: 391.6 billion USD for 2018 (GCC-STAT), not 327.3 billion (World Bank) \
         or $300 billion (D, no source named): decided by citation completeness."
    );
}

#[test]
fn every_kind_has_its_sentence() {
    let copied = contradiction(
        ContradictionKind::SourceData,
        [side("A", 5.0, "5%").cites("IMF").sure(0.9), side("B", 7.0, "7%").cites("IMF").sure(0.5)],
    );
    assert_eq!(
        told(&copied),
        "Unemployment rate of Qatar: 5% (IMF), not 7% (IMF): decided by stated confidence. One of the \
         numbers was copied wrongly."
    );
    let readings = |one: &str, two: &str| {
        contradiction(
            ContradictionKind::Interpretation,
            [
                reading("A", "improving").during(one).sure(0.9),
                reading("B", "declining").during(two),
            ],
        )
    };
    let mut ruled = readings("2024", "2024");
    ruled.sides[1].confidence = Confidence::new(0.2, Whose::Stated);
    assert_eq!(
        told(&ruled),
        "Unemployment rate of Qatar: “improving” for 2024 (A, no source named), not “declining” (B, \
         no source named): decided by stated confidence."
    );
    assert_eq!(
        told(&readings("2023", "2024")),
        "Qatar unemployment rate: what holds depends on period. A reports “improving” for 2023, while \
         B reports “declining” for 2024."
    );
    let gap = contradiction(
        ContradictionKind::Confidence,
        [side("A", 5.0, "5%").sure(0.9), side("B", 5.0, "5%").sure(0.4)],
    );
    assert_eq!(
        told(&gap),
        "Unemployment rate of Qatar: 5% is held with confidence 0.9 by A and with confidence 0.4 by B; \
         what is said is not in question."
    );
    assert_eq!(
        told(&two()),
        "Unemployment rate of Qatar: 5% (IMF) or 7% (Oxfam). Flagged for review. Tied on source \
         authority, freshness, citation completeness and stated confidence: a person must look."
    );
}

#[test]
fn ranges_are_written_as_the_values_are() {
    let range = |one: (f64, &str), two: (f64, &str)| {
        told(&values([
            side("A", one.0, one.1).during("2023"),
            side("B", two.0, two.1).during("2024"),
        ]))
    };
    let starts = |text: String, start: &str| assert!(text.starts_with(start), "{text}");
    starts(
        range((12.0, "$12 million"), (9.0, "$9 million")),
        "Qatar unemployment rate ranges $9-12 million depending on period.",
    );
    starts(
        range((12e6, "$12 million"), (9e3, "9,000")),
        "Qatar unemployment rate ranges from 9,000 to $12 million",
    );
    starts(range((-2.0, "-2%"), (3.0, "3%")), "Qatar unemployment rate ranges from -2% to 3%");
}

#[test]
fn a_metric_that_names_its_entity_names_it_once() {
    let mut two = two();
    two.metric = "Qatar's unemployment".into();
    assert!(told(&two).starts_with("Qatar's unemployment: 5%"), "{}", told(&two));
}

#[test]
fn names_keep_their_and() {
    let sides = [
        side("A", 5.0, "5%").cites("Planning and Statistics"),
        side("B", 7.0, "7%").cites("Oxfam"),
    ];
    let text = told(&values(sides));
    assert!(text.contains("5% (Planning and Statistics) or 7% (Oxfam)."), "{text}");
}

#[test]
fn many_periods_are_told_in_part() {
    let sides: Vec<_> = (0..9u8)
        .map(|index| {
            side("A", f64::from(index), &format!("{index}%")).during(&format!("201{index}"))
        })
        .collect();
    let text = told(&values(sides));
    assert!(text.ends_with("A reports 5% for 2015, while others differ."), "{text}");
}

#[test]
fn a_long_story_is_cut_short() {
    let many: Vec<Contradiction> = (0..25)
        .map(|index| {
            let mut one = two();
            one.id = FindingId::new(format!("r-{index}"));
            one.metric = format!("metric {index}");
            one.severity = if index == 24 { Severity::High } else { Severity::Low };
            one
        })
        .collect();
    let resolutions: Vec<Resolution> = many.iter().map(|one| arbitrate(one, &example())).collect();
    let result = consensus(&many, &resolutions, &reports(&two()));
    let lines: Vec<&str> = result.consensus_narrative.lines().collect();
    assert_eq!(lines.len(), 21);
    assert!(lines[19].starts_with("Metric 24 of Qatar"), "the most severe are told");
    assert_eq!(lines[20], "And 5 more: 0 resolved, 5 flagged for review.");
    assert_eq!((result.resolved_contradictions, result.flagged_for_review), (0, 25));
}

fn settled(rulings: &[Resolution]) -> (usize, usize, String) {
    let two = two();
    let result = consensus(std::slice::from_ref(&two), rulings, &reports(&two));
    (result.resolved_contradictions, result.flagged_for_review, result.consensus_narrative)
}

#[test]
fn the_majority_is_weighted_by_confidence() {
    let (one, other) = (Some(Ruling::Correct(0)), Some(Ruling::Correct(1)));
    let (resolved, _, text) =
        settled(&[ruling("x", one, 0.9), ruling("y", other, 0.4), ruling("z", other, 0.4)]);
    assert_eq!(resolved, 1);
    assert!(text.ends_with("5% (IMF), not 7% (Oxfam): decided by x."), "{text}");
    let (resolved, _, text) =
        settled(&[ruling("x", one, 0.7), ruling("y", other, 0.4), ruling("z", other, 0.5)]);
    assert_eq!(resolved, 1);
    assert!(text.ends_with("decided by z."), "{text}");
}

#[test]
fn a_split_is_for_a_person() {
    let rulings = [
        ruling("rules", Some(Ruling::Correct(0)), 0.5),
        ruling("judge", Some(Ruling::Correct(1)), 0.5),
    ];
    let (resolved, flagged, text) = settled(&rulings);
    assert_eq!((resolved, flagged), (0, 1));
    assert!(
        text.ends_with(
            "Flagged for review. The arbiters are split, so a person must look: rules says \
             agent1_correct and judge says agent2_correct."
        ),
        "{text}"
    );
    let zero = rulings.map(|ruling| Resolution { confidence: Confidence::detector(0.0), ..ruling });
    assert_eq!(settled(&zero).1, 1);
}

#[test]
fn a_person_has_the_last_word() {
    let rulings = [
        ruling("x", Some(Ruling::Correct(0)), 1.0),
        ruling("human", Some(Ruling::Correct(0)), 0.1),
        ruling("human", Some(Ruling::Correct(1)), 0.1),
    ];
    assert!(settled(&rulings).2.ends_with("7% (Oxfam), not 5% (IMF): decided by a person."));
}

#[test]
fn several_that_say_both_are_kept_with_their_reasons() {
    let two = two();
    let rulings =
        [ruling("x", Some(Ruling::BothValid), 0.5), ruling("y", Some(Ruling::BothValid), 0.9)];
    let adjusted = adjust(&reports(&two), std::slice::from_ref(&two), &rulings);
    assert_eq!(adjusted[0].adjustments[0].why, "y says so. x says so.");
    assert_eq!(adjusted[0].adjustments[0].note, "Holds, beside 7% (Oxfam).");
}

#[test]
fn what_nobody_ruled_on_is_flagged_and_not_adjusted() {
    let other = Resolution {
        contradiction: FindingId::new("r-9"),
        ..ruling("x", Some(Ruling::Correct(0)), 0.9)
    };
    let two = two();
    let result = consensus(std::slice::from_ref(&two), &[other], &reports(&two));
    assert_eq!((result.resolved_contradictions, result.flagged_for_review), (0, 1));
    assert!(result.consensus_narrative.ends_with("Nobody has ruled on it."));
    assert_eq!(result.adjusted_reports, reports(&two));
    let (_, flagged, _) = settled(&[ruling("x", Some(Ruling::NeitherValid), 0.9)]);
    assert_eq!(flagged, 1);
    let (_, flagged, _) = settled(&[ruling("x", Some(Ruling::Correct(7)), 0.9)]);
    assert_eq!(flagged, 1, "a side that does not exist");
}

#[test]
fn reports_get_notes_and_keep_their_text() {
    let contradiction =
        values([side("A", 5.0, "5%").cites("GCC-STAT"), side("B", 7.0, "7%").cites("World Bank")]);
    let before = reports(&contradiction);
    let resolution = arbitrate(&contradiction, &example());
    let after = adjust(&before, std::slice::from_ref(&contradiction), &[resolution]);
    let texts: Vec<String> = after.iter().map(adjusted_text).collect();
    assert_eq!(
        texts,
        [
            "A finds 5%. [By rules: Upheld against 7% (World Bank); decided by source authority.] And \
             so on.",
            "B finds 7%. [By rules: Ruled out: use 5% (GCC-STAT) instead; decided by source \
             authority.] And so on.",
        ]
    );
    let values: Vec<Option<f64>> =
        after.iter().map(|report| report.adjustments[0].recommended_value).collect();
    assert_eq!(values, [None, Some(5.0)]);
    assert_eq!(after[1].adjustments[0].original, "B finds 7%.");
}

#[test]
fn a_note_never_lands_on_somebody_elses_words() {
    let contradiction = two();
    let resolution = arbitrate(&contradiction, &example());
    let mut before = reports(&contradiction);
    before.reverse();
    before[0].text = "é".into();
    let after = adjust(&before, &[contradiction], &[resolution]);
    assert_eq!(after, before);
}
