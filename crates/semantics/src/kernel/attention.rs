//! Attention inside each sequence, head by head.
//!
//! Both products (queries with keys, weights with values) are one small float product of tiles of
//! four rows and sixteen columns; the right side is copied into panels of sixteen columns first.

#![expect(clippy::inline_always, reason = "a kernel that is not inlined loses its instructions")]

use std::ops::Range;

use pulp::NullaryFnOnce;

use super::math;

const ROWS: usize = 4;
const COLUMNS: usize = 16;

type Step = [f32; COLUMNS];

/// The tokens whose attention is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queries {
    /// Every token; its answer goes to its own row.
    All,
    /// Each sequence's first token; the answers stand one after another.
    First,
}

/// Memory reused from sequence to sequence.
#[derive(Debug, Default)]
pub(crate) struct AttentionScratch {
    keys: Vec<Step>,
    values: Vec<Step>,
    scores: Vec<f32>,
}

/// `out = softmax(queries × keys) × values`. Queries are already scaled.
#[derive(Debug)]
pub(crate) struct Attention<'a> {
    /// Per token: queries of all heads, then keys, then values.
    pub(crate) qkv: &'a [f32],
    pub(crate) qkv_stride: usize,
    /// The rows of each sequence.
    pub(crate) sequences: &'a [Range<usize>],
    pub(crate) heads: usize,
    pub(crate) head_width: usize,
    pub(crate) queries: Queries,
    pub(crate) scratch: &'a mut AttentionScratch,
    pub(crate) out: &'a mut [f32],
    pub(crate) out_stride: usize,
}

impl NullaryFnOnce for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let width = self.head_width;
        let hidden = self.heads * width;
        for (index, rows) in self.sequences.iter().enumerate() {
            let range = rows.start * self.qkv_stride..rows.end * self.qkv_stride;
            let Some(tokens) = self.qkv.get(range) else { return };
            let (first, asking) = match self.queries {
                Queries::All => (rows.start, rows.len()),
                Queries::First => (index, 1),
            };
            let Some(out) = self.out.get_mut(first * self.out_stride..) else { return };
            for head in 0..self.heads {
                let at = head * width;
                let part = |which: usize| {
                    let from = which * hidden + at;
                    Part { tokens, stride: self.qkv_stride, from, width }
                };
                self.scratch.fill(&part(1), &part(2), rows.len());
                let Some(out) = out.get_mut(at..) else { return };
                self.scratch.answer(&part(0), asking, rows.len(), out, self.out_stride);
            }
        }
    }
}

/// One head's queries, keys or values: a column range of every token.
struct Part<'a> {
    tokens: &'a [f32],
    stride: usize,
    from: usize,
    width: usize,
}

impl<'a> Part<'a> {
    #[inline(always)]
    fn rows(&self) -> impl Iterator<Item = &'a [f32]> {
        let range = self.from..self.from + self.width;
        self.tokens
            .chunks_exact(self.stride)
            .map(move |row| row.get(range.clone()).unwrap_or_default())
    }
}

impl AttentionScratch {
    /// Copies one head's keys and values into panels of columns.
    #[inline(always)]
    fn fill(&mut self, keys: &Part<'_>, values: &Part<'_>, length: usize) {
        let width = keys.width;
        self.keys.resize(length.div_ceil(COLUMNS) * width, [0.0; COLUMNS]);
        for (index, key) in keys.rows().enumerate() {
            let (panel, lane) = (index / COLUMNS, index % COLUMNS);
            let Some(panel) = self.keys.get_mut(panel * width..(panel + 1) * width) else { return };
            for (step, x) in panel.iter_mut().zip(key) {
                if let Some(slot) = step.get_mut(lane) {
                    *slot = *x;
                }
            }
        }

        self.values.resize(width.div_ceil(COLUMNS) * length, [0.0; COLUMNS]);
        for (index, value) in values.rows().enumerate() {
            let (whole, rest) = value.as_chunks::<COLUMNS>();
            for (panel, part) in whole.iter().enumerate() {
                if let Some(step) = self.values.get_mut(panel * length + index) {
                    *step = *part;
                }
            }
            if let Some(step) = self.values.get_mut(whole.len() * length + index) {
                step.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            }
        }
    }

    /// Four queries at a time: their scores, their weights, their answers.
    #[inline(always)]
    fn answer(
        &mut self,
        queries: &Part<'_>,
        asking: usize,
        length: usize,
        out: &mut [f32],
        out_stride: usize,
    ) {
        let padded = length.next_multiple_of(COLUMNS);
        self.scores.resize(ROWS * padded, 0.0);
        let mut rows = queries.rows().take(asking);
        let mut left = asking;
        for out in out.chunks_mut(ROWS * out_stride).take(asking.div_ceil(ROWS)) {
            let Some(first) = rows.next() else { return };
            // The last tile may lack rows: the first stands in for them and is not written.
            let mut next = || rows.next().unwrap_or(first);
            let tile = [first, next(), next(), next()];
            for (column, panel) in self.keys.chunks_exact(queries.width).enumerate() {
                let sums = multiply(tile, panel);
                for (row, sums) in self.scores.chunks_exact_mut(padded).zip(sums) {
                    if let Some(to) = row.as_chunks_mut::<COLUMNS>().0.get_mut(column) {
                        *to = sums;
                    }
                }
            }
            for row in self.scores.chunks_exact_mut(padded) {
                softmax(row, length);
            }
            let mut weights = self.scores.chunks_exact(padded);
            let weights = std::array::from_fn(|_| weights.next().unwrap_or_default());
            for (column, panel) in self.values.chunks_exact(length).enumerate() {
                let answers = multiply(weights, panel);
                let columns = column * COLUMNS..queries.width.min((column + 1) * COLUMNS);
                for (row, answer) in out.chunks_mut(out_stride).zip(answers).take(left) {
                    let Some(row) = row.get_mut(columns.clone()) else { continue };
                    match row.first_chunk_mut() {
                        Some(whole) => *whole = answer,
                        None => row.iter_mut().zip(answer).for_each(|(to, x)| *to = x),
                    }
                }
            }
            left = left.saturating_sub(ROWS);
        }
    }
}

/// Turns the first `length` scores into weights; what the padding holds no longer matters.
#[inline(always)]
fn softmax(row: &mut [f32], length: usize) {
    // So low that its exponential vanishes in the sum.
    if let Some(padding) = row.get_mut(length..) {
        padding.fill(f32::MIN);
    }
    let max = math::max(row);
    for x in row.iter_mut() {
        *x = math::exp(*x - max);
    }
    let inverse = 1.0 / math::sum(row);
    for x in row.iter_mut() {
        *x *= inverse;
    }
}

/// Four rows times sixteen columns; stops with the shorter of a row and the panel.
#[inline(always)]
fn multiply(rows: [&[f32]; ROWS], panel: &[Step]) -> [Step; ROWS] {
    let mut sums = [[0.0; COLUMNS]; ROWS];
    let [r0, r1, r2, r3] = rows;
    for ((((a0, a1), a2), a3), step) in r0.iter().zip(r1).zip(r2).zip(r3).zip(panel) {
        for (sums, x) in sums.iter_mut().zip([a0, a1, a2, a3]) {
            for (sum, y) in sums.iter_mut().zip(step) {
                *sum += x * y;
            }
        }
    }
    sums
}
