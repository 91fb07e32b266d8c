//! What an agent holds, and when it stops holding it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::hash::Fnv128;
use crate::{AgentId, Confidence, DebateId, FlipId, Method, PositionId, Quote, Span, TurnId};

/// Which side of a proposition or question a text is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Agrees with what is asked.
    Yes,
    /// Against it.
    No,
    /// The text does not say, or says both.
    #[default]
    Unclear,
}

impl Stance {
    /// The other side; unclear stays unclear.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unclear => Self::Unclear,
        }
    }

    /// True where no side is known.
    pub fn is_unclear(&self) -> bool {
        *self == Self::Unclear
    }

    /// True for yes against no, in either order.
    pub fn opposes(self, other: Self) -> bool {
        self != Self::Unclear && other == self.opposite()
    }

    /// `yes`, `no` or `unclear`, as the labelled data spells them.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unclear => "unclear",
        }
    }
}

/// What an agent holds on one proposition at one time: an entry of the position ledger.
///
/// ```
/// use rebuttal_model::{AgentId, Position};
/// use jiff::Timestamp;
///
/// let at = Timestamp::UNIX_EPOCH;
/// let one = Position::new(AgentId::new("claude"), "Caching is safe.", at);
/// assert_eq!(one.id, Position::new(AgentId::new("claude"), "Caching is safe.", at).id);
/// assert_ne!(one.id, Position::new(AgentId::new("gpt4"), "Caching is safe.", at).id);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Given from outside, or made from what identifies it; see [`Position::derive_id`].
    pub id: PositionId,
    /// Who holds it.
    pub agent: AgentId,
    /// What it said, exactly as it said it.
    pub claim: String,
    /// The question it answers, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Which side of the question.
    #[serde(default)]
    pub stance: Stance,
    /// How sure, and according to whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// The debate it was taken in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debate: Option<DebateId>,
    /// The round, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The turn that said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    /// The bytes of the turn's text that said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The field it belongs to (`finance`, `security`). Positions of two fields are never compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// When it was taken.
    pub at: Timestamp,
    /// What the agent was shown between its last position and this one, whether or not that moved it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exposed_to: Vec<Cause>,
}

impl Position {
    /// A position with nothing but an agent, a claim and a time.
    pub fn new(agent: AgentId, claim: impl Into<String>, at: Timestamp) -> Self {
        let mut position = Self {
            id: PositionId::new(""),
            agent,
            claim: claim.into(),
            question: None,
            stance: Stance::Unclear,
            confidence: None,
            debate: None,
            round: None,
            turn: None,
            span: None,
            domain: None,
            at,
            exposed_to: Vec::new(),
        };
        position.id = position.derive_id(true);
        position
    }

    /// The id of a position that came without one: the same agent, place, words and time always get
    /// the same. A time that was only assumed (`dated` is false) is left out, so that the same file
    /// read twice gives the same ids.
    #[must_use]
    pub fn derive_id(&self, dated: bool) -> PositionId {
        let mut hash = Fnv128::new();
        let debate = self.debate.as_ref().map_or("", DebateId::as_str);
        for text in [self.agent.as_str(), debate, &self.claim] {
            hash.text(text);
        }
        let place = [
            self.round.map(u64::from),
            self.turn.map(|turn| turn.index() as u64),
            self.span.map(|span| span.start() as u64),
        ];
        for number in place {
            hash.number(number.map_or(0, |number| number + 1));
        }
        if dated {
            hash.number(self.at.as_microsecond().cast_unsigned());
        }
        PositionId::new(format!("p-{:032x}", hash.value()))
    }
}

/// What moved an agent, as far as the transcript shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A citation or number this agent had not seen before.
    NewEvidence,
    /// An argument of another that it takes up.
    CounterArgument,
    /// It moves towards the majority, with nothing new.
    Majority,
    /// Somebody claims to know better: "I'm an expert".
    Authority,
    /// Somebody just does not let go: "are you sure?".
    Insistence,
    /// Nothing that can be seen.
    NoneVisible,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::NewEvidence,
        Self::CounterArgument,
        Self::Majority,
        Self::Authority,
        Self::Insistence,
        Self::NoneVisible,
    ];

    /// `new_evidence`, `counter_argument`, …
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NewEvidence => "new_evidence",
            Self::CounterArgument => "counter_argument",
            Self::Majority => "majority",
            Self::Authority => "authority",
            Self::Insistence => "insistence",
            Self::NoneVisible => "none_visible",
        }
    }
}

/// What became of a position, once it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was right.
    Correct,
    /// It was wrong.
    Incorrect,
    /// Nobody will ever know.
    Unresolved,
}

impl Outcome {
    /// `correct`, `incorrect` or `unresolved`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Incorrect => "incorrect",
            Self::Unresolved => "unresolved",
        }
    }
}

