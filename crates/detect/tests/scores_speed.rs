//! How long beliefs take on 300 claims, beside the plain way to compute the same, in one run.
//!
//! `cargo test --release -p rebuttal-detect --test scores_speed -- --nocapture` prints the figures; only
//! an optimised build is held to the limit.
#![expect(clippy::expect_used, reason = "a test fails loudly")]

use std::time::{Duration, Instant};

use rebuttal_detect::beliefs::{BeliefOptions, Evidence, Link, LinkKind, Live, Network, Node};
use rebuttal_model::FlipKind;

const CLAIMS: u64 = 300;
/// What one answer about 300 claims may take.
const LIMIT: Duration = Duration::from_millis(5);

/// Numbers that look random and are the same everywhere.
struct Mix(u64);

impl Mix {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) % limit.max(1)
    }

    fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.below(1 << 30)).expect("fits")) / f64::from(1 << 30)
    }
}

/// How claims are tied to each other.
#[derive(Clone, Copy)]
enum Shape {
    /// Each to one earlier claim.
    Tree,
    /// Each to three of the five before it.
    Debate,
    /// Six parts of fifty, each claim to two others of its part.
    Parts,
    /// Each to so many others anywhere.
    Tangle(u64),
}

fn network(shape: Shape, strength: f64) -> Network {
    let mut mix = Mix(7);
    let nodes = (0..CLAIMS)
        .map(|at| Node { id: format!("c{at}"), text: None, prior: 0.1 + 0.8 * mix.unit() })
        .collect();
    let mut links = Vec::new();
    for at in 1..CLAIMS {
        let others: Vec<u64> = match shape {
            Shape::Tree => vec![mix.below(at)],
            Shape::Debate => (0..3).map(|_| at - 1 - mix.below(at.min(5))).collect(),
            Shape::Parts => (0..2).map(|_| at / 50 * 50 + mix.below(50)).collect(),
            Shape::Tangle(many) => (0..many).map(|_| mix.below(CLAIMS)).collect(),
        };
        for other in others.into_iter().filter(|other| *other != at && *other < CLAIMS) {
            let kind = match mix.below(5) {
                0 => LinkKind::Contradicts,
                1 => LinkKind::DependsOn,
                _ => LinkKind::Supports,
            };
            let strength = strength * mix.unit();
            links.push(Link { from: format!("c{at}"), to: format!("c{other}"), kind, strength });
        }
    }
    Network::new(nodes, links).expect("a network")
}

/// Time this thread was on a processor: what else the machine does is not what is measured. `None`
/// where the system does not say.
fn on_processor() -> Option<Duration> {
    let file = std::fs::File::open("/proc/thread-self/schedstat").ok()?;
    let text = std::io::read_to_string(file).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// The mean over many runs, which takes the edge off a coarse clock; by the wall where there is no
/// other.
fn time<T>(mut work: impl FnMut() -> T) -> (Duration, T) {
    let (start, before) = (Instant::now(), on_processor());
    let mut found = work();
    let runs = if cfg!(debug_assertions) { 1 } else { 100 };
    for _ in 1..runs {
        found = work();
    }
    let spent = on_processor().zip(before).and_then(|(after, before)| after.checked_sub(before));
    (spent.unwrap_or_else(|| start.elapsed()) / runs, found)
}

fn held(what: &str, took: Duration) {
    assert!(cfg!(debug_assertions) || took <= LIMIT, "{what} took {took:?}, more than {LIMIT:?}");
}

#[test]
fn three_hundred_claims() {
    let options = BeliefOptions::default();
    let shapes = [
        ("tree", Shape::Tree, 1.0),
        ("debate", Shape::Debate, 1.0),
        ("six parts", Shape::Parts, 1.0),
        ("tangle of 600 weak links", Shape::Tangle(2), 0.4),
        ("tangle of 600 links", Shape::Tangle(2), 1.0),
        ("tangle of 900 links", Shape::Tangle(3), 1.0),
        ("tangle of 1,800 links", Shape::Tangle(6), 1.0),
    ];
    for (name, shape, strength) in shapes {
        let network = network(shape, strength);
        let (took, beliefs) = time(|| network.infer(&Evidence::new(), &options).expect("infers"));
        let (plain, _) =
            time(|| network.infer(&Evidence::new(), &BeliefOptions::loopy()).expect("infers"));
        let how = match (beliefs.is_exact(), beliefs.is_certified()) {
            (true, _) => "exact",
            (false, true) => "propagated, certified",
            (false, false) => "propagated, not certified",
        };
        let links = network.links().len();
        println!("{name}, {links} links: {took:?} ({how}); propagation alone {plain:?}");
        held(name, took);
    }
}

#[test]
fn a_flip_and_the_cruxes() {
    let options = BeliefOptions::default();
    let network = network(Shape::Parts, 1.0);
    let mut live = Live::new(network.clone(), options).expect("infers");
    let (flip, update) = time(|| live.flipped("c120", FlipKind::Contradiction).expect("known"));
    let (anew, _) = time(|| network.infer(&Evidence::new(), &options).expect("infers"));
    println!("a flip: {flip:?} for {} claims; all anew {anew:?}", update.touched);
    held("a flip", flip);
    let (cruxes, found) = time(|| network.cruxes(&Evidence::new(), 25, &options).expect("infers"));
    let (plainly, ()) = time(|| {
        // One claim stands for all: each costs the same two runs.
        for value in [true, false] {
            let clamped = Evidence::from([(30, value)]);
            network.infer(&clamped, &options).expect("infers");
        }
    });
    let plainly = plainly * u32::try_from(found.len()).expect("fits");
    println!("cruxes: {cruxes:?}; every claim clamped both ways {plainly:?}");
    held("cruxes", cruxes);
}
