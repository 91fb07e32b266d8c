//! Pooling probabilities. An agent without a vote counts as one that finds all options equally
//! likely, so that silence makes the pool flatter and never surer.

use rebuttal_model::Basis;

use super::Tally;
use crate::voting::count::{Cast, Count, real};

/// The least that an agent's probability counts as in the geometric mean. Agents write 0 for
/// "unlikely"; taken at its word, one zero would veto an option for all.
const FLOOR: f64 = 0.01;

/// An agent's probabilities: those it states, or its conviction on its choice and the rest spread
/// evenly over the others.
fn beliefs(count: &Count, cast: &Cast) -> Option<Vec<f64>> {
    let options = count.names.len();
    let whole: f64 = cast.probabilities.values().sum();
    if whole > 0.0 {
        let own = |option: usize| cast.probabilities.get(&option).copied().unwrap_or(0.0) / whole;
        return Some((0..options).map(own).collect());
    }
    let first = cast.first()?;
    let even = 1.0 / real(options);
    // Less on its own choice than on any other would make the choice a lie; and one that does not
    // say how sure it is stands half way between knowing nothing and knowing.
    let sure = cast.conviction.map_or(f64::midpoint(1.0, even), |stated| stated.max(even));
    let rest = (1.0 - sure) / real(options.saturating_sub(1)).max(1.0);
    Some((0..options).map(|option| if option == first { sure } else { rest }).collect())
}

/// Weights of the voters and of all the panel. With no weights that count, all count alike.
fn pooled(count: &Count, join: impl Fn(&[(f64, Vec<f64>)], f64) -> Vec<f64>) -> Tally {
    let voters: Vec<(f64, Vec<f64>)> = count
        .casts
        .iter()
        .filter_map(|cast| Some((cast.weight, beliefs(count, cast)?)))
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    if voters.is_empty() {
        return Tally::nothing(count, "no ballot says anything that this rule counts");
    }
    let silent = real(count.panel().saturating_sub(count.casts.len()));
    let pool = join(&voters, silent);
    let mut tally = Tally::by_score(count, pool.clone(), pool, "of probability");
    tally.basis = Basis::Pool;
    tally
}

pub(super) fn linear(count: &Count) -> Tally {
    let even = 1.0 / real(count.names.len()).max(1.0);
    pooled(count, |voters, silent| {
        let whole = voters.iter().map(|(weight, _)| weight).sum::<f64>() + silent;
        let mut pool = vec![silent * even; count.names.len()];
        for (weight, beliefs) in voters {
            pool.iter_mut().zip(beliefs).for_each(|(sum, own)| *sum += weight * own);
        }
        pool.into_iter().map(|sum| sum / whole).collect()
    })
}

pub(super) fn log(count: &Count) -> Tally {
    pooled(count, |voters, silent| {
        let whole = voters.iter().map(|(weight, _)| weight).sum::<f64>() + silent;
        let mut logs = vec![0.0; count.names.len()];
        for (weight, beliefs) in voters {
            for (sum, own) in logs.iter_mut().zip(beliefs) {
                *sum += weight / whole * own.max(FLOOR).ln();
            }
        }
        let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let raised: Vec<f64> = logs.iter().map(|log: &f64| (log - highest).exp()).collect();
        let total: f64 = raised.iter().sum();
        raised.into_iter().map(|one| one / total).collect()
    })
}
