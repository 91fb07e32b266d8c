//! Stored debates for other programs: the journal, steps for reinforcement learning, and pairs of
//! answers in the shape that TRL trains preferences on.

use std::sync::Arc;

use crate::error::{Context, Result};
use parquet::arrow::ArrowWriter;
use rebuttal_engine::debate::State;
use rebuttal_model::{AgentId, Ballot, ChangeType, Confidence, DebateMetrics, Rebuttal, Turn};
use serde::Serialize;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array};

/// One agent's step in one round: what it saw of the panel, what it did, and what came of it.
#[derive(Debug, Serialize)]
pub struct Step<'s> {
    debate: &'s str,
    question: &'s str,
    round: u32,
    agent: &'s str,
    /// What everybody held before the round, with the evidence for it; empty for the blind one.
    state: Vec<PanelistState<'s>>,
    action: Action<'s>,
    /// How the agent moved: `action`, `conviction`, `both`, or nothing.
    change: Option<ChangeType>,
    metrics: Option<&'s DebateMetrics>,
    reward: Reward,
    /// Whether this is the agent's last step.
    done: bool,
}

#[derive(Debug, Serialize)]
struct PanelistState<'s> {
    agent: &'s str,
    answer: Option<&'s str>,
    conviction: Option<f64>,
    thesis: Option<&'s str>,
    evidence: &'s [String],
    rebuttals: &'s [Rebuttal],
}

#[derive(Debug, Serialize)]
struct Action<'s> {
    answer: Option<&'s str>,
    conviction: Option<f64>,
    thesis: Option<&'s str>,
    evidence: &'s [String],
    rebuttals: &'s [Rebuttal],
}

/// Signals to make a reward of; which to use, and how much of each, is the researcher's.
#[derive(Clone, Copy, Debug, Serialize)]
struct Reward {
    /// The answer is the right one; nothing where that is not known.
    correct: Option<bool>,
    /// One minus the squared error of the conviction, where the right answer is known.
    calibration: Option<f64>,
    /// The answer is what the panel decided in the end.
    agrees_with_decision: Option<bool>,
    /// How far the conviction moved in this step.
    conviction_shift: f64,
    /// Items of evidence brought, and rebuttals made.
    evidence: usize,
    rebuttals: usize,
}

/// Two answers to one question, the better one first named.
#[derive(Debug, Serialize)]
pub struct Preference<'s> {
    prompt: String,
    chosen: &'s str,
    rejected: &'s str,
    debate: &'s str,
    chosen_agent: &'s str,
    rejected_agent: &'s str,
    /// What says that it is better: `truth` or `decision`.
    by: &'static str,
}

/// Every agent's step in every round.
pub fn steps(state: &State) -> Vec<Step<'_>> {
    state.turns.iter().map(|turn| step(state, turn)).collect()
}

fn step<'s>(state: &'s State, turn: &'s Turn) -> Step<'s> {
    let spec = state.spec();
    let round = turn.round.unwrap_or(0);
    let said = &turn.structured;
    let record = state.rounds.iter().find(|one| one.number == round);
    let record = record.and_then(|round| round.record.as_ref());
    let change =
        record.and_then(|record| record.changes.iter().find(|change| change.agent == turn.agent));
    let before = spec.panel.iter().filter(|_| round > 0).map(|member| {
        let held = held(state, &member.agent, round - 1);
        let said = state.latest_through(&member.agent, round - 1).map(|turn| &turn.structured);
        PanelistState {
            agent: member.agent.as_str(),
            answer: held.and_then(Ballot::first),
            conviction: held.and_then(|held| held.conviction).map(Confidence::value),
            thesis: said.and_then(|said| said.thesis.as_deref()),
            evidence: said.map_or(&[], |said| &said.evidence),
            rebuttals: said.map_or(&[], |said| &said.rebuttals),
        }
    });
    let later = |other: &Turn| other.agent == turn.agent && other.round > turn.round;
    Step {
        debate: spec.id.as_str(),
        question: &spec.question,
        round,
        agent: turn.agent.as_str(),
        state: before.collect(),
        action: Action {
            answer: said.answer.as_deref(),
            conviction: said.conviction.map(Confidence::value),
            thesis: said.thesis.as_deref(),
            evidence: &said.evidence,
            rebuttals: &said.rebuttals,
        },
        change: change.map(|change| change.change_type),
        metrics: record.map(|record| &record.metrics),
        reward: reward(state, turn, change.map_or(0.0, |change| change.delta)),
        done: !state.turns.iter().any(later),
    }
}

fn held<'s>(state: &'s State, agent: &AgentId, round: u32) -> Option<&'s Ballot> {
    let own = |ballot: &&Ballot| ballot.agent == *agent && ballot.round <= round;
    state.ballots.iter().rev().filter(own).find(|ballot| ballot.silence.is_none())
}

