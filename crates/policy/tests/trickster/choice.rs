//! Which intervention follows from which round: every rung of the ladder, and every silence.

use rebuttal_model::{InterventionKind as Kind, PanelRole, RoundAnalysis, TricksterConfig};
use rebuttal_policy::trickster::{Context, choose};

use crate::kit::{chosen, done, echo, gap, id, kinds, panel, round};

fn config() -> TricksterConfig {
    TricksterConfig::default()
}

/// Hollow, severity .72: acted on, but no case for a person.
fn hollow(number: u32) -> RoundAnalysis {
    round(number, 0.9, &[("a", 0.1), ("b", 0.2), ("c", 0.3)])
}

#[test]
fn the_ladder_goes_from_role_to_challenge_to_an_extra_round() {
    let mut past = Vec::new();
    let first = chosen(&config(), &hollow(0), &past, 2);
    assert_eq!(kinds(&first), [Kind::Role]);
    assert_eq!(
        (first[0].role, &first[0].targets),
        (Some(PanelRole::QualityChallenger), &panel(&["c"]))
    );
    past.extend(first);
    let second = chosen(&config(), &hollow(1), &past, 1);
    assert_eq!(kinds(&second), [Kind::Challenge]);
    assert_eq!(second[0].targets, panel(&["a", "b", "c"]));
    past.extend(second);
    let third = chosen(&config(), &hollow(2), &past, 0);
    assert_eq!(kinds(&third), [Kind::ExtraRound, Kind::Challenge]);
    assert_eq!((third[0].extra_rounds, third[1].extra_rounds), (1, 0));
    assert!(third[0].targets.is_empty());
}

#[test]
fn a_severe_case_goes_to_a_person_once_and_again_after_a_challenge() {
    let severe = |number| round(number, 0.98, &[("a", 0.02), ("b", 0.05)]);
    let mut past = Vec::new();
    let mut seen = Vec::new();
    for number in 0..4 {
        let now = chosen(&config(), &severe(number), &past, 9 - number);
        seen.push(kinds(&now));
        past.extend(now);
    }
    let expected = [Kind::Breakpoint, Kind::Role, Kind::Challenge, Kind::Breakpoint];
    assert_eq!(seen, expected.map(|kind| vec![kind]));
    assert_eq!(past[0].targets, panel(&["a", "b"]));
}

#[test]
fn a_breakpoint_stands_alone() {
    let mut severe = round(3, 0.98, &[("a", 0.02), ("b", 0.05)]);
    severe.gaps = vec![gap("It scales.", &["a", "b"])];
    severe.echo = Some(echo(0.9, &["a", "b"]));
    severe.novelty = [(id("a"), 0.0)].into();
    assert_eq!(kinds(&chosen(&config(), &severe, &[], 3)), [Kind::Breakpoint]);
}

#[test]
fn without_breakpoints_a_severe_case_is_challenged() {
    let severe = round(0, 0.98, &[("a", 0.02), ("b", 0.05)]);
    let off = TricksterConfig { enable_breakpoints: false, ..config() };
    assert_eq!(kinds(&chosen(&off, &severe, &[], 3)), [Kind::Role]);
    let off = TricksterConfig { enable_role_assignment: false, ..off };
    assert_eq!(kinds(&chosen(&off, &severe, &[], 3)), [Kind::Challenge]);
    let off = TricksterConfig { enable_challenge_prompts: false, ..off };
    assert_eq!(kinds(&chosen(&off, &severe, &[], 3)), []);
}

#[test]
fn an_extra_round_never_comes_without_something_to_say_in_it() {
    let silent = TricksterConfig {
        enable_challenge_prompts: false,
        enable_role_assignment: false,
        ..config()
    };
    assert_eq!(kinds(&chosen(&silent, &hollow(2), &[], 0)), []);
    // One intervention left: neither the round nor the challenge does any good alone.
    let nearly = TricksterConfig { max_interventions_total: 2, ..config() };
    assert_eq!(kinds(&chosen(&nearly, &hollow(2), &[done(Kind::Role, 0)], 0)), []);
    for off in [
        TricksterConfig { enable_extended_rounds: false, ..config() },
        TricksterConfig { extension_rounds: 0, ..config() },
    ] {
        assert_eq!(kinds(&chosen(&off, &hollow(2), &[], 0)), []);
    }
}

#[test]
fn no_debate_grows_beyond_the_longest() {
    let long = TricksterConfig { extension_rounds: 9, ..config() };
    let last = chosen(&long, &hollow(48), &[], 0);
    assert_eq!(last[0].extra_rounds, 2);
    assert_eq!(kinds(&chosen(&long, &hollow(50), &[], 0)), []);
}

