//! Linear layers for a decoder: from one row at a time to a whole prompt, on several threads.
//!
//! A model that writes reads all its weights for every token, so a single row is bound by memory.
//! Up to four rows share one reading, and longer inputs go panel by panel through the cache. Sums
//! are the exact integers of [`super::gemm`] in every case, so a row's numbers depend neither on
//! the rows beside it nor on how many threads there are.

#![expect(clippy::inline_always, reason = "a kernel that is not inlined loses its instructions")]

use pulp::NullaryFnOnce;
use rayon::prelude::*;

use super::gemm::{self, CHANNELS, Packed, Quad, Quantise, Quantised, ROWS, Step};
use super::{Kernels, Level};

/// One row's results for one panel of channels.
type Part = [f32; CHANNELS];

/// Memory a linear layer reuses from call to call.
#[derive(Debug, Default)]
pub struct LinearScratch {
    quantised: Quantised,
    /// Panel by panel, row by row: what threads can write side by side.
    parts: Vec<Part>,
}

impl Packed {
    /// Numbers a row must have.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Adds the weights of one channel to `row`: for tables that are also a layer.
    pub fn add_channel(&self, channel: usize, row: &mut [f32]) {
        let quads = self.inputs.div_ceil(4);
        let (panel, lane) = (channel / CHANNELS, channel % CHANNELS);
        let steps = self.steps.get(panel * quads..(panel + 1) * quads).unwrap_or_default();
        let scale = self.scales.get(channel).copied().unwrap_or_default();
        for (to, [second, first]) in row.chunks_mut(4).zip(steps) {
            let pairs = [first, second].into_iter().filter_map(|half| half.get(lane));
            for (to, weight) in to.iter_mut().zip(pairs.flatten()) {
                *to += f32::from(*weight) * scale;
            }
        }
    }
}

impl Kernels {
    /// `out = rows × weights`, for rows that stand one after another without gaps, `out` too.
    pub fn linear(
        self,
        rows: &[f32],
        weights: &Packed,
        scratch: &mut LinearScratch,
        out: &mut Vec<f32>,
    ) {
        let count = rows.len() / weights.inputs.max(1);
        let to = &mut scratch.quantised;
        let (stride, width) = (weights.inputs.max(1), weights.inputs);
        self.0.run(Quantise { rows, stride, width, to });
        let padded = if count > ROWS { gemm::padded_rows(count) } else { count };
        to.pad(padded);
        let panels = weights.outputs.div_ceil(CHANNELS);
        scratch.parts.resize(panels * padded, [0.0; CHANNELS]);
        out.resize(count * weights.outputs, 0.0);
        if padded == 0 || panels == 0 {
            return;
        }
        let at_once = panels.div_ceil(rayon::current_num_threads()).max(1);
        let rows = &scratch.quantised;
        let level = self.0;
        let work = |(index, parts): (usize, &mut [Part])| {
            level.run(Panels { level, rows, weights, first: index * at_once, parts });
        };
        scratch.parts.par_chunks_mut(at_once * padded).enumerate().for_each(work);
        for (row, out) in out.chunks_exact_mut(weights.outputs).enumerate() {
            let parts = scratch.parts.iter().skip(row).step_by(padded);
            for (to, part) in out.chunks_mut(CHANNELS).zip(parts) {
                to.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

impl Quantised {
    /// Adds rows of zeros.
    fn pad(&mut self, rows: usize) {
        self.quads.resize(rows * self.quads_per_row, [[0; 2]; 2]);
        self.scales.resize(rows, 0.0);
        self.own.resize(rows, 0);
    }
}

/// Some panels of a layer, for all rows.
struct Panels<'a> {
    level: Level,
    rows: &'a Quantised,
    weights: &'a Packed,
    first: usize,
    parts: &'a mut [Part],
}

impl NullaryFnOnce for Panels<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        match self.rows.scales.len() {
            0 => {}
            1 => self.few::<1>(),
            2 => self.few::<2>(),
            3 => self.few::<3>(),
            4 => self.few::<4>(),
            _ => self.many(),
        }
    }
}

impl Panels<'_> {
    /// Each panel is used once, so its weights are widened on the way.
    #[inline(always)]
    fn few<const R: usize>(self) {
        let quads = self.rows.quads_per_row;
        let mut rows = self.rows.quads.chunks_exact(quads.max(1));
        let rows: [&[Quad]; R] = std::array::from_fn(|_| rows.next().unwrap_or_default());
        let Some(units) = self.rows.scales.first_chunk::<R>() else { return };
        let Some(rows_own) = self.rows.own.first_chunk::<R>() else { return };
        let steps = self.weights.steps.chunks_exact(quads.max(1)).skip(self.first);
        let scales = self.weights.scales.as_chunks::<CHANNELS>().0.iter().skip(self.first);
        let own = self.weights.own.as_chunks::<CHANNELS>().0.iter().skip(self.first);
        let panels = steps.zip(scales.zip(own));
        for ((steps, (scales, own)), parts) in panels.zip(self.parts.as_chunks_mut::<R>().0) {
            let sums = match self.level {
                #[cfg(target_arch = "x86_64")]
                Level::Avx2(simd) => avx2::few(simd, rows, steps, rows_own, own),
                Level::Portable => portable(rows, steps, rows_own, own),
            };
            for ((part, sums), unit) in parts.iter_mut().zip(&sums).zip(units) {
                *part = scaled(sums, *unit, scales);
            }
        }
    }

