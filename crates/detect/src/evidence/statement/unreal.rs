//! What is only supposed, asked for, or said not to exist offers nothing.

use super::super::scan::{Kind, Token};
use super::super::words::{
    FUNCTION, FUTURE, GENERIC, IF, NOT, RECORD, RESULT, SHOW, STUDY, SUPPOSED, TEST,
};
use super::Sentence;

/// How far a sentence, or the clause at hand, is about something that is not so.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is seen or not")]
pub(super) struct Void {
    /// Within a condition.
    condition: bool,
    /// From here to the end of the sentence.
    rest: bool,
    /// All of it.
    pub(super) all: bool,
    /// There was a condition.
    conditioned: bool,
}

impl Void {
    pub(super) fn is_open(self) -> bool {
        self.condition || self.rest
    }
}

/// So far behind "no" a study may stand that there is none of.
const NONE_OF: usize = 3;
/// So far behind "would" a verb may stand that says what would be shown.
const WOULD: usize = 3;

impl Sentence<'_> {
    /// Looks at a word that may make something unreal.
    pub(super) fn unreal(&mut self, at: usize, token: &Token) {
        let opens = at == self.first_word;
        if token.is(IF)
            && (opens || (self.opens_clause(at) && !token.is(super::super::words::PAST)))
        {
            self.void.condition = true;
            self.void.conditioned = true;
        } else if token.is(SUPPOSED) {
            self.void.rest = true;
            self.void.all |= self.opens_clause(at);
        }
        if token.is(NOT) && !self.is_definite(at + 1) {
            let next = self.tokens.get(at + 1..).unwrap_or_default().iter().take(NONE_OF);
            let named = next.take_while(|token| token.is_word());
            self.void.all |=
                named.into_iter().enumerate().any(|(far, token)| is_none_of(far, token));
        }
        if token.is(FUTURE) {
            let next = self.tokens.get(at + 1..).unwrap_or_default().iter().take(WOULD);
            let mut words = next.take_while(|token| token.is_word());
            self.void.all |= self.found.sources > 0 && words.any(|token| token.is(SHOW));
            // "If a trial showed 40 %, we would be right": the whole of it is supposed.
            self.void.all |= self.void.conditioned;
        }
    }

    /// "not the database" denies one thing, and not that there is any.
    fn is_definite(&self, at: usize) -> bool {
        let Some(token) = self.get(at).filter(|token| token.is(FUNCTION)) else { return false };
        let word = self.bytes.get(token.start as usize..token.end as usize).unwrap_or_default();
        !matches!(word, b"a" | b"an" | b"any" | b"one" | b"such" | b"of")
    }

    /// A comma or a "then" ends a condition.
    pub(super) fn condition_ends(&mut self, token: &Token) {
        if token.is_mark(b',')
            || token.is_mark(b';')
            || (token.kind == Kind::Word && token.is(RESULT))
        {
            self.void.condition = false;
        }
    }

    pub(super) fn opens_clause(&self, at: usize) -> bool {
        at == self.first_word || self.before(at).is_some_and(|before| !before.is_word())
    }
}

/// What there is none of, where somebody says so: "no evidence", "no recent study", "nor a log".
fn is_none_of(far: usize, token: &Token) -> bool {
    token.is(GENERIC | STUDY | TEST)
        || (far <= 1 && token.is(RECORD) && !token.is(super::super::words::VERB))
}
