//! Several speakers in the messages of one: `Con: …`, `[Pro] …`, `**Con:** …`.
//!
//! A chat log of a debate often has one assistant that speaks for all sides and says each time
//! for whom. Taken for one agent it would reverse itself in every turn.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Role, Turn};

use crate::Format;
use crate::chat;
use crate::formats::is_no_name;

/// True for formats in which all agents may hide behind one name.
fn is_chat(format: Format) -> bool {
    match format {
        Format::OpenAi
        | Format::Anthropic
        | Format::AutoGen
        | Format::Ag2
        | Format::LangChain
        | Format::Inspect
        | Format::ShareGpt
        | Format::Otel => true,
        Format::Rebuttal
        | Format::Minds
        | Format::Judged
        | Format::Solvers
        | Format::HyperAgent
        | Format::Council
        | Format::Codex
        | Format::Console
        | Format::TradingAgents
        | Format::Mallm
        | Format::CrewAi
        | Format::Csv
        | Format::Tsv
        | Format::Markdown
        | Format::Text => false,
    }
}

/// Gives the turns of a chat's only agent to the speakers that they name, if they do so all along.
pub(crate) fn recast(turns: &mut [Turn], format: Format) {
    if !is_chat(format) {
        return;
    }
    let Some(speakers) = speakers(turns) else { return };
    for turn in turns.iter_mut().filter(|turn| turn.role == Role::Agent) {
        let found = prefix(&turn.text)
            .and_then(|(name, start)| Some((speakers.get(&name.to_lowercase())?, start)));
        if let Some((agent, start)) = found {
            turn.agent = agent.clone();
            turn.text.drain(..start);
        }
    }
}

/// The speakers named in the messages, by their names in lower case; `None` when it is not certain
/// that they are speakers.
fn speakers(turns: &[Turn]) -> Option<BTreeMap<String, AgentId>> {
    /// Fewer messages show no pattern.
    const MESSAGES: usize = 3;
    let said = || turns.iter().filter(|turn| turn.role == Role::Agent);
    let only = &said().next()?.agent;
    // Most files end here: their messages do not even begin with a name.
    if said().take(MESSAGES).filter(|turn| prefix(&turn.text).is_some()).count() + 1 < MESSAGES {
        return None;
    }
    let (mut messages, mut marked) = (0_usize, 0_usize);
    let mut named: BTreeMap<String, (AgentId, usize)> = BTreeMap::new();
    for turn in said() {
        if turn.agent != *only {
            return None;
        }
        messages += 1;
        if let Some((name, _)) = prefix(&turn.text) {
            marked += 1;
            named.entry(name.to_lowercase()).or_insert_with(|| (AgentId::new(name), 0)).1 += 1;
        }
    }
    let recurring = named.values().filter(|(_, count)| *count > 1).count();
    // One name that comes back may be a label; two are speakers, unless nothing goes unmarked.
    let needed = if marked == messages { 1 } else { 2 };
    let believed = messages >= MESSAGES
        && marked * 5 >= messages * 4
        && named.len() > 1
        && recurring >= needed
        // Every message about something else: topics, not speakers.
        && named.len() * 3 <= marked * 2;
    believed.then(|| named.into_iter().map(|(key, (agent, _))| (key, agent)).collect())
}

/// The speaker a text begins with, and where what is said begins.
fn prefix(text: &str) -> Option<(&str, usize)> {
    let start = text.trim_start();
    let (name, rest) = if let Some(inner) = start.strip_prefix("**") {
        let (name, rest) = inner.split_once("**")?;
        match name.strip_suffix(':') {
            Some(name) => (name, rest),
            None => (name, rest.strip_prefix(':')?),
        }
    } else if let Some(inner) = start.strip_prefix('[') {
        let (name, rest) = inner.split_once(']')?;
        (name, rest.strip_prefix(':').unwrap_or(rest))
    } else {
        start.split_once(':')?
    };
    // `Bull (round 2)` is still the bull.
    let name = name.split_once(" (").map_or(name, |(name, _)| name);
    // `std::io` and `12:30` name nobody.
    let said = rest.trim_start();
    let is_apart = rest.len() > said.len();
    (is_apart && !said.is_empty() && is_speaker(name)).then(|| (name, text.len() - said.len()))
}

fn is_speaker(name: &str) -> bool {
    const CHARS: usize = 40;
    const WORDS: usize = 4;
    name.starts_with(char::is_uppercase)
        && name.trim_end() == name
        && name.chars().nth(CHARS).is_none()
        && name.split_whitespace().count() <= WORDS
        && name.chars().all(|c| c.is_alphanumeric() || " _-.'’#&/".contains(c))
        && !is_no_name(name)
        && !is_label(name)
        && chat::role(name).is_none()
}

