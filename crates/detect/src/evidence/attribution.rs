//! Where a sentence has something from, in words: "according to the port's ledger", "the outage list
//! gives", "as the survey of 412 firms shows", "that is in the booking data of the inns".
//!
//! What is named must be something in particular: a name, or a record or an office that its modifiers
//! tell from others. "The data", "recent studies" and "experts in the field" are nothing to look up.

use super::scan::{CAPITAL, DATE, Kind, MIXED, Token, UPPER, YEAR};
use super::sources::{Found, KIND, NAMED, case, found, is_name, standard, study};
use super::words::{
    ANYONE, BACK, BY, Class, EMPTY, FROM, FUNCTION, GENERIC, LABEL, NOT, OURS, POSSESSIVE, RECORD,
    REPORT, SELF, SHORT, STANDARD, STUDY, TAKEN, TEST, UNIT, VAGUE, VERB, VOICE, WHERE,
};

/// How many words the name of a document has at most.
pub(super) const LONGEST_NAME: usize = 12;

/// A record or an office, known to those who work there.
pub(super) fn local(tokens: &[Token], from: usize, until: usize) -> Option<Found> {
    let whole = found(tokens, from, until, KIND)?;
    let named = Named::read(tokens.get(from..until)?);
    (named.tells() || named.is_the_record()).then_some(Found { local: true, ..whole })
}

/// A source named within brackets.
pub(super) fn bracketed(tokens: &[Token], from: usize, until: usize) -> Option<Found> {
    let whole = found(tokens, from, until, KIND)?;
    let inside = tokens.get(from..until)?;
    // `(run LT-4821)` has a name of its own that can be looked up.
    if inside.iter().any(is_identifier) {
        return None;
    }
    let named = Named::read(inside);
    named.tells_in_brackets().then_some(Found { local: true, ..whole })
}

/// The words of a name, counted.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is seen or not")]
struct Named {
    definite: bool,
    /// Words that tell it from others.
    telling: usize,
    /// A record, or what is appealed to in general.
    record: bool,
    general: bool,
    exact: bool,
    /// Somebody or some place by name.
    proper: bool,
    /// Something that no name has.
    broken: bool,
}

impl Named {
    fn read(tokens: &[Token]) -> Self {
        let first = tokens.first().filter(|first| first.is_word());
        // "finding 7", "clause 14".
        let numbered = tokens.get(1).is_some_and(|second| second.kind == Kind::Number);
        let definite = first
            .is_some_and(|first| numbered || first.is(FUNCTION | POSSESSIVE) || first.has(CAPITAL));
        let mut named = Self { definite, ..Self::default() };
        for token in tokens {
            match token.kind {
                Kind::Word => named.word(token),
                Kind::Number => named.exact = true,
                Kind::Mark(b'-' | b'\'' | b',' | b'.' | b'&' | b'/') => {}
                _ => named.broken = true,
            }
        }
        named
    }

    fn word(&mut self, token: &Token) {
        if token.is(ANYONE | NOT | VAGUE | SELF | VOICE) && !token.is(RECORD) {
            self.broken = true;
        } else if token.is(VERB) && token.is(FUNCTION) {
            // "is", "has": a clause, no name. Other verbs can be nouns: costs, support.
            self.broken = true;
        } else if token.is(GENERIC) {
            self.general = true;
            // "the booking data": one such word more would tell it from other data.
            self.record |= token.is(RECORD);
        } else if token.is(RECORD) {
            self.telling += usize::from(self.record);
            self.record = true;
        } else if !token.is(FUNCTION | TAKEN | EMPTY | LABEL) {
            self.telling += 1;
            self.proper |= is_name(token);
        }
    }

    /// "the county crash file", "the insurer's claims table", "its register of 2021".
    fn tells(self) -> bool {
        let particular = match (self.record || self.general, self.exact) {
            (true, _) => self.telling > 0 || self.exact,
            (false, exact) => self.telling > 1 || (self.telling == 1 && exact),
        };
        !self.broken && self.definite && particular
    }

    /// "its register", "the turnstile": the only one there is.
    fn is_the_record(self) -> bool {
        self.record && !self.general && self.definite && !self.broken
    }

