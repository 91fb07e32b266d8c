//! What the debates of one program may spend together, and how many may run at once.
//!
//! A debate takes its share before it begins and gives back what it did not use, so that debates side
//! by side can never spend more than there is. A debate keeps to its share by itself: its budget is
//! checked before every call.

use rebuttal_model::{Budget, Spent};

use crate::error::{Error, ErrorKind, Result};

/// Most that all debates may cost together, and how many run at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// Requests to models, repeats among them; `None` sets no limit.
    pub calls: Option<u64>,
    /// US dollars; `None` sets no limit in money.
    pub usd: Option<f64>,
    /// Debates that run at the same time.
    pub debates: usize,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { calls: Some(1_000), usd: None, debates: 4 }
    }
}

/// What is left of an allowance.
#[derive(Debug)]
pub(super) struct Purse {
    calls: Option<u64>,
    micro_usd: Option<u64>,
    slots: usize,
    debates: usize,
}

/// What one debate has taken of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    calls: Option<u64>,
    micro_usd: Option<u64>,
}

impl Purse {
    pub(super) fn new(allowance: Allowance) -> Self {
        Self {
            calls: allowance.calls,
            micro_usd: allowance.usd.map(micros),
            slots: allowance.debates,
            debates: allowance.debates,
        }
    }

    /// Takes what a debate asks for, or an equal part of what is left where it does not say.
    pub(super) fn take(&mut self, asked: &Budget) -> Result<Share> {
        let slots = self.slots as u64;
        if slots == 0 {
            let message = format!("{} debates are running, the most that may", self.debates);
            return Err(Error::new(ErrorKind::Busy, message).hint("wait until one ends"));
        }
        let calls = self.calls.map(|left| part("calls", asked.calls, left, slots)).transpose()?;
        let asked_usd = asked.usd.map(micros);
        let micro_usd = self
            .micro_usd
            .map(|left| part("millionths of a US dollar", asked_usd, left, slots))
            .transpose()?;
        self.calls = self.calls.map(|left| left - calls.unwrap_or_default());
        self.micro_usd = self.micro_usd.map(|left| left - micro_usd.unwrap_or_default());
        self.slots -= 1;
        Ok(Share { calls, micro_usd })
    }

    /// How many more debates may begin now.
    pub(super) fn free(&self) -> usize {
        self.slots
    }

    /// What a stored debate may still spend by its own budget; `None` where it was begun without one
    /// that this purse could hold it to.
    pub(super) fn left(&self, budget: &Budget, spent: Spent) -> Option<Budget> {
        let calls = budget.calls.map(|calls| calls.saturating_sub(spent.calls));
        #[expect(
            clippy::cast_precision_loss,
            reason = "dollars have fewer than 53 bits of millionths"
        )]
        let gone = spent.at_most().micro_usd as f64 / 1e6;
        let usd = budget.usd.map(|usd| (usd - gone).max(0.0));
        let unheld = (self.calls.is_some() && calls.is_none())
            || (self.micro_usd.is_some() && usd.is_none());
        (!unheld).then(|| Budget { calls, usd, ..Budget::default() })
    }

    /// Takes back what a debate left of its share. Without `spent` nobody knows, and nothing comes back.
    pub(super) fn give_back(&mut self, share: Share, spent: Option<Spent>) {
        self.slots += 1;
        let Some(spent) = spent.map(Spent::at_most) else { return };
        if let (Some(left), Some(taken)) = (&mut self.calls, share.calls) {
            *left += taken.saturating_sub(spent.calls);
        }
        if let (Some(left), Some(taken)) = (&mut self.micro_usd, share.micro_usd) {
            *left += taken.saturating_sub(spent.micro_usd);
        }
    }
}

impl Share {
    /// The budget of a debate that has this share.
    pub(super) fn budget(&self, asked: Budget) -> Budget {
        #[expect(
            clippy::cast_precision_loss,
            reason = "dollars have fewer than 53 bits of millionths"
        )]
        let usd = self.micro_usd.map(|micro| micro as f64 / 1e6);
        Budget { calls: self.calls.or(asked.calls), usd: usd.or(asked.usd), ..asked }
    }
}

fn part(what: &str, asked: Option<u64>, left: u64, slots: u64) -> Result<u64> {
    let part = asked.unwrap_or(left / slots);
    if asked != Some(0) && (left == 0 || part == 0) {
        let message = format!("this server may spend no more {what}");
        return Err(Error::new(ErrorKind::Budget, message)
            .hint("whoever started it can start it again with a larger budget"));
    }
    if part > left {
        let message = format!("{part} {what} are asked for, and {left} are left to this server");
        return Err(Error::new(ErrorKind::Budget, message).hint("ask for fewer"));
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
        let mut purse = Purse::new(Allowance { calls: Some(100), usd: Some(1.0), debates: 4 });
        let first = purse.take(&asks(None)).unwrap();
        assert_eq!(first, Share { calls: Some(25), micro_usd: Some(250_000) });
        let second = purse.take(&asks(Some(60))).unwrap();
        assert_eq!(second.calls, Some(60));
        assert_eq!(purse.take(&asks(Some(16))).unwrap_err().kind(), ErrorKind::Budget);
        purse.give_back(second, Some(Spent { calls: 10, ..Spent::default() }));
        assert_eq!(purse.take(&asks(Some(65))).unwrap().calls, Some(65));
        assert_eq!(purse.take(&asks(None)).unwrap_err().kind(), ErrorKind::Budget);
    }

    #[test]
    fn no_more_run_at_once_than_may() {
        let mut purse = Purse::new(Allowance { calls: Some(100), usd: None, debates: 1 });
        let share = purse.take(&asks(Some(10))).unwrap();
        let busy = purse.take(&asks(None)).unwrap_err();
        assert_eq!(busy.kind(), ErrorKind::Busy);
        // What was spent is not known: the slot comes back, the calls do not.
        purse.give_back(share, None);
        assert_eq!(purse.take(&asks(None)).unwrap().calls, Some(90));
    }

    #[test]
    fn a_stored_debate_is_held_to_what_its_own_budget_has_left() {
        let spent = Spent { calls: 3, micro_usd: 250_000, ..Spent::default() };
        let budget = Budget { calls: Some(8), usd: Some(1.0), ..Budget::default() };
        let purse = |calls, usd| Purse::new(Allowance { calls, usd, ..Allowance::default() });
        let held = purse(Some(100), Some(10.0));
        let left = held.left(&budget, spent).unwrap();
        assert_eq!((left.calls, left.usd), (Some(5), Some(0.75)));
        assert_eq!(
            held.left(&asks(Some(8)), spent),
            None,
            "money is limited, and it has no such limit"
        );
        assert_eq!(purse(Some(100), None).left(&asks(None), spent), None);
        assert_eq!(purse(None, None).left(&asks(None), spent), Some(asks(None)));
    }
}
