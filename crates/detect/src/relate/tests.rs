//! What rules alone make of pairs.

use super::*;

fn kind(a: &str, b: &str) -> RelationKind {
    relate(a, b, Reader::Rules).kind
}

#[test]
fn each_relation_by_rules() {
    use RelationKind::{Contradicts, Entails, Qualifies, Same, Unrelated};
    for (a, b, expected) in [
        ("The cache is safe.", "the cache  is safe.", Same),
        ("The cache is safe.", "The cache is not safe.", Contradicts),
        ("Ann beat Ben in the final.", "Ben beat Ann in the final.", Contradicts),
        ("Wind is cheaper than gas.", "Gas is dearer than wind.", Same),
        ("The cache is safe and the disk is full.", "The cache is safe.", Entails),
        ("The plan is sound.", "The plan is sound only for small teams.", Qualifies),
        ("The plan is sound.", "We meet in June.", Unrelated),
        ("Latency fell to 20 ms.", "Latency fell to 200 ms.", Contradicts),
        ("Exports rose in 2019.", "Exports fell in 2021.", Unrelated),
    ] {
        let found = relate(a, b, Reader::Rules);
        assert_eq!(found.kind, expected, "{a} / {b}: {found:?}");
        assert_eq!(found.method, Method::Rules);
    }
}

#[test]
fn what_is_certain_lets_both_hold() {
    for (a, b) in [
        ("Exports rose in 2019.", "Exports fell in 2021."),
        ("Rising rates hurt lenders.", "Falling rates help lenders."),
        ("The shop in Lyon is profitable.", "The shop in Paris is not profitable."),
    ] {
        assert_ne!(kind(a, b), RelationKind::Contradicts, "{a} / {b}");
    }
}

#[test]
fn shares_sum_to_one_and_the_words_that_decide_are_there() {
    let texts = [
        "The cache is safe.",
        "The cache is not safe.",
        "The cache may be safe for sessions.",
        "Ann beat Ben in the final.",
        "Ben beat Ann in the final.",
        "",
    ];
    for (a, b) in texts.iter().flat_map(|a| texts.map(|b| (*a, b))) {
        let found = relate(a, b, Reader::Rules);
        let Related { same, entails, contradicts, qualifies, unrelated } = found.shares;
        let sum = same + entails + contradicts + qualifies + unrelated;
        assert!((sum - 1.0).abs() < 1e-4, "{a} / {b}: {found:?}");
        if let Some((one, two)) = found.at {
            assert!(one.of(a).is_some() && two.of(b).is_some(), "{a} / {b}: {found:?}");
        }
    }
}
