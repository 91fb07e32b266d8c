//! The journal: the append-only record that every table and page is derived from.
//!
//! A record is written before its effect is visible anywhere, and carries the hash of the one
//! before it, so that nothing can be changed or dropped without being seen.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    AgentId, AnswerGroup, Ballot, Breakpoint, BreakpointAnswer, Call, CitationCheck, DebateId,
    DebateSpec, Decision, EvidenceGiven, Finding, Flip, FlipId, FlipKind, Intervention,
    ModeratorEvaluation, Outcome, Position, PositionId, Resolution, RoundAnalysis, RoundRecord,
    Spent, StopReason, StreamId, Synthesis, Turn,
};

/// A belief that moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeliefMove {
    /// The claim, in its words or by its id.
    pub claim: String,
    /// How likely it was.
    pub before: f64,
    /// How likely it is now.
    pub after: f64,
}

/// One fact about a debate. The debate's state is a fold over these and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A debate began.
    DebateStarted {
        /// What is debated, by whom and how.
        spec: Box<DebateSpec>,
    },
    /// A round began; round 0 is blind.
    RoundStarted {
        /// Its number.
        round: u32,
        /// Who is asked in it, in the panel's order.
        debating: Vec<AgentId>,
    },
    /// Somebody is about to be asked. Written before the request leaves, and again where a run that was
    /// killed is gone on with: the request may have left before.
    CallIntended {
        /// The call.
        call: Call,
        /// The most it can cost, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_most: Option<Spent>,
    },
    /// A model answered, whatever its words are worth.
    CallAnswered {
        /// The call.
        call: Call,
        /// Its words, as they came.
        text: String,
        /// What it cost.
        spent: Spent,
    },
    /// A call came to nothing.
    CallFailed {
        /// The call.
        call: Call,
        /// What happened, without secrets.
        reason: String,
        /// What it cost all the same.
        spent: Spent,
    },
    /// An answer could not be used: it is asked for again, or the agent abstains.
    ReplyRefused {
        /// The answer to which call.
        call: Call,
        /// What was wrong with it.
        reason: String,
    },
    /// Agents were given passages of the user's documents.
    EvidenceGiven {
        /// Which, and to whom.
        evidence: Box<EvidenceGiven>,
    },
    /// What the agents of a round cite was checked.
    CitationsChecked {
        /// The round.
        round: u32,
        /// One for each piece of evidence, in the order of the turns.
        checks: Vec<CitationCheck>,
    },
    /// Answers in agents' own words were compared by what they mean, before their round ended.
    AnswersGrouped {
        /// After the answers of which round.
        round: u32,
        /// Those that mean the same; an answer that is in none stands for itself.
        groups: Vec<AnswerGroup>,
    },
    /// A round ended.
    RoundEnded {
        /// Who moved, and how far.
        record: RoundRecord,
    },
    /// The panel was looked at after a round.
    RoundAnalyzed {
        /// What was seen.
        analysis: Box<RoundAnalysis>,
    },
    /// A devil's advocate spoke against what most hold.
    Critiqued {
        /// The agent.
        agent: AgentId,
        /// After which round.
        round: u32,
        /// The words.
        text: String,
    },
    /// A judge or moderator was asked whether enough has been said.
    SaidDone {
        /// The judge.
        judge: AgentId,
        /// After which round.
        round: u32,
        /// Whether it is.
        done: bool,
    },
    /// A rule ended the rounds.
    Stopped {
        /// Which, and on what it saw.
        reason: StopReason,
    },
    /// The moderator gave its opinion.
    Moderated {
        /// Who it is.
        moderator: AgentId,
        /// What it said.
        evaluation: ModeratorEvaluation,
    },
    /// A judge ruled, with the options in one order.
    Judged {
        /// Who it is.
        judge: AgentId,
        /// Whether the options were shown in the opposite order.
        reversed: bool,
        /// The option it is for; `None` if it would not say.
        answer: Option<String>,
    },
    /// An agent wrote down what the debate came to.
    Synthesized {
        /// What it wrote, and who it is.
        synthesis: Synthesis,
    },
    /// An agent spoke.
    TurnTaken {
        /// What it said.
        turn: Turn,
    },
    /// Agents took positions. One record holds many where they came in one file.
    PositionsTaken {
        /// The positions.
        positions: Vec<Position>,
    },
    /// A position turned out right or wrong.
    PositionResolved {
        /// The position.
        position: PositionId,
        /// How it turned out.
        outcome: Outcome,
        /// When that was known, if it was before this was written: it came from elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resolved_at: Option<Timestamp>,
    },
    /// Agents left positions they had taken.
    FlipsDetected {
        /// The flips.
        flips: Vec<Flip>,
    },
    /// Flips that are none: a position came late that lies between the two.
    FlipsWithdrawn {
        /// The flips that are withdrawn.
        flips: Vec<FlipId>,
    },
    /// A network of beliefs was stored, in place of the one before.
    BeliefsStored {
        /// Its claims and links, as `rebuttal beliefs` reads them.
        network: serde_json::Value,
    },
    /// A flip moved beliefs of the stored network.
    BeliefsMoved {
        /// The flip.
        flip: FlipId,
        /// The claim that it gave up, by its id.
        claim: String,
        /// The kind of the flip.
        kind: FlipKind,
        /// What moved, the farthest first.
        moved: Vec<BeliefMove>,
    },
    /// Agents did better or worse in a debate; what ratings are made from.
    DebateScored {
        /// The id of the debate.
        debate: DebateId,
        /// Its field, for ratings by field.
        domain: Option<String>,
        /// How each agent did, 0 to 1, in order of name.
        scores: BTreeMap<AgentId, f64>,
    },
    /// A detector saw something.
    FindingRaised {
        /// The finding.
        finding: Finding,
    },
    /// The engine did something about findings.
    Intervened {
        /// The intervention.
        intervention: Intervention,
    },
    /// A person said of a finding whether it is right: a row that `rebuttal score` reads.
    FindingJudged {
        /// Which question of `rebuttal score` the row is for.
        task: String,
        /// The row.
        row: serde_json::Value,
    },
    /// An arbiter ruled.
    Resolved {
        /// The resolution.
        resolution: Resolution,
    },
    /// An agent voted.
    BallotCast {
        /// The vote.
        ballot: Ballot,
    },
    /// The debate waits for a human.
    Paused {
        /// Why.
        reason: String,
        /// What is waited for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        breakpoint: Option<Breakpoint>,
    },
    /// It goes on.
    Resumed {
        /// What was decided.
        #[serde(default)]
        answer: BreakpointAnswer,
        /// What the human added, if anything.
        note: Option<String>,
        /// True when nobody answered in time.
        #[serde(default)]
        timed_out: bool,
    },
    /// It ended.
    Decided {
        /// The decision.
        decision: Box<Decision>,
    },
}

