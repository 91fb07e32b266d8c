//! The nouns of Rebuttal, and nothing that does anything.
//!
//! Every other crate speaks in these types. They carry no IO, no clock and no randomness, so
//! that a debate read from a file, run live, or replayed from its journal is the same value.
//!
//! Bad values cannot be built: a [`Span`] never ends before it starts, a [`Confidence`] is always
//! within `0.0..=1.0` and says whose it is, and a [`Finding`] always quotes its evidence.

mod analysis;
mod breakpoint;
mod calendar;
mod claim;
mod confidence;
mod decision;
mod event;
mod finding;
mod grounding;
mod hash;
mod id;
pub mod limits;
mod passage;
mod position;
mod problem;
mod protocol;
mod rebuttal;
mod report;
mod role;
mod span;
pub mod structured;
mod synthesis;
mod transcript;
mod trickster;

pub use analysis::{Corroboration, Echo, EvidenceGap, HollowAlert, Quality, RoundAnalysis};
pub use breakpoint::{Breakpoint, BreakpointAnswer, BreakpointPolicy, UnknownAnswer};
pub use calendar::{MONTHS, WEEKDAYS, month_number};
pub use claim::{Certainty, Claim, Owner, Polarity};
pub use confidence::{Confidence, Whose};
pub use decision::{
    AnswerGroup, Ballot, Basis, Broken, ChangeType, DebateMetrics, Decision, Dissent, Fired,
    HeldAnswer, Independent, Intervention, InterventionKind, Lift, Moderation, ModeratorEvaluation,
    Move, OptionScore, Override, PositionChange, Rejected, RoundRecord, Silence, Spent, StopReason,
    Tie, Truth, Turnout, Uncertain, Verdict,
};
pub use event::{BeliefMove, Event, Hash, Record};
pub use finding::{Finding, Method, Quote, Quotes, RuleId, Severity};
pub use grounding::{CitationCheck, CitationVerdict, Cites, DisputedFact, EvidenceGiven};
pub use id::{AgentId, DebateId, FindingId, FlipId, PositionId, StreamId, TurnId};
pub use passage::{Passage, PassageId, Place};
pub use position::{
    Acknowledgment, Because, Cause, Ending, Flip, FlipKind, Outcome, Position, Stance,
};
pub use problem::{Problem, ProblemKind};
pub use protocol::{
    Budget, Call, DebateSpec, Detail, JOURNAL_FORMAT, POLICY_VERSION, Panelist, Protocol, Purpose,
    Sees,
};
pub use rebuttal::{Rebuttal, RebuttedItem};
pub use report::{
    Action, Adjustment, Apart, Arbiter, Cited, ConsensusResult, Contradiction, ContradictionKind,
    Given, Report, Resolution, Ruling, Side, Step, When,
};
pub use role::PanelRole;
pub use span::Span;
pub use synthesis::{Synthesis, Traced};
pub use transcript::{AssignedSide, Role, Source, Structured, Transcript, Turn, Usage};
pub use trickster::{QualityWeights, TricksterConfig, TricksterConfigError};
