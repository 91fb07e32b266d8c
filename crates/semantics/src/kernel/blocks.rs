//! The number formats of model files that hold blocks of quantised weights, and their way to one
//! byte a weight.
//!
//! A block has 32 numbers and a scale of its own, some also an offset. They become plain numbers
//! for a moment, and then integers by the largest of their row: a file of four bits a weight loses
//! about a tenth of a step by it.

#![expect(clippy::inline_always, reason = "a kernel that is not inlined loses its instructions")]

use pulp::NullaryFnOnce;

use super::{Kernels, math};

/// How the numbers of a tensor are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 32-bit floats.
    F32,
    /// 16-bit floats.
    F16,
    /// The upper half of 32-bit floats.
    Bf16,
    /// Four bits and a scale.
    Q4_0,
    /// Four bits, a scale and an offset.
    Q4_1,
    /// Five bits and a scale.
    Q5_0,
    /// Five bits, a scale and an offset.
    Q5_1,
    /// Eight bits and a scale.
    Q8_0,
}

impl Format {
    /// Numbers of a block.
    pub fn block(self) -> usize {
        match self {
            Self::F32 | Self::F16 | Self::Bf16 => 1,
            Self::Q4_0 | Self::Q4_1 | Self::Q5_0 | Self::Q5_1 | Self::Q8_0 => 32,
        }
    }

    /// Bytes of a block.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::Q4_0 => 18,
            Self::Q4_1 => 20,
            Self::Q5_0 => 22,
            Self::Q5_1 => 24,
            Self::Q8_0 => 34,
        }
    }

    /// Reads numbers until either side ends.
    #[inline(always)]
    fn floats(self, bytes: &[u8], to: &mut [f32]) {
        match self {
            Self::F32 => each(bytes, to, |bytes: &[u8; 4], [to]| *to = f32::from_le_bytes(*bytes)),
            Self::F16 => each(bytes, to, |bytes: &[u8; 2], [to]| *to = half(*bytes)),
            Self::Bf16 => each(bytes, to, |[low, high]: &[u8; 2], [to]| {
                *to = f32::from_le_bytes([0, 0, *low, *high]);
            }),
            Self::Q4_0 => each(bytes, to, |[a, b, nibbles @ ..]: &[u8; 18], to| {
                four(nibbles, half([*a, *b]), -8.0 * half([*a, *b]), to);
            }),
            Self::Q4_1 => each(bytes, to, |[a, b, c, d, nibbles @ ..]: &[u8; 20], to| {
                four(nibbles, half([*a, *b]), half([*c, *d]), to);
            }),
            Self::Q5_0 => each(bytes, to, |[a, b, e, f, g, h, nibbles @ ..]: &[u8; 22], to| {
                let fifth = u32::from_le_bytes([*e, *f, *g, *h]);
                five(nibbles, fifth, half([*a, *b]), -16.0 * half([*a, *b]), to);
            }),
            Self::Q5_1 => {
                each(bytes, to, |[a, b, c, d, e, f, g, h, nibbles @ ..]: &[u8; 24], to| {
                    let fifth = u32::from_le_bytes([*e, *f, *g, *h]);
                    five(nibbles, fifth, half([*a, *b]), half([*c, *d]), to);
                });
            }
            Self::Q8_0 => each(bytes, to, |[a, b, values @ ..]: &[u8; 34], to: &mut [f32; 32]| {
                let scale = half([*a, *b]);
                for (to, value) in to.iter_mut().zip(values) {
                    *to = f32::from(value.cast_signed()) * scale;
                }
            }),
        }
    }
}

#[inline(always)]
fn each<const B: usize, const N: usize>(
    bytes: &[u8],
    to: &mut [f32],
    read: impl Fn(&[u8; B], &mut [f32; N]),
) {
    let blocks = bytes.as_chunks::<B>().0.iter().zip(to.as_chunks_mut::<N>().0);
    blocks.for_each(|(block, to)| read(block, to));
}

/// The low halves of sixteen bytes, then the high ones.
#[inline(always)]
fn four(nibbles: &[u8; 16], scale: f32, offset: f32, to: &mut [f32; 32]) {
    let (low, high) = to.split_at_mut(16);
    for ((low, high), byte) in low.iter_mut().zip(high).zip(nibbles) {
        *low = f32::from(byte & 15) * scale + offset;
        *high = f32::from(byte >> 4) * scale + offset;
    }
}

/// Unpacks like [`four`], with a fifth bit for each number.
#[inline(always)]
fn five(nibbles: &[u8; 16], fifth: u32, scale: f32, offset: f32, to: &mut [f32; 32]) {
    four(nibbles, scale, offset, to);
    for (at, to) in to.iter_mut().enumerate() {
        if fifth >> at & 1 == 1 {
            *to += 16.0 * scale;
        }
    }
}

/// A 16-bit float. Subnormal ones, infinity and what is no number included.
#[inline(always)]
fn half(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let (sign, rest) = ((bits & 0x8000) << 16, bits & 0x7fff);
    // The exponent's bias is corrected by a product, which subnormal numbers survive.
    let magnitude = if rest >= 0x7c00 {
        f32::from_bits((rest << 13) | 0x7f80_0000)
    } else {
        f32::from_bits(rest << 13) * f32::from_bits((254 - 15) << 23)
    };
    f32::from_bits(magnitude.to_bits() | sign)
}

