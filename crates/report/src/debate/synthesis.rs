//! What a debate came to, as it is read: each sentence with who said it, or that nobody did.

use std::collections::BTreeMap;

use maud::{Markup, html};
use rebuttal_engine::debate::{State, synthesis};
use rebuttal_model::{Synthesis, Traced};

use crate::{line, shown};

/// Who says what a sentence says, by round: "round 1: cost, risk", or that it cannot be traced.
pub fn said_by(state: &State, said: &Traced) -> String {
    let mut rounds: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for turn in state.turns.iter().filter(|turn| said.turns.contains(&turn.id)) {
        rounds.entry(turn.round.unwrap_or(0)).or_default().push(turn.agent.as_str());
    }
    if rounds.is_empty() {
        return "no turn says this".to_owned();
    }
    let one = |(round, agents): (u32, Vec<&str>)| format!("round {round}: {}", agents.join(", "));
    rounds.into_iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Where it comes from: "Put together from the record." or who wrote it.
pub fn origin(written: &Synthesis) -> String {
    match &written.by {
        Some(agent) => format!("Written by {agent}, and held against the turns."),
        None => "Put together from what was said.".to_owned(),
    }
}

/// It as a section of a page; nothing while the debate has not ended.
pub(super) fn section(state: &State) -> Markup {
    let Some(written) = synthesis(state) else { return html! {} };
    html! {
        section #synthesis {
            h2 { "What it came to" }
            p.note { (line(&origin(&written))) }
            @for (title, said) in written.parts() {
                h3 { (title) }
                ul.came { @for one in said {
                    li.(if one.turns.is_empty() { "untraced" } else { "traced" }) {
                        (shown(&one.text)) " " span.by { (line(&said_by(state, one))) }
                    }
                } }
            }
        }
    }
}
