//! What the rotation of roles promises, on panels and debates of any size.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rebuttal_model::{AgentId, PanelRole};
use rebuttal_policy::roles::{ROTATION, assign, objects, schedule};

use crate::kit::{id, panel};

fn members(count: usize) -> Vec<AgentId> {
    (0..count).map(|number| id(&format!("agent-{number}"))).collect()
}

#[test]
fn nobody_plays_where_there_is_nothing_to_play() {
    assert!(assign(&[], 0, 3, true).is_empty());
    assert!(assign(&panel(&["a"]), 0, 3, false).is_empty());
    assert!(assign(&panel(&["a"]), 0, 0, true).is_empty());
    assert!(schedule(&panel(&["a"]), 0).is_empty());
}

#[test]
fn an_agent_that_is_there_twice_counts_once() {
    assert_eq!(
        assign(&panel(&["a", "a", "b"]), 0, 3, true),
        assign(&panel(&["a", "b"]), 0, 3, true)
    );
}

#[test]
fn a_round_that_was_added_is_the_last() {
    let roles = assign(&panel(&["a", "b"]), 7, 3, true);
    assert!(roles.values().any(|role| *role == PanelRole::Synthesizer));
    assert!(roles.values().any(|role| objects(*role)));
}

#[test]
fn three_agents_over_four_rounds() {
    use PanelRole as R;
    let names = ["a", "b", "c"];
    let played: Vec<[R; 3]> = schedule(&panel(&names), 4)
        .iter()
        .map(|roles| names.map(|name| roles[&id(name)]))
        .collect();
    let expected = [
        [R::Analyst, R::Skeptic, R::DomainExpert],
        [R::DevilsAdvocate, R::Analyst, R::Skeptic],
        [R::DomainExpert, R::DevilsAdvocate, R::Analyst],
        [R::Synthesizer, R::Skeptic, R::DomainExpert],
    ];
    assert_eq!(played, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn everybody_plays_somebody_objects_and_one_synthesizes(count in 1..40_usize, rounds in 1..20_u32) {
        let members = members(count);
        let all = schedule(&members, rounds);
        prop_assert_eq!(all.len(), rounds as usize);
        for (number, roles) in all.iter().enumerate() {
            let last = number + 1 == all.len();
            prop_assert_eq!(roles.len(), count);
            prop_assert!(count < 2 || roles.values().any(|role| objects(*role)), "round {}", number);
            let synthesizers = roles.values().filter(|role| **role == PanelRole::Synthesizer);
            prop_assert_eq!(synthesizers.count(), usize::from(last));
            prop_assert!(roles.values().all(|role| *role != PanelRole::QualityChallenger));
        }
    }

    #[test]
    fn all_roles_are_played_as_soon_as_there_is_room(count in 1..40_usize, rounds in 1..20_u32) {
        let played: BTreeSet<PanelRole> =
            schedule(&members(count), rounds).iter().flat_map(BTreeMap::values).copied().collect();
        if count * rounds as usize > ROTATION.len() {
            prop_assert!(ROTATION.iter().all(|role| played.contains(role)), "{:?}", played);
        }
        prop_assert!(played.contains(&PanelRole::Synthesizer));
    }

    #[test]
    fn each_agent_comes_to_every_role(count in 1..40_usize, block in 0..4_u32) {
        let members = members(count);
        let rounds = (block * 4..block * 4 + 4).map(|round| assign(&members, round, 99, true));
        let rounds: Vec<_> = rounds.collect();
        for agent in &members {
            let own: Vec<PanelRole> = rounds.iter().map(|roles| roles[agent]).collect();
            let different: BTreeSet<PanelRole> = own.iter().copied().collect();
            prop_assert_eq!(different.len(), ROTATION.len(), "{}: {:?}", agent, own);
        }
    }

    #[test]
    fn nobody_plays_the_same_twice_in_a_row(count in 1..40_usize, round in 0..60_u32) {
        let members = members(count);
        let (now, next) = (assign(&members, round, 99, true), assign(&members, round + 1, 99, true));
        prop_assert!(members.iter().all(|agent| now[agent] != next[agent]));
    }
}
