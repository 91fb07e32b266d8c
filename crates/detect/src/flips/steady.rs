//! Words by which a speaker says that it holds what it held: "my advice stands", "I'd still buy".
//!
//! The counterpart of an acknowledgment. Whoever says so may have other reasons and other words, and no
//! likeness of words makes a change of that; a number put right is one all the same.

use super::words::split;

/// What one holds.
const HELD: [&str; 14] = [
    "view",
    "opinion",
    "position",
    "recommendation",
    "advice",
    "answer",
    "conclusion",
    "assessment",
    "estimate",
    "verdict",
    "stance",
    "rating",
    "thesis",
    "mind",
];
/// What it does while it is held.
const STANDS: [&str; 7] = ["stands", "remains", "holds", "stays", "unchanged", "same", "stand"];
const SPEAKER: [&str; 10] =
    ["i", "i'd", "i'll", "i'm", "i've", "we", "we'd", "we'll", "we're", "we've"];
const DENIES: [&str; 12] = [
    "not", "no", "never", "longer", "don't", "doesn't", "isn't", "can't", "cannot", "hasn't",
    "haven't", "if",
];
/// What is done with a view that is not held on to.
const MOVES: [&str; 12] = [
    "changed",
    "change",
    "changes",
    "revise",
    "revised",
    "move",
    "moved",
    "alter",
    "altered",
    "alters",
    "reconsider",
    "shifted",
];
/// How many words apart the parts may stand.
const REACH: usize = 6;

/// Whether the speaker says that it holds on to what it held.
pub(super) fn holds_on(text: &str) -> bool {
    let words: Vec<String> =
        split(text).map(|(word, _)| word.to_lowercase().replace('\u{2019}', "'")).collect();
    (0..words.len()).any(|at| {
        let here = |place: usize, known: &[&str]| {
            words.get(place).is_some_and(|word| known.contains(&word.as_str()))
        };
        let near = |known: &[&str]| (at + 1..at + 1 + REACH).find(|place| here(*place, known));
        let denied = |to: usize| (at..to).any(|place| here(place, &DENIES));
        if here(at, &SPEAKER) {
            let still = (at + 1..at + 3).any(|place| here(place, &["still"]));
            let by = near(&["stand", "stick", "hold"])
                .is_some_and(|verb| here(verb + 1, &["by", "with", "to"]) && !denied(verb));
            let same =
                near(&["same"]).is_some_and(|place| here(place + 1, &HELD) && !denied(place));
            // "I don't see anything that would make me change course."
            let moves = (at + 1..at + 2 * REACH).find(|place| here(*place, &MOVES));
            let refuses = moves.is_some_and(|place| {
                let own = here(place + 1, &["my", "course"]) || here(place - 1, &["me"]);
                own && denied(place)
            });
            return still
                || refuses
                || by
                || same
                || here(at + 1, &["continue", "reiterate", "maintain"]);
        }
        if here(at, &["my", "our"]) {
            let Some(noun) = (at + 1..at + 4).find(|place| here(*place, &HELD)) else {
                return false;
            };
            let after = noun + 1..noun + 1 + REACH;
            let stands = after.clone().find(|place| here(*place, &STANDS));
            let moves = after.clone().find(|place| here(*place, &MOVES));
            let refuses = moves.is_some_and(|place| (noun..place).any(|it| here(it, &DENIES)));
            let kept = stands.is_some_and(|place| !(noun..place).any(|it| here(it, &DENIES)));
            // "I haven't changed my mind."
            let before = at.checked_sub(1).is_some_and(|verb| here(verb, &MOVES))
                && (at.saturating_sub(4)..at).any(|it| here(it, &DENIES));
            return kept || refuses || before;
        }
        // "Nothing has changed", "no reason to revise it".
        let nothing = here(at, &["nothing"]) || here(at, &["no"]) && here(at + 1, &["reason"]);
        // "Nothing changes about the rest" says so of the rest.
        nothing && near(&MOVES).is_some_and(|place| !here(place + 1, &["about", "for", "in"]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_holds_on_says_so() {
        for text in [
            "My advice stands: sell the barge.",
            "I'd still sell the barge.",
            "I come to the same conclusion.",
            "We stand by the plan.",
            "Nothing in the report has changed that.",
            "I haven't changed my mind.",
            "I see no reason to revise the plan.",
        ] {
            assert!(holds_on(text), "{text}");
        }
        for text in [
            "My advice no longer stands.",
            "I changed my mind.",
            "The barge still floats.",
            "Sell the barge.",
            "I do not stand by the plan.",
        ] {
            assert!(!holds_on(text), "{text}");
        }
    }
}
