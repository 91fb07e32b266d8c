//! Rulings by rule, step by step.

use rebuttal_model::{Action, Apart, Confidence, ContradictionKind, Resolution, Ruling, Side};
use rebuttal_policy::{Authority, arbitrate};

use crate::kit::{Backed, contradiction, example, reading, side, values};

fn rule(sides: impl Into<Vec<Side>>) -> Resolution {
    arbitrate(&values(sides), &example())
}

fn decided_by(resolution: &Resolution) -> Option<&str> {
    resolution.steps.iter().find(|step| step.decided).map(|step| step.looked_at.as_str())
}

#[test]
fn the_fresher_source_wins_where_authority_ties() {
    let resolution = rule([
        side("A", 5.0, "5%").cites("IMF").dated("2022").sure(0.9),
        side("B", 7.0, "7%").cites("Oxfam").dated("2024"),
    ]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert_eq!(decided_by(&resolution), Some("freshness"));
    assert_eq!(resolution.confidence, Confidence::detector(0.75));
}

#[test]
fn a_year_and_its_quarter_are_equally_fresh() {
    let resolution = rule([
        side("A", 5.0, "5%").cites("IMF").dated("2024"),
        side("B", 7.0, "7%").cites("Oxfam").dated("Q4-2024"),
    ]);
    assert_eq!(resolution.resolution, None);
}

#[test]
fn an_undated_source_is_not_an_older_one() {
    let resolution = rule([
        side("A", 5.0, "5%").cites("IMF").dated("2024").sure(0.5),
        side("B", 7.0, "7%").cites("Oxfam").sure(0.9),
    ]);
    let freshness = &resolution.steps[2];
    assert_eq!(
        freshness.saw,
        "A's source is from 2024 and B gives no date; none is known to be more recent."
    );
    // Its date counts as completeness, and only there.
    assert_eq!(decided_by(&resolution), Some("citation completeness"));
}

#[test]
fn the_complete_citation_wins_over_none() {
    let resolution = rule([
        side("A", 5.0, "5%").sure(1.0),
        side("B", 7.0, "7%").cites("Oxfam").fully().sure(0.1),
    ]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert_eq!(
        resolution.explanation,
        "Same thing: nothing says that the sides speak of different things. Source authority: A names \
         no source and B cites Oxfam; the policy ranks none above another. Freshness: A gives no date \
         and B gives no date; none is known to be more recent. Decided by citation completeness: A \
         cites nothing and B names its source, quotes the value and says where to look it up; more \
         complete is the citation of B. B's 7% stands."
    );
}

#[test]
fn a_missing_confidence_is_no_zero() {
    let resolution = rule([side("A", 5.0, "5%").sure(0.01), side("B", 7.0, "7%")]);
    assert_eq!((resolution.resolution, resolution.action), (None, Action::FlagForReview));
    assert!(resolution.explanation.starts_with(
        "Tied on source authority, freshness, citation completeness and stated confidence: a person \
         must look."
    ));
    assert!(resolution.explanation.contains("B states no confidence"));
}

#[test]
fn a_known_source_beats_an_unknown_one() {
    let resolution = rule([
        side("A", 5.0, "5%").cites("My Blog").dated("2026").fully().sure(1.0),
        side("B", 7.0, "7%").cites("World-Bank WDI"),
    ]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert_eq!(resolution.confidence, Confidence::detector(0.75));
}

#[test]
fn a_source_may_stand_in_the_citation_only() {
    let mut known = side("A", 5.0, "5%").cites("GCC-STAT");
    known.citation.as_mut().unwrap().source = None;
    let resolution = rule([known, side("B", 7.0, "7%").cites("World Bank").fully()]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(0)));
}

#[test]
fn two_that_agree_win_only_through_the_steps() {
    let crowd = [
        side("A", 5.0, "5%").cites("Oxfam").sure(0.9),
        side("B", 5.0, "5.0%").cites("IMF").sure(0.9),
        side("C", 7.0, "7%").cites("GCC-STAT").sure(0.1),
    ];
    assert_eq!(rule(crowd).resolution, Some(Ruling::Correct(2)));
}

#[test]
fn within_a_camp_the_best_cited_is_recommended() {
    let resolution = rule([
        side("A", 4.6, "4.6%").sure(0.9),
        side("B", 4.64, "4.64%").cites("GCC-STAT").fully().sure(0.3),
        side("C", 7.0, "7%").cites("World Bank").sure(0.5),
    ]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert_eq!(resolution.recommended_value, Some(4.64));
    let last = resolution.steps.last().unwrap();
    assert_eq!(last.saw, "A and B say the same; B is the best cited.");
}

#[test]
fn a_side_of_another_year_stands_aside() {
    let resolution = rule([
        side("A", 5.0, "5%").during("2023").cites("GCC-STAT"),
        side("B", 6.0, "6%").during("2024").sure(0.9),
        side("C", 7.0, "7%").during("2024").sure(0.8),
    ]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert!(resolution.steps[0].saw.starts_with("A's 5% is for 2023, which disputes nothing"));
}

#[test]
fn two_disputes_in_one_are_for_a_person() {
    let sides = ["2023", "2023", "2024", "2024"].into_iter().enumerate();
    let sides: Vec<Side> = sides
        .map(|(index, year)| {
            let (agent, shown) = (["A", "B", "C", "D"][index], ["5%", "6%", "7%", "8%"][index]);
            side(agent, [5.0, 6.0, 7.0, 8.0][index], shown).during(year).sure(0.9)
        })
        .collect();
    let resolution = rule(sides);
    assert_eq!((resolution.resolution, resolution.action), (None, Action::FlagForReview));
}

#[test]
fn apart_is_believed_unless_the_days_are_the_same() {
    let sides = |one: &str, two: &str| {
        [side("A", 5.0, "5%").during(one).sure(0.9), side("B", 6.0, "6%").during(two).sure(0.5)]
    };
    let mut apart = values(sides("last spring", "2024"));
    apart.apart = Some(Apart::Period);
    assert_eq!(arbitrate(&apart, &example()).resolution, Some(Ruling::BothValid));
    apart.sides = values(sides("2024", "2024")).sides;
    assert_eq!(arbitrate(&apart, &example()).resolution, Some(Ruling::Correct(0)));
    apart.apart = Some(Apart::Definition);
    let resolution = arbitrate(&apart, &example());
    assert_eq!(resolution.resolution, Some(Ruling::BothValid));
    assert!(resolution.explanation.contains("different definitions"));
}

#[test]
fn one_source_with_two_numbers_was_copied_wrongly() {
    let sides = [
        side("A", 5.0, "5%").cites("GCC-STAT").dated("2024"),
        side("B", 7.0, "7%").cites("gcc stat").dated("2024").fully(),
    ];
    let resolution = arbitrate(&contradiction(ContradictionKind::SourceData, sides), &example());
    assert_eq!(decided_by(&resolution), Some("citation completeness"));
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert!(resolution.explanation.contains("so one was copied wrongly"));
}

#[test]
fn interpretations_are_ruled_on_without_a_value() {
    let sides = [
        reading("A", "improving").cites("World Bank"),
        reading("B", "improved").cites("GCC-STAT"),
        reading("C", "declining").cites("World Bank").sure(0.99),
    ];
    let resolution =
        arbitrate(&contradiction(ContradictionKind::Interpretation, sides), &example());
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
    assert_eq!(resolution.recommended_value, None);
    assert!(resolution.explanation.contains("A and B say the same"), "{}", resolution.explanation);
}

#[test]
fn opposite_readings_are_never_taken_for_agreement() {
    for (one, two) in [("rising", "rising"), ("safe", "isn't safe"), ("rose", "rise")] {
        let sides = [reading("A", one).sure(0.8), reading("B", two).sure(0.8)];
        let dispute = contradiction(ContradictionKind::Interpretation, sides);
        let resolution = arbitrate(&dispute, &example());
        assert_eq!((resolution.resolution, resolution.action), (None, Action::FlagForReview));
    }
}

#[test]
fn nobody_is_wrong_where_only_confidence_differs() {
    let sides =
        [side("A", 0.10, "0.10%").cites("GCC-STAT").sure(0.9), side("B", 0.10, "0.10%").sure(0.3)];
    let resolution = arbitrate(&contradiction(ContradictionKind::Confidence, sides), &example());
    assert_eq!(resolution.resolution, Some(Ruling::BothValid));
    assert_eq!((resolution.action, resolution.recommended_value), (Action::UseBoth, Some(0.10)));
    assert_eq!(
        resolution.explanation,
        "The same is said by A with confidence 0.9 and B with confidence 0.3. Nobody is wrong about \
         what is said; the confidences are kept, to be read as a range."
    );
}

#[test]
fn what_is_no_dispute_is_not_ruled_on() {
    let same = rule([side("A", 5.0, "5%").cites("GCC-STAT"), side("B", 5.0, "5 %")]);
    assert_eq!(same.resolution, Some(Ruling::BothValid));
    for sides in [vec![], vec![side("A", 5.0, "5%")]] {
        let resolution = arbitrate(&values(sides), &Authority::default());
        assert_eq!((resolution.resolution, resolution.action), (None, Action::FlagForReview));
    }
    let nan = rule([side("A", f64::NAN, "n/a"), side("B", 5.0, "5%").sure(0.5)]);
    assert_eq!(nan.resolution, None);
}

#[test]
fn values_that_only_round_alike_can_still_be_in_dispute() {
    let resolution = rule([side("A", 0.1, "0.1%").sure(0.4), side("B", 0.12, "0.12%").sure(0.6)]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(1)));
}

#[test]
fn a_majority_needs_the_greater_confidence_as_well() {
    let crowd = |confidences: [f64; 3]| {
        let [a, b, c] = confidences;
        rule([
            side("A", 8e9, "$8bn").sure(a),
            side("B", 8e9, "$8.0bn").sure(b),
            side("C", 11e9, "$11bn").sure(c),
        ])
    };
    let resolution = crowd([0.7, 0.7, 0.75]);
    assert_eq!(resolution.resolution, Some(Ruling::Correct(0)));
    assert_eq!(decided_by(&resolution), Some("confidence and majority"));
    assert_eq!(
        resolution.steps.iter().find(|step| step.decided).unwrap().saw,
        "A (confidence 0.7) and B (confidence 0.7) say $8bn; C (confidence 0.75) says $11bn; most \
         agents agree, and their confidences add up to the most."
    );
    let torn = crowd([0.2, 0.3, 0.9]);
    assert_eq!((torn.resolution, torn.action), (None, Action::FlagForReview));
    assert!(torn.explanation.contains("but their confidences are not known"));
}

#[test]
fn without_a_majority_a_person_must_look() {
    let even = rule([
        side("A", 5.0, "5%").sure(0.9),
        side("B", 5.0, "5%").sure(0.9),
        side("C", 7.0, "7%").sure(0.2),
        side("D", 7.0, "7%").sure(0.2),
    ]);
    assert_eq!((even.resolution, even.action), (None, Action::FlagForReview));
    // An agent that repeats itself is one agent.
    let twice = [
        side("A", 5.0, "5%").sure(0.4),
        side("A", 5.0, "5%").sure(0.4),
        side("B", 7.0, "7%").sure(0.6),
    ];
    assert_eq!(rule(twice).resolution, Some(Ruling::Correct(2)));
    let silent = rule([side("A", 5.0, "5%"), side("B", 5.0, "5%"), side("C", 7.0, "7%")]);
    assert_eq!(silent.resolution, Some(Ruling::Correct(0)));
    // Who does not say how sure it is may be quite sure.
    let unsure = rule([
        side("A", 5.0, "5%").sure(0.4),
        side("B", 5.0, "5%").sure(0.4),
        side("C", 7.0, "7%"),
    ]);
    assert_eq!(unsure.resolution, None);
}

#[test]
fn a_third_source_may_settle_what_was_copied_wrongly() {
    let sides = [
        side("A", 7.0, "7.0%").cites("World Bank"),
        side("B", 9.0, "9.0%").cites("World Bank"),
        side("C", 7.0, "7.0%").cites("GCC-STAT"),
    ];
    let resolution = arbitrate(&contradiction(ContradictionKind::SourceData, sides), &example());
    assert_eq!(decided_by(&resolution), Some("source authority"));
    assert_eq!(resolution.resolution, Some(Ruling::Correct(2)));
}
