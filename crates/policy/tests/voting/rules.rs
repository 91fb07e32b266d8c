//! Elections whose outcome is known, and ballots that must not count.

use std::collections::BTreeMap;

use rebuttal_model::{Ballot, Basis, Broken, Verdict};
use rebuttal_policy::voting::{
    Election, JudgeRuling, Options, Rule, TieBreak, VoteResult, decide, redecide,
};

use crate::kit::{Profile, panel, rule};

/// Nashville and its rivals: where Tennessee should have its capital, by distance.
fn tennessee() -> Profile {
    let blocs = [(42, [0, 1, 2, 3]), (26, [1, 2, 3, 0]), (15, [2, 3, 1, 0]), (17, [3, 2, 1, 0])];
    let rankings = blocs.iter().flat_map(|(voters, own)| vec![own.to_vec(); *voters]).collect();
    Profile { options: 4, rankings, silent: 0 }
}

#[test]
fn one_profile_and_three_winners() {
    let profile = tennessee();
    assert_eq!(profile.winner(&rule("plurality")), Some(0));
    assert_eq!(profile.winner(&rule("instant-runoff")), Some(3));
    for text in ["borda", "copeland", "schulze", "ranked-pairs"] {
        assert_eq!(profile.winner(&rule(text)), Some(1), "{text}");
    }
    assert_eq!(profile.winner(&rule("majority")), None);
    let borda: Vec<f64> =
        profile.outcome(&rule("borda")).scores.iter().map(|own| own.score).collect();
    assert_eq!(borda, [126.0, 194.0, 173.0, 107.0]);
}

#[test]
fn schulze_as_in_its_paper() {
    // Forty-five voters and five candidates; E wins by the strongest paths.
    let blocs = [
        (5, [0, 2, 1, 4, 3]),
        (5, [0, 3, 4, 2, 1]),
        (8, [1, 4, 3, 0, 2]),
        (3, [2, 0, 1, 4, 3]),
        (7, [2, 0, 4, 1, 3]),
        (2, [2, 1, 0, 3, 4]),
        (7, [3, 2, 4, 1, 0]),
        (8, [4, 1, 0, 3, 2]),
    ];
    let rankings = blocs.iter().flat_map(|(voters, own)| vec![own.to_vec(); *voters]).collect();
    let profile = Profile { options: 5, rankings, silent: 0 };
    assert_eq!(profile.winner(&rule("schulze")), Some(4));
    assert_eq!(profile.winner(&rule("ranked-pairs")), Some(0));
}

#[test]
fn a_circle_is_a_tie() {
    let profile = Profile {
        options: 3,
        rankings: vec![vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]],
        silent: 0,
    };
    for text in ["copeland", "schulze", "ranked-pairs", "borda", "instant-runoff"] {
        let outcome = profile.outcome(&rule(text));
        assert_eq!(outcome.winner, None, "{text}");
        assert_eq!(outcome.tie.unwrap().options.len(), 3, "{text}");
        assert!(outcome.reason.contains("are tied, so there is no decision"), "{}", outcome.reason);
    }
}

#[test]
fn a_tie_for_the_last_place_is_no_tie_if_it_does_not_matter() {
    // 1 and 2 tie for the last place; whoever drops out first, 0 wins.
    let rankings = [vec![vec![0]; 3], vec![vec![1, 0]; 2], vec![vec![2, 0]; 2]].concat();
    assert_eq!(
        Profile { options: 3, rankings, silent: 0 }.winner(&rule("instant-runoff")),
        Some(0)
    );
    // Here it does: the one that stays gets the other's votes and beats 0.
    let rankings = [vec![vec![0]; 3], vec![vec![1, 2]; 2], vec![vec![2, 1]; 2]].concat();
    let profile = Profile { options: 3, rankings, silent: 0 };
    assert_eq!(profile.leaders(&rule("instant-runoff")), [1, 2]);
}

