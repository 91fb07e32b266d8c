//! From tokens to sentences. Abbreviations, decimals, URLs, code, lists and Markdown survive.

use std::ops::Range;

use crate::citations::brackets::note_end;
use crate::lexicon::{Group, Hits};
use crate::quantities::look::{Look, Lower};
use crate::tokens::{Kind, Token};

/// Where a sentence stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Running text.
    Prose,
    /// A heading.
    Heading,
    /// A list item.
    Item,
    /// A quoted line: somebody else's words.
    Quoted,
}

/// One sentence: a run of tokens.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) tokens: Range<usize>,
    pub(crate) place: Place,
    /// It asks instead of stating.
    pub(crate) question: bool,
    /// It opens a paragraph.
    pub(crate) opens: bool,
}

/// A sentence longer than this is a table or a dump; cutting it keeps all later work linear.
const SENTENCE_TOKENS: usize = 300;

/// A line this short that is followed by a capital was broken on purpose.
const SHORT_LINE_BYTES: usize = 50;

/// Cuts the tokens of a text into sentences, and adds these.
pub(crate) fn cut(text: &str, tokens: &[Token], hits: &Hits, out: &mut Vec<Sentence>) {
    out.reserve(tokens.len() / 8 + 2);
    let (start, line_start) = (0, 0);
    let (place, opens) = (Place::Prose, true);
    let mut cutter = Cutter { text, tokens, hits, out, start, line_start, place, opens };
    for index in 0..tokens.len() {
        cutter.step(index);
    }
    cutter.cut(tokens.len());
}

struct Cutter<'t> {
    text: &'t str,
    tokens: &'t [Token],
    hits: &'t Hits,
    out: &'t mut Vec<Sentence>,
    start: usize,
    line_start: usize,
    place: Place,
    opens: bool,
}

impl Cutter<'_> {
    fn step(&mut self, index: usize) {
        let Some(token) = self.tokens.get(index).copied() else { return };
        match token.kind {
            Kind::Blank => {
                self.cut(index);
                (self.place, self.opens) = (Place::Prose, true);
                self.line_start = token.span().end();
            }
            Kind::Break => {
                let closed = self.start == index && self.place != Place::Prose;
                if closed || self.line_ends_sentence(index) {
                    self.cut(index);
                    self.place = Place::Prose;
                }
                self.line_start = token.span().end();
            }
            Kind::Heading | Kind::Bullet | Kind::QuoteLine => {
                self.cut(index);
                self.start = index + 1;
                self.opens = true;
                self.place = match token.kind {
                    Kind::Heading => Place::Heading,
                    Kind::Bullet => Place::Item,
                    _ => Place::Quoted,
                };
            }
            Kind::Mark(b'.' | b'!' | b'?') if self.ends_sentence(index, token) => {
                self.cut(self.with_closers(index + 1));
            }
            _ if index.saturating_sub(self.start) >= SENTENCE_TOKENS => self.cut(index),
            _ => {}
        }
    }

    /// Closes the sentence before token `end`; nothing happens when it holds no word.
    fn cut(&mut self, end: usize) {
        let range = self.without_breaks(self.start..end.max(self.start));
        self.start = self.start.max(end);
        let body = self.tokens.get(range.clone()).unwrap_or_default();
        let worded =
            body.iter().any(|token| matches!(token.kind, Kind::Word | Kind::Number | Kind::Symbol));
        if !worded {
            return;
        }
        let question = body.iter().rev().find(|token| !is_closer(token.kind));
        self.out.push(Sentence {
            tokens: range,
            place: self.place,
            question: question.is_some_and(|token| token.is_mark(b'?')),
            opens: std::mem::take(&mut self.opens),
        });
    }

    /// Line ends around a sentence are not part of it.
    fn without_breaks(&self, range: Range<usize>) -> Range<usize> {
        let body = self.tokens.get(range.clone()).unwrap_or_default();
        let kept = |token: &Token| !matches!(token.kind, Kind::Break | Kind::Blank);
        let first = body.iter().position(kept).unwrap_or(0);
        let last = body.iter().rposition(kept).map_or(0, |last| last + 1);
        range.start + first..range.start + last.max(first)
    }

    /// Where what closes a sentence ends: quotation marks, brackets, and the mark of a note that
    /// stands tight behind the full stop.
    fn with_closers(&self, mut end: usize) -> usize {
        while let Some(token) = self.tokens.get(end) {
            let note = || self.note_end(end);
            match is_closer(token.kind).then_some(end + 1).or_else(note) {
                Some(next) => end = next,
                None => break,
            }
        }
        end
    }

    /// Where the mark of a note ends that starts with a token and clings to the one before.
    fn note_end(&self, at: usize) -> Option<usize> {
        let start = self.tokens.get(at)?.start();
        let clings = self.tokens.get(at.checked_sub(1)?)?.span().end() == start;
        let end = clings.then(|| note_end(Look::new(self.text), start))??;
        let own = self.tokens.get(at..)?.iter().take_while(|token| token.start() < end).count();
        Some(at + own)
    }

    fn line_ends_sentence(&self, index: usize) -> bool {
        // Rows of a table stand for themselves.
        let bar = |at: usize| self.tokens.get(at).is_some_and(|token| token.is_mark(b'|'));
        if self.place == Place::Heading || bar(self.start) || bar(index + 1) {
            return true;
        }
        let length =
            self.tokens.get(index).map_or(0, |token| token.span().start() - self.line_start);
        let next = self.tokens.get(index + 1).and_then(|token| token.span().of(self.text));
        let capital = next.and_then(|word| word.chars().next()).is_some_and(char::is_uppercase);
        let colon = index.checked_sub(1).and_then(|i| self.tokens.get(i));
        capital && (length < SHORT_LINE_BYTES || colon.is_some_and(|token| token.is_mark(b':')))
    }

    fn ends_sentence(&self, index: usize, token: Token) -> bool {
        let after = self.with_closers(index + 1);
        let Some(next) = self.tokens.get(after) else { return true };
        let touches =
            next.span().start() == self.tokens.get(after - 1).map_or(0, |last| last.span().end());
        // "?!", "...", "a.b": more of the same follows at once.
        if touches && !matches!(next.kind, Kind::Break | Kind::Blank) {
            return false;
        }
        !token.is_mark(b'.') || !self.abbreviates(index)
    }

    /// True when the full stop at `index` belongs to an abbreviation or an initial.
    fn abbreviates(&self, index: usize) -> bool {
        // "e.g." has a full stop inside: look a few tokens back for where it starts.
        let known = self
            .hits
            .within(&(index.saturating_sub(3)..index))
            .iter()
            .any(|hit| hit.group == Group::Abbreviation && hit.end as usize == index);
        let Some(before) = index.checked_sub(1).and_then(|i| self.tokens.get(i)) else {
            return false;
        };
        let next = self.tokens.get(index + 1).and_then(|token| token.span().of(self.text));
        let goes_on = |c: char| c.is_lowercase() || matches!(c, '-' | '(' | '[' | ',');
        let lower = next.and_then(|word| word.chars().next()).is_some_and(goes_on);
        let word = before.span().of(self.text).unwrap_or_default();
        let initial = word.len() == 1 && word.chars().all(char::is_uppercase) && word != "I";
        // "no." and "co." end sentences more often than they abbreviate: ask for more to follow.
        let number = self.tokens.get(index + 1).is_some_and(|token| token.kind == Kind::Number);
        match &*Lower::new(word) {
            "no" | "nos" | "p" | "pp" | "fig" | "vol" => number,
            "etc" | "co" | "inc" | "corp" | "ltd" | "st" | "jr" | "sr" | "est" | "ed" | "al" => {
                lower
            }
            // "Ms. Lee" is a title; "250 ms." is the end.
            "ms" if !word.starts_with(char::is_uppercase) => false,
            _ => known || initial,
        }
    }
}

