//! Where a sentence says it has something from.
//!
//! A source is something that can be looked up: a link, a note, a paper, a standard, somebody with a
//! name who found it out. "Studies show", "experts say" and "according to me" are none.

use super::attribution::{LONGEST_NAME, bracketed};
use super::scan::{CAPITAL, DATE, Kind, MIXED, Token, UPPER, YEAR};
use super::words::{
    ANYONE, FUNCTION, GENERIC, NOT, RECORD, REPORT, SHORT, TIME, VAGUE, VERB, VOICE,
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
pub(super) const FULL: f32 = 1.0;
/// A note: the list it points to may be elsewhere.
const NOTE: f32 = 0.8;
/// Somebody with a name, without saying where.
pub(super) const NAMED: f32 = 0.8;
/// A kind of document without a name: "according to the logs".
pub(super) const KIND: f32 = 0.6;
/// The speaker's own test, with its numbers.
pub(super) const OWN: f32 = 0.8;
/// How far around a study its name may stand.
const NEAR: usize = 4;

pub(super) fn found(tokens: &[Token], from: usize, until: usize, strength: f32) -> Option<Found> {
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

pub(super) fn is_name(token: &Token) -> bool {
    token.is_word() && token.has(CAPITAL) && !token.is(FUNCTION | TIME | ANYONE | VOICE)
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
    let (mut year, mut month, mut day) = (false, false, false);
    for (more, token) in tokens.get(at + 1..)?.iter().enumerate().take(LONGEST) {
        match token.kind {
            Kind::Mark(b')' | b']') => {
                let end = at + more + 2;
                // `(Grafana, 3 May)`: who, and the day.
                return if year || (month && day) {
                    found(tokens, at, end, if year { FULL } else { NAMED })
                } else {
                    legal(tokens, at, end).or_else(|| document(tokens, at))
                };
            }
            Kind::Number => (year, day) = (year || token.has(YEAR), true),
            Kind::Word if token.is(TIME) => month = true,
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
    let closes = |token: &Token| token.is_mark(b')') || token.is_mark(b']');
    let end = tokens.get(at + 1..)?.iter().take(LONGEST_NAME + 2).position(closes);
    if let Some(found) = end.and_then(|end| bracketed(tokens, at + 1, at + 1 + end)) {
        return Some(found);
    }
    let (mut kind, mut words, mut place) = (false, 0, false);
    for (more, token) in tokens.get(at + 1..)?.iter().enumerate().take(LONGEST) {
        match token.kind {
            Kind::Mark(b')' | b']') => {
                let strength = if place { NAMED } else { KIND };
                let named = kind && (place || words > 1);
                return named.then(|| found(tokens, at, at + more + 2, strength))?;
            }
            Kind::Word if token.is(RECORD) => (kind, words) = (true, words + 1),
            Kind::Word if token.is(ANYONE | NOT | REPORT | VAGUE | VERB) => return None,
            Kind::Word => words += usize::from(!token.is(FUNCTION)),
            Kind::Number => place = true,
            Kind::Mark(b',' | b'-' | b'.' | b'/') => {}
            _ => return None,
        }
    }
    None
}

/// `Smith v. Jones, 14 F.3d 221` within brackets.
fn legal(tokens: &[Token], from: usize, until: usize) -> Option<Found> {
    let versus = (from + 1..until).any(|at| versus(tokens, at));
    versus.then(|| found(tokens, from, until, FULL))?
}

/// The "v." between two parties.
fn versus(tokens: &[Token], at: usize) -> bool {
    let name = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(is_name);
    let v = tokens.get(at).is_some_and(|v| v.is_word() && v.end - v.start <= 2 && v.is(SHORT));
    let dot = tokens.get(at + 1).is_some_and(|next| next.is_mark(b'.'));
    v && name(at.checked_sub(1)) && name(Some(at + 1 + usize::from(dot)))
}

/// A case named within a sentence: "In Harlan v. State the court held …".
pub(super) fn case(tokens: &[Token], at: usize) -> Option<Found> {
    let dot = tokens.get(at + 1).is_some_and(|next| next.is_mark(b'.'));
    versus(tokens, at)
        .then(|| found(tokens, at.checked_sub(1)?, at + 2 + usize::from(dot), FULL))?
}

/// "RFC 9110", "ISO 27001", "doi:10.1000/182", "arXiv:1706.03762".
pub(super) fn standard(tokens: &[Token], at: usize) -> Option<Found> {
    let next = tokens.get(at + 1)?;
    let skip = usize::from(next.is_mark(b':') || (next.is_word() && next.has(UPPER)));
    let number = tokens.get(at + 1 + skip)?;
    let mut until = at + 2 + skip;
    // "doi:10.1000/182": it goes on to the next space.
    let glued = |until: usize| {
        let (last, next) = (tokens.get(until - 1)?, tokens.get(until)?);
        let part = matches!(next.kind, Kind::Number | Kind::Word | Kind::Mark(b'/' | b'-'));
        (part && next.start == last.end).then_some(())
    };
    while glued(until).is_some() {
        until += 1;
    }
    (number.kind == Kind::Number).then(|| found(tokens, at, until, FULL))?
}

/// "the 2023 Gartner survey", "a survey of 412 firms by Gartner", "load test LT-4821".
pub(super) fn study(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    // "data centre", "index fund": a word that only tells which kind.
    let next = tokens.get(at + 1).filter(|next| next.is_word() && !is_name(next));
    if next.is_some_and(|next| !next.is(FUNCTION | REPORT | RECORD | GENERIC | VERB)) {
        return None;
    }
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
            "Deploys are rolled back by hand (report).",
            "Deploys are rolled back by hand (which is a lot).",
            "The plan is good (everybody says so in the notes).",
        ] {
            assert!(density(bare) < 0.1, "{} {bare}", density(bare));
        }
    }
}
