//! Pairs as a careful reader would judge them.

use super::*;

fn contradicts(a: &str, b: &str) -> bool {
    PairReading::new(a, b).verdict().contradiction > 0.5
}

fn all_contradict(pairs: &[(&str, &str)], expected: bool) {
    let wrong: Vec<String> = pairs
        .iter()
        .flat_map(|&(a, b)| [(a, b), (b, a)])
        .filter(|(a, b)| contradicts(a, b) != expected)
        .map(|(a, b)| format!("{a} / {b}: {:?}", PairReading::new(a, b).cues))
        .collect();
    assert!(wrong.is_empty(), "expected {expected}:\n{}", wrong.join("\n"));
}

#[test]
fn negation_of_what_the_other_says() {
    let pairs = [
        ("Ship it today.", "Never ship it today."),
        ("Approve the budget.", "Do not approve the budget."),
        ("The service is ready for production.", "The service isn't ready for production."),
        ("The backup works.", "The backup fails to work."),
        ("A man is playing a guitar.", "There is no man playing a guitar."),
        ("The plan is safe.", "The plan is unsafe."),
        ("The driver was careful.", "The driver was careless."),
        ("All tests pass.", "Not all tests pass."),
        ("The team owns a dog.", "The team does not own an animal."),
    ];
    for (a, b) in pairs {
        assert!(contradicts(a, b), "{a} / {b}: {:?}", PairReading::new(a, b));
    }
}

#[test]
fn opposites_kinds_and_numbers() {
    all_contradict(
        &[
            ("Accept the proposal.", "Reject the proposal."),
            ("Revenue rose sharply in March.", "Revenue fell sharply in March."),
            ("The shop is open.", "The shop is closed."),
            ("The car is red.", "The car is blue."),
            ("She plays the violin.", "She plays the piano."),
            ("The release is on Monday.", "The release is on Friday."),
            ("The third door is locked.", "The 12th door is locked."),
            ("option a", "option b"),
            ("true", "false"),
            ("Four engineers work on it.", "Seven engineers work on it."),
            ("Latency is 20 ms.", "Latency is 200 ms."),
            ("It has less than 20 reviews.", "It has 27 reviews."),
            ("Ann was born in 1970.", "Ann was born in 1982."),
        ],
        true,
    );
}

#[test]
fn a_bound_is_about_the_number_it_is_set_beside() {
    all_contradict(
        &[
            ("By then the ward had 612 patients.", "The ward had admitted more than 630 people."),
            ("The pilot took 88 weeks and two teams.", "Planning for it lasted under 80 weeks."),
            ("The plant was opened on 3 May 2012.", "The plant was opened after 3 May 2012."),
            ("The bridge was built in 1931.", "The bridge was built before 1920."),
        ],
        true,
    );
    all_contradict(
        &[
            ("By then the ward had 640 patients.", "The ward had admitted more than 630 people."),
            (
                "The yield is 14 % at a loss of 36 %.",
                "It has a yield of more than 13 % and loses 36 %.",
            ),
            (
                "On June 22 the ward had 646 patients.",
                "The ward had more than 640 patients after June 21.",
            ),
            ("The plant was opened on 3 May 2012.", "The plant was opened after 1 May 2012."),
            (
                "As of 3 May 2021 the ward had 525 patients.",
                "After 3 May 2021 it had more than 600.",
            ),
        ],
        false,
    );
}

#[test]
fn both_can_hold() {
    all_contradict(
        &[
            ("The answer is yes.", "I know the answer is yes."),
            ("We should use caching.", "We should use caching for speed."),
            ("The service is not bad.", "The service is good."),
            ("She is not unhappy.", "She is happy."),
            ("The man does not own a dog.", "The man does not own a mammal."),
            ("He does not own a poodle.", "He owns a dog."),
            ("She plays an instrument.", "She plays a guitar."),
            ("The couch is old.", "The sofa is old."),
            ("It has more than 100 reviews.", "It has 120 reviews."),
            ("The score is 4.6.", "The score is 4.60."),
            ("Some users are not happy.", "Some users are happy."),
            ("Not all tests pass.", "Some tests pass."),
            ("The sky is blue.", "Cats like tuna."),
            ("The plan is not only cheap but safe.", "The plan is cheap and safe."),
            ("It may rain today.", "It may not rain today."),
            ("Is the shop open?", "The shop is closed."),
            ("Accept the fresh tropical apples.", "Reject the wilted stale oranges."),
            ("Revenue was $4 million in 2020.", "Revenue was $6 million in 2021."),
        ],
        false,
    );
}