impl Kernels {
    /// Reads numbers until either side ends.
    pub fn floats(self, format: Format, bytes: &[u8], to: &mut [f32]) {
        self.0.run(Floats { format, bytes, to });
    }

    /// Rows of `width` numbers as integers in -127..=127, and what one unit of each row is worth.
    /// `None` where a number is none or infinite.
    pub fn integers(
        self,
        format: Format,
        bytes: &[u8],
        width: usize,
    ) -> Option<(Vec<i8>, Vec<f32>)> {
        let stride = width.checked_div(format.block())? * format.bytes();
        if stride == 0 {
            return None;
        }
        let rows = bytes.chunks_exact(stride);
        let (mut integers, mut scales) = (vec![0; rows.len() * width], Vec::new());
        let mut floats = vec![0.0; width];
        for (bytes, to) in rows.zip(integers.chunks_exact_mut(width)) {
            self.floats(format, bytes, &mut floats);
            let scale = self.0.run(Integers { row: &floats, to });
            if !scale.is_finite() {
                return None;
            }
            scales.push(scale);
        }
        Some((integers, scales))
    }
}

struct Floats<'a> {
    format: Format,
    bytes: &'a [u8],
    to: &'a mut [f32],
}

impl NullaryFnOnce for Floats<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.format.floats(self.bytes, self.to);
    }
}

struct Integers<'a> {
    row: &'a [f32],
    to: &'a mut [i8],
}

impl NullaryFnOnce for Integers<'_> {
    type Output = f32;

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "within -127..=127")]
    fn call(self) -> f32 {
        // A sum is no number if any of its parts is none; a maximum may miss it.
        if !math::sum_of_squares(self.row).is_finite() {
            return f32::NAN;
        }
        let max = math::max_abs(self.row);
        let inverse = if max > 1e-30 { 127.0 / max } else { 0.0 };
        for (to, x) in self.to.iter_mut().zip(self.row) {
            *to = math::round(x * inverse) as i8;
        }
        max / 127.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_read() {
        for (bits, wanted) in [
            (0x0000_u16, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x8001, -5.960_464_5e-8),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(half(bits.to_le_bytes()).to_bits(), f32::to_bits(wanted), "{bits:x}");
        }
        assert!(half(0x7e00_u16.to_le_bytes()).is_nan());
    }

    fn read(format: Format, bytes: &[u8]) -> Vec<f32> {
        let mut to = vec![9.0; format.block()];
        Kernels::detect().floats(format, bytes, &mut to);
        to
    }

    #[test]
    fn blocks_are_read() {
        let nibbles: Vec<u8> = (0..16).map(|at| at | (15 - at) << 4).collect();
        let up = |from: u8, scale: f32, offset: f32| -> Vec<f32> {
            let low = (0..16).map(|at| f32::from(at + from));
            let high = (0..16).map(|at| f32::from(15 - at + from));
            low.chain(high).map(|x| x * scale + offset).collect()
        };
        let block = |head: &[u8]| [head, &nibbles].concat();
        // 0x4000 is 2 as a 16-bit float, 0xbc00 is -1.
        assert_eq!(read(Format::Q4_0, &block(&[0, 0x40])), up(0, 2.0, -16.0));
        assert_eq!(read(Format::Q4_1, &block(&[0, 0x40, 0, 0xbc])), up(0, 2.0, -1.0));
        assert_eq!(read(Format::Q5_0, &block(&[0, 0x40, 255, 255, 255, 255])), up(16, 2.0, -32.0));
        assert_eq!(
            read(Format::Q5_1, &block(&[0, 0x40, 0, 0xbc, 1, 0, 0, 0]))[..2],
            [2.0 * 16.0 - 1.0, 1.0]
        );
        let bytes: Vec<u8> = [0, 0x40].into_iter().chain(240..=255).chain(0..16).collect();
        let wanted: Vec<f32> = (-16_i8..16).map(|x| f32::from(x) * 2.0).collect();
        assert_eq!(read(Format::Q8_0, &bytes), wanted);
        assert_eq!(read(Format::Bf16, &[0x80, 0x3f]), [1.0]);
        assert_eq!(read(Format::F32, &[0, 0, 0x80, 0xbf]), [-1.0]);
        assert_eq!(read(Format::Q8_0, &bytes[1..]), [9.0; 32], "half a block is none");
    }

    #[test]
    fn rows_become_integers_by_their_own_largest_number() {
        let bytes: Vec<u8> =
            [1.0_f32, -2.0, 0.5, 100.0, 50.0, -0.1].iter().flat_map(|x| x.to_le_bytes()).collect();
        let (integers, scales) = Kernels::detect().integers(Format::F32, &bytes, 3).unwrap();
        assert_eq!(integers, [64, -127, 32, 127, 64, 0]);
        assert_eq!(scales, [2.0 / 127.0, 100.0 / 127.0]);
        for bad in [f32::NAN, f32::INFINITY] {
            let bytes: Vec<u8> = [1.0, bad, 0.5].iter().flat_map(|x| x.to_le_bytes()).collect();
            assert_eq!(Kernels::detect().integers(Format::F32, &bytes, 3), None);
        }
        assert_eq!(Kernels::detect().integers(Format::Q4_0, &bytes, 3), None);
    }
}
