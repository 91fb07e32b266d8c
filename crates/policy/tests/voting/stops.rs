//! When debates end, and how that is written.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rebuttal_model::{AgentId, Spent};
use rebuttal_policy::debate::{Budget, Said, Stop, StopProgress};

use crate::kit::panel;

/// What each agent stands for, one letter each, round after round; `-` has nothing.
fn rounds(texts: &[&str]) -> (Vec<AgentId>, Vec<BTreeMap<AgentId, String>>, Vec<usize>) {
    let agents = panel(texts[0].len());
    let one = |text: &&str| {
        let pairs = agents.iter().cloned().zip(text.chars().map(String::from));
        pairs.filter(|(_, action)| action != "-").collect::<BTreeMap<_, _>>()
    };
    let positions: Vec<_> = texts.iter().map(one).collect();
    let moved = |pair: &[BTreeMap<AgentId, String>]| {
        pair[0].iter().filter(|own| pair[1].get(own.0) != Some(own.1)).count()
    };
    let changes = positions.windows(2).map(moved).collect();
    (agents, positions, changes)
}

fn stops(rule: &str, texts: &[&str]) -> Option<String> {
    let (panel, positions, changes) = rounds(texts);
    let progress = StopProgress {
        panel: &panel,
        positions: &positions,
        changes: &changes,
        ..StopProgress::default()
    };
    rule.parse::<Stop>().unwrap().reason(&progress).map(|reason| reason.words)
}

#[test]
fn positions_end_debates() {
    assert_eq!(stops("rounds:2", &["yn", "yn"]), None);
    assert_eq!(stops("rounds:2", &["yn", "yn", "yn"]).unwrap(), "2 of 2 rounds are done.");
    assert_eq!(stops("unanimity", &["yyy"]).unwrap(), "All 3 stand for y.");
    assert_eq!(stops("unanimity", &["yYy"]).unwrap(), "All 3 stand for y.");
    // One that failed has not agreed.
    assert_eq!(stops("unanimity", &["yy-"]), None);
    assert_eq!(stops("no-change", &["yn"]), None);
    assert_eq!(stops("no-change", &["yn", "yn"]).unwrap(), "Nobody moved in round 1.");
    assert_eq!(stops("no-change", &["yn", "ny"]), None);
    assert_eq!(stops("stable:2", &["yn", "nn", "nn"]), None);
    assert_eq!(
        stops("stable:2", &["yn", "nn", "nn", "nn"]).unwrap(),
        "Positions have been the same for 2 rounds."
    );
}

#[test]
fn conviction_is_a_change_of_position_but_not_of_answer() {
    let (panel, positions, _) = rounds(&["yn", "yn"]);
    let progress = StopProgress {
        panel: &panel,
        positions: &positions,
        changes: &[1],
        ..StopProgress::default()
    };
    assert!(Stop::NoChange.reason(&progress).is_none());
    assert!(Stop::Stable(1).reason(&progress).is_some());
}

#[test]
fn measures_people_and_money_end_debates() {
    let budget = Budget { micro_usd: Some(1_000_000), ..Budget::default() };
    let spent = Spent { micro_usd: 1_000_000, millis: 90_000, ..Spent::default() };
    let far = StopProgress {
        convergence: Some(0.91),
        repetition: Some(0.8),
        judge: Said::Done,
        human: Said::Done,
        spent,
        budget,
        ..StopProgress::default()
    };
    let fires = |rule: &str| rule.parse::<Stop>().unwrap().reason(&far).map(|reason| reason.words);
    assert_eq!(fires("convergence:0.9").unwrap(), "Convergence is 0.91, at least 0.9.");
    assert_eq!(fires("convergence:0.95"), None);
    assert_eq!(fires("repetition:80%").unwrap(), "80% of the last round was said before.");
    assert_eq!(fires("judge").unwrap(), "The judge says it is done.");
    assert_eq!(fires("human").unwrap(), "A human says it is done.");
    assert_eq!(fires("budget").unwrap(), "$1.00 of $1.00 is spent.");
    assert_eq!(fires("time:90s").unwrap(), "90 s of 90 s is spent.");
    assert_eq!(fires("time:2m"), None);
    let nothing = StopProgress::default();
    for rule in [
        "convergence:0.9",
        "repetition:0.8",
        "judge",
        "human",
        "budget",
        "unanimity",
        "no-change",
        "stable:1",
        "rounds:1",
    ] {
        assert_eq!(rule.parse::<Stop>().unwrap().reason(&nothing), None, "{rule}");
    }
}

