//! Float steps: exponential, GELU, layer norm. Each is a fixed sequence of IEEE operations.

#![expect(clippy::inline_always, reason = "a kernel that is not inlined loses its instructions")]
#![expect(
    clippy::excessive_precision,
    clippy::unreadable_literal,
    reason = "polynomial coefficients stand as they were fitted"
)]

use pulp::NullaryFnOnce;

/// Partial sums kept side by side: four vectors of eight, so that additions overlap.
const LANES: usize = 32;

/// Adding this rounds to the nearest integer and leaves it in the low bits.
const ROUND: f32 = 12_582_912.0;

/// The larger; compiles to one instruction because neither is ever NaN.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The nearest integer, ties to even, for magnitudes below 2^22.
#[inline(always)]
pub(super) fn round(x: f32) -> i32 {
    (x + ROUND).to_bits().cast_signed().wrapping_sub(ROUND.to_bits().cast_signed())
}

/// e to the x within 2e-7 of the value, for x in -87..=88; beyond, the value at that end.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = smaller(larger(x, -87.0), 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    // ln 2 in two parts, so that the remainder keeps its bits.
    let r = x - n * 0.693359375 - n * -2.12194440e-4;
    let p = 1.9875691500e-4;
    let p = p * r + 1.3981999507e-3;
    let p = p * r + 8.3334519073e-3;
    let p = p * r + 4.1665795894e-2;
    let p = p * r + 1.6666665459e-1;
    let p = p * r + 5.0000001201e-1;
    let value = p * (r * r) + r + 1.0;
    let power = shifted.to_bits().wrapping_add(127) << 23;
    value * f32::from_bits(power)
}

/// Hyperbolic tangent from our own exponential: the library's differs from system to system.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let e = exp(-2.0 * x.abs());
    ((1.0 - e) / (1.0 + e)).copysign(x)
}

/// BERT's GELU, by the error function, within 3e-6. The quotient was fitted to erf(x / √2) with the
/// error weighted as GELU weights it; beyond ±5 the function is its own asymptote.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    let c = smaller(larger(x, -5.0), 5.0);
    let s = c * c;
    let top = -2.02333802e-07;
    let top = top * s + 9.7639345e-05;
    let top = top * s + 0.00840452954;
    let top = top * s + 0.056000721;
    let top = top * s + 0.797929366;
    let bottom = 0.00140959044;
    let bottom = bottom * s + 0.0248580437;
    let bottom = bottom * s + 0.237025658;
    let bottom = bottom * s + 1.0;
    let half = 0.5 * x;
    half + half * (c * top / bottom)
}

/// Folds a row into one number: lane by lane, then the lanes in a fixed order.
#[inline(always)]
fn fold(
    row: &[f32],
    start: f32,
    step: impl Fn(f32, f32) -> f32,
    join: impl Fn(f32, f32) -> f32,
) -> f32 {
    let mut lanes = [start; LANES];
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = step(*lane, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = step(*lane, *value);
    }
    // Halves upon halves: eight times fewer steps than one lane after another.
    let lanes: [f32; 16] = halve(lanes.as_chunks().0, &join);
    let lanes: [f32; 8] = halve(lanes.as_chunks().0, &join);
    let lanes: [f32; 4] = halve(lanes.as_chunks().0, &join);
    let [a, b, c, d] = lanes;
    join(join(a, c), join(b, d))
}

/// Joins the first of two equal parts with the second.
#[inline(always)]
fn halve<const N: usize>(parts: &[[f32; N]], join: impl Fn(f32, f32) -> f32) -> [f32; N] {
    let mut all = [0.0; N];
    if let [first, second] = parts {
        for (all, (a, b)) in all.iter_mut().zip(first.iter().zip(second)) {
            *all = join(*a, *b);
        }
    }
    all
}

#[inline(always)]
pub(super) fn sum(row: &[f32]) -> f32 {
    fold(row, 0.0, |sum, x| sum + x, |a, b| a + b)
}

#[inline(always)]
pub(super) fn max(row: &[f32]) -> f32 {
    fold(row, f32::MIN, larger, larger)
}

#[inline(always)]
pub(super) fn max_abs(row: &[f32]) -> f32 {
    fold(row, 0.0, |max, x| larger(x.abs(), max), larger)
}