    /// What stands in brackets behind a statement needs no article to be its source.
    fn tells_in_brackets(self) -> bool {
        let somewhere = self.record || self.proper || self.exact;
        !self.broken && somewhere && self.telling > usize::from(!self.record)
    }

    /// True if something is also written down or measured there.
    fn is_record(self) -> bool {
        self.record && self.tells()
    }
}

/// The first token that cannot belong to a name that begins at `from`.
fn end_of_name(tokens: &[Token], from: usize, stops: Class) -> usize {
    let rest = tokens.get(from..).unwrap_or_default().iter().take(LONGEST_NAME);
    let ends = |(more, token): (usize, &Token)| {
        let clause = match token.kind {
            Kind::Word => {
                (token.is(VERB) && token.is(FUNCTION))
                    || (more > 0 && token.is(stops) && !token.is(RECORD))
                    || (more > 0 && token.is(BACK | OURS | VOICE | SELF | NOT))
                    || token.is(CLAUSE)
            }
            Kind::Number | Kind::Mark(b'-' | b'\'' | b'&' | b'/') => false,
            Kind::Mark(b'.') => !is_inner_stop(tokens, from + more),
            _ => true,
        };
        clause.then_some(more)
    };
    let all = rest.len();
    let mut end = from + rest.enumerate().find_map(ends).unwrap_or(all);
    // "… of the county and you will read": what joins does not belong to the name.
    while end > from + 1
        && tokens.get(end - 1).is_some_and(|last| last.is_word() && last.is(FUNCTION))
    {
        end -= 1;
    }
    end
}

/// Opens a clause of its own.
const CLAUSE: Class = super::words::CAUSE | super::words::RESULT | super::words::SINCE;

/// The full stop of "v." or "No.".
fn is_inner_stop(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| before.is(SHORT))
}

/// `The price list: one strip costs 5 crowns`.
pub(super) fn before_colon(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    (at > first_word && at - first_word <= LONGEST_NAME).then(|| local(tokens, first_word, at))?
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
    if token.is(SHORT)
        && let Some(case) = case(tokens, at)
    {
        return Some(case);
    }
    if at == first_word
        && let Some(found) = subject(tokens, at)
    {
        return Some(found);
    }
    if token.is(STUDY | TEST) && !token.is(TAKEN) {
        let named = study(tokens, at, first_word);
        return named.or_else(|| teller(tokens, at, first_word).filter(|_| token.is(REPORT)));
    }
    if token.is(REPORT) {
        return taken_down(tokens, at).or_else(|| said(tokens, at, first_word));
    }
    if token.is(WHERE) && !token.is(TAKEN) {
        return stands_in(tokens, at);
    }
    if let Some(page) = reporter(tokens, at) {
        return Some(page);
    }
    is_identifier(token).then(|| found(tokens, at, at + 1, NAMED))?
}

/// `CVE-2021-44228`, `INC-2231`.
fn is_identifier(token: &Token) -> bool {
    token.is_word() && token.has(MIXED) && token.has(UPPER) && token.end - token.start >= 6
}

/// `311 N.R. 44`, `14 F.3d 221`: where a court's words are printed.
fn reporter(tokens: &[Token], at: usize) -> Option<Found> {
    let token = tokens.get(at)?;
    let volume = tokens.get(at.checked_sub(1)?)?;
    let dot = tokens.get(at + 1).is_some_and(|next| next.is_mark(b'.'));
    let page = tokens.get(at + 1 + usize::from(dot))?;
    let short = token.has(UPPER | MIXED) && !token.is(UNIT) && token.end - token.start <= 6;
    let printed = short && volume.kind == Kind::Number && page.kind == Kind::Number;
    printed.then(|| found(tokens, at - 1, at + 2 + usize::from(dot), NAMED))?
}

/// "in the booking data of the inns", "from the shepherds' log".
fn stands_in(tokens: &[Token], at: usize) -> Option<Found> {
    let end = end_of_name(tokens, at + 1, REPORT | VERB | WHERE);
    let named = Named::read(tokens.get(at + 1..end)?);
    let whole = found(tokens, at + 1, end, KIND)?;
    named.is_record().then_some(Found { local: true, ..whole })
}

