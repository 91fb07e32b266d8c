//! A circuit breaker: a server that fails again and again is left alone for a while.
//!
//! Pure but for its lock: the time is handed in, so that tests need no clock.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::Fault;

/// When a server is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breaker {
    /// Failures in a row after which it is. Zero never does.
    pub failures: u32,
    /// How long. Then one request is let through, and what comes of it decides.
    pub rest: Duration,
}

impl Default for Breaker {
    /// More failures than one call makes before it gives up, so that one unlucky call does not
    /// speak for all.
    fn default() -> Self {
        Self { failures: 8, rest: Duration::from_secs(30) }
    }
}

/// What a request said about its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// It answers; whether we like the answer is another matter.
    Well,
    /// It is broken or away.
    Sick,
    /// It is busy, which says nothing.
    Unknown,
}

impl Health {
    /// What a fault tells the breaker.
    pub(crate) fn of(fault: &Fault) -> Self {
        match fault {
            Fault::Unreachable(_)
            | Fault::Broken { .. }
            | Fault::BrokeOff { .. }
            | Fault::Timeout(_)
            | Fault::Stalled(_)
            | Fault::Status { code: 500..=599, .. } => Self::Sick,
            Fault::Status { code: 408 | 429, .. } | Fault::Busy(_) => Self::Unknown,
            _ => Self::Well,
        }
    }
}

/// The breaker of one server.
#[derive(Debug)]
pub(crate) struct Circuit {
    settings: Breaker,
    state: Mutex<State>,
}

/// What was seen of a server lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    failures: u32,
    /// Left alone until then.
    until: Option<Instant>,
    /// Whether the one request that decides is under way.
    probing: bool,
}

/// Leave to send one request. Dropped without a report, as by whoever no longer wants the reply, it
/// says nothing about the server.
#[derive(Debug)]
pub(crate) struct Leave<'c> {
    circuit: &'c Circuit,
    probe: bool,
}

impl Circuit {
    /// A circuit that lets everything through.
    pub(crate) fn new(settings: Breaker) -> Self {
        Self { settings, state: Mutex::default() }
    }

    /// Leave to send, or why not.
    pub(crate) fn enter(&self, now: Instant) -> Result<Leave<'_>, Fault> {
        let mut state = self.state();
        let Some(until) = state.until else { return Ok(Leave { circuit: self, probe: false }) };
        if now >= until && !state.probing {
            state.probing = true;
            return Ok(Leave { circuit: self, probe: true });
        }
        let rest = until.saturating_duration_since(now);
        Err(Fault::Tripped { failures: state.failures, rest })
    }

    /// What was seen; a thread that panicked meanwhile left it whole.
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in here can panic half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Leave<'_> {
    /// What the request said about the server.
    pub(crate) fn report(self, now: Instant, health: Health) {
        let Breaker { failures, rest } = self.circuit.settings;
        let mut state = self.circuit.state();
        match health {
            Health::Well => {
                *state = State { probing: state.probing && !self.probe, ..State::default() }
            }
            Health::Unknown => {}
            Health::Sick => {
                state.failures = state.failures.saturating_add(1);
                if failures > 0 && (self.probe || state.failures >= failures) {
                    state.until = Some(now + rest);
                }
            }
        }
    }
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if self.probe {
            self.circuit.state().probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn circuit() -> (Circuit, Instant) {
        (Circuit::new(Breaker { failures: 3, rest: SECOND * 30 }), Instant::now())
    }

    fn fail(circuit: &Circuit, now: Instant, times: u32) {
        for _ in 0..times {
            circuit.enter(now).unwrap().report(now, Health::Sick);
        }
    }

    fn rest(circuit: &Circuit, now: Instant) -> Option<Duration> {
        match circuit.enter(now) {
            Ok(_) => None,
            Err(Fault::Tripped { rest, .. }) => Some(rest),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn failures_in_a_row_open_it_and_time_lets_one_through() {
        let (circuit, start) = circuit();
        fail(&circuit, start, 2);
        assert_eq!(rest(&circuit, start), None);
        fail(&circuit, start, 1);
        assert_eq!(rest(&circuit, start + SECOND), Some(SECOND * 29));
        let later = start + SECOND * 30;
        let probe = circuit.enter(later).unwrap();
        assert_eq!(rest(&circuit, later), Some(Duration::ZERO), "one at a time");
        probe.report(later, Health::Sick);
        assert_eq!(rest(&circuit, later), Some(SECOND * 30), "a failed probe opens it again");
        let later = later + SECOND * 30;
        circuit.enter(later).unwrap().report(later, Health::Well);
        let (one, two) = (circuit.enter(later), circuit.enter(later));
        assert!(one.is_ok() && two.is_ok(), "closed: as many as like");
    }

    #[test]
    fn a_success_between_and_a_busy_server_are_no_failures() {
        let (circuit, start) = circuit();
        for _ in 0..5 {
            fail(&circuit, start, 2);
            circuit.enter(start).unwrap().report(start, Health::Unknown);
            circuit.enter(start).unwrap().report(start, Health::Well);
        }
        assert_eq!(rest(&circuit, start), None);
        assert_eq!(Health::of(&Fault::Busy(SECOND)), Health::Unknown);
        assert_eq!(Health::of(&Fault::Garbled(String::new())), Health::Well);
        let status = |code| Fault::Status { code, message: String::new(), attempts: 1 };
        assert_eq!([429, 503, 401].map(|code| Health::of(&status(code))), {
            [Health::Unknown, Health::Sick, Health::Well]
        });
    }

    #[test]
    fn a_probe_that_nobody_waits_for_frees_its_place() {
        let (circuit, start) = circuit();
        fail(&circuit, start, 3);
        let later = start + SECOND * 31;
        drop(circuit.enter(later).unwrap());
        assert!(circuit.enter(later).is_ok());
    }

    #[test]
    fn zero_never_opens() {
        let circuit = Circuit::new(Breaker { failures: 0, ..Breaker::default() });
        fail(&circuit, Instant::now(), 100);
        assert_eq!(rest(&circuit, Instant::now()), None);
    }
}
