//! Tokens through every layer: several sequences at once, each by its own past.
//!
//! A row's numbers depend on its own sequence only, to the last bit. So it does not matter what
//! else is computed beside it, in how many steps a prompt is read, or on how many threads.

use rayon::prelude::*;
use rebuttal_semantics::kernel::{Kernels, LinearScratch, Packed};

use super::past::Past;
use super::weights::{Config, Layer, Weights};

/// What is to be read, and behind what.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) past: Past,
    pub(crate) tokens: Vec<u32>,
    pub(crate) wants: Scores,
    /// The wanted scores of every token of the vocabulary, one row a position.
    pub(crate) scores: Vec<Vec<f32>>,
}

/// Behind which of the tokens the scores of the next one are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scores {
    None,
    Last,
    All,
}

/// Memory reused from step to step.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    stream: Vec<f32>,
    normed: Vec<f32>,
    wide: Vec<f32>,
    narrow: Vec<f32>,
    linear: LinearScratch,
}

/// Where a row belongs: which step, which position of its sequence.
type Place = (usize, usize);

/// Reads every step's tokens. Runs on the threads of the pool it is called in.
pub(crate) fn forward(weights: &Weights, steps: &mut [Step], scratch: &mut Scratch) {
    let run = Run { weights, config: &weights.config, kernels: Kernels::detect() };
    let mut places: Vec<Place> = Vec::new();
    for (at, step) in steps.iter_mut().enumerate() {
        let begin = step.past.tokens().len();
        step.past.extend(&step.tokens);
        places.extend((0..step.tokens.len()).map(|row| (at, begin + row)));
    }
    run.embed(steps, scratch);
    for (index, layer) in weights.layers.iter().enumerate() {
        run.attention(index, layer, steps, &places, scratch);
        run.wide(layer, scratch);
    }
    run.scores(steps, scratch);
}

/// One pass through the layers, for the positions of several replies at once.
struct Run<'a> {
    weights: &'a Weights,
    config: &'a Config,
    kernels: Kernels,
}

impl Run<'_> {
    /// Begins each position with the vector of its token.
    fn embed(&self, steps: &[Step], scratch: &mut Scratch) {
        let tokens = steps.iter().flat_map(|step| &step.tokens);
        let rows: usize = steps.iter().map(|step| step.tokens.len()).sum();
        scratch.stream.clear();
        scratch.stream.resize(rows * self.config.hidden, 0.0);
        for (row, token) in scratch.stream.chunks_exact_mut(self.config.hidden).zip(tokens) {
            let token = usize::try_from(*token).unwrap_or(usize::MAX);
            self.weights.words.add_channel(token, row);
        }
    }

    /// The first half of a layer: what each position takes from those before it.
    fn attention(
        &self,
        index: usize,
        layer: &Layer,
        steps: &mut [Step],
        places: &[Place],
        scratch: &mut Scratch,
    ) {
        let Config { hidden, epsilon, .. } = *self.config;
        let kernels = self.kernels;
        let Scratch { stream, normed, wide, narrow, linear } = scratch;
        kernels.rms_norm(stream, &layer.attention_norm, epsilon, normed);
        kernels.linear(normed, &layer.qkv, linear, wide);
        let shared = self.config.shared();
        let stride = hidden + 2 * shared;
        for (row, (step, position)) in wide.chunks_exact_mut(stride).zip(places) {
            let Some((turned, values)) = row.split_at_mut_checked(hidden + shared) else { return };
            kernels.rotate(turned, self.weights.turns.at(*position));
            let keys = turned.get(hidden..).unwrap_or_default();
            if let Some(step) = steps.get_mut(*step) {
                step.past.put(index, *position, keys, values);
            }
        }
        narrow.resize(stream.len(), 0.0);
        let rows = narrow.chunks_exact_mut(hidden).zip(wide.chunks_exact_mut(stride)).zip(places);
        let attend = |((out, row), place): ((&mut [f32], &mut [f32]), &Place)| {
            self.attend(index, steps, *place, row.get_mut(..hidden).unwrap_or_default(), out);
        };
        // Handing one short row to another thread costs more than it brings.
        if places.len() > 4 {
            rows.collect::<Vec<_>>().into_par_iter().with_min_len(4).for_each(attend);
        } else {
            rows.for_each(attend);
        }
        kernels.linear(narrow, &layer.attended, linear, wide);
        add(stream, wide);
    }

    /// Weighs the values of earlier positions by how well their keys fit.
    #[expect(clippy::cast_precision_loss, reason = "a head has some hundred numbers")]
    fn attend(
        &self,
        layer: usize,
        steps: &[Step],
        (step, position): Place,
        queries: &mut [f32],
        out: &mut [f32],
    ) {
        let Config { head_width, heads, shared_heads, .. } = *self.config;
        let Some(step) = steps.get(step) else { return };
        let scale = 1.0 / (head_width as f32).sqrt();
        for x in queries.iter_mut() {
            *x *= scale;
        }
        let group = head_width * (heads / shared_heads);
        let groups = queries.chunks_exact(group).zip(out.chunks_exact_mut(group));
        let mut scores = Vec::new();
        for (head, (queries, out)) in groups.enumerate() {
            let past = step.past.head(layer, head, position + 1);
            let heads = queries.chunks_exact(head_width).zip(out.chunks_exact_mut(head_width));
            for (query, out) in heads {
                self.kernels.attend(query, &past, position + 1, &mut scores, out);
            }
        }
    }

    /// The second half of a layer, position by position.
    fn wide(&self, layer: &Layer, scratch: &mut Scratch) {
        let kernels = self.kernels;
        let Scratch { stream, normed, wide, narrow, linear } = scratch;
        kernels.rms_norm(stream, &layer.wide_norm, self.config.epsilon, normed);
        kernels.linear(normed, &layer.up, linear, wide);
        kernels.gated(wide, self.config.wide, narrow);
        kernels.linear(narrow, &layer.down, linear, wide);
        add(stream, wide);
    }

    /// How likely each token is to follow, where that is wanted.
    fn scores(&self, steps: &mut [Step], scratch: &mut Scratch) {
        let Scratch { stream, normed, wide, narrow, linear } = scratch;
        let hidden = self.config.hidden;
        narrow.clear();
        let mut rows = stream.chunks_exact(hidden);
        for step in steps.iter() {
            let count = step.tokens.len();
            let first = match step.wants {
                Scores::None => count,
                Scores::Last => count.saturating_sub(1),
                Scores::All => 0,
            };
            let wanted = rows.by_ref().take(count).skip(first);
            wanted.for_each(|row| narrow.extend_from_slice(row));
        }
        self.kernels.rms_norm(narrow, &self.weights.norm, self.config.epsilon, normed);
        let words: &Packed = self.weights.scores.as_ref().unwrap_or(&self.weights.words);
        self.kernels.linear(normed, words, linear, wide);
        let mut rows = wide.chunks_exact(self.config.vocab).map(<[f32]>::to_vec);
        for step in steps {
            let count = match step.wants {
                Scores::None => 0,
                Scores::Last => step.tokens.len().min(1),
                Scores::All => step.tokens.len(),
            };
            step.scores = rows.by_ref().take(count).collect();
        }
    }
}

/// Adds what a layer found to the stream that runs through all of them.
fn add(stream: &mut [f32], added: &[f32]) {
    stream.iter_mut().zip(added).for_each(|(x, y)| *x += y);
}
