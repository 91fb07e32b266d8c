//! Which thing a clause is about, where it has a name or a number of its own: "server 12 is", "the
//! Berlin office will".

use crate::figures::is_common;
use crate::quantities::look::Look;
use crate::quantities::{is_verb_of_one, numbered};
use crate::reading::Reading;
use crate::segments::Segment;
use crate::tokens::{Kind, Token};
use crate::traits::Traits;

/// Verbs that end the subject of a statement, wherever it began.
const VERBS: [&str; 26] = [
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "will", "would", "should",
    "shall", "could", "can", "cannot", "may", "might", "must", "does", "do", "did", "needs",
    "remains", "became", "becomes",
];

/// Words that are the whole subject.
const PRONOUNS: [&str; 12] =
    ["i", "we", "you", "they", "he", "she", "it", "this", "that", "there", "these", "those"];

impl Reading<'_> {
    /// Where the subject of a clause ends; at its start if it has none that could be named.
    pub(crate) fn subject_end(&self, segment: &Segment) -> usize {
        let start = segment.tokens.start;
        if self.is_one_of(start, &PRONOUNS) {
            return start;
        }
        let known = segment.tokens.clone().find(|at| self.is_verb(*at));
        known.unwrap_or_else(|| self.opening_thing(segment))
    }

    /// Without a verb that is known: up to the first thing with a number of which something is said.
    fn opening_thing(&self, segment: &Segment) -> usize {
        let numbered = |at: &usize| {
            let goes_on = self.tokens.get(at + 1).is_some_and(|next| next.is_word());
            goes_on && self.tokens.get(*at).is_some_and(|token| self.is_numbered(*token))
        };
        segment.tokens.clone().find(numbered).map_or(segment.tokens.start, |at| at + 1)
    }

    /// "option b", "choice 1", "server 12 is": a mark that tells one thing from another of its kind.
    pub(crate) fn is_label(&self, segment: &Segment, at: usize, token: Token) -> bool {
        let short = token.kind == Kind::Number || token.span().len() == 1;
        let before = at.checked_sub(1).filter(|before| segment.tokens.contains(before));
        if !short || !before.is_some_and(|noun| self.is_plain(noun)) {
            return false;
        }
        match self.tokens.get(at + 1) {
            Some(next) if next.is_word() => self.is_numbered(token),
            Some(next) => !matches!(next.kind, Kind::Number | Kind::Mark(b'%' | b'-' | b'\'')),
            None => true,
        }
    }

    fn is_numbered(&self, token: Token) -> bool {
        let span = token.span();
        let number = token.kind == Kind::Number;
        number && numbered(Look::new(self.clean()), span.start(), span.end()).is_some()
    }

    /// Whether a word names a thing: by its capital, or where every word has one, by being rare, by
    /// standing alone before its verb ("Novartis is") or before another name, or as whose something is.
    pub(crate) fn names_a_thing(&self, segment: &Segment, at: usize) -> bool {
        if self.is_name(segment, at) {
            return true;
        }
        let opens = segment.first && at == segment.tokens.start && self.is_plain(at);
        let capital = |at: usize| {
            let mut letters = self.word(at).chars();
            letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
        };
        if !opens || !capital(at) {
            return false;
        }
        let word = self.word(at);
        let end = self.tokens.get(at).map_or(0, |token| token.span().end());
        let possessive = word.ends_with("'s") || word.ends_with("\u{2019}s");
        let alone = is_verb_of_one(Look::new(self.clean()), end, !word.ends_with('s'));
        let next = self.tokens.get(at + 1).is_some_and(|next| next.is_word()) && capital(at + 1);
        possessive || alone || next || !is_common(word)
    }

    fn is_verb(&self, at: usize) -> bool {
        let word = self.tokens.get(at).filter(|token| token.is_word()).map(|_| self.word(at));
        let plain =
            word.map(|word| word.strip_suffix("n't").or(word.strip_suffix("n’t")).unwrap_or(word));
        plain.is_some_and(|word| VERBS.iter().any(|verb| word.eq_ignore_ascii_case(verb)))
    }

    fn is_one_of(&self, at: usize, words: &[&str]) -> bool {
        let word = self.word(at);
        words.iter().any(|known| word.eq_ignore_ascii_case(known))
    }

    /// A word that says something about the topic.
    fn is_plain(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| token.is_word() && !token.traits.has(Traits::FUNCTION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<&str> {
        let words = Reading::new(text).content().words;
        words.iter().filter(|word| word.label).filter_map(|word| word.span.of(text)).collect()
    }

    #[test]
    fn numbers_that_name_and_numbers_that_measure() {
        assert_eq!(labels("Server 12 is safe under load."), ["12"]);
        assert_eq!(labels("The bus lane of team 9 is safe."), ["9"]);
        assert_eq!(labels("Phase 2 should start in March."), ["2"]);
        assert_eq!(labels("Take option 2."), ["2"]);
        assert_eq!(labels("The index of team 41 lowers cost by 20 percent."), ["41"]);
        assert_eq!(labels("The results of trial 7 in Peru were good."), ["7"]);
        for measured in [
            "Sales reached 40 in May.",
            "The score of 40 is high.",
            "Costs fell by 12 percent.",
            "At least 5 servers are down.",
            "In total 40 were cured.",
            "A fleet of roughly 40 lorries.",
            "In Peru 40 schools closed.",
            "Just 40 schools closed.",
            "Exactly 40 schools closed.",
            "Latency is 20 ms.",
        ] {
            assert_eq!(labels(measured), Vec::<&str>::new(), "{measured}");
        }
    }

    #[test]
    fn what_stands_in_the_subject() {
        let subject = |text: &'static str| -> Vec<&str> {
            let words = Reading::new(text).content().words;
            words.iter().filter(|word| word.subject).filter_map(|word| word.span.of(text)).collect()
        };
        assert_eq!(subject("The Berlin office will close."), ["Berlin", "office"]);
        assert_eq!(subject("We should buy Roche."), Vec::<&str>::new());
        assert_eq!(subject("Team 9 lowers cost."), ["Team", "9"]);
    }
}
