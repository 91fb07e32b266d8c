//! Choosing the next token from scores: the best, or one of the good ones by a seeded draw.

use rebuttal_semantics::kernel::Kernels;

/// Most tokens drawn from. Behind the fortieth there is mostly noise.
const CANDIDATES: usize = 40;

/// How freely tokens are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// 0 always takes the best token; 1 draws as the model thinks; above, more freely.
    pub temperature: f32,
    /// Draws from the best tokens that together have this share.
    pub top_p: f32,
    /// Divides the score of words that were just used; 1 or less lets them be.
    pub repetition: f32,
    /// A seed always gives the same words.
    pub seed: u64,
}

impl Default for Sampling {
    /// What reads best for a model this small.
    fn default() -> Self {
        Self { temperature: 0.5, top_p: 0.9, repetition: 1.15, seed: 0 }
    }
}

/// Draws tokens.
#[derive(Debug)]
pub(crate) struct Sampler {
    sampling: Sampling,
    state: u64,
}

impl Sampler {
    /// A sampler at the beginning of its random numbers.
    pub(crate) fn new(sampling: Sampling) -> Self {
        Self { sampling, state: sampling.seed }
    }

    /// The next token, among those that are allowed; `recent` are those just used. `None` if
    /// nothing is allowed.
    pub(crate) fn choose(
        &mut self,
        scores: &[f32],
        recent: &[u32],
        allowed: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let Sampling { temperature, top_p, repetition, .. } = self.sampling;
        let repetition = repetition.max(1.0);
        let lowered = |token: u32, score: f32| {
            let lower = if score > 0.0 { score / repetition } else { score * repetition };
            if recent.contains(&token) { lower } else { score }
        };
        let mut best: Vec<(f32, u32)> = Vec::with_capacity(CANDIDATES + 1);
        let mut bar = f32::MIN;
        for (token, score) in (0_u32..).zip(scores) {
            // Most tokens are below the bar already, and lowering never lifts one.
            if *score <= bar {
                continue;
            }
            let score = lowered(token, *score);
            if score > bar && allowed(token) {
                let at = best.partition_point(|(better, _)| *better >= score);
                best.insert(at, (score, token));
                best.truncate(CANDIDATES);
                bar = best.get(CANDIDATES - 1).map_or(f32::MIN, |(score, _)| *score);
            }
        }
        if temperature <= 0.0 {
            return best.first().map(|(_, token)| *token);
        }
        let mut shares: Vec<f32> = best.iter().map(|(score, _)| score / temperature).collect();
        Kernels::detect().softmax(&mut shares);
        let mut kept = 0.0;
        let count = shares.iter().take_while(|share| {
            let keep = kept < top_p;
            kept += **share;
            keep
        });
        let count = count.count().max(1);
        let total: f32 = shares.iter().take(count).sum();
        let mut left = self.draw() * total;
        let drawn = shares.iter().take(count).position(|share| {
            left -= share;
            left < 0.0
        });
        best.get(drawn.unwrap_or(count - 1)).map(|(_, token)| *token)
    }

    /// One of several, drawn by their shares, which add up to 1; without temperature the largest.
    pub(crate) fn pick(&mut self, shares: &[f32]) -> usize {
        if self.sampling.temperature <= 0.0 {
            let best = (0..).zip(shares);
            let best = best.reduce(|best, next| if next.1 > best.1 { next } else { best });
            return best.map_or(0, |(at, _)| at);
        }
        let mut left = self.draw();
        let drawn = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        drawn.unwrap_or(shares.len().saturating_sub(1))
    }

    /// A number in 0..1, by Steele, Lea and Flood's `SplitMix64`.
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit")]
    fn draw(&mut self) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 40) as f32 / 16_777_216.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampler(temperature: f32, top_p: f32, repetition: f32, seed: u64) -> Sampler {
        Sampler::new(Sampling { temperature, top_p, repetition, seed })
    }

    #[test]
    fn without_temperature_the_best_allowed_token_is_taken() {
        let scores = [1.0, 3.0, 2.0, 3.0];
        let mut greedy = sampler(0.0, 1.0, 1.0, 7);
        assert_eq!(greedy.choose(&scores, &[], |_| true), Some(1), "the first of equals");
        assert_eq!(greedy.choose(&scores, &[], |token| token != 1), Some(3));
        assert_eq!(greedy.choose(&scores, &[], |_| false), None);
        assert_eq!(greedy.choose(&[], &[], |_| true), None);
        let mut fresh = sampler(0.0, 1.0, 2.0, 7);
        assert_eq!(fresh.choose(&scores, &[1, 3], |_| true), Some(2), "used words give way");
    }

    #[test]
    fn draws_follow_the_shares_and_the_seed() {
        let scores: Vec<f32> = vec![3.0_f32.ln(), 0.0, -20.0];
        let mut one = sampler(1.0, 1.0, 1.0, 1);
        let drawn: Vec<u32> =
            (0..4000).filter_map(|_| one.choose(&scores, &[], |_| true)).collect();
        let firsts = drawn.iter().filter(|token| **token == 0).count();
        assert!((2900..3100).contains(&firsts), "three in four, not {firsts} in 4000");
        let mut again = sampler(1.0, 1.0, 1.0, 1);
        let same: Vec<u32> =
            (0..4000).filter_map(|_| again.choose(&scores, &[], |_| true)).collect();
        assert_eq!(drawn, same);
        let mut narrow = sampler(1.0, 0.7, 1.0, 1);
        assert!((0..100).all(|_| narrow.choose(&scores, &[], |_| true) == Some(0)));
    }
}
