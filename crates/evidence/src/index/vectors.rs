//! One vector a passage, in eight bits a number.

use rayon::prelude::*;
use rebuttal_model::Passage;
use rebuttal_semantics::{Embedder, Embedding};

/// Passages that are embedded at once.
const BATCH: usize = 256;

/// All vectors in a row, each with its scale; empty where the embedder failed.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    numbers: Vec<i8>,
    scales: Vec<f32>,
    width: usize,
}

impl Vectors {
    pub(super) fn new(passages: &[Passage], embedder: &dyn Embedder) -> Self {
        let embed = |batch: &[Passage]| {
            let texts: Vec<String> = batch.iter().map(shown).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let found = embedder.embed(&texts).ok()?;
            Some(found.iter().map(packed).collect::<Vec<_>>())
        };
        let batches: Option<Vec<_>> = passages.par_chunks(BATCH).map(embed).collect();
        let mut vectors = Self::default();
        for (numbers, scale) in batches.unwrap_or_default().into_iter().flatten() {
            vectors.width = numbers.len();
            vectors.numbers.extend(numbers);
            vectors.scales.push(scale);
        }
        vectors
    }

    /// The cosine of each passage to a query; empty where there are no vectors.
    pub(super) fn scores(&self, query: &str, embedder: &dyn Embedder) -> Vec<f32> {
        let found = embedder.embed(&[query]).ok().and_then(|mut it| it.pop());
        let Some((query, scale)) = found.as_ref().map(packed) else { return Vec::new() };
        if query.len() != self.width || self.width == 0 {
            return Vec::new();
        }
        let rows = self.numbers.chunks_exact(self.width).zip(&self.scales);
        rows.map(|(row, own)| dot(row, &query) * own * scale).collect()
    }
}

/// What is embedded of a passage.
fn shown(passage: &Passage) -> String {
    format!("{} {}", passage.heading, passage.text)
}

#[expect(clippy::cast_precision_loss, reason = "thousands of products of two bytes stay exact")]
fn dot(one: &[i8], two: &[i8]) -> f32 {
    one.iter().zip(two).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>() as f32
}

/// The numbers in eight bits, and what one step is worth.
fn packed(vector: &Embedding) -> (Vec<i8>, f32) {
    let most = vector.values().iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    let step = if most > 0.0 { most / 127.0 } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, reason = "within -127 and 127")]
    let numbers = vector.values().iter().map(|value| (value / step).round() as i8).collect();
    (numbers, step)
}
