//! A turn's text with the quoted spans marked.

use maud::{Markup, html};
use rebuttal_model::{Finding, Severity, Span, TurnId};

use crate::audit::sentence;
use crate::page::shown;

/// A quoted span of one turn, and the finding that quotes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The finding's number on the page.
    pub(crate) finding: usize,
    /// The quote's number within the finding.
    pub(crate) quote: usize,
    /// The number of the quote it stands against, where that is elsewhere on the page.
    pub(crate) against: Option<usize>,
    /// The turn it stands in.
    pub(crate) turn: TurnId,
    /// Its bytes in the turn's text.
    pub(crate) span: Span,
    /// The bytes of the sentence around it: one word alone says little.
    pub(crate) sentence: Span,
    /// How grave the finding is.
    pub(crate) severity: Severity,
}

impl Mark {
    /// The mark of a finding's quote, in its sentence.
    pub(crate) fn of(
        number: usize,
        finding: &Finding,
        index: usize,
        turn_text: &str,
    ) -> Option<Self> {
        let quote = finding.quotes.iter().nth(index)?;
        let sentence = sentence(turn_text.trim_end(), quote.span).unwrap_or(quote.span);
        Some(Self {
            finding: number,
            quote: index,
            against: against(finding, index),
            turn: quote.turn,
            span: quote.span,
            sentence,
            severity: finding.severity,
        })
    }

    /// The mark in a part of the text it was made for, which begins at `start` there.
    pub(crate) fn within(&self, start: usize, len: usize) -> Option<Self> {
        let inside = |span: Span| {
            let (from, to) = (span.start().max(start), span.end().min(start + len));
            (from < to).then(|| Span::new(from - start, to - start))
        };
        let span = inside(self.span)?;
        Some(Self { span, sentence: inside(self.sentence).unwrap_or(span), ..*self })
    }

    /// Where on the page it is.
    pub(crate) fn anchor(&self) -> String {
        format!("f{}q{}", self.finding, self.quote)
    }

    /// Where what is marked comes to its end.
    fn end(&self) -> usize {
        self.sentence.end().max(self.span.end())
    }
}

/// The quote that another one stands against: the first against the last, every other against the first.
fn against(finding: &Finding, index: usize) -> Option<usize> {
    let last = finding.quotes.iter().count() - 1;
    match index {
        0 => (last > 0).then_some(last),
        _ => Some(0),
    }
}

/// The text, with `marks` in place: the words that decided strongly, their sentences lightly. Marks
/// may overlap: where they do the gravest colours the text, and every one of them has its own anchor
/// and its own link back.
pub(crate) fn marked(text: &str, marks: &[Mark]) -> Markup {
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
            @for (finding, against) in &piece.ending {
                a.back href=(format!("#f{finding}")) aria-label=(format!("back to finding {finding}")) { (finding) }
                @if let Some(quote) = against {
                    a.against href=(format!("#f{finding}q{quote}")) aria-label=(format!("what it stands against in finding {finding}")) {}
                }
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
    ending: Vec<(usize, Option<usize>)>,
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
            let mut ending: Vec<_> = ending.map(|mark| (mark.finding, mark.against)).collect();
            // One finding may quote two parts of a sentence.
            ending.sort_unstable();
            ending.dedup_by_key(|(finding, _)| *finding);
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
        Mark {
            finding,
            quote: 0,
            against: None,
            turn: TurnId::new(0),
            span,
            sentence: span,
            severity,
        }
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