    /// Each panel is widened once and used for every tile of rows.
    #[inline(always)]
    fn many(self) {
        let quads = self.rows.quads_per_row;
        let mut panel: Vec<Step> = vec![[[[0; 2]; CHANNELS]; 2]; quads];
        let count = self.rows.scales.len();
        let steps = self.weights.steps.chunks_exact(quads.max(1)).skip(self.first);
        let scales = self.weights.scales.as_chunks::<CHANNELS>().0.iter().skip(self.first);
        let own = self.weights.own.as_chunks::<CHANNELS>().0.iter().skip(self.first);
        let panels = steps.zip(scales.zip(own));
        for ((steps, (scales, own)), parts) in panels.zip(self.parts.chunks_exact_mut(count)) {
            gemm::unpack(self.level, steps, &mut panel);
            let tiles = self.rows.quads.chunks_exact(ROWS * quads.max(1));
            let units = self.rows.scales.as_chunks::<ROWS>().0.iter();
            let units = units.zip(self.rows.own.as_chunks::<ROWS>().0);
            let parts = parts.as_chunks_mut::<ROWS>().0;
            for ((tile, (units, rows_own)), parts) in tiles.zip(units).zip(parts) {
                let sums = gemm::multiply(self.level, tile, quads, &panel, rows_own, own);
                for ((part, sums), unit) in parts.iter_mut().zip(&sums).zip(units) {
                    *part = scaled(sums, *unit, scales);
                }
            }
        }
    }
}

#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "24 bits of a sum are more than the weights hold")]
fn scaled(sums: &[i32; CHANNELS], unit: f32, scales: &Part) -> Part {
    let mut out = [0.0; CHANNELS];
    for ((out, sum), scale) in out.iter_mut().zip(sums).zip(scales) {
        *out = *sum as f32 * (unit * scale);
    }
    out
}