/// A BLAKE3 hash, written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    /// What the first record of a journal carries as its predecessor's hash.
    pub const ZERO: Self = Self([0; 32]);

    /// Wraps a hash computed elsewhere.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The raw bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const WRONG: &str = "a hash is 64 hexadecimal digits";
        let mut bytes = [0; 32];
        if text.len() != 2 * bytes.len() {
            return Err(WRONG);
        }
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| WRONG)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| WRONG)?;
        }
        Ok(Self(bytes))
    }
}

/// An event in its place in its stream of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The stream it belongs to: a debate, or the ledger.
    pub stream: StreamId,
    /// Its number, counted from 1 without gaps. Order is by this, never by time.
    pub seq: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The hash of the record before it; [`Hash::ZERO`] for the first.
    pub prev: Hash,
    /// Its own hash, over all of the above and the event's bytes as they were written.
    pub hash: Hash,
    /// What happened.
    pub event: Event,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_json() {
        let record = Record {
            stream: StreamId::debate(&DebateId::new("d1")),
            seq: 1,
            at: Timestamp::UNIX_EPOCH,
            prev: Hash::ZERO,
            hash: Hash::new([1; 32]),
            event: Event::RoundStarted { round: 0, debating: Vec::new() },
        };
        let json = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), record);
        assert!(json.contains(r#""type":"round_started""#), "{json}");
    }

    #[test]
    fn a_hash_is_refused_unless_whole() {
        assert!(Hash::try_from("00".repeat(31)).is_err());
        assert!(Hash::try_from("zz".repeat(32)).is_err());
        let hash = Hash::new([0xab; 32]);
        assert_eq!(Hash::try_from(hash.to_string()), Ok(hash));
    }
}
