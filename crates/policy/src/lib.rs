//! What follows from findings: who is right, what to go on with, and what it means for the reports.

mod arbitration;
mod authority;
mod camps;
mod nearest;
mod numbers;
mod side;
mod words;

pub use arbitration::arbitrate;
pub use authority::{Authority, Standing};
