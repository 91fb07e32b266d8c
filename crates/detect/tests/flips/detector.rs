//! Positions as they come, and the flips they make.

use jiff::{Timestamp, ToSpan};
use rebuttal_detect::Reader;
use rebuttal_detect::flips::{Detector, LOOKBACK, detect_flips, keys};
use rebuttal_model::{AgentId, Confidence, Flip, FlipKind, Position, Whose};

fn at(hours: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + hours.hours()
}

fn position(agent: &str, claim: &str, hours: i64) -> Position {
    Position::new(AgentId::new(agent), claim, at(hours))
}

fn flips(claims: &[&str]) -> Vec<Flip> {
    let positions = (0..).zip(claims).map(|(hours, claim)| position("ann", claim, hours));
    detect_flips(positions, LOOKBACK, Reader::Rules, at(1000))
}

#[test]
fn one_reversal_is_one_flip() {
    let found = flips(&[
        "The bridge is safe.",
        "The bridge is safe.",
        "Lunch is at noon.",
        "The bridge is not safe.",
        "The bridge is not safe.",
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, FlipKind::Contradiction);
    assert_eq!(found[0].before.at, at(1), "the latest earlier one");
    assert_eq!(found[0].detected_at, at(1000));
    let found = flips(&["The bridge is safe.", "The bridge is not safe.", "The bridge is safe."]);
    assert_eq!(found.len(), 2, "there and back");
}

#[test]
fn the_flip_is_to_the_claim_on_the_same_matter() {
    let found = flips(&[
        "Postgres is the right database.",
        "The app needs a dark theme.",
        "We need more staff in June.",
        "Postgres is the wrong database.",
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].after.claim, "Postgres is the wrong database.");
}

#[test]
fn agents_and_fields_are_kept_apart() {
    let one = position("ann", "The bridge is safe.", 0);
    let other = position("ben", "The bridge is not safe.", 1);
    assert!(detect_flips([one.clone(), other], LOOKBACK, Reader::Rules, at(9)).is_empty());
    let field = |claim: &str, hours, name: &str| Position {
        domain: Some(name.to_owned()),
        ..position("ann", claim, hours)
    };
    let apart =
        [field("The bridge is safe.", 0, "roads"), field("The bridge is not safe.", 1, "games")];
    assert!(detect_flips(apart, LOOKBACK, Reader::Rules, at(9)).is_empty());
    let half_known = [one, field("The bridge is not safe.", 1, "roads")];
    assert_eq!(detect_flips(half_known, LOOKBACK, Reader::Rules, at(9)).len(), 1);
}

#[test]
fn confidence_nought_stays_nought() {
    let none = Confidence::new(0.0, Whose::Stated);
    let before = Position { confidence: none, ..position("ann", "The bridge is safe.", 0) };
    let after = Position { confidence: none, ..position("ann", "The bridge is not safe.", 1) };
    let found = detect_flips([before, after], LOOKBACK, Reader::Rules, at(9));
    assert_eq!((found[0].before.confidence, found[0].after.confidence), (none, none));
}

#[test]
fn pushing_one_by_one_finds_what_all_at_once_does() {
    let claims = ["Tea helps.", "Rents rise.", "Tea may help.", "Rents fall.", "Tea helps."];
    let mut detector = Detector::new(Reader::Rules, LOOKBACK);
    let pushed: Vec<Flip> = (0..)
        .zip(claims)
        .flat_map(|(hours, claim)| detector.push(position("ann", claim, hours), at(1000)))
        .collect();
    assert_eq!(pushed, flips(&claims));
    assert!(pushed.len() >= 2, "{pushed:?}");
}

#[test]
fn what_is_kept_is_bounded() {
    let mut detector = Detector::new(Reader::Rules, 4);
    for hours in 0..200 {
        detector.push(position("ann", "The bridge over the Aare is safe.", hours), at(1000));
    }
    let most = keys("The bridge over the Aare is safe.", None).len() * 4;
    assert!(detector.kept() <= most, "{} kept, {most} at most", detector.kept());
}
