//! Every probe of the shared case files that this crate answers.

use std::path::PathBuf;

use rebuttal_model::{AgentId, Ballot, ChangeType, Decision, ModeratorEvaluation};
use rebuttal_policy::debate::{
    DebatePolicy, Evidence, Proposal, agreement_ratio, conflicts, moderate, net_evidence,
    position_changes, requires_debate, verdict, weighted_vote,
};
use rebuttal_policy::voting::{Election, Options, Rule, decide};
use serde_json::Value;

use crate::debate::propose;
use crate::kit::panel;

/// The rows of a case file, or none where the folder is not at hand.
fn rows(file: &str) -> Vec<Value> {
    let root = std::env::var_os("REBUTTAL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("cases").join(file);
    let Ok(text) = std::fs::File::open(&path).and_then(std::io::read_to_string) else {
        println!("skipped: no data at {}", path.display());
        return Vec::new();
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asks what is wrong about each row of an area, and fails with all answers. At least `least` rows
/// must be there if any file is.
fn check(area: &str, least: usize, wrong: impl Fn(&Value) -> Option<String>) {
    let all: Vec<Value> =
        rows("adversarial.jsonl").into_iter().chain(rows("upstream_expectations.jsonl")).collect();
    let own: Vec<&Value> = all.iter().filter(|row| row["area"] == area).collect();
    assert!(all.is_empty() || own.len() >= least, "{} rows of {area}", own.len());
    let wrong: Vec<String> =
        own.iter().filter_map(|row| Some(format!("{} → {}", row["input"], wrong(row)?))).collect();
    println!("{area}: {} rows", own.len());
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), own.len(), wrong.join("\n"));
}

fn differs<T: PartialEq + std::fmt::Debug>(got: &T, expected: &T) -> Option<String> {
    (got != expected).then(|| format!("{got:?}, expected {expected:?}"))
}

fn policy() -> DebatePolicy {
    DebatePolicy::default()
}

fn trading() -> Options {
    Options::given(["BUY", "SELL", "HOLD"]).unwrap()
}

/// `{"a": "BUY", "b": ["SELL", "neutral"]}` as proposals.
fn actions(input: &Value) -> Vec<Proposal> {
    let one = |(name, value): (&String, &Value)| {
        let action = value.as_str().or_else(|| value[0].as_str()).unwrap();
        Proposal { neutral: value[1] == "neutral", ..propose(name, action, 0.5) }
    };
    input.as_object().unwrap().iter().map(one).collect()
}

#[test]
fn debates_are_required_where_they_are() {
    check("requires_debate", 4, |row| {
        let expected = row["expected"]["eq"].as_bool().unwrap();
        differs(&requires_debate(&actions(&row["input"]), &policy()), &expected)
    });
}

#[test]
fn only_those_in_conflict_debate() {
    check("debaters", 1, |row| {
        let conflict = conflicts(&actions(&row["input"]), &policy())?;
        let sorted = |agents: &[AgentId]| {
            let mut names: Vec<String> = agents.iter().map(ToString::to_string).collect();
            names.sort();
            names
        };
        let expected = |field: &str| {
            let mut names: Vec<String> =
                serde_json::from_value(row["expected"][field].clone()).unwrap();
            names.sort();
            names
        };
        differs(&sorted(&conflict.debating), &expected("debating"))
            .or_else(|| differs(&sorted(&conflict.observing), &expected("observing")))
    });
}

#[test]
fn position_changes_have_a_type() {
    check("position_change", 4, |row| {
        let held = |field: &str| {
            let pair = &row["input"][field];
            [propose("a", pair[0].as_str().unwrap(), pair[1].as_f64().unwrap())]
        };
        let changes = position_changes(&held("before"), &held("after"), &policy());
        let got = changes.first().map(|change| match change.change_type {
            ChangeType::Action => "action",
            ChangeType::Conviction => "conviction",
            ChangeType::Both => "both",
        });
        let delta = row["expected"]["delta"].as_f64();
        let is_far = delta.is_some_and(|delta| (changes[0].delta - delta).abs() > 1e-9);
        differs(&got, &row["expected"]["type"].as_str())
            .or_else(|| is_far.then(|| format!("delta {}", changes[0].delta)))
    });
}

#[test]
fn moderators_override_when_they_are_sure() {
    check("moderator_override", 2, |row| {
        let mut decision = Decision {
            answer: row["input"]["decision"].as_str().map(str::to_owned),
            ..Decision::default()
        };
        let said = &row["input"]["moderator"];
        let evaluation = ModeratorEvaluation {
            recommended_action: said[0].as_str().unwrap().to_owned(),
            recommended_conviction: said[1].as_f64().unwrap(),
            ..ModeratorEvaluation::default()
        };
        moderate(&mut decision, AgentId::new("chief"), evaluation, &trading(), &policy(), None);
        let confidence = row["expected"]["confidence"].as_f64();
        let got = decision.confidence.map_or(0.0, rebuttal_model::Confidence::value);
        differs(&decision.answer.as_deref(), &row["expected"]["recommendation"].as_str()).or_else(
            || {
                confidence
                    .filter(|own| (own - got).abs() > 1e-9)
                    .map(|_| format!("confidence {got}"))
            },
        )
    });
}

#[test]
fn evidence_is_demanded_as_in_the_seed() {
    check("policy", 1, |row| {
        let seed = DebatePolicy { evidence: Evidence::SEED, ..policy() };
        let (input, expected) = (&row["input"], &row["expected"]);
        let mut before =
            propose("a", input["action"].as_str().unwrap(), input["conviction"].as_f64().unwrap());
        before.evidence = serde_json::from_value(input["evidence"].clone()).unwrap();
        let after = before.under(&seed, &trading());
        differs(&Some(after.action.as_str()), &expected["action"].as_str())
            .or_else(|| differs(&Some(after.conviction.value()), &expected["conviction"].as_f64()))
            .or_else(|| differs(&Some(after.neutral), &expected["neutral"].as_bool()))
    });
}

/// The proposals of a decision row: a map of convictions, or two actions in words.
fn voters(input: &Value) -> Vec<(String, f64)> {
    if let Some(text) = input.as_str() {
        let sides = text.split(" vs ").map(|side| {
            let (action, sure) = side.rsplit_once(' ').unwrap();
            (action.trim_matches('\'').to_owned(), sure.parse().unwrap())
        });
        return sides.collect();
    }
    let mut voters = Vec::new();
    for (action, sure) in input.as_object().unwrap() {
        match sure {
            Value::Array(all) => {
                voters.extend(all.iter().map(|own| (action.clone(), own.as_f64().unwrap())));
            }
            // Everybody, whatever it stands for.
            one => voters
                .extend(["BUY", "SELL", "HOLD"].map(|own| (own.to_owned(), one.as_f64().unwrap()))),
        }
    }
    voters
}

#[test]
fn conviction_decides_and_no_unknown_action_wins() {
    check("decision", 4, |row| {
        let voters = voters(&row["input"]);
        let panel = panel(voters.len());
        let proposals: Vec<Proposal> = panel
            .iter()
            .zip(&voters)
            .map(|(agent, (action, sure))| propose(agent.as_str(), action, *sure))
            .collect();
        let vote = weighted_vote(&proposals, &panel, &trading(), &policy());
        let expected =
            row["expected"]["recommendation"].as_str().or_else(|| row["expected"].as_str());
        let expected = if expected == Some("HOLD/undecided") { Some("HOLD") } else { expected };
        let sure = row["expected"]["confidence"].as_f64();
        differs(&vote.recommendation.as_deref(), &expected)
            .or_else(|| sure.and_then(|sure| differs(&vote.confidence, &sure)))
    });
}

fn reached(rule: &Rule, size: usize, votes: &[(&str, f64)]) -> (bool, f64) {
    let panel = panel(size);
    let ballots: Vec<Ballot> = panel
        .iter()
        .zip(votes)
        .map(|(agent, (vote, sure))| Ballot::choice(agent.clone(), 0, *vote).sure(*sure))
        .collect();
    let options = Options::given(["plan_a", "plan_b"]).unwrap();
    let outcome = decide(rule, &Election::new(&options, &panel, &ballots));
    (outcome.winner.is_some(), outcome.share.unwrap_or(0.0))
}

#[test]
fn consensus_is_reached_by_those_who_are_there_to_reach_it() {
    check("consensus", 4, |row| {
        let (input, expected) = (&row["input"], &row["expected"]);
        if let Some(text) = input.as_str() {
            let crashed = text.contains("crash");
            let votes: &[(&str, f64)] =
                if crashed { &[("plan_a", 0.9)] } else { &[("agent9", 0.9); 3] };
            let (got, _) = reached(&Rule::Unanimity, 3, votes);
            return differs(&got, &(expected.as_str() != Some("not reached")));
        }
        let votes: Vec<(&str, f64)> = input["votes"]
            .as_object()
            .unwrap()
            .values()
            .map(|vote| (vote[0].as_str().unwrap(), vote[1].as_f64().unwrap()))
            .collect();
        let rule = match input["threshold"].as_f64() {
            Some(share) => format!("weighted:conviction:{share}").parse().unwrap(),
            None => Rule::Majority,
        };
        let (got, share) = reached(&rule, votes.len(), &votes);
        let more = expected["confidence_gt"].as_f64();
        differs(&got, &expected["reached"].as_bool().unwrap())
            .or_else(|| more.filter(|least| share <= *least).map(|_| format!("confidence {share}")))
            .or_else(|| expected["confidence"].as_f64().and_then(|own| differs(&share, &own)))
    });
}

#[test]
fn two_that_vote_for_themselves_have_no_majority() {
    let (decided, _) = reached(&Rule::Majority, 2, &[("plan_a", 0.9), ("plan_b", 0.9)]);
    assert!(!decided);
}

#[test]
fn verdicts_follow_from_answer_confidence_and_dissent() {
    check("verdict", 4, |row| {
        let input = &row["input"];
        let answer = (input["reached"] == true).then_some("yes");
        let dissents = usize::try_from(input["dissents"].as_u64().unwrap_or(0)).unwrap();
        let got = verdict(answer, input["confidence"].as_f64().unwrap(), dissents);
        differs(&serde_json::to_value(got).unwrap(), &row["expected"]["verdict"])
    });
}

#[test]
fn ratios_are_shares() {
    check("agreement_ratio", 2, |row| {
        let count = |field: &str| usize::try_from(row["input"][field].as_u64().unwrap()).unwrap();
        let got = agreement_ratio(count("supporting"), count("dissenting"));
        differs(&Some(got), &row["expected"]["eq"].as_f64())
    });
    check("net_evidence", 2, |row| {
        let list =
            |field: &str| serde_json::from_value::<Vec<f64>>(row["input"][field].clone()).unwrap();
        let got = net_evidence(&list("support"), &list("refute"));
        let expected =
            row["expected"]["eq"].as_f64().or(row["expected"]["approx"].as_f64()).unwrap();
        ((got - expected).abs() > 1e-9).then(|| format!("{got}, expected {expected}"))
    });
}
