//! The steps of a decoder between its linear layers: norm, rotation, attention to what came before,
//! gated activation. One row at a time, so that a row's numbers do not depend on its company.

#![expect(clippy::inline_always, reason = "a kernel that is not inlined loses its instructions")]

use pulp::NullaryFnOnce;

use super::{Kernels, math};

/// Positions of a block of keys and values.
pub const BLOCK: usize = 32;

type Lanes = [f32; BLOCK];

/// One head's keys and values for [`BLOCK`] positions.
#[derive(Clone, Copy, Debug)]
pub struct Past<'a> {
    /// One number of every position, then the next: as many times [`BLOCK`] as a head is wide.
    pub keys: &'a [f32],
    /// One position's numbers, then the next.
    pub values: &'a [f32],
}

impl Kernels {
    /// Root-mean-square norm of each row into `to`.
    pub fn rms_norm(self, rows: &[f32], weight: &[f32], epsilon: f32, to: &mut Vec<f32>) {
        to.clear();
        to.extend_from_slice(rows);
        self.0.run(RmsNorm { rows: to, weight, epsilon });
    }

    /// `gate / (1 + exp(-gate)) × up`, for rows that hold `width` gates and then as many ups.
    pub fn gated(self, rows: &[f32], width: usize, to: &mut Vec<f32>) {
        to.resize(rows.len() / 2, 0.0);
        self.0.run(Gated { rows, width, to });
    }

    /// Turns neighbouring numbers of every head by the position's angles: `turns` holds a cosine
    /// and a sine for each pair of a head.
    pub fn rotate(self, row: &mut [f32], turns: &[[f32; 2]]) {
        for head in row.chunks_exact_mut(2 * turns.len().max(1)) {
            for ([x, y], [cos, sin]) in head.as_chunks_mut::<2>().0.iter_mut().zip(turns) {
                (*x, *y) = (*x * cos - *y * sin, *x * sin + *y * cos);
            }
        }
    }

    /// What one head's query finds among the first `length` positions of the past.
    pub fn attend(
        self,
        query: &[f32],
        past: &[Past<'_>],
        length: usize,
        scores: &mut Vec<f32>,
        out: &mut [f32],
    ) {
        self.0.run(Attend { query, past, length, scores, out });
    }

    /// Turns scores into probabilities; they keep their order.
    pub fn softmax(self, row: &mut [f32]) {
        self.0.run(Softmax { row });
    }
}

struct RmsNorm<'a> {
    rows: &'a mut [f32],
    weight: &'a [f32],
    epsilon: f32,
}

impl NullaryFnOnce for RmsNorm<'_> {
    type Output = ();

    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a row has thousands of numbers, not millions")]
    fn call(self) {
        let per = 1.0 / self.weight.len() as f32;
        for row in self.rows.chunks_exact_mut(self.weight.len().max(1)) {
            let scale = 1.0 / (math::sum_of_squares(row) * per + self.epsilon).sqrt();
            for (x, weight) in row.iter_mut().zip(self.weight) {
                *x = *x * scale * weight;
            }
        }
    }
}

struct Gated<'a> {
    rows: &'a [f32],
    width: usize,
    to: &'a mut [f32],
}

impl NullaryFnOnce for Gated<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let width = self.width.max(1);
        for (row, to) in self.rows.chunks_exact(2 * width).zip(self.to.chunks_exact_mut(width)) {
            let Some((gates, ups)) = row.split_at_checked(width) else { return };
            for ((to, gate), up) in to.iter_mut().zip(gates).zip(ups) {
                *to = gate / (1.0 + math::exp(-gate)) * up;
            }
        }
    }
}

struct Softmax<'a> {
    row: &'a mut [f32],
}

impl NullaryFnOnce for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let max = math::max(self.row);
        for x in self.row.iter_mut() {
            *x = math::exp(*x - max);
        }
        let inverse = 1.0 / math::sum(self.row);
        for x in self.row.iter_mut() {
            *x *= inverse;
        }
    }
}

struct Attend<'a> {
    query: &'a [f32],
    past: &'a [Past<'a>],
    length: usize,
    scores: &'a mut Vec<f32>,
    out: &'a mut [f32],
}

