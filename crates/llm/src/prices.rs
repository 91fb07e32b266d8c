//! What tokens cost, as the user says: no price list is built in, because prices change.

use serde::{Deserialize, Serialize};

use crate::chat::Usage;

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
}

impl Prices {
    /// What a reply cost, in millionths of a dollar. A dollar for a million tokens is one millionth
    /// for one.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "tokens stay far below 2^53, and the product is kept from being negative"
    )]
    pub fn micro_usd(self, usage: Usage) -> u64 {
        let cost = |tokens: Option<u64>, price: f64| tokens.unwrap_or(0) as f64 * price;
        let all = cost(usage.input, self.input) + cost(usage.output, self.output);
        all.max(0.0).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_tokens_cost_their_price() {
        let prices = Prices { input: 3.0, output: 15.0 };
        let usage = Usage { input: Some(1_000_000), output: Some(100) };
        assert_eq!(prices.micro_usd(usage), 3_001_500);
        assert_eq!(prices.micro_usd(Usage::default()), 0);
    }
}
