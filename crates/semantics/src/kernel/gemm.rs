//! Linear layers: rows of 16-bit integers times channels of 8-bit integers, summed exactly.
//!
//! A row of activations is scaled by its own largest number to as many bits as can be summed
//! without overflow (14 to 16), so a row's result depends on nothing else in the batch, and what
//! error there is comes from the weights.
//!
//! Multipliers are scarcer than adders, so products are taken by Winograd's identity of 1968:
//!
//! ```text
//! a·v + b·w = (a + w)·(b + v) − a·b − v·w
//! ```
//!
//! One product does the work of two; `a·b` is summed once a row and `v·w` once a channel. Sums
//! wrap on the way and are right at the end. With `vpmaddwd` this runs as fast as 8-bit products
//! by `vpmaddubsw`, which would leave 7 bits for the activations and three to five times the error.

#![expect(clippy::inline_always, reason = "a kernel that is not inlined loses its instructions")]

use pulp::NullaryFnOnce;

use super::{Level, math};

/// Rows of a tile. With two vectors of channels this fills the sixteen registers.
pub(super) const ROWS: usize = 4;
/// Channels of a panel: two vectors of eight 32-bit sums.
pub(super) const CHANNELS: usize = 16;

/// Two neighbouring numbers of a row: what one 32-bit lane multiplies.
pub(super) type Pair = [i16; 2];
/// Two neighbouring pairs: what Winograd's identity takes together.
pub(super) type Quad = [Pair; 2];
/// Every channel's weights for one quad, **the second pair first**: that is how they are added.
pub(crate) type Step = [[Pair; CHANNELS]; 2];
pub(super) type PackedStep = [[[i8; 2]; CHANNELS]; 2];

/// How many rows a buffer for `rows` rows must have.
pub(crate) fn padded_rows(rows: usize) -> usize {
    rows.next_multiple_of(ROWS)
}

/// How many columns the output of `channels` channels has.
pub(crate) fn padded_channels(channels: usize) -> usize {
    channels.next_multiple_of(CHANNELS)
}

/// The largest activation for which no sum of `inputs` products overflows, and to which a weight
/// can be added.
fn activation_max(inputs: usize) -> i16 {
    let max = i32::MAX / 127 / i32::try_from(inputs.max(1)).unwrap_or(i32::MAX);
    i16::try_from(max).unwrap_or(i16::MAX).min(i16::MAX - 127)
}

/// A linear layer's weights, cut into panels of [`CHANNELS`] channels, four inputs a step.
#[derive(Debug)]
pub struct Packed {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) steps: Vec<PackedStep>,
    /// One per channel, zeros after the last.
    pub(super) scales: Vec<f32>,
    bias: Vec<f32>,
    /// Each channel's own products, which Winograd's identity takes off.
    pub(super) own: Vec<i32>,
}

impl Packed {
    /// Packs `values` (channel by channel, `inputs` each); `scales` and `bias` have one number a
    /// channel.
    pub fn new(inputs: usize, values: &[i8], scales: &[f32], bias: &[f32]) -> Self {
        let outputs = scales.len();
        let quads = inputs.div_ceil(4);
        let panels = outputs.div_ceil(CHANNELS);
        let mut steps = vec![[[[0; 2]; CHANNELS]; 2]; panels * quads];
        let mut own = vec![0; panels * CHANNELS];
        let blocks = values.chunks(inputs.max(1) * CHANNELS).zip(own.chunks_exact_mut(CHANNELS));
        for (panel, (block, own)) in steps.chunks_exact_mut(quads.max(1)).zip(blocks) {
            let channels = block.chunks(inputs.max(1)).zip(own);
            for (lane, (channel, own)) in channels.enumerate() {
                for (step, weights) in panel.iter_mut().zip(channel.chunks(4)) {
                    let mut quad = [0; 4];
                    quad.iter_mut().zip(weights).for_each(|(to, from)| *to = *from);
                    let [a, b, c, d] = quad;
                    *own += i32::from(a) * i32::from(c) + i32::from(b) * i32::from(d);
                    let [second, first] = step;
                    if let (Some(first), Some(second)) = (first.get_mut(lane), second.get_mut(lane))
                    {
                        (*first, *second) = ([a, b], [c, d]);
                    }
                }
            }
        }
        let padded = |values: &[f32]| {
            let mut values = values.to_vec();
            values.resize(panels * CHANNELS, 0.0);
            values
        };
        Self { inputs, outputs, steps, scales: padded(scales), bias: padded(bias), own }
    }

