//! Reconciling reports: reading them, and writing them out adjusted. What happens between is
//! [`rebuttal_engine::reconcile`].

mod adjusted;
mod gather;

use std::path::Path;

use rebuttal_text::one_line;

pub use adjusted::write as write_adjusted;
pub use gather::{Gathered, gather};

/// Why a file cannot be created, and what to try.
pub fn cannot_write(path: &Path) -> String {
    let path = path.display().to_string();
    format!(
        "{} cannot be written; check that its folder exists and is yours to write to",
        one_line(&path)
    )
}
