//! The document around the content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::escape::{Piece, pieces};

/// The page may load nothing at all: no script, no image, no font, no form.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("style.css");

/// A page, before its content.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// What the browser's tab is called.
    pub title: &'static str,
    /// Rules of its own, after those that all pages share.
    pub style: &'static str,
    /// Where somebody without a mouse wants to begin.
    pub skip_to: &'static str,
}

impl Page {
    /// The whole page.
    pub fn document(self, body: &Markup, footer: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) (PreEscaped(self.style)) }
                }
                body {
                    a.skip href=(format!("#{}", self.skip_to)) { "Skip to the " (self.skip_to) }
                    (body)
                    (footer)
                }
            }
        }
    }
}

/// A name or a message: as [`shown`], with line breaks spelled out, so that it stays one line.
pub fn line(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split_inclusive(['\n', '\t']).enumerate() {
            @let broken = part.strip_suffix(['\n', '\t']);
            @if index > 0 { wbr; }
            (shown(broken.unwrap_or(part)))
            @if broken.is_some() {
                span.hidden title="a hidden character" { @if part.ends_with('\t') { "\\t" } @else { "\\n" } }
            }
        }
    }
}

/// Text from input: escaped, with hidden characters spelled out and set apart.
pub fn shown(text: &str) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Plain(text) => (text),
                Piece::Hidden(character) => {
                    span.hidden title="a hidden character" { (character.escape_unicode().to_string()) }
                }
            }
        }
    }
}
