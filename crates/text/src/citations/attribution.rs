//! "According to X" and "Source: X", where X is a source and not "me".

use std::sync::LazyLock;

use rebuttal_model::Span;

use super::authors::year_in_round;
use super::{Citation, CitationKind, period_in};
use crate::quantities::look::{Look, Lower};

/// Most words that name a source.
const WORDS_MAX: usize = 12;
/// Most words before the first that names or is a source: "a recent and careful 2021 study".
const LEAD_WORDS_MAX: usize = 5;
/// Longest word of a name, and longest source note.
const NAME_BYTES_MAX: usize = 48;
const NOTE_BYTES_MAX: usize = 160;

/// The word lists of `sources.txt`, each in order.
struct Lists {
    sources: Vec<&'static str>,
    never: Vec<&'static str>,
    ends: Vec<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists { sources: Vec::new(), never: Vec::new(), ends: Vec::new() };
    let mut section = "";
    for line in include_str!("../../lexicons/sources.txt").lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        } else if !line.starts_with('#') {
            let list = match section {
                "sources" => &mut lists.sources,
                "never" => &mut lists.never,
                _ => &mut lists.ends,
            };
            list.extend(line.split_whitespace());
        }
    }
    for list in [&mut lists.sources, &mut lists.never, &mut lists.ends] {
        list.sort_unstable();
    }
    lists
});

fn is_in(list: &[&str], word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// "according to X", after the word from `at` to `end`.
pub(super) fn according(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let to = look.blanks(end);
    (to > end && look.has(to, "to") && !look.is_glued(to + 2)).then_some(())?;
    let start = look.blanks(to + 2);
    let name_end = name(look, start)?;
    let source = Span::new(start, name_end);
    let end = year_after(look, name_end).unwrap_or(name_end);
    Some(Citation {
        period: period_in(look, Span::new(start, end)),
        ..Citation::new(CitationKind::Attribution, Span::new(at, end), source)
    })
}

/// ", per X" and "as per X": no number stands before it that could be a rate.
pub(super) fn is_aside(look: Look<'_>, at: usize) -> bool {
    let (_, before) = look.word_before(at);
    look.byte_before(look.blanks_before(at)) == b',' || before.eq_ignore_ascii_case("as")
}

/// "Per X: …", "…, per X." and "Citing X, …", after the word from `at` to `end`; "Per capita" is none.
pub(super) fn per(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let word = look.blanks(end);
    let start = if look.has(word, "the ") { look.blanks(word + 4) } else { word };
    let named = look.char(start).is_some_and(char::is_uppercase);
    let name_end = name(look, start).filter(|_| named && start > end)?;
    let colon = look.blanks(name_end);
    let ends = matches!(look.byte(colon), b':' | b',' | b';' | b'.' | b')' | b'\n' | 0);
    ends.then_some(())?;
    let source = Span::new(start, name_end);
    Some(Citation {
        period: period_in(look, source),
        ..Citation::new(CitationKind::Attribution, Span::new(at, name_end), source)
    })
}

/// ` (2017)` or ` (2024: 12)` after a name.
fn year_after(look: Look<'_>, at: usize) -> Option<usize> {
    year_in_round(look, look.blanks(at)).map(|it| it.0)
}

/// One word of a name, as far as punctuation that ends it.
struct NameWord<'t> {
    text: &'t str,
    end: usize,
    /// True when the name cannot go on behind it.
    is_last: bool,
}

fn word(look: Look<'_>, start: usize) -> Option<NameWord<'_>> {
    let rest = look.rest(start);
    let len: usize = rest
        .chars()
        .take(NAME_BYTES_MAX)
        .take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '&' | '.' | '/' | '_'))
        .map(char::len_utf8)
        .sum();
    let text = rest.get(..len)?;
    // The full stop of "et al." and of "U.S." goes on, that of a sentence does not.
    let bare = text.trim_end_matches(['.', '\'']);
    let is_short = bare.contains('.') || bare.len() <= 1 || bare == "al";
    let dotted = text.len() > bare.len();
    let end = if dotted && !is_short { start + bare.len() } else { start + len };
    let follows = look.blanks(end);
    let is_last = (dotted && !is_short) || follows == end;
    (!bare.is_empty()).then(|| NameWord { text: look.slice(start, end), end, is_last })
}

