//! Words as numbers: a light English stem and a stable hash, without allocating.

/// A stem's hash. Two words with the same stem compare equal: "decides", "decided", "deciding".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Stem(pub(crate) u32);

/// The longest word that is stemmed; longer ones are hashed as they are.
const STEM_BYTES: usize = 32;

/// The stem of a word, in lower case. Longer words and words outside ASCII are their own stem.
pub(crate) fn stem(word: &str) -> Stem {
    let mut buffer = [0u8; STEM_BYTES];
    match lower(word, &mut buffer) {
        Some(lowered) => stem_of_lower(lowered),
        None => Stem(hash(word.as_bytes())),
    }
}

/// The stem of a word that is in lower case already.
pub(crate) fn stem_of_lower(word: &[u8]) -> Stem {
    let cut = cut(word);
    let state = hash(cut.kept);
    Stem(cut.ending.map_or(state, |ending| mix(state, ending)))
}

/// The word in lower-case ASCII, in the caller's buffer; `None` when it does not fit.
pub(crate) fn lower<'b>(word: &str, buffer: &'b mut [u8; STEM_BYTES]) -> Option<&'b [u8]> {
    let target = buffer.get_mut(..word.len())?;
    // Words are short: one pass of our own is cheaper than three calls.
    let mut all = 0;
    for (slot, byte) in target.iter_mut().zip(word.bytes()) {
        *slot = byte.to_ascii_lowercase();
        all |= byte;
    }
    all.is_ascii().then_some(target)
}

/// FNV-1a over four bytes' worth of state: stable across machines and releases.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    hash_on(0x811c_9dc5, bytes)
}

/// The hash of what was hashed so far and these bytes behind it.
pub(crate) fn hash_on(state: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(state, |state, &byte| mix(state, byte))
}

fn mix(state: u32, byte: u8) -> u32 {
    (state ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// A stem in pieces: what is kept, and a letter that stands for what was cut off.
#[derive(Clone, Copy)]
struct Cut<'w> {
    kept: &'w [u8],
    ending: Option<u8>,
}

/// Takes off the endings that do not change what a word is about.
///
/// Deliberately small: it must join the forms of one word and never join two words, so endings
/// that make a different word ("-ment", "-less", "-ful") stay, and so does a final "e" or "y" of the
/// base form, which is all that tells "plane" from "plan" and "party" from "part".
fn cut(word: &[u8]) -> Cut<'_> {
    let word = word.strip_suffix(b"'s").unwrap_or(word);
    let word = word.strip_suffix(b"'").unwrap_or(word);
    let whole = |kept| Cut { kept, ending: None };
    let with_y = |kept| Cut { kept, ending: Some(b'y') };
    match word {
        // All of them end so; most words need no comparison.
        [.., b'y'] | [b'n', b'e', b'w', b's'] if WHOLE.contains(&word) => whole(word),
        [.., b'e', b'e', b'd'] | [.., b's' | b'u' | b'i', b's'] => whole(word),
        [head @ .., b'i', b'e', b's' | b'd'] if head.len() > 1 => with_y(head),
        [head @ .., b'i', b'l', b'y'] if head.len() > 2 => with_y(head),
        [head @ .., b'e', b'd'] | [head @ .., b'i', b'n', b'g']
            if has_vowel(head) && head.len() > 1 =>
        {
            verb(head)
        }
        [head @ .., b'e', b's'] if is_hissing(head) => base(head),
        [head @ .., b's'] | [head @ .., b'l', b'y'] if head.len() > 2 => base(head),
        _ => base(word),
    }
}

/// Words that only look as if they had an ending.
const WHOLE: [&[u8]; 16] = [
    b"comply",
    b"imply",
    b"multiply",
    b"news",
    b"family",
    b"supply",
    b"apply",
    b"reply",
    b"rely",
    b"ally",
    b"assembly",
    b"anomaly",
    b"monopoly",
    b"bully",
    b"only",
    b"early",
];

/// A long base form drops its silent "e", which "-ed" and "-ing" have lost; a short one needs it.
fn base(word: &[u8]) -> Cut<'_> {
    let kept = word.strip_suffix(b"e").filter(|kept| syllables(kept) > 1).unwrap_or(word);
    Cut { kept, ending: None }
}

