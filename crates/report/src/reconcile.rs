//! What a reconciliation of reports came to, as one page, Markdown or JSON.

mod html;
mod json;
mod markdown;
pub mod words;

use std::path::Path;

use rebuttal_engine::reconcile::Reconciliation;
use rebuttal_model::{Contradiction, Method, Problem, Report, Resolution};

pub use html::{page, write as html};
pub use json::write as json;
pub use markdown::write as markdown;

use crate::problems::Gravity;

/// What a format has to write.
#[derive(Clone, Debug)]
pub struct Reconciled<'r> {
    /// The reports as they were handed in.
    pub reports: &'r [Report],
    /// What was wrong with the input, with what it means for the run.
    pub problems: &'r [(Problem, Gravity)],
    /// What came of them.
    pub outcome: &'r Reconciliation,
    /// Who read them.
    pub method: Method,
    /// Who ruled, if not the written rules.
    pub arbiter: Option<&'r str>,
    /// Where it is written which sources count for more.
    pub authority_file: Option<&'r Path>,
    /// What the user should know about who decided.
    pub notes: Vec<String>,
}

impl<'r> Reconciled<'r> {
    /// Every contradiction with its ruling.
    pub fn rulings(&self) -> impl Iterator<Item = (&'r Contradiction, &'r Resolution)> + use<'r> {
        self.outcome.contradictions.iter().zip(&self.outcome.resolutions)
    }
}