/// Winograd's sums in plain loops.
#[inline(always)]
fn portable<const R: usize>(
    rows: [&[Quad]; R],
    steps: &[gemm::PackedStep],
    rows_own: &[i32; R],
    own: &[i32; CHANNELS],
) -> [[i32; CHANNELS]; R] {
    let mut sums = [[0_i32; CHANNELS]; R];
    for ((row, sums), row_own) in rows.into_iter().zip(&mut sums).zip(rows_own) {
        for ([[a, b], [c, d]], [second, first]) in row.iter().zip(steps) {
            for (sum, (second, first)) in sums.iter_mut().zip(second.iter().zip(first)) {
                let one = |x: i16, w: i8| i32::from(x.wrapping_add(i16::from(w)));
                let left = one(*a, second[0]).wrapping_mul(one(*c, first[0]));
                let right = one(*b, second[1]).wrapping_mul(one(*d, first[1]));
                *sum = sum.wrapping_add(left).wrapping_add(right);
            }
        }
        for (sum, own) in sums.iter_mut().zip(own) {
            *sum = sum.wrapping_sub(*row_own).wrapping_sub(*own);
        }
    }
    sums
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! A panel whose weights are widened on the way. Plain loops only: what an array's `map` calls
    //! is not inlined here, and costs as much as the products.

    use std::arch::x86_64::__m256i;

    use pulp::x86::V3;

    use super::gemm::avx2::{add, widen};
    use super::gemm::{CHANNELS, PackedStep, Quad};

    #[inline(always)]
    pub(super) fn few<const R: usize>(
        simd: V3,
        rows: [&[Quad]; R],
        steps: &[PackedStep],
        rows_own: &[i32; R],
        own: &[i32; CHANNELS],
    ) -> [[i32; CHANNELS]; R] {
        let mut sums = [[simd.avx._mm256_setzero_si256(); 2]; R];
        for (at, step) in steps.iter().enumerate() {
            let step: [[__m256i; 2]; 2] = pulp::cast(widen(simd, step));
            for (sums, row) in sums.iter_mut().zip(&rows) {
                if let Some(quad) = row.get(at) {
                    add(simd, sums, quad, &step);
                }
            }
        }
        let mut out = [[0_i32; CHANNELS]; R];
        for ((out, sums), row) in out.iter_mut().zip(&sums).zip(rows_own) {
            *out = pulp::cast(*sums);
            for (sum, own) in out.iter_mut().zip(own) {
                *sum = sum.wrapping_sub(*row).wrapping_sub(*own);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::cast_precision_loss, reason = "the integers are small")]
    fn rows(count: usize, width: usize) -> Vec<f32> {
        (0..count * width).map(|at| ((at * 7919 % 1009) as f32 - 504.0) / 37.0).collect()
    }

    fn layer(inputs: usize, outputs: usize) -> (Vec<i8>, Packed) {
        let weights: Vec<i8> = (0..inputs * outputs)
            .map(|at| i8::try_from(at * 31 % 255).map_or(-127, |w| w))
            .collect();
        let scales: Vec<f32> =
            (0..outputs).map(|at| if at % 2 == 0 { 0.01 } else { 0.5 }).collect();
        let packed = Packed::new(inputs, &weights, &scales, &vec![0.0; outputs]);
        (weights, packed)
    }

    #[test]
    fn a_row_is_the_same_alone_in_company_on_every_level_and_any_threads() {
        for (inputs, outputs) in [(8, 5), (64, 33), (576, 96)] {
            let (_, packed) = layer(inputs, outputs);
            let all = rows(9, inputs);
            let run = |kernels: Kernels, rows: &[f32]| {
                let mut out = Vec::new();
                kernels.linear(rows, &packed, &mut LinearScratch::default(), &mut out);
                out
            };
            let together = run(Kernels::detect(), &all);
            assert_eq!(together, run(Kernels::portable(), &all));
            for count in 1..=5 {
                let part = run(Kernels::detect(), &all[..count * inputs]);
                assert_eq!(part, together[..count * outputs], "{count} rows");
                assert_eq!(part, run(Kernels::portable(), &all[..count * inputs]));
            }
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(together, pool.install(|| run(Kernels::detect(), &all)));
            }
        }
    }

    #[test]
    fn sums_are_right() {
        let (weights, packed) = layer(64, 20);
        let rows = rows(2, 64);
        let mut out = Vec::new();
        Kernels::detect().linear(&rows, &packed, &mut LinearScratch::default(), &mut out);
        for (row, out) in rows.chunks(64).zip(out.chunks(20)) {
            for (at, (channel, found)) in weights.chunks(64).zip(out).enumerate() {
                let scale = if at % 2 == 0 { 0.01 } else { 0.5 };
                let wanted: f32 = channel.iter().zip(row).map(|(w, x)| f32::from(*w) * x).sum();
                assert!((found - wanted * scale).abs() < 1.5 * scale, "{found} {wanted}");
            }
        }
    }

    #[test]
    fn a_channel_can_be_read_back() {
        let (weights, packed) = layer(10, 20);
        for channel in [0, 15, 16, 19] {
            let mut row = vec![1.0; 10];
            packed.add_channel(channel, &mut row);
            let scale = if channel % 2 == 0 { 0.01 } else { 0.5 };
            let wanted: Vec<f32> = weights[channel * 10..channel * 10 + 10]
                .iter()
                .map(|w| 1.0 + f32::from(*w) * scale)
                .collect();
            assert_eq!(row, wanted);
        }
        let mut row = vec![1.0; 10];
        packed.add_channel(1 << 20, &mut row);
        assert_eq!(row, [1.0; 10], "there is no such channel");
    }
}
