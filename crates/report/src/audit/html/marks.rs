//! A turn's text with the quoted spans marked.

use maud::{Markup, html};
use rebuttal_model::{Severity, Span, TurnId};

use crate::page::shown;

/// A quoted span of one turn, and the finding that quotes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The finding's number on the page.
    pub(super) finding: usize,
    /// The quote's number within the finding.
    pub(super) quote: usize,
    /// The turn it stands in.
    pub(super) turn: TurnId,
    /// Its bytes in the turn's text.
    pub(super) span: Span,
    /// The bytes of the sentence around it: one word alone says little.
    pub(super) sentence: Span,
    /// How grave the finding is.
    pub(super) severity: Severity,
}

impl Mark {
    /// Where on the page it is.
    pub(super) fn anchor(&self) -> String {
        format!("f{}q{}", self.finding, self.quote)
    }

    /// Where what is marked comes to its end.
    fn end(&self) -> usize {
        self.sentence.end().max(self.span.end())
    }
}

/// The text, with `marks` in place: the words that decided strongly, their sentences lightly. Marks
/// may overlap: where they do the gravest colours the text, and every one of them has its own anchor
/// and its own link back.
pub(super) fn marked(text: &str, marks: &[Mark]) -> Markup {
    html! {
        @for piece in segments(text, marks) {
            @match piece.shade {
                Shade::None => (shown(piece.text)),
                Shade::Light(severity) => mark.light.(severity.as_str()) { (shown(piece.text)) },
                Shade::Strong(severity) => {
                    mark class=(severity.as_str()) {
                        @for mark in &piece.starting { a.anchor id=(mark.anchor()) {} }
                        (shown(piece.text))
                    }
                }
            }
            @for finding in &piece.ending {
                a.back href=(format!("#f{finding}")) aria-label=(format!("back to finding {finding}")) { (finding) }
            }
        }
    }
}

/// How a run of text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shade {
    None,
    Light(Severity),
    Strong(Severity),
}

/// A run of text under the same marks.
#[derive(Debug)]
struct Segment<'t> {
    text: &'t str,
    shade: Shade,
    starting: Vec<Mark>,
    /// The findings whose sentences end here: a link back in mid-sentence is hard to read around.
    ending: Vec<usize>,
}

fn segments<'t>(text: &'t str, marks: &[Mark]) -> Vec<Segment<'t>> {
    // A span that does not fit the text would be a detector's mistake; it must not lose the text.
    let marks: Vec<_> = marks
        .iter()
        .copied()
        .filter(|mark| mark.span.of(text).is_some_and(|it| !it.is_empty()))
        .filter(|mark| mark.sentence.of(text).is_some())
        .collect();
    let mut cuts = vec![0, text.len()];
    for span in marks.iter().flat_map(|mark| [mark.span, mark.sentence]) {
        cuts.extend([span.start(), span.end()]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    let ends = cuts.iter().copied().skip(1);
    cuts.iter()
        .copied()
        .zip(ends)
        .filter_map(|(start, end)| {
            let here = Span::new(start, end);
            let gravest = |span: fn(&Mark) -> Span| {
                let over = marks.iter().filter(|mark| span(mark).contains(here));
                over.map(|mark| mark.severity).max()
            };
            let shade = match (gravest(|mark| mark.span), gravest(|mark| mark.sentence)) {
                (Some(severity), _) => Shade::Strong(severity),
                (None, Some(severity)) => Shade::Light(severity),
                (None, None) => Shade::None,
            };
            let starting = marks.iter().filter(|mark| mark.span.start() == here.start());
            let ending = marks.iter().filter(|mark| mark.end() == here.end());
            let mut ending: Vec<_> = ending.map(|mark| mark.finding).collect();
            // One finding may quote two parts of a sentence.
            ending.sort_unstable();
            ending.dedup();
            Some(Segment {
                text: here.of(text)?,
                shade,
                starting: starting.copied().collect(),
                ending,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use maud::PreEscaped;

    use super::*;

    fn mark(finding: usize, start: usize, end: usize, severity: Severity) -> Mark {
        let span = Span::new(start, end);
        Mark { finding, quote: 0, turn: TurnId::new(0), span, sentence: span, severity }
    }

    #[test]
    fn overlapping_marks_keep_the_text_whole() {
        let text = "one two three";
        let marks = [mark(1, 0, 7, Severity::Low), mark(2, 4, 13, Severity::High)];
        let pieces = segments(text, &marks);
        let texts: Vec<_> = pieces.iter().map(|piece| piece.text).collect();
        assert_eq!(texts, ["one ", "two", " three"]);
        assert_eq!(pieces[1].shade, Shade::Strong(Severity::High));
        assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), text);
    }

    #[test]
    fn the_sentence_is_marked_lightly_around_the_words() {
        let sentence = Span::new(4, 18);
        let mark = Mark { sentence, ..mark(1, 12, 15, Severity::Medium) };
        let PreEscaped(text) = marked("Hm. We must buy it. So.", &[mark]);
        let light = |text: &str| format!(r#"<mark class="light medium">{text}</mark>"#);
        let strong = r#"<mark class="medium"><a class="anchor" id="f1q0"></a>buy</mark>"#;
        assert!(text.starts_with(&format!("Hm. {}{strong}", light("We must "))), "{text}");
        assert!(text.contains(&light(" it")), "{text}");
    }

    #[test]
    fn a_span_that_does_not_fit_loses_nothing() {
        let pieces = segments("é", &[mark(1, 1, 2, Severity::Low), mark(2, 0, 99, Severity::Low)]);
        assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), "é");
    }
}
