//! One conflict: who says what, with the words that decide marked, and the ruling step by step.

use maud::{Markup, html};
use rebuttal_model::{Action, Contradiction, Resolution, Side};

use super::super::words::{self, Stands};
use crate::site::Judge;
use crate::{Place, count, line, shown};

/// Most sides shown of one conflict.
const SIDES: usize = 40;
/// Longest quote shown before and after the words that decide, in characters.
const AROUND_CHARS: usize = 600;

pub(super) fn card(
    number: usize,
    contradiction: &Contradiction,
    resolution: &Resolution,
    place: Place,
) -> Markup {
    let judge = Judge::contradiction(contradiction).filter(|_| place == Place::Site);
    html! {
        article.card.(contradiction.severity.as_str()) id=(format!("c{number}")) {
            h3 {
                span.severity { (contradiction.severity.as_str()) } " "
                (number) ". " (line(&words::title(contradiction)))
                " " span.who { "· " (words::kind(contradiction.kind)) }
            }
            p { (line(&contradiction.explanation)) }
            table.sides {
                thead {
                    tr {
                        th.agent scope="col" { "Agent" }
                        th.value scope="col" { "Value" }
                        th.source scope="col" { "Source" }
                        th scope="col" { "In its own words" }
                    }
                }
                tbody {
                    @for (index, side) in contradiction.sides.iter().enumerate().take(SIDES) {
                        (row(side, words::stands(contradiction, resolution, index)))
                    }
                }
            }
            @if contradiction.sides.len() > SIDES {
                p.note { (count(contradiction.sides.len() - SIDES, "further report")) " not shown." }
            }
            (ruling(contradiction, resolution))
            @if let Some(judge) = judge { (judge.form()) }
        }
    }
}

fn row(side: &Side, stands: Stands) -> Markup {
    html! {
        tr.won[stands != Stands::No] {
            th scope="row" {
                (line(side.agent.as_str()))
                span.place { (words::confidence(side).unwrap_or_else(|| "no confidence stated".into())) }
            }
            td {
                b.figure { (line(&words::value(side))) }
                @match stands {
                    Stands::Itself => span.tag.stands { "stands" },
                    Stands::WithWinner => span.tag.stands { "says the same" },
                    Stands::No => {}
                }
            }
            td {
                @match words::source(side) {
                    Some(source) => (line(&source)),
                    None => span.place { "no source named" },
                }
                @if let Some(period) = words::period(side) { span.place { (line(&period)) } }
            }
            td { (quote(side)) span.place { (line(&words::place(side))) } }
        }
    }
}

/// The sentence, with the value or the deciding words marked.
fn quote(side: &Side) -> Markup {
    let start = side.shown_span.start().checked_sub(side.span.start());
    let end = side.shown_span.end().checked_sub(side.span.start());
    let cut = start.zip(end).and_then(|(start, end)| {
        let (before, rest) = side.quote.split_at_checked(start)?;
        let (words, after) = rest.split_at_checked(end.checked_sub(start)?)?;
        Some((before, words, after)).filter(|_| !words.is_empty())
    });
    let (before, words, after) = cut.unwrap_or((&side.quote, "", ""));
    let (lead, before) = last_chars(before, AROUND_CHARS);
    let (after, tail) = first_chars(after, AROUND_CHARS);
    html! {
        q {
            @if lead { "…" }
            (shown(before))
            @if !words.is_empty() { mark.low { (shown(words)) } }
            (shown(after))
            @if tail { "…" }
        }
    }
}

/// The end of a text, and whether something was before it.
fn last_chars(text: &str, most: usize) -> (bool, &str) {
    match text.char_indices().rev().nth(most.saturating_sub(1)) {
        Some((at, _)) if at > 0 => (true, text.get(at..).unwrap_or_default()),
        _ => (false, text),
    }
}

/// The beginning of a text, and whether something follows it.
fn first_chars(text: &str, most: usize) -> (&str, bool) {
    match text.char_indices().nth(most) {
        Some((at, _)) => (text.get(..at).unwrap_or_default(), true),
        None => (text, false),
    }
}

fn ruling(contradiction: &Contradiction, resolution: &Resolution) -> Markup {
    let is_open = resolution.action == Action::FlagForReview;
    html! {
        div.ruling.(if is_open { "open" } else { "settled" }) {
            p {
                strong { "Ruling: " (line(&words::ruling(contradiction, resolution))) }
                " " span.who { (line(&words::ruled_by(resolution))) }
            }
            ol.steps {
                @for step in &resolution.steps {
                    li.decided[step.decided] {
                        b { (line(&step.looked_at)) }
                        @if step.decided { " " span.tag.stands { "decided" } " " } @else { ": " }
                        (line(&step.saw))
                    }
                }
            }
            @if let Some(why) = words::own_words(resolution) {
                p { q { (shown(why)) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(last_chars("äöü", 2), (true, "öü"));
        assert_eq!(last_chars("äöü", 3), (false, "äöü"));
        assert_eq!(first_chars("äöü", 2), ("äö", true));
        assert_eq!(first_chars("äöü", 3), ("äöü", false));
    }
}
