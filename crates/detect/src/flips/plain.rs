//! Turns of phrase and what they say plainly.
//!
//! "It would be wrong to sell" is "we should not sell", and "called off" is "cancelled": none of their
//! words tells a comparison word by word that they say the same.

use std::sync::LazyLock;

/// Openings, and what they say. The first that fits counts.
const OPENINGS: [(&[&str], &str); 5] = [
    (
        &[
            "it is false that ",
            "it's false that ",
            "it is untrue that ",
            "it is wrong that ",
            "it is not the case that ",
        ],
        "It is not true that ",
    ),
    (
        &[
            "it would be wrong to ",
            "it would be a mistake to ",
            "it would be unwise to ",
            "it would be foolish to ",
            "it would be a bad idea to ",
            "it would be an error to ",
            "it would be premature to ",
            "it would be reckless to ",
            "it is a mistake to ",
            "it is a bad idea to ",
            "it is unwise to ",
            "it is wrong to ",
            "i would advise against ever ",
        ],
        "We should not ",
    ),
    (
        &[
            "it would be right to ",
            "it would be wise to ",
            "it would be a good idea to ",
            "it would be sensible to ",
            "it is a good idea to ",
            "it is wise to ",
        ],
        "We should ",
    ),
    (&["nobody but ", "no one but ", "nobody except ", "no one except "], "Only "),
    (&["do not ever ", "don't ever "], "Never "),
];

/// What a line says plainly, where it opens with a turn of phrase.
pub(super) fn said_plainly(text: &str) -> Option<String> {
    let starts = |known: &str| {
        let head = text.get(..known.len())?;
        head.eq_ignore_ascii_case(known).then(|| text.get(known.len()..)).flatten()
    };
    let opening = OPENINGS.iter().find_map(|(known, plain)| {
        known.iter().find_map(|known| starts(known)).map(|rest| format!("{plain}{rest}"))
    });
    opening
        .or_else(|| answered(text).map(str::to_owned))
        .or_else(|| others_not(text))
        .or_else(|| no_claim(text))
        .or_else(|| unless(text))
        .or_else(|| none_more(text))
        .or_else(|| twice_denied(text))
        .or_else(|| stopped(text))
}

/// "Yes. We should go", "I see your point, but we should go": a yes before it and what is granted before
/// a "but" are no part of what is held.
fn answered(text: &str) -> Option<&str> {
    const GRANTS: [&str; 12] = [
        "i understand ",
        "i hear ",
        "i see ",
        "i appreciate ",
        "i know ",
        "i respect ",
        "i take your ",
        "i get ",
        "point taken",
        "fair enough",
        "noted",
        "that may be",
    ];
    let opens = |known: &&&str| {
        text.get(..known.len()).is_some_and(|head| head.eq_ignore_ascii_case(known))
    };
    let rest = match ["yes. ", "yes, ", "yes: "].iter().find(opens) {
        Some(yes) => text.get(yes.len()..),
        None => GRANTS.iter().find(opens).and_then(|_| text.split_once(", but ")).map(|it| it.1),
    }?;
    rest.contains(' ').then_some(rest)
}

/// "You can't vote unless you are a member": only members can.
fn unless(text: &str) -> Option<String> {
    const DENIED: [(&str, &str); 5] = [
        ("can't ", "can"),
        ("cannot ", "can"),
        ("can not ", "can"),
        ("may not ", "may"),
        ("must not ", "may"),
    ];
    let (said, who) = text.trim_end_matches('.').split_once(" unless ")?;
    let (_, rest) = who.split_once(" are ").or_else(|| who.split_once("'re "))?;
    let who = rest.trim_start_matches("a ").trim_start_matches("an ");
    let (denied, may) = DENIED.iter().find(|(denied, _)| said.contains(denied))?;
    let (subject, what) = said.split_once(denied)?;
    let anyone = ["you", "people", "they", "one"];
    let anyone = anyone.iter().any(|known| subject.trim().eq_ignore_ascii_case(known));
    (anyone && !who.contains(' ')).then(|| format!("Only {} {may} {what}.", plural(who)))
}

fn plural(word: &str) -> String {
    if word.ends_with('s') { word.to_owned() } else { format!("{word}s") }
}

