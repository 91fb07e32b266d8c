//! Where a sentence says it has something from.
//!
//! A source is something that can be looked up: a link, a note, a paper, a standard, somebody with a
//! name who found it out. "Studies show", "experts say" and "according to me" are none.

use super::scan::{CAPITAL, DATE, Kind, MIXED, Token, UPPER, YEAR};
use super::words::{
    ANYONE, FROM, FUNCTION, GENERIC, NOT, PAPER, REPORT, SELF, STANDARD, STUDY, TAKEN, TEST, TIME,
    VAGUE, VERB,
};

/// A source, by its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) start: u32,
    pub(super) end: u32,
    /// How easily it can be looked up, up to 1.
    pub(super) strength: f32,
    /// The first token after it.
    pub(super) until: usize,
    /// Only a mark, no words.
    pub(super) note: bool,
    /// Somebody's file or office, known to those who work there: it supports a figure, nothing else.
    pub(super) local: bool,
}

/// Something that can be looked up as it stands.
const FULL: f32 = 1.0;
/// A note: the list it points to may be elsewhere.
const NOTE: f32 = 0.8;
/// Somebody with a name, without saying where.
const NAMED: f32 = 0.8;
/// A kind of document without a name: "according to the logs".
pub(super) const KIND: f32 = 0.6;
/// The speaker's own test, with its numbers.
pub(super) const OWN: f32 = 0.8;
/// How far around a study its name may stand.
const NEAR: usize = 4;

fn found(tokens: &[Token], from: usize, until: usize, strength: f32) -> Option<Found> {
    let first = tokens.get(from)?;
    let last = tokens.get(until.checked_sub(1)?)?;
    Some(Found { start: first.start, end: last.end, strength, until, note: false, local: false })
}

/// A link or a note.
pub(super) fn plain(tokens: &[Token], at: usize, bytes: &[u8]) -> Option<Found> {
    let token = tokens.get(at)?;
    if token.kind == Kind::Note {
        let note = found(tokens, at, at + 1, NOTE)?;
        return Some(Found { note: true, ..note });
    }
    let text = bytes.get(token.start as usize..token.end as usize)?;
    let host = text.split(|byte| *byte == b'/').find(|part| part.contains(&b'.'))?;
    let whole = host.len() > 3 && !host.starts_with(b".") && !host.ends_with(b".");
    let link = found(tokens, at, at + 1, FULL)?;
    whole.then_some(Found { note: true, ..link })
}

/// The same, known only where it is kept.
fn local(tokens: &[Token], from: usize, until: usize) -> Option<Found> {
    let whole = found(tokens, from, until, KIND)?;
    is_document(tokens.get(from..until)?).then_some(Found { local: true, ..whole })
}

/// "the county crash file", "the insurer's claims table", "our onboarding notes": a thing with a name
/// of two words or more, and nothing that anybody could appeal to.
fn is_document(tokens: &[Token]) -> bool {
    let Some(first) = tokens.first() else { return false };
    let definite = first.is_word() && (first.is(FUNCTION) || first.has(CAPITAL));
    let (mut words, mut exact) = (0, false);
    for token in tokens {
        match token.kind {
            Kind::Word if token.is(ANYONE | GENERIC | NOT | VAGUE) => return false,
            // "is", "has": a clause, no name. Other verbs can be nouns: costs, support.
            Kind::Word if token.is(VERB) && token.is(FUNCTION) => return false,
            Kind::Word => words += usize::from(!token.is(FUNCTION | TAKEN)),
            Kind::Number => exact = true,
            Kind::Mark(b'-' | b'\'' | b',' | b'.') => {}
            _ => return false,
        }
    }
    definite && (words > 1 || (words == 1 && exact))
}

/// `The price list: one strip costs 5 crowns`.
pub(super) fn before_colon(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    (at > first_word && at - first_word <= LONGEST_NAME).then(|| local(tokens, first_word, at))?
}

/// How many words the name of a document has at most.
const LONGEST_NAME: usize = 10;

fn is_name(token: &Token) -> bool {
    token.is_word() && token.has(CAPITAL) && !token.is(FUNCTION | TIME | ANYONE)
}

