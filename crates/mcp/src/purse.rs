//! What the debates of this server may spend together, and how many may run at once.
//!
//! A debate takes its share before it begins and gives back what it did not use, so that debates side
//! by side can never spend more than there is. A debate keeps to its share by itself: its budget is
//! checked before every call.

use rebuttal::model::{Budget, Spent};

use crate::fault::{Code, Fault};

/// Most that all debates may cost together, and how many run at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// Requests to models, repeats among them.
    pub calls: u64,
    /// US dollars; `None` sets no limit in money.
    pub usd: Option<f64>,
    /// Debates that run at the same time.
    pub debates: usize,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { calls: 1_000, usd: None, debates: 4 }
    }
}

/// What is left of an allowance.
#[derive(Debug)]
pub(crate) struct Purse {
    calls: u64,
    micro_usd: Option<u64>,
    slots: usize,
    debates: usize,
}

/// What one debate has taken of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    calls: u64,
    micro_usd: Option<u64>,
}

impl Purse {
    pub(crate) fn new(allowance: Allowance) -> Self {
        Self {
            calls: allowance.calls,
            micro_usd: allowance.usd.map(micros),
            slots: allowance.debates,
            debates: allowance.debates,
        }
    }

    /// Takes what a debate asks for, or an equal part of what is left where it does not say.
    pub(crate) fn take(&mut self, asked: &Budget) -> Result<Share, Fault> {
        let slots = self.slots as u64;
        if slots == 0 {
            let message = format!("{} debates are running, the most that may", self.debates);
            let fault = Fault::new(Code::Busy, message).retryable();
            return Err(fault.hint("wait until one ends; debate_status shows them"));
        }
        let calls = part("calls", asked.calls, self.calls, slots)?;
        let asked_usd = asked.usd.map(micros);
        let micro_usd = self
            .micro_usd
            .map(|left| part("millionths of a US dollar", asked_usd, left, slots))
            .transpose()?;
        self.calls -= calls;
        self.micro_usd = self.micro_usd.map(|left| left - micro_usd.unwrap_or_default());
        self.slots -= 1;
        Ok(Share { calls, micro_usd })
    }

    /// Whether money is limited.
    pub(crate) fn is_in_money(&self) -> bool {
        self.micro_usd.is_some()
    }

    /// Takes back what a debate left of its share. Without `spent` nobody knows, and nothing comes back.
    pub(crate) fn give_back(&mut self, share: Share, spent: Option<Spent>) {
        self.slots += 1;
        let Some(spent) = spent.map(Spent::at_most) else { return };
        self.calls += share.calls.saturating_sub(spent.calls);
        if let (Some(left), Some(taken)) = (&mut self.micro_usd, share.micro_usd) {
            *left += taken.saturating_sub(spent.micro_usd);
        }
    }
}

impl Share {
    /// The budget of a debate that has this share.
    pub(crate) fn budget(&self, asked: Budget) -> Budget {
        #[expect(
            clippy::cast_precision_loss,
            reason = "dollars have fewer than 53 bits of millionths"
        )]
        let usd = self.micro_usd.map(|micro| micro as f64 / 1e6);
        Budget { calls: Some(self.calls), usd: usd.or(asked.usd), ..asked }
    }
}

/// What a stored debate may still spend by its own budget: nothing says so for one that was begun without.
pub(crate) fn left(budget: &Budget, spent: Spent, in_money: bool) -> Option<Budget> {
    let calls = Some(budget.calls?.saturating_sub(spent.calls));
    if !in_money {
        return Some(Budget { calls, ..Budget::default() });
    }
    #[expect(clippy::cast_precision_loss, reason = "dollars have fewer than 53 bits of millionths")]
    let usd = (budget.usd? - spent.at_most().micro_usd as f64 / 1e6).max(0.0);
    Some(Budget { calls, usd: Some(usd), ..Budget::default() })
}

fn part(what: &str, asked: Option<u64>, left: u64, slots: u64) -> Result<u64, Fault> {
    let part = asked.unwrap_or(left / slots);
    if asked != Some(0) && (left == 0 || part == 0) {
        return Err(Fault::new(Code::Budget, format!("this server may spend no more {what}"))
            .hint("whoever started it can start it again with a larger budget"));
    }
    if part > left {
        let message = format!("{part} {what} are asked for, and {left} are left to this server");
        return Err(Fault::new(Code::Budget, message).hint("ask for fewer"));
    }
    Ok(part)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates, and what is below nothing is nothing"
)]
fn micros(usd: f64) -> u64 {
    (usd * 1e6) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(calls: Option<u64>) -> Budget {
        Budget { calls, ..Budget::default() }
    }

    #[test]
    fn who_does_not_say_gets_an_equal_part() {
        let mut purse = Purse::new(Allowance { calls: 100, usd: Some(1.0), debates: 4 });
        let first = purse.take(&asks(None)).unwrap();
        assert_eq!(first, Share { calls: 25, micro_usd: Some(250_000) });
        let second = purse.take(&asks(Some(60))).unwrap();
        assert_eq!(second.calls, 60);
        assert_eq!(purse.take(&asks(Some(16))).unwrap_err().code, Code::Budget);
        purse.give_back(second, Some(Spent { calls: 10, ..Spent::default() }));
        assert_eq!(purse.take(&asks(Some(65))).unwrap().calls, 65);
        assert_eq!(purse.take(&asks(None)).unwrap_err().code, Code::Budget);
    }

    #[test]
    fn no_more_run_at_once_than_may() {
        let mut purse = Purse::new(Allowance { calls: 100, usd: None, debates: 1 });
        let share = purse.take(&asks(Some(10))).unwrap();
        let busy = purse.take(&asks(None)).unwrap_err();
        assert_eq!((busy.code, busy.retryable), (Code::Busy, true));
        // What was spent is not known: the slot comes back, the calls do not.
        purse.give_back(share, None);
        assert_eq!(purse.take(&asks(None)).unwrap().calls, 90);
    }

    #[test]
    fn a_stored_debate_is_held_to_what_its_own_budget_has_left() {
        let spent = Spent { calls: 3, micro_usd: 250_000, ..Spent::default() };
        let budget = Budget { calls: Some(8), usd: Some(1.0), ..Budget::default() };
        assert_eq!(left(&budget, spent, false), Some(asks(Some(5))));
        assert_eq!(left(&budget, spent, true).unwrap().usd, Some(0.75));
        assert_eq!(left(&asks(None), spent, false), None);
        assert_eq!(
            left(&asks(Some(8)), spent, true),
            None,
            "money is limited, and it has no such limit"
        );
    }
}
