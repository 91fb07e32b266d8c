//! What a debate came to, in writing: by an agent that is asked for it, or put together from the record.
//!
//! Whoever writes it, each sentence is held against the turns: one that no turn bears out is marked.

use rebuttal_model::{AgentId, Decision, Dissent, Event, Synthesis, Traced, Turn, TurnId};
use rebuttal_text::{ContentWord, Reading, Term};

use super::deliberation;
use super::state::State;

/// Most sentences in one part.
const PART: usize = 5;
/// The share of a sentence's words that a turn must hold to bear it out.
const BORNE_OUT: f64 = 0.6;

/// What a debate came to: as it was written, or else put together from the record; `None` while it has not
/// ended.
pub fn synthesis(state: &State) -> Option<Synthesis> {
    let decision = state.decision.as_ref()?;
    Some(match &state.written {
        Some(written) => written.clone(),
        None => of_record(state, decision),
    })
}

/// The decision that would follow now: what whoever writes the synthesis has to explain.
pub(super) fn decided(state: &State) -> Option<Decision> {
    deliberation::decide(state).into_iter().find_map(|event| match event {
        Event::Decided { decision } => Some(*decision),
        _ => None,
    })
}

/// Put together from the record: nothing in it is anybody's but the agents' own words, and counts.
fn of_record(state: &State, decision: &Decision) -> Synthesis {
    let (ours, theirs): (Vec<&Turn>, Vec<&Turn>) =
        last_turns(state).into_iter().partition(|turn| {
            let held = turn.structured.answer.as_deref();
            held.zip(decision.answer.as_deref())
                .is_some_and(|(held, won)| state.options.same(held, won))
        });
    Synthesis {
        by: None,
        answer: answer(decision, &ours),
        reasons: evidence(&ours, PART),
        contested: contested(state, decision),
        would_change: unanswered(state, &theirs),
        dissent: decision.dissent.iter().filter_map(|one| dissent(state, one)).collect(),
    }
}

/// What everybody said last.
fn last_turns(state: &State) -> Vec<&Turn> {
    let panel = state.panel();
    panel.iter().filter_map(|agent| state.latest_through(agent, u32::MAX)).collect()
}

fn answer(decision: &Decision, ours: &[&Turn]) -> Vec<Traced> {
    let text = match &decision.answer {
        Some(answer) => {
            let (votes, all) = (ours.len(), decision.turnout.panel);
            format!("The panel's answer is {answer}: {votes} of {all} are for it.")
        }
        None => "The panel came to no answer.".to_owned(),
    };
    vec![Traced { text, turns: ours.iter().map(|turn| turn.id).collect() }]
}

/// The evidence of turns, what several brought before what one did.
fn evidence(turns: &[&Turn], most: usize) -> Vec<Traced> {
    let mut found: Vec<Traced> = Vec::new();
    for turn in turns {
        for item in &turn.structured.evidence {
            match found.iter_mut().find(|one| one.text == *item) {
                Some(one) => one.turns.push(turn.id),
                None => found.push(Traced { text: item.clone(), turns: vec![turn.id] }),
            }
        }
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.turns.len()));
    found.truncate(most);
    found
}

/// What was brought for the answer and answered by the other side, with the answer.
fn contested(state: &State, decision: &Decision) -> Vec<Traced> {
    let mut found: Vec<Traced> = Vec::new();
    let won = |turn: &Turn| {
        let held = turn.structured.answer.as_deref();
        held.zip(decision.answer.as_deref())
            .is_some_and(|(held, won)| state.options.same(held, won))
    };
    for turn in last_turns(state).into_iter().filter(|turn| won(turn)) {
        for rebuttal in &turn.structured.rebuttals {
            let Some(item) = &rebuttal.item else { continue };
            let text = format!("{} — {}", item.text, rebuttal.text);
            let known = |one: &Traced| one.text.starts_with(&item.text);
            if !found.iter().any(known) {
                found.push(Traced { text, turns: vec![item.turn, turn.id] });
            }
        }
    }
    found.truncate(PART);
    found
}

/// What the other side brought and nobody has answered.
fn unanswered(state: &State, theirs: &[&Turn]) -> Vec<Traced> {
    let answered = |text: &str| {
        let rebuttals = state.turns.iter().flat_map(|turn| &turn.structured.rebuttals);
        rebuttals.filter_map(|one| one.item.as_ref()).any(|item| item.text == text)
    };
    let all = evidence(theirs, usize::MAX);
    all.into_iter().filter(|one| !answered(&one.text)).take(PART).collect()
}

fn dissent(state: &State, dissent: &Dissent) -> Option<Traced> {
    let agent = &dissent.ballot.agent;
    let turn = state.latest_through(agent, u32::MAX)?;
    let best = turn.structured.evidence.first().or(turn.structured.thesis.as_ref());
    let thesis = turn.structured.thesis.as_ref().filter(|thesis| Some(*thesis) != best);
    let said: Vec<&str> = thesis.into_iter().chain(best).map(String::as_str).collect();
    Some(Traced { text: format!("{agent}: {}", said.join(" ")), turns: vec![turn.id] })
}

/// The parts as an agent wrote them, each sentence held against the turns.
pub(super) fn traced(
    state: &State,
    by: &AgentId,
    [answer, reasons, contested, would_change]: [Vec<String>; 4],
) -> Synthesis {
    let turns: Vec<(TurnId, Vec<Term>)> = state.turns.iter().map(said).collect();
    let part = |sentences: Vec<String>| sentences.into_iter().map(|it| trace(it, &turns)).collect();
    let dissenters = decided(state).map(|decision| decision.dissent).unwrap_or_default();
    Synthesis {
        by: Some(by.clone()),
        answer: part(answer),
        reasons: part(reasons),
        contested: part(contested),
        would_change: part(would_change),
        dissent: dissenters.iter().filter_map(|one| dissent(state, one)).collect(),
    }
}

/// A turn and its words, sorted.
fn said(turn: &Turn) -> (TurnId, Vec<Term>) {
    let rebuttals = turn.structured.rebuttals.iter().map(|one| one.text.as_str());
    let answer = turn.structured.answer.as_deref();
    let texts = std::iter::once(turn.text.as_str()).chain(rebuttals).chain(answer);
    let mut terms: Vec<Term> = texts.flat_map(terms).collect();
    terms.sort_unstable();
    terms.dedup();
    (turn.id, terms)
}

fn terms(text: &str) -> Vec<Term> {
    let words = Reading::new(text).content().words;
    words.iter().filter(|word| word.content).map(|word: &ContentWord| word.term).collect()
}

/// The turns that hold most of a sentence's words, and all of its numbers.
fn trace(text: String, turns: &[(TurnId, Vec<Term>)]) -> Traced {
    let own = terms(&text);
    let numbers: Vec<Term> = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != ',')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .flat_map(terms)
        .collect();
    let borne_out = |said: &[Term]| {
        let holds = |term: &&Term| said.binary_search(term).is_ok();
        let count = |terms: usize| f64::from(u32::try_from(terms).unwrap_or(u32::MAX));
        let share = count(own.iter().filter(holds).count()) / count(own.len().max(1));
        share >= BORNE_OUT && numbers.iter().all(|number| holds(&number))
    };
    let turns = turns.iter().filter(|(_, said)| borne_out(said)).map(|(id, _)| *id).collect();
    Traced { text, turns }
}