/// `(Vaswani et al., 2017)`, `(WHO 2021)`; also the year alone after a name: `Smith (2024)`.
pub(super) fn in_round(tokens: &[Token], at: usize) -> Option<Found> {
    const LONGEST: usize = 14;
    let first = tokens.get(at + 1)?;
    if first.has(YEAR) && tokens.get(at + 2)?.is_mark(b')') {
        let mut from = at.checked_sub(1)?;
        // Back over "et al.".
        while tokens.get(from).is_some_and(|token| token.is_mark(b'.') || token.is(FUNCTION)) {
            from = from.checked_sub(1).filter(|from| at - from <= 4)?;
        }
        let named = tokens.get(from).is_some_and(is_name);
        return named.then(|| found(tokens, from, at + 3, FULL))?;
    }
    if !is_name(first) {
        return document(tokens, at);
    }
    let mut year = false;
    for (more, token) in tokens.get(at + 1..)?.iter().enumerate().take(LONGEST) {
        match token.kind {
            Kind::Mark(b')') => {
                let end = at + more + 2;
                return if year {
                    found(tokens, at, end, FULL)
                } else {
                    legal(tokens, at, end).or_else(|| document(tokens, at))
                };
            }
            Kind::Number => year |= token.has(YEAR),
            Kind::Word | Kind::Mark(b',' | b'.' | b'&' | b';' | b'-' | b':') => {}
            _ => return None,
        }
    }
    None
}

/// `(deploy log)`, `(pilot report, table 2)`, `(offer of 3 March)`: a document by its name at home. The
/// kind of document alone, `(report)`, is nothing to look up.
fn document(tokens: &[Token], at: usize) -> Option<Found> {
    const LONGEST: usize = 9;
    let end = tokens.get(at + 1..)?.iter().take(LONGEST_NAME + 2).position(|t| t.is_mark(b')'));
    if let Some(found) = end.and_then(|end| local(tokens, at + 1, at + 1 + end)) {
        return Some(found);
    }
    let (mut kind, mut words, mut place) = (false, 0, false);
    for (more, token) in tokens.get(at + 1..)?.iter().enumerate().take(LONGEST) {
        match token.kind {
            Kind::Mark(b')') => {
                let strength = if place { NAMED } else { KIND };
                let named = kind && (place || words > 1);
                return named.then(|| found(tokens, at, at + more + 2, strength))?;
            }
            Kind::Word if token.is(STUDY | TEST | PAPER) => (kind, words) = (true, words + 1),
            Kind::Word if token.is(ANYONE | NOT | REPORT | VAGUE | VERB) => return None,
            Kind::Word => words += usize::from(!token.is(FUNCTION)),
            Kind::Number => place = true,
            Kind::Mark(b',' | b'-' | b'.' | b'/') => {}
            _ => return None,
        }
    }
    None
}

/// `Smith v. Jones, 14 F.3d 221`.
fn legal(tokens: &[Token], from: usize, until: usize) -> Option<Found> {
    let inside = tokens.get(from + 1..until)?;
    let versus = inside.windows(3).any(|three| match three {
        [before, v, after] => {
            is_name(before)
                && v.is_word()
                && v.end - v.start <= 2
                && v.is(super::words::SHORT)
                && (after.is_mark(b'.') || is_name(after))
        }
        _ => false,
    });
    versus.then(|| found(tokens, from, until, FULL))?
}

/// A source that begins with, or turns on, the word at `at`.
pub(super) fn at_word(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    let token = tokens.get(at)?;
    if token.is(FROM) {
        return from(tokens, at, first_word);
    }
    if token.is(STANDARD) {
        return standard(tokens, at);
    }
    if token.is(STUDY | TEST) && !token.is(TAKEN) {
        let named = study(tokens, at, first_word);
        return named.or_else(|| teller(tokens, at, first_word).filter(|_| token.is(REPORT)));
    }
    if token.is(REPORT) {
        return said(tokens, at, first_word);
    }
    // CVE-2021-44228, INC-2231.
    let identifier = token.has(MIXED) && token.has(UPPER) && token.end - token.start >= 6;
    identifier.then(|| found(tokens, at, at + 1, NAMED))?
}

/// "according to the World Bank"; "Source: World Bank".
fn from(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    let mut next = at + 1;
    while tokens.get(next).is_some_and(|token| token.is(TAKEN)) {
        next += 1;
    }
    let phrase = next > at + 1;
    let token = tokens.get(at)?;
    if !phrase {
        // "per" and "source" alone: only where they can open a citation.
        let opens = at == first_word
            || tokens
                .get(at.wrapping_sub(1))
                .is_some_and(|t| matches!(t.kind, Kind::Mark(b'(' | b',' | b'[' | b';' | b'*')));
        let colon = tokens.get(next).is_some_and(|token| token.is_mark(b':'));
        if !opens || (token.is(STUDY) && !colon) {
            return None;
        }
        next += usize::from(colon);
        if !colon && !tokens.get(next).is_some_and(is_name) && !is_the(tokens, next) {
            return None;
        }
    }
    let mut until = next;
    let mut strength: f32 = 0.0;
    for token in tokens.get(next..)?.iter().take(6) {
        match token.kind {
            Kind::Word if token.is(SELF | ANYONE | NOT) && strength == 0.0 => return None,
            Kind::Word if is_name(token) => strength = strength.max(NAMED),
            Kind::Word if token.is(STUDY | TEST) => strength = strength.max(KIND),
            Kind::Word if token.is(FUNCTION) && strength > 0.0 && !token.is(TAKEN) => break,
            Kind::Number if !token.has(YEAR | DATE) => break,
            Kind::Word | Kind::Number => {}
            _ => break,
        }
        until += 1;
    }
    if strength > 0.0 {
        return found(tokens, at, until, strength);
    }
    let rest = tokens.get(next..)?.iter().take(LONGEST_NAME + 1);
    let end = rest.clone().position(|token| token.is_mark(b',') || token.is_mark(b':'))?;
    local(tokens, next, next + end)
}

