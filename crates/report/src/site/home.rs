//! The first page: ask a question, see what runs and what was decided.

use maud::{Markup, html};
use rebuttal_store::{DebateRow, DebateStatus};

use super::footer;
use crate::debate::encoded;
use crate::{Page, count, day, line};

/// Most characters of a question typed here; what is longer belongs into the context.
const QUESTION_CHARS: usize = 2_000;

/// What the first page shows.
#[derive(Clone, Debug, Default)]
pub struct Home {
    /// The agents that are configured.
    pub agents: Vec<String>,
    /// The agents that debate unless somebody chooses.
    pub panel: Vec<String>,
    /// The protocols that have a name.
    pub presets: Vec<String>,
    /// Debates that have not ended, and the latest that have; each kind the latest first.
    pub debates: Vec<DebateRow>,
    /// Where the list goes on.
    pub next: Option<String>,
    /// The words of a search.
    pub search: String,
    /// What was wrong with the last question, and the question.
    pub wrong: Option<(String, String)>,
}

/// The first page.
pub fn home(home: &Home) -> Page {
    let open =
        |row: &&DebateRow| !matches!(row.status, DebateStatus::Decided | DebateStatus::Undecided);
    let (going, over): (Vec<&DebateRow>, Vec<&DebateRow>) = home.debates.iter().partition(open);
    let empty = home.debates.is_empty() && home.search.is_empty();
    let body = html! {
        header { h1 { "Ask a panel" } p.sub { "Agents answer blind, read each other, and answer again; at the end stands a decision, its dissent, and whether debating helped." } }
        main {
            (question(home))
            @if empty { (first_steps(home)) }
            @if !going.is_empty() {
                section #going data-part="" { h2 { "Going on" } (list(&going)) }
            }
            @if !empty {
                section #recent data-part="" {
                    h2 { "Decided" }
                    form.search method="get" role="search" {
                        label for="search" { "Find in questions" }
                        input #search type="search" name="question" value=(home.search) maxlength="200";
                        button { "Find" }
                    }
                    @if over.is_empty() { p.none { "None yet." } } @else { (list(&over)) }
                    @if let Some(next) = &home.next { p { a rel="next" href=(further(next, &home.search)) { "Earlier ones" } } }
                }
            }
        }
    };
    Page { title: "Rebuttal".to_owned(), skip_to: "question", body, footer: footer() }
}

fn further(next: &str, search: &str) -> String {
    format!("/?after={}&question={}", encoded(next), encoded(search))
}

fn question(home: &Home) -> Markup {
    let (wrong, asked) = match &home.wrong {
        Some((wrong, asked)) => (Some(wrong), asked.as_str()),
        None => (None, ""),
    };
    html! {
        form.ask method="post" action="/debates" {
            @if let Some(wrong) = wrong { p.card.high role="alert" { (line(wrong)) } }
            label for="question" { "Question" }
            textarea #question name="question" rows="2" required maxlength=(QUESTION_CHARS) placeholder="Should we migrate to Kubernetes?" { (asked) }
            div.choices {
                fieldset {
                    legend { "Panel" }
                    @if home.agents.is_empty() { p.none { "No agent is configured." } }
                    @for agent in &home.agents {
                        label { input type="checkbox" name="agents" value=(agent) checked[home.panel.contains(agent)]; " " (line(agent)) }
                    }
                }
                div {
                    label for="preset" { "Preset" }
                    select #preset name="preset" {
                        option value="" { "as configured" }
                        @for preset in &home.presets { option value=(preset) { (preset) } }
                    }
                    label for="rounds" { "Rounds at most" }
                    input #rounds type="number" name="rounds" min="0" max="20" placeholder="as in the preset";
                }
            }
            details {
                summary { "What everybody should know, and the answers to choose from" }
                label for="context" { "Context" }
                textarea #context name="context" rows="4" {}
                label for="options" { "Answers, one on each line; found in the question if none is given" }
                textarea #options name="options" rows="2" {}
            }
            button.main { "Start the debate" }
        }
    }
}

/// What there is to do where nothing was done yet.
fn first_steps(home: &Home) -> Markup {
    html! {
        section.card.low {
            h2 { "New here" }
            p { "See a recorded debate of three agents about a migration; nobody is asked, and it costs nothing." }
            form method="post" action="/example" { button { "Open the example" } }
            @if home.agents.is_empty() {
                p { "For a debate of your own, agents need a model. Set " code { "ANTHROPIC_API_KEY" } ", " code { "OPENAI_API_KEY" } " or "
                    code { "GEMINI_API_KEY" } " before " code { "rebuttal serve" } ", or name agents in " code { "rebuttal.toml" }
                    ": " code { "[agents.ann]" } " with " code { "provider" } " and " code { "model" } "." }
            }
            p { "Without any model: " a href="/audit" { "audit a log" } " of agents that talked elsewhere, or " a href="/reconcile" { "reconcile reports" } "." }
        }
    }
}

fn list(rows: &[&DebateRow]) -> Markup {
    html! {
        ul.debates {
            @for row in rows {
                li {
                    a href=(format!("/debates/{}", encoded(row.id.as_str()))) {
                        (line(if row.question.is_empty() { row.id.as_str() } else { &row.question }))
                    }
                    span.state.(class(row.status)) { (row.status.as_str()) }
                    @if let Some(answer) = &row.answer { b { (line(answer)) } }
                    span.place { (count(usize::try_from(row.agents).unwrap_or(0), "agent")) " · " (day(row.started)) }
                    @if let Some(damage) = &row.damage { span.place { (line(damage)) } }
                }
            }
        }
    }
}

fn class(status: DebateStatus) -> &'static str {
    match status {
        DebateStatus::Running => "running",
        DebateStatus::Waiting => "waiting",
        _ => "over",
    }
}