fn count(
    options: &Options,
    votes: &[(&str, u32, &str)],
    size: usize,
    text: &str,
    tie: TieBreak,
) -> VoteResult {
    let panel = panel(size);
    let agent = |name: &str| rebuttal_model::AgentId::new(name);
    let ballots: Vec<Ballot> =
        votes.iter().map(|(own, round, vote)| Ballot::choice(agent(own), *round, *vote)).collect();
    decide(&rule(text), &Election::new(options, &panel, &ballots).breaking_ties(tie))
}

#[test]
fn the_share_is_of_the_panel_whoever_failed() {
    let options = Options::YesNo;
    let two = [("agent0", 0, "yes"), ("agent1", 0, "Yes.")];
    let outcome = count(&options, &two, 5, "majority", TieBreak::None);
    assert_eq!(outcome.winner, None);
    assert_eq!(
        outcome.reason,
        "Yes leads with 2 of 5 votes; a majority needs 3, so there is no decision. Of 5 on the \
         panel, 3 did not vote: agent2, agent3 and agent4 gave no vote."
    );
    assert_eq!(count(&options, &two, 5, "plurality", TieBreak::None).share, Some(0.4));
    assert_eq!(count(&options, &two, 3, "majority", TieBreak::None).winner.as_deref(), Some("yes"));
    assert_eq!(
        count(&options, &two, 3, "supermajority:2/3", TieBreak::None).winner.as_deref(),
        Some("yes")
    );
    assert_eq!(count(&options, &two, 3, "supermajority:0.67", TieBreak::None).winner, None);
    assert_eq!(count(&options, &two, 4, "quorum:0.75:plurality", TieBreak::None).winner, None);
    assert_eq!(
        count(&options, &two, 4, "quorum:0.5:plurality", TieBreak::None).winner.as_deref(),
        Some("yes")
    );
    assert_eq!(count(&options, &[], 3, "plurality", TieBreak::None).winner, None);
    assert_eq!(count(&options, &[], 0, "unanimity", TieBreak::None).winner, None);
}

#[test]
fn ballots_that_do_not_count_are_named() {
    let options = Options::given(["BUY", "SELL", "HOLD"]).unwrap();
    let votes = [
        ("agent0", 0, "STRONG BUY"),
        ("agent1", 0, "buy"),
        ("stranger", 0, "SELL"),
        ("agent2", 0, "SELL"),
        ("agent2", 0, "HOLD"),
    ];
    let outcome = count(&options, &votes, 3, "plurality", TieBreak::None);
    let said: Vec<String> =
        outcome.rejected.iter().map(|own| format!("{}: {}", own.agent, own.reason)).collect();
    assert_eq!(
        said,
        [
            "stranger: stranger is not on the panel",
            "agent0: “STRONG BUY” is not one of the options",
            "agent2: agent2 has already voted in round 0",
        ]
    );
    // The second vote of agent2 does not count, its first does.
    assert_eq!(outcome.tie.unwrap().options, ["BUY", "SELL"]);
    assert_eq!(outcome.turnout.rejected.len(), 1);
}

#[test]
fn who_looked_on_keeps_its_vote_and_a_failed_one_does_not() {
    let options = Options::YesNo;
    let votes =
        [("agent0", 0, "yes"), ("agent1", 0, "no"), ("agent2", 0, "yes"), ("agent1", 2, "yes")];
    assert_eq!(
        count(&options, &votes, 3, "unanimity", TieBreak::None).winner.as_deref(),
        Some("yes")
    );
    let panel = panel(2);
    let ballots = [
        Ballot::choice(panel[0].clone(), 0, "yes"),
        Ballot::choice(panel[1].clone(), 0, "yes"),
        Ballot::failed(panel[1].clone(), 1, "time-out"),
    ];
    let outcome = decide(&rule("unanimity"), &Election::new(&options, &panel, &ballots));
    assert_eq!((outcome.winner, outcome.turnout.failed.len()), (None, 1));
}

