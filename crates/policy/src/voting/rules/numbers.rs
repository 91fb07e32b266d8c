//! The middle of several numbers. More than half of the panel must give one: fewer cannot keep an
//! outlier from deciding.

use super::{Tally, figure};
use crate::voting::count::{Count, real};

fn sorted(count: &Count) -> Vec<f64> {
    let mut numbers: Vec<f64> = count.casts.iter().filter_map(|cast| cast.number).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn tally(count: &Count, number: Option<f64>, given: usize, what: &str) -> Tally {
    let Some(number) = number else {
        return Tally::nothing(count, "no ballot holds a number");
    };
    let mut scores = count.zeros();
    for option in count.casts.iter().filter_map(crate::voting::count::Cast::first) {
        if let Some(score) = scores.get_mut(option) {
            *score += 1.0;
        }
    }
    let few = given * 2 <= count.panel();
    let short = format!("{given} of {} gave a number, and more than half must", count.panel());
    Tally {
        scores,
        leaders: Vec::new(),
        short: few.then_some(short),
        number: Some(number),
        shares: count.zeros(),
        basis: rebuttal_model::Basis::Share,
        words: format!("the {what} of {given} numbers is {}", figure(number)),
    }
}

pub(super) fn median(count: &Count) -> Tally {
    let numbers = sorted(count);
    let upper = numbers.get(numbers.len() / 2);
    let lower = numbers.len().checked_sub(1).and_then(|last| numbers.get(last / 2));
    // Half of their distance is added, so that two alike stay what they are.
    let middle = lower.zip(upper).map(|(low, high)| low + (high - low) / 2.0);
    tally(count, middle, numbers.len(), "median")
}

/// The lowest and the highest `floor(cut × n)` numbers are left out.
pub(super) fn trimmed_mean(count: &Count, cut: f64) -> Tally {
    let numbers = sorted(count);
    let dropped =
        (0..numbers.len()).take_while(|n| real(n + 1) <= cut * real(numbers.len()) + 1e-9).count();
    let kept = numbers.get(dropped..numbers.len().saturating_sub(dropped)).unwrap_or_default();
    let length = real(kept.len());
    let mean = (!kept.is_empty()).then(|| kept.iter().map(|number| number / length).sum());
    tally(count, mean, numbers.len(), &format!("mean without {dropped} at each end"))
}
