//! Two reports side by side: what conflicts and what does not.

use rebuttal_model::{AgentId, Apart, ContradictionKind, Report, Severity};

use super::*;

fn found(texts: &[&str]) -> Vec<Contradiction> {
    let names = ["Ann", "Ben", "Cid", "Dee"];
    let reports: Vec<Report> = texts
        .iter()
        .zip(names)
        .map(|(text, name)| Report::new(AgentId::new(name), *text))
        .collect();
    contradictions(&reports, &ContradictionOptions::default(), Reader::Rules)
}

#[test]
fn the_example_of_the_seed() {
    let found = found(&[
        "Qatar unemployment is [Per extraction: '0.10%' from GCC-STAT Q1-2024]",
        "Qatar unemployment is [Per extraction: '0.12%' from World Bank 2024]",
    ]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].metric_name, "qatar_unemployment_rate");
    assert_eq!(found[0].severity, Severity::Medium);
    assert_eq!(found[0].apart, Some(Apart::Period));
    assert!((found[0].relative_difference.unwrap() - 0.2).abs() < 1e-9);
}

#[test]
fn values_that_agree() {
    for (a, b) in [
        (
            "Brazil's exports were $317.1 billion in 2018.",
            "Brazil's exports were 317,064 million dollars in 2018.",
        ),
        ("Inflation in Togo was 4.6 % in 2017.", "Inflation in Togo was 4.60 % in 2017."),
        ("Inflation in Togo was 4.6 % in 2017.", "Inflation in Togo was 4.64 % in 2017."),
        ("Unemployment was 4.6 % in 2017.", "Unemployment was 4.9 % in 2018."),
        ("CPI inflation was 4.6 % in 2017.", "The GDP deflator was 6.9 % in 2017."),
        (
            "Real GDP was $20 billion (in 2015 dollars).",
            "Real GDP was $25 billion (in 2017 dollars).",
        ),
        ("The village has more than 325 inhabitants.", "The village has 400 inhabitants."),
        ("Margins were 10 to 12 %.", "Margins were 11 %."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
}

#[test]
fn values_that_conflict() {
    for (a, b) in [
        ("Growth in Togo was -2.5 % in 2017.", "Growth in Togo was +2.5 % in 2017."),
        ("The village has more than 325 inhabitants.", "The village has 300 inhabitants."),
        ("GDP shrank by 2.5 % in 2020.", "GDP grew by 2.5 % in 2020."),
        ("The jobless rate in Mali was 4 %.", "Mali's rate of unemployment stood at 6.5 per cent."),
        ("Net debt was zero dollars in 2020.", "Net debt was 40 dollars in 2020."),
        (
            "The p99 latency of checkout is 20 ms.",
            "Checkout's 99th percentile response time is 0.2 s.",
        ),
    ] {
        let found = found(&[a, b]);
        assert_eq!(found.len(), 1, "{a} {b} {found:#?}");
    }
}

#[test]
fn one_group_of_three() {
    let found = found(&[
        "Inflation in Chile was 4.6 % in 2017.",
        "Chile's inflation was 5.6 % in 2017.",
        "In 2017 inflation in Chile was 7.6 %.",
    ]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].sides.len(), 3);
}

#[test]
fn one_source_quoted_twice() {
    let found = found(&[
        "According to the World Bank, Chile's inflation was 4.6 % in 2017.",
        "According to the World Bank, inflation in Chile was 6.4 % in 2017.",
    ]);
    assert_eq!(found[0].kind, ContradictionKind::SourceData);
}

#[test]
fn opposite_readings() {
    for (a, b) in [
        ("The labour market is improving.", "The labour market is declining."),
        (
            "The session cache is safe for production.",
            "The session cache is not safe for production.",
        ),
        ("We should adopt Kubernetes for billing.", "We should avoid Kubernetes for billing."),
        ("Exports are rising.", "Exports are falling."),
    ] {
        let found = found(&[a, b]);
        assert_eq!(found.len(), 1, "{a} {b}");
        assert_eq!(found[0].kind, ContradictionKind::Interpretation);
    }
    for (a, b) in [
        ("Exports are rising.", "Imports are falling."),
        ("Exports of Chile are rising.", "Exports of Peru are falling."),
        ("The labour market is improving.", "The labour market is getting better."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
}

#[test]
fn identical_reports_agree() {
    let text =
        "Inflation was 4.6 % in 2017. Inflation was 9 % in 2017. Exports rose. Exports fell.";
    assert_eq!(found(&[text, text]), []);
}

#[test]
fn a_year_and_two_of_its_quarters_are_one_matter() {
    let found = found(&[
        "Kenya's growth was 5.1 % in Q2 2023.",
        "Kenya's growth was 5.6 % in 2023.",
        "Kenya's growth was 4.4 % in Q3 2023.",
    ]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].sides.len(), found[0].apart), (3, Some(Apart::Period)));
}

#[test]
fn what_tells_two_figures_apart() {
    for (a, b) in [
        ("Revenue at Acme was $7 billion in 2023.", "Acme revenue was $2 billion in the quarter."),
        ("Inflation in Canada was 3.9 % in 2023.", "Canadian inflation was 2.9 % in January."),
        ("US GDP grew 3.1 % year over year.", "US GDP grew 0.8 % quarter over quarter."),
        ("Wages in Peru rose by 14 % in 2023.", "Real wages in Peru fell by 3 % in 2023."),
        (
            "The response rate was 34 % in patients over 65.",
            "The response rate was 51 % in patients under 65.",
        ),
        ("At week 12 the response rate was 34 %.", "At week 24 the response rate was 51 %."),
        (
            "Before the migration, build time was 14 minutes.",
            "After the migration, build time was 6 minutes.",
        ),
        ("Backups run every 6 hours.", "Backups are kept for 30 days."),
        ("Poverty affects one in five children.", "Poverty affects 40 % of children."),
        ("Rising rates hurt small banks.", "Falling rates help small banks."),
        ("Rates may rise in 2025.", "Rates may fall in 2025."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
}

#[test]
fn a_modifier_tells_two_things_apart() {
    for (a, b) in [
        ("The new index improves read latency.", "The new index does not improve write latency."),
        ("The patch fixes the login bug.", "The patch does not fix the search bug."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
    let same =
        ["The new index improves read latency.", "The new index does not improve read latency."];
    assert_eq!(found(&same).len(), 1);
}

#[test]
fn none_and_earned_are_values() {
    for (a, b) in [
        ("There were no deaths in the treatment arm.", "There were 4 deaths in the treatment arm."),
        (
            "No incidents were recorded in Leeds in 2023.",
            "Seven incidents were recorded in Leeds in 2023.",
        ),
        ("Acme earned $3.23 per share in 2022.", "Acme's earnings per share were $2.90 in 2022."),
        ("In 2022 Acme earned $2.90 a share.", "Acme posted EPS of $3.23 for 2022."),
    ] {
        assert_eq!(found(&[a, b]).len(), 1, "{a} {b}");
    }
    for (a, b) in [
        ("The trial reported no deaths.", "The trial reported zero deaths."),
        ("There were no serious incidents in 2023.", "There were 7 incidents in 2023."),
        ("Acme paid $1.10 per share in 2022.", "Acme earned $3.23 per share in 2022."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
}

#[test]
fn one_source_by_many_words() {
    for text in [
        "Unemployment in Oman was 4.1 % in 2020, as reported by the World Bank.",
        "Based on World Bank data, unemployment in Oman was 4.1 % in 2020.",
        "Unemployment in Oman was 4.1 % in 2020, according to World Bank figures.",
        "Data from the World Bank show that unemployment in Oman was 4.1 % in 2020.",
    ] {
        let other = "According to the World Bank, unemployment in Oman was 5.3 % in 2020.";
        let found = found(&[text, other]);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].kind, ContradictionKind::SourceData, "{text}");
        let source = found[0].sides[0].citation.as_ref().and_then(|it| it.source.as_deref());
        assert_eq!(source, Some("World Bank"), "{text}");
    }
}

#[test]
fn a_year_its_quarter_and_a_dispute_are_one() {
    let texts = [
        "Exports of Oman were $60 billion in 2023, according to the WTO.",
        "Exports of Oman were $70 billion in 2023, according to GCC-STAT.",
        "Exports of Oman were $20 billion in Q1 2023, according to the WTO.",
    ];
    let found = found(&texts);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].sides.len(), found[0].apart), (3, None));
    // What is in dispute are 60 and 70; the quarter is no part of the difference.
    assert_eq!(found[0].severity, Severity::Medium);
    assert!(
        found[0]
            .explanation
            .ends_with("17 % apart; Cid speaks of another time, in dispute with nobody."),
        "{}",
        found[0].explanation
    );
}

#[test]
fn one_source_copied_twice_stays_so_beside_a_third() {
    let found = found(&[
        "Unemployment in Peru was 7.0 % in 2023, according to the ILO.",
        "Unemployment in Peru was 9.0 % in 2023, according to the ILO.",
        "Unemployment in Peru was 7.0 % in 2023, according to the INEI.",
    ]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].kind, ContradictionKind::SourceData);
    assert!(found[0].explanation.ends_with("two of them name the same source."));
}

#[test]
fn a_claim_without_a_value_is_held_with_two_confidences() {
    let sure = |agent: &str, text: &str, value: f64| Report {
        confidence: rebuttal_model::Confidence::new(value, rebuttal_model::Whose::Stated),
        ..Report::new(AgentId::new(agent), text)
    };
    let between = |one: (&str, f64), two: (&str, f64)| {
        let reports = [sure("Ann", one.0, one.1), sure("Ben", two.0, two.1)];
        contradictions(&reports, &ContradictionOptions::default(), Reader::Rules)
    };
    let found = between(("The valve is safe.", 0.95), ("the valve is safe", 0.3));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].kind, found[0].severity), (ContradictionKind::Confidence, Severity::Low));
    assert_eq!(found[0].metric_name, "valve");
    assert_eq!(
        found[0].explanation,
        "Ann and Ben say the same of valve, the first with confidence 0.95, the second with 0.30."
    );
    assert_eq!(
        between(("The mill will shut in 2026.", 0.9), ("The mill will shut in 2026.", 0.2)).len(),
        1
    );
    assert_eq!(
        between(("The mill will shut in 2026.", 0.9), ("The mill will shut in 2027.", 0.2)),
        []
    );
    assert_eq!(between(("The valve is safe.", 0.9), ("The valve is safe.", 0.8)), []);
}

