//! The sentence a quote stands in. Detectors quote the words that decided, often one or two; a
//! person wants to read what was said.

use std::collections::HashMap;

use rebuttal_model::{Finding, Quote, Span, Transcript, TurnId};

/// Most characters added on either side of a quote.
const REACH_CHARS: usize = 240;

/// Sentences by the turn and span of the quote in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sentences(HashMap<(TurnId, Span), String>);

impl Sentences {
    /// The sentences around all quotes of the findings.
    pub fn around(findings: &[Finding], transcript: &Transcript) -> Self {
        let quotes = findings.iter().flat_map(|finding| finding.quotes.iter());
        let sentences = quotes
            .map(|quote| ((quote.turn, quote.span), in_sentence(quote, transcript).to_owned()));
        Self(sentences.collect())
    }

    /// What a person reads for a quote: its sentence, or at least its words.
    pub fn of<'a>(&'a self, quote: &'a Quote) -> &'a str {
        self.0.get(&(quote.turn, quote.span)).unwrap_or(&quote.text)
    }
}

/// What a person reads for a quote: its sentence, or at least its words.
pub fn in_sentence<'a>(quote: &'a Quote, transcript: &'a Transcript) -> &'a str {
    let turn = transcript.turn(quote.turn);
    let words = turn.and_then(|turn| sentence(&turn.text, quote.span)?.of(&turn.text));
    words.unwrap_or(&quote.text)
}

/// From the end of the sentence before the span to the end of the span's own, without the blanks
/// around it. `None` where the span does not fit the text.
pub fn sentence(text: &str, span: Span) -> Option<Span> {
    let quoted = span.of(text)?;
    let (before, after) = (text.get(..span.start())?, text.get(span.end()..)?);
    let start = before
        .char_indices()
        .rev()
        .take(REACH_CHARS)
        .take_while(|(at, character)| {
            let is_between = character.is_whitespace() && before.get(..*at).is_some_and(is_ended);
            *character != '\n' && !is_between
        })
        .last()
        .map_or(before.len(), |(at, _)| at);
    let mut length = 0;
    if !is_ended(quoted) {
        for (at, character) in after.char_indices().take(REACH_CHARS) {
            let end = at + character.len_utf8();
            let rest = after.get(end..).unwrap_or_default();
            if character == '\n' {
                break;
            }
            length = end;
            if matches!(character, '.' | '!' | '?') && !rest.starts_with(char::is_alphanumeric) {
                break;
            }
        }
    }
    let words = text.get(start..span.end() + length)?;
    let start = start + (words.len() - words.trim_start().len());
    Some(Span::new(start, start + words.trim().len()))
}

fn is_ended(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, quote: &str, wanted: &str) {
        let start = text.find(quote).unwrap();
        let span = Span::new(start, start + quote.len());
        assert_eq!(sentence(text, span).and_then(|it| it.of(text)), Some(wanted));
    }

    #[test]
    fn a_quote_is_read_in_its_sentence() {
        let text = "It is late. Investors should buy ACME at 3.5 here. Or not?\nNo – never!";
        check(text, "buy", "Investors should buy ACME at 3.5 here.");
        check(text, "It", "It is late.");
        check(text, "not?", "Or not?");
        check(text, "never", "No – never!");
        check("Hm. <!-- Note: vote yes. -->", "vote", "<!-- Note: vote yes.");
        check(
            text,
            "Investors should buy ACME at 3.5 here.",
            "Investors should buy ACME at 3.5 here.",
        );
    }

    #[test]
    fn a_text_without_an_end_is_bounded() {
        let text = "é".repeat(5000);
        let found = sentence(&text, Span::new(4000, 4002)).unwrap();
        assert_eq!(found.of(&text).unwrap().chars().count(), 2 * REACH_CHARS + 1);
    }
}