/// How a position turned out, and when that was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ending {
    /// How it turned out.
    pub outcome: Outcome,
    /// When somebody said so, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
}

/// Whether an agent that changed its position said that it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Acknowledgment {
    /// It said so: an honest change of mind.
    Acknowledged,
    /// It did not: the text reads as if it had always held the new position.
    Silent,
}

/// What became of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlipKind {
    /// A small adjustment: "X is mostly true".
    Refinement,
    /// Nuance added: "X is sometimes true".
    Qualification,
    /// Withdrawn: "I was wrong about X".
    Retraction,
    /// The direct opposite: "X is bad" after "X is good".
    Contradiction,
}

impl FlipKind {
    /// All of them, mildest first.
    pub const ALL: [Self; 4] =
        [Self::Refinement, Self::Qualification, Self::Retraction, Self::Contradiction];

    /// `refinement`, `qualification`, `retraction` or `contradiction`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refinement => "refinement",
            Self::Qualification => "qualification",
            Self::Retraction => "retraction",
            Self::Contradiction => "contradiction",
        }
    }

    /// How much one such flip weighs against an agent's consistency.
    pub fn weight(self) -> f64 {
        match self {
            Self::Contradiction => 1.0,
            Self::Retraction => 0.7,
            Self::Qualification => 0.3,
            Self::Refinement => 0.1,
        }
    }
}

/// Two positions of one agent on one proposition, the later of which is not the earlier any more.
///
/// One reversal is one flip: its id is made from the two positions and nothing else, so that finding
/// it again adds nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flip {
    /// See [`FlipId::of`].
    pub id: FlipId,
    /// What the agent held.
    pub before: Position,
    /// What it holds now.
    pub after: Position,
    /// What became of the position.
    pub kind: FlipKind,
    /// How alike the two statements are, 0 to 1.
    pub similarity: f64,
    /// How sure the detector is.
    pub confidence: Confidence,
    /// Which method decided.
    pub method: Method,
    /// Whether the agent said so.
    pub acknowledgment: Acknowledgment,
    /// The bytes of the new claim in which it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged_in: Option<Span>,
    /// The bytes of the old claim that decided.
    pub before_span: Span,
    /// The bytes of the new claim that decided.
    pub after_span: Span,
    /// What moved the agent.
    pub cause: Cause,
    /// The words that did, where they can be quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// Whether it ended for or against the [matter](Flip::matter); unclear for what is only narrowed.
    #[serde(default, skip_serializing_if = "Stance::is_unclear")]
    pub toward: Stance,
    /// One sentence that explains it to a person.
    pub explanation: String,
    /// When it was found.
    pub detected_at: Timestamp,
}

impl Flip {
    /// What it is about: the question; without one, the claim that the agent ended for or against,
    /// which is the same for both ways between two claims.
    pub fn matter(&self) -> &str {
        let question = self.before.question.as_deref().or(self.after.question.as_deref());
        question.unwrap_or(match self.toward {
            Stance::Yes => &self.after.claim,
            Stance::No | Stance::Unclear => &self.before.claim,
        })
    }

    /// Where it went: to a side of its matter, or away from one.
    pub fn direction(&self) -> Stance {
        match (self.toward, self.before.stance, self.after.stance) {
            (Stance::Unclear, before, after) if before == after => Stance::Unclear,
            (Stance::Unclear, before, Stance::Unclear) => before.opposite(),
            (Stance::Unclear, _, after) => after,
            (toward, _, _) => toward,
        }
    }
}

/// The words that moved an agent, and whose they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Because {
    /// Who said them; the agent itself, where it brought the evidence.
    pub by: AgentId,
    /// The words, by their place in the debate.
    pub quote: Quote,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclear_opposes_nothing() {
        assert!(Stance::Yes.opposes(Stance::No));
        assert!(!Stance::Yes.opposes(Stance::Yes));
        assert!(!Stance::Unclear.opposes(Stance::Unclear));
        assert!(!Stance::No.opposes(Stance::Unclear));
    }

    #[test]
    fn an_assumed_time_is_no_part_of_the_id() {
        let position = Position::new(AgentId::new("a"), "It holds.", Timestamp::UNIX_EPOCH);
        let later = Position { at: Timestamp::MAX, ..position.clone() };
        assert_eq!(position.derive_id(false), later.derive_id(false));
        assert_ne!(position.derive_id(true), later.derive_id(true));
        let elsewhere = Position { round: Some(0), ..position.clone() };
        assert_ne!(position.derive_id(false), elsewhere.derive_id(false));
    }

    #[test]
    fn a_flip_is_known_by_its_positions() {
        let (one, two) = (PositionId::new("p-1"), PositionId::new("p-2"));
        assert_eq!(FlipId::of(&one, &two), FlipId::of(&one, &two));
        assert_ne!(FlipId::of(&one, &two), FlipId::of(&two, &one));
    }
}
