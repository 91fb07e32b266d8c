//! Two debaters and a judge: `initial_positions`, `rounds` with a text for each debater, and
//! `judge_response`.
//!
//! The debaters argue for and against a candidate answer that was given to them.

use rebuttal_model::Role;

use crate::Format;
use crate::chat;
use crate::session::Cx;
use crate::talk::{Said, Talk};
use crate::value::Value;

/// Members of a round that name no debater.
const NOBODY: [&str; 5] = ["round", "round_number", "timestamp", "index", "id"];

/// True for a record with positions taken at first, and rounds.
pub(crate) fn is_record(value: Value<'_>) -> bool {
    value.get("initial_positions").is_some_and(Value::is_object)
        && value.get("rounds").is_some_and(Value::is_array)
}

/// Reads one debate.
pub(crate) fn record(value: Value<'_>, cx: &mut Cx<'_, '_>) {
    let mut talk = Talk::new(chat::id_of(value), chat::question_of(value));
    let first = value.get("initial_positions").into_iter().flat_map(|round| spoken(round, 0));
    let later = value.get("rounds").into_iter().flat_map(Value::items).enumerate();
    let turns = first.chain(later.flat_map(|(index, round)| {
        let given = round.first(&["round", "round_number"]).and_then(Value::whole);
        let number = given.and_then(|number| u32::try_from(number).ok());
        spoken(round, number.unwrap_or_else(|| u32::try_from(index + 1).unwrap_or(u32::MAX)))
    }));
    let sides = sides(value);
    for said in turns {
        let side = sides.iter().find(|(name, _)| *name == said.agent);
        let side = side.map(|(_, side)| (*side).to_owned());
        cx.push(&mut talk, Said { side, ..said });
    }
    if let Some(ruling) = value.first(&["judge_response", "judgement", "judgment", "verdict"])
        && let Some(text) = ruling.filled()
    {
        cx.push(&mut talk, Said::new("judge", Role::Judge, text, ruling.span()));
    }
    cx.finish(talk, Format::Judged, value.span());
}

/// The texts of a round, by who gave them.
fn spoken(round: Value<'_>, number: u32) -> impl Iterator<Item = Said> + '_ {
    round.pairs().filter_map(move |(name, text)| {
        let name = name.str().filter(|name| !NOBODY.contains(&name.as_ref()))?;
        let mut said = Said::new(name, Role::Agent, text.filled()?, text.span());
        said.round = Some(number);
        Some(said)
    })
}

/// Where the candidate answer is a yes or a no, the debaters are for and against that.
fn sides(value: Value<'_>) -> [(&'static str, &'static str); 2] {
    let candidate = value.first(&["candidate_answer", "claim"]).and_then(Value::filled);
    let first = candidate.map(|text| text.trim_start().to_lowercase());
    let swapped = first.is_some_and(|text| {
        text.strip_prefix("no").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    let (pro, con) = if swapped { ("CON", "PRO") } else { ("PRO", "CON") };
    [("proponent", pro), ("opponent", con)]
}
