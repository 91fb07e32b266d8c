//! Against brute force on small networks, and against each other on large ones.

use proptest::collection::vec;
use proptest::prelude::*;
use rebuttal_model::FlipKind;

use super::*;

/// A network of numbered claims.
fn network(priors: &[f64], links: &[(usize, usize, LinkKind, f64)]) -> Network {
    let node =
        |(at, prior): (usize, &f64)| Node { id: format!("c{at}"), text: None, prior: *prior };
    let link = |&(from, to, kind, strength): &(usize, usize, LinkKind, f64)| Link {
        from: format!("c{from}"),
        to: format!("c{to}"),
        kind,
        strength,
    };
    let nodes = priors.iter().enumerate().map(node).collect();
    Network::new(nodes, links.iter().map(link).collect()).expect("a network")
}

/// The definition: every way the claims can turn out, weighed by priors and potentials as they are
/// documented. Returns the weight of each way.
fn ways(network: &Network, evidence: &Evidence) -> Vec<f64> {
    let nodes = network.nodes();
    let place = |id: &str| network.find(id).expect("known");
    (0..1usize << nodes.len())
        .map(|way| {
            let holds = |claim: usize| way >> claim & 1 == 1;
            if evidence.iter().any(|(claim, given)| holds(*claim) != *given) {
                return 0.0;
            }
            let priors = nodes.iter().enumerate();
            let priors =
                priors.map(|(at, node)| if holds(at) { node.prior } else { 1.0 - node.prior });
            let links = network.links().iter().map(|link| {
                let case = match (holds(place(&link.from)), holds(place(&link.to))) {
                    (true, true) => 0,
                    (true, false) => 1,
                    (false, true) => 2,
                    (false, false) => 3,
                };
                link.kind.potential()[case].powf(link.strength)
            });
            priors.chain(links).product()
        })
        .collect()
}

/// How likely a claim is among these ways.
fn share(ways: &[f64], claim: usize) -> f64 {
    let with: f64 = (0..).zip(ways).filter(|(way, _)| way >> claim & 1 == 1).map(|(_, w)| w).sum();
    with / ways.iter().sum::<f64>()
}

fn kinds() -> impl Strategy<Value = LinkKind> {
    prop_oneof![Just(LinkKind::Supports), Just(LinkKind::Contradicts), Just(LinkKind::DependsOn)]
}

/// Any network of up to twelve claims, tangled or not, with parallel links.
fn small() -> impl Strategy<Value = Network> {
    (2usize..=12).prop_flat_map(|count| {
        let links = vec((0..count, 1..count, kinds(), 0.0..=1.0f64), 0..30);
        (vec(0.02..0.98f64, count), links).prop_map(move |(priors, links)| {
            let links: Vec<_> =
                links.into_iter().map(|(a, by, kind, s)| (a, (a + by) % count, kind, s)).collect();
            network(&priors, &links)
        })
    })
}

/// Any tree of up to sixty claims.
fn tree() -> impl Strategy<Value = Network> {
    vec((0.02..0.98f64, any::<prop::sample::Index>(), kinds(), 0.0..=1.0f64), 1..60).prop_map(
        |rows| {
            let priors: Vec<f64> = rows.iter().map(|row| row.0).collect();
            let links: Vec<_> = rows
                .iter()
                .enumerate()
                .skip(1)
                .map(|(at, (_, to, kind, strength))| (at, to.index(at), *kind, *strength))
                .collect();
            network(&priors, &links)
        },
    )
}

/// Some claims given.
fn given() -> impl Strategy<Value = Vec<(usize, bool)>> {
    vec((0usize..12, any::<bool>()), 0..4)
}

fn evidence(network: &Network, given: &[(usize, bool)]) -> Evidence {
    given.iter().map(|(claim, value)| (claim % network.nodes().len(), *value)).collect()
}

fn close(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found} is not {expected}");
}

