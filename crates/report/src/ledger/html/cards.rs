//! One flip on a page: both positions, the words that decided marked, and what moved the agent.

use maud::{Markup, html};
use rebuttal_model::{Acknowledgment, Cause, Flip, Position, Span};

use super::super::plots::colour;
use super::super::words::cause_words;
use crate::site::Judge;
use crate::{Place, day, excerpt, line, shown};
use rebuttal_text::visible;

/// Characters shown before and after what decided, and of what decided.
const AROUND: usize = 160;
const DECIDED: usize = 500;

pub(super) fn card(flip: &Flip, place: Place) -> Markup {
    let class = colour(flip.kind);
    let domain = flip.after.domain.as_deref().or(flip.before.domain.as_deref());
    html! {
        article.card.(class) id=(visible(flip.id.as_str())) {
            h3 {
                span.severity { (flip.kind.as_str()) }
                " " (line(flip.after.agent.as_str()))
                @if flip.acknowledgment == Acknowledgment::Silent { span.tag.silent { "silent" } }
                @else { span.tag { "acknowledged" } }
                @if let Some(domain) = domain { span.tag { (line(domain)) } }
            }
            @if let Some(question) = flip.after.question.as_deref() {
                p.place { (line(&excerpt(question, DECIDED))) }
            }
            dl.sides {
                dt { (when("Held", &flip.before)) }
                dd { (quoted(&flip.before.claim, flip.before_span, class)) }
                dt { (when("Now", &flip.after)) }
                dd { (quoted(&flip.after.claim, flip.after_span, class)) }
                @if flip.cause != Cause::NoneVisible {
                    dt {
                        "Moved by " (cause_words(flip.cause))
                        @if let Some(because) = &flip.because { ", from " (line(because.by.as_str())) }
                    }
                    dd { @if let Some(because) = &flip.because { "“" (shown(&excerpt(&because.quote.text, DECIDED))) "”" } }
                }
            }
            p { (line(&flip.explanation)) }
            p.place {
                "similarity " (format!("{:.2}", flip.similarity)) ", detector’s confidence "
                (format!("{:.2}", flip.confidence.value())) ", by " (flip.method.as_str()) "; " (line(flip.id.as_str()))
            }
            @if place == Place::Site { (Judge::flip(flip).form()) }
        }
    }
}

fn when(label: &str, position: &Position) -> Markup {
    html! {
        (label) ", " (day(position.at))
        @if let Some(sure) = position.confidence { ", " (format!("{:.2}", sure.value())) " sure" }
        @if let Some(debate) = &position.debate {
            span.where title=(visible(debate.as_str())) { (line(debate.as_str())) }
        }
    }
}

/// A claim with the words that decided marked; of a long one, those and some around them.
fn quoted(claim: &str, span: Span, class: &str) -> Markup {
    let (start, end) = (span.start(), span.end());
    let parts = (claim.get(..start), span.of(claim), claim.get(end..));
    let (Some(before), Some(decided), Some(after)) = parts else {
        return html! { "“" (shown(&excerpt(claim, DECIDED))) "”" };
    };
    let is_part = !(before.trim().is_empty() && after.trim().is_empty());
    html! {
        "“" (shown(&tail(before)))
        @if is_part && !decided.is_empty() {
            mark.(class) { (shown(&excerpt(decided, DECIDED))) }
        } @else { (shown(&excerpt(decided, DECIDED))) }
        (shown(&excerpt(after, AROUND))) "”"
    }
}

/// The end of a text.
fn tail(text: &str) -> String {
    let most = text.chars().count().saturating_sub(AROUND);
    match text.char_indices().nth(most) {
        Some((at, _)) if most > 0 => format!("…{}", text.get(at..).unwrap_or_default()),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decided_is_marked_and_everything_escaped() {
        let claim = "<b>It is safe.</b>\u{200b} And cheap.";
        let page = quoted(claim, Span::new(3, 14), "high").into_string();
        assert!(page.contains("<mark class=\"high\">It is safe.</mark>"), "{page}");
        assert!(page.contains("&lt;b&gt;") && !page.contains('\u{200b}'), "{page}");
        let wild = quoted("äö", Span::new(1, 99), "high").into_string();
        assert!(wild.contains("äö"), "{wild}");
    }
}
