//! Panels of our own.

use rebuttal_model::{AgentId, RoundAnalysis, TricksterConfig, TurnId};
use rebuttal_semantics::BuiltinEncoder;

use super::*;

fn look(texts: &[&str]) -> RoundAnalysis {
    let agents: Vec<AgentId> = (0..texts.len()).map(|at| AgentId::new(format!("a{at}"))).collect();
    let said: Vec<Said<'_>> = agents
        .iter()
        .zip(texts)
        .enumerate()
        .map(|(at, (agent, text))| Said {
            agent,
            turn: TurnId::new(at),
            round: 0,
            text,
            answer: None,
        })
        .collect();
    analyze_round(&said, &[], &BuiltinEncoder, &TricksterConfig::default())
}

#[test]
fn a_look() {
    let hollow = look(&[
        "We should do it. It is the best option for all of us and everyone agrees on that point.",
        "I agree we should do it, it is the best option for the team and we all like this idea.",
    ]);
    println!("{hollow:#?}");
    let opposed = look(&[
        "We must adopt microservices now.",
        "We must never adopt microservices.",
        "Buy a mainframe instead of either.",
    ]);
    println!("{opposed:#?}");
    let gap = look(&[
        "Microservices are the right way to scale this platform for everyone.",
        "The right way for everyone to scale this platform is microservices.",
    ]);
    println!("{gap:#?}");
    let echo = look(&[
        "The cache is faster [1]. The cache is cheaper [1].",
        "The cache is faster than before [1]. It is also cheaper [1].",
    ]);
    println!("{echo:#?}");
    assert!(hollow.hollow.is_some());
}
