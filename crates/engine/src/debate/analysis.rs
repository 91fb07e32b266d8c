//! Looks at the panel after a round: what each agent stands for, how well it is supported, and how much
//! of it is its own.

use std::collections::BTreeMap;

use rebuttal_detect::panel::{Said, analyze_round};
use rebuttal_model::{RoundAnalysis, Turn};
use rebuttal_semantics::{Embedder, Embedding};

use super::state::State;

/// How alike two lines must be to count as one said twice.
const SAID_TWICE: f32 = 0.9;

/// What is to be seen of a finished round. One who did not speak in it stands by what it said last.
pub(super) fn analyze(state: &State, embedder: &dyn Embedder) -> RoundAnalysis {
    let round = state.round();
    let standing: Vec<&Turn> =
        state.panel().iter().filter_map(|agent| state.latest_through(agent, round)).collect();
    let is_standing = |turn: &&Turn| standing.iter().any(|other| other.id == turn.id);
    let before = state.turns.iter().filter(|turn| !is_standing(turn) && gives_reasons(turn));
    let earlier: Vec<Said<'_>> = before.map(said).collect();
    let now: Vec<Said<'_>> = standing.iter().copied().map(said).collect();
    let config = &state.spec().protocol.trickster;
    let mut seen = analyze_round(&now, &earlier, embedder, config);
    // What stands since an earlier round is not stale: it was not said again.
    let spoke = |turn: &&&Turn| turn.round == Some(round);
    let speakers: Vec<_> = standing.iter().filter(spoke).map(|turn| &turn.agent).collect();
    seen.novelty.retain(|agent, _| speakers.contains(&agent));
    seen.stability.retain(|agent, _| speakers.contains(&agent));
    seen.round = round;
    seen.repetition = repetition(state, round, embedder);
    seen.one_answer = one_answer(&now);
    super::grounding::count(state, &mut seen);
    seen
}

/// The share of those who answer that gives the most frequent answer, whether their reasons can be
/// judged or not.
pub(crate) fn one_answer(said: &[Said<'_>]) -> Option<f64> {
    let mut given: BTreeMap<String, u32> = BTreeMap::new();
    for answer in said.iter().filter_map(|said| said.answer) {
        *given.entry(answer.to_lowercase()).or_default() += 1;
    }
    let most = given.values().max()?;
    Some(f64::from(*most) / f64::from(given.values().sum::<u32>()))
}

/// True when an agent said more than what it votes for. A bare vote is written as the words of the
/// turn, and is no text to judge.
fn gives_reasons(turn: &Turn) -> bool {
    let said = &turn.structured;
    let bare = said.thesis.is_none() && said.evidence.is_empty() && said.rebuttals.is_empty();
    !bare || said.answer.as_deref() != Some(&*turn.text)
}

/// A turn as the look at a panel takes it.
fn said(turn: &Turn) -> Said<'_> {
    Said {
        agent: &turn.agent,
        turn: turn.id,
        round: turn.round.unwrap_or(0),
        text: if gives_reasons(turn) { &turn.text } else { "" },
        answer: turn.structured.answer.as_deref(),
    }
}

/// The share of a round's lines that their speakers had said before.
fn repetition(state: &State, round: u32, embedder: &dyn Embedder) -> Option<f64> {
    let before = round.checked_sub(1)?;
    let (mut old, mut all) = (0_u32, 0_u32);
    for turn in state.turns.iter().filter(|turn| turn.round == Some(round)) {
        let earlier = state.latest_through(&turn.agent, before);
        let earlier = earlier.map(|turn| lines(turn, embedder)).unwrap_or_default();
        for line in lines(turn, embedder) {
            let again = earlier.iter().any(|said| said.cosine(&line) >= SAID_TWICE);
            (old, all) = (old + u32::from(again), all + 1);
        }
    }
    (all > 0).then(|| f64::from(old) / f64::from(all))
}

/// The vectors of what a turn says, line by line.
fn lines(turn: &Turn, embedder: &dyn Embedder) -> Vec<Embedding> {
    let lines: Vec<&str> = turn.text.lines().filter(|line| !line.trim().is_empty()).collect();
    embedder.embed(&lines).unwrap_or_default()
}
