//! What calls cost in money, by a table the user keeps: prices change, and are no code.

use crate::chat::{Request, Usage, Wanted, schema_tokens_at_most};
use crate::tokens::{Counting, tokens_at_most};

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

/// The most a request can cost: for a budget, before the request leaves.
///
/// One request, not a call with its repeats: whoever keeps a budget sets
/// [`Request::paid_requests_max`], so that no more of them are paid for than fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// Most tokens read.
    pub input_tokens: u64,
    /// Most tokens written, thinking included.
    pub output_tokens: u64,
    /// Most millionths of a dollar; `None` where the price is not known.
    pub micro_usd: Option<u64>,
}

/// Tokens a provider may put around each message: who speaks, where it begins and ends.
const AROUND_MESSAGE: usize = 16;
/// Tokens a provider may add where a form is wanted. Anthropic adds the most: up to some 800 where
/// a tool must be called.
const AROUND_FORM: usize = 1024;

impl Ceiling {
    /// For a request to an agent whose replies have at most `max_tokens` tokens
    /// ([`Chat::max_tokens`](crate::Chat::max_tokens)) unless the request says otherwise.
    ///
    /// Nobody's tokenizer is at hand, so what is read is bounded by its [script](tokens_at_most()); the
    /// server's own count replaces it as soon as the reply is there.
    pub fn of(request: &Request, max_tokens: u32, price: Option<Price>) -> Self {
        Self::counted(request, max_tokens, price, Counting::Script)
    }

    /// Counts what is read in this way.
    pub fn counted(
        request: &Request,
        max_tokens: u32,
        price: Option<Price>,
        counting: Counting,
    ) -> Self {
        let tokens = |text: &str| tokens_at_most(text, counting);
        let said: usize =
            request.messages.iter().map(|message| tokens(&message.text) + AROUND_MESSAGE).sum();
        let form = match &request.wanted {
            Wanted::Text => 0,
            Wanted::Json => AROUND_FORM,
            Wanted::Schema { schema, .. } => AROUND_FORM + schema_tokens_at_most(schema, &tokens),
        };
        let read = said + tokens(&request.system) + AROUND_MESSAGE + form;
        let input_tokens = u64::try_from(read).unwrap_or(u64::MAX);
        let output_tokens = u64::from(request.max_tokens.unwrap_or(max_tokens).max(1));
        let micro_usd = price.map(|price| price.of(input_tokens, output_tokens));
        Self { input_tokens, output_tokens, micro_usd }
    }

    /// Tokens read and written together.
    pub fn tokens(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tokens_are_priced_by_the_million() {
        let price = Price::new(2.5, 10.0).unwrap();
        let usage = |input, output| Usage { input, output };
        assert_eq!(price.cost(usage(Some(1_000_000), Some(100_000))), Some(3_500_000));
        assert_eq!(price.cost(usage(Some(1), Some(0))), Some(3), "rounded up");
        assert_eq!(price.cost(usage(None, Some(5))), None);
        assert_eq!(price.cost(usage(Some(5), None)), None);
        assert_eq!(price.cost(usage(Some(u64::MAX), Some(u64::MAX))), Some(u64::MAX));
        assert_eq!(Price::default().cost(usage(Some(9), Some(9))), Some(0));
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!((Price::new(wrong, 1.0), Price::new(1.0, wrong)), (None, None));
        }
    }

    #[test]
    fn a_ceiling_counts_by_script_and_the_longest_reply() {
        let request = Request::new("é".repeat(50)).with_system("Be brief.");
        let price = Price::new(2.0, 10.0);
        let micro_usd = Some(2 * 137 + 10 * 500);
        let expected = Ceiling { input_tokens: 137, output_tokens: 500, micro_usd };
        assert_eq!(Ceiling::of(&request, 500, price), expected);
        assert_eq!(expected.tokens(), 637);
        let unpriced = Ceiling { micro_usd: None, ..expected };
        assert_eq!(Ceiling::of(&request, 500, None), unpriced);
        let brief = Request { max_tokens: Some(20), ..request.clone() };
        assert_eq!(Ceiling::of(&brief, 500, None).output_tokens, 20);
        let formed = request.wanting(Wanted::Json);
        assert_eq!(Ceiling::of(&formed, 500, None).input_tokens, 137 + 1024);
    }

    proptest! {
        /// Whatever a server counts within its limits (as many tokens as the script allows, a reply of
        /// at most `max_tokens`), what it then costs is not above the ceiling.
        #[test]
        fn no_reply_costs_more_than_the_ceiling(
            texts in prop::collection::vec(".{0,200}", 1..5),
            max_tokens in 1_u32..20_000,
            share in 0.0_f64..=1.0,
            input in 0.0_f64..100.0,
            output in 0.0_f64..100.0,
        ) {
            let read: usize =
                texts.iter().map(|text| tokens_at_most(text, Counting::Script)).sum();
            let mut request = Request::new("");
            request.messages = texts.into_iter().map(crate::Message::user).collect();
            let price = Price::new(input, output).unwrap();
            let ceiling = Ceiling::of(&request, max_tokens, Some(price));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
            let written = (f64::from(max_tokens) * share) as u64;
            let usage = Usage { input: Some(read as u64), output: Some(written) };
            prop_assert!(price.cost(usage).unwrap() <= ceiling.micro_usd.unwrap());
            prop_assert!(read as u64 + written <= ceiling.tokens());
        }
    }
}
