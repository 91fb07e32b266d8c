//! Whoever wants to know of hollow agreement, and of what is done about it.
//!
//! They are told after the record is in the journal. One that panics changes nothing, and is told again
//! the next time: it is not the debate's fault.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rebuttal_model::{Event, HollowAlert, Intervention, Record};

/// Hears of agreement with nothing behind it.
type OnAlert = dyn Fn(&HollowAlert) + Send + Sync;
/// Hears of what is done about it.
type OnIntervention = dyn Fn(&Intervention) + Send + Sync;

/// Calls for one debate.
#[derive(Clone, Default)]
pub(super) struct Callbacks {
    alert: Option<Arc<OnAlert>>,
    intervention: Option<Arc<OnIntervention>>,
}

impl fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callbacks").finish_non_exhaustive()
    }
}

impl Callbacks {
    /// Adds somebody who hears of hollow agreement.
    pub(super) fn on_alert(&mut self, call: impl Fn(&HollowAlert) + Send + Sync + 'static) {
        self.alert = Some(Arc::new(call));
    }

    /// Adds somebody who hears of interventions.
    pub(super) fn on_intervention(&mut self, call: impl Fn(&Intervention) + Send + Sync + 'static) {
        self.intervention = Some(Arc::new(call));
    }

    /// Tells those whom a record concerns.
    pub(super) fn tell(&self, record: &Record) {
        match (&record.event, &self.alert, &self.intervention) {
            (Event::RoundAnalyzed { analysis }, Some(call), _) => {
                if let Some(alert) = analysis.hollow.as_ref().filter(|alert| alert.detected) {
                    catch_unwind(AssertUnwindSafe(|| call(alert))).ok();
                }
            }
            (Event::Intervened { intervention }, _, Some(call)) => {
                catch_unwind(AssertUnwindSafe(|| call(intervention))).ok();
            }
            _ => {}
        }
    }
}
