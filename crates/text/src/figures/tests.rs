//! What a figure is read as, from many wordings.

use super::*;

/// What each figure of a text says: metric, value, entity, period.
fn read(text: &str) -> Vec<String> {
    let figures = Reading::new(text).figures();
    let shown = figures.iter().map(|figure| {
        let name = |word: &MetricWord| word.name.or_else(|| word.span.of(text)).unwrap();
        let metric: Vec<&str> = figure.metric.iter().map(name).collect();
        let entity = figure.entity_span.and_then(|span| span.of(text)).unwrap_or("-");
        let period = figure.period.and_then(|period| period.span.of(text)).unwrap_or("-");
        let value = match figure.value {
            Value::Exact(value) => format!("{value}"),
            other => format!("{other:?}"),
        };
        format!("{} = {value} | {entity} | {period}", metric.join(" + "))
    });
    shown.collect()
}

#[track_caller]
fn reads(text: &str, expected: &[&str]) {
    assert_eq!(read(text), expected, "{text}");
}

#[test]
fn one_figure_in_many_words() {
    for text in [
        "In 2017, the jobless rate in Qatar stood at 4.6 %, the World Bank reports.",
        "The World Bank puts the unemployment rate of Qatar at 4.6 percent for 2017.",
        "According to the World Bank, the rate of unemployment in Qatar was 4.6% in 2017.",
        "Our data shows unemployment of 4.6 % for Qatar (World Bank, 2017).",
        "The unemployment rate of Qatar is [Per extraction: '4.6%' from World Bank 2017].",
        "4.6 % was the unemployment rate of Qatar in 2017.",
    ] {
        reads(text, &["unemployment rate = 4.6 | Qatar | 2017"]);
    }
}

#[test]
fn a_number_that_names_a_thing_is_no_value() {
    reads(
        "The response time of cluster 3 was 40 ms in May 2025.",
        &["latency = 0.04 | cluster 3 | May 2025"],
    );
    reads(
        "Revenue of plant 7 reached $3 million in 2023.",
        &["revenue = 3000000 | plant 7 | 2023"],
    );
}

#[test]
fn several_values_in_a_sentence() {
    reads(
        "Revenue rose 5% to $3 billion in 2023. It fell to $2 billion in 2024.",
        &[
            "revenue + growth = 5 | - | 2023",
            "revenue = 3000000000 | - | 2023",
            "revenue = 2000000000 | - | 2024",
        ],
    );
    reads(
        "Mortality was 12% in the treatment arm and 15% in the control arm.",
        &["mortality + treatment + arm = 12 | - | -", "mortality + control + arm = 15 | - | -"],
    );
    reads("The p99 latency fell from 200 ms to 120 ms.", &["p99 + latency = 0.12 | - | -"]);
}

#[test]
fn words_give_the_sign() {
    reads("GDP shrank by 2.5% in 2020.", &["gdp + growth = -2.5 | - | 2020"]);
    reads("The budget deficit was 3.2% in 2019.", &["budget + balance = -3.2 | - | 2019"]);
}

#[test]
fn numbers_that_measure_nothing() {
    reads("See section 4 of version 2.", &[]);
    reads(
        "The 2021 edition puts 30-day mortality among people aged 65 at 12%.",
        &["30-day + mortality + 65 = 12 | - | -"],
    );
}

#[test]
fn headings_and_pronouns_name_the_entity() {
    let text =
        "## Qatar\n\n- Unemployment: 4.6 % (2017)\n\n## Oman\n\n- Unemployment: 3 % (2017)\n";
    reads(text, &["unemployment rate = 4.6 | Qatar | 2017", "unemployment rate = 3 | Oman | 2017"]);
    reads(
        "Acme reported revenue of $5 million. Its margin was 12 %.",
        &["revenue = 5000000 | Acme | -", "margin = 12 | Acme | -"],
    );
}

#[test]
fn money_of_a_year() {
    let base = |text: &str| Reading::new(text).figures()[0].base;
    assert_eq!(base("Real GDP was $25 billion (in 2017 dollars) in 2020."), Some(2017));
    assert_eq!(base("Real GDP was $25 billion in 2017."), None);
}

#[test]
fn a_source_below_is_of_the_figure_above() {
    let text = "- Exports rose 12 % in Q2.\n- Source: Eurostat.\n";
    let figures = Reading::new(text).figures();
    assert_eq!(figures[0].citation.and_then(|it| it.source.of(text)), Some("Eurostat"));
}

#[test]
fn each_value_of_a_change_has_its_own_date() {
    let dated =
        ["unemployment rate = 9.1 | Malta | 2020", "unemployment rate = 4.4 | Malta | 2021"];
    reads("Unemployment in Malta fell from 9.1% in 2020 to 4.4% in 2021.", &dated);
    reads(
        "Malta's unemployment was 4.4% in 2021, down from 9.1% a year earlier.",
        &["unemployment rate = 4.4 | Malta's | 2021"],
    );
}