#[inline(always)]
pub(super) fn sum_of_squares(row: &[f32]) -> f32 {
    fold(row, 0.0, |sum, x| sum + x * x, |a, b| a + b)
}

/// Product of two vectors of one length, for the few that are not quantised.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; 8];
    for (a, b) in a.chunks(8).zip(b.chunks(8)) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum()
}

/// For each row of `rows`: adds the row of `added` and normalises the sum.
#[derive(Debug)]
pub(crate) struct AddNorm<'a> {
    pub(crate) rows: &'a mut [f32],
    /// Empty where nothing is added.
    pub(crate) added: &'a [f32],
    /// Distance from row to row in both.
    pub(crate) stride: usize,
    pub(crate) weight: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) epsilon: f32,
}

impl NullaryFnOnce for AddNorm<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let mut added = self.added.chunks_exact(self.stride);
        for row in self.rows.chunks_exact_mut(self.stride) {
            let Some(row) = row.get_mut(..self.weight.len()) else { return };
            if let Some(added) = added.next() {
                for (x, y) in row.iter_mut().zip(added) {
                    *x += y;
                }
            }
            normalise(row, self.weight, self.bias, self.epsilon);
        }
    }
}

#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a row has thousands of numbers, not millions")]
fn normalise(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let per = 1.0 / row.len() as f32;
    let mean = sum(row) * per;
    for x in row.iter_mut() {
        *x -= mean;
    }
    let variance = sum_of_squares(row) * per;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((x, w), b) in row.iter_mut().zip(weight).zip(bias) {
        *x = *x * scale * w + b;
    }
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "the integers are small")]
mod tests {
    use super::*;

    /// GELU by integrating the normal density in double precision.
    fn reference_gelu(x: f64) -> f64 {
        let steps = 20_000;
        let width = x / f64::from(steps);
        let density = |t: f64| (-0.5 * t * t).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let inner: f64 = (1..steps)
            .map(|i| density(f64::from(i) * width) * if i % 2 == 1 { 4.0 } else { 2.0 })
            .sum();
        x * (0.5 + (density(0.0) + inner + density(x)) * width / 3.0)
    }

    #[test]
    fn gelu_is_close_to_its_definition() {
        for i in -90..=90 {
            let x = f64::from(i) / 10.0;
            let found = f64::from(gelu(i as f32 / 10.0));
            assert!((found - reference_gelu(x)).abs() < 4e-6, "gelu({x}) = {found}");
        }
    }

    #[test]
    fn gelu_far_out_is_the_line_or_zero() {
        assert!((gelu(1000.0) - 1000.0).abs() < 1e-3);
        assert!(gelu(-1000.0).abs() < 1e-3);
    }

    #[test]
    fn exp_matches_the_library() {
        for i in -870..=880 {
            let x = i as f32 / 10.0;
            let (found, wanted) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((found / wanted - 1.0).abs() < 3e-7, "exp({x}) = {found}, not {wanted}");
        }
        assert!(exp(f32::MIN) < 2e-38);
    }

    #[test]
    fn tanh_matches_the_library() {
        for i in -200..=200 {
            let x = i as f32 / 20.0;
            assert!((f64::from(tanh(x)) - f64::from(x).tanh()).abs() < 1e-6, "tanh({x})");
        }
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        for (x, wanted) in [(0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (2.4, 2), (-32767.0, -32767)]
        {
            assert_eq!(round(x), wanted, "round({x})");
        }
    }

    #[test]
    fn norm_of_a_row_has_mean_zero_and_variance_one() {
        let mut rows: Vec<f32> = (0..40).map(|i| (i * i % 17) as f32).collect();
        let op = AddNorm {
            rows: &mut rows,
            added: &[],
            stride: 40,
            weight: &[1.0; 37],
            bias: &[0.0; 37],
            epsilon: 1e-12,
        };
        crate::kernel::Level::detect().run(op);
        let row = &rows[..37];
        assert!(sum(row).abs() < 1e-5);
        assert!((row.iter().map(|x| x * x).sum::<f32>() / 37.0 - 1.0).abs() < 1e-5);
        assert_eq!(rows[39..], [(39 * 39 % 17) as f32], "padding is left alone");
    }
}
