//! Linear layers: rows of 16-bit integers times channels of 8-bit integers, summed exactly.
//!
//! A row of activations is scaled by its own largest number to as many bits as can be summed
//! without overflow (14 to 16), so a row's result depends on nothing else in the batch, and what
//! error there is comes from the weights. `vpmaddwd` multiplies sixteen pairs at once; 8-bit
//! products (`vpmaddubsw`) would be a fifth faster but leave 7 bits for the activations, which
//! was measured to cost three to five times the error.

#![expect(clippy::inline_always, reason = "a kernel that is not inlined loses its instructions")]

use pulp::NullaryFnOnce;

use super::{Level, math};

/// Rows of a tile. With two vectors of channels this fills the sixteen registers.
const ROWS: usize = 6;
/// Channels of a panel: two vectors of eight 32-bit sums.
const CHANNELS: usize = 16;

/// Two neighbouring numbers of a row: what one 32-bit lane multiplies.
type Pair = [i16; 2];
type PackedStep = [[i8; 2]; CHANNELS];
type Step = [Pair; CHANNELS];

/// How many rows a buffer for `rows` rows must have.
pub(crate) fn padded_rows(rows: usize) -> usize {
    rows.next_multiple_of(ROWS)
}

/// How many columns the output of `channels` channels has.
pub(crate) fn padded_channels(channels: usize) -> usize {
    channels.next_multiple_of(CHANNELS)
}

/// The largest activation for which no sum of `inputs` products overflows.
fn activation_max(inputs: usize) -> i16 {
    let max = i32::MAX / 127 / i32::try_from(inputs.max(1)).unwrap_or(i32::MAX);
    i16::try_from(max).unwrap_or(i16::MAX)
}

/// A linear layer's weights, cut into panels of [`CHANNELS`] channels, two inputs at a time.
#[derive(Debug)]
pub(crate) struct Packed {
    inputs: usize,
    outputs: usize,
    steps: Vec<PackedStep>,
    /// One per channel, zeros after the last.
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Packed {
    /// Packs `values` (channel by channel, `inputs` each); `scales` and `bias` have one number a
    /// channel.
    pub(crate) fn new(inputs: usize, values: &[i8], scales: &[f32], bias: &[f32]) -> Self {
        let outputs = scales.len();
        let pairs = inputs.div_ceil(2);
        let panels = outputs.div_ceil(CHANNELS);
        let mut steps = vec![[[0; 2]; CHANNELS]; panels * pairs];
        let blocks = values.chunks(inputs.max(1) * CHANNELS);
        for (panel, block) in steps.chunks_exact_mut(pairs.max(1)).zip(blocks) {
            for (lane, channel) in block.chunks(inputs.max(1)).enumerate() {
                for (step, pair) in panel.iter_mut().zip(channel.chunks(2)) {
                    if let Some(slot) = step.get_mut(lane) {
                        slot.iter_mut().zip(pair).for_each(|(to, from)| *to = *from);
                    }
                }
            }
        }
        let padded = |values: &[f32]| {
            let mut values = values.to_vec();
            values.resize(panels * CHANNELS, 0.0);
            values
        };
        Self { inputs, outputs, steps, scales: padded(scales), bias: padded(bias) }
    }

    /// Numbers a row gives.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.steps.as_slice()) + 8 * self.scales.len()
    }
}

/// Rows of activations as integers.
#[derive(Debug, Default)]
pub(crate) struct Quantised {
    /// Row after row, each of a whole number of pairs.
    pairs: Vec<Pair>,
    pairs_per_row: usize,
    /// What one unit of each row is worth.
    scales: Vec<f32>,
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
        to.pairs_per_row = self.width.div_ceil(2);
        to.pairs.resize(rows.len() * to.pairs_per_row, [0; 2]);
        to.scales.resize(rows.len(), 0.0);
        let limit = f32::from(activation_max(self.width));
        let targets = to.pairs.chunks_exact_mut(to.pairs_per_row).zip(&mut to.scales);
        for (row, (pairs, scale)) in rows.zip(targets) {
            let Some(row) = row.get(..self.width) else { return };
            *scale = quantise(row, limit, pairs);
        }
    }
}