#[test]
fn the_two_claims_everybody_can_check() {
    let network = network(&[0.6, 0.5], &[(0, 1, LinkKind::Supports, 1.0)]);
    let options = BeliefOptions::default();
    let beliefs = |given: &[(&str, bool)]| {
        let evidence = network.evidence(given).expect("known");
        network.infer(&evidence, &options).expect("possible")
    };
    let free = beliefs(&[]);
    close(free.at(0), 0.647, 1e-3);
    close(free.at(1), 0.745, 1e-3);
    close(beliefs(&[("c0", true)]).at(1), 0.909, 1e-3);
    close(beliefs(&[("c0", false)]).at(1), 0.444, 1e-3);
    assert_eq!(beliefs(&[("c0", false)]).posteriors().first(), Some(&0.0));
    assert_eq!(beliefs(&[("c0", true)]).posteriors().first(), Some(&1.0));
}

#[test]
fn without_what_it_depends_on_a_claim_falls() {
    let network = network(&[0.7, 0.5], &[(0, 1, LinkKind::DependsOn, 1.0)]);
    let posterior = |given| {
        let evidence = network.evidence(&[("c1", given)]).unwrap();
        network.infer(&evidence, &BeliefOptions::default()).unwrap().at(0)
    };
    assert!(posterior(false) < 0.15, "{}", posterior(false));
    close(posterior(true), 0.7, 1e-12);
}

#[test]
fn a_certain_prior_cannot_be_moved() {
    let links = [(0, 1, LinkKind::Contradicts, 1.0), (1, 2, LinkKind::Supports, 1.0)];
    let network = network(&[1.0, 0.0, 0.5], &links);
    let beliefs = network.infer(&Evidence::new(), &BeliefOptions::default()).unwrap();
    assert_eq!(&beliefs.posteriors()[..2], [1.0, 0.0]);
    close(beliefs.at(2), 0.4 / 0.9, 1e-12);
    let wrong = network.infer(&Evidence::from([(1, true)]), &BeliefOptions::default());
    assert!(matches!(wrong, Err(NetworkError::Impossible { .. })), "{wrong:?}");
    let settled = network.cruxes(&Evidence::new(), 0, &BeliefOptions::default());
    assert_eq!(settled, Err(NetworkError::Settled("c0".into())));
}

#[test]
fn a_thousand_voices_do_not_overflow() {
    let mut links: Vec<_> = (1..1000).map(|at| (at, 0, LinkKind::Supports, 1.0)).collect();
    links.extend((1..1000).map(|at| (at, at % 7 + 1, LinkKind::Contradicts, 1.0)));
    links.retain(|link| link.0 != link.1);
    let network = network(&vec![0.9; 1000], &links);
    let found = network.infer(&Evidence::new(), &BeliefOptions::default()).unwrap();
    assert!(found.posteriors().iter().all(|p| (0.0..=1.0).contains(p)));
    assert!(found.is_exact() && found.at(0) > 0.999);
}

#[test]
fn a_tangle_is_certified_only_while_it_is_weak() {
    let all = |strength: f64| {
        let pairs = (0..30).flat_map(|a| (0..a).map(move |b| (a, b)));
        let links: Vec<_> = pairs.map(|(a, b)| (a, b, LinkKind::Supports, strength)).collect();
        let network = network(&[0.5; 30], &links);
        network.infer(&Evidence::new(), &BeliefOptions::default()).unwrap()
    };
    let (weak, strong) = (all(0.04), all(1.0));
    assert!(!weak.is_exact() && weak.is_certified(), "{:?}", weak.parts);
    assert!(!strong.is_certified(), "{:?}", strong.parts);
}

#[test]
fn where_propagation_may_end_in_two_places_nothing_is_certified() {
    // Everybody agrees with everybody and nobody leans: both "all true" and "all false" are fixed
    // points, however the messages end up.
    let pairs = (0..24).flat_map(|a| (0..a).map(move |b| (a, b)));
    let links: Vec<_> = pairs
        .flat_map(|(a, b)| [(a, b, LinkKind::Supports, 1.0), (b, a, LinkKind::Supports, 1.0)])
        .collect();
    let network = network(&[0.3; 24], &links);
    let found = network.infer(&Evidence::new(), &BeliefOptions::default()).unwrap();
    let How::Loopy { certificate, .. } = found.parts[0].how else { panic!("{:?}", found.parts) };
    assert!(certificate.radius_bound >= 1.0 || certificate.within.is_some());
}