fn is_the(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is_word() && token.is(FUNCTION) && !token.is(SELF))
        && tokens.get(at + 1).is_some_and(|token| token.is(STUDY | TEST) || is_name(token))
}

/// "RFC 9110", "ISO 27001", "doi:10.1000/182", "arXiv:1706.03762".
fn standard(tokens: &[Token], at: usize) -> Option<Found> {
    let next = tokens.get(at + 1)?;
    let skip = usize::from(next.is_mark(b':') || (next.is_word() && next.has(UPPER)));
    let number = tokens.get(at + 1 + skip)?;
    (number.kind == Kind::Number).then(|| found(tokens, at, at + 2 + skip, FULL))?
}

/// "the 2023 Gartner survey", "a survey of 412 firms by Gartner", "load test LT-4821".
fn study(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    let from = at.saturating_sub(NEAR).max(first_word);
    let mut first = None;
    for near in (from..at).rev() {
        let token = tokens.get(near)?;
        match token.kind {
            // A mark or a verb ends what belongs to the noun.
            Kind::Mark(b'-') => {}
            Kind::Mark(_) => break,
            Kind::Word if token.is(REPORT | NOT) => break,
            Kind::Word if is_name(token) && (near > first_word || token.has(UPPER)) => {
                first = Some(near);
            }
            Kind::Number if token.has(YEAR | DATE) => first = Some(near),
            _ => {}
        }
    }
    let mut until = None;
    for (more, token) in tokens.get(at + 1..)?.iter().enumerate().take(NEAR + 2) {
        let here = at + 1 + more;
        match token.kind {
            Kind::Mark(b'-' | b'#') => {}
            Kind::Mark(_) => break,
            Kind::Word if token.is(REPORT | VAGUE | NOT) => break,
            Kind::Word if is_name(token) => until = Some(here + 1),
            Kind::Number if token.has(YEAR | DATE | MIXED) => until = Some(here + 1),
            // "test 4711".
            Kind::Number if more == 0 => until = Some(here + 1),
            _ => {}
        }
    }
    let named = first.is_some() || until.is_some();
    named.then(|| found(tokens, first.unwrap_or(at), until.unwrap_or(at + 1), NAMED))?
}

/// "The county crash file found that …", "…, the debt office reports".
fn teller(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    let from = at.saturating_sub(LONGEST_NAME).max(first_word);
    let before = tokens.get(from..at)?;
    let mark = before.iter().rposition(|token| {
        matches!(token.kind, Kind::Mark(b',' | b';' | b':' | b'(')) || token.kind == Kind::Number
    });
    let start = mark.map_or(from, |mark| from + mark + 1);
    (start == first_word || mark.is_some()).then(|| local(tokens, start, at))?
}

/// "Gartner found that …".
fn said(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    let before = at.checked_sub(1)?;
    let name = tokens.get(before)?;
    let opens = before == first_word && !name.has(UPPER);
    if let Some(file) = teller(tokens, at, first_word) {
        return Some(file);
    }
    // At the head of a sentence any word has a capital: only a verb of finding out makes it a name.
    let finds = tokens.get(at + 1).is_some_and(|next| next.is_word() && next.is(FUNCTION));
    (is_name(name) && !name.is(VAGUE | STUDY | TEST) && (!opens || finds))
        .then(|| found(tokens, before, at + 1, NAMED))?
}

#[cfg(test)]
mod tests {
    use rebuttal_model::QualityWeights;

    use crate::evidence::quality;

    #[test]
    fn a_document_in_brackets_is_a_source_and_a_word_in_brackets_is_none() {
        let density = |text: &str| quality(text, &QualityWeights::default()).citation_density;
        for sourced in [
            "Eleven of 96 deploys were rolled back by hand (deploy log).",
            "The pilot cut rollbacks from 6 to 1 (pilot report, table 2).",
            "The fee is waived for the first ten services (offer of 3 March).",
            "The engineer was woken 31 times last quarter (our pager log).",
        ] {
            assert!(density(sourced) >= 0.5, "{} {sourced}", density(sourced));
        }
        for bare in [
            "Eleven of 96 deploys were rolled back by hand (report).",
            "Eleven of 96 deploys were rolled back by hand (which is a lot).",
            "The plan is good (everybody says so in the notes).",
        ] {
            assert!(density(bare) < 0.1, "{} {bare}", density(bare));
        }
    }
}