#[test]
fn the_challenger_is_the_best_supported_who_is_free() {
    let round = round(0, 0.9, &[("a", 0.1), ("b", 0.3), ("c", 0.3)]);
    let agents = panel(&["c", "b", "a"]);
    let ctx = Context::new(0, 2, &agents);
    assert_eq!(choose(&config(), &round, &[], &ctx)[0].targets, panel(&["c"]));
    let taken = id("c");
    let ctx = Context { synthesizer: Some(&taken), ..ctx };
    assert_eq!(choose(&config(), &round, &[], &ctx)[0].targets, panel(&["b"]));
}

#[test]
fn where_only_roles_are_allowed_the_role_goes_round() {
    let only = TricksterConfig {
        enable_challenge_prompts: false,
        enable_breakpoints: false,
        max_interventions_total: 4,
        ..config()
    };
    let mut past = Vec::new();
    for number in 0..9 {
        let now = chosen(&only, &hollow(number), &past, 9);
        past.extend(now);
    }
    let targets: Vec<_> = past.iter().map(|one| one.targets[0].as_str()).collect();
    assert_eq!(targets, ["c", "b", "a", "c"]);
}

#[test]
fn gaps_and_echoes_go_beside_a_role_and_into_a_challenge() {
    let mut round = hollow(1);
    round.gaps = vec![gap("It scales.", &["a", "b"]), gap("It is cheap.", &["b", "c"])];
    round.echo = Some(echo(0.85, &["a", "b"]));
    let first = chosen(&config(), &round, &[], 2);
    assert_eq!(kinds(&first), [Kind::EchoChamber, Kind::Role, Kind::EvidenceGap]);
    assert_eq!(first[2].targets, panel(&["a", "b", "c"]));
    assert!((first[2].priority - 2.0 / 3.0).abs() < 1e-9);
    let then = chosen(&config(), &round, &[done(Kind::Role, 0)], 2);
    assert_eq!(kinds(&then), [Kind::Challenge]);
    assert!(then[0].text.contains("It is cheap."), "{}", then[0].text);
    assert!(then[0].text.contains("85% of 15 citations"), "{}", then[0].text);
}

#[test]
fn gaps_and_echoes_need_an_agreement_and_thin_evidence() {
    let with = |alike: f64, qualities: &[(&str, f64)]| {
        let mut round = round(1, alike, qualities);
        round.gaps = vec![gap("It scales.", &["a", "b"])];
        round
    };
    let thin = [("a", 0.38), ("b", 0.4)];
    assert_eq!(kinds(&chosen(&config(), &with(0.8, &thin), &[], 1)), [Kind::EvidenceGap]);
    assert_eq!(kinds(&chosen(&config(), &with(0.7, &thin), &[], 1)), []);
    assert_eq!(kinds(&chosen(&config(), &with(0.8, &[("a", 0.7), ("b", 0.8)]), &[], 1)), []);
    // Nobody could answer any more.
    assert_eq!(kinds(&chosen(&config(), &with(0.8, &thin), &[], 0)), []);
    let mut echoing = round(0, 0.3, &[("a", 0.7), ("b", 0.8)]);
    echoing.echo = Some(echo(0.7, &["a", "b"]));
    assert_eq!(kinds(&chosen(&config(), &echoing, &[], 1)), []);
    echoing.echo = Some(echo(0.71, &["a", "b"]));
    assert_eq!(kinds(&chosen(&config(), &echoing, &[], 1)), [Kind::EchoChamber]);
    // Who was convinced by a source cites it: no echo, where there is evidence.
    echoing.round = 1;
    assert_eq!(kinds(&chosen(&config(), &echoing, &[], 1)), []);
}

#[test]
fn both_sides_that_only_repeat_themselves_are_asked_for_something_new() {
    let mut round = round(1, 0.3, &[("a", 0.8), ("b", 0.9)]);
    round.novelty = [(id("a"), 0.05), (id("b"), 0.1)].into();
    assert_eq!(kinds(&chosen(&config(), &round, &[], 1)), [Kind::Novelty]);
    round.novelty = [(id("a"), 0.05), (id("b"), 0.5)].into();
    assert_eq!(kinds(&chosen(&config(), &round, &[], 1)), [], "one of them brings something");
}

#[test]
fn novelty_is_asked_of_those_who_bring_neither_news_nor_evidence() {
    let mut stale = round(1, 0.8, &[("a", 0.5), ("b", 0.6), ("c", 0.9)]);
    stale.novelty = [(id("a"), 0.05), (id("b"), 0.4), (id("c"), 0.0)].into();
    let now = chosen(&config(), &stale, &[], 1);
    assert_eq!(kinds(&now), [Kind::Novelty]);
    assert_eq!(now[0].targets, panel(&["a"]));
    assert!((now[0].priority - 0.95).abs() < 1e-9);
    // In the blind round nothing was said before; in a disagreement holding on is no fault.
    stale.round = 0;
    assert_eq!(kinds(&chosen(&config(), &stale, &[], 1)), []);
    (stale.round, stale.convergence) = (1, Some(0.3));
    assert_eq!(kinds(&chosen(&config(), &stale, &[], 1)), []);
}

