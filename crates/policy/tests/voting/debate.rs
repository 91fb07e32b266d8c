//! Camps, exchange, changes, metrics, moderator and the weighted vote.

use proptest::prelude::*;
use rebuttal_model::{
    AgentId, Basis, ChangeType, Decision, ModeratorEvaluation, Structured, Verdict,
};
use rebuttal_policy::debate::{
    DebatePolicy, Evidence, Holders, Moderated, ModeratorError, Proposal, camps, conflicts,
    converged, debate_metrics, debate_quality, exchange, moderate, position_changes,
    read_evaluation, requires_debate, weighted_vote,
};
use rebuttal_policy::voting::Options;

fn agent(name: &str) -> AgentId {
    AgentId::new(name)
}

pub(crate) fn propose(name: &str, action: &str, conviction: f64) -> Proposal {
    Proposal::new(agent(name), action, conviction)
}

fn with(mut proposal: Proposal, evidence: &[&str]) -> Proposal {
    proposal.evidence = evidence.iter().map(|item| (*item).to_owned()).collect();
    proposal
}

fn trading() -> Options {
    Options::given(["BUY", "SELL", "HOLD"]).unwrap()
}

fn policy(holders: Holders) -> DebatePolicy {
    DebatePolicy { holders, ..DebatePolicy::default() }
}

#[test]
fn holders_are_a_camp_and_look_on_unless_they_are_asked_to_debate() {
    let four = [
        propose("technical", "BUY", 0.8),
        propose("news", "buy", 0.6),
        propose("fundamental", "SELL", 0.7),
        propose("risk", "HOLD", 0.5),
    ];
    let conflict = conflicts(&four, &policy(Holders::Observe)).unwrap();
    let found: Vec<(&str, usize, bool)> = conflict
        .camps
        .iter()
        .map(|camp| (camp.action.as_str(), camp.agents.len(), camp.is_holding))
        .collect();
    assert_eq!(found, [("BUY", 2, false), ("SELL", 1, false), ("HOLD", 1, true)]);
    assert_eq!(conflict.debating, ["technical", "news", "fundamental"].map(agent));
    assert_eq!(conflict.observing, [agent("risk")]);
    assert_eq!(conflicts(&four, &policy(Holders::Join)).unwrap().observing, [agent("risk")]);
    assert_eq!(conflicts(&four, &policy(Holders::Debate)).unwrap().observing, []);

    let two = [propose("a", "SELL", 0.8), propose("b", "HOLD", 0.6)];
    assert!(!requires_debate(&two, &policy(Holders::Observe)));
    assert!(requires_debate(&two, &policy(Holders::Join)));
    assert!(requires_debate(&two, &policy(Holders::Debate)));
    let all_hold = [propose("a", "HOLD", 0.8), propose("b", "hold", 0.6)];
    assert!(!requires_debate(&all_hold, &policy(Holders::Debate)));
}

#[test]
fn actions_are_whatever_the_options_are() {
    let three =
        [propose("a", "Postgres", 0.8), propose("b", "MySQL", 0.8), propose("c", "SQLite", 0.1)];
    let conflict = conflicts(&three, &DebatePolicy::default()).unwrap();
    assert_eq!((conflict.camps.len(), conflict.debating.len()), (3, 3));
    assert_eq!(camps(&[], &DebatePolicy::default()), []);
    assert!(!requires_debate(&three[..1], &DebatePolicy::default()));
}

#[test]
fn a_debater_sees_all_of_the_other_side_and_owes_an_answer_to_each_item() {
    let mut panel = vec![
        with(propose("a", "yes", 0.8), &["It is faster."]),
        with(propose("b", "yes", 0.8), &["It is cheaper."]),
        with(propose("c", "no", 0.8), &["Two outages in May.", "Nobody knows it."]),
        propose("d", "no", 0.8),
    ];
    panel[3].thesis = "We are not ready.".to_owned();
    let conflict = conflicts(&panel, &DebatePolicy::default()).unwrap();
    let shown = exchange(&conflict, &panel, &agent("a")).unwrap();
    let who: Vec<&str> = shown.opposing.iter().map(|own| own.agent.as_str()).collect();
    assert_eq!(who, ["c", "d"]);
    assert_eq!(shown.opposing[0].evidence, panel[2].evidence);
    let owed: Vec<&str> = shown.owed.iter().map(|owed| owed.evidence.as_str()).collect();
    assert_eq!(owed, ["Two outages in May.", "Nobody knows it.", "We are not ready."]);
    let given = ["They were unrelated.".to_owned(), " ".to_owned()];
    let open: Vec<usize> = shown.unanswered(&given).iter().map(|owed| owed.number).collect();
    assert_eq!(open, [2, 3]);
    assert_eq!(exchange(&conflict, &panel, &agent("stranger")), None);
}

