//! Random choices that come out the same every time: from the debate's seed and what is chosen.

/// A source of numbers made from a seed and a purpose. `SplitMix64`: short, and the same everywhere.
#[derive(Clone, Debug)]
pub struct SeededRng(u64);

impl SeededRng {
    /// Numbers for one purpose; another purpose gets others.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mut state = seed ^ 0x9e37_79b9_7f4a_7c15;
        for byte in purpose.bytes() {
            state = mix(state ^ u64::from(byte));
        }
        Self(state)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `end`; 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = end.max(1) as u128;
        usize::try_from((u128::from(self.next_u64()) * end) >> 64).unwrap_or(0)
    }

    /// Puts things in a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

/// Spreads the bits of a number over all bits of another.
fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_purpose_give_the_same_order() {
        let order = |seed, purpose| {
            let mut things: Vec<u32> = (0..20).collect();
            SeededRng::new(seed, purpose).shuffle(&mut things);
            things
        };
        assert_eq!(order(7, "names"), order(7, "names"));
        assert_ne!(order(7, "names"), order(8, "names"));
        assert_ne!(order(7, "names"), order(7, "peers"));
    }
}
