//! What calls cost in money, by a table the user keeps: prices change, and are no code.

use crate::chat::Usage;

/// What a model's tokens cost, in US dollars a million.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Price {
    input: f64,
    output: f64,
}

impl Price {
    /// For tokens read and written; nothing that is negative or no number.
    pub fn new(input: f64, output: f64) -> Option<Self> {
        let is_price = |price: f64| price.is_finite() && price >= 0.0;
        (is_price(input) && is_price(output)).then_some(Self { input, output })
    }

    /// US dollars for a million tokens read, and for a million written.
    pub fn per_million(self) -> (f64, f64) {
        (self.input, self.output)
    }

    /// What a call cost, in whole millionths of a dollar, rounded up. `None` if the server did not
    /// count: an unknown cost is not none.
    pub fn cost(self, usage: Usage) -> Option<u64> {
        let Usage { input: Some(input), output: Some(output) } = usage else { return None };
        Some(self.of(input, output))
    }

    /// The most a call can cost that reads and writes so many tokens at most: for a budget, before
    /// the call leaves.
    pub fn at_most(self, input: u64, output: u64) -> u64 {
        self.of(input, output)
    }

    /// Dollars a million tokens are millionths of a dollar a token.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts stay far below 2^53, and a cast of a float saturates"
    )]
    fn of(self, input: u64, output: u64) -> u64 {
        (self.input * input as f64 + self.output * output as f64).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_priced_by_the_million() {
        let price = Price::new(2.5, 10.0).unwrap();
        let usage = |input, output| Usage { input, output };
        assert_eq!(price.cost(usage(Some(1_000_000), Some(100_000))), Some(3_500_000));
        assert_eq!(price.cost(usage(Some(1), Some(0))), Some(3), "rounded up");
        assert_eq!(price.cost(usage(None, Some(5))), None);
        assert_eq!(price.cost(usage(Some(5), None)), None);
        assert_eq!(price.at_most(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(Price::default().cost(usage(Some(9), Some(9))), Some(0));
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!((Price::new(wrong, 1.0), Price::new(1.0, wrong)), (None, None));
        }
    }
}
