//! Rebuttal as a library: find who contradicted themselves in a debate between agents.
//!
//! Read a log with [`transcripts`], [`audit`](audit()) it, and every [`model::Finding`] quotes its evidence:
//!
//! ```
//! use rebuttal::audit::AuditSettings;
//! use rebuttal::config::Config;
//! use rebuttal::model::Method;
//! use rebuttal::transcripts::{Item, Options, read};
//!
//! let settings = AuditSettings::new(Method::Rules, &Config::default())?;
//! let log = "user: Should we ship?\nann: Yes, we should ship.\nann: No, we should not ship.\n";
//! let mut findings = Vec::new();
//! read("log.txt", log.as_bytes(), &Options::default(), &mut |item| {
//!     if let Item::Transcript(transcript) = item {
//!         findings.extend(rebuttal::audit(&transcript, &settings).findings);
//!     }
//! });
//! assert_eq!(findings[0].rule.as_str(), "self-contradiction/silent");
//! assert_eq!(findings[0].quotes.first().source.as_ref().map(|source| source.line), Some(2));
//! # Ok::<(), rebuttal::Error>(())
//! ```
//!
//! [`rubric()`] answers one question of one conversation, [`reconcile`](engine::reconcile) takes
//! several agents' reports to a consensus, and [`text`] is what all are made of.

pub mod agents;
pub mod audit;
pub mod config;
mod error;
pub mod export;
pub mod inputs;
pub mod ledger;
pub mod models;
pub mod panel;
pub mod prelude;
pub mod receipt;
pub mod reconcile;

pub use rebuttal_detect as detect;
pub use rebuttal_engine as engine;
pub use rebuttal_llm as llm;
pub use rebuttal_model as model;
pub use rebuttal_policy as policy;
pub use rebuttal_report as report;
pub use rebuttal_semantics as semantics;
pub use rebuttal_store as store;
pub use rebuttal_text as text;
pub use rebuttal_transcripts as transcripts;

pub use audit::audit;
pub use error::{Error, ErrorKind, Result};
pub use rebuttal_detect::rubric;

/// Compiles and runs the README's library example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
