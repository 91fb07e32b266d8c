//! Detectors against cases: the shared probes, where they are at hand, and our own.

mod probes;
mod reversals;
