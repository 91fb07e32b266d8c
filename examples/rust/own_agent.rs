//! A debate with agents of your own: a struct, a closure, and one that only blocks.
//!
//! Run it with `cargo run -p rebuttal --example own_agent`.

use std::io::Write as _;

use rebuttal::engine::debate::{AgentError, Answering, Responder, Update};
use rebuttal::prelude::*;

/// Knows what things cost, and votes for the cheapest option it knows.
struct Accountant {
    costs: Vec<(&'static str, u32)>,
}

impl Responder for Accountant {
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move {
            let known =
                self.costs.iter().filter(|(name, _)| ask.options.iter().any(|it| it == name));
            let (name, cost) = known
                .min_by_key(|(_, cost)| *cost)
                .ok_or_else(|| AgentError::refused("I know the cost of none of the options"))?;
            let vote = Vote::new(*name).conviction(0.7).thesis(format!("{name} is the cheapest."));
            Ok(vote.evidence(format!("{name} costs {cost} euros a month.")).into())
        })
    }
}

/// Sees what the others say from round 1 on.
async fn follower(ask: Ask) -> Result<Vote, AgentError> {
    let heard = ask.round() > 0 && ask.prompt().contains("is the cheapest");
    let answer = if heard { "SQLite" } else { "PostgreSQL" };
    Ok(Vote::new(answer).conviction(0.6).thesis(format!("In round {}: {answer}.", ask.round())))
}

#[tokio::main]
async fn main() -> Result<()> {
    let answer = decide().await?;
    say(&format!("Decided: {}", answer.as_deref().unwrap_or("nothing")));
    Ok(())
}

/// Runs the debate, says who is asked, and gives the answer.
pub(crate) async fn decide() -> Result<Option<String>> {
    let accountant = Accountant { costs: vec![("PostgreSQL", 60), ("SQLite", 0)] };
    // A blocking client, a long computation: it has a thread of its own for each call.
    let expert = Agent::from_blocking("expert", |_: &Ask| {
        let vote = Vote::new("SQLite").conviction(0.9).thesis("There is one writer.");
        Ok(vote.evidence("The log of last week shows 3 writes a second, from one process."))
    });
    let environment = Environment::new("Which database do we take?")
        .options(["PostgreSQL", "SQLite"])
        .context("One writer, some readers, one machine.");
    let arena = Arena::new(environment)
        .agent(Agent::new("accountant", accountant))
        .agent(Agent::from_fn("follower", follower))
        .agent(expert);

    let debate = arena.start(&Engine::new(MemoryJournal::default()))?;
    let mut events = debate.events();
    while let Some(update) = events.next().await {
        if let Update::Asked { call, .. } = update {
            say(&format!("round {}: {} is asked", call.round, call.agent));
        }
    }
    match debate.result().await? {
        Ended::Decided(decision) => {
            say(&decision.narrative);
            Ok(decision.answer)
        }
        other => {
            say(&format!("not decided yet: {other:?}"));
            Ok(None)
        }
    }
}

fn say(line: &str) {
    // A closed pipe is no reason to fail.
    writeln!(std::io::stdout(), "{line}").ok();
}