fn reward(state: &State, turn: &Turn, shift: f64) -> Reward {
    let options = state.options();
    let answer = turn.structured.answer.as_deref();
    let is = |other: &str| answer.is_some_and(|answer| options.same(answer, other));
    let correct = state.spec().truth.as_deref().map(is);
    let sure = turn.structured.conviction.map(Confidence::value);
    let calibration = correct.zip(sure).map(|(correct, sure)| {
        let error = f64::from(u8::from(correct)) - sure;
        1.0 - error * error
    });
    let decided = state.decision.as_ref().and_then(|decision| decision.answer.as_deref());
    Reward {
        correct,
        calibration,
        agrees_with_decision: decided.map(is),
        conviction_shift: shift,
        evidence: turn.structured.evidence.len(),
        rebuttals: turn.structured.rebuttals.len(),
    }
}

/// Pairs of last words: of one on the right side, or on the side that won, and one who is not.
pub fn preferences(state: &State) -> Vec<Preference<'_>> {
    let spec = state.spec();
    let decided = state.decision.as_ref().and_then(|decision| decision.answer.as_deref());
    let (better, by) = match (spec.truth.as_deref(), decided) {
        (Some(truth), _) => (truth, "truth"),
        (None, Some(answer)) => (answer, "decision"),
        (None, None) => return Vec::new(),
    };
    let options = state.options();
    let panel = state.panel();
    let last: Vec<&Turn> =
        panel.iter().filter_map(|agent| state.latest_through(agent, u32::MAX)).collect();
    let is_better = |turn: &&&Turn| {
        turn.structured.answer.as_deref().is_some_and(|answer| options.same(answer, better))
    };
    let (chosen, rejected): (Vec<&Turn>, Vec<&Turn>) =
        last.iter().copied().partition(|turn| is_better(&turn));
    let prompt = format!("{}\nOptions: {}", spec.question, options.names().join(" | "));
    let pairs = chosen.iter().flat_map(|good| rejected.iter().map(move |bad| (good, bad)));
    pairs
        .map(|(good, bad)| Preference {
            prompt: prompt.clone(),
            chosen: &good.text,
            rejected: &bad.text,
            debate: spec.id.as_str(),
            chosen_agent: good.agent.as_str(),
            rejected_agent: bad.agent.as_str(),
            by,
        })
        .collect()
}

/// Steps as columns; what is nested stands as JSON.
pub fn parquet_steps(steps: &[Step<'_>], file: std::fs::File) -> Result<()> {
    let text = |of: &dyn Fn(&Step<'_>) -> Option<String>| -> ArrayRef {
        Arc::new(steps.iter().map(of).collect::<StringArray>())
    };
    let number = |of: &dyn Fn(&Step<'_>) -> Option<f64>| -> ArrayRef {
        Arc::new(steps.iter().map(of).collect::<Float64Array>())
    };
    let flag = |of: &dyn Fn(&Step<'_>) -> Option<bool>| -> ArrayRef {
        Arc::new(steps.iter().map(of).collect::<BooleanArray>())
    };
    let rounds: ArrayRef =
        Arc::new(steps.iter().map(|step| Some(step.round)).collect::<UInt32Array>());
    let columns = vec![
        ("debate", text(&|step| Some(step.debate.to_owned()))),
        ("question", text(&|step| Some(step.question.to_owned()))),
        ("round", rounds),
        ("agent", text(&|step| Some(step.agent.to_owned()))),
        ("state", text(&|step| json(&step.state))),
        ("answer", text(&|step| step.action.answer.map(str::to_owned))),
        ("conviction", number(&|step| step.action.conviction)),
        ("thesis", text(&|step| step.action.thesis.map(str::to_owned))),
        ("evidence", text(&|step| json(&step.action.evidence))),
        ("rebuttals", text(&|step| json(&step.action.rebuttals))),
        ("change", text(&|step| step.change.and_then(|change| json(&change)))),
        ("correct", flag(&|step| step.reward.correct)),
        ("calibration", number(&|step| step.reward.calibration)),
        ("agrees_with_decision", flag(&|step| step.reward.agrees_with_decision)),
        ("conviction_shift", number(&|step| Some(step.reward.conviction_shift))),
        ("done", flag(&|step| Some(step.done))),
    ];
    let batch = RecordBatch::try_from_iter(columns).context("the columns")?;
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).context("Parquet")?;
    writer.write(&batch).context("Parquet")?;
    writer.close().context("Parquet")?;
    Ok(())
}

fn json(value: &impl Serialize) -> Option<String> {
    serde_json::to_string(value).ok()
}