#[test]
fn ties_are_broken_only_as_asked() {
    let options = Options::given(["red", "green"]).unwrap();
    let votes = [
        ("agent0", 0, "green"),
        ("agent1", 0, "green"),
        ("agent0", 1, "red"),
        ("agent1", 1, "green"),
    ];
    let broken = |tie: TieBreak| {
        let outcome = count(&options, &votes, 2, "plurality", tie);
        (outcome.winner, outcome.tie.unwrap().broken)
    };
    assert_eq!(broken(TieBreak::None), (None, Broken::Not));
    assert_eq!(broken(TieBreak::OptionOrder), (Some("red".to_owned()), Broken::OptionOrder));
    let round = Broken::EarlierRound { round: 0 };
    assert_eq!(broken(TieBreak::EarlierRound), (Some("green".to_owned()), round));
    let same = [("agent0", 0, "red"), ("agent1", 0, "green")];
    let never = count(&options, &same, 2, "plurality", TieBreak::EarlierRound);
    assert_eq!((never.winner, never.tie.unwrap().broken), (None, Broken::Not));
    // A bar that is not passed is not passed by lot.
    let barred = count(&options, &same, 2, "majority", TieBreak::Random { seed: 3 });
    assert_eq!(barred.winner, None);
}

#[test]
fn approvals_points_and_vetoes() {
    let panel = panel(3);
    let options = Options::given(["red", "green", "blue"]).unwrap();
    let with = |index: usize, first: &str| Ballot::choice(panel[index].clone(), 0, first);
    let list = |names: &[&str]| names.iter().map(|own| (*own).to_owned()).collect::<Vec<_>>();
    let mut ballots = vec![with(0, "red"), with(1, "red"), with(2, "blue")];
    ballots[0].approves = list(&["red", "green"]);
    ballots[2].approves = list(&["blue", "green"]);
    ballots[1].approves = list(&["green"]);
    ballots[0].points = BTreeMap::from([("red".to_owned(), 1.0), ("blue".to_owned(), 3.0)]);
    let winner = |ballots: &[Ballot], text: &str| {
        decide(&rule(text), &Election::new(&options, &panel, ballots)).winner
    };
    assert_eq!(winner(&ballots, "approval").as_deref(), Some("green"));
    assert_eq!(winner(&ballots, "plurality").as_deref(), Some("red"));
    // red 0.25 + 1, blue 0.75 + 1.
    assert_eq!(winner(&ballots, "cumulative").as_deref(), Some("blue"));
    ballots[2].vetoes = list(&["red"]);
    assert_eq!(winner(&ballots, "veto").as_deref(), Some("blue"));
    assert_eq!(winner(&ballots, "plurality").as_deref(), Some("red"));
    ballots[0].vetoes = list(&["green", "blue"]);
    assert_eq!(winner(&ballots, "veto:borda"), None);
    ballots[1].points = BTreeMap::from([("red".to_owned(), -1.0)]);
    let outcome = decide(&rule("cumulative"), &Election::new(&options, &panel, &ballots));
    assert_eq!(outcome.rejected[0].reason, "its points are not numbers of 0 or more");
}

fn ruling(judge: &str, as_given: &str, reversed: Option<&str>) -> JudgeRuling {
    let judge = rebuttal_model::AgentId::new(judge);
    JudgeRuling {
        judge,
        as_given: Some(as_given.to_owned()),
        reversed: reversed.map(str::to_owned),
    }
}

