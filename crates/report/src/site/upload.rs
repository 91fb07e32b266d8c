//! A file or a text handed in: first what was read of it, then what is found in it.

use maud::{Markup, html};
use rebuttal_model::Problem;

use super::footer;
use crate::{Page, count, excerpt, line, shown};

/// Most conversations and reports listed before they are judged.
const LISTED: usize = 20;
/// Most problems named.
const PROBLEMS: usize = 10;
/// Characters of the first words of a conversation.
const FIRST_CHARS: usize = 160;

/// What is to be done with what is handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Find flips, contradictions and hollow agreement in a log.
    Audit,
    /// Rule on the contradictions between reports.
    Reconcile,
}

impl Task {
    fn words(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Audit => (
                "Audit a log",
                "/upload/audit",
                "Who contradicts itself, who changed its mind and whether it said so, which agreement is hollow. Logs of 16 formats are read; no model is asked.",
                "user: Should we ship?\nann: Yes, we should ship.\nann: No, we should not ship.",
            ),
            Self::Reconcile => (
                "Reconcile reports",
                "/upload/reconcile",
                "Reports of several agents beside each other: where their figures and findings conflict, how each conflict is ruled on, and the reports adjusted.",
                "[{\"agent\": \"ann\", \"text\": \"Revenue was $10 million in 2025.\"},\n {\"agent\": \"bob\", \"text\": \"Revenue was $12 million in 2025.\"}]",
            ),
        }
    }
}

/// What was read of a file, before anything is judged.
#[derive(Clone, Debug)]
pub struct Read {
    /// What it is called.
    pub name: String,
    /// The same again, to be handed in with the wish to judge it.
    pub again: String,
    /// Its conversations.
    pub conversations: Vec<Conversation>,
    /// Its reports.
    pub reports: Vec<ReadReport>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// A conversation in short.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// What it is called.
    pub id: String,
    /// Who speaks in it.
    pub agents: Vec<String>,
    /// How many turns it has.
    pub turns: usize,
    /// How it begins.
    pub first: String,
}

/// A report in short.
#[derive(Clone, Debug)]
pub struct ReadReport {
    /// Who wrote it.
    pub agent: String,
    /// How it begins.
    pub first: String,
}

/// The page to hand something in, and what was read where something was.
pub fn upload(task: Task, read: Option<&Read>, wrong: Option<&str>) -> Page {
    let (title, action, about, example) = task.words();
    let body = html! {
        header { h1 { (title) } p.sub { (about) } }
        main {
            @if let Some(wrong) = wrong { p.card.high role="alert" { (line(wrong)) } }
            @if let Some(read) = read { (was_read(action, read)) }
            section {
                @if read.is_some() { h2 { "Something else" } }
                form.upload method="post" action=(action) enctype="multipart/form-data" data-drop="" {
                    label for="file" { "File: drop it here, or choose it" }
                    input #file type="file" name="file";
                    label for="text" { "or paste the text" }
                    textarea #text name="text" rows="8" placeholder=(example) {}
                    button.main { "Read it" }
                    p.note { "It is read first, and judged when you say so. Nothing is kept." }
                }
            }
        }
    };
    Page { title: format!("{title} – Rebuttal"), skip_to: "file", body, footer: footer() }
}

fn was_read(action: &str, read: &Read) -> Markup {
    let nothing = read.conversations.is_empty() && read.reports.is_empty();
    html! {
        section #read {
            h2 { "Read: " (line(&read.name)) }
            @if nothing { p.card.high role="alert" { "Nothing in it could be read. What is wrong stands below." } }
            @if !read.conversations.is_empty() {
                @let turns = read.conversations.iter().map(|one| one.turns).sum();
                p.verdict { (count(read.conversations.len(), "conversation")) ", " (count(turns, "turn")) }
                (conversations(&read.conversations))
            }
            @if !read.reports.is_empty() {
                p.verdict { (count(read.reports.len(), "report")) }
                ul { @for report in read.reports.iter().take(LISTED) {
                    li { b { (line(&report.agent)) } ": " (shown(&excerpt(&report.first, FIRST_CHARS))) }
                } }
            }
            (problems(&read.problems))
            @if !nothing {
                form method="post" action=(action) enctype="multipart/form-data" {
                    input type="hidden" name="name" value=(read.name);
                    input type="hidden" name="again" value=(read.again);
                    button.main name="judge" value="yes" { "Judge it" }
                }
            }
        }
    }
}

fn conversations(all: &[Conversation]) -> Markup {
    html! {
        ul.debates { @for one in all.iter().take(LISTED) {
            li {
                b { (line(&one.id)) }
                span.place { (count(one.turns, "turn")) " by " (line(&one.agents.join(", "))) }
                p.note { (shown(&excerpt(&one.first, FIRST_CHARS))) }
            }
        } }
        @if all.len() > LISTED { p.note { (count(all.len() - LISTED, "further conversation")) "." } }
    }
}

fn problems(all: &[Problem]) -> Markup {
    html! {
        @if !all.is_empty() {
            h3 { (count(all.len(), "problem")) }
            ul { @for problem in all.iter().take(PROBLEMS) { li { (line(&problem.to_string())) } } }
            @if all.len() > PROBLEMS { p.note { (count(all.len() - PROBLEMS, "further problem")) "." } }
        }
    }
}
