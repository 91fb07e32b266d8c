//! Whether words stand in a text letter by letter, but for what a printer may change.
//!
//! These do not count: upper and lower case, white space and line ends, the kind of quotation marks and
//! dashes, Markdown's marks of emphasis, and full stops, commas or other marks at both ends. "…", "..." and
//! "[…]" stand for words left out; what stands before them must come before what stands behind. Everything
//! else must be there.

use rebuttal_model::Span;

/// A text without what does not count, and where each of its characters came from.
struct Folded {
    text: String,
    /// For each byte of `text`, where the character it belongs to stands in the original.
    from: Vec<(usize, usize)>,
}

impl Folded {
    fn new(original: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(original.len()), from: Vec::new() };
        for (at, c) in original.char_indices() {
            let own = (at, at + c.len_utf8());
            match c {
                '*' | '_' | '`' | '#' | '>' | '|' | '\u{ad}' => {}
                c if c.is_whitespace() => folded.space(own),
                '\u{2018}' | '\u{2019}' | '\u{201b}' => folded.put('\'', own),
                '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => folded.put('"', own),
                '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.put('-', own),
                c => c.to_lowercase().for_each(|c| folded.put(c, own)),
            }
        }
        folded
    }

    fn put(&mut self, c: char, own: (usize, usize)) {
        self.text.push(c);
        self.from.resize(self.text.len(), own);
    }

    fn space(&mut self, own: (usize, usize)) {
        if !self.text.ends_with(' ') {
            self.put(' ', own);
        }
    }

    /// Bytes of the folded text as bytes of the original.
    fn original(&self, start: usize, end: usize) -> Option<Span> {
        let first = self.from.get(start)?;
        let last = self.from.get(end.checked_sub(1)?)?;
        Some(Span::new(first.0, last.1))
    }
}

/// Where the quoted words stand in a text, from the first to the last of them.
pub(super) fn find(quote: &str, text: &str) -> Option<Span> {
    let text = Folded::new(text);
    let mut found: Option<(usize, usize)> = None;
    for part in parts(quote) {
        let from = found.map_or(0, |(_, end)| end);
        let at = whole_words(text.text.get(from..)?, &part)? + from;
        found = Some((found.map_or(at, |(start, _)| start), at + part.len()));
    }
    let (start, end) = found?;
    text.original(start, end)
}

/// Where the words stand, not as parts of longer words: "a cost of 4" is not in "a cost of 41".
fn whole_words(text: &str, part: &str) -> Option<usize> {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut matches = text.match_indices(part).map(|(at, _)| at);
    matches.find(|at| {
        let before = text.get(..*at).unwrap_or_default().chars().next_back();
        let after = text.get(at + part.len()..).unwrap_or_default();
        let mut after = after.chars();
        let next = after.next();
        // "4.1" goes on behind "4".
        let goes_on =
            matches!(next, Some('.' | ',')) && after.next().is_some_and(|c| c.is_ascii_digit());
        let number = part.ends_with(|c: char| c.is_ascii_digit());
        !(inside(before) || inside(next) || number && goes_on)
    })
}

/// What must stand there, piece by piece, between marks of omission.
fn parts(quote: &str) -> Vec<String> {
    let plain = quote.replace("[...]", "\u{2026}").replace("[\u{2026}]", "\u{2026}");
    let plain = plain.replace("(...)", "\u{2026}").replace("...", "\u{2026}");
    let trimmed = |part: &str| {
        let folded = Folded::new(part).text;
        let ends = |c: char| c.is_whitespace() || ".,;:!?\"'()[]-".contains(c);
        folded.trim_matches(ends).to_owned()
    };
    plain.split('\u{2026}').map(trimmed).filter(|part| !part.is_empty()).collect()
}

/// Words in quotation marks that are long enough to be somebody's words, in order.
pub(super) fn quoted(text: &str) -> Vec<Span> {
    /// A shorter one is a word that is pointed at: the "pilot".
    const WORDS: usize = 4;
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match (open, c) {
            (Some((start, close)), c) if c == close => {
                let span = Span::new(start, at);
                let words = span.of(text).unwrap_or_default().split_whitespace().count();
                found.extend((words >= WORDS).then_some(span));
                open = None;
            }
            (None, '"') => open = Some((at + 1, '"')),
            (None, '\u{201c}' | '\u{201e}') => {
                let close = if c == '\u{201c}' { '\u{201d}' } else { '\u{201c}' };
                open = Some((at + c.len_utf8(), close));
            }
            (None, '\u{ab}') => open = Some((at + c.len_utf8(), '\u{bb}')),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Hosting cost 41,000 euros in 2023,\nthe board\u{2019}s report says; *nobody* planned 4.1% more.";

    #[test]
    fn what_a_printer_changes_does_not_count() {
        for quote in [
            "hosting cost 41,000 euros",
            "\"Hosting  cost 41,000 euros in 2023, the board's report says.\"",
            "nobody planned 4.1% more",
            "Hosting cost … nobody planned",
            "Hosting cost [...] nobody planned",
        ] {
            assert!(find(quote, TEXT).is_some(), "{quote}");
        }
        let span = find("The board's report", TEXT).unwrap();
        assert_eq!(span.of(TEXT), Some("the board\u{2019}s report"));
    }

    #[test]
    fn everything_else_does() {
        for quote in [
            "hosting cost 14,000 euros",
            "hosting cost 41,000 dollars",
            "hosting costs 41,000 euros",
            "planned 4",
            "osting cost",
            "nobody planned … hosting cost",
            "",
        ] {
            assert!(find(quote, TEXT).is_none(), "{quote}");
        }
    }

    #[test]
    fn only_words_in_quotation_marks_are_quoted() {
        let text = "The \"pilot\" is done: “it fell by a third in May”, said Ann.";
        let found: Vec<_> = quoted(text).into_iter().filter_map(|span| span.of(text)).collect();
        assert_eq!(found, ["it fell by a third in May"]);
    }
}