/// What an answer, a step or a vote begins with. Words that name no speaker in any text are told
/// by [`is_no_name`].
fn is_label(name: &str) -> bool {
    const LABELS: &[&str] = &[
        "absolutely",
        "agree",
        "agreed",
        "as follows",
        "buy",
        "certainly",
        "code",
        "correct",
        "disagree",
        "explanation",
        "false",
        "final",
        "final thoughts",
        "hello",
        "here is",
        "hi",
        "hold",
        "hypothesis",
        "incorrect",
        "maybe",
        "no",
        "observation",
        "of course",
        "ok",
        "okay",
        "option",
        "plan",
        "please note",
        "query",
        "quote",
        "reply",
        "right",
        "sell",
        "short answer",
        "sorry",
        "statement",
        "stance",
        "sure",
        "thanks",
        "thinking",
        "thought",
        "thoughts",
        "tool",
        "translation",
        "true",
        "wrong",
        "yes",
    ];
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == '#');
    LABELS.iter().any(|label| bare.eq_ignore_ascii_case(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `agent: text` of the messages of one assistant.
    fn recast_all(texts: &[&str]) -> Vec<String> {
        let agent = AgentId::new("assistant");
        let mut turns: Vec<Turn> =
            texts.iter().map(|text| Turn::new(agent.clone(), Role::Agent, *text)).collect();
        recast(&mut turns, Format::OpenAi);
        turns.iter().map(|turn| format!("{}: {}", turn.agent, turn.text)).collect()
    }

    fn untouched(texts: &[&str]) {
        let expected: Vec<_> = texts.iter().map(|text| format!("assistant: {text}")).collect();
        assert_eq!(recast_all(texts), expected);
    }

    #[test]
    fn every_way_to_write_a_speaker() {
        for [pro, con, again] in [
            ["Pro: yes.", "Con: no.", "Pro: still yes."],
            ["[Pro] yes.", "[Con] no.", "[Pro]: still yes."],
            ["**Pro:** yes.", "**Con**: no.", "**PRO:**\nstill yes."],
        ] {
            let expected = ["Pro: yes.", "Con: no.", "Pro: still yes."];
            assert_eq!(recast_all(&[pro, con, again]), expected);
        }
        let long = ["Bull Analyst (round 1): up", "Bear Analyst: down"].repeat(2);
        assert_eq!(recast_all(&long)[2..], ["Bull Analyst: up", "Bear Analyst: down"]);
    }

    #[test]
    fn a_message_without_a_speaker_stays_the_assistants() {
        let texts = ["Pro: a", "Con: b", "Pro: c", "Con: d", "That was it."];
        assert_eq!(recast_all(&texts)[3..], ["Con: d", "assistant: That was it."]);
    }

    #[test]
    fn labels_are_no_speakers() {
        untouched(&["Note: a", "Answer: b", "Note: c", "Answer: d"]);
        untouched(&["Yes: a", "No: b", "Yes: c", "No: d"]);
        untouched(&["Thought: a", "Action: b", "Observation: c", "Thought: d"]);
        untouched(&["Step 1: a", "Step 2: b", "Final answer: c", "Step 1: d"]);
        untouched(&["Summary: a", "Reasoning: b", "Summary: c", "Reasoning: d"]);
    }

    #[test]
    fn what_is_no_pattern_is_left_alone() {
        // One prefix, topics that change, too few, too short, prose with a colon.
        untouched(&["Con: a", "Con: b", "Con: c"]);
        untouched(&["Python: a", "Java: b", "Rust: c", "Go: d", "Python: e"]);
        untouched(&["Pro: a", "Con: b"]);
        untouched(&["Pro: a", "Con: b", "c", "d"]);
        untouched(&["Pro: a", "Con: b", "Pro: c", "d"]);
        untouched(&["I say this: a", "We see that now today: b", "I say this: c"]);
        untouched(&["pro: a", "con: b", "pro: c"]);
        untouched(&["Pro:", "Con:", "Pro:"]);
    }

    #[test]
    fn named_agents_speak_for_themselves() {
        let turn = |agent: &str, text: &str| Turn::new(AgentId::new(agent), Role::Agent, text);
        let given = vec![turn("a", "Pro: 1"), turn("b", "Con: 2"), turn("a", "Pro: 3")];
        let mut turns = given.clone();
        recast(&mut turns, Format::OpenAi);
        assert_eq!(turns, given);
        let given = vec![turn("a", "Pro: 1"), turn("a", "Con: 2"), turn("a", "Pro: 3")];
        let mut turns = given.clone();
        recast(&mut turns, Format::Csv);
        assert_eq!(turns, given);
    }
}
