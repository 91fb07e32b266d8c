//! What a debate has cost, and what it may have cost without anybody saying so.

use rebuttal_model::{Call, Spent};

use super::state::{State, Tried};

impl State {
    /// What it cost so far. Calls without a result may have been paid for: they count as uncertain.
    pub fn cost(&self) -> Spent {
        let open = self.tried.values().filter_map(|tried| match tried {
            Tried::Open(at_most) => Some(in_doubt(*at_most)),
            _ => None,
        });
        open.fold(self.settled(), |sum, one| sum + one)
    }

    /// What the calls cost that have a result, and the time so far.
    pub(crate) fn settled(&self) -> Spent {
        // Before there were policies, times were summed over calls side by side.
        let millis = if self.spec().policy == 0 { self.spent.millis } else { self.elapsed() };
        Spent { millis, ..self.spent }
    }

    /// What calls may have cost that were announced by a run that ended before their results.
    pub(crate) fn left_open(&self, calls: &[Call]) -> Spent {
        let open = calls.iter().filter_map(|call| match self.tried.get(call) {
            Some(Tried::Open(at_most)) => Some(in_doubt(*at_most)),
            _ => None,
        });
        open.fold(Spent::default(), |sum, one| sum + one)
    }

    /// Milliseconds from the first record to the last.
    pub(super) fn elapsed(&self) -> u64 {
        u64::try_from(self.last.duration_since(self.began).as_millis()).unwrap_or(0)
    }
}

/// What a call may have cost that has no result.
pub(super) fn in_doubt(at_most: Option<Spent>) -> Spent {
    at_most.unwrap_or(Spent { calls: 1, ..Spent::default() }).in_doubt()
}