/// What "-ed" or "-ing" was taken off: "stopped" from "stop", "used" from "use", "helped" from "help".
fn verb(head: &[u8]) -> Cut<'_> {
    let single = undoubled(head);
    let lost_e = single.len() == head.len()
        && syllables(head) == 1
        && matches!(head, [.., before, vowel, last]
            if !is_vowel(*before) && is_vowel(*vowel) && !is_vowel(*last) && !b"wxy".contains(last))
        || matches!(head, [vowel, last] if is_vowel(*vowel) && !is_vowel(*last))
        || syllables(head) == 1 && ends_no_word(head);
    Cut { kept: single, ending: lost_e.then_some(b'e') }
}

/// Letters in which no word ends, so that an "e" was lost behind them: "caus", "solv", "forc", "charg",
/// "handl".
fn ends_no_word(head: &[u8]) -> bool {
    match head {
        [.., b'v' | b'c'] | [.., b'd' | b'r' | b'l', b'g'] => true,
        [.., a, b, b's' | b'z'] if is_vowel(*a) && is_vowel(*b) => true,
        [.., before, b's'] => !is_vowel(*before) && *before != b's',
        [.., before, b'l'] => !is_vowel(*before) && !b"lrw".contains(before),
        _ => false,
    }
}

/// Groups of vowels, which is near enough.
fn syllables(word: &[u8]) -> usize {
    let vowel = |byte: &u8| is_vowel(*byte);
    let starts = word.iter().enumerate().filter(|(index, byte)| {
        vowel(byte) && !index.checked_sub(1).and_then(|before| word.get(before)).is_some_and(vowel)
    });
    starts.count()
}

fn is_vowel(byte: u8) -> bool {
    b"aeiouy".contains(&byte)
}

fn has_vowel(word: &[u8]) -> bool {
    syllables(word) > 0
}

fn is_hissing(word: &[u8]) -> bool {
    [&b"ss"[..], b"sh", b"ch", b"x", b"z"].iter().any(|ending| word.ends_with(ending))
}

/// "stopped" and "stopping" meet "stop"; "ll" and "ss" belong to the word ("all", "pass").
fn undoubled(word: &[u8]) -> &[u8] {
    match word {
        [head @ .., a, b] if a == b && word.len() > 3 && !b"lsz".contains(b) => {
            word.get(..=head.len()).unwrap_or(word)
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            &["decide", "decides", "decided", "deciding", "Decided"][..],
            &["stop", "stops", "stopped", "stopping"],
            &["use", "uses", "used", "using"],
            &["help", "helps", "helped", "helping"],
            &["take", "takes", "taking"],
            &["policy", "policies"],
            &["city", "cities"],
            &["copy", "copies", "copied"],
            &["ban", "bans", "banned", "banning"],
            &["safe", "safely"],
            &["easy", "easily"],
            &["allow", "allowed", "allowing"],
            &["box", "boxes"],
            &["visit", "visited", "visiting"],
            &["agency", "agency's"],
            &["family", "families"],
            &["cause", "causes", "caused", "causing"],
            &["solve", "solves", "solved", "solving"],
            &["force", "forces", "forced", "forcing"],
            &["charge", "charged", "charging"],
            &["handle", "handles", "handled", "handling"],
            &["raise", "raises", "raised", "raising"],
            &["sense", "sensed", "sensing"],
            &["settle", "settled", "settling"],
            &["leave", "leaves", "leaving"],
            &["rain", "rained", "raining"],
            &["pass", "passes", "passed", "passing"],
            &["crawl", "crawled"],
            &["curl", "curled"],
            &["bang", "banged"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{forms:?}");
        }
    }

    #[test]
    fn different_words_stay_apart() {
        for (a, b) in [
            ("bad", "badge"),
            ("harm", "harmful"),
            ("use", "useless"),
            ("is", "i"),
            ("police", "policy"),
            ("plane", "plan"),
            ("party", "part"),
            ("county", "count"),
            ("movies", "moves"),
            ("cookies", "cooks"),
            ("care", "car"),
            ("rates", "rats"),
            ("Apple", "apply"),
            ("news", "new"),
            ("bare", "bar"),
        ] {
            assert_ne!(stem(a), stem(b), "{a} {b}");
        }
    }

    proptest::proptest! {
        #[test]
        fn case_and_possession_make_no_difference(word in "[a-z]{3,12}") {
            assert_eq!(stem(&word.to_uppercase()), stem(&word));
            assert_eq!(stem(&format!("{word}'s")), stem(&word));
        }
    }
}