/// Where the source that is named at `start` ends.
///
/// A source has a core: a capitalised word or a noun such as "study". Up to the first core word
/// there may be others ("a recent"), behind it only small words that lead to a further core word.
fn name(look: Look<'_>, start: usize) -> Option<usize> {
    let (mut at, mut core_end, mut lead, mut after_small) = (start, None, 0, true);
    for position in 0..WORDS_MAX {
        let Some(word) = word(look, at) else { break };
        let lower = Lower::new(word.text);
        let first = word.text.chars().next()?;
        if position == 0 && is_in(&LISTS.never, &lower) {
            return None;
        }
        let is_small = matches!(
            &*lower,
            "of" | "for" | "and" | "on" | "in" | "at" | "from" | "by" | "&" | "de" | "la"
        );
        let is_article = matches!(&*lower, "the" | "a" | "an" | "our" | "their" | "its");
        let is_core = (first.is_uppercase() && !is_article && word.text != "I")
            || is_in(&LISTS.sources, &lower);
        // "estimates" is a source in "official estimates" and a verb in "the Bank estimates".
        let is_verb = core_end.is_some() && first.is_lowercase() && is_in(&LISTS.ends, &lower);
        if is_verb || (core_end.is_none() && !is_core && is_in(&LISTS.ends, &lower)) {
            break;
        }
        if is_core || (core_end.is_some() && first.is_ascii_digit()) || word.text.starts_with("al.")
        {
            core_end = Some(word.end);
        } else if core_end.is_some()
            && !(is_small || (is_article && after_small) || &*lower == "et")
        {
            break;
        } else if core_end.is_none() {
            lead += 1;
        }
        if word.is_last || lead > LEAD_WORDS_MAX {
            break;
        }
        after_small = is_small;
        at = look.blanks(word.end);
    }
    core_end
}

/// "Source: X" and "Sources: X", after the word from `at` to `end`.
pub(super) fn source_note(look: Look<'_>, at: usize, end: usize) -> Option<Citation> {
    let (_, before) = look.word_before(at);
    let is_denied =
        matches!(&*Lower::new(before), "no" | "without" | "unknown" | "open" | "missing");
    (look.byte(end) == b':' && look.byte(end + 1) != b':' && !is_denied).then_some(())?;
    let start = look.blanks(end + 1);
    let note_end = note_end(look, start);
    let source = Span::new(start, note_end);
    let text = look.slice(start, note_end);
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
    let lower = Lower::new(first);
    let is_nobody = is_in(&LISTS.never, &lower) || matches!(&*lower, "n" | "dude" | "bro" | "just");
    let names = text.chars().any(|c| c.is_uppercase() || c.is_ascii_digit())
        || text.contains("://")
        || text.split(' ').any(|word| is_in(&LISTS.sources, &Lower::new(word)));
    (!text.is_empty() && !is_nobody && names).then(|| Citation {
        period: period_in(look, source),
        ..Citation::new(CitationKind::SourceNote, Span::new(at, note_end), source)
    })
}

/// Where a source note ends: at the end of the line, of the bracket or of the sentence.
fn note_end(look: Look<'_>, start: usize) -> usize {
    let mut depth = 0usize;
    let mut end = start;
    for c in look.rest(start).chars().take(NOTE_BYTES_MAX) {
        let next = look.byte(end + c.len_utf8());
        match c {
            '\n' | ';' => break,
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => break,
            ')' | ']' => depth -= 1,
            // A stop before a blank ends the sentence, unless it ends an initial or "et al.".
            '.' | '!' | '?' if matches!(next, b' ' | b'\n' | 0 | b')' | b']') => {
                let (at, word) = look.word_before(end);
                let is_short = at + word.len() == end && (word.len() == 1 || word == "al");
                if !is_short {
                    break;
                }
            }
            _ => {}
        }
        end += c.len_utf8();
    }
    start + look.slice(start, end).trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        assert!(is_in(&LISTS.sources, "study") && is_in(&LISTS.never, "me"));
        assert!(is_in(&LISTS.ends, "said") && !is_in(&LISTS.sources, "[never]"));
    }
}
