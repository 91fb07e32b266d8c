//! Numbers that tell one thing from another of its kind: "server 12 is", "the lane of team 9 lowers".

use rebuttal_model::Span;

use super::context::{self, Bound, is_function_word};
use super::look::{Look, Lower};

/// Verbs of one thing, and verbs of one or more; of "isn't" the letters before the apostrophe.
const OF_ONE: [&str; 8] = ["is", "was", "has", "does", "isn", "wasn", "hasn", "doesn"];
const OF_ANY: [&str; 13] = [
    "will", "would", "should", "could", "can", "cannot", "may", "might", "must", "won", "wouldn",
    "shouldn", "couldn",
];
const OF_MANY: [&str; 4] = ["are", "were", "have", "do"];

/// Words after which a thing is named that belongs to what stands before.
const JOINTS: [&str; 5] = ["of", "in", "at", "for", "from"];
const ARTICLES: [&str; 4] = ["the", "a", "an", "our"];

/// Words before a number that say how exactly it is meant, or which of several.
const MEASURES: [&str; 12] = [
    "least", "most", "total", "another", "just", "only", "some", "even", "further", "first",
    "last", "other",
];

/// Longest number that names a thing.
const DIGITS: usize = 6;

/// Whether a verb of one thing follows `at`, be it one that goes with more as well.
pub(crate) fn is_verb_of_one(look: Look<'_>, at: usize, or_more: bool) -> bool {
    let word = Lower::new(look.word(look.blanks(at)));
    OF_ONE.contains(&&*word) || or_more && OF_ANY.contains(&&*word)
}

/// The noun that the number from `start` to `end` belongs to, where it only tells which one is meant: a
/// word goes on behind it that cannot be what it counts. A verb before it would make it a size: "sales
/// reached 40 in May".
pub(crate) fn numbered(look: Look<'_>, start: usize, end: usize) -> Option<Span> {
    let digits = look.slice(start, end);
    let whole = digits.len() <= DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    let after = look.blanks(end);
    if !whole || after == end || look.byte_before(start) != b' ' {
        return None;
    }
    let (noun_at, noun) = look.word_before(start);
    let lower = Lower::new(noun);
    let plain = noun.len() > 1 && noun_at + noun.len() + 1 == start && !is_function_word(&lower);
    let before = context::before(look, start);
    let exact = before.bound == Bound::Exact && !before.approx && !MEASURES.contains(&&*lower);
    if !plain || !exact || lower.ends_with("ly") {
        return None;
    }
    let next = Lower::new(look.word(after));
    let names = is_verb_of_one(look, end, true)
        || is_function_word(&next) && !OF_MANY.contains(&&*next) && opens(look, noun_at)
        || is_doing(&next) && !lower.ends_with('s') && acts(look, noun_at);
    names.then(|| Span::new(noun_at, noun_at + noun.len()))
}

/// Whether a noun opens its sentence, or belongs to what stands before.
fn opens(look: Look<'_>, noun: usize) -> bool {
    let (at, word) = look.word_before(noun);
    let lower = Lower::new(word);
    JOINTS.contains(&&*lower)
        || begins(look, noun)
        || ARTICLES.contains(&&*lower) && begins(look, at)
}

/// Whether one thing does something, where more would be counted: "team 9 lowers".
fn acts(look: Look<'_>, noun: usize) -> bool {
    begins(look, noun) || &*Lower::new(look.word_before(noun).1) == "of"
}

/// The look of a verb: "lowers", "reached", "rose". A plural looks like the first of these.
fn is_doing(word: &str) -> bool {
    const PAST: [&str; 11] =
        ["had", "did", "fell", "rose", "grew", "came", "went", "made", "sold", "lost", "won"];
    word.ends_with('s') || word.ends_with("ed") || PAST.contains(&word)
}

fn begins(look: Look<'_>, at: usize) -> bool {
    let end = look.blanks_before(at);
    end == 0 || matches!(look.byte_before(end), b'.' | b'!' | b'?' | b':' | b';' | b'\n' | b',')
}
