//! Ways to say the same, to choose another and to make an answer depend on something; each with a near
//! miss.

use rebuttal_detect::Reader;
use rebuttal_detect::flips::{FlipOutcome, compare};
use rebuttal_model::FlipKind::{Contradiction, Qualification, Retraction};

fn check(question: Option<&str>, pairs: &[(&str, &str, FlipOutcome)]) {
    for (before, after, expected) in pairs {
        let found = compare(before, after, question, Reader::Rules);
        assert_eq!(found.outcome, *expected, "{before} | {after}: {}", found.explanation);
    }
}

#[test]
fn the_same_in_another_form() {
    let opposite = FlipOutcome::Changed(Contradiction);
    check(
        None,
        &[
            (
                "Each one of the jars was cracked.",
                "Every one of the jars was cracked.",
                FlipOutcome::Same,
            ),
            (
                "The new oven is hotter than the old one.",
                "The old oven was cooler than the new one.",
                FlipOutcome::Same,
            ),
            (
                "The new oven is hotter than the old one.",
                "The old oven was hotter than the new one.",
                opposite,
            ),
            (
                "No bicycles in the hall.",
                "Bicycles are not allowed in the hall.",
                FlipOutcome::Same,
            ),
            ("No bicycles in the hall.", "Bicycles are allowed in the hall.", opposite),
            (
                "Only residents can park here.",
                "You cannot park here unless you are a resident.",
                FlipOutcome::Same,
            ),
            (
                "The strike is fair.",
                "Critics claim the strike is unfair; I disagree.",
                FlipOutcome::Same,
            ),
        ],
    );
}

#[test]
fn another_is_chosen() {
    let opposite = FlipOutcome::Changed(Contradiction);
    check(
        None,
        &[
            ("I'd go with Redis.", "We should choose Oracle.", opposite),
            (
                "I'd go with Redis for sessions.",
                "My choice for reports is Oracle.",
                FlipOutcome::Unrelated,
            ),
            ("Ann is the better cook.", "Ben is the better cook.", opposite),
            ("Ann is a better cook.", "Ben is a good driver.", FlipOutcome::Unrelated),
            ("Renovate the barn.", "Demolish the barn.", opposite),
            ("Insure the barn.", "Photograph the barn.", FlipOutcome::Unrelated),
            ("The mine opened in 1850.", "The mine opened in 1907.", opposite),
            ("The bakery has stopped hiring.", "The bakery is hiring.", opposite),
            ("We should lend the tent.", "We should sell rather than lend the tent.", opposite),
        ],
    );
    check(
        Some("Which vendor should we take, Alto or Brio?"),
        &[
            ("Alto is our best bet.", "I would go with Brio and not with Alto.", opposite),
            ("Alto is our best bet.", "Brio is cheaper, but I would take Alto.", FlipOutcome::Same),
        ],
    );
}

#[test]
fn who_says_so_is_compared_by_what_else_is_said() {
    let back = FlipOutcome::Changed(Retraction);
    check(
        None,
        &[
            (
                "Oats are better than rye for soup.",
                "You've convinced me, rye is better for soup.",
                back,
            ),
            (
                "Rye is cheaper than oats.",
                "I have reversed my view. Oats are cheaper than rye.",
                back,
            ),
            ("The coach should go.", "I've changed my mind about the coach. He should stay.", back),
            ("The coach should go.", "I can't stand by my claim that the coach should go.", back),
        ],
    );
}

#[test]
fn an_answer_that_now_depends() {
    let question = "Should the school buy tablets?";
    let before = "Yes, the school should buy tablets. They are cheap by now. Pupils like them. Books get \
                  lighter. The teachers have asked for them. We should order them in May.";
    let depends = "Whether the school should buy tablets depends on the teachers. Some have never used one. \
                   A trained teacher can do a lot with them. Without training they stay in the cupboard. \
                   The school should buy them for those who want them.";
    let holds = "Yes, the school should buy tablets. The price depends on the shop. They are easy to \
                 use. The pupils like them a lot. We should order them in May, as I said.";
    let outcome = |after| compare(before, after, Some(question), Reader::Rules).outcome;
    assert_eq!(outcome(depends), FlipOutcome::Changed(Qualification));
    assert_eq!(outcome(holds), FlipOutcome::Same);
}

#[test]
fn a_change_of_mind_is_about_what_it_names() {
    check(
        None,
        &[
            (
                "The trainer should stay.",
                "I have changed my mind about the trainer.",
                FlipOutcome::Changed(Retraction),
            ),
            (
                "Remote teams are as quick as others.",
                "I have changed my mind about interns: we should not hire any this year.",
                FlipOutcome::Unrelated,
            ),
        ],
    );
}