/// Returns what one unit is worth.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the integer is in the low sixteen bits")]
fn quantise(row: &[f32], limit: f32, pairs: &mut [Pair]) -> f32 {
    let max = math::max_abs(row);
    // A row of nothing but zeros, or of numbers too small to divide by, is zero.
    let (inverse, scale) = if max > 1e-30 { (limit / max, max / limit) } else { (0.0, 0.0) };
    let to = pairs.as_flattened_mut();
    for (to, x) in to.iter_mut().zip(row) {
        *to = math::round(x * inverse) as i16;
    }
    if let Some(rest) = to.get_mut(row.len()..) {
        rest.fill(0);
    }
    scale
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
        let pairs = rows.pairs_per_row;
        if pairs == 0 || pairs != weights.inputs.div_ceil(2) {
            return;
        }
        panel.resize(pairs, [[0; 2]; CHANNELS]);
        let stride = padded_channels(weights.outputs);
        let scales = weights.scales.as_chunks::<CHANNELS>().0;
        let bias = weights.bias.as_chunks::<CHANNELS>().0;
        let panels = weights.steps.chunks_exact(pairs).zip(scales.iter().zip(bias));
        for (column, (packed, (scales, bias))) in panels.enumerate() {
            unpack(packed, panel);
            let tiles = rows.pairs.chunks_exact(ROWS * pairs).zip(rows.scales.chunks_exact(ROWS));
            for ((tile, units), out) in tiles.zip(self.out.chunks_exact_mut(ROWS * stride)) {
                let sums = multiply(self.level, tile, pairs, panel);
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
fn unpack(packed: &[PackedStep], panel: &mut [Step]) {
    for (packed, step) in packed.iter().zip(panel) {
        for (from, to) in packed.as_flattened().iter().zip(step.as_flattened_mut()) {
            *to = i16::from(*from);
        }
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
fn multiply(level: Level, tile: &[Pair], pairs: usize, panel: &[Step]) -> [[i32; CHANNELS]; ROWS] {
    let mut rows = tile.chunks_exact(pairs);
    let rows: [&[Pair]; ROWS] = std::array::from_fn(|_| rows.next().unwrap_or_default());
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(simd) => multiply_avx2(simd, rows, panel),
        Level::Portable => multiply_portable(rows, panel),
    }
}

#[inline(always)]
fn multiply_portable(rows: [&[Pair]; ROWS], panel: &[Step]) -> [[i32; CHANNELS]; ROWS] {
    rows.map(|row| {
        let mut sums = [0; CHANNELS];
        for (pair, step) in row.iter().zip(panel) {
            for (sum, weights) in sums.iter_mut().zip(step) {
                *sum += i32::from(pair[0]) * i32::from(weights[0])
                    + i32::from(pair[1]) * i32::from(weights[1]);
            }
        }
        sums
    })
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn multiply_avx2(
    simd: pulp::x86::V3,
    rows: [&[Pair]; ROWS],
    panel: &[Step],
) -> [[i32; CHANNELS]; ROWS] {
    use std::arch::x86_64::__m256i;

    let mut sums = [[simd.avx._mm256_setzero_si256(); 2]; ROWS];
    let [r0, r1, r2, r3, r4, r5] = rows;
    let steps = r0.iter().zip(r1).zip(r2).zip(r3).zip(r4).zip(r5).zip(panel);
    for ((((((a0, a1), a2), a3), a4), a5), step) in steps {
        let weights: [__m256i; 2] = pulp::cast(*step);
        for (sums, pair) in sums.iter_mut().zip([a0, a1, a2, a3, a4, a5]) {
            let pair = simd.avx._mm256_set1_epi32(pulp::cast(*pair));
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let products = simd.avx2._mm256_madd_epi16(pair, weights);
                *sum = simd.avx2._mm256_add_epi32(*sum, products);
            }
        }
    }
    sums.map(pulp::cast)
}