#[test]
fn who_is_asked_for_evidence_is_not_sent_for_ideas() {
    let mut round = hollow(1);
    round.novelty = [(id("a"), 0.0)].into();
    assert_eq!(kinds(&chosen(&config(), &round, &[], 1)), [Kind::Role]);
}

#[test]
fn honest_panels_are_left_alone() {
    let supported = [("a", 0.8), ("b", 0.75), ("c", 0.9)];
    let mut agreement = round(2, 0.95, &supported);
    agreement.novelty = supported.iter().map(|(name, _)| (id(name), 0.0)).collect();
    agreement.gaps = vec![gap("An assumption they share.", &["a", "b"])];
    let mut disagreement = round(2, 0.3, &[("a", 0.2), ("b", 0.3)]);
    disagreement.gaps = vec![gap("A premise they share.", &["a", "b"])];
    disagreement.echo = Some(echo(0.9, &["a", "b"]));
    disagreement.novelty = [(id("a"), 0.0)].into();
    for strictness in [config(), TricksterConfig::strict(), TricksterConfig::brainstorming()] {
        for quiet in [&agreement, &disagreement, &RoundAnalysis::default()] {
            for left in [0, 2] {
                assert_eq!(kinds(&chosen(&strictness, quiet, &[], left)), []);
            }
        }
    }
}

#[test]
fn an_alert_below_the_threshold_is_not_acted_on() {
    // .45 at .55 quality and .9 likeness less a little: between strict (.4) and default (.5).
    let mild = round(0, 0.9, &[("a", 0.5), ("b", 0.55)]);
    assert!((0.4..0.5).contains(&mild.hollow.as_ref().unwrap().severity));
    assert_eq!(kinds(&chosen(&config(), &mild, &[], 2)), []);
    assert_eq!(kinds(&chosen(&TricksterConfig::strict(), &mild, &[], 2)), [Kind::Role]);
}

#[test]
fn what_was_weighed_and_found_sound_is_not_acted_on_however_high_its_number() {
    let mut cleared = hollow(0);
    cleared.hollow.as_mut().unwrap().detected = false;
    assert_eq!(kinds(&chosen(&config(), &cleared, &[], 2)), []);
}

#[test]
fn who_could_not_be_judged_is_never_a_target() {
    let mut round = hollow(1);
    round.not_judged = [(id("c"), "not English".to_owned()), (id("d"), "empty".to_owned())].into();
    round.novelty = [(id("c"), 0.0), (id("d"), 0.0)].into();
    let role = chosen(&config(), &round, &[], 2);
    assert_eq!((kinds(&role), &role[0].targets), (vec![Kind::Role], &panel(&["b"])));
    let challenge = chosen(&config(), &round, &[done(Kind::Role, 0)], 2);
    assert_eq!(challenge[0].targets, panel(&["a", "b"]));
    round.hollow = None;
    assert_eq!(kinds(&chosen(&config(), &round, &[], 2)), []);
}

#[test]
fn five_hundred_agents_are_a_panel_too() {
    let names: Vec<String> = (0..500).map(|number| format!("agent-{number}")).collect();
    let all: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 0.1)).collect();
    let members: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut round = round(1, 0.85, &all);
    round.gaps = (0..500).map(|number| gap(&format!("Claim {number}."), &members)).collect();
    let now = chosen(&config(), &round, &[done(Kind::Role, 0)], 2);
    assert_eq!((kinds(&now), now[0].targets.len()), (vec![Kind::Challenge], 500));
    assert!(now[0].text.len() < 6_000, "{} bytes", now[0].text.len());
    assert!(now[0].text.contains("and 488 more agents"), "{}", now[0].text);
}

#[test]
fn who_stands_against_a_hollow_majority_with_better_evidence_owes_nothing() {
    let mut seen = round(1, 0.4, &[("a", 0.1), ("b", 0.12), ("c", 0.08), ("against", 0.5)]);
    let alert = seen.hollow.as_mut().unwrap();
    (alert.detected, alert.severity, alert.avg_quality) = (true, 0.7, 0.1);
    seen.one_answer = Some(0.75);
    let past = [done(Kind::Role, 0)];
    let now = chosen(&config(), &seen, &past, 1);
    assert_eq!(kinds(&now), [Kind::Challenge]);
    assert_eq!(
        now[0].targets,
        panel(&["a", "b", "c"]),
        "the one with evidence is not asked for it"
    );
    // Where all give one answer, all who are below what is asked for are; so they were in journals
    // from before.
    for share in [Some(1.0), None] {
        seen.one_answer = share;
        assert_eq!(chosen(&config(), &seen, &past, 1)[0].targets.len(), 4);
    }
}
