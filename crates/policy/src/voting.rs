//! From ballots to a decision, by a written rule.
//!
//! [`Options`] says what can be answered and reads what agents wrote; [`Rule`] says how ballots are
//! counted; [`decide`] counts an [`Election`] and says in words what came of it. Three things hold
//! for every rule:
//!
//! * Shares are of the whole panel: an agent that failed or abstained counts as one that did not
//!   agree.
//! * A ballot for something that is no option is rejected and named, never counted.
//! * A tie is said to be one. It is broken only by the [`TieBreak`] that was asked for, and "no
//!   decision" is an outcome like any other.
//!
//! ```
//! use rebuttal_model::{AgentId, Ballot};
//! use rebuttal_policy::voting::{Election, Options, Rule, decide};
//!
//! let panel = ["ann", "bob", "cem"].map(AgentId::new);
//! let options = Options::of_question("Should we migrate to Kubernetes?");
//! let ballots = [
//!     Ballot::choice(panel[0].clone(), 0, "Yes."),
//!     Ballot::choice(panel[1].clone(), 0, "yes"),
//! ];
//! let election = Election::new(&options, &panel, &ballots);
//! assert_eq!(decide(&Rule::Majority, &election).winner.as_deref(), Some("yes"));
//! // The third did not answer, so not all agree.
//! assert_eq!(decide(&Rule::Unanimity, &election).winner, None);
//! ```

mod answer;
mod count;
mod election;
mod near;
mod options;
mod record;
mod redecide;
mod rule;
mod rule_text;
mod rules;
mod share_text;
mod tie;

pub use answer::Answer;
pub use election::{Election, JudgeRuling, VoteResult, decide};
pub use near::ABSTAIN;
pub use options::{Options, OptionsError};
pub use rebuttal_text::Choice;
pub use redecide::{Redecided, redecide};
pub use rule::{Rule, WeightBy};
pub use rule_text::RuleError;
pub use tie::{TieBreak, TieBreakError};

pub(crate) use count::real;
pub(crate) use rebuttal_text::plain;
pub(crate) use share_text::share;
