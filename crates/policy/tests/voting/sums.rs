//! Pools, means and medians.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rebuttal_model::{AgentId, Ballot, Basis};
use rebuttal_policy::voting::{Election, Options, VoteResult, decide};

use crate::kit::{panel, rule};

fn numbers(given: &[f64], size: usize, text: &str) -> VoteResult {
    let panel = panel(size);
    let ballots: Vec<Ballot> = panel
        .iter()
        .zip(given)
        .map(|(agent, number)| Ballot::number(agent.clone(), 0, *number))
        .collect();
    decide(&rule(text), &Election::new(&Options::Number, &panel, &ballots))
}

fn pooled(beliefs: &[[f64; 3]], text: &str) -> VoteResult {
    let panel = panel(beliefs.len());
    let options = Options::given(["red", "green", "blue"]).unwrap();
    let one = |(agent, beliefs): (&AgentId, &[f64; 3])| {
        let mut ballot = Ballot::new(agent.clone(), 0);
        let names = ["red", "green", "blue"].map(str::to_owned);
        ballot.probabilities = names.into_iter().zip(*beliefs).collect();
        ballot
    };
    let ballots: Vec<Ballot> = panel.iter().zip(beliefs).map(one).collect();
    decide(&rule(text), &Election::new(&options, &panel, &ballots))
}

#[test]
fn the_middle_is_the_middle() {
    assert_eq!(numbers(&[3.0, 1.0, 2.0], 3, "median").number, Some(2.0));
    assert_eq!(numbers(&[4.0, 1.0, 2.0, 3.0], 4, "median").winner.as_deref(), Some("2.5"));
    assert_eq!(numbers(&[1.0, 2.0, 3.0, 1000.0], 4, "trimmed-mean:0.25").number, Some(2.5));
    assert_eq!(numbers(&[1.0, 2.0, 3.0], 3, "trimmed-mean:0").number, Some(2.0));
    // An even number of which nobody is dropped, because a tenth of four is less than one.
    assert_eq!(numbers(&[1.0, 1.0, 1.0, 5.0], 4, "trimmed-mean:0.1").number, Some(2.0));
}

#[test]
fn half_a_panel_gives_no_number() {
    let outcome = numbers(&[3.0, 1.0], 4, "median");
    assert_eq!((outcome.winner, outcome.number), (None, None));
    assert!(outcome.reason.contains("2 of 4 gave a number"), "{}", outcome.reason);
    assert_eq!(numbers(&[], 2, "median").winner, None);
}

#[test]
fn pools_are_what_their_formulas_say() {
    let linear = pooled(&[[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]], "linear-pool");
    assert_eq!((linear.winner.as_deref(), linear.basis), (Some("red"), Some(Basis::Pool)));
    assert!((linear.share.unwrap() - 0.5).abs() < 1e-12);
    let log = pooled(&[[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]], "log-pool");
    let means = [(0.8 * 0.2_f64).sqrt(), (0.1 * 0.7_f64).sqrt(), 0.1];
    let expected = means[0] / means.iter().sum::<f64>();
    assert!((log.share.unwrap() - expected).abs() < 1e-12);
}

#[test]
fn a_zero_is_no_veto_in_the_log_pool() {
    let nine = [[0.95, 0.05, 0.0]; 9];
    let all: Vec<[f64; 3]> = nine.into_iter().chain([[0.0, 1.0, 0.0]]).collect();
    assert_eq!(pooled(&all, "log-pool").winner.as_deref(), Some("red"));
}

#[test]
fn a_choice_with_conviction_is_a_belief() {
    let panel = panel(2);
    let options = Options::YesNo;
    let ballots = [
        Ballot::choice(panel[0].clone(), 0, "yes").sure(0.9),
        Ballot::choice(panel[1].clone(), 0, "no").sure(0.6),
    ];
    let outcome = decide(&rule("linear-pool"), &Election::new(&options, &panel, &ballots));
    assert_eq!(outcome.winner.as_deref(), Some("yes"));
    assert!((outcome.share.unwrap() - 0.65).abs() < 1e-12);
}

#[test]
fn given_weights_weigh() {
    let panel = panel(3);
    let options = Options::YesNo;
    let votes = [("yes", 0.5), ("no", 0.9), ("no", 0.9)];
    let ballots: Vec<Ballot> = panel
        .iter()
        .zip(votes)
        .map(|(agent, (vote, sure))| Ballot::choice(agent.clone(), 0, vote).sure(sure))
        .collect();
    let weights: BTreeMap<AgentId, f64> = panel.iter().cloned().zip([5.0, 1.0, 1.0]).collect();
    let election = Election::new(&options, &panel, &ballots).weighing(weights);
    let winner = |text: &str| decide(&rule(text), &election).winner;
    assert_eq!(winner("weighted:conviction").as_deref(), Some("no"));
    assert_eq!(winner("weighted:skill").as_deref(), Some("yes"));
    assert_eq!(winner("weighted:calibration").as_deref(), Some("yes"));
    // 5 of 7 is less than three quarters.
    assert_eq!(winner("weighted:skill:0.75"), None);
}

proptest! {
    #[test]
    fn the_middle_stays_inside_and_follows_most(
        given in proptest::collection::vec(-1e6_f64..1e6, 1..12),
        agreed in -1e6_f64..1e6,
        cut in 0.0_f64..0.49,
    ) {
        let low = given.iter().copied().fold(f64::INFINITY, f64::min);
        let high = given.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for text in ["median".to_owned(), format!("trimmed-mean:{cut}")] {
            let number = numbers(&given, given.len(), &text).number.unwrap();
            prop_assert!(number >= low - 1e-6 && number <= high + 1e-6, "{text}: {number}");
        }
        let mut most = given.clone();
        most.resize(given.len() * 2 + 1, agreed);
        prop_assert_eq!(numbers(&most, most.len(), "median").number, Some(agreed));
    }

    #[test]
    fn an_outlier_does_not_move_what_it_is_trimmed_from(
        given in proptest::collection::vec(0.0_f64..100.0, 4..12),
        far in 1e3_f64..1e9,
    ) {
        let with = |outlier: f64| {
            let all: Vec<f64> = given.iter().copied().chain([outlier]).collect();
            numbers(&all, all.len(), "trimmed-mean:0.25").number.unwrap()
        };
        prop_assert_eq!(with(far), with(far * 10.0));
    }

    #[test]
    fn pools_are_probabilities_and_keep_what_all_believe(
        beliefs in proptest::collection::vec([0.02_f64..1.0, 0.02_f64..1.0, 0.02_f64..1.0], 1..8),
    ) {
        for text in ["linear-pool", "log-pool"] {
            let outcome = pooled(&beliefs, text);
            let sum: f64 = outcome.scores.iter().map(|score| score.score).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9);
            let same = vec![beliefs[0]; 4];
            let whole: f64 = beliefs[0].iter().sum();
            // What is below the floor of the log pool is raised to it.
            prop_assume!(beliefs[0].iter().all(|own| own / whole > 0.011));
            for (score, own) in pooled(&same, text).scores.iter().zip(beliefs[0]) {
                prop_assert!((score.score - own / whole).abs() < 1e-9, "{text}");
            }
        }
    }
}