#[test]
fn only_judges_that_do_not_contradict_themselves_count() {
    let (options, nobody) = (Options::given(["red", "green"]).unwrap(), panel(0));
    let judged = |rulings: &[JudgeRuling], text: &str| {
        decide(&rule(text), &Election::new(&options, &nobody, &[]).judged(rulings))
    };
    let panel = [
        ruling("j1", "red", Some("green")),
        ruling("j2", "red", Some("green")),
        ruling("j3", "green", Some("Green.")),
    ];
    let outcome = judged(&panel, "judge-panel");
    assert_eq!(outcome.winner.as_deref(), Some("green"));
    assert_eq!(outcome.basis, Some(Basis::Judge));
    assert!(
        outcome.reason.contains("1 of 3 judges say the same in both orders; j1 and j2 not"),
        "{}",
        outcome.reason
    );
    assert_eq!(judged(&panel[..2], "judge-panel").winner, None);
    assert_eq!(judged(&panel[..1], "judge").winner, None);
    assert_eq!(judged(&[ruling("j", "(b)", None)], "judge").winner.as_deref(), Some("green"));
    assert_eq!(judged(&[ruling("j", "purple", None)], "judge").winner, None);
    assert_eq!(judged(&[], "judge").winner, None);
    // Asked once is not asked in both orders.
    assert_eq!(judged(&[ruling("j", "red", None)], "judge-panel").winner, None);
}

#[test]
fn nothing_is_decided_where_a_person_decides() {
    let votes = [("agent0", 0, "yes"), ("agent1", 0, "yes")];
    let outcome = count(&Options::YesNo, &votes, 2, "none", TieBreak::OptionOrder);
    assert_eq!(outcome.winner, None);
    assert!(outcome.reason.contains("a person decides"), "{}", outcome.reason);
    assert_eq!(outcome.scores[0].score, 2.0);
}

#[test]
fn free_answers_that_say_the_same_are_one_option() {
    let votes = [("agent0", 0, "Paris."), ("agent1", 0, "paris"), ("agent2", 0, "Lyon")];
    let outcome = count(&Options::Free, &votes, 3, "majority", TieBreak::None);
    assert_eq!(outcome.winner.as_deref(), Some("Paris"));
    let votes = [("agent0", 0, "12"), ("agent1", 0, "twelve"), ("agent2", 0, "-12")];
    let outcome = count(&Options::Number, &votes, 3, "majority", TieBreak::None);
    assert_eq!(outcome.winner.as_deref(), Some("12"));
    let median = count(&Options::Number, &votes, 3, "median", TieBreak::None);
    assert_eq!(median.number, Some(12.0));
}

#[test]
fn a_stored_debate_is_counted_again_under_every_rule() {
    let profile = tennessee();
    let panel = panel(100);
    let names: Vec<String> = (0..4).map(crate::kit::name).collect();
    let options = Options::given(&names).unwrap();
    let ballots = profile.ballots();
    let again = redecide(&Rule::all(), &Election::new(&options, &panel, &ballots));
    assert_eq!(again.outcomes.len(), Rule::all().len());
    assert_eq!(again.agreed, None);
    let agreed = redecide(
        &[rule("borda"), rule("majority"), rule("schulze")],
        &Election::new(&options, &panel, &ballots),
    );
    assert_eq!(agreed.agreed.as_deref(), Some("plan blue"));
}

#[test]
fn dissent_is_kept_and_quoted() {
    let panel = panel(3);
    let options = Options::YesNo;
    let votes = ["yes", "yes", "no"];
    let ballots: Vec<Ballot> = panel
        .iter()
        .zip(votes)
        .map(|(agent, vote)| Ballot::choice(agent.clone(), 0, vote))
        .collect();
    let election = Election::new(&options, &panel, &ballots);
    let quotes = BTreeMap::from([(panel[2].clone(), "The audit found three outages.".to_owned())]);
    let decision = decide(&rule("majority"), &election).decision(&election, &quotes);
    assert_eq!(decision.answer.as_deref(), Some("yes"));
    assert_eq!(decision.verdict, Verdict::ApprovedWithConditions);
    assert_eq!(decision.dissent.len(), 1);
    assert_eq!(decision.dissent[0].quote, "The audit found three outages.");
    assert_eq!(decision.rule, "majority");
    let none = decide(&rule("unanimity"), &election).decision(&election, &quotes);
    // Without an answer there is nothing to dissent from.
    assert_eq!((none.answer, none.verdict, none.dissent.len()), (None, Verdict::NeedsReview, 0));
}
