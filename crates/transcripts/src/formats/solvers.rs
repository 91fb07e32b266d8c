//! Solvers that work alone, review each other and refine: `initial_solutions`, `refinements`,
//! `judge_decision`.
//!
//! A review speaks of another's solution, so it is no position of the reviewer's and no turn.

use rebuttal_model::{Confidence, Role, Whose};

use crate::Format;
use crate::chat;
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// True for a record of solvers.
pub(crate) fn is_record(value: Value<'_>) -> bool {
    value.get("initial_solutions").is_some_and(Value::is_array)
}

/// Reads one problem's solutions.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let problem = value.get("problem").unwrap_or(value);
    let question = chat::question_of(problem).or_else(|| problem.filled().map(Into::into));
    let run = value.get("run_id").and_then(Value::label);
    let id = [run, chat::id_of(problem)].into_iter().flatten().collect::<Vec<_>>().join("/");
    let mut talk = Talk::new(Some(id).filter(|id| !id.is_empty()), question);
    for (round, list) in ["initial_solutions", "refinements"].into_iter().enumerate() {
        let solutions = value.get(list).into_iter().flat_map(Value::items);
        for said in solutions.filter_map(|solution| solved(solution, round)) {
            cx.push(&mut talk, said);
        }
    }
    if let Some(ruling) = value.get("judge_decision")
        && let Some(text) = ruling.first(&["reasoning", "explanation"]).and_then(Value::filled)
    {
        cx.push(&mut talk, Said::new("judge", Role::Judge, text, ruling.span()));
    }
    cx.finish(talk, Format::Solvers, value.span());
}

/// What a solver wrote, with the answer it stands for.
fn solved(solution: Value<'_>, round: usize) -> Option<Said> {
    let agent = solution.first(&["solver_id", "agent", "model_key"]).and_then(Value::label)?;
    let answer =
        solution.first(&["refined_answer", "final_answer", "answer"]).and_then(Value::label);
    let text =
        solution.first(&["refined_solution", "reasoning", "solution"]).and_then(Value::filled);
    let text = text.map(Into::into).or_else(|| answer.clone())?;
    let mut said: Said = Said::new(agent, Role::Agent, text, solution.span());
    said.round = u32::try_from(round).ok();
    said.model = solution.get("model_key").and_then(Value::label);
    said.structured.answer = answer;
    let sure = solution.get("confidence").and_then(Value::number);
    said.structured.conviction = sure.and_then(|value| Confidence::new(value, Whose::Stated));
    Some(said)
}