/// "No river is longer than the Nile": the Nile is the longest river.
fn none_more(text: &str) -> Option<String> {
    let rest = text.strip_prefix("No ")?.trim_end_matches('.');
    let (thing, more) = rest.split_once(" is ")?;
    let (how, which) = more.split_once(" than ")?;
    let most = match how.strip_prefix("more ") {
        Some(how) => format!("most {how}"),
        None => format!("{}est", how.strip_suffix("er")?),
    };
    (!how.trim_start_matches("more ").contains(' '))
        .then(|| format!("{which} is the {most} {thing}."))
}

/// "Not unreasonable" is reasonable, near enough.
fn twice_denied(text: &str) -> Option<String> {
    const KNOWN: [&str; 3] = ["un", "in", "im"];
    // Only what is a describing word without its beginning: "unable" and "under" are not.
    const ENDS: [&str; 8] = ["able", "ible", "al", "ful", "fair", "wise", "likely", "possible"];
    let (head, tail) = text.split_once(" not ")?;
    let word: &str = tail.split(|c: char| !c.is_alphabetic()).next()?;
    let root = KNOWN.iter().find_map(|known| word.strip_prefix(known))?;
    let describes = root.len() > 3 && ENDS.iter().any(|end| root.ends_with(end));
    describes.then(|| format!("{head} {root}{}", tail.get(word.len()..).unwrap_or_default()))
}

/// "Has stopped hiring" is not hiring.
fn stopped(text: &str) -> Option<String> {
    const STOPPED: [&str; 9] = [
        " has stopped ",
        " have stopped ",
        " has quit ",
        " have quit ",
        " has ceased ",
        " have ceased ",
        " stopped ",
        " has given up ",
        " have given up ",
    ];
    STOPPED.iter().find_map(|known| {
        let (head, tail) = text.split_once(known)?;
        let doing = tail.split(|c: char| !c.is_alphabetic()).next()?;
        let is = if known.contains("have") { "are" } else { "is" };
        (doing.ends_with("ing") && doing.len() > 4).then(|| format!("{head} {is} not {tail}"))
    })
}

/// "I can no longer defend the claim that": "the claim that" reads as somebody else's.
fn no_claim(text: &str) -> Option<String> {
    let claims = ["defend the claim that", "stand by the claim that", "uphold the claim that"];
    let known = claims.iter().find(|known| text.contains(&format!("no longer {known}")))?;
    Some(text.replace(known, "maintain that"))
}

/// "Non-members cannot vote": only members can.
fn others_not(text: &str) -> Option<String> {
    const DENIED: [(&str, &str); 6] = [
        ("cannot ", "can "),
        ("can't ", "can "),
        ("can not ", "can "),
        ("may not ", "may "),
        ("must not ", "may "),
        ("are not allowed to ", "are allowed to "),
    ];
    let (who, rest) = text.split_once(' ')?;
    let who = who.strip_prefix("Non-").or_else(|| who.strip_prefix("non-"))?;
    let (denied, said) = DENIED.iter().find(|(denied, _)| rest.starts_with(denied))?;
    Some(format!("Only {who} {said}{}", rest.get(denied.len()..)?))
}

/// Ways to say one thing; a star stands for any ending. Each has a bit in [`sayings`].
const SAYINGS: [&[&str]; 26] = [
    &["call* off", "cancel*", "scrap*"],
    &["put* off", "postpon*", "defer*", "delay*", "push* back"],
    &["step* down", "stood down", "resign*", "quit*", "left office", "leaves office"],
    &["went up", "go* up", "rose", "rise*", "increas*", "climb*", "grew"],
    &["went down", "go* down", "came down", "fell", "fall*", "drop*", "declin*", "decreas*"],
    &["turn* down", "reject*", "refus*", "declin*"],
    &["give* up", "gave up", "abandon*", "drop*"],
    &["set* up", "establish*", "found*"],
    &["carr* out", "perform*", "conduct*"],
    &["shut* down", "clos*"],
    &["cut* down", "cut* back", "reduc*"],
    &["speed* up", "sped up", "accelerat*"],
    &["slow* down", "decelerat*"],
    &["rul* out", "exclud*"],
    &["phas* out", "abolish*"],
    &["lay* off", "laid off", "dismiss*", "fire*"],
    &["pull* out", "withdr*"],
    &["get rid", "got rid", "remov*", "eliminat*"],
    &["roll* out", "launch*", "deploy*"],
    &["look* into", "investigat*", "examin*"],
    &["hand* in", "submit*"],
    &["find out", "found out", "discover*"],
    &["doubl*", "by 100"],
    &["tripl*", "by 200"],
    &["half", "50"],
    &["third", "33"],
];

