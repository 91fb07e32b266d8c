//! Whether debating helped.

use proptest::prelude::*;
use rebuttal_model::{AgentId, Ballot, Spent};
use rebuttal_policy::debate::{LiftOf, lift, majority_chance};
use rebuttal_policy::voting::{Options, Rule};

use crate::kit::panel;

fn ballots(panel: &[AgentId], rounds: &[&str]) -> Vec<Ballot> {
    let vote = |letter: char| if letter == 'y' { "yes" } else { "no" };
    let mut ballots = Vec::new();
    for (round, text) in (0..).zip(rounds) {
        for (agent, letter) in panel.iter().zip(text.chars()) {
            if letter != '-' {
                ballots.push(Ballot::choice(agent.clone(), round, vote(letter)));
            }
        }
    }
    ballots
}

#[test]
fn moves_corrections_and_subversions() {
    let panel = panel(4);
    let ballots = ballots(&panel, &["nnyn", "nyyn", "yyny"]);
    let of = LiftOf {
        options: &Options::YesNo,
        panel: &panel,
        ballots: &ballots,
        after: Some("yes"),
        rule: &Rule::Majority,
        truth: Some("Yes."),
        blind_cost: Spent { calls: 4, serial_depth: 1, ..Spent::default() },
        cost: Spent { calls: 12, serial_depth: 3, ..Spent::default() },
    };
    let lift = lift(&of);
    assert_eq!((lift.before.as_deref(), lift.after.as_deref()), (Some("no"), Some("yes")));
    let moves: Vec<(&str, Option<&str>, Option<&str>, u32)> = lift
        .moves
        .iter()
        .map(|own| (own.agent.as_str(), own.from.as_deref(), own.to.as_deref(), own.round))
        .collect();
    let (yes, no) = (Some("yes"), Some("no"));
    assert_eq!(
        moves,
        [
            ("agent0", no, yes, 2),
            ("agent1", no, yes, 1),
            ("agent2", yes, no, 2),
            ("agent3", no, yes, 2)
        ]
    );
    let truth = lift.truth.unwrap();
    assert_eq!((truth.before_right, truth.after_right), (false, true));
    assert_eq!((truth.corrections.len(), truth.subversions.len()), (3, 1));
    let bought = lift.independent.unwrap();
    assert_eq!((bought.votes, bought.share), (12, 0.25));
    assert!((bought.chance - majority_chance(12, 0.25)).abs() < 1e-12);
    assert!(lift.words.starts_with("Blind vote: no; decision: yes; 4 agents moved. The blind vote was wrong, the decision is right; 3 went from wrong to right and 1 from right to wrong."), "{}", lift.words);
    assert_eq!(lift.cost.serial_depth, 3);
}

#[test]
fn nothing_moves_where_nobody_moves() {
    let panel = panel(3);
    let ballots = ballots(&panel, &["yy-"]);
    let of = LiftOf {
        options: &Options::YesNo,
        panel: &panel,
        ballots: &ballots,
        after: None,
        rule: &Rule::Unanimity,
        truth: None,
        blind_cost: Spent::default(),
        cost: Spent::default(),
    };
    let lift = lift(&of);
    assert_eq!(
        (lift.before, lift.moves.len(), lift.truth, lift.independent),
        (None, 0, None, None)
    );
    assert_eq!(lift.words, "Blind vote: no decision; decision: no decision; nobody moved.");
}

#[test]
fn chances_are_binomial() {
    // Three voters, each right with 0.6: 0.6³ + 3 · 0.6² · 0.4.
    assert!((majority_chance(3, 0.6) - 0.648).abs() < 1e-12);
    // Two voters: both right, or half of the draws.
    assert!((majority_chance(2, 0.6) - (0.36 + 0.24)).abs() < 1e-12);
    assert_eq!(majority_chance(0, 0.9), 0.5);
    assert_eq!((majority_chance(7, 0.0), majority_chance(7, 1.0)), (0.0, 1.0));
    assert!(majority_chance(u64::MAX, 0.6) > 0.999_999);
    assert_eq!(majority_chance(5, f64::NAN), 0.0);
}

proptest! {
    #[test]
    fn chances_mirror_and_grow(votes in 1_u64..400, share in 0.01_f64..0.99) {
        let (one, two) = (majority_chance(votes, share), majority_chance(votes, 1.0 - share));
        prop_assert!((one + two - 1.0).abs() < 1e-9);
        let more = majority_chance(votes + 2, share);
        let grows = if share > 0.5 { more >= one - 1e-9 } else { more <= one + 1e-9 };
        prop_assert!(grows);
    }
}
