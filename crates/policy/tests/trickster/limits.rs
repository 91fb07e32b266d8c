//! No limit is ever exceeded, whatever the rounds look like.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rebuttal_model::{
    AgentId, Intervention, InterventionKind as Kind, PanelRole, RoundAnalysis, TricksterConfig,
};
use rebuttal_policy::trickster::{Allowance, Context, choose, is_challenge};

use crate::kit::{chosen, done, echo, gap, id, panel, round};

#[test]
fn twenty_rounds_of_the_same_unsupported_claim_get_five_interventions() {
    let default = TricksterConfig::default();
    for config in [
        default,
        TricksterConfig::strict(),
        TricksterConfig { enable_breakpoints: false, ..default },
        TricksterConfig { enable_challenge_prompts: false, ..default },
        TricksterConfig { enable_role_assignment: false, ..default },
        TricksterConfig { max_challenges_per_round: 1, ..default },
        TricksterConfig { intervention_cooldown_rounds: 3, ..default },
    ] {
        let mut past = Vec::new();
        for number in 0..20 {
            let mut analysis = round(number, 1.0, &[("a", 0.0), ("b", 0.0)]);
            analysis.gaps = vec![gap("It is the best way for everyone.", &["a", "b"])];
            let now = chosen(&config, &analysis, &past, 20 - number);
            past.extend(now);
        }
        assert_eq!(past.len(), 5, "{config:?}: {past:?}");
    }
}

#[test]
fn a_gap_alone_is_challenged_five_times_and_no_more() {
    let mut past = Vec::new();
    for number in 0..20 {
        let mut analysis = round(number, 0.9, &[("a", 0.36), ("b", 0.38), ("c", 0.95)]);
        analysis.gaps = vec![gap("It is the best way for everyone.", &["a", "b"])];
        past.extend(chosen(&TricksterConfig::default(), &analysis, &past, 20 - number));
    }
    assert!(past.iter().all(|one| one.kind == Kind::EvidenceGap));
    assert_eq!(past.len(), 5);
}

#[test]
fn the_cooldown_counts_from_the_last_round_acted_on() {
    let config = TricksterConfig { intervention_cooldown_rounds: 3, ..TricksterConfig::default() };
    let past = [done(Kind::Challenge, 5), done(Kind::Role, 2)];
    let may = |round| Allowance::after(&config, &past, round) != Allowance::NONE;
    assert_eq!([4, 5, 6, 7, 8, 9].map(may), [false, false, false, false, true, true]);
    let hot = TricksterConfig { intervention_cooldown_rounds: 0, ..config };
    let left = Allowance::after(&hot, &past, 5);
    assert_eq!((left.interventions, left.challenges), (3, 2));
}

