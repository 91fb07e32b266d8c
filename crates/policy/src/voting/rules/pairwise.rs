//! Rules that hold every option against every other: Copeland, Schulze, ranked pairs.

use super::ranks::weakest_support;
use super::{Tally, named};
use crate::voting::count::{Count, real};
use rebuttal_text::MOST_OPTIONS as MOST;

/// A number for every pair of options.
#[derive(Clone)]
struct Grid<T> {
    size: usize,
    cells: Vec<T>,
}

impl<T: Copy + Default> Grid<T> {
    fn new(size: usize, cell: impl Fn(usize, usize) -> T) -> Self {
        let cells = (0..size * size).map(|at| cell(at / size, at % size)).collect();
        Self { size, cells }
    }

    fn get(&self, row: usize, column: usize) -> T {
        self.cells.get(row * self.size + column).copied().unwrap_or_default()
    }

    fn set(&mut self, row: usize, column: usize, value: T) {
        if let Some(cell) = self.cells.get_mut(row * self.size + column) {
            *cell = value;
        }
    }
}

/// By how many ballots one option is above another; negative when below.
fn margins(count: &Count) -> Grid<i64> {
    Grid::new(count.names.len(), |one, two| {
        let lead = |cast: &crate::voting::count::Cast| match cast.rank(one).cmp(&cast.rank(two)) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => -1,
        };
        count.casts.iter().map(lead).sum()
    })
}

/// What comes of a count that cannot be held pair against pair.
fn unfit(count: &Count) -> Option<Tally> {
    if count.names.len() > MOST {
        let words =
            format!("{} answers are too many to hold against each other", count.names.len());
        return Some(Tally::nothing(count, &words));
    }
    if count.casts.iter().all(|cast| cast.ranking.is_empty()) {
        return Some(Tally::nothing(count, "no ballot says anything that this rule counts"));
    }
    None
}

/// A tally with given leaders.
fn led(count: &Count, scores: Vec<f64>, leaders: Vec<usize>, how: &str) -> Tally {
    let words = format!("{} {how}", named(count, &leaders));
    let basis = rebuttal_model::Basis::Share;
    let shares = weakest_support(count);
    Tally { scores, leaders, short: None, number: None, shares, basis, words }
}

/// One for each rival beaten, half for each one drawn with.
pub(super) fn copeland(count: &Count) -> Tally {
    if let Some(nothing) = unfit(count) {
        return nothing;
    }
    let (margins, size) = (margins(count), count.names.len());
    let score = |one: usize| {
        let rivals = (0..size).filter(|two| *two != one);
        rivals.map(|two| real_sign(margins.get(one, two))).sum::<f64>()
    };
    let scores: Vec<f64> = (0..size).map(score).collect();
    let best = scores.iter().copied().fold(0.0, f64::max);
    let leaders = (0..size).filter(|one| scores.get(*one).is_some_and(|own| best - own < 0.25));
    let leaders: Vec<usize> = leaders.collect();
    let rivals = size.saturating_sub(1);
    let how = format!("with {} of {rivals} pairwise wins", super::figure(best));
    led(count, scores, leaders, &how)
}

fn real_sign(margin: i64) -> f64 {
    match margin.signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// One option beats another if its strongest path of pairwise wins to it is stronger than the one
/// back. A path is as strong as its narrowest win, by margin.
pub(super) fn schulze(count: &Count) -> Tally {
    if let Some(nothing) = unfit(count) {
        return nothing;
    }
    let (margins, size) = (margins(count), count.names.len());
    let mut paths = Grid::new(size, |one, two| margins.get(one, two).max(0));
    for via in 0..size {
        for one in (0..size).filter(|one| *one != via) {
            for two in (0..size).filter(|two| *two != via && *two != one) {
                let around = paths.get(one, via).min(paths.get(via, two));
                if around > paths.get(one, two) {
                    paths.set(one, two, around);
                }
            }
        }
    }
    let beats = |one: usize, two: usize| paths.get(one, two) > paths.get(two, one);
    let scores =
        (0..size).map(|one| real((0..size).filter(|two| beats(one, *two)).count())).collect();
    let leaders =
        (0..size).filter(|one| (0..size).all(|two| !beats(two, *one))).collect::<Vec<_>>();
    led(count, scores, leaders, "ahead by the strongest paths of pairwise wins")
}

/// Pairwise wins are locked in, the widest margin first; one that runs against what wider margins
/// have locked is left out. Wins of one margin are locked together, so that no order of options or
/// voters matters; where they run in a circle, its options are tied.
pub(super) fn ranked_pairs(count: &Count) -> Tally {
    if let Some(nothing) = unfit(count) {
        return nothing;
    }
    let (margins, size) = (margins(count), count.names.len());
    let mut wins: Vec<(i64, usize, usize)> = Vec::new();
    for one in 0..size {
        wins.extend((0..size).map(|two| (margins.get(one, two), one, two)).filter(|win| win.0 > 0));
    }
    wins.sort_by_key(|win| std::cmp::Reverse(win.0));
    let mut above = Grid::new(size, |one, two| one == two);
    for same in wins.chunk_by(|one, two| one.0 == two.0) {
        // A win that runs in a circle, with its likes or with what is locked, is left out.
        let mut all = above.clone();
        for (_, one, two) in same {
            lock(&mut all, *one, *two);
        }
        for (_, one, two) in same.iter().filter(|(_, one, two)| !all.get(*two, *one)) {
            lock(&mut above, *one, *two);
        }
    }
    let beats = |one: usize, two: usize| one != two && above.get(one, two);
    let scores =
        (0..size).map(|one| real((0..size).filter(|two| beats(one, *two)).count())).collect();
    let leaders =
        (0..size).filter(|one| (0..size).all(|two| !beats(two, *one))).collect::<Vec<_>>();
    led(count, scores, leaders, "ahead when the clearest pairwise wins are locked in")
}

/// Puts one option above another, and with it all that is above it above all that is below.
fn lock(above: &mut Grid<bool>, one: usize, two: usize) {
    if above.get(one, two) {
        return;
    }
    let upper: Vec<usize> = (0..above.size).filter(|up| above.get(*up, one)).collect();
    let lower: Vec<usize> = (0..above.size).filter(|low| above.get(two, *low)).collect();
    for up in upper {
        for low in &lower {
            above.set(up, *low, true);
        }
    }
}