#[test]
fn changes_are_of_action_of_conviction_or_of_both() {
    let before = [
        propose("a", "BUY", 0.8),
        propose("b", "BUY", 0.8),
        propose("c", "BUY", 0.8),
        propose("d", "BUY", 0.8),
        propose("gone", "BUY", 0.8),
    ];
    let after = [
        propose("a", "SELL", 0.8),
        propose("b", "buy", 0.65),
        propose("c", "SELL", 0.5),
        propose("d", "BUY", 0.7),
    ];
    let changes = position_changes(&before, &after, &DebatePolicy::default());
    let found: Vec<(&str, ChangeType)> =
        changes.iter().map(|change| (change.agent.as_str(), change.change_type)).collect();
    // A step of 0.1 is not more than 0.1, whatever the last digits of 0.8 - 0.7 are.
    assert_eq!(
        found,
        [("a", ChangeType::Action), ("b", ChangeType::Conviction), ("c", ChangeType::Both)]
    );
    assert!((changes[2].delta + 0.3).abs() < 1e-12);
    let finer = DebatePolicy { conviction_step: 0.05, ..DebatePolicy::default() };
    assert_eq!(position_changes(&before, &after, &finer).len(), 4);

    let metrics = debate_metrics(&before, &after, Some(0.5), &DebatePolicy::default());
    assert_eq!((metrics.agents_changed_action, metrics.agents_changed_conviction), (2, 2));
    assert!((metrics.total_conviction_shift - 0.45).abs() < 1e-12);
    assert!(!metrics.converged);
}

#[test]
fn a_panel_that_agrees_has_converged_whether_or_not_anyone_moved() {
    let agreed = [propose("a", "BUY", 0.8), propose("b", "buy", 0.6)];
    let metrics = debate_metrics(&agreed, &agreed, None, &DebatePolicy::default());
    assert!(metrics.converged);
    assert_eq!((metrics.agents_changed_action, metrics.debate_quality), (0, None));
    assert!(!converged(&[propose("a", "BUY", 0.8), propose("b", "HOLD", 0.6)]));
    assert!(!converged(&[]));
    let mut aside = propose("b", "SELL", 0.2);
    aside.neutral = true;
    assert!(converged(&[propose("a", "BUY", 0.8), aside]));
}

#[test]
fn quality_is_what_its_formula_says() {
    let before = [
        with(propose("a", "yes", 0.8), &["It is faster."]),
        with(propose("b", "no", 0.8), &["Two outages.", "Nobody knows it."]),
    ];
    let conflict = conflicts(&before, &DebatePolicy::default()).unwrap();
    let mut after = before.clone();
    // Nothing new, nothing answered: only the evidence still stands.
    assert_eq!(debate_quality(&conflict, &before, &after), Some(0.25));
    // One of three items answered, by one of two debaters, who thereby says something new.
    after[0].rebuttal = vec!["They were unrelated.".to_owned()];
    let quality = debate_quality(&conflict, &before, &after).unwrap();
    assert!((quality - (0.5 / 3.0 + 0.25 + 0.125)).abs() < 1e-12);
    after[0].rebuttal.push("We can train.".to_owned());
    after[1].rebuttal = vec!["Not by much.".to_owned()];
    assert_eq!(debate_quality(&conflict, &before, &after), Some(1.0));
    // Who falls silent answers nothing.
    assert_eq!(debate_quality(&conflict, &before, &[]), Some(0.0));
}

fn evaluation(action: &str, conviction: f64) -> ModeratorEvaluation {
    ModeratorEvaluation {
        recommended_action: action.to_owned(),
        recommended_conviction: conviction,
        rationale: "The sellers' numbers are newer.".to_owned(),
        ..ModeratorEvaluation::default()
    }
}

fn decided() -> Decision {
    Decision {
        answer: Some("BUY".to_owned()),
        narrative: "Two of three would buy.".to_owned(),
        ..Decision::default()
    }
}

