//! The document around the content: handed on as a file, or given out by the server.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::escape::{Piece, pieces};

/// A file that is handed on may load nothing at all: no script, no image, no font, no form.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The one stylesheet: inside every page that is handed on, beside every page that is served.
pub const STYLESHEET: &str = include_str!("style.css");

/// Where a page is read: on a server's site it leads to other pages and has forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file that is handed on.
    File,
    /// On the site of a server.
    Site,
}

/// A page, before it is known where it is read.
#[derive(Debug)]
pub struct Page {
    /// What the browser's tab is called.
    pub title: String,
    /// Where somebody without a mouse wants to begin.
    pub skip_to: &'static str,
    /// Its header and its main part.
    pub body: Markup,
    /// What stands below.
    pub footer: Markup,
}

/// What stands around a page that a server gives out.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// Where the stylesheet is.
    pub style: String,
    /// Where the scripts of the page are: modules, all of them from the same server.
    pub scripts: Vec<String>,
    /// The address of the part of the site that the page belongs to.
    pub here: &'static str,
    /// How many debates wait for a person.
    pub waiting: usize,
    /// Who is signed in, where anybody has to.
    pub user: Option<String>,
}

/// The parts of the site, and what each is called.
const PARTS: [(&str, &str); 9] = [
    ("/", "Debates"),
    ("/breakpoints", "Breakpoints"),
    ("/agents", "Agents"),
    ("/flips", "Flips"),
    ("/claims", "Claims"),
    ("/quality", "Quality"),
    ("/audit", "Audit"),
    ("/reconcile", "Reconcile"),
    ("/docs/api", "API"),
];

impl Page {
    /// The page as a file of its own: no script, no request.
    pub fn stand_alone(&self) -> Markup {
        let head = html! {
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            style { (PreEscaped(STYLESHEET)) }
        };
        self.document(&head, "file", &html! {})
    }

    /// The page as the server gives it out, with the ways to the other pages above it.
    pub fn served(&self, site: &Site) -> Markup {
        let head = html! {
            link rel="stylesheet" href=(site.style);
            link rel="icon" href="data:,";
            @for script in &site.scripts { script type="module" src=(script) {} }
        };
        self.document(&head, "site", &navigation(site))
    }

    fn document(&self, head: &Markup, class: &str, above: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (self.title) }
                    (head)
                }
                body.(class) {
                    a.skip href=(format!("#{}", self.skip_to)) { "Skip to the " (self.skip_to) }
                    (above)
                    (self.body)
                    (self.footer)
                }
            }
        }
    }
}

fn navigation(site: &Site) -> Markup {
    html! {
        nav.site aria-label="Rebuttal" {
            a.home href="/" { "Rebuttal" }
            ul {
                @for (address, name) in PARTS {
                    li {
                        a href=(address) aria-current=[(address == site.here).then_some("page")] {
                            (name)
                            @if address == "/breakpoints" && site.waiting > 0 {
                                " " span.count { (site.waiting) span.aside-words { " waiting" } }
                            }
                        }
                    }
                }
            }
            @if let Some(user) = &site.user {
                form.account method="post" action="/logout" {
                    span { (line(user)) } " " button { "Sign out" }
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
