//! Rebuttal as a library: find who contradicted themselves in a debate between agents.
//!
//! Read a log with [`transcripts`], [`audit`] it, and every [`model::Finding`] quotes its evidence:
//!
//! ```
//! use rebuttal::detect::Reader;
//! use rebuttal::transcripts::{Item, Options, read};
//!
//! let log = "user: Should we ship?\nann: Yes, we should ship.\nann: No, we should not ship.\n";
//! let mut findings = Vec::new();
//! read("log.txt", log.as_bytes(), &Options::default(), &mut |item| {
//!     if let Item::Transcript(transcript) = item {
//!         findings.extend(rebuttal::audit(&transcript, Reader::Rules));
//!     }
//! });
//! assert_eq!(findings[0].rule.as_str(), "self-contradiction/silent");
//! assert_eq!(findings[0].quotes.first().source.as_ref().map(|source| source.line), Some(2));
//! ```
//!
//! [`rubric()`] answers one question of one conversation, [`reconcile`](engine::reconcile) takes
//! several agents' reports to a consensus, and [`text`] is what all are made of.

pub use rebuttal_detect as detect;
pub use rebuttal_engine as engine;
pub use rebuttal_llm as llm;
pub use rebuttal_model as model;
pub use rebuttal_policy as policy;
pub use rebuttal_semantics as semantics;
pub use rebuttal_store as store;
pub use rebuttal_text as text;
pub use rebuttal_transcripts as transcripts;

pub use rebuttal_detect::{audit, rubric};

/// Compiles and runs the README's library example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
