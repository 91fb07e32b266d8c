//! What is seen of debates that are over, in logs that give no answers apart from the words.

use std::sync::atomic::{AtomicUsize, Ordering};

use rebuttal_detect::DebateView;
use rebuttal_engine::hindsight::{findings, hindsight};
use rebuttal_model::{AgentId, DebateId, Finding, Role, Transcript, TricksterConfig, Turn, TurnId};
use rebuttal_semantics::{BuiltinVectors, Embedder, Embedding, SemanticsError};

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
    let log = log(said);
    let looked = hindsight(&DebateView::new(&log), &BuiltinVectors, &TricksterConfig::default());
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

/// An embedder that counts what it is asked.
#[derive(Debug, Default)]
struct Counting(AtomicUsize);

impl Embedder for Counting {
    fn id(&self) -> &str {
        BuiltinVectors.id()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        self.0.fetch_add(texts.len(), Ordering::SeqCst);
        BuiltinVectors.embed(texts)
    }
}

#[test]
fn a_turn_is_embedded_once_however_many_rounds_follow() {
    let turns = (0..90).map(|at| {
        let agent = ["ann", "bob", "cyd"][at % 3];
        let text = format!("Yes, we should move. Trial {at} shows what {agent} says of it.");
        let turn = Turn::new(AgentId::new(agent), Role::Agent, text);
        Turn { id: TurnId::new(at), round: u32::try_from(at / 3).ok(), ..turn }
    });
    let log = Transcript::new(DebateId::new("log"), Some(QUESTION.to_owned()), turns.collect());
    let embedder = Counting::default();
    let looked = hindsight(&DebateView::new(&log), &embedder, &TricksterConfig::default());
    assert_eq!((looked.len(), embedder.0.into_inner()), (30, 90));
}

/// What an audit says of a round in which these speak.
fn found(said: &[(String, String, Option<&str>)]) -> Vec<Finding> {
    let turns = said.iter().enumerate().map(|(at, (agent, text, answer))| {
        let mut turn = Turn::new(AgentId::new(agent.as_str()), Role::Agent, text.as_str());
        (turn.id, turn.round) = (TurnId::new(at), Some(0));
        turn.structured.answer = answer.map(ToOwned::to_owned);
        turn
    });
    let question = Some(QUESTION.to_owned());
    let log = Transcript::new(DebateId::new("log"), question, turns.collect());
    let view = DebateView::new(&log);
    findings(&view, &hindsight(&view, &BuiltinVectors, &TricksterConfig::default()))
}

fn quoted(finding: &Finding) -> Vec<&str> {
    finding.quotes.iter().map(|quote| quote.text.as_str()).collect()
}

#[test]
fn who_disagrees_with_evidence_is_not_quoted_for_agreeing_without() {
    let [one, two, three] = REMOTE.map(|text| format!("Yes. {text}"));
    let against = "No. The trial log of May lists 41 failed deploys on the cluster and 3 on the \
                   hosts we have, and according to the invoice of 2 June it cost 12,400 euros more.";
    let said = [("ann", one), ("bob", two), ("cyd", three), ("dan", against.to_owned())].map(
        |(agent, text)| {
            let answer = if agent == "dan" { "no" } else { "yes" };
            (agent.to_owned(), text, Some(answer))
        },
    );
    let all = found(&said);
    let finding = all.first().expect("the majority is hollow");
    assert_eq!(quoted(finding), REMOTE, "what is said, not the bare vote, and by whom it is about");
}

#[test]
fn of_many_agents_a_dozen_are_quoted_and_the_rest_are_counted() {
    let said: Vec<_> = (0..500)
        .map(|at| (format!("agent-{at:03}"), format!("Yes. {}", REMOTE[at % 3]), Some("yes")))
        .collect();
    let all = found(&said);
    assert!(!all.is_empty());
    for finding in &all {
        assert_eq!(finding.quotes.iter().count(), 12, "{}", finding.explanation);
        assert!(
            finding.explanation.ends_with("more agents are not quoted."),
            "{}",
            finding.explanation
        );
    }
}
