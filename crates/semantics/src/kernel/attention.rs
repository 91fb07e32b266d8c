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

/// Which tokens ask.
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
    queries: Vec<f32>,
    keys: Vec<Step>,
    values: Vec<Step>,
    scores: Vec<f32>,
    answers: Vec<f32>,
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
        let hidden = self.heads * self.head_width;
        for (index, rows) in self.sequences.iter().enumerate() {
            let bytes = rows.start * self.qkv_stride..rows.end * self.qkv_stride;
            let Some(tokens) = self.qkv.get(bytes) else { return };
            let (first, asking) = match self.queries {
                Queries::All => (rows.start, rows.len()),
                Queries::First => (index, 1),
            };
            let Some(out) = self.out.get_mut(first * self.out_stride..) else { return };
            for head in 0..self.heads {
                let at = head * self.head_width;
                let part = |which: usize| Part {
                    tokens,
                    stride: self.qkv_stride,
                    from: which * hidden + at,
                    width: self.head_width,
                };
                self.scratch.fill(&part(0), &part(1), &part(2), asking);
                self.scratch.answer(rows.len(), self.head_width);
                let stride = self.head_width.next_multiple_of(COLUMNS);
                let answers = self.scratch.answers.chunks_exact(stride);
                for (out, answer) in out.chunks_mut(self.out_stride).zip(answers).take(asking) {
                    let Some(out) = out.get_mut(at..at + self.head_width) else { return };
                    out.iter_mut().zip(answer).for_each(|(out, x)| *out = *x);
                }
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
    /// Copies one head's numbers: queries in rows, keys and values in panels of columns.
    #[inline(always)]
    fn fill(&mut self, queries: &Part<'_>, keys: &Part<'_>, values: &Part<'_>, asking: usize) {
        let width = queries.width;
        let length = queries.tokens.len() / queries.stride;
        self.queries.resize(asking.next_multiple_of(ROWS) * width, 0.0);
        for (to, from) in self.queries.chunks_exact_mut(width).zip(queries.rows()).take(asking) {
            to.copy_from_slice(from);
        }

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
            for (panel, part) in value.chunks(COLUMNS).enumerate() {
                if let Some(step) = self.values.get_mut(panel * length + index) {
                    step.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
                }
            }
        }
    }

    #[inline(always)]
    fn answer(&mut self, length: usize, width: usize) {
        let padded = length.next_multiple_of(COLUMNS);
        product(&self.queries, width, &self.keys, width, &mut self.scores, padded);
        for row in self.scores.chunks_exact_mut(padded) {
            softmax(row, length);
        }
        let stride = width.next_multiple_of(COLUMNS);
        product(&self.scores, padded, &self.values, length, &mut self.answers, stride);
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

/// `out = left × right`, where `left` has a multiple of [`ROWS`] rows and `right` panels of
/// `depth` steps.
#[inline(always)]
fn product(
    left: &[f32],
    left_stride: usize,
    right: &[Step],
    depth: usize,
    out: &mut Vec<f32>,
    out_stride: usize,
) {
    let rows = left.len() / left_stride;
    out.resize(rows * out_stride, 0.0);
    let blocks = left.chunks_exact(ROWS * left_stride);
    for (left, out) in blocks.zip(out.chunks_exact_mut(ROWS * out_stride)) {
        let mut rows = left.chunks_exact(left_stride);
        let rows: [&[f32]; ROWS] = std::array::from_fn(|_| rows.next().unwrap_or_default());
        for (column, panel) in right.chunks_exact(depth).enumerate() {
            let sums = tile(rows, panel);
            for (sums, out) in sums.iter().zip(out.chunks_exact_mut(out_stride)) {
                if let Some(out) = out.as_chunks_mut::<COLUMNS>().0.get_mut(column) {
                    *out = *sums;
                }
            }
        }
    }
}

#[inline(always)]
fn tile(rows: [&[f32]; ROWS], panel: &[Step]) -> [Step; ROWS] {
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