/// "recorded in the harbour log", "counted by the night crew".
fn taken_down(tokens: &[Token], at: usize) -> Option<Found> {
    let next = tokens.get(at + 1)?;
    let is_place = next.is_word() && next.is(WHERE) && next.is(FUNCTION) && !next.is(TAKEN);
    let end = end_of_name(tokens, at + 2, REPORT);
    let whole = local(tokens, at + 2, end).filter(|_| is_place)?;
    // "says in its ninth part": only a record is a place where something stands.
    (next.is(BY) || Named::read(tokens.get(at + 2..end)?).is_record()).then_some(whole)
}

/// "The outage list of the grid operator gives …": a record as the subject, whatever it does.
fn subject(tokens: &[Token], at: usize) -> Option<Found> {
    let end = end_of_name(tokens, at, REPORT | VERB);
    let verb = tokens.get(end)?;
    let named = Named::read(tokens.get(at..end)?);
    let whole = found(tokens, at, end, KIND)?;
    (verb.is_word() && verb.is(REPORT | VERB) && named.is_record())
        .then_some(Found { local: true, ..whole })
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
            || tokens.get(at.wrapping_sub(1)).is_some_and(|t| {
                matches!(t.kind, Kind::Mark(b'(' | b',' | b'[' | b';' | b'*' | b':'))
            });
        let colon = tokens.get(next).is_some_and(|token| token.is_mark(b':'));
        if !opens || (token.is(STUDY) && !colon) {
            return None;
        }
        next += usize::from(colon);
        let record = || {
            Named::read(tokens.get(next..end_of_name(tokens, next, REPORT)).unwrap_or_default())
                .tells()
        };
        if !colon && !tokens.get(next).is_some_and(is_name) && !is_the(tokens, next) && !record() {
            return None;
        }
    }
    let mut until = next;
    let mut strength: f32 = 0.0;
    for token in tokens.get(next..)?.iter().take(6) {
        match token.kind {
            Kind::Word if token.is(SELF | ANYONE | NOT | VOICE) && strength == 0.0 => return None,
            Kind::Word if is_name(token) => strength = strength.max(NAMED),
            Kind::Word if token.is(STUDY | TEST) => strength = strength.max(KIND),
            Kind::Word if token.is(FUNCTION) && strength > 0.0 && !token.is(TAKEN) => break,
            Kind::Number if !token.has(YEAR | DATE) => break,
            Kind::Word | Kind::Number => {}
            _ => break,
        }
        until += 1;
    }
    // "according to the data": a kind of document is none in particular.
    let named = Named::read(tokens.get(next..until)?);
    let in_general = strength == KIND && named.general && named.telling == 0 && !named.exact;
    if strength > 0.0 && !in_general {
        return found(tokens, at, until, strength);
    }
    local(tokens, next, end_of_name(tokens, next, REPORT))
}

fn is_the(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is_word() && token.is(FUNCTION) && !token.is(SELF))
        && tokens.get(at + 1).is_some_and(|token| token.is(STUDY | TEST) || is_name(token))
}

/// "The county crash file found that …", "…, the debt office reports", "…, as a check in 35 shops shows".
fn teller(tokens: &[Token], at: usize, first_word: usize) -> Option<Found> {
    let from = at.saturating_sub(LONGEST_NAME).max(first_word);
    let before = tokens.get(from..at)?;
    let mark = before
        .iter()
        .rposition(|token| matches!(token.kind, Kind::Mark(b',' | b';' | b':' | b'(')));
    let start = mark.map_or(from, |mark| from + mark + 1);
    let links =
        |at: usize| tokens.get(at).is_some_and(|token| token.is_word() && token.is(LINKING));
    let start = start + usize::from(links(start) && mark.is_some());
    (start == first_word || mark.is_some()).then(|| local(tokens, start, at))?
}

/// Joins what is told to whoever tells it: "as", "which".
const LINKING: Class = super::words::LINKING;

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