    /// Numbers a row gives.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(self.steps.as_slice()) + 8 * self.scales.len()
    }
}

/// Rows of activations as integers.
#[derive(Debug, Default)]
pub(crate) struct Quantised {
    /// Row after row, each of a whole number of quads.
    pub(super) quads: Vec<Quad>,
    pub(super) quads_per_row: usize,
    /// What one unit of each row is worth.
    pub(super) scales: Vec<f32>,
    /// Each row's own products, which Winograd's identity takes off.
    pub(super) own: Vec<i32>,
}

/// Turns float rows into integers, each by its own largest number.
#[derive(Debug)]
pub(crate) struct Quantise<'a> {
    /// A padded number of rows.
    pub(crate) rows: &'a [f32],
    pub(crate) stride: usize,
    pub(crate) width: usize,
    pub(crate) to: &'a mut Quantised,
}

impl NullaryFnOnce for Quantise<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let rows = self.rows.chunks_exact(self.stride);
        let to = self.to;
        to.quads_per_row = self.width.div_ceil(4);
        to.quads.resize(rows.len() * to.quads_per_row, [[0; 2]; 2]);
        to.scales.resize(rows.len(), 0.0);
        to.own.resize(rows.len(), 0);
        let limit = f32::from(activation_max(self.width));
        let targets = to.quads.chunks_exact_mut(to.quads_per_row);
        for (row, (quads, (scale, own))) in
            rows.zip(targets.zip(to.scales.iter_mut().zip(&mut to.own)))
        {
            let Some(row) = row.get(..self.width) else { return };
            *scale = quantise(row, limit, quads.as_flattened_mut().as_flattened_mut());
            *own = own_products(quads);
        }
    }
}

/// Returns what one unit is worth.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the integer is in the low sixteen bits")]
fn quantise(row: &[f32], limit: f32, to: &mut [i16]) -> f32 {
    let max = math::max_abs(row);
    // A row of nothing but zeros, or of numbers too small to divide by, is zero.
    let (inverse, scale) = if max > 1e-30 { (limit / max, max / limit) } else { (0.0, 0.0) };
    for (to, x) in to.iter_mut().zip(row) {
        *to = math::round(x * inverse) as i16;
    }
    if let Some(rest) = to.get_mut(row.len()..) {
        rest.fill(0);
    }
    scale
}

#[inline(always)]
fn own_products(quads: &[Quad]) -> i32 {
    let product = |[[a, b], [c, d]]: &Quad| {
        (i32::from(*a) * i32::from(*c)).wrapping_add(i32::from(*b) * i32::from(*d))
    };
    quads.iter().fold(0, |sum, quad| sum.wrapping_add(product(quad)))
}

/// What happens to a sum after its bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    Linear,
    Gelu,
}

/// `out = activation(rows × weights + bias)`.
#[derive(Debug)]
pub(crate) struct Gemm<'a> {
    pub(crate) level: Level,
    pub(crate) rows: &'a Quantised,
    pub(crate) weights: &'a Packed,
    pub(crate) activation: Activation,
    /// The panel at hand in 16 bits; kept between calls for its memory.
    pub(crate) panel: &'a mut Vec<Step>,
    /// As many rows as `rows`, each [`padded_channels`] wide.
    pub(crate) out: &'a mut [f32],
}

