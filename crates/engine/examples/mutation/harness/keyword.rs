//! What keyword rules reach on the same panels: the seed's method as it is, and every figure that can
//! be counted without reading, each with the cut that suits it best.

use std::collections::BTreeMap;

use rebuttal_detect::evidence::seed::seed_quality;
use rebuttal_detect::seed::similarity;
use rebuttal_model::{Event, Record, Turn};

use super::tally::Share;
use super::{Half, Ran};

/// The year that the age of sources is measured from.
const NOW: i32 = 2026;
/// The seed's own thresholds.
const SIMILAR: f64 = 0.7;
const SEVERE: f64 = 0.5;
const QUALITY_LEAST: f64 = 0.65;

/// What keyword rules see of a debate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    /// Whether the seed's method, with its own thresholds, steps in.
    pub(crate) steps_in: bool,
    /// Figures from which a rule could be made.
    figures: Vec<f64>,
}

/// The names of the figures.
const FIGURES: [&str; 6] = [
    "hollow severity (keywords, word overlap)",
    "evidence quality (keywords)",
    "word overlap of the answers",
    "citations per answer",
    "numbers per answer",
    "words per answer",
];

impl Surface {
    /// Of a debate's records.
    pub(crate) fn of(records: &[Record]) -> Self {
        let mut rounds: BTreeMap<u32, Vec<&Turn>> = BTreeMap::new();
        for record in records {
            if let Event::TurnTaken { turn } = &record.event {
                rounds.entry(turn.round.unwrap_or(0)).or_default().push(turn);
            }
        }
        let seen: Vec<Round> = rounds.values().map(|turns| Round::of(turns)).collect();
        let first = seen.first().copied().unwrap_or_default();
        let worst = seen.iter().map(Round::severity).fold(0.0, f64::max);
        let steps_in = seen.iter().any(Round::steps_in);
        let figures =
            vec![worst, -first.quality, first.alike, -first.cites, -first.numbers, -first.words];
        Self { steps_in, figures }
    }
}

/// A round as keyword rules see it.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    quality: f64,
    variance: f64,
    alike: f64,
    cites: f64,
    numbers: f64,
    words: f64,
}

impl Round {
    fn of(turns: &[&Turn]) -> Self {
        let quality: Vec<f64> =
            turns.iter().map(|turn| seed_quality(&turn.text, NOW).overall()).collect();
        let average = mean(&quality);
        let off: Vec<f64> = quality.iter().map(|one| (one - average).powi(2)).collect();
        let pairs = turns.iter().enumerate().flat_map(|(at, one)| {
            turns.iter().skip(at + 1).map(|two| similarity(&one.text, &two.text))
        });
        let each = |count: &dyn Fn(&str) -> usize| {
            mean(&turns.iter().map(|turn| real(count(&turn.text))).collect::<Vec<f64>>())
        };
        Self {
            quality: average,
            variance: mean(&off),
            alike: mean(&pairs.collect::<Vec<f64>>()),
            cites: each(&|text| rebuttal_text::Reading::new(text).citations().len()),
            numbers: each(&|text| rebuttal_text::Reading::new(text).quantities().len()),
            words: each(&|text| text.split_whitespace().count()),
        }
    }

    fn severity(&self) -> f64 {
        (1.0 - self.quality) * self.alike * (1.0 + self.variance)
    }

    fn steps_in(&self) -> bool {
        self.alike > SIMILAR && self.quality < QUALITY_LEAST && self.severity() >= SEVERE
    }
}

/// What a keyword rule reaches.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    pub(crate) rule: String,
    /// Killed and false alarms, for both halves.
    pub(crate) halves: [(Share, Share); 2],
}

/// What each keyword rule reaches: as it is, and with the cut that kills most at no more than this
/// share of false alarms in the development half.
pub(crate) fn reached(faults: &[Ran], healthy: &[Ran], alarms_most: f64) -> Vec<Reached> {
    let as_is = by(faults, healthy, "the seed's method with its own thresholds", |ran| {
        ran.surface.steps_in
    });
    let mut all = vec![as_is];
    for (at, name) in FIGURES.into_iter().enumerate() {
        let figure = |ran: &Ran| ran.surface.figures.get(at).copied().unwrap_or(0.0);
        let cut = best_cut(healthy, figure, alarms_most);
        all.push(by(faults, healthy, &format!("{name}, best cut"), |ran| figure(ran) > cut));
    }
    all
}

/// The lowest cut with no more than this share of alarms among the development half's sound panels.
fn best_cut(healthy: &[Ran], figure: impl Fn(&Ran) -> f64, alarms_most: f64) -> f64 {
    let shown = healthy.iter().filter(|ran| ran.panel.half == Half::Development);
    let mut values: Vec<f64> = shown.map(figure).collect();
    values.sort_by(|one, two| two.total_cmp(one));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count, rounded down"
    )]
    let allowed = (real(values.len()) * alarms_most) as usize;
    values.get(allowed).copied().unwrap_or(f64::INFINITY)
}

fn by(faults: &[Ran], healthy: &[Ran], rule: &str, fires: impl Fn(&Ran) -> bool) -> Reached {
    let share = |runs: &[Ran], half: Half| {
        Share::of(runs.iter().filter(|ran| ran.panel.half == half).map(&fires))
    };
    let halves = Half::BOTH.map(|half| (share(faults, half), share(healthy, half)));
    Reached { rule: rule.to_owned(), halves }
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / real(values.len()) }
}

fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
