//! Rebuttal as a library: debates between agents that end in a decision with reasons, and audits of
//! debates that others ran.
//!
//! A debate needs a question, at least two agents and somewhere to keep its journal. An agent is a
//! closure or a struct of yours, or a chat model:
//!
//! ```
//! use rebuttal::prelude::*;
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<()> {
//!     let ann = Agent::from_fn("ann", |_: Ask| async {
//!         Ok(Vote::new("yes").conviction(0.8).thesis("A pilot of 14 days cut incidents by 30 %."))
//!     });
//!     let bob = Agent::from_fn("bob", |ask: Ask| async move {
//!         let answer = if ask.prompt().contains("pilot of 14 days") { "yes" } else { "no" };
//!         Ok(Vote::new(answer).thesis(format!("In round {} I am for {answer}.", ask.round())))
//!     });
//!     let arena = Arena::new(Environment::new("Should we migrate?")).agent(ann).agent(bob);
//!     let engine = Engine::new(MemoryJournal::default());
//!     let Ended::Decided(decision) = arena.run(&engine).await? else {
//!         return Err(Error::new(ErrorKind::Debate, "the debate waits for a person"));
//!     };
//!     println!("{}: {}", decision.answer.unwrap_or_default(), decision.narrative);
//!     Ok(())
//! }
//! ```
//!
//! [`Agent::from_env("claude")`](engine::debate::Agent::from_env) asks a real model,
//! [`Arena::start`](engine::debate::Arena::start) gives a handle to watch, pause and stop the debate,
//! and a [`store::Store`] as the journal keeps it.
//!
//! # Audits
//!
//! Read a log with [`transcripts`] and [`audit`](audit()) it: the result is what `rebuttal audit` finds,
//! and every [`model::Finding`] quotes its evidence.
//!
//! ```
//! use rebuttal::prelude::*;
//! use rebuttal::transcripts::{Item, ReadOptions, read};
//!
//! let settings = AuditSettings::new(Method::Rules, &Config::default())?;
//! let log = "user: Should we ship?\nann: Yes, we should ship.\nann: No, we should not ship.\n";
//! let mut findings = Vec::new();
//! read("log.txt", log.as_bytes(), &ReadOptions::default(), &mut |item| {
//!     if let Item::Transcript(transcript) = item {
//!         findings.extend(audit(&transcript, &settings).findings);
//!     }
//! });
//! assert_eq!(findings[0].rule.as_str(), "self-contradiction/silent");
//! assert_eq!(findings[0].quotes.first().source.as_ref().map(|source| source.line), Some(2));
//! # Ok::<(), Error>(())
//! ```
//!
//! # More
//!
//! * [`engine::reconcile`] takes several agents' reports to a consensus; [`rubric()`] answers one
//!   question of one conversation.
//! * [`ledger`] keeps positions over many debates: flips, consistency, calibration, ratings.
//! * [`config`] reads `rebuttal.toml`, [`agents`] and [`panel`] make agents of it, [`models`] loads what
//!   `[semantics]` names. Nothing is kept for the whole process: each instance has its own.
//! * [`trickster`] watches debates that others run, round by round.
//! * [`report`] writes pages, Markdown, SVG, SARIF and JUnit; [`export`] and [`receipt`] hand debates on.
//! * What can go wrong is one [`Error`] with a [`kind`](Error::kind).
//!
//! Programs to start from are in `examples/rust`: `cargo run -p rebuttal --example own_agent`, `audit`,
//! `reconcile`, `ledger`.

pub mod agents;
mod answer;
pub mod audit;
pub mod beliefs;
pub mod compare;
pub mod config;
pub mod debates;
mod error;
pub mod export;
pub mod grounding;
pub mod inputs;
pub mod jobs;
pub mod judge;
pub mod labels;
pub mod ledger;
pub mod models;
pub mod panel;
pub mod prelude;
pub mod presets;
pub mod read;
pub mod receipt;
pub mod reconcile;
pub mod rubric;
pub mod score;
pub mod texts;
pub mod trickster;

pub use rebuttal_detect as detect;
pub use rebuttal_engine as engine;
pub use rebuttal_evidence as evidence;
pub use rebuttal_llm as llm;
pub use rebuttal_model as model;
pub use rebuttal_policy as policy;
pub use rebuttal_report as report;
pub use rebuttal_semantics as semantics;
pub use rebuttal_store as store;
pub use rebuttal_text as text;
pub use rebuttal_transcripts as transcripts;

pub use answer::{Versioned, json};
pub use audit::audit;
pub use error::{Error, ErrorKind, Result};
pub use rubric::rubric;

/// Compiles and runs the README's library example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
