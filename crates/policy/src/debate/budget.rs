//! What a debate may spend, asked before every call.

use std::fmt;

use rebuttal_model::Spent;
use serde::{Deserialize, Serialize};

/// Limits on what is spent; what is not given is not limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Most calls to models.
    pub calls: Option<u64>,
    /// Most tokens, read and written.
    pub tokens: Option<u64>,
    /// Most millionths of a US dollar.
    pub micro_usd: Option<u64>,
    /// Most milliseconds on the clock.
    pub millis: Option<u64>,
}

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limited {
    /// Calls.
    Calls,
    /// Tokens.
    Tokens,
    /// Money.
    Money,
    /// Time.
    Time,
}

/// A call that would go beyond the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exceeded {
    /// What is limited.
    pub what: Limited,
    /// What the budget is.
    pub limit: u64,
    /// What was spent before.
    pub spent: u64,
    /// What the call would have added.
    pub planned: u64,
}

impl Budget {
    /// Whether a call that will cost about `planned` may be made after `spent`. Where the cost is not
    /// known, plan for the most it can be: a budget is kept by asking before, not by noticing after.
    ///
    /// ```
    /// use rebuttal_model::Spent;
    /// use rebuttal_policy::debate::Budget;
    ///
    /// let budget = Budget { calls: Some(3), ..Budget::default() };
    /// let call = Spent { calls: 1, ..Spent::default() };
    /// let spent = Spent { calls: 3, ..Spent::default() };
    /// assert!(budget.allows(Spent { calls: 2, ..spent }, call).is_ok());
    /// let exceeded = budget.allows(spent, call).unwrap_err();
    /// assert_eq!(exceeded.to_string(), "3 of 3 calls are spent, and 1 more was planned");
    /// ```
    pub fn allows(&self, spent: Spent, planned: Spent) -> Result<(), Exceeded> {
        for (what, limit, spent, planned) in self.lines(spent, planned) {
            if spent.saturating_add(planned) > limit {
                return Err(Exceeded { what, limit, spent, planned });
            }
        }
        Ok(())
    }

    /// The first limit that is reached, so that nothing more can be bought.
    pub fn reached(&self, spent: Spent) -> Option<Exceeded> {
        let mut lines = self.lines(spent, Spent::default());
        let (what, limit, spent, planned) = lines.find(|(_, limit, spent, _)| spent >= limit)?;
        Some(Exceeded { what, limit, spent, planned })
    }

    fn lines(
        &self,
        spent: Spent,
        planned: Spent,
    ) -> impl Iterator<Item = (Limited, u64, u64, u64)> + use<> {
        let lines = [
            (Limited::Calls, self.calls, spent.calls, planned.calls),
            (Limited::Tokens, self.tokens, spent.tokens(), planned.tokens()),
            (Limited::Money, self.micro_usd, spent.micro_usd, planned.micro_usd),
            (Limited::Time, self.millis, spent.millis, planned.millis),
        ];
        lines
            .into_iter()
            .filter_map(|(what, limit, spent, planned)| Some((what, limit?, spent, planned)))
    }
}

/// Millionths of a dollar as dollars.
fn dollars(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let short = text.trim_end_matches('0');
    let missing = 2_usize.saturating_sub(short.len() - short.find('.').unwrap_or(0) - 1);
    format!("${short}{}", "0".repeat(missing))
}

/// Milliseconds as seconds.
fn seconds(millis: u64) -> String {
    let text = format!("{}.{:03}", millis / 1_000, millis % 1_000);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, limit, spent, planned } = *self;
        let plain = |number: u64| number.to_string();
        let (show, unit): (&dyn Fn(u64) -> String, &str) = match what {
            Limited::Calls => (&plain, " calls are"),
            Limited::Tokens => (&plain, " tokens are"),
            Limited::Money => (&dollars, " is"),
            Limited::Time => (&seconds, " is"),
        };
        write!(f, "{} of {}{unit} spent", show(spent), show(limit))?;
        if planned > 0 { write!(f, ", and {} more was planned", show(planned)) } else { Ok(()) }
    }
}

impl std::error::Error for Exceeded {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_kept_before_it_is_passed() {
        let budget = Budget {
            calls: Some(9),
            tokens: Some(1000),
            micro_usd: Some(500_000),
            millis: Some(60_000),
        };
        let one = Spent {
            calls: 1,
            input_tokens: 100,
            output_tokens: 50,
            micro_usd: 1000,
            millis: 2000,
            serial_depth: 1,
            ..Spent::default()
        };
        assert_eq!(budget.allows(Spent::default(), one), Ok(()));
        let nearly = Spent { input_tokens: 851, ..Spent::default() };
        let exceeded = budget.allows(nearly, one).unwrap_err();
        assert_eq!(
            (exceeded.what, exceeded.limit, exceeded.spent, exceeded.planned),
            (Limited::Tokens, 1000, 851, 150)
        );
        let to_the_last = Spent { input_tokens: 850, ..Spent::default() };
        assert_eq!(budget.allows(to_the_last, one), Ok(()));
        let rich = Spent { micro_usd: 499_500, ..Spent::default() };
        let money = budget.allows(rich, one).unwrap_err();
        assert_eq!(money.to_string(), "$0.4995 of $0.50 is spent, and $0.001 more was planned");
        let late = Spent { millis: 58_001, ..Spent::default() };
        assert_eq!(
            budget.allows(late, one).unwrap_err().to_string(),
            "58.001 s of 60 s is spent, and 2 s more was planned"
        );
        assert_eq!(budget.reached(late), None);
        assert_eq!(
            budget.reached(Spent { calls: 9, ..Spent::default() }).unwrap().what,
            Limited::Calls
        );
        assert_eq!(
            Budget::default().allows(Spent { calls: u64::MAX, ..Spent::default() }, one),
            Ok(())
        );
        let most = Spent { calls: u64::MAX, ..Spent::default() };
        assert!(budget.allows(most, most).is_err());
    }
}
