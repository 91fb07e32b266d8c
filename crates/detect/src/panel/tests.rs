//! Panels of our own.

use rebuttal_model::{AgentId, RoundAnalysis, TricksterConfig, TurnId};
use rebuttal_semantics::{BuiltinEncoder, Embedder, Embedding, SemanticsError};

use super::*;

fn agents(number: usize) -> Vec<AgentId> {
    (0..number).map(|at| AgentId::new(format!("agent {at:03}"))).collect()
}

fn said<'t>(agents: &'t [AgentId], round: u32, texts: &[&'t str]) -> Vec<Said<'t>> {
    let one = |(at, (agent, text)): (usize, (&'t AgentId, &&'t str))| Said {
        agent,
        turn: TurnId::new(at),
        round,
        text,
        answer: None,
    };
    agents.iter().zip(texts).enumerate().map(one).collect()
}

fn look(texts: &[&str]) -> RoundAnalysis {
    let agents = agents(texts.len());
    let config = TricksterConfig::default();
    analyze_round(&said(&agents, 0, texts), &[], &BuiltinEncoder, &config)
}

#[test]
fn vague_agreement_is_hollow_and_sound_agreement_is_not() {
    let vague = look(&[
        "We should move to the new platform. It is generally the better option for everyone here.",
        "Moving to the new platform is the better option. Everyone here would benefit from it.",
        "The new platform is generally the better option, so we should move to it.",
    ]);
    let alert = vague.hollow.unwrap();
    assert!(alert.detected && alert.severity > 0.5, "{alert:?}");
    assert!(alert.reason.contains("alike"), "{}", alert.reason);
    let sound = look(&[
        "We should move to the new platform. The March load test (run LT-31) held 2,400 requests per second, \
         because its pool has 200 connections. The 2024 KPMG audit found that hosting costs fell by 18%.",
        "We should move to the new platform, since the load test LT-31 showed a p99 of 95 ms. Hosting fell from \
         $9,200 to $7,500 a month, the 2024 KPMG audit found, therefore it pays for itself.",
    ]);
    let alert = sound.hollow.unwrap();
    assert!(alert.severity < 0.5, "{alert:?}");
}

#[test]
fn opposites_in_the_same_words_do_not_agree() {
    let found = look(&["We should adopt the new tariff.", "We should not adopt the new tariff."]);
    assert!(found.convergence.unwrap() < 0.3, "{found:?}");
}

#[test]
fn an_agent_is_compared_with_others_for_agreement_and_with_itself_for_stability() {
    let agents = agents(2);
    let before = ["The bridge should be closed at once.", "Cats make better pets than dogs do."];
    let now = ["The bridge should be closed at once.", "Cats do not make better pets than dogs."];
    let earlier = said(&agents, 0, &before);
    let config = TricksterConfig::default();
    let found = analyze_round(&said(&agents, 1, &now), &earlier, &BuiltinEncoder, &config);
    assert!(found.convergence.unwrap() < 0.3);
    assert!(found.stability[&agents[0]] > 0.95 && found.stability[&agents[1]] < 0.4, "{found:?}");
    assert!(found.novelty[&agents[0]] < 0.05);
}

#[test]
fn a_claim_of_several_that_nobody_supports_is_a_gap() {
    let bare = look(&[
        "Remote teams deliver features faster than teams in one office.",
        "Teams that work remotely deliver features faster than teams in one office do.",
    ]);
    assert_eq!(bare.gaps.len(), 1, "{bare:?}");
    assert_eq!(bare.gaps[0].agents.len(), 2);
    assert!(bare.gaps[0].quotes.iter().all(|quote| !quote.text.is_empty()));
    let cited = look(&[
        "Remote teams deliver features faster than teams in one office (Bloom, 2015).",
        "Teams that work remotely deliver features faster than teams in one office do.",
    ]);
    assert!(cited.gaps.is_empty(), "{cited:?}");
}

#[test]
fn the_same_unsupported_claim_in_other_words_is_one_gap() {
    let claim = "Smaller orchards pay higher premiums.";
    let bare = look(&[
        claim,
        "Fruit farms of little size are charged more by insurers.",
        "Bees leave the valley in the middle of June.",
    ]);
    assert_eq!(bare.gaps.len(), 1, "{:?}", bare.gaps);
    assert_eq!(bare.gaps[0].agents.len(), 2);
    // Somebody supports it, in the other's words.
    let cited = look(&[
        claim,
        "Fruit farms of little size are charged more by insurers: 41 % more, says the 2023 audit by KPMG.",
    ]);
    assert!(cited.gaps.is_empty(), "{:?}", cited.gaps);
    // Two claims on one thing, one against the other, and what is only quoted.
    for other in [
        "Smaller orchards lie further from the river.",
        "Smaller orchards do not pay higher premiums.",
        "Ann writes: \"Smaller orchards pay higher premiums.\"",
    ] {
        let found = look(&[claim, other]);
        assert!(found.gaps.is_empty(), "{other}: {:?}", found.gaps);
    }
}

#[test]
fn the_same_source_is_an_echo_and_different_ones_corroborate() {
    let echo = look(&[
        "Remote teams deliver features faster [1]. Remote teams also quit less often [1].",
        "Teams that are remote deliver features faster [1]. They quit less often as well [1].",
    ]);
    let found = echo.echo.unwrap();
    assert!(found.redundancy > 0.7 && found.sources == ["[1]"], "{found:?}");
    assert!(echo.corroborations.is_empty());
    let own = look(&[
        "Remote teams deliver features faster than others (Bloom, 2015).",
        "Remote teams deliver features faster than others (Choudhury, 2021).",
    ]);
    assert!(own.echo.is_none() && own.corroborations.len() == 1, "{own:?}");
}

#[test]
fn copies_are_worth_one_voice_and_independent_reasons_as_many_as_there_are() {
    let copy =
        "The dam must be repaired. Its north wall leaks 40 litres a minute, the 2023 survey found.";
    let copies = look(&[copy; 9]);
    assert!((copies.independent_voices - 1.0).abs() < 0.1, "{}", copies.independent_voices);
    let own = look(&[
        "The north wall leaks 40 litres a minute.",
        "Farmers downstream lost two harvests of barley.",
        "Insurers refuse to cover the valley since spring.",
        "The concrete of the spillway is older than its design life.",
        "Fish ladders have not worked for a decade.",
        "Turbines run at half of their rated power.",
        "Sensors on the crest report movement every night.",
        "The contractor offers a discount until October.",
        "A school stands directly below the eastern gate.",
    ]);
    assert!(own.independent_voices > 8.0, "{}", own.independent_voices);
}

#[test]
fn what_cannot_be_judged_is_named_and_left_out() {
    let found = look(&[
        "",
        "Das neue System ist schneller als das alte, und die Kosten sind im letzten Jahr gesunken.",
        "```\nfn main() { run(); }\n```",
        "| p99 | 180 ms |\n|---|---|\n| p50 | 20 ms |",
        "The new system is faster than the old one was.",
    ]);
    assert_eq!(found.not_judged.len(), 4, "{found:?}");
    assert!(found.not_judged.values().any(|why| why.contains("English")));
    assert_eq!((found.quality.len(), found.convergence), (1, None));
    let nobody = look(&[]);
    assert!(nobody.hollow.is_none() && nobody.independent_voices == 0.0);
}

#[test]
fn five_hundred_agents_are_looked_at() {
    let texts: Vec<String> = (0..500)
        .map(|at| {
            format!("Option {at} costs {} dollars a month. It should be taken soon.", at * 7 + 3)
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let agents = agents(500);
    let config = TricksterConfig::default();
    let found =
        analyze_round(&said(&agents, 0, &texts), &[], &rebuttal_semantics::HashedWords, &config);
    assert_eq!(found.quality.len(), 500);
    assert!(found.independent_voices >= 1.0 && found.convergence.is_some());
}

/// Fails whenever it is asked.
#[derive(Debug)]
struct Broken;

impl Embedder for Broken {
    fn id(&self) -> &'static str {
        "broken"
    }

    fn embed(&self, _: &[&str]) -> Result<Vec<Embedding>, SemanticsError> {
        Ok(Vec::new())
    }
}

#[test]
fn an_embedder_that_gives_nothing_leaves_the_rules() {
    let agents = agents(2);
    let texts = ["The dam must be repaired this year.", "The dam must be repaired this year."];
    let config = TricksterConfig::default();
    let found = analyze_round(&said(&agents, 0, &texts), &[], &Broken, &config);
    assert!(found.convergence.unwrap() > 0.99);
}

#[test]
fn an_absent_agent_has_no_novelty() {
    let agents = agents(2);
    let one = RoundAnalysis { novelty: [(agents[0].clone(), 0.4)].into(), ..Default::default() };
    let two = RoundAnalysis { novelty: [(agents[1].clone(), 1.0)].into(), ..Default::default() };
    let found = trajectories(&[one, two]);
    assert_eq!(found[&agents[0]], [Some(0.4), None]);
    assert_eq!(found[&agents[1]], [None, Some(1.0)]);
}

#[test]
fn answers_that_mean_the_same_are_one_group() {
    let answers = [
        "Raise prices by 10 percent",
        "Improve onboarding for new customers",
        "Better onboarding of new customers",
        "Increase prices by ten percent",
        "Do not raise prices",
        "Lower prices by 10 percent",
        "Raise prices by 20 percent",
    ]
    .map(str::to_owned);
    let found = super::group_answers(&answers, &rebuttal_semantics::BuiltinVectors);
    let named: Vec<(&str, Vec<&str>)> = found
        .iter()
        .map(|group| (group.name.as_str(), group.others.iter().map(String::as_str).collect()))
        .collect();
    assert_eq!(
        named,
        [
            ("Raise prices by 10 percent", vec!["Increase prices by ten percent"]),
            ("Improve onboarding for new customers", vec!["Better onboarding of new customers"]),
        ]
    );
}