fn is_closer(kind: Kind) -> bool {
    matches!(kind, Kind::Mark(b'"' | b')' | b']' | b'\''))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::tokens::tokens;

    fn split(text: &str) -> Vec<&str> {
        let lexicon = Lexicon::english();
        let tokens = tokens(text, lexicon);
        let hits = lexicon.hits(&tokens);
        let mut found = Vec::new();
        cut(text, &tokens, &hits, &mut found);
        found
            .iter()
            .filter_map(|sentence| {
                let body = tokens.get(sentence.tokens.clone())?;
                body.first()?.span().join(body.last()?.span()).of(text)
            })
            .collect()
    }

    #[test]
    fn decimals_abbreviations_and_addresses_survive() {
        assert_eq!(
            split("Accuracy rose to 93.5 percent. Loss fell to 0.21 overall. Recall is 0.88 here."),
            [
                "Accuracy rose to 93.5 percent.",
                "Loss fell to 0.21 overall.",
                "Recall is 0.88 here."
            ]
        );
        assert_eq!(
            split("Dr. Smith agrees, e.g. in the U.S. market. He is right."),
            ["Dr. Smith agrees, e.g. in the U.S. market.", "He is right."]
        );
        assert_eq!(
            split("See https://example.com/a.b.c?x=1.2 for more. Done!"),
            ["See https://example.com/a.b.c?x=1.2 for more.", "Done!"]
        );
        assert_eq!(split("I said no. You said yes."), ["I said no.", "You said yes."]);
        assert_eq!(
            split("It took 250 ms. Then Ms. Lee left."),
            ["It took 250 ms.", "Then Ms. Lee left."]
        );
    }

    #[test]
    fn lists_headings_and_quotes_are_sentences_of_their_own() {
        assert_eq!(
            split("## Why\nBecause:\n- one thing\n- two things\n\n> he said so\nI did not."),
            ["Why", "Because:", "one thing", "two things", "he said so", "I did not."]
        );
    }

    #[test]
    fn code_is_never_cut() {
        assert_eq!(
            split("Run this. ```\na. b. c.\n``` Then stop."),
            ["Run this.", "```\na. b. c.\n``` Then stop."]
        );
    }

    #[test]
    fn a_dump_is_cut_into_pieces() {
        assert_eq!(split(&"word ".repeat(1000)).len(), 4);
    }

    #[test]
    fn quotes_close_with_their_sentence() {
        assert_eq!(split("He said \"No.\" Then he left."), ["He said \"No.\"", "Then he left."]);
    }
}
