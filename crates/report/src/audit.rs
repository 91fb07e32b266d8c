//! What an audit found, and the ways it can be written, over one stream of transcripts and problems.

mod audited;
mod evidence;
mod html;
pub(crate) mod json;
mod jsonl;
mod junit;
pub(crate) mod markdown;
pub(crate) mod rules;
mod sarif;
mod sentence;
mod summary;

use std::io::{self, Write};

use rebuttal_model::Problem;

pub use audited::{AgentCount, Audited, Keep};
pub use evidence::{Evidence, evidence, place};
pub use html::Html;
pub(crate) use html::problem_list;
pub use json::Json;
pub use jsonl::Jsonl;
pub use junit::Junit;
pub use markdown::Markdown;
pub use rules::title;
pub use sarif::Sarif;
pub use sentence::{Sentences, in_sentence, sentence};
pub use summary::{AuditStatus, Clean, Counts, FileCount, Summary};

use crate::problems::Gravity;

/// One way of writing an audit. Implementations write as they go where their format allows it, so
/// that a run over many files needs no more memory than a run over one.
pub trait Report {
    /// Whether the conversations themselves are needed.
    fn keeps(&self) -> Keep {
        Keep::FindingsOnly
    }

    /// Writes the next transcript, in the order the files were named.
    fn transcript(&mut self, out: &mut dyn Write, audited: &Audited) -> io::Result<()>;

    /// Writes what is wrong with the input. Called when its file has been read to the end.
    fn problem(
        &mut self,
        out: &mut dyn Write,
        problem: &Problem,
        gravity: Gravity,
    ) -> io::Result<()>;

    /// Ends the report.
    fn finish(&mut self, out: &mut dyn Write, summary: &Summary) -> io::Result<()>;
}
