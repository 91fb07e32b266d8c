//! Texts of several sentences, and speakers that say what they do with what they held.

use rebuttal_detect::Reader;
use rebuttal_detect::flips::{Comparison, FlipOutcome, compare};
use rebuttal_model::FlipKind::{Contradiction, Qualification, Refinement, Retraction};

fn judge(before: &str, after: &str) -> Comparison {
    compare(before, after, None, Reader::Rules)
}

fn is_none(outcome: FlipOutcome) -> bool {
    !matches!(outcome, FlipOutcome::Changed(_))
}

/// Before, after, the outcome (none: it is still held), and whether the speaker says so.
type Case = (&'static str, &'static str, Option<rebuttal_model::FlipKind>, bool);

fn check(cases: &[Case]) {
    for (before, after, expected, said) in cases {
        let found = judge(before, after);
        let right = expected
            .map_or_else(|| is_none(found.outcome), |kind| found.outcome.kind() == Some(kind));
        assert!(right, "{before} / {after}: {}", found.explanation);
        let acknowledged = found.outcome.kind().is_some() && found.acknowledgment.is_some();
        assert_eq!(acknowledged, *said, "{after}: {:?}", found.acknowledgment);
    }
}

#[test]
fn the_statement_counts_and_not_its_reasons() {
    check(&[
        (
            "The quay should be widened. Two ferries cannot pass each other there.",
            "The quay should be widened only at its northern end. Elsewhere the rock is too hard.",
            Some(Qualification),
            false,
        ),
        (
            "The pilots need a tug. The current is strong behind the mole.",
            "Nobody has waited longer than an hour this year. The pilots do not need a tug.",
            Some(Contradiction),
            false,
        ),
        (
            "The pilots need a tug. The current is strong behind the mole.",
            "The pilots need a tug. Three ships touched the mole last winter.",
            None,
            false,
        ),
    ]);
}

#[test]
fn what_is_put_right_or_narrowed_is_not_given_up() {
    check(&[
        (
            "The hull weighs 80 tons.",
            "A small correction: the hull weighs 82 tons.",
            Some(Refinement),
            true,
        ),
        (
            "The chart is reliable.",
            "I overstated that on Monday: the chart is reliable as long as the buoys are lit.",
            Some(Qualification),
            true,
        ),
        (
            "The chart is reliable.",
            "I'd restrict my claim: the chart is reliable at sea.",
            Some(Qualification),
            true,
        ),
        (
            "The chart is reliable.",
            "Forget what I said; the chart is not reliable.",
            Some(Retraction),
            true,
        ),
        (
            "It's a sandbank.",
            "My first reading was mistaken. This is a wreck.",
            Some(Retraction),
            true,
        ),
    ]);
}

#[test]
fn who_says_that_it_holds_on_is_believed() {
    check(&[
        ("Dredge the basin.", "My advice stands: the basin needs dredging.", None, false),
        (
            "The basin must be dredged.",
            "I see your worry, but the basin must be dredged.",
            None,
            false,
        ),
        ("The basin must be dredged.", "Yes. The basin must be dredged.", None, false),
    ]);
}

#[test]
fn numbers_before_their_units_and_differences() {
    check(&[
        ("A load of 30 tons is safe.", "A load of 32 tons is safe.", Some(Refinement), false),
        ("Crane 3 is safe.", "Crane 5 is safe.", None, false),
        (
            "The trip took 40 minutes.",
            "The trip took 42 minutes instead of 40.",
            Some(Refinement),
            false,
        ),
    ]);
}

#[test]
fn a_long_answer_is_compared_by_what_it_concludes() {
    let before = "The harbour board asked for a view on the night ferry. Some 40 people use it on weekdays, \
        most of them nurses. The boat is old and burns a lot of oil. Taking all of this together, the town \
        should keep the night ferry. The fare could rise a little.";
    let cases = [
        (
            "I have gone through the letters. Many people would rather have a bus. The oil has become \
             dearer, and the boat fails its inspection in May. Nobody at the hospital was asked. Overall, \
             the town should not keep the night ferry.",
            Some(Contradiction),
        ),
        (
            "Some figures for the board. There are 40 passengers on weekdays and 11 on Sundays. The crew \
             costs the same each night. The town should keep the night ferry on weekdays. At weekends a \
             taxi is cheaper.",
            Some(Qualification),
        ),
        (
            "The letters are mixed, and the price of oil is a fair concern. A bus takes twice as long. The \
             nurses have no other way home. For these reasons the town should keep the night ferry.",
            None,
        ),
        (
            "The board's survey came in today. The nurses have hired a van of their own, and last week the \
             boat ran empty. I can therefore no longer uphold my advice, and I withdraw the recommendation.",
            Some(Retraction),
        ),
    ];
    for (after, expected) in cases {
        let found = judge(before, after);
        assert_eq!(found.outcome.kind(), expected, "{after}: {}", found.explanation);
        assert!(found.before.of(before).is_some() && found.after.of(after).is_some());
    }
}

#[test]
fn words_in_quotation_marks_and_suppositions_grant_nothing() {
    let question = Some("Is it safe to swim in the lock?");
    let before = "No, it is not safe to swim in the lock. The gates open without warning. The current pulls \
        swimmers under. There is no ladder. Use the bathing place instead.";
    let after = "I understand that you know the keeper. However, the lock is nothing to call \"safe to swim \
        in\". The gates open without warning. If you want to swim in the lock, use the bathing place \
        instead. The current pulls swimmers under.";
    let found = compare(before, after, question, Reader::Rules);
    assert!(is_none(found.outcome), "{}", found.explanation);
}