impl NullaryFnOnce for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.scores.clear();
        for past in self.past {
            let mut sums: Lanes = [0.0; BLOCK];
            for (x, keys) in self.query.iter().zip(past.keys.as_chunks::<BLOCK>().0) {
                for (sum, key) in sums.iter_mut().zip(keys) {
                    *sum += x * key;
                }
            }
            self.scores.extend_from_slice(&sums);
        }
        let Some((seen, unseen)) = self.scores.split_at_mut_checked(self.length) else { return };
        let max = math::max(seen);
        for x in seen.iter_mut() {
            *x = math::exp(*x - max);
        }
        unseen.fill(0.0);
        let inverse = 1.0 / math::sum(self.scores);
        let (parts, _) = self.out.as_chunks_mut::<BLOCK>();
        let stride = self.query.len().max(1);
        for (index, part) in parts.iter_mut().enumerate() {
            let mut sums: Lanes = [0.0; BLOCK];
            for (past, weights) in self.past.iter().zip(self.scores.as_chunks::<BLOCK>().0) {
                for (weight, values) in weights.iter().zip(past.values.chunks_exact(stride)) {
                    let Some(values) = values.as_chunks::<BLOCK>().0.get(index) else { return };
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += weight * value;
                    }
                }
            }
            for (to, sum) in part.iter_mut().zip(&sums) {
                *to = sum * inverse;
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "the integers are small")]
mod tests {
    use super::*;

    fn close(found: &[f32], wanted: &[f64]) {
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((f64::from(*found) - wanted).abs() < 1e-5, "{found} is not {wanted}");
        }
    }

    fn noise(count: usize) -> Vec<f32> {
        (0..count).map(|at| ((at * 7919 % 997) as f32 - 498.0) / 300.0).collect()
    }

    #[test]
    fn attention_is_its_definition_at_every_level() {
        let (width, blocks) = (64, 3);
        let keys = noise(blocks * BLOCK * width);
        let values = noise(blocks * BLOCK * width + 5);
        let values = &values[5..];
        let query = noise(width);
        let size = BLOCK * width;
        let past: Vec<Past<'_>> = keys
            .chunks(size)
            .zip(values.chunks(size))
            .map(|(keys, values)| Past { keys, values })
            .collect();
        for length in [1, 31, 32, 33, 70, 96] {
            let score = |at: usize| -> f64 {
                let block = &keys[at / BLOCK * size..];
                (0..width)
                    .map(|d| f64::from(query[d]) * f64::from(block[d * BLOCK + at % BLOCK]))
                    .sum()
            };
            let weights: Vec<f64> = (0..length).map(|at| score(at).exp()).collect();
            let total: f64 = weights.iter().sum();
            let wanted: Vec<f64> = (0..width)
                .map(|d| {
                    (0..length)
                        .map(|at| weights[at] * f64::from(values[at * width + d]))
                        .sum::<f64>()
                        / total
                })
                .collect();
            let run = |kernels: Kernels| {
                let mut out = vec![0.0; width];
                kernels.attend(&query, &past, length, &mut Vec::new(), &mut out);
                out
            };
            close(&run(Kernels::detect()), &wanted);
            assert_eq!(run(Kernels::detect()), run(Kernels::portable()));
        }
    }

    #[test]
    fn norm_and_gate_are_their_definitions() {
        let rows = noise(2 * 40);
        let weight = noise(40);
        let mut to = Vec::new();
        Kernels::detect().rms_norm(&rows, &weight, 1e-5, &mut to);
        let wanted: Vec<f64> = rows
            .chunks(40)
            .flat_map(|row| {
                let mean = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / 40.0;
                let scale = 1.0 / (mean + 1e-5).sqrt();
                row.iter()
                    .zip(&weight)
                    .map(move |(x, w)| f64::from(*x) * scale * f64::from(*w))
                    .collect::<Vec<_>>()
            })
            .collect();
        close(&to, &wanted);
        Kernels::detect().gated(&rows, 20, &mut to);
        let wanted: Vec<f64> = rows
            .chunks(40)
            .flat_map(|row| {
                (0..20)
                    .map(|at| {
                        let (gate, up) = (f64::from(row[at]), f64::from(row[at + 20]));
                        gate / (1.0 + (-gate).exp()) * up
                    })
                    .collect::<Vec<_>>()
            })
            .collect();
        close(&to, &wanted);
    }

    #[test]
    fn a_rotation_keeps_the_length_of_each_pair() {
        let mut row = [3.0, 4.0, 1.0, 0.0, 3.0, 4.0, 1.0, 0.0];
        Kernels::detect().rotate(&mut row, &[[0.6, 0.8], [0.0, 1.0]]);
        close(&row, &[-1.4, 4.8, 0.0, 1.0, -1.4, 4.8, 0.0, 1.0]);
    }
}
