//! A text cut into passages: paragraphs under their headings, as they stand there.

use rebuttal_model::{Passage, Place, Span};
use rebuttal_text::Reading;

use crate::limits;

/// The passages of a text or Markdown page, in order.
pub(crate) fn passages(document: &str, text: &str) -> Vec<Passage> {
    let mut cut = Cut { document, text, headings: Vec::new(), open: None, found: Vec::new() };
    let mut fenced = false;
    let mut at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let span = Span::new(at, at + line.len());
        at = span.end();
        let words = line.trim();
        fenced ^= words.starts_with("```");
        match heading(words).filter(|_| !fenced) {
            Some((level, title)) => {
                cut.close();
                cut.headings.retain(|(other, _)| *other < level);
                cut.headings.push((level, title.to_owned()));
            }
            None if words.is_empty() && !fenced => cut.blank(),
            None => cut.line(number, span),
        }
    }
    cut.close();
    cut.found
}

/// The passages of lines that stand on these lines of a file: each is a paragraph, short ones of one heading
/// are joined.
pub(crate) fn lines(document: &str, lines: &[(u32, String)]) -> Vec<Passage> {
    let mut text = String::new();
    let mut numbers: Vec<u32> = Vec::new();
    for (number, line) in lines {
        // An empty line between paragraphs stands on the line of the one before it.
        text.push_str(line);
        text.push_str("\n\n");
        numbers.extend([*number, *number]);
    }
    let mut found = passages(document, &text);
    let place = |at: u32| {
        let at = usize::try_from(at).unwrap_or(usize::MAX).saturating_sub(1);
        numbers.get(at).copied().unwrap_or(1)
    };
    for passage in &mut found {
        if let Place::Lines(from, to) = passage.place {
            passage.place = Place::Lines(place(from), place(to));
        }
    }
    found
}

/// The level and the words of a Markdown heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let title = title.strip_prefix(' ')?.trim_end_matches('#').trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// Lines that will be one passage.
#[derive(Clone, Copy)]
struct Open {
    span: Span,
    first: u32,
    last: u32,
}

struct Cut<'t> {
    document: &'t str,
    text: &'t str,
    headings: Vec<(usize, String)>,
    open: Option<Open>,
    found: Vec<Passage>,
}

impl Cut<'_> {
    fn line(&mut self, number: u32, span: Span) {
        self.open = Some(match self.open {
            Some(open) => Open { span: open.span.join(span), last: number, ..open },
            None => Open { span, first: number, last: number },
        });
        if self.open.is_some_and(|open| open.span.len() >= 4 * limits::PASSAGE_CHARS) {
            self.close();
        }
    }

    /// A paragraph ends; one of a few words goes with the next.
    fn blank(&mut self) {
        if self.open.is_some_and(|open| open.span.len() >= limits::PASSAGE_CHARS_MIN) {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let block = open.span.of(self.text).unwrap_or_default();
        let heading = self.headings.iter().map(|(_, title)| title.as_str());
        let heading = heading.collect::<Vec<_>>().join(" > ");
        let mut line = open.first;
        let mut at = 0;
        for piece in pieces(block) {
            let words = piece.of(block).unwrap_or_default();
            line += breaks(block.get(at..piece.start()).unwrap_or_default());
            let last = line + breaks(words);
            let place = Place::Lines(line, last.min(open.last));
            let passage = Passage::new(self.document, place, words);
            self.found.push(Passage { heading: heading.clone(), ..passage });
            (at, line) = (piece.end(), last);
        }
    }
}

fn breaks(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

/// The block, trimmed, in pieces that are not too long, cut between sentences where there are any.
pub(crate) fn pieces(block: &str) -> Vec<Span> {
    let start = block.len() - block.trim_start().len();
    let whole = Span::new(start, block.trim_end().len());
    if whole.len() <= limits::PASSAGE_CHARS {
        return if whole.is_empty() { Vec::new() } else { vec![whole] };
    }
    let reading = Reading::new(block);
    let mut found: Vec<Span> = Vec::new();
    for sentence in reading.sentence_spans().flat_map(|span| short(block, span)) {
        match found.last_mut() {
            Some(last) if sentence.end() - last.start() <= limits::PASSAGE_CHARS => {
                *last = last.join(sentence);
            }
            _ => found.push(sentence),
        }
    }
    // Marks between sentences, such as the end of a code fence, belong to what stands before them.
    let ends: Vec<usize> = found.iter().skip(1).map(|it| it.start()).chain([whole.end()]).collect();
    let whole_of = |(span, end): (Span, usize)| {
        let words = block.get(span.start()..end).unwrap_or_default();
        Span::new(span.start(), span.start() + words.trim_end().len())
    };
    found.into_iter().zip(ends).map(whole_of).collect()
}

/// A sentence that is too long by itself, in pieces.
fn short(block: &str, span: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut from = span.start();
    while span.end() - from > limits::PASSAGE_CHARS {
        let most = block.floor_char_boundary(from + limits::PASSAGE_CHARS);
        let words = block.get(from..most).unwrap_or_default();
        let cut = words.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(words.len());
        found.push(Span::new(from, from + cut.max(1)));
        from += cut.max(1);
    }
    found.push(Span::new(from, span.end()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_stand_under_their_headings_with_their_lines() {
        let text =
            "# Costs\n\n## Hosting\nHosting cost 41,000 euros.\nIt rises.\n\n# People\nFour.\n";
        let found = passages("a.md", text);
        let seen: Vec<_> =
            found.iter().map(|it| (it.heading.as_str(), it.text.as_str(), it.place)).collect();
        assert_eq!(
            seen,
            [
                ("Costs > Hosting", "Hosting cost 41,000 euros.\nIt rises.", Place::Lines(4, 5)),
                ("People", "Four.", Place::Lines(8, 8)),
            ]
        );
    }

    #[test]
    fn a_long_paragraph_is_cut_between_sentences_and_keeps_its_lines() {
        let line = "The mill at the river made less flour than the year before.\n";
        let text = line.repeat(60);
        let found = passages("a.txt", &text);
        assert!(found.len() > 2, "{}", found.len());
        for passage in &found {
            assert!(passage.text.len() <= limits::PASSAGE_CHARS);
            let Place::Lines(from, to) = passage.place else { panic!("lines") };
            let stands: Vec<&str> =
                text.lines().skip(from as usize - 1).take((to - from + 1) as usize).collect();
            assert_eq!(stands.join("\n"), passage.text);
        }
    }

    proptest::proptest! {
        #[test]
        fn every_passage_stands_in_the_text(text in "(?s)([a-zé .#\n`|-]{0,40}){0,60}") {
            for passage in passages("a.md", &text) {
                proptest::prop_assert!(text.contains(&passage.text));
                proptest::prop_assert!(!passage.text.trim().is_empty());
            }
        }
    }
}
