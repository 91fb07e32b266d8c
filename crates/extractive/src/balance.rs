//! What weighs more, of what a persona has read and heard.

use std::collections::BTreeMap;

use crate::brief::Brief;
use crate::persona::{Leans, Persona};

/// How much more a sentence weighs for the side a persona leans to.
const LEANING: f64 = 2.0;
/// What is left of a figure that another one stands against.
const OVERRULED: f64 = 0.25;
/// Shares of the leading answer up to which both sides weigh the same.
const EVEN: f64 = 0.52;
/// Shares up to which the answer between the others is chosen, where there is one.
const BETWEEN: f64 = 0.62;

/// What a persona makes of the evidence it knows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Balance {
    /// It knows of nothing.
    Nothing,
    /// No answer leads.
    Even,
    /// One leads, with this share of all weight.
    For { answer: usize, share: f64 },
}

/// Weighs the quotes of these numbers.
pub(crate) fn weigh(persona: &Persona, brief: &Brief, known: &[usize]) -> Balance {
    let mut documents: BTreeMap<(usize, &str), Vec<f64>> = BTreeMap::new();
    for at in known {
        let Some(quote) = brief.quotes.get(*at) else { continue };
        let weight = weight(persona, brief, *at, known);
        documents.entry((quote.side, &quote.document)).or_default().push(weight);
    }
    let mut sides = vec![0.0; brief.answers.len()];
    for ((side, _), mut weights) in documents {
        // Ten sentences of one document are not ten documents.
        weights.sort_by(|a, b| b.total_cmp(a));
        let sum: f64 = (1u32..).zip(weights).map(|(rank, weight)| weight / f64::from(rank)).sum();
        if let Some(all) = sides.get_mut(side) {
            *all += sum;
        }
    }
    let all: f64 = sides.iter().sum();
    let best = sides.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
    let Some((answer, most)) = best.filter(|_| all > 0.0) else { return Balance::Nothing };
    let share = most / all;
    match brief.middle {
        Some(middle) if share < BETWEEN => {
            Balance::For { answer: middle, share: 1.0 - share / 2.0 }
        }
        _ if share < EVEN => Balance::Even,
        _ => Balance::For { answer, share },
    }
}

/// What one quote weighs for a persona that knows these.
pub(crate) fn weight(persona: &Persona, brief: &Brief, at: usize, known: &[usize]) -> f64 {
    let Some(quote) = brief.quotes.get(at) else { return 0.0 };
    let leans = match persona.leans {
        Leans::For => quote.side == 0,
        Leans::Against => quote.side == 1,
        Leans::Neither => false,
    };
    let overruled =
        brief.conflicts.iter().any(|one| one.yields == at && known.contains(&one.stands));
    quote.weight * if leans { LEANING } else { 1.0 } * if overruled { OVERRULED } else { 1.0 }
}
