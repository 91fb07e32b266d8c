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
    Stem(hash(stripped(word)))
}

/// The word in lower-case ASCII, in the caller's buffer; `None` when it does not fit.
pub(crate) fn lower<'b>(word: &str, buffer: &'b mut [u8; STEM_BYTES]) -> Option<&'b [u8]> {
    let target = buffer.get_mut(..word.len())?;
    if !word.is_ascii() {
        return None;
    }
    target.copy_from_slice(word.as_bytes());
    target.make_ascii_lowercase();
    Some(target)
}

/// FNV-1a over four bytes' worth of state: stable across machines and releases.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0x811c_9dc5, |state, &byte| (state ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Takes off the endings that do not change what a word is about.
///
/// Deliberately small: it must join the forms of one word and never join two words, so endings
/// that make a different word ("-ment", "-less", "-ful") stay.
fn stripped(word: &[u8]) -> &[u8] {
    let word = word.strip_suffix(b"'s").unwrap_or(word);
    let word = word.strip_suffix(b"'").unwrap_or(word);
    let word = singular(word);
    let word = base_form(word);
    if word.len() > 3 { word.strip_suffix(b"e").unwrap_or(word) } else { word }
}

fn singular(word: &[u8]) -> &[u8] {
    if word.len() < 4 {
        return word;
    }
    for ending in [&b"sses"[..], b"shes", b"ches", b"xes", b"zes"] {
        if word.ends_with(ending) {
            return without(word, 2);
        }
    }
    // "policies" and "policy" meet at "polic".
    if word.len() > 4 && word.ends_with(b"ies") {
        return without(word, 3);
    }
    let kept = [&b"ss"[..], b"us", b"is"].iter().any(|ending| word.ends_with(ending));
    if word.ends_with(b"s") && !kept { without(word, 1) } else { word }
}

fn base_form(word: &[u8]) -> &[u8] {
    let past = word.len() > 4 && word.ends_with(b"ed") && !word.ends_with(b"eed");
    let adverb = word.len() > 5 && word.ends_with(b"ly");
    let cut = if word.len() > 5 && word.ends_with(b"ing") {
        without(word, 3)
    } else if past || adverb {
        without(word, 2)
    } else if word.len() > 4 && word.ends_with(b"y") {
        return without(word, 1);
    } else {
        return word;
    };
    if !cut.iter().any(|byte| b"aeiouy".contains(byte)) {
        return word;
    }
    undoubled(cut)
}

/// "stopped" and "stopping" meet "stop"; "ll" and "ss" belong to the word ("all", "pass").
fn undoubled(word: &[u8]) -> &[u8] {
    match word {
        [head @ .., a, b] if a == b && word.len() > 3 && !b"lsz".contains(b) => {
            word.get(..=head.len()).unwrap_or(word)
        }
        _ => word.strip_suffix(b"i").unwrap_or(word),
    }
}

fn without(word: &[u8], ending: usize) -> &[u8] {
    word.get(..word.len().saturating_sub(ending)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            &["decide", "decides", "decided", "deciding", "Decided"][..],
            &["stop", "stops", "stopped", "stopping"],
            &["policy", "policies"],
            &["ban", "bans", "banned", "banning"],
            &["safe", "safely"],
            &["allow", "allowed", "allowing"],
            &["box", "boxes"],
            &["agency", "agency's"],
        ] {
            let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{forms:?}");
        }
    }

    #[test]
    fn different_words_stay_apart() {
        for (a, b) in [("bad", "badge"), ("harm", "harmful"), ("use", "useless"), ("is", "i")] {
            assert_ne!(stem(a), stem(b), "{a} {b}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_word_has_a_stem(word in "\\PC{0,40}") {
            assert_eq!(stem(&word), stem(&word));
        }
    }
}
