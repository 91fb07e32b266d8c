//! Detectors: what is wrong with what was said, with quotes. Pure.

mod audit;
pub mod measure;
pub mod rubric;

pub use audit::audit;
pub use rubric::rubric;
