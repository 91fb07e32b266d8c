//! `--agents …,me`: whoever sits at the terminal has a seat on the panel.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::time::Duration;

use rebuttal::engine::debate::{Agent, AgentError, Ask, Vote};

use crate::terminal::one_line;
use crate::wrap::wrap;

/// The name of the seat.
pub(super) const ME: &str = "me";
/// How long a person may think.
const PATIENCE: Duration = Duration::from_hours(24);

/// The seat of whoever sits at the terminal.
pub(super) fn agent() -> Agent {
    Agent::from_blocking(ME, asked).model("a person").free().timeout(PATIENCE)
}

/// Asks, in this order: the answer, how sure, why, and what there is against each item of the other side.
fn asked(ask: &Ask) -> Result<Vote, AgentError> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(AgentError::refused("nobody sits at the terminal"));
    }
    let mut lines = io::stdin().lock();
    let mut answer = |question: &str| -> io::Result<String> {
        write!(io::stderr().lock(), "\n{}\n> ", wrap(question, 0))?;
        let mut line = String::new();
        lines.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    };
    vote(ask, &mut answer).map_err(|error| AgentError::refused(error.to_string()))
}

fn vote(ask: &Ask, answer: &mut dyn FnMut(&str) -> io::Result<String>) -> io::Result<Vote> {
    let options = match ask.options.join(" / ") {
        none if none.is_empty() => "in a few words".to_owned(),
        options => options,
    };
    let round = ask.round();
    let asks =
        format!("Round {round}: {} ({options}; nothing to abstain)", one_line(&ask.question));
    let said = answer(&asks)?;
    let mut vote = if said.is_empty() { Vote::abstain() } else { Vote::new(said) };
    if let Ok(sure) =
        answer("How sure are you, 0 to 100 %?")?.trim_end_matches('%').trim().parse::<f64>()
    {
        vote = vote.conviction((sure / 100.0).clamp(0.0, 1.0));
    }
    vote = vote.thesis(answer("Why?")?);
    for item in &ask.items {
        let said =
            answer(&format!("Others say: {} - what do you say to it?", one_line(&item.text)))?;
        if !said.is_empty() {
            vote = vote.rebuttal(item.number, said);
        }
    }
    Ok(vote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_votes_with_reasons_or_abstains() {
        let ask = Ask::new(ME, "Ship?").options(["yes", "no"]);
        let mut lines = ["no", "80 %", "The tests fail."].into_iter();
        let mut asked = Vec::new();
        let mut answer = |question: &str| {
            asked.push(question.to_owned());
            Ok(lines.next().unwrap_or_default().to_owned())
        };
        let given = vote(&ask, &mut answer).unwrap();
        assert_eq!(given, Vote::new("no").conviction(0.8).thesis("The tests fail."));
        assert_eq!(asked[0], "Round 0: Ship? (yes / no; nothing to abstain)");
        let silent = vote(&ask, &mut |_| Ok(String::new())).unwrap();
        assert_eq!(silent, Vote::abstain());
    }
}