#[test]
fn what_is_done_or_said_of_people_is_a_measure() {
    reads("In 2021, 18% of adults in Malta were obese.", &["obesity rate = 18 | Malta | 2021"]);
    reads("The parser reached an accuracy of 88%.", &["parser + accuracy = 88 | - | -"]);
    let half = Reading::new("Half of patients in Malta recovered.").figures();
    assert_eq!((half[0].value, half[0].quantity.unit), (Value::Exact(50.0), Unit::Percent));
}

#[test]
fn a_note_is_its_entry_in_the_list() {
    let text =
        "Rents in Malta rose 4% in 2021 [2].\n\nReferences\n[1] Eurostat, 2020.\n[2] OECD, 2022.\n";
    let figures = Reading::new(text).figures();
    assert_eq!(figures[0].citation.and_then(|it| it.source.of(text)), Some("OECD"));
}

#[test]
fn wordings_that_name_a_measure_in_ways_of_their_own() {
    for (text, expected) in [
        // A verb and what it is done to.
        (
            "Iceland generated 19 TWh of electricity in 2021.",
            "electricity generation = 19000000000000 | Iceland | 2021",
        ),
        ("Oman emitted 60 tonnes in 2021.", "emissions = 60000 | Oman | 2021"),
        // What is no unit behind "per" names another measure.
        (
            "Emissions in Oman were 16 tonnes per capita in 2021.",
            "emissions + per capita = 16000 | Oman | 2021",
        ),
        ("Lead closed at $2,100 a tonne on 5 May 2024.", "Lead + closed = 2.1 | - | 5 May 2024"),
        // What rises by itself, rises by that much.
        ("The lake level fell 3 mm in 2022.", "lake + growth = -0.003 | - | 2022"),
        ("Hydro supplied 46% of power in Peru in 2020.", "Hydro + power = 46 | Peru | 2020"),
        ("Hydro accounted for 46% of Peru's power in 2020.", "Hydro + power = 46 | Peru's | 2020"),
        // Whole things have no thousandths.
        ("Baumann employed 12.500 people in 2023.", "headcount = 12500 | Baumann | 2023"),
        ("The average household had 2.345 rooms in 2023.", "household + rooms = 2.345 | - | 2023"),
        // None of what is narrowed down.
        (
            "There were no unplanned outages at Ringhals in 2023.",
            "unplanned + incident count = 0 | Ringhals | 2023",
        ),
        ("Orion Air made a loss of $20 in 2023.", "profit or loss = -20 | Orion Air | 2023"),
        ("Orion Air made a profit of $20 in 2023.", "profit or loss = 20 | Orion Air | 2023"),
        (
            "Kestrel Rail grew in 2023. The company carried 9 million passengers that year.",
            "passengers = 9000000 | Kestrel Rail | 2023",
        ),
    ] {
        assert_eq!(read(text), [expected], "{text}");
    }
}

#[test]
fn a_note_is_the_source_of_the_sentence_it_marks() {
    for (text, source, when) in [
        (
            "Debt in Peru was 33% in 2023.[^1] Exports rose.\n\n[^1]: INEI, Bulletin 4, May 2024.",
            "INEI",
            "May 2024",
        ),
        ("Debt in Peru was 33% in 2023[^a].\n\n[^a]: Source: INEI 2024", "INEI", "2024"),
        ("Debt in Peru was 33% in 2023.\u{b9}\n\n\u{b9} INEI, 2024.", "INEI", "2024"),
        ("Debt in Peru was 33% in 2023\u{b2}.\n\n\u{b2} INEI, 2024.", "INEI", "2024"),
        ("Debt in Peru was 33% in 2023.^12\n\n^12 INEI 2024", "INEI", "2024"),
        ("Debt in Peru was 33% in 2023 [2].\n\n[1] IMF, 2021\n[2] INEI, 2024", "INEI", "2024"),
    ] {
        let figure = Reading::new(text).figures().remove(0);
        let citation = figure.citation.unwrap_or_else(|| panic!("{text}"));
        assert_eq!(citation.source.of(text), Some(source), "{text}");
        assert_eq!(citation.period.and_then(|it| it.span.of(text)), Some(when), "{text}");
        assert_eq!(figure.period.and_then(|it| it.span.of(text)), Some("2023"), "{text}");
    }
    // A power is no note, and a note that is not there names nobody.
    for text in ["The plot in Lima has 12 km^2.", "Debt in Peru was 33% in 2023.[^7]\n\n[^1]: INEI"]
    {
        let source = Reading::new(text).figures()[0].citation.and_then(|it| it.source.of(text));
        assert!(source.is_none_or(|it| it == "7"), "{text}: {source:?}");
    }
}
