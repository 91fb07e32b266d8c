//! Floats to 8 bits, one scale a row.

use std::borrow::Cow;

use super::Matrix;

/// Each row by its own largest number, to -127..=127.
#[expect(clippy::cast_possible_truncation, reason = "clamped to what fits")]
pub(super) fn quantise(values: &[f32], columns: usize) -> Matrix {
    let rows = values.chunks_exact(columns.max(1));
    let mut scales = Vec::with_capacity(rows.len());
    let mut out = Vec::with_capacity(values.len());
    for row in rows {
        let max = row.iter().fold(0.0_f32, |max, x| max.max(x.abs()));
        let scale = max / 127.0;
        let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
        out.extend(row.iter().map(|x| (x * inverse).round().clamp(-127.0, 127.0) as i8));
        scales.push(scale);
    }
    Matrix { values: Cow::Owned(out), scales }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_its_own_scale() {
        let matrix = quantise(&[1.0, -2.0, 0.5, 100.0, 50.0, -0.1], 3);
        assert_eq!(*matrix.values, [64, -127, 32, 127, 64, 0]);
        assert_eq!(matrix.scales, [2.0 / 127.0, 100.0 / 127.0]);
    }

    #[test]
    fn a_row_of_zeros_stays_zero() {
        let matrix = quantise(&[0.0; 4], 2);
        assert_eq!(*matrix.values, [0; 4]);
        assert_eq!(matrix.scales, [0.0; 2]);
    }
}
