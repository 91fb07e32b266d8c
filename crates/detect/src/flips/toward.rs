//! Which way a flip went: for or against the question, or, where nobody asked, one of the two claims.
//!
//! The way is what tells a matter that is open, on which agents go both ways, from one on which
//! something convinced them. So the two ways between two claims must be told of the same claim,
//! whichever an agent began with.

use rebuttal_model::{FlipKind, Position, Stance};
use rebuttal_text::{Reading, Topic};

/// The side of [the matter](rebuttal_model::Flip::matter) that the flip ended on. Who only narrows or
/// adjusts what it held has taken none.
pub(super) fn toward(before: &Position, after: &Position, kind: FlipKind) -> Stance {
    let reverses = matches!(kind, FlipKind::Contradiction | FlipKind::Retraction);
    if !reverses {
        return Stance::Unclear;
    }
    match before.question.as_deref().or(after.question.as_deref()) {
        Some(question) => answered(before, after, question),
        // What is taken back is what the flip is about.
        None if kind == FlipKind::Retraction => Stance::No,
        None => between(&before.claim, &after.claim),
    }
}

/// The side of the question: as recorded with the positions, else as their words say.
fn answered(before: &Position, after: &Position, question: &str) -> Stance {
    let topic = Topic::new(&Reading::new(question));
    let side = |position: &Position| match position.stance {
        Stance::Unclear => Reading::new(&position.claim).position(Some(&topic)).stance,
        recorded => recorded,
    };
    match side(after) {
        Stance::Unclear => side(before).opposite(),
        side => side,
    }
}

/// Of two claims that cannot both hold, the one that denies less is what they are about; of two that
/// deny as much, the one that comes first in the alphabet, so that both ways are told of the same.
fn between(before: &str, after: &str) -> Stance {
    let order = |claim: &str| (denials(claim), claim.trim().to_lowercase());
    if order(before) <= order(after) { Stance::No } else { Stance::Yes }
}

/// Words that a negation reaches first, or that have one in them: "not safe", "unsafe".
fn denials(claim: &str) -> usize {
    let denies = |word: &&rebuttal_text::ContentWord| {
        word.denied_first || word.root().is_some_and(|(_, denied)| denied)
    };
    Reading::new(claim).content().words.iter().filter(denies).count()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rebuttal_model::AgentId;

    use super::*;

    fn said(claim: &str, question: Option<&str>) -> Position {
        let question = question.map(ToOwned::to_owned);
        Position { question, ..Position::new(AgentId::new("a"), claim, Timestamp::UNIX_EPOCH) }
    }

    fn way(before: &str, after: &str, question: Option<&str>, kind: FlipKind) -> Stance {
        toward(&said(before, question), &said(after, question), kind)
    }

    #[test]
    fn both_ways_between_two_claims_are_told_of_one() {
        for (one, two) in [
            ("The cache is safe.", "The cache is not safe."),
            ("The cache is safe.", "The cache is unsafe."),
            ("Revenue fell in Peru.", "Revenue grew in Peru."),
            ("The delay is 20 ms.", "The delay is 200 ms."),
        ] {
            assert_eq!(way(one, two, None, FlipKind::Contradiction), Stance::No, "{one}");
            assert_eq!(way(two, one, None, FlipKind::Contradiction), Stance::Yes, "{one}");
        }
    }

    #[test]
    fn an_answer_is_on_a_side_of_its_question() {
        let asked = Some("Should we adopt Kubernetes?");
        let (yes, no) = ("We should adopt Kubernetes.", "We should not adopt Kubernetes.");
        assert_eq!(way(yes, no, asked, FlipKind::Contradiction), Stance::No);
        assert_eq!(way(no, yes, asked, FlipKind::Contradiction), Stance::Yes);
        assert_eq!(way(yes, "I was wrong.", asked, FlipKind::Retraction), Stance::No);
    }

    #[test]
    fn what_is_only_narrowed_goes_nowhere() {
        let (all, some) = ("The cache is safe.", "The cache is mostly safe.");
        assert_eq!(way(all, some, None, FlipKind::Refinement), Stance::Unclear);
        assert_eq!(way(all, "I withdraw that.", None, FlipKind::Retraction), Stance::No);
    }
}
