//! What is seen of debates that are over, in logs that give no answers apart from the words.

use rebuttal_engine::hindsight::hindsight;
use rebuttal_model::{AgentId, DebateId, Role, Transcript, TricksterConfig, Turn, TurnId};
use rebuttal_semantics::BuiltinVectors;

use crate::trickster::{SOUND, VAGUE};

const QUESTION: &str = "Should we move to Kubernetes?";

/// A round of an ordinary log.
fn log(said: [String; 3]) -> Transcript {
    let turns = ["ann", "bob", "cyd"].into_iter().zip(said).enumerate();
    let turns = turns.map(|(at, (agent, text))| Turn {
        id: TurnId::new(at),
        round: Some(0),
        ..Turn::new(AgentId::new(agent), Role::Agent, text)
    });
    Transcript::new(DebateId::new("log"), Some(QUESTION.to_owned()), turns.collect())
}

/// Whether it would have stepped in.
fn acted(said: [String; 3]) -> bool {
    let looked = hindsight(&log(said), &BuiltinVectors, &TricksterConfig::default());
    looked.iter().any(|round| !round.interventions.is_empty())
}

/// Texts that agree in other words: only their answers are the same.
const REMOTE: [&str; 3] = [
    "Our teams would be happier with it, and it is simply the modern way.",
    "Everybody who matters has gone there, so staying behind makes no sense.",
    "It makes operations easier and gives developers the freedom they want.",
];

#[test]
fn the_side_a_turn_takes_is_its_answer() {
    assert!(
        acted(REMOTE.map(|text| format!("Yes. {text}"))),
        "all say yes, with nothing behind it"
    );
    assert!(acted(VAGUE.map(|text| format!("Yes, we should move. {text}"))));
}

#[test]
fn sound_agreement_and_disagreement_are_left_alone() {
    assert!(!acted(SOUND.map(|text| format!("Yes. {text}"))));
    let [one, _, three] = REMOTE;
    let no = "No, we should not move. The hosts we have are simply fine for us.".to_owned();
    let apart = [format!("Yes. {one}"), no, format!("Yes. {three}")];
    assert!(!acted(apart), "they do not agree");
}