/// Any settings within their range, with small counts so that limits are met.
fn any_config() -> impl Strategy<Value = TricksterConfig> {
    let shares = prop::array::uniform6(0.0..=1.0_f64);
    let counts = (0..4_u32, 0..4_u32, 0..7_u32, 0..3_u32);
    (shares, counts, prop::array::uniform4(any::<bool>())).prop_map(|(shares, counts, on)| {
        TricksterConfig {
            min_quality_threshold: shares[0],
            hollow_detection_threshold: shares[1],
            convergence_threshold: shares[2],
            redundancy_threshold: shares[3],
            novelty_threshold: shares[4],
            breakpoint_severity: shares[5],
            intervention_cooldown_rounds: counts.0,
            max_challenges_per_round: counts.1,
            max_interventions_total: counts.2,
            extension_rounds: counts.3,
            enable_challenge_prompts: on[0],
            enable_role_assignment: on[1],
            enable_extended_rounds: on[2],
            enable_breakpoints: on[3],
            ..TricksterConfig::default()
        }
    })
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Any round of up to four agents, most of them in trouble of some kind.
fn any_round() -> impl Strategy<Value = RoundAnalysis> {
    let qualities = prop::collection::vec(0.0..=1.0_f64, 1..5);
    let novelty = prop::collection::vec(0.0..=1.0_f64, 0..5);
    let gaps = prop::collection::vec((1..5_usize, ".{0,40}"), 0..3);
    let echo_of = prop::option::of(0.0..=1.0_f64);
    let odd = (any::<bool>(), any::<bool>(), 0..5_usize, prop::option::of(Just(f64::NAN)));
    (qualities, 0.0..=1.0_f64, novelty, gaps, echo_of, odd).prop_map(
        |(qualities, alike, novelty, gaps, echo_of, (detected, silent, unjudged, nan))| {
            let named: Vec<(&str, f64)> = NAMES.into_iter().zip(qualities).collect();
            let mut analysis = round(0, alike, &named);
            let alert = analysis.hollow.as_mut().unwrap();
            alert.detected = detected;
            alert.severity = nan.unwrap_or(alert.severity);
            if silent {
                analysis.hollow = None;
            }
            analysis.novelty = NAMES.map(id).into_iter().zip(novelty).collect();
            analysis.gaps =
                gaps.iter().map(|(count, claim)| gap(claim, &NAMES[..*count])).collect();
            analysis.echo = echo_of.map(|redundancy| echo(redundancy, &NAMES[..2]));
            analysis.not_judged =
                NAMES[..unjudged.min(4)].iter().map(|name| (id(name), String::new())).collect();
            analysis
        },
    )
}

/// What one round's choice must keep, beside the limits over all rounds.
fn keeps_its_word(now: &[Intervention], config: &TricksterConfig, left: u32, members: &[AgentId]) {
    let has = |kind: Kind| now.iter().any(|one| one.kind == kind);
    let extended = has(Kind::ExtraRound);
    let challenges = now.iter().filter(|one| is_challenge(one.kind)).count();
    assert!(challenges <= config.max_challenges_per_round as usize, "{now:?}");
    assert!(!has(Kind::Breakpoint) || now.len() == 1, "{now:?}");
    assert!(!extended || (left == 0 && (has(Kind::Role) || has(Kind::Challenge))), "{now:?}");
    assert!(left > 0 || extended || now.iter().all(|one| one.kind == Kind::Breakpoint), "{now:?}");
    assert!(!has(Kind::Novelty) || now.len() == 1, "{now:?}");
    assert!(now.windows(2).all(|pair| pair[0].priority >= pair[1].priority), "{now:?}");
    for one in now {
        let on = match one.kind {
            Kind::Role => config.enable_role_assignment,
            Kind::ExtraRound => config.enable_extended_rounds,
            Kind::Breakpoint => config.enable_breakpoints,
            _ => config.enable_challenge_prompts,
        };
        assert!(on, "{one:?}");
        assert!((0.0..=1.0).contains(&one.priority), "{one:?}");
        assert!(one.targets.iter().all(|agent| members.contains(agent)), "{one:?}");
        assert_eq!(one.role, (one.kind == Kind::Role).then_some(PanelRole::QualityChallenger));
        assert_eq!(one.extra_rounds > 0, one.kind == Kind::ExtraRound);
        assert!(one.text.starts_with("## ") && one.text.len() < 8_000, "{}", one.text);
        assert!(!one.reason.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn limits_hold_over_any_debate(
        config in any_config(),
        rounds in prop::collection::vec((any_round(), 0..3_u32), 1..14),
    ) {
        let members = panel(&NAMES);
        let mut past: Vec<Intervention> = Vec::new();
        for (number, (mut analysis, left)) in (0..).zip(rounds) {
            analysis.round = number;
            let ctx = Context::new(number, left, &members);
            let now = choose(&config, &analysis, &past, &ctx);
            prop_assert_eq!(&now, &choose(&config, &analysis, &past, &ctx));
            keeps_its_word(&now, &config, left, &members);
            past.extend(now);
        }
        prop_assert!(past.len() <= config.max_interventions_total as usize);
        let acted: BTreeMap<u32, usize> =
            past.iter().fold(BTreeMap::new(), |mut rounds, one| {
                *rounds.entry(one.round).or_default() += 1;
                rounds
            });
        let numbers: Vec<u32> = acted.into_keys().collect();
        for pair in numbers.windows(2) {
            prop_assert!(pair[1] - pair[0] >= config.intervention_cooldown_rounds);
        }
    }

    #[test]
    fn asked_again_for_the_same_round_nothing_is_added(
        config in any_config(),
        analysis in any_round(),
    ) {
        let config = TricksterConfig {
            intervention_cooldown_rounds: config.intervention_cooldown_rounds.max(1),
            ..config
        };
        let members = panel(&NAMES);
        let ctx = Context::new(0, 2, &members);
        let first = choose(&config, &analysis, &[], &ctx);
        if !first.is_empty() {
            prop_assert_eq!(choose(&config, &analysis, &first, &ctx), vec![]);
        }
    }
}