#[test]
fn large_differences_are_told_in_words() {
    let found = found(&["Rent in Oslo is 9 dollars.", "Rent in Oslo is 900 dollars."]);
    assert!(found[0].explanation.ends_with("one is 100 times the other."), "{found:#?}");
}

#[test]
fn an_agent_that_contradicts_itself_is_told_so() {
    let report = |agent: &str, text: &str| Report::new(AgentId::new(agent), text);
    let problems = |reports: &[Report]| {
        let (_, problems) =
            contradictions_and_problems(reports, &ContradictionOptions::default(), Reader::Rules);
        problems.into_iter().map(|it| it.message).collect::<Vec<_>>()
    };
    let twice = [
        report("Ann", "Exports of Togo were $7 billion in 2023."),
        report("Ann", "Exports of Togo were $9 billion in 2023."),
    ];
    assert_eq!(
        problems(&twice),
        ["Ann contradicts itself: for one thing it gives “$7 billion” here and “$9 billion” in \
          report 2; both are kept. Correct whichever is wrong"]
    );
    let one_source = "Rent in Oslo is $900, according to the OECD. Rent in Oslo is $700, according \
                      to the OECD.";
    assert!(problems(&[report("Ann", one_source)])[0].contains("both from OECD"));
    // Another year, another agent, and the same said twice are no matter.
    let fine = [
        report("Ann", "Exports of Togo were $7 billion in 2023."),
        report("Ann", "Exports of Togo were $9 billion in 2022 and $7 billion in 2023."),
        report("Ben", "Exports of Togo were $8 billion in 2023."),
    ];
    assert_eq!(problems(&fine), [""; 0]);
}