#[test]
fn an_override_is_seen_and_keeps_what_it_overrode() {
    let mut decision = decided();
    let moderated = moderate(
        &mut decision,
        agent("chief"),
        evaluation("SELL", 0.8),
        &trading(),
        &DebatePolicy::default(),
        None,
    );
    assert_eq!(moderated, Moderated::Overrode);
    assert_eq!(decision.answer.as_deref(), Some("SELL"));
    assert!((decision.confidence.unwrap().value() - 0.72).abs() < 1e-12);
    assert_eq!(decision.basis, Some(Basis::Moderator));
    assert_eq!(decision.verdict, Verdict::ApprovedWithConditions);
    assert_eq!(
        decision.narrative,
        "Moderator synthesis: The sellers' numbers are newer.\n\nOriginal rationale:\nTwo of three would buy."
    );
    let moderation = decision.moderation.unwrap();
    assert_eq!(moderation.overrode.unwrap().from.as_deref(), Some("BUY"));
    assert!(moderation.words.contains("overrode the vote for BUY"), "{}", moderation.words);
}

#[test]
fn a_moderator_that_agrees_or_is_unsure_changes_nothing_but_is_heard() {
    for (action, sure, expected) in [
        ("buy", 0.99, Moderated::Agrees),
        ("SELL", 0.7, Moderated::Unsure),
        ("SELL", 0.1, Moderated::Unsure),
    ] {
        let mut decision = decided();
        let moderated = moderate(
            &mut decision,
            agent("chief"),
            evaluation(action, sure),
            &trading(),
            &DebatePolicy::default(),
            None,
        );
        assert_eq!(moderated, expected, "{action} {sure}");
        assert_eq!(
            (decision.answer.as_deref(), decision.narrative.as_str()),
            (Some("BUY"), "Two of three would buy.")
        );
        assert_eq!(decision.moderation.unwrap().overrode, None);
    }
    let mut open = Decision::default();
    moderate(
        &mut open,
        agent("chief"),
        evaluation("SELL", 0.9),
        &trading(),
        &DebatePolicy::default(),
        None,
    );
    assert_eq!(open.answer.as_deref(), Some("SELL"));
}

#[test]
fn a_moderators_reply_is_checked() {
    let reply = |action: &str, conviction: &str| {
        format!(
            "Thank you. {{not json}} ```json\n{{\"strongest_arguments\": [\"x\"], \"weakest_arguments\": [], \
             \"recommended_action\": \"{action}\", \"recommended_conviction\": {conviction}, \
             \"rationale\": \"r\", \"risks\": [\"k\"]}}\n```"
        )
    };
    let read = read_evaluation(1, &reply("Sell.", "0.75"), &trading()).unwrap();
    assert_eq!((read.recommended_action.as_str(), read.risks.len()), ("SELL", 1));
    let error = |text: &str| read_evaluation(1, text, &trading()).unwrap_err();
    let unfit = |text: &str| match error(text) {
        ModeratorError::Unfit(what) => what,
        other => panic!("{other}"),
    };
    assert_eq!(unfit("no"), "there is no JSON object in the reply");
    assert_eq!(unfit(&reply("SELL", "75")), "/recommended_conviction: must be at most 1");
    assert!(matches!(error(&reply("SHORT", "0.75")), ModeratorError::Outside(_)));
    let high = "/recommended_conviction: must be number, not a string";
    assert_eq!(unfit(&reply("SELL", "\"high\"")), high);
    assert!(unfit(&"{".repeat(300_000)).contains("at most 262144 are read"));
    assert_eq!(unfit(&"{".repeat(200_000)), "there is no JSON object in the reply");
    let whole = reply("SELL", "0.75");
    let cut = whole.split_once("rationale").unwrap().0;
    assert!(unfit(cut).starts_with("it is cut off"), "{cut}");
    let old = |text: &str| read_evaluation(0, text, &trading()).unwrap_err();
    assert_eq!(old("no"), ModeratorError::NoJson);
    assert_eq!(old(&reply("SELL", "75")), ModeratorError::Conviction(75.0));
    assert!(read_evaluation(1, &whole.replace("[]", "[],"), &trading()).is_err());
    assert!(read_evaluation(1, &whole.replace("\"k\"]", "\"k\",],"), &trading()).is_ok());
}

