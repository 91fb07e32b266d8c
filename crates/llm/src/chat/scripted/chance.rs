//! Numbers that look random and are the same every time: a simulation must be able to run again.

/// Numbers drawn from a seed, an agent and a call (`SplitMix64`).
#[derive(Debug)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64, agent: &str, call: u32) -> Self {
        // FNV-1a spreads the name over the state.
        let name = agent.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut chance = Self(seed ^ name.rotate_left(17) ^ (u64::from(call) << 32));
        chance.next();
        chance
    }

    /// The next 64 random bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Within `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).unwrap_or_default()) / 4_294_967_296.0
    }

    /// Of mean 0 and deviation 1 (Box and Muller).
    pub(super) fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.unit(), self.unit());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// Picks one of several.
    pub(super) fn pick<'s, T>(&mut self, several: &'s [T]) -> Option<&'s T> {
        let count = u64::try_from(several.len()).unwrap_or_default().max(1);
        several.get(usize::try_from(self.next() % count).unwrap_or_default())
    }
}