#[test]
fn a_number_answers_one_number() {
    let both_can_hold = [
        ("He was aged 15 years.", "He was aged 15 years and 40 days."),
        ("In 871 he led the army to England.", "In 870 or 871 he led the army to England."),
        ("Each team has four or more players.", "Each team has five or more players."),
        ("None but Ann passed the test.", "Ann passed the test."),
    ];
    all_contradict(&both_can_hold, false);
    let broken = [
        ("The sisters are 20 and 19 years old.", "Both sisters are 25 years old."),
        (
            "The film grossed $20 million at home and $55 million in all.",
            "The film grossed less than $54 million in all.",
        ),
        ("None but Ann passed the test.", "None passed the test."),
    ];
    all_contradict(&broken, true);
}

#[test]
fn small_numbers_of_other_things_are_not_compared() {
    let counted = |a: &str, b: &str| PairReading::new(a, b).feature(Feature::NumberAgreement) > 0.0;
    assert!(!counted("Two dancers perform on a stage.", "Two televisions are on."));
    assert!(counted("It had 4,520 users by May.", "By May 4,520 people had signed up."));
}

#[test]
fn figures_that_agree_settle_nothing() {
    let settled = |a: &str, b: &str| PairReading::new(a, b).settled;
    let one = "The unemployment rate of Chile was 8.7 % in 2023.";
    assert_eq!(settled(one, "Chile's unemployment rate was 8.7 % in 2023."), None);
    assert_eq!(settled(one, "Chile's unemployment rate was 7.9 % in 2022."), Some(false));
    assert_eq!(settled(one, "Chile's unemployment rate was 7.9 % in 2023."), Some(true));
}

#[test]
fn what_is_said_of_two_things_is_no_contradiction() {
    let contradicts = |a: &str, b: &str| PairReading::new(a, b).verdict().contradiction > 0.5;
    for (one, two) in [
        ("The shop in Lyon is profitable.", "The shop in Paris is not profitable."),
        ("Server 12 is safe under load.", "Server 14 is unsafe under load."),
        ("The lane of team 9 is safe under load.", "The lane of team 77 is safe under load."),
        ("We should buy shares of Novartis now.", "We should not buy shares of Roche now."),
        ("Novartis is a buy this quarter.", "Roche is not a buy this quarter."),
        ("Alice's plan is feasible this year.", "Bob's plan is not feasible this year."),
        (
            "The London office will be closed in May.",
            "The Berlin office will not be closed in May.",
        ),
        ("Acme Corp is safe under load.", "Globex Inc is not safe under load."),
    ] {
        assert!(!contradicts(one, two), "{one} / {two}");
    }
    for (one, two) in [
        ("The shop in Lyon is profitable.", "The shop in Lyon is not profitable."),
        ("Server 12 is safe under load.", "Server 12 is unsafe under load."),
        ("We should choose option 1.", "We should choose option 2."),
        ("Sales reached 40 in May.", "Sales reached 70 in May."),
        ("Sales in Peru reached 40 in May.", "Sales in Peru reached 70 in May."),
        ("Novartis is a buy this quarter.", "Novartis is not a buy this quarter."),
        ("Barack Obama won the vote.", "Obama did not win the vote."),
    ] {
        assert!(contradicts(one, two), "{one} / {two}");
    }
}

#[test]
fn cues_quote_the_words() {
    let (a, b) = ("The shop is open.", "The shop is not open.");
    let cue = PairReading::new(a, b).cues[0];
    assert_eq!((cue.span_a.of(a), cue.span_b.of(b)), (Some("open"), Some("not open")));
}

#[test]
fn nothing_says_nothing() {
    let verdict = PairReading::new("", "reject the proposal").verdict();
    assert!(verdict.contradiction < 0.5);
    let sum = verdict.contradiction + verdict.neutral + verdict.entailment;
    assert!((sum - 1.0).abs() < 1e-5);
}

proptest::proptest! {
    #[test]
    fn features_are_numbers_within_range(a in "[a-z0-9 .,?%'-]{0,80}", b in "[a-z0-9 .,?%'-]{0,80}") {
        let pair = PairReading::new(&a, &b);
        assert!(pair.features.iter().all(|value| (0.0..=1.0).contains(value)));
        for cue in &pair.cues {
            assert!(cue.span_a.of(&a).is_some() && cue.span_b.of(&b).is_some());
        }
    }
}
