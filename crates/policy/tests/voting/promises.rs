//! The criteria that each rule promises in docs/decisions.md, on random panels.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rebuttal_model::{AgentId, Ballot, Broken};
use rebuttal_policy::voting::{Election, JudgeRuling, Options, Rule, TieBreak, decide};

use crate::kit::{Profile, cut, full, name, panel, rule};

const RANKED: [&str; 6] =
    ["plurality", "borda", "instant-runoff", "copeland", "schulze", "ranked-pairs"];
const CONDORCET: [&str; 3] = ["copeland", "schulze", "ranked-pairs"];
const ALL: [&str; 17] = [
    "plurality",
    "majority",
    "supermajority:0.66",
    "unanimity",
    "quorum:0.6:borda",
    "approval",
    "borda",
    "instant-runoff",
    "copeland",
    "schulze",
    "ranked-pairs",
    "cumulative",
    "weighted:conviction",
    "weighted:skill:0.5",
    "linear-pool",
    "log-pool",
    "veto:schulze",
];

proptest! {
    #[test]
    fn a_condorcet_winner_wins(profile in cut()) {
        if let Some(winner) = profile.condorcet_winner() {
            for text in CONDORCET {
                prop_assert_eq!(profile.winner(&rule(text)), Some(winner), "{}", text);
            }
        }
    }

    #[test]
    fn a_condorcet_loser_does_not_win(profile in full()) {
        if let Some(loser) = profile.condorcet_loser() {
            for text in ["borda", "instant-runoff", "copeland", "schulze", "ranked-pairs"] {
                prop_assert_ne!(profile.winner(&rule(text)), Some(loser), "{}", text);
            }
        }
    }

    #[test]
    fn the_first_choice_of_most_wins(profile in cut()) {
        let voters = profile.rankings.len() + profile.silent;
        for option in 0..profile.options {
            let firsts = profile.rankings.iter().filter(|ranking| ranking[0] == option).count();
            if firsts * 2 > voters {
                for text in ["plurality", "majority", "instant-runoff", "copeland", "schulze", "ranked-pairs"] {
                    prop_assert_eq!(profile.winner(&rule(text)), Some(option), "{}", text);
                }
            } else {
                prop_assert_ne!(profile.winner(&rule("majority")), Some(option));
            }
        }
    }

    #[test]
    fn who_votes_how_does_not_matter(profile in cut(), seed in any::<u64>()) {
        let mut mixed = profile.clone();
        let by = usize::try_from(seed % 9).unwrap() % mixed.rankings.len();
        mixed.rankings.rotate_left(by);
        mixed.rankings.reverse();
        for text in ALL {
            let (one, two) = (profile.outcome(&rule(text)), mixed.outcome(&rule(text)));
            prop_assert_eq!(&one.winner, &two.winner, "{}", text);
            prop_assert_eq!(&one.tie, &two.tie, "{}", text);
            for (one, two) in one.scores.iter().zip(&two.scores) {
                prop_assert!((one.score - two.score).abs() < 1e-9, "{}", text);
            }
        }
    }

    #[test]
    fn what_options_are_called_does_not_matter(profile in cut(), by in 0_usize..5) {
        // Every option gets the name and the place of another.
        let other = |option: usize| (option + by) % profile.options;
        let renamed = Profile {
            rankings: profile.rankings.iter().map(|own| own.iter().map(|one| other(*one)).collect()).collect(),
            ..profile.clone()
        };
        for text in ALL {
            let mut expected: Vec<usize> = profile.leaders(&rule(text)).into_iter().map(other).collect();
            expected.sort_unstable();
            prop_assert_eq!(renamed.leaders(&rule(text)), expected, "{}", text);
            prop_assert_eq!(renamed.winner(&rule(text)), profile.winner(&rule(text)).map(other), "{}", text);
        }
    }

    #[test]
    fn more_support_does_no_harm(profile in full(), voter in 0_usize..9, places in 1_usize..5) {
        for text in ["plurality", "majority", "supermajority:0.66", "unanimity", "borda", "copeland", "schulze", "ranked-pairs"] {
            let Some(winner) = profile.winner(&rule(text)) else { continue };
            let mut raised = profile.clone();
            let voter = voter % raised.rankings.len();
            let ranking = &mut raised.rankings[voter];
            let at = ranking.iter().position(|own| *own == winner).unwrap();
            ranking.remove(at);
            ranking.insert(at.saturating_sub(places), winner);
            prop_assert_eq!(raised.winner(&rule(text)), Some(winner), "{}", text);
        }
    }

    #[test]
    fn one_more_vote_for_the_winner_does_no_harm(profile in full(), swap in 0_usize..4) {
        // Participation: scoring rules and plurality promise it, pairwise rules and run-offs do not.
        for text in ["plurality", "borda", "approval", "cumulative"] {
            let Some(winner) = profile.winner(&rule(text)) else { continue };
            let mut joined = profile.clone();
            let mut rest: Vec<usize> = profile.others(winner).collect();
            let by = swap % rest.len();
            rest.rotate_left(by);
            rest.insert(0, winner);
            joined.rankings.push(rest);
            prop_assert_eq!(joined.winner(&rule(text)), Some(winner), "{}", text);
        }
    }

    #[test]
    fn what_all_find_worse_does_not_win(profile in full()) {
        for worse in 0..profile.options {
            let voters = i32::try_from(profile.rankings.len()).unwrap();
            if profile.others(worse).any(|better| profile.margin(better, worse) == voters) {
                for text in RANKED {
                    prop_assert!(!profile.leaders(&rule(text)).contains(&worse), "{}", text);
                }
            }
        }
    }

    #[test]
    fn winners_are_in_the_smith_set(profile in cut()) {
        let smith = profile.smith_set();
        for text in CONDORCET {
            for leader in profile.leaders(&rule(text)) {
                prop_assert!(smith.contains(&leader), "{}: {} not in {:?}", text, leader, smith);
            }
        }
    }

    #[test]
    fn a_clone_changes_nothing(profile in full(), cloned in 0_usize..5, first in proptest::collection::vec(any::<bool>(), 9)) {
        let cloned = cloned % profile.options;
        let clone = profile.options;
        let mut with = Profile { options: clone + 1, ..profile.clone() };
        for (ranking, first) in with.rankings.iter_mut().zip(first) {
            let at = ranking.iter().position(|own| *own == cloned).unwrap();
            ranking.insert(at + usize::from(!first), clone);
        }
        for text in ["schulze", "ranked-pairs"] {
            let mut leaders: Vec<usize> =
                with.leaders(&rule(text)).into_iter().map(|own| if own == clone { cloned } else { own }).collect();
            leaders.sort_unstable();
            leaders.dedup();
            prop_assert_eq!(leaders, profile.leaders(&rule(text)), "{}", text);
        }
    }

    #[test]
    fn what_is_ranked_lower_does_no_harm_in_a_runoff(profile in cut(), voter in 0_usize..9) {
        let runoff = rule("instant-runoff");
        let Some(winner) = profile.winner(&runoff) else { return Ok(()) };
        let voter = voter % profile.rankings.len();
        if !profile.rankings[voter].contains(&winner) {
            return Ok(());
        }
        let mut longer = profile.clone();
        let missing: Vec<usize> =
            (0..profile.options).filter(|own| !profile.rankings[voter].contains(own)).collect();
        longer.rankings[voter].extend(missing);
        prop_assert_eq!(longer.winner(&runoff), Some(winner));
    }

    #[test]
    fn what_all_want_wins(options in 2_usize..6, voters in 1_usize..9, wanted in 0_usize..5) {
        let wanted = wanted % options;
        let profile = Profile { options, rankings: vec![vec![wanted]; voters], silent: 0 };
        for text in ALL {
            prop_assert_eq!(profile.winner(&rule(text)), Some(wanted), "{}", text);
        }
    }

    #[test]
    fn silence_never_helps_a_decision(profile in cut(), more in 1_usize..4) {
        let quieter = Profile { silent: profile.silent + more, ..profile.clone() };
        for text in ["majority", "supermajority:0.66", "unanimity", "quorum:0.6:plurality", "weighted:conviction:0.6"] {
            let (before, after) = (profile.winner(&rule(text)), quieter.winner(&rule(text)));
            prop_assert!(after.is_none() || after == before, "{}", text);
        }
        prop_assert_eq!(quieter.winner(&rule("unanimity")), None);
        for text in ["linear-pool", "log-pool"] {
            let (before, after) = (profile.outcome(&rule(text)), quieter.outcome(&rule(text)));
            prop_assert_eq!(&before.winner, &after.winner, "{}", text);
            prop_assert!(after.share <= before.share, "{}", text);
        }
    }

    #[test]
    fn ties_end_as_asked(profile in cut(), seed in any::<u64>(), text in proptest::sample::select(RANKED.to_vec())) {
        let panel = panel(profile.rankings.len() + profile.silent);
        let options = Options::given((0..profile.options).map(name)).unwrap();
        let ballots = profile.ballots();
        let open = Election::new(&options, &panel, &ballots);
        let left = decide(&rule(text), &open);
        let lot = decide(&rule(text), &open.clone().breaking_ties(TieBreak::Random { seed }));
        let first = decide(&rule(text), &open.clone().breaking_ties(TieBreak::OptionOrder));
        match left.tie {
            None => {
                prop_assert!(left.winner.is_some());
                prop_assert_eq!(&lot.winner, &left.winner);
                prop_assert_eq!(&first.winner, &left.winner);
            }
            Some(tie) => {
                prop_assert_eq!(left.winner, None);
                prop_assert!(tie.options.len() > 1);
                prop_assert_eq!(tie.broken, Broken::Not);
                prop_assert!(tie.options.contains(&lot.winner.clone().unwrap()));
                prop_assert_eq!(first.winner, tie.options.first().cloned());
                let again = decide(&rule(text), &open.breaking_ties(TieBreak::Random { seed }));
                prop_assert_eq!(again, lot);
            }
        }
    }

    #[test]
    fn any_ballot_is_counted_or_named(
        texts in proptest::collection::vec(proptest::collection::vec(".{0,12}|yes|no|red|12|-0|nan", 0..4), 0..7),
        amounts in proptest::collection::vec(any::<f64>(), 7),
        question in "Should we do it\\?|red, green or blue\\?|How many\\?|Why\\?|.{0,30}",
    ) {
        let panel = panel(texts.len());
        let options = Options::of_question(&question);
        let ballots: Vec<Ballot> = texts.iter().zip(&panel).zip(&amounts).map(|((texts, agent), amount)| {
            let mut ballot = Ballot::ranked(agent.clone(), 0, texts.clone()).sure(*amount);
            ballot.probabilities = texts.iter().map(|text| (text.clone(), *amount)).collect();
            ballot.number = Some(*amount).filter(|amount| *amount > 0.5);
            ballot
        }).collect();
        let rulings: Vec<JudgeRuling> = texts.iter().zip(&panel).map(|(texts, judge)| JudgeRuling {
            judge: judge.clone(),
            as_given: texts.first().cloned(),
            reversed: texts.last().cloned(),
        }).collect();
        let weights: BTreeMap<AgentId, f64> = panel.iter().cloned().zip(amounts).collect();
        let election = Election::new(&options, &panel, &ballots).weighing(weights).judged(&rulings);
        for rule in Rule::all() {
            let outcome = decide(&rule, &election);
            let known = |winner: &String| outcome.scores.iter().any(|score| score.option == *winner);
            prop_assert!(outcome.winner.as_ref().is_none_or(|winner| rule.is_numeric() || known(winner)), "{}", rule);
            let turnout = &outcome.turnout;
            let all = turnout.voted.len() + turnout.abstained.len() + turnout.failed.len() + turnout.rejected.len();
            prop_assert_eq!(all, turnout.panel);
            prop_assert_eq!(turnout.rejected.len(), outcome.rejected.len());
            prop_assert!(outcome.share.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert!(outcome.scores.iter().all(|score| score.score.is_finite()), "{}", rule);
        }
    }
}