#[test]
fn a_unit_that_nobody_knows_is_no_owner() {
    let found = found(&["The pressure was 5 MPa.", "The pressure was 9 MPa."]);
    assert_eq!((found[0].metric_name.as_str(), &found[0].entity), ("pressure", &None));
}

#[test]
fn units_of_one_kind_are_converted_and_others_never_compared() {
    for (a, b) in [
        ("The boiler's pressure is 12 bar.", "The boiler's pressure is 1.2 MPa."),
        ("The oven's temperature is 180 \u{b0}C.", "The oven's temperature is 356 \u{b0}F."),
        ("The ferry's top speed is 37 km/h.", "The ferry's top speed is 20 knots."),
        ("Urea was 6.1 mmol/L.", "Urea was 37 mg/dL."),
        ("Mortality in Mali was 8 per 1,000 in 2019.", "Mortality in Mali was 0.8% in 2019."),
        ("There are 40,000 unemployed in Malta.", "Unemployment in Malta is 4%."),
        ("The climb takes 1h 60m.", "The climb takes 2h."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
    for (a, b) in [
        ("The boiler's pressure is 12 bar.", "The boiler's pressure is 2.2 MPa."),
        (
            "Mortality in Mali was 8 per 1,000 in 2019.",
            "Mortality in Mali was 30 per 1,000 in 2019.",
        ),
        ("The climb takes 1h 40m.", "The climb takes 2h 50m."),
    ] {
        assert_eq!(found(&[a, b]).len(), 1, "{a} {b}");
    }
}

#[test]
fn another_part_or_a_possibility_is_another_thing() {
    for (a, b) in [
        (
            "Ikea's sales in Spain were 2 billion euros.",
            "Ikea's sales in Poland were 1 billion euros.",
        ),
        ("- Inflation (Malta, 2021): 2%", "- Inflation (Cyprus, 2021): 4%"),
        ("Load averaged 20% on db-1.", "Load averaged 70% on db-2."),
        (
            "The relapse rate was 9% in the 5 mg group.",
            "The relapse rate was 4% in the 15 mg group.",
        ),
        ("Inflation in Malta may reach 9% in 2022.", "Inflation in Malta was 6% in 2022."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
}

#[test]
fn trends_in_may_and_beside_numbers() {
    for (a, b) in [
        ("Rents in Malta fell in May 2021.", "Rents in Malta rose in May 2021."),
        ("Exports of Mali fell 9% in 2021.", "Exports of Mali increased in 2021."),
        ("Inflation in Malta fell to 3% in 2021.", "Inflation in Malta rose to 3% in 2021."),
        ("The evidence supports the theory.", "The evidence refutes the theory."),
    ] {
        assert_eq!(found(&[a, b]).len(), 1, "{a} {b}");
    }
    assert_eq!(found(&["Rents in Malta fell in May.", "Rents in Malta rose in June."]), []);
}

#[test]
fn three_agents_on_one_reading_are_one_dispute() {
    for texts in [
        ["The levy is legal.", "The levy is illegal.", "The levy is legal."],
        [
            "Exports of Chile are rising.",
            "Exports of Chile are falling.",
            "Chile's exports are rising.",
        ],
        [
            "The device is compliant.",
            "The device is non-compliant.",
            "The device is not compliant.",
        ],
    ] {
        let found = found(&texts);
        assert_eq!(found.len(), 1, "{found:#?}");
        let agents: Vec<&str> = found[0].sides.iter().map(|it| it.agent.as_str()).collect();
        assert_eq!(agents, ["Ann", "Ben", "Cid"]);
        assert_eq!(found[0].kind, ContradictionKind::Interpretation);
    }
}

#[test]
fn a_note_is_the_source_of_a_reading() {
    let found = found(&[
        "The reactor is safe.[^1]\n\n[^1]: IAEA, Safety Review, 2024.",
        "The reactor is unsafe.^2 It is old.\n\n^2 Greenpeace 2023",
    ]);
    assert_eq!(found.len(), 1, "{found:#?}");
    let cited =
        found[0].sides.iter().map(|it| it.citation.as_ref().and_then(|it| it.source.as_deref()));
    assert_eq!(cited.collect::<Vec<_>>(), [Some("IAEA"), Some("Greenpeace")]);
    assert_eq!(found[0].sides[0].citation.as_ref().unwrap().text, "IAEA, Safety Review, 2024.");
}

#[test]
fn paired_beginnings_oppose_each_other_and_what_only_looks_so_does_not() {
    for (a, b) in [
        ("Shares in Corvid are overvalued.", "Shares in Corvid are undervalued."),
        ("The ward is overstaffed.", "The ward is understaffed."),
        ("The branch is profitable.", "The branch is loss-making."),
        ("Fishing there is legal.", "Fishing there is prohibited."),
        ("The permit is valid.", "The permit is invalid."),
    ] {
        assert_eq!(found(&[a, b]).len(), 1, "{a} {b}");
    }
    for (a, b) in [
        ("The firm will overtake the project.", "The firm will undertake the project."),
        ("The ward is not overstaffed.", "The ward is understaffed."),
        ("The device is non-compliant.", "The device is not compliant."),
        ("The Leeds branch is profitable.", "The York branch is loss-making."),
    ] {
        assert_eq!(found(&[a, b]), [], "{a} {b}");
    }
}
