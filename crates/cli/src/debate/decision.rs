//! What a debate came to, for a person: the answer, who disagrees, whether debating helped, what it
//! cost, and what to type next.

use std::fmt::Write as _;

use rebuttal::engine::debate::{State, synthesis};
use rebuttal::model::{DebateSpec, Decision, Record, Verdict};
use rebuttal::panel::QUOTES;
use rebuttal_report::debate::{cost, group, said_by, verdict};

use crate::terminal::{Paint, one_line};
use crate::wrap::wrap;

/// The whole ending of a debate.
pub(super) fn text(state: &State, decision: &Decision, last: &Record, paint: Paint) -> String {
    let mut text = String::new();
    headline(&mut text, decision, paint);
    writeln!(text, "{}", wrap(&one_line(&decision.narrative.replace('\n', " ")), 2)).ok();
    if let Some(moderation) = &decision.moderation {
        let words = format!("Moderator: {}", one_line(&moderation.words));
        let words = wrap(&words, 2);
        let overrode = moderation.overrode.is_some();
        writeln!(text, "{}", if overrode { paint.yellow(words).to_string() } else { words }).ok();
    }
    came_to(&mut text, state, paint);
    dissent(&mut text, decision, paint);
    if let Some(lift) = &decision.lift {
        writeln!(
            text,
            "\n{}\n{}",
            paint.bold("Did debating help?"),
            wrap(&one_line(&lift.words), 2)
        )
        .ok();
    }
    writeln!(text, "\n{} {}", paint.bold("Cost"), cost(decision.cost)).ok();
    let head = format!("{}:{}", last.seq, last.hash);
    writeln!(text, "{} {} records, head {}", paint.bold("Receipt"), last.seq, paint.dim(head)).ok();
    next(&mut text, state.spec(), paint);
    text
}

fn headline(text: &mut String, decision: &Decision, paint: Paint) {
    let words = verdict(decision.verdict);
    let verdict = match decision.verdict {
        Verdict::Approved => paint.green(words),
        Verdict::ApprovedWithConditions => paint.yellow(words),
        Verdict::NeedsReview => paint.red(words),
    };
    let answer = match &decision.answer {
        Some(answer) => paint.bold(one_line(answer).into_owned()),
        None => paint.bold("no decision".to_owned()),
    };
    let sure = decision
        .confidence
        .map_or(String::new(), |sure| format!(", {:.0} %", sure.value() * 100.0));
    let how = one_line(&decision.how()).into_owned();
    writeln!(text, "\n{} {answer}  ({how}{sure})  {verdict}", paint.bold("Decision:")).ok();
    for one in &decision.groups {
        writeln!(text, "{}", paint.dim(wrap(&one_line(&group(one)), 2))).ok();
    }
}

/// What it came to, sentence by sentence with who said it. Dissent follows in its own place.
fn came_to(text: &mut String, state: &State, paint: Paint) {
    let Some(written) = synthesis(state) else { return };
    for (title, said) in written.parts().filter(|(title, _)| *title != "Dissent") {
        writeln!(text, "\n{}", paint.bold(title)).ok();
        for one in said {
            let by = said_by(state, one);
            writeln!(text, "{}", wrap(&format!("· {}", one_line(&one.text)), 2)).ok();
            let by = wrap(&one_line(&by), 4);
            let by = if one.turns.is_empty() {
                paint.red(by).to_string()
            } else {
                paint.dim(by).to_string()
            };
            writeln!(text, "{by}").ok();
        }
    }
    writeln!(text).ok();
}

fn dissent(text: &mut String, decision: &Decision, paint: Paint) {
    for dissent in &decision.dissent {
        let ballot = &dissent.ballot;
        let vote = ballot.first().unwrap_or("nothing");
        writeln!(
            text,
            "  {} {} is for {}",
            paint.yellow("dissent"),
            one_line(ballot.agent.as_str()),
            one_line(vote)
        )
        .ok();
        let first = dissent.quote.lines().next().unwrap_or_default();
        if !first.is_empty() {
            writeln!(text, "{}", paint.dim(wrap(&format!("“{}”", one_line(first)), 10))).ok();
        }
    }
    for agent in &decision.turnout.failed {
        writeln!(text, "  {} {} gave no vote", paint.red("silent "), one_line(agent.as_str())).ok();
    }
}

fn next(text: &mut String, spec: &DebateSpec, paint: Paint) {
    let id = &spec.id;
    let lines = [
        (format!("rebuttal show {id} --format html -o debate.html"), "a report to hand on"),
        (format!("rebuttal redecide {id}"), "the same votes under every rule"),
        (format!("rebuttal verify {id}"), "was anything changed since?"),
    ];
    let quotes = spec.panel.iter().all(|member| member.model == QUOTES);
    let yours = [
        ("rebuttal debate \"…\" --evidence FOLDER".to_owned(), "the same over your own documents"),
        (
            "rebuttal debate \"…\" --agents claude,gpt4".to_owned(),
            "agents that think; they need keys",
        ),
    ];
    writeln!(text, "\n{}", paint.bold("Next")).ok();
    for (command, what) in lines.into_iter().chain(yours.into_iter().filter(|_| quotes)) {
        writeln!(text, "  {command:<50}  {}", paint.dim(what)).ok();
    }
}
