//! The generator against its own promises.

use std::collections::BTreeSet;

use super::mechanism::{Label, Mechanism};
use super::render::Template;
use super::value::{Shape, Verdict, Written, grouped, judge};
use super::{CORES, Case, Cases, templates};

const COUNT: usize = 4000;

#[test]
fn the_same_seed_gives_the_same_reports() {
    let texts = |seed| Cases::new(seed).take(300).map(|case| case.reports).collect::<Vec<_>>();
    assert_eq!(texts(1), texts(1));
    assert_ne!(texts(1), texts(2));
}

#[test]
fn labels_follow_from_what_is_written() {
    let _busy = CORES.read();
    for case in Cases::new(3).take(COUNT) {
        let (conflicts, apart) = (!case.conflicts.is_empty(), !case.both_valid.is_empty());
        let label = case.mechanism.label();
        assert_eq!(conflicts, label == Label::Conflict, "{case:#?}");
        assert_eq!(apart, label == Label::BothValid, "{case:#?}");
    }
}

#[test]
fn no_pair_leaves_readers_unsure() {
    let _busy = CORES.read();
    for case in Cases::new(4).take(COUNT) {
        for (index, one) in case.mentions.iter().enumerate() {
            let others = case.mentions.iter().skip(index + 1);
            for two in others.filter(|two| two.group == one.group && two.report != one.report) {
                assert_ne!(judge(&one.written, &two.written), Verdict::Unsure, "{case:#?}");
            }
        }
    }
}

#[test]
fn one_thing_is_one_group() {
    let _busy = CORES.read();
    for case in Cases::new(5).take(COUNT) {
        let aside = case.mentions.iter().filter(|mention| mention.group >= 100);
        for one in aside {
            for two in case.mentions.iter().filter(|two| two.group != one.group) {
                let overlap = match (one.thing.period, two.thing.period) {
                    (Some(one), Some(two)) => one.year() == two.year(),
                    _ => true,
                };
                let words = two.written.shape == Shape::Words;
                assert!(words || !overlap || !one.thing.alike(&two.thing), "{case:#?}");
            }
        }
    }
}

#[test]
fn values_stand_where_the_labels_say() {
    let _busy = CORES.read();
    for case in Cases::new(6).take(COUNT) {
        for mention in &case.mentions {
            let text = &case.reports[mention.report];
            let value = text.get(mention.value.clone()).expect("on letters");
            assert!(mention.sentence.start <= mention.value.start);
            assert!(mention.sentence.end >= mention.value.end);
            if mention.written.shape != Shape::Words {
                assert!(value.eq_ignore_ascii_case(&mention.written.text), "{value} in {text}");
            }
        }
    }
}

#[test]
fn every_mechanism_and_every_template_is_used() {
    let _busy = CORES.read();
    let cases: Vec<Case> = Cases::new(7).take(5 * COUNT).collect();
    let mechanisms: BTreeSet<Mechanism> = cases.iter().map(|case| case.mechanism).collect();
    assert_eq!(mechanisms.len(), Mechanism::all().count());
    let used: BTreeSet<(&str, usize)> = cases.into_iter().flat_map(|case| case.used).collect();
    let sets: [(&str, &[&str]); 9] = [
        ("one", templates::ONE),
        ("metrics", templates::TWO_METRICS),
        ("entities", templates::TWO_ENTITIES),
        ("periods", templates::TWO_PERIODS),
        ("introductions", templates::INTRODUCTIONS),
        ("headings", templates::HEADINGS),
        ("dated", templates::DATED_HEADINGS),
        ("lines", templates::LINES),
        ("rows", templates::ROWS),
    ];
    for (name, set) in sets {
        for (index, text) in set.iter().enumerate() {
            assert!(used.contains(&(name, index)), "{name}: {text} is never used");
        }
    }
}

#[test]
fn reports_are_neat() {
    let _busy = CORES.read();
    for case in Cases::new(8).take(COUNT) {
        for text in &case.reports {
            assert!(!text.is_empty() && !text.contains("  "), "{text:?}");
            assert!(!text.contains(['{', '}']), "{text}");
            assert!(text.len() < 4000 && [1, 3].contains(&case.pairs()), "{text}");
            let starts = text.trim_start_matches(['#', '*', '-', '|', ' ']).chars().next();
            assert!(starts.is_some_and(|first| !first.is_ascii_lowercase()), "{text}");
        }
    }
}

#[test]
fn numbers_are_grouped_and_judged_as_people_do() {
    assert_eq!(grouped(1_234_567.0, 0), "1,234,567");
    assert_eq!(grouped(999.94, 1), "999.9");
    let style = super::styles::plain();
    let at = |value: f64, decimals| Written::exactly(value, style, decimals);
    assert_eq!(judge(&at(4.6, 1), &at(4.64, 2)), Verdict::Agree);
    assert_eq!(judge(&at(4.6, 1), &at(4.6, 2)), Verdict::Agree);
    assert_eq!(judge(&at(0.10, 2), &at(0.12, 2)), Verdict::Conflict);
    assert_eq!(judge(&at(-2.5, 1), &at(2.5, 1)), Verdict::Conflict);
    assert_eq!(judge(&at(100.0, 1), &at(106.0, 1)), Verdict::Unsure);
    assert_eq!(judge(&at(0.0, 0), &at(3.0, 1)), Verdict::Conflict);
}

#[test]
fn templates_are_taken_apart() {
    let template = format!("{:?}", Template::parse("!{Es} {M2} was {V}."));
    assert!(template.contains("plain: true") && template.contains("Slot(\"M\", 1)"), "{template}");
}

/// Prints cases to read: `REBUTTAL_KIT_SHOW=40`, or `REBUTTAL_KIT_SHOW=sign`.
#[test]
fn show() {
    let Ok(wanted) = std::env::var("REBUTTAL_KIT_SHOW") else { return };
    let seed = std::env::var("REBUTTAL_KIT_SEED").ok().and_then(|seed| seed.parse().ok());
    let only = Mechanism::all().find(|mechanism| mechanism.name() == wanted);
    let cases = match only {
        Some(mechanism) => Cases::of(seed.unwrap_or(9), mechanism),
        None => Cases::new(seed.unwrap_or(9)),
    };
    for case in cases.take(wanted.parse().unwrap_or(12)) {
        println!("{case}");
    }
}