/// Which of the things that can be said in several ways a line says, a bit for each. Two lines without
/// a bit in common are no [`one_saying`].
pub(super) fn sayings(text: &str) -> u32 {
    let words = lowered(text);
    let mut said = 0;
    for (at, word) in words.iter().enumerate() {
        let first = word.bytes().next().unwrap_or_default();
        let rest = words.get(at..).unwrap_or_default();
        let ways = BY_LETTER.get(usize::from(first)).map(Vec::as_slice).unwrap_or_default();
        for (bit, way) in ways {
            said |= u32::from(begins(rest, way)) << bit;
        }
    }
    said
}

/// The sayings by the byte they begin with, each with its bit: every word of every line is looked up.
static BY_LETTER: LazyLock<Vec<Vec<(usize, &'static str)>>> = LazyLock::new(|| {
    let mut letters = vec![Vec::new(); 256];
    for (bit, ways) in SAYINGS.iter().enumerate() {
        for way in *ways {
            let first = way.bytes().next().unwrap_or_default();
            if let Some(letter) = letters.get_mut(usize::from(first)) {
                letter.push((bit, *way));
            }
        }
    }
    letters
});

fn lowered(text: &str) -> Vec<String> {
    super::words::split(text).map(|(word, _)| word.to_lowercase()).collect()
}

/// Whether the two lines say one thing in two ways.
pub(super) fn one_saying(a: &str, b: &str) -> bool {
    let (one, two) = (lowered(a), lowered(b));
    SAYINGS.iter().any(|ways| {
        let said = |words: &[String]| ways.iter().position(|way| has(words, way));
        said(&one).zip(said(&two)).is_some_and(|(one, two)| one != two)
    })
}

fn has(words: &[String], way: &str) -> bool {
    (0..words.len()).any(|at| begins(words.get(at..).unwrap_or_default(), way))
}

/// Whether these words begin with a saying.
fn begins(words: &[String], way: &str) -> bool {
    let mut words = words.iter();
    way.split(' ').all(|known| {
        words.next().is_some_and(|word| match known.strip_suffix('*') {
            Some(start) => word.starts_with(start),
            None => word == known,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_said_plainly() {
        let plain = |text| said_plainly(text);
        assert_eq!(plain("It would be unwise to wait."), Some("We should not wait.".to_owned()));
        assert_eq!(
            plain("It is false that he ran."),
            Some("It is not true that he ran.".to_owned())
        );
        assert_eq!(plain("Non-smokers may not enter."), Some("Only smokers may enter.".to_owned()));
        for (text, expected) in [
            ("You can't park here unless you are a resident.", "Only residents can park here."),
            ("No river is longer than the Nile.", "the Nile is the longest river."),
            ("It is not unreasonable to ask.", "It is reasonable to ask."),
            ("The mill has stopped selling flour.", "The mill is not selling flour."),
        ] {
            assert_eq!(plain(text).as_deref(), Some(expected));
        }
        assert_eq!(plain("It is not under review."), None);
        assert_eq!(plain("The train has stopped."), None);
        assert_eq!(plain("Ü"), None);
        assert_eq!(plain("We should wait."), None);
    }

    #[test]
    fn the_bits_are_those_of_the_list() {
        for (bit, ways) in SAYINGS.iter().enumerate() {
            for way in *ways {
                let line = format!("They {} it.", way.replace('*', "s"));
                assert!(sayings(&line) & (1 << bit) != 0, "{line}");
                assert!(has(&lowered(&line), way), "{line}");
            }
        }
        assert_eq!(sayings("Nothing of the kind."), 0);
    }

    #[test]
    fn two_ways_to_say_it() {
        assert!(one_saying("The talk was put off.", "They postponed the talk."));
        assert!(!one_saying("The talk was put off.", "The talk was put off."));
        assert!(!one_saying("The talk was put off.", "The talk was cancelled."));
    }
}
