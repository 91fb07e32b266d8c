//! An agent that argues the side it was given does not contradict itself.

use rebuttal_detect::{DebateView, Reader, examine};
use rebuttal_model::{AgentId, AssignedSide, DebateId, Finding, Role, Transcript, Turn};

fn debate() -> Transcript {
    let say = |agent: &str, role, text: &str| Turn::new(AgentId::new(agent), role, text);
    let turns = vec![
        say("user", Role::User, "Should we close the port?"),
        say("ann", Role::Agent, "No, we should not close the port."),
        say("ann", Role::Agent, "Yes, we should close the port."),
    ];
    Transcript::new(DebateId::new("d"), None, turns)
}

fn findings(transcript: &Transcript) -> Vec<Finding> {
    let view = DebateView::new(transcript);
    let all = examine(&view, Reader::Rules).findings;
    all.into_iter()
        .filter(|finding| finding.rule.as_str().starts_with("self-contradiction"))
        .collect()
}

fn given(side: &str) -> Transcript {
    let sides = vec![AssignedSide { agent: AgentId::new("ann"), side: side.to_owned() }];
    Transcript { sides, ..debate() }
}

#[test]
fn who_turns_to_the_side_it_was_given_does_not_contradict_itself() {
    assert_eq!(findings(&debate()).len(), 1);
    assert_eq!(findings(&given("PRO")).len(), 0);
    assert_eq!(findings(&given("persuader")).len(), 0);
    assert_eq!(findings(&given("CON")).len(), 1, "it left the side it was given");
}

#[test]
fn nothing_is_found_against_anybody_but_agents() {
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Agent) {
        let mut transcript = debate();
        for turn in transcript.turns.iter_mut().filter(|turn| turn.agent.as_str() == "ann") {
            turn.role = role;
        }
        assert_eq!(findings(&transcript).len(), 0, "{role:?}");
    }
}
