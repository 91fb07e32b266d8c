//! One group of sequences through every layer.

use std::ops::Range;

use super::Tokens;
use crate::kernel::{
    Activation, AddNorm, Attention, AttentionScratch, Gemm, Level, Packed, Quantise, Quantised,
    Queries, Step, padded_channels, padded_rows,
};
use crate::weights::{Layer, Norm, Pooling, Weights};

/// Memory of one worker, reused from group to group.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The tokens' vectors: what flows from layer to layer.
    stream: Vec<f32>,
    quantised: Quantised,
    /// Queries, keys and values; later the wide part of the feed-forward.
    wide: Vec<f32>,
    /// What a block adds to the stream.
    narrow: Vec<f32>,
    attention: AttentionScratch,
    panel: Vec<Step>,
}

/// What does not change while a group is computed.
#[derive(Clone, Copy)]
struct Run<'a> {
    weights: &'a Weights,
    level: Level,
    /// Distance from row to row in the stream.
    stride: usize,
}

impl Scratch {
    /// One pooled vector a sequence. The sequences have been checked.
    pub(super) fn forward(
        &mut self,
        weights: &Weights,
        level: Level,
        group: &[Tokens],
    ) -> Vec<Vec<f32>> {
        let run = Run { weights, level, stride: padded_channels(weights.config.hidden) };
        let mut rows: Vec<Range<usize>> = Vec::with_capacity(group.len());
        for tokens in group {
            let start = rows.last().map_or(0, |last| last.end);
            rows.push(start..start + tokens.ids.len());
        }
        self.embed(run, group, &rows);
        for (index, layer) in weights.layers.iter().enumerate() {
            let last = index + 1 == weights.layers.len();
            let first_only = last && weights.config.pooling == Pooling::Cls;
            self.layer(run, layer, &rows, if first_only { Queries::First } else { Queries::All });
        }
        self.pool(run, &rows)
    }

    fn embed(&mut self, run: Run<'_>, group: &[Tokens], rows: &[Range<usize>]) {
        let Weights { words, positions, types, norm, config, .. } = run.weights;
        let count = padded_rows(rows.last().map_or(0, |last| last.end));
        self.stream.clear();
        self.stream.resize(count * run.stride, 0.0);
        let tokens = group.iter().flat_map(|tokens| {
            tokens.ids.iter().enumerate().map(|(at, id)| (*id, at, at >= tokens.segment_b_start))
        });
        for (row, (id, at, second)) in self.stream.chunks_exact_mut(run.stride).zip(tokens) {
            let Some(row) = row.get_mut(..config.hidden) else { return };
            if let Some(kind) = types.chunks_exact(config.hidden).nth(usize::from(second)) {
                row.copy_from_slice(kind);
            }
            words.add_row(usize::try_from(id).unwrap_or(usize::MAX), row);
            positions.add_row(at, row);
        }
        add_norm(run, &mut self.stream, &[], norm);
    }

    fn layer(&mut self, run: Run<'_>, layer: &Layer, rows: &[Range<usize>], queries: Queries) {
        let Run { level, stride, weights } = run;
        let config = &weights.config;
        self.quantise(run);
        self.linear(run, &layer.qkv, Activation::Linear, Target::Wide);
        if queries == Queries::First {
            self.keep_first(run, rows);
        }
        self.narrow.clear();
        self.narrow.resize(self.stream.len(), 0.0);
        level.run(Attention {
            qkv: &self.wide,
            qkv_stride: padded_channels(layer.qkv.outputs()),
            sequences: rows,
            heads: config.heads,
            head_width: config.hidden / config.heads,
            queries,
            scratch: &mut self.attention,
            out: &mut self.narrow,
            out_stride: stride,
        });
        let to = &mut self.quantised;
        level.run(Quantise { rows: &self.narrow, stride, width: config.hidden, to });
        self.linear(run, &layer.attended, Activation::Linear, Target::Narrow);
        add_norm(run, &mut self.stream, &self.narrow, &layer.attended_norm);

        self.quantise(run);
        self.linear(run, &layer.up, Activation::Gelu, Target::Wide);
        let wide = Quantise {
            rows: &self.wide,
            stride: padded_channels(config.intermediate),
            width: config.intermediate,
            to: &mut self.quantised,
        };
        level.run(wide);
        self.linear(run, &layer.down, Activation::Linear, Target::Narrow);
        add_norm(run, &mut self.stream, &self.narrow, &layer.down_norm);
    }

    fn quantise(&mut self, run: Run<'_>) {
        let (width, to) = (run.weights.config.hidden, &mut self.quantised);
        run.level.run(Quantise { rows: &self.stream, stride: run.stride, width, to });
    }

    fn linear(&mut self, run: Run<'_>, weights: &Packed, activation: Activation, target: Target) {
        let rows = self.stream.len() / run.stride;
        let out = match target {
            Target::Wide => &mut self.wide,
            Target::Narrow => &mut self.narrow,
        };
        out.resize(rows * padded_channels(weights.outputs()), 0.0);
        let panel = &mut self.panel;
        let rows = &self.quantised;
        run.level.run(Gemm { level: run.level, rows, weights, activation, panel, out });
    }

    /// From here on only each sequence's first token matters: its row moves to the front.
    fn keep_first(&mut self, run: Run<'_>, rows: &[Range<usize>]) {
        for (index, rows) in rows.iter().enumerate() {
            let from = rows.start * run.stride;
            self.stream.copy_within(from..from + run.stride, index * run.stride);
        }
        self.stream.truncate(padded_rows(rows.len()) * run.stride);
    }

    fn pool(&self, run: Run<'_>, rows: &[Range<usize>]) -> Vec<Vec<f32>> {
        let hidden = run.weights.config.hidden;
        let row = |at: usize| self.stream.get(at * run.stride..).and_then(|row| row.get(..hidden));
        match run.weights.config.pooling {
            Pooling::Cls => {
                (0..rows.len()).map(|at| row(at).unwrap_or_default().to_vec()).collect()
            }
            Pooling::Mean => {
                rows.iter().map(|rows| mean(rows.clone().filter_map(row), hidden)).collect()
            }
        }
    }
}

/// Which buffer a layer writes to.
#[derive(Clone, Copy)]
enum Target {
    Wide,
    Narrow,
}

fn add_norm(run: Run<'_>, rows: &mut [f32], added: &[f32], norm: &Norm) {
    let Norm { weight, bias } = norm;
    let epsilon = run.weights.config.epsilon;
    run.level.run(AddNorm { rows, added, stride: run.stride, weight, bias, epsilon });
}

#[expect(clippy::cast_precision_loss, reason = "a sequence has at most thousands of tokens")]
fn mean<'a>(rows: impl Iterator<Item = &'a [f32]>, width: usize) -> Vec<f32> {
    let mut mean = vec![0.0; width];
    let mut count = 0_usize;
    for row in rows {
        mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        count += 1;
    }
    let per = 1.0 / count.max(1) as f32;
    mean.into_iter().map(|x| x * per).collect()
}
