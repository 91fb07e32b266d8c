//! Shares with their intervals, and all that is counted over the panels.

use rebuttal_model::InterventionKind;

use super::keyword::{Reached, reached};
use super::sight::Sight;
use super::{Half, Kind, Ran};

/// The most false alarms that a rule may make, as a share of the sound panels.
pub(crate) const ALARMS_MOST: f64 = 0.05;
/// The least share of faults that should be killed.
pub(crate) const KILLS_LEAST: f64 = 0.90;
/// 95 % of a normal distribution lie within so many deviations.
const Z: f64 = 1.96;

/// A count of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Share {
    pub(crate) hits: u32,
    pub(crate) all: u32,
}

impl Share {
    /// The share of those that hold.
    pub(crate) fn of(hits: impl Iterator<Item = bool>) -> Self {
        hits.fold(Self::default(), |Self { hits, all }, hit| Self {
            hits: hits + u32::from(hit),
            all: all + 1,
        })
    }

    /// As a number; 0 of none.
    pub(crate) fn value(self) -> f64 {
        if self.all == 0 { 0.0 } else { f64::from(self.hits) / f64::from(self.all) }
    }

    /// The 95 % interval after Wilson.
    pub(crate) fn interval(self) -> (f64, f64) {
        if self.all == 0 {
            return (0.0, 1.0);
        }
        let (n, rate) = (f64::from(self.all), self.value());
        let scale = 1.0 + Z * Z / n;
        let centre = (rate + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
        ((centre - half).max(0.0), (centre + half).min(1.0))
    }
}

/// All interventions, in the order of the seed.
pub(crate) const ACTS: [(InterventionKind, &str); 7] = [
    (InterventionKind::Challenge, "challenge"),
    (InterventionKind::Role, "role"),
    (InterventionKind::ExtraRound, "extra round"),
    (InterventionKind::Breakpoint, "breakpoint"),
    (InterventionKind::EvidenceGap, "evidence gap"),
    (InterventionKind::EchoChamber, "echo chamber"),
    (InterventionKind::Novelty, "novelty"),
];

/// What one kind of panel came to.
#[derive(Clone, Debug)]
pub(crate) struct KindRow {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// Killed, in each half; for sound panels, alarms.
    pub(crate) killed: [Share; 2],
    /// Seen by a detector that should see it; for sound panels, by any.
    pub(crate) seen: [Share; 2],
    /// What each detector saw, over both halves.
    pub(crate) sights: Vec<Share>,
}

/// What one detector or intervention came to.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The share of faults it should see or meet that it did, in each half.
    pub(crate) kills: [Share; 2],
    /// The share of sound panels in which it fired, in each half.
    pub(crate) alarms: [Share; 2],
    /// In how many panels it fired at all.
    pub(crate) fired: u32,
}

/// Whether challenges change a debate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Course {
    /// Of the faulty panels that were stepped into, those that went another way than without.
    pub(crate) turned: Share,
    /// Of those who listen, panels whose evidence was better at the end than when first challenged.
    pub(crate) better: Share,
    /// How many of those who do not listen.
    pub(crate) stubborn: Share,
}

/// All that was measured.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) faults: Vec<KindRow>,
    pub(crate) healthy: Vec<KindRow>,
    pub(crate) detectors: Vec<Row>,
    pub(crate) acts: Vec<Row>,
    pub(crate) keywords: Vec<Reached>,
    pub(crate) course: Course,
    /// Killed, seen, stepped into without reason, alarmed without reason, in each half.
    pub(crate) killed: [Share; 2],
    pub(crate) seen: [Share; 2],
    pub(crate) stepped_in: [Share; 2],
    pub(crate) alarmed: [Share; 2],
}

/// Measures all panels that were run.
pub(crate) fn measure(faults: &[Ran], healthy: &[Ran]) -> Measured {
    Measured {
        faults: rows(faults),
        healthy: rows(healthy),
        detectors: Sight::ALL.into_iter().map(|sight| detector(sight, faults, healthy)).collect(),
        acts: ACTS.into_iter().map(|act| intervention(act, faults, healthy)).collect(),
        keywords: reached(faults, healthy, ALARMS_MOST),
        course: course(faults),
        killed: halves(faults, Ran::is_killed),
        seen: halves(faults, Ran::is_seen),
        stepped_in: halves(healthy, |ran| !ran.seen.acts.is_empty()),
        alarmed: halves(healthy, Ran::is_alarmed),
    }
}

fn halves<'r>(
    runs: impl IntoIterator<Item = &'r Ran>,
    is_hit: impl Fn(&Ran) -> bool,
) -> [Share; 2] {
    let mut shares = [Share::default(); 2];
    for ran in runs {
        let [shown, held_out] = &mut shares;
        let share = if ran.panel.half == Half::HeldOut { held_out } else { shown };
        share.hits += u32::from(is_hit(ran));
        share.all += 1;
    }
    shares
}

fn rows(runs: &[Ran]) -> Vec<KindRow> {
    let mut kinds: Vec<Kind> = Vec::new();
    for ran in runs {
        if !kinds.iter().any(|kind| kind.name == ran.panel.kind.name) {
            kinds.push(ran.panel.kind);
        }
    }
    let row = |kind: Kind| {
        let own: Vec<&Ran> = runs.iter().filter(|ran| ran.panel.kind.name == kind.name).collect();
        let fault = kind.is_fault();
        let sights = Sight::ALL
            .into_iter()
            .map(|sight| Share::of(own.iter().map(|ran| ran.seen.sights.contains(&sight))));
        let any = |ran: &Ran| ran.seen.sights.iter().any(|sight| *sight != Sight::StatedFlip);
        let own_sight = |ran: &Ran| if fault { ran.is_seen() } else { any(ran) };
        let killed = if fault { Ran::is_killed } else { Ran::is_alarmed };
        KindRow {
            name: kind.name,
            what: kind.what,
            killed: halves(own.iter().copied(), killed),
            seen: halves(own.iter().copied(), own_sight),
            sights: sights.collect(),
        }
    };
    kinds.into_iter().map(row).collect()
}

fn detector(sight: Sight, faults: &[Ran], healthy: &[Ran]) -> Row {
    let saw = |ran: &Ran| ran.seen.sights.contains(&sight);
    let own = faults.iter().filter(|ran| ran.panel.kind.seen_by.contains(&sight));
    let fired = Share::of(faults.iter().chain(healthy).map(saw)).hits;
    Row { name: sight.name(), kills: halves(own, saw), alarms: halves(healthy, saw), fired }
}

fn intervention(
    (act, name): (InterventionKind, &'static str),
    faults: &[Ran],
    healthy: &[Ran],
) -> Row {
    let did = |ran: &Ran| ran.seen.acts.contains(&act);
    let own = faults.iter().filter(|ran| ran.panel.kind.met_by.contains(&act));
    let fired = Share::of(faults.iter().chain(healthy).map(did)).hits;
    Row { name, kills: halves(own, did), alarms: halves(healthy, did), fired }
}

fn course(faults: &[Ran]) -> Course {
    let acted: Vec<&Ran> = faults.iter().filter(|ran| !ran.seen.acts.is_empty()).collect();
    let better = |ran: &&Ran| {
        let quality = &ran.seen.quality;
        quality.first().zip(quality.last()).is_some_and(|(first, last)| last > first)
    };
    let of = |listens: bool| {
        let own = acted.iter().filter(|ran| ran.panel.listens() == listens);
        Share::of(own.map(better))
    };
    Course {
        turned: Share::of(acted.iter().map(|ran| ran.has_turned())),
        better: of(true),
        stubborn: of(false),
    }
}
