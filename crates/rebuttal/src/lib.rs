//! Rebuttal as a library: add this crate to your own program.

pub use rebuttal_detect as detect;
pub use rebuttal_model as model;
pub use rebuttal_text as text;
pub use rebuttal_transcripts as transcripts;

pub use rebuttal_detect::{audit, rubric};
