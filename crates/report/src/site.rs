//! The pages that only a server has: ask a question, answer a breakpoint, hand in a file. Each is a value
//! in, a [`Page`](crate::Page) out; forms work without a script.

mod breakpoints;
mod claims;
mod home;
mod judge;
mod upload;

use maud::html;

use crate::{Page, VERSION, line};

pub use breakpoints::breakpoints;
pub use claims::{Argument, Crux, Node, Support, claims};
pub use home::{Home, home};
pub use judge::{Judge, Verdict, label};
pub use upload::{Conversation, Read, ReadReport, Task, upload};

fn footer() -> maud::Markup {
    html! { footer { p { "rebuttal " (VERSION) } } }
}

/// A debate that was taken in and has no record yet; the page asks again by itself.
pub fn starting(id: &str, failed: Option<&str>) -> Page {
    let body = html! {
        header { h1 { (if failed.is_some() { "The debate could not begin" } else { "The debate begins" }) } }
        main #message {
            @match failed {
                Some(why) => p.card.high role="alert" { (line(why)) },
                None => {
                    meta http-equiv="refresh" content="1";
                    p role="status" { "Its agents are being found. A local model that has to be fetched takes a few minutes, once." }
                }
            }
            p.note { (line(id)) }
            p { a href="/" { "To the debates" } }
        }
    };
    Page { title: "Rebuttal".to_owned(), skip_to: "message", body, footer: footer() }
}

/// A page that says one thing: what was not found, or could not be done, and what to try.
pub fn message(title: &str, words: &str) -> Page {
    let body = html! {
        header { h1 { (line(title)) } }
        main #message { p { (line(words)) } p { a href="/" { "To the debates" } } }
    };
    Page { title: format!("{title} – Rebuttal"), skip_to: "message", body, footer: footer() }
}