impl NullaryFnOnce for Gemm<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { rows, weights, panel, .. } = self;
        let quads = rows.quads_per_row;
        if quads == 0 || quads != weights.inputs.div_ceil(4) {
            return;
        }
        panel.resize(quads, [[[0; 2]; CHANNELS]; 2]);
        let stride = padded_channels(weights.outputs);
        let scales = weights.scales.as_chunks::<CHANNELS>().0;
        let bias = weights.bias.as_chunks::<CHANNELS>().0;
        let own = weights.own.as_chunks::<CHANNELS>().0;
        let panels = weights.steps.chunks_exact(quads).zip(scales.iter().zip(bias).zip(own));
        for (column, (packed, ((scales, bias), own))) in panels.enumerate() {
            unpack(self.level, packed, panel);
            let units = rows.scales.chunks_exact(ROWS).zip(rows.own.as_chunks::<ROWS>().0);
            let tiles = rows.quads.chunks_exact(ROWS * quads).zip(units);
            for ((tile, (units, rows_own)), out) in
                tiles.zip(self.out.chunks_exact_mut(ROWS * stride))
            {
                let sums = multiply(self.level, tile, quads, panel, rows_own, own);
                let out = out.chunks_exact_mut(stride);
                for ((sums, unit), out) in sums.iter().zip(units).zip(out) {
                    if let Some(out) = out.as_chunks_mut::<CHANNELS>().0.get_mut(column) {
                        *out = finish(sums, *unit, scales, bias, self.activation);
                    }
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn unpack(level: Level, packed: &[PackedStep], panel: &mut [Step]) {
    for (packed, step) in packed.iter().zip(panel) {
        *step = match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(simd) => avx2::widen(simd, packed),
            Level::Portable => packed.map(|pairs| pairs.map(|pair| pair.map(i16::from))),
        };
    }
}

#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "24 bits of a sum are more than the weights hold")]
fn finish(
    sums: &[i32; CHANNELS],
    unit: f32,
    scales: &[f32; CHANNELS],
    bias: &[f32; CHANNELS],
    activation: Activation,
) -> [f32; CHANNELS] {
    let mut out = [0.0; CHANNELS];
    for (((out, sum), scale), bias) in out.iter_mut().zip(sums).zip(scales).zip(bias) {
        *out = *sum as f32 * (unit * scale) + bias;
    }
    if activation == Activation::Gelu {
        for x in &mut out {
            *x = math::gelu(*x);
        }
    }
    out
}

#[inline(always)]
pub(super) fn multiply(
    level: Level,
    tile: &[Quad],
    quads: usize,
    panel: &[Step],
    rows_own: &[i32; ROWS],
    channels_own: &[i32; CHANNELS],
) -> [[i32; CHANNELS]; ROWS] {
    let mut rows = tile.chunks_exact(quads);
    let rows: [&[Quad]; ROWS] = std::array::from_fn(|_| rows.next().unwrap_or_default());
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(simd) => {
            let mut sums = avx2::multiply(simd, rows, panel);
            for (sums, row) in sums.iter_mut().zip(rows_own) {
                for (sum, channel) in sums.iter_mut().zip(channels_own) {
                    *sum = sum.wrapping_sub(*row).wrapping_sub(*channel);
                }
            }
            sums
        }
        Level::Portable => multiply_portable(rows, panel),
    }
}

/// Computes the sums of `multiply` by their definition, on any machine.
#[inline(always)]
fn multiply_portable(rows: [&[Quad]; ROWS], panel: &[Step]) -> [[i32; CHANNELS]; ROWS] {
    rows.map(|row| {
        let mut sums = [0; CHANNELS];
        for ([first, second], [second_weights, first_weights]) in row.iter().zip(panel) {
            for (pair, weights) in [(first, first_weights), (second, second_weights)] {
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum += i32::from(pair[0]) * i32::from(weights[0])
                        + i32::from(pair[1]) * i32::from(weights[1]);
                }
            }
        }
        sums
    })
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    //! The two steps that need instructions by name.

    use std::arch::x86_64::{__m128i, __m256i};

    use pulp::x86::V3;

    use super::{CHANNELS, PackedStep, Quad, ROWS, Step};

    #[inline(always)]
    pub(in crate::kernel) fn widen(simd: V3, packed: &PackedStep) -> Step {
        let [a, b, c, d]: [__m128i; 4] = pulp::cast(*packed);
        let widen = |bytes| simd.avx2._mm256_cvtepi8_epi16(bytes);
        pulp::cast([widen(a), widen(b), widen(c), widen(d)])
    }

    /// The sums of Winograd's products, from which the rows' and channels' own are still to be
    /// taken off.
    #[inline(always)]
    pub(super) fn multiply(
        simd: V3,
        rows: [&[Quad]; ROWS],
        panel: &[Step],
    ) -> [[i32; CHANNELS]; ROWS] {
        let mut sums = [[simd.avx._mm256_setzero_si256(); 2]; ROWS];
        let [r0, r1, r2, r3] = rows.map(|row| row.as_chunks::<2>());
        let (steps, last) = panel.as_chunks::<2>();
        // Two steps a turn: the loop's own counting would take issue slots from the adders.
        for ((((q0, q1), q2), q3), step) in r0.0.iter().zip(r1.0).zip(r2.0).zip(r3.0).zip(steps) {
            tile(simd, &mut sums, [&q0[0], &q1[0], &q2[0], &q3[0]], &step[0]);
            tile(simd, &mut sums, [&q0[1], &q1[1], &q2[1], &q3[1]], &step[1]);
        }
        if let ([q0], [q1], [q2], [q3], [step]) = (r0.1, r1.1, r2.1, r3.1, last) {
            tile(simd, &mut sums, [q0, q1, q2, q3], step);
        }
        pulp::cast(sums)
    }

    #[inline(always)]
    fn tile(simd: V3, sums: &mut [[__m256i; 2]; ROWS], quads: [&Quad; ROWS], step: &Step) {
        let step: [[__m256i; 2]; 2] = pulp::cast(*step);
        for (sums, quad) in sums.iter_mut().zip(quads) {
            add(simd, sums, quad, &step);
        }
    }

    /// One row's products of one step.
    #[inline(always)]
    pub(in crate::kernel) fn add(
        simd: V3,
        sums: &mut [__m256i; 2],
        [one, two]: &Quad,
        [second, first]: &[[__m256i; 2]; 2],
    ) {
        let one = simd.avx._mm256_set1_epi32(pulp::cast(*one));
        let two = simd.avx._mm256_set1_epi32(pulp::cast(*two));
        for (sum, (second, first)) in sums.iter_mut().zip(second.iter().zip(first)) {
            let left = simd.avx2._mm256_add_epi16(one, *second);
            let right = simd.avx2._mm256_add_epi16(two, *first);
            let products = simd.avx2._mm256_madd_epi16(left, right);
            *sum = simd.avx2._mm256_add_epi32(*sum, products);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers at the ends of their ranges, where sums come closest to overflow.
    #[test]
    fn extreme_sums_are_exact_at_every_level() {
        for (inputs, outputs) in [(1, 1), (3, 17), (4, 16), (384, 33), (1536, 16), (1538, 5)] {
            let weights: Vec<i8> =
                (0..inputs * outputs).map(|at| if at % 5 == 3 { -127 } else { 127 }).collect();
            let packed = Packed::new(inputs, &weights, &vec![1.0; outputs], &vec![0.0; outputs]);
            let rows: Vec<f32> = (0..5 * inputs)
                .map(|at| if at < inputs { 1.0 } else { [1.0, -1.0, 0.5][at % 3] })
                .chain(vec![0.0; 3 * inputs])
                .collect();
            let mut quantised = Quantised::default();
            let to = &mut quantised;
            Quantise { rows: &rows, stride: inputs, width: inputs, to }.call();
            let run = |level: Level| {
                let mut out = vec![0.0; 8 * padded_channels(outputs)];
                level.run(Gemm {
                    level,
                    rows: &quantised,
                    weights: &packed,
                    activation: Activation::Linear,
                    panel: &mut Vec::new(),
                    out: &mut out,
                });
                out
            };
            let out = run(Level::detect());
            assert_eq!(out, run(Level::Portable));
            for (row, out) in rows.chunks(inputs).zip(out.chunks(padded_channels(outputs))) {
                for (channel, found) in weights.chunks(inputs).zip(out) {
                    let products =
                        channel.iter().zip(row).map(|(w, x)| f64::from(*w) * f64::from(*x));
                    let wanted: f64 = products.sum();
                    let within = 127.0 * f64::from(u32::try_from(inputs).unwrap()) / 8000.0;
                    assert!((f64::from(*found) - wanted).abs() < within, "{found} is not {wanted}");
                }
            }
        }
    }
}