#[test]
fn the_weighted_vote_counts_conviction_over_the_panel() {
    let panel = ["a", "b", "c"].map(agent);
    let vote = |proposals: &[Proposal]| {
        weighted_vote(proposals, &panel, &trading(), &DebatePolicy::default())
    };
    let agreed =
        vote(&[propose("a", "BUY", 0.9), propose("b", "BUY", 0.9), propose("c", "buy", 0.9)]);
    assert_eq!(agreed.recommendation.as_deref(), Some("BUY"));
    assert!((agreed.confidence - 0.9).abs() < 1e-12 && !agreed.capped);
    // The conflict remains, so nobody may be surer than 0.6.
    let split =
        vote(&[propose("a", "BUY", 1.0), propose("b", "BUY", 1.0), propose("c", "SELL", 0.1)]);
    assert_eq!((split.confidence, split.capped), (0.6, true));
    assert!(split.rationale.contains("A conflict remains"), "{}", split.rationale);
    // One who failed is in the denominator.
    let alone = vote(&[propose("a", "BUY", 0.9)]);
    assert!((alone.confidence - 0.3).abs() < 1e-12);
    let tied = vote(&[propose("a", "BUY", 0.8), propose("b", "SELL", 0.8)]);
    assert_eq!((tied.recommendation.as_deref(), tied.confidence), (Some("HOLD"), 0.0));
    let unknown = vote(&[
        propose("a", "STRONG BUY", 0.9),
        propose("b", "BUY", 0.5),
        propose("z", "SELL", 1.0),
    ]);
    assert_eq!(unknown.recommendation.as_deref(), Some("BUY"));
    assert_eq!(unknown.rejected.len(), 2);
    let yes_no = weighted_vote(
        &[propose("a", "yes", 0.5), propose("b", "no", 0.5)],
        &panel,
        &Options::YesNo,
        &DebatePolicy::default(),
    );
    assert_eq!(yes_no.recommendation, None);
}

#[test]
fn without_evidence_a_position_counts_little_where_that_is_asked_for() {
    let seed = DebatePolicy { evidence: Evidence::SEED, ..DebatePolicy::default() };
    let bare = propose("a", "BUY", 0.9);
    let under = bare.clone().under(&seed, &trading());
    assert_eq!(
        (under.action.as_str(), under.conviction.value(), under.neutral),
        ("HOLD", 0.3, true)
    );
    assert_eq!(bare.clone().under(&DebatePolicy::default(), &trading()), bare);
    let backed = with(bare, &["Earnings rose."]);
    assert_eq!(backed.clone().under(&seed, &trading()), backed);
    let open = propose("a", "yes", 0.9).under(&seed, &Options::YesNo);
    assert_eq!((open.action.as_str(), open.neutral), ("yes", true));
    let panel = [agent("a"), agent("b")];
    let vote = weighted_vote(&[open, propose("b", "no", 0.1)], &panel, &Options::YesNo, &seed);
    assert_eq!(vote.recommendation.as_deref(), Some("no"));
}

#[test]
fn proposals_come_from_structured_turns() {
    let turn = Structured {
        answer: Some("Option B".to_owned()),
        evidence: vec![" ".to_owned(), "x".to_owned()],
        ..Structured::default()
    };
    let proposal = Proposal::of_turn(agent("a"), &turn, &trading()).unwrap();
    assert_eq!(
        (proposal.action.as_str(), proposal.conviction.value(), proposal.evidence.len()),
        ("SELL", 0.5, 1)
    );
    assert_eq!(
        Proposal::of_turn(agent("a"), &Structured::default(), &trading()),
        Err("it gives no answer".to_owned())
    );
    let outside = Structured { answer: Some("SHORT".to_owned()), ..turn };
    assert!(
        Proposal::of_turn(agent("a"), &outside, &trading())
            .unwrap_err()
            .contains("not one of the options")
    );
}

proptest! {
    #[test]
    fn every_agent_debates_or_observes(
        actions in proptest::collection::vec((0_usize..4, any::<bool>()), 0..8),
        holders in proptest::sample::select(vec![Holders::Observe, Holders::Join, Holders::Debate]),
    ) {
        let names = ["BUY", "SELL", "HOLD", "WAIT"];
        let proposals: Vec<Proposal> = actions.iter().enumerate().map(|(index, (action, neutral))| {
            Proposal { neutral: *neutral, ..propose(&format!("a{index}"), names[*action], 0.5) }
        }).collect();
        let policy = policy(holders);
        if let Some(conflict) = conflicts(&proposals, &policy) {
            prop_assert_eq!(conflict.debating.len() + conflict.observing.len(), proposals.len());
            prop_assert!(!converged(&proposals));
            for agent in &conflict.debating {
                let shown = exchange(&conflict, &proposals, agent).unwrap();
                prop_assert!(!shown.opposing.is_empty());
                prop_assert!(shown.opposing.iter().all(|own| conflict.debating.contains(&own.agent)));
            }
        } else if holders == Holders::Debate {
            prop_assert!(proposals.is_empty() || proposals.iter().all(|own| own.neutral) || converged(&proposals));
        }
    }
}
