//! FNV-1a in 128 bits: short, wide enough that ten million ids do not meet, and the same on every
//! machine and in every release.

pub(crate) struct Fnv128(u128);

impl Fnv128 {
    pub(crate) fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    }

    /// The length goes in as well, so that ("ab", "c") and ("a", "bc") differ.
    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        text.bytes().for_each(|byte| self.byte(byte));
    }

    pub(crate) fn number(&mut self, number: u64) {
        number.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    pub(crate) fn value(&self) -> u128 {
        self.0
    }
}
