//! How far each position turns the numbers of a head.
//!
//! Sines and cosines of the system's library differ in their last bit from machine to machine, so
//! these come from a short series and from turning on, step by step, in double precision.

/// Cosines and sines of every position.
#[derive(Debug)]
pub(crate) struct Turns {
    pairs: usize,
    table: Vec<[f32; 2]>,
}

impl Turns {
    /// `None` for a base that no model has.
    #[expect(clippy::cast_possible_truncation, reason = "a table of 32-bit floats")]
    pub(crate) fn new(base: f64, head_width: usize, positions: usize) -> Option<Self> {
        let pairs = head_width / 2;
        if !(base > 1.0 && base < 1e12) || pairs == 0 {
            return None;
        }
        let mut table = vec![[0.0; 2]; positions * pairs];
        let step = 1.0 / root(base, pairs);
        let mut angle = 1.0;
        for pair in 0..pairs {
            let (by_cos, by_sin) = cos_sin(angle);
            let (mut cos, mut sin) = (1.0, 0.0);
            for to in table.iter_mut().skip(pair).step_by(pairs) {
                *to = [cos as f32, sin as f32];
                (cos, sin) = (cos * by_cos - sin * by_sin, cos * by_sin + sin * by_cos);
            }
            angle *= step;
        }
        Some(Self { pairs, table })
    }

    /// A cosine and a sine for each pair of a head.
    pub(crate) fn at(&self, position: usize) -> &[[f32; 2]] {
        let start = position.saturating_mul(self.pairs);
        self.table.get(start..start.saturating_add(self.pairs)).unwrap_or_default()
    }
}

/// The number whose `degree`-th power is `value`, by halving: exact to the last bits everywhere.
fn root(value: f64, degree: usize) -> f64 {
    let (mut low, mut high) = (1.0, value);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let power = (0..degree).fold(1.0, |power, _| power * middle);
        if power > value { high = middle } else { low = middle }
    }
    f64::midpoint(low, high)
}

/// For angles of at most one.
fn cos_sin(angle: f64) -> (f64, f64) {
    let (mut cos, mut sin, mut term) = (0.0, 0.0, 1.0);
    for n in 0..12 {
        let n = f64::from(2 * n);
        cos += term;
        term *= angle / (n + 1.0);
        sin += term;
        term *= -angle / (n + 2.0);
    }
    (cos, sin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_the_library() {
        let turns = Turns::new(100_000.0, 64, 4096).unwrap();
        for position in [0_u32, 1, 2, 77, 1000, 4095] {
            let at = turns.at(usize::try_from(position).unwrap());
            assert_eq!(at.len(), 32);
            for (pair, [cos, sin]) in (0..).zip(at) {
                let angle = f64::from(position) * 100_000_f64.powf(-f64::from(pair) / 32.0);
                assert!((f64::from(*cos) - angle.cos()).abs() < 2e-7, "{position} {pair}");
                assert!((f64::from(*sin) - angle.sin()).abs() < 2e-7, "{position} {pair}");
            }
        }
        assert_eq!(turns.at(4096), [[0.0; 2]; 0]);
        assert!(Turns::new(f64::NAN, 64, 10).is_none());
    }
}