#[test]
fn only_the_connected_part_is_touched() {
    let mut links: Vec<_> = (1..10).map(|at| (at - 1, at, LinkKind::Supports, 0.8)).collect();
    links.extend((11..20).map(|at| (at - 1, at, LinkKind::DependsOn, 0.8)));
    let mut live = Live::new(network(&[0.6; 20], &links), BeliefOptions::default()).unwrap();
    let update = live.flipped("c12", FlipKind::Contradiction).unwrap();
    assert_eq!(update.touched, 10);
    assert_eq!(update.moved.first().map(|moved| moved.claim), Some(12));
    assert!(update.moved.iter().all(|moved| moved.claim >= 10));
    // What is given cuts the chain in two.
    assert_eq!(live.give("c4", Some(true)).unwrap().touched, 10);
    assert_eq!(live.flipped("c1", FlipKind::Retraction).unwrap().touched, 4);
    // And is not moved by a flip.
    assert_eq!(live.flipped("c4", FlipKind::Retraction).unwrap(), Update::default());
    assert!(live.set_prior("c4", 0.0).is_err(), "it was given as true");
    close(live.network().nodes()[4].prior, 0.5, 0.0);
}

#[test]
fn errors_name_what_is_wrong() {
    let node = |id: &str, prior| Node { id: id.into(), text: None, prior };
    let link = |from: &str, to: &str, strength| Link {
        from: from.into(),
        to: to.into(),
        kind: LinkKind::Supports,
        strength,
    };
    let two = || vec![node("costs-fall", 0.5), node("move", 0.5)];
    let says = |nodes, links| Network::new(nodes, links).unwrap_err().to_string();
    assert_eq!(
        says(vec![node("a", 1.5)], vec![]),
        "the prior of \"a\" is 1.5; it must be within 0 and 1"
    );
    assert!(says(vec![node("a", f64::NAN)], vec![]).contains("prior"));
    assert_eq!(says(vec![node("a", 0.5), node("a", 0.5)], vec![]), "two claims have the id \"a\"");
    assert_eq!(says(vec![node(" ", 0.5)], vec![]), "claim 1 has no id");
    assert_eq!(says(two(), vec![link("move", "move", 1.0)]), "\"move\" is linked to itself");
    let unknown = "there is no claim \"cost-fall\"; did you mean \"costs-fall\"?";
    assert_eq!(says(two(), vec![link("cost-fall", "move", 1.0)]), unknown);
    assert!(says(two(), vec![link("costs-fall", "move", 2.0)]).contains("strength"));
    let many = (0..=CLAIMS_MAX).map(|at| node(&at.to_string(), 0.5)).collect();
    assert_eq!(says(many, vec![]), "20001 claims; 20000 at most are read");
    let network = Network::new(two(), vec![]).unwrap();
    let both = network.evidence(&[("move", true), ("move", false)]);
    assert_eq!(both, Err(NetworkError::Both("move".into())));
}

#[test]
fn the_conclusion_is_what_nothing_is_built_on() {
    let conclusion = |links: &[_]| network(&[0.5; 4], links).conclusion();
    let supports = |from, to| (from, to, LinkKind::Supports, 1.0);
    assert_eq!(conclusion(&[supports(0, 3), supports(1, 3), supports(2, 1)]), Some(3));
    assert_eq!(conclusion(&[supports(0, 1), (2, 1, LinkKind::DependsOn, 1.0)]), Some(2));
    assert_eq!(conclusion(&[supports(0, 1), supports(2, 3)]), None);
    assert_eq!(conclusion(&[supports(0, 1), supports(1, 0)]), None);
}

#[test]
fn a_hundred_links_between_two_claims_add_up() {
    let links: Vec<_> = (0..100)
        .flat_map(|_| [(0, 1, LinkKind::Supports, 1.0), (2, 1, LinkKind::Contradicts, 1.0)])
        .chain([(0, 2, LinkKind::Supports, 1.0)])
        .collect();
    let network = network(&[0.6, 0.5, 0.4], &links);
    for options in [BeliefOptions::default(), BeliefOptions::loopy()] {
        let found = network.infer(&Evidence::from([(2, false)]), &options).unwrap();
        let ways = ways(&network, &Evidence::from([(2, false)]));
        for claim in 0..2 {
            close(found.at(claim), share(&ways, claim), 1e-9);
        }
    }
    let found = network.infer(&Evidence::new(), &BeliefOptions::default()).unwrap();
    let ways = ways(&network, &Evidence::new());
    for claim in 0..3 {
        close(found.at(claim), share(&ways, claim), 1e-9);
    }
}

