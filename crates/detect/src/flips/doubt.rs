//! Where rules are in doubt over two lines, a model says how far they break and how far they agree.

use rebuttal_model::FlipKind;
use rebuttal_semantics::{Pair, Verdict};

use super::FlipOutcome;
use super::line::Found;
use crate::reader::Models;

/// Cosine of the cheap vectors below which two lines are on different matters, whatever a model says.
const FAR: f32 = 0.35;
/// Cosine of the encoder's vectors from which on two lines are on one matter.
const NEAR: f32 = 0.6;
/// How sure the model must be that both cannot hold.
const BREAKS: f32 = 0.6;
/// The same, where the rules see one thing said twice: turned round or in the passive, it confuses a
/// model more often than a break without a word that breaks.
const BREAKS_SAME: f32 = 0.85;
/// How sure it must be that they can, to take back a break that the rules are not sure of.
const HOLDS: f32 = 0.2;
/// How sure it must be that one follows from the other, for lines without common words.
const FOLLOWS: f32 = 0.5;
/// How sure the rules are that a text says the same where a sentence of it does.
const HALF: f64 = 0.5;
/// What the rules are sure of.
const SURE: f64 = 0.9;

/// What a model makes of two lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Answer {
    verdict: Verdict,
    /// How near the two are, by their vectors.
    near: f32,
}

/// Whether the rules leave something to ask: they see nothing in common, no change, or a break that
/// they are not sure of. What is taken back or said with reserve is in the words.
pub(super) fn is_in_doubt(found: &Found) -> bool {
    match found.outcome {
        _ if found.settled => false,
        FlipOutcome::Unrelated | FlipOutcome::Same => true,
        FlipOutcome::Changed(FlipKind::Contradiction) => found.confidence < SURE,
        FlipOutcome::Changed(_) => false,
    }
}

/// One answer a pair, in order; none for pairs on different matters, or where a model failed.
pub(super) fn ask(models: &Models, pairs: &[Pair<'_>]) -> Vec<Option<Answer>> {
    let none = || vec![None; pairs.len()];
    let texts: Vec<&str> = pairs.iter().flat_map(|pair| [pair.premise, pair.hypothesis]).collect();
    let Some(vectors) = models.answer(models.vectors.embed(&texts)) else { return none() };
    let near = |two: &[rebuttal_semantics::Embedding]| match two {
        [one, two] => one.cosine(two) >= FAR,
        _ => false,
    };
    let close: Vec<bool> = vectors.chunks_exact(2).map(near).collect();
    let chosen: Vec<Pair<'_>> =
        pairs.iter().zip(&close).filter(|(_, close)| **close).map(|(pair, _)| *pair).collect();
    let Some(verdicts) = models.answer(models.inference.infer(&chosen)) else { return none() };
    let texts: Vec<&str> = chosen.iter().flat_map(|pair| [pair.premise, pair.hypothesis]).collect();
    let Some(vectors) = models.answer(models.embedder.embed(&texts)) else { return none() };
    let mut answers = verdicts.into_iter().zip(vectors.chunks_exact(2)).map(|(verdict, two)| {
        let near = match two {
            [one, two] => one.cosine(two),
            _ => 0.0,
        };
        Answer { verdict, near }
    });
    close.into_iter().map(|close| if close { answers.next() } else { None }).collect()
}

fn breaks_from(found: &Found) -> f32 {
    let sure = found.outcome == FlipOutcome::Same && found.confidence > HALF;
    if sure { BREAKS_SAME } else { BREAKS }
}

/// What the rules found in the light of the answer. A model adds a break or takes a doubtful one back
/// to none; it makes no other kind of change.
pub(super) fn settle(found: Found, answer: Answer) -> Found {
    let Answer { verdict, near } = answer;
    let similarity = found.similarity.max(f64::from(near.max(0.0)));
    match found.outcome {
        FlipOutcome::Changed(FlipKind::Contradiction) if verdict.contradiction < HOLDS => Found {
            outcome: if near >= NEAR { FlipOutcome::Same } else { FlipOutcome::Unrelated },
            similarity,
            confidence: f64::from(1.0 - verdict.contradiction),
            why: "both can hold",
            ..found
        },
        FlipOutcome::Changed(_) => found,
        FlipOutcome::Same | FlipOutcome::Unrelated
            if verdict.contradiction >= breaks_from(&found) && near >= NEAR =>
        {
            Found {
                outcome: FlipOutcome::Changed(FlipKind::Contradiction),
                similarity,
                confidence: f64::from(verdict.contradiction),
                why: "both cannot hold",
                ..found
            }
        }
        FlipOutcome::Unrelated if verdict.entailment >= FOLLOWS && near >= NEAR => Found {
            outcome: FlipOutcome::Same,
            similarity,
            confidence: f64::from(verdict.entailment),
            why: "it says the same in other words",
            ..found
        },
        FlipOutcome::Same | FlipOutcome::Unrelated => Found { similarity, ..found },
    }
}
