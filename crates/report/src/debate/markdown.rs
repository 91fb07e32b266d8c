//! A debate as Markdown: what agents wrote stands in fences or escaped, never as markup.

use std::fmt::Write as _;

use rebuttal_engine::debate::{State, synthesis};
use rebuttal_model::{Ballot, Record};

use super::between;
use super::synthesis::{origin, said_by};
use super::words::{cost, group, rebuttal, verdict};
use crate::{escape, fenced};
use rebuttal_text::{one_line, visible};

/// Longest turn shown, in characters.
const TURN_CHARS: usize = 4_000;

/// The whole report.
pub fn report(state: &State, records: &[Record]) -> String {
    let spec = state.spec();
    let mut text = format!("# {}\n\n", escape(&one_line(&spec.question)));
    let Some(decision) = &state.decision else {
        text += "**The debate has not ended.**\n\n";
        votes(&mut text, state);
        turns(&mut text, state, records);
        return text;
    };
    let answer = decision.answer.as_deref().unwrap_or("no decision");
    let sure = decision
        .confidence
        .map_or(String::new(), |sure| format!(", {:.0} %", sure.value() * 100.0));
    let (answer, verdict) = (escape(&one_line(answer)), verdict(decision.verdict));
    let how = escape(&one_line(&decision.how()));
    writeln!(text, "**Decision: {answer}** ({how}{sure}), {verdict}\n").ok();
    for one in &decision.groups {
        writeln!(text, "{}\n", escape(&one_line(&group(one)))).ok();
    }
    for part in decision.narrative.lines().filter(|part| !part.is_empty()) {
        writeln!(text, "{}\n", escape(&one_line(part))).ok();
    }
    if let Some(moderation) = &decision.moderation {
        writeln!(text, "Moderator: {}\n", escape(&one_line(&moderation.words))).ok();
    }
    came_to(&mut text, state);
    votes(&mut text, state);
    for dissent in &decision.dissent {
        let (agent, vote) =
            (dissent.ballot.agent.as_str(), dissent.ballot.first().unwrap_or("nothing"));
        writeln!(
            text,
            "\n**Dissent: {} is for {}**\n",
            escape(&one_line(agent)),
            escape(&one_line(vote))
        )
        .ok();
        writeln!(text, "{}", fenced(&visible(&dissent.quote))).ok();
    }
    if let Some(lift) = &decision.lift {
        writeln!(text, "\n## Did debating help?\n\n{}", escape(&one_line(&lift.words))).ok();
    }
    turns(&mut text, state, records);
    write!(text, "\nCost: {}.", cost(decision.cost)).ok();
    if let Some(Record { seq, hash, .. }) = records.last() {
        write!(text, " Receipt: {seq} records, head `{seq}:{hash}`.").ok();
    }
    text + "\n"
}

/// What it came to, sentence by sentence with who said it.
fn came_to(text: &mut String, state: &State) {
    let Some(written) = synthesis(state) else { return };
    writeln!(text, "## What it came to\n\n{}\n", escape(&origin(&written))).ok();
    for (title, said) in written.parts() {
        writeln!(text, "### {title}\n").ok();
        for one in said {
            let (words, by) = (one_line(&one.text), said_by(state, one));
            writeln!(text, "* {} ({})", escape(&words), escape(&one_line(&by))).ok();
        }
        writeln!(text).ok();
    }
}

/// What was said in each round, and what happened after it.
fn turns(text: &mut String, state: &State, records: &[Record]) {
    let between = between::by_round(records);
    writeln!(text, "\n## What was said").ok();
    for round in state.rounds.iter().map(|round| round.number) {
        for turn in state.turns.iter().filter(|turn| turn.round.unwrap_or(0) == round) {
            let agent = escape(&one_line(turn.agent.as_str()));
            writeln!(text, "\n### Round {round}, {agent}\n").ok();
            let said: String = turn.text.chars().take(TURN_CHARS).collect();
            writeln!(text, "{}", fenced(&visible(&said))).ok();
            let tied = turn.structured.rebuttals.iter().filter(|said| said.item.is_some());
            for said in tied {
                writeln!(text, "\n* Rebuttal {}", escape(&one_line(&rebuttal(said)))).ok();
            }
        }
        let after: Vec<_> = between.iter().filter(|(own, _)| *own == round).collect();
        if !after.is_empty() {
            writeln!(text, "\n### After round {round}\n").ok();
        }
        for (_, said) in after {
            writeln!(text, "* {}", escape(&one_line(&said.text))).ok();
        }
    }
}

/// Who voted for what, round by round.
fn votes(text: &mut String, state: &State) {
    let rounds: Vec<u32> = state.rounds.iter().map(|round| round.number).collect();
    let heads: Vec<String> = rounds.iter().map(|round| format!(" round {round} ")).collect();
    writeln!(text, "| agent |{}|", heads.join("|")).ok();
    writeln!(text, "|---|{}", "---|".repeat(rounds.len())).ok();
    for agent in state.panel() {
        write!(text, "| {} |", escape(&one_line(agent.as_str()))).ok();
        for round in &rounds {
            let own = |ballot: &&Ballot| ballot.agent == agent && ballot.round == *round;
            let vote = state.ballots.iter().find(own);
            let cell = match vote {
                Some(ballot) if ballot.silence.is_some() => "silent".to_owned(),
                Some(ballot) => {
                    let sure = ballot
                        .conviction
                        .map_or(String::new(), |sure| format!(" {:.2}", sure.value()));
                    format!("{}{sure}", one_line(ballot.first().unwrap_or("?")))
                }
                None => "–".to_owned(),
            };
            write!(text, " {} |", escape(&cell)).ok();
        }
        writeln!(text).ok();
    }
}
