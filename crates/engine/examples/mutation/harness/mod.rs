//! Panels with planted faults and sound ones, run by the real engine; what was seen and done in each.
//!
//! A fault is killed when what should see it did. Every panel is made from a seed: the same seed is the
//! same panel, the same journal, the same figures.

mod cases;
mod courses;
mod dice;
mod grammar;
mod healthy;
mod hollow;
mod keyword;
mod kinds;
mod panel;
mod phrases;
pub(crate) mod report;
mod run;
mod script;
mod sight;
mod stage;
mod tally;
mod written;

pub(crate) use kinds::{FAULTS, HEALTHY, Kind};
pub(crate) use panel::{Makers, Panel};
pub(crate) use run::{Ran, run};
#[cfg(test)]
pub(crate) use tally::Share;
pub(crate) use tally::measure;
pub(crate) use written::{Batch, Written};

/// Which panels a figure is about. The held-out half has other seeds, other wordings and other fields,
/// all written after the detectors' earlier tuning by someone who had not read the detectors. Nothing
/// is tuned on it, and it is measured at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Half {
    /// What may be looked at.
    Development,
    /// What may only be counted.
    HeldOut,
}

impl Half {
    /// Both.
    pub(crate) const BOTH: [Self; 2] = [Self::Development, Self::HeldOut];

    /// The half of a seed: even ones are for development.
    pub(crate) fn of(seed: u64) -> Self {
        if seed.is_multiple_of(2) { Self::Development } else { Self::HeldOut }
    }
}

/// Something that keeps the harness from running.
#[derive(Debug)]
pub(crate) struct HarnessError(String);

impl HarnessError {
    /// In these words.
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl std::fmt::Display for HarnessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HarnessError {}
