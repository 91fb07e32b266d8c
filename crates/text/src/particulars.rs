//! The particulars of a text: figures, names, and things called by two words ("the staff list").
//!
//! They tell whose material a text uses: a particular that one speaker brought and another takes up was
//! hardly found twice. A single common word tells nothing.

use rebuttal_model::Span;

use crate::claims::Term;
use crate::reading::Reading;
use crate::tokens::{Kind, Token};
use crate::traits::Traits;
use crate::words::Stem;

/// Something a text names that is unlikely to be named by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Particular {
    /// Equal for equal particulars, in whatever text they stand.
    pub key: u64,
    /// Its words; twice the same where it has one.
    pub words: [Term; 2],
    /// Where it stands in the original text.
    pub span: Span,
}

impl Reading<'_> {
    /// The particulars the speaker states; not what it asks.
    pub fn particulars(&self) -> Vec<Particular> {
        let mut all = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            if !matches!(token.kind, Kind::Word | Kind::Number) || !self.is_own_statement(at) {
                continue;
            }
            let digits = self.word(at).bytes().filter(u8::is_ascii_digit).count();
            if token.kind == Kind::Number {
                // One digit is shared by chance.
                all.extend((digits > 1).then(|| self.particular(at, at + 1, 0, token)));
                continue;
            }
            let name = self.segment_at(at).is_some_and(|segment| self.is_name(segment, at));
            all.extend(name.then(|| self.particular(at, at + 1, 0, token)));
            let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
            let pair = before.filter(|before| {
                before.is_word()
                    && self.is_thing(at - 1)
                    && self.is_thing(at)
                    && self.is_pointed_at(at - 1)
            });
            all.extend(pair.map(|before| self.particular(at - 1, at + 1, before.stem.0, token)));
        }
        all
    }

    /// Every word of the text, in whatever form.
    pub fn all_words(&self) -> impl Iterator<Item = Term> {
        self.tokens.iter().map(|token| Term::new(token.stem))
    }

    /// A word that may be part of what a thing is called: "the right step" judges, and calls nothing.
    fn is_thing(&self, at: usize) -> bool {
        !self.is_function_word(at)
            && self.tokens.get(at).is_some_and(|token| !token.traits.has(Traits::SIDED))
    }

    /// "the staff list" is one that is known; "young people" are any.
    fn is_pointed_at(&self, at: usize) -> bool {
        const POINTS: [&str; 7] = ["the", "our", "this", "that", "these", "those", "your"];
        let Some(before) = at.checked_sub(1).map(|before| self.word(before)) else { return false };
        before.ends_with("'s") || POINTS.iter().any(|word| before.eq_ignore_ascii_case(word))
    }

    fn particular(&self, from: usize, end: usize, first: u32, token: &Token) -> Particular {
        let key = u64::from(first) << 32 | u64::from(token.stem.0);
        let first = if first == 0 { token.stem } else { Stem(first) };
        let words = [first, token.stem].map(Term::new);
        Particular { key, words, span: self.span_of(from..end).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<&str> {
        let all = Reading::new(text).particulars();
        all.iter().filter_map(|one| one.span.of(text)).collect()
    }

    #[test]
    fn figures_names_and_things_of_two_words() {
        assert_eq!(
            named("It is in the staff list of April: 19 of 5."),
            ["staff list", "April", "19"]
        );
        assert_eq!(named("It is good and should stay."), [""; 0]);
        assert_eq!(named("It is good for young people and the right step."), [""; 0]);
        assert_eq!(named("Is it in the staff list?"), [""; 0]);
    }
}