#[test]
fn rules_compose_and_say_which_of_them_fired() {
    assert_eq!(stops("unanimity or rounds:1", &["yn", "yn"]).unwrap(), "1 of 1 rounds are done.");
    assert_eq!(stops("unanimity and rounds:1", &["yy"]), None);
    assert_eq!(
        stops("unanimity and rounds:1", &["yy", "yy"]).unwrap(),
        "All 2 stand for y and 1 of 1 rounds are done."
    );
    // `and` binds closer than `or`.
    assert_eq!(stops("rounds:9 and human or unanimity", &["yy"]).unwrap(), "All 2 stand for y.");
    assert_eq!(stops("rounds:9 and (human or unanimity)", &["yy"]), None);
    let (panel, positions, changes) = rounds(&["yy", "yy"]);
    let progress = StopProgress {
        panel: &panel,
        positions: &positions,
        changes: &changes,
        ..StopProgress::default()
    };
    let reason = Stop::default().reason(&progress).unwrap();
    let fired: Vec<&str> = reason.fired.iter().map(|fired| fired.rule.as_str()).collect();
    assert_eq!(fired, ["unanimity", "no-change"]);
    assert_eq!(reason.rule, "unanimity or no-change or rounds:3");
}

#[test]
fn errors_say_what_was_meant() {
    let error = |text: &str| text.parse::<Stop>().unwrap_err().to_string();
    assert_eq!(error("unanimty"), "there is no stop rule “unanimty”; did you mean “unanimity”?");
    assert_eq!(error("rounds"), "“rounds” needs a number of rounds, 1 or more, as in “rounds:3”");
    assert_eq!(
        error("rounds:0"),
        "“rounds” needs a number of rounds, 1 or more, as in “rounds:3”; “0” is none"
    );
    assert!(error("rounds:3 unanimity").contains("“and” or “or” is missing before “unanimity”"));
    assert!(error("rounds:3 or").contains("missing at the end"));
    assert!(error("and rounds:3").contains("missing before “and”"));
    assert!(error("(rounds:3").contains("not closed"));
    assert!(error("rounds:3)").contains("not opened"));
    assert!(error("convergence:2").contains("at most 1"));
    assert!(error("time:soon").contains("time:90s"));
    assert_eq!(error("judge:3"), "“judge” takes nothing after it, and “3” was given");
    assert!(error("").contains("no stop rule is given"));
    assert!(error(&"(".repeat(1_000)).contains("too deep"));
    assert!(error(&"x".repeat(100_000)).contains("at most 2000 bytes"));
    assert!(error("stabel:2").contains("did you mean “stable”?"));
}

fn single() -> impl Strategy<Value = Stop> {
    prop_oneof![
        (1_usize..9).prop_map(Stop::Rounds),
        Just(Stop::Unanimity),
        Just(Stop::NoChange),
        (1_usize..9).prop_map(Stop::Stable),
        (0.01_f64..1.0).prop_map(Stop::Convergence),
        Just(Stop::Judge),
        (0.01_f64..1.0).prop_map(Stop::Repetition),
        Just(Stop::Budget),
        (1_u64..100_000).prop_map(Stop::Time),
        Just(Stop::Human),
    ]
}

proptest! {
    #[test]
    fn every_rule_is_read_back_from_its_text(stop in single().prop_recursive(3, 12, 3, |inner| prop_oneof![
        proptest::collection::vec(inner.clone(), 2..4).prop_map(Stop::All),
        proptest::collection::vec(inner, 2..4).prop_map(Stop::Any),
    ])) {
        prop_assert_eq!(stop.to_string().parse::<Stop>(), Ok(stop));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "(rounds|stable|and|or|[(): ]|[0-9]|.){0,30}") {
        let _ = text.parse::<Stop>();
    }
}