proptest! {
    #[test]
    fn exact_is_brute_force(network in small(), given in given()) {
        let evidence = evidence(&network, &given);
        let found = network.infer(&evidence, &BeliefOptions::default()).unwrap();
        let ways = ways(&network, &evidence);
        prop_assert!(found.is_exact());
        for claim in 0..network.nodes().len() {
            close(found.at(claim), share(&ways, claim), 1e-9);
        }
    }

    #[test]
    fn cruxes_are_what_clamping_each_claim_gives(network in small()) {
        let options = BeliefOptions::default();
        for crux in network.cruxes(&Evidence::new(), 0, &options).unwrap() {
            for (value, found) in [(true, crux.if_true), (false, crux.if_false)] {
                let clamped = Evidence::from([(crux.claim, value)]);
                close(found, network.infer(&clamped, &options).unwrap().at(0), 1e-9);
            }
        }
    }

    #[test]
    fn bounds_hold_the_truth(network in small(), given in given()) {
        let evidence = evidence(&network, &given);
        let ways = ways(&network, &evidence);
        for claim in 0..network.nodes().len() {
            let bounds = network.bounds(&evidence, claim).unwrap();
            let truth = share(&ways, claim);
            prop_assert!(bounds.low - 1e-9 <= truth && truth <= bounds.high + 1e-9, "{bounds:?} {truth}");
        }
    }

    #[test]
    fn propagation_is_exact_on_trees(network in tree(), given in given()) {
        let evidence = evidence(&network, &given);
        let exact = network.infer(&evidence, &BeliefOptions::default()).unwrap();
        let loopy = network.infer(&evidence, &BeliefOptions::loopy()).unwrap();
        prop_assert!(exact.is_exact());
        for part in &loopy.parts {
            prop_assert!(part.how.is_certified(), "{:?}", part.how);
        }
        for claim in 0..network.nodes().len() {
            close(loopy.at(claim), exact.at(claim), 1e-7);
        }
    }

    #[test]
    fn what_is_certified_is_where_it_would_end(network in small()) {
        let found = network.infer(&Evidence::new(), &BeliefOptions::loopy()).unwrap();
        // Other ways to the fixed point: damped from the start, and not nearly as far.
        let options = BeliefOptions { sweeps_max: 4000, damping: 0.3, tolerance: 1e-13, ..BeliefOptions::loopy() };
        let other = network.infer(&Evidence::new(), &options).unwrap();
        for part in &found.parts {
            let How::Loopy { certificate: Certificate { within: Some(within), .. }, .. } = part.how
            else { continue };
            for &claim in &part.claims {
                close(found.at(claim), other.at(claim), within + 1e-9);
            }
        }
    }

    #[test]
    fn keeping_up_is_computing_anew(
        network in small(),
        changes in vec((0usize..12, 0.05..0.95f64, 0u8..4), 1..8),
    ) {
        let mut live = Live::new(network, BeliefOptions::default()).unwrap();
        let mut evidence = Evidence::new();
        for (claim, prior, what) in changes {
            let claim = claim % live.network().nodes().len();
            let id = live.network().id(claim).to_owned();
            match what {
                0 => live.give(&id, None).map(|_| evidence.remove(&claim)).unwrap(),
                1 => live.give(&id, Some(prior < 0.5)).map(|_| evidence.insert(claim, prior < 0.5)).unwrap(),
                2 => live.flipped(&id, FlipKind::Qualification).map(|_| None).unwrap(),
                _ => live.set_prior(&id, prior).map(|_| None).unwrap(),
            };
            let anew = live.network().infer(&evidence, &BeliefOptions::default()).unwrap();
            for claim in 0..anew.posteriors().len() {
                close(live.beliefs().at(claim), anew.at(claim), 1e-12);
            }
            prop_assert_eq!(live.beliefs().parts.len(), anew.parts.len());
        }
    }
}
