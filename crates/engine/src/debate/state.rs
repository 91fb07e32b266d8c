//! The debate as a fold: its state after n records is made from those records and nothing else.
//!
//! Resume, replay, fork, pages and tests all use [`State::apply`]. What comes next is
//! [`State::next`](super::step), as pure as this.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rebuttal_model::{
    AgentId, AnswerGroup, Ballot, Call, DebateSpec, Decision, Event, Finding, JOURNAL_FORMAT,
    ModeratorEvaluation, POLICY_VERSION, Purpose, Record, RoundRecord, Silence, Spent, StopReason,
    Synthesis, Turn, TurnId,
};
use rebuttal_policy::voting::{JudgeRuling, Options};

use super::cost::in_doubt;
use super::grounding::Grounding;
use super::random::SeededRng;
use super::rules::{Rules, RulesError};
use super::steering::Steering;

/// The rule named in the reason of a debate that its holder stopped.
pub(crate) const STOPPED: &str = "stopped";
/// The rule named in the reason of a debate whose budget was not enough for the next calls.
pub(crate) const BUDGET: &str = "budget";

/// A round as far as it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Its number; 0 is blind.
    pub number: u32,
    /// Who is asked in it.
    pub debating: Vec<AgentId>,
    /// What came of it, once it ended.
    pub record: Option<RoundRecord>,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tried {
    /// It was announced and has no result yet; it may cost this much.
    Open(Option<Spent>),
    /// It was answered, and the answer is not read yet.
    Answered(String),
    /// It was answered by words that could not be used.
    Refused {
        /// The words.
        said: String,
        /// What was wrong with them.
        reason: String,
    },
    /// It came to nothing.
    Failed(String),
    /// It gave what it was made for.
    Used,
}

/// The state of a debate after some of its records.
#[derive(Clone, Debug)]
pub struct State {
    spec: DebateSpec,
    rules: Rules,
    pub(super) options: Options,
    /// The number of the last record.
    pub seq: u64,
    /// When the first record was written, and when the last.
    pub(crate) began: Timestamp,
    pub(crate) last: Timestamp,
    /// The rounds so far.
    pub rounds: Vec<Round>,
    /// What was said so far; the n-th has the id n.
    pub turns: Vec<Turn>,
    /// Every vote so far.
    pub ballots: Vec<Ballot>,
    /// What detectors saw so far.
    pub findings: Vec<Finding>,
    /// What it cost so far.
    pub spent: Spent,
    /// What the blind round cost.
    pub blind: Spent,
    /// Why the rounds ended.
    pub stop: Option<StopReason>,
    /// What the moderator said.
    pub moderated: Option<(AgentId, ModeratorEvaluation)>,
    /// What an agent wrote that the debate came to.
    pub written: Option<Synthesis>,
    /// What judges said.
    pub judged: Vec<JudgeRuling>,
    /// What happened between the rounds.
    pub steering: Steering,
    /// What it took from the user's documents.
    pub grounding: Grounding,
    /// Why it waits for a person.
    pub paused: Option<String>,
    /// Which answers in agents' own words mean the same, as of the last round that was looked at.
    pub groups: Vec<AnswerGroup>,
    /// The round of those groups.
    pub(crate) grouped_round: Option<u32>,
    /// What it ended with.
    pub decision: Option<Decision>,
    pub(crate) tried: BTreeMap<Call, Tried>,
    /// True when a provider reported more tokens than was thought possible: bytes are counted since.
    pub(crate) miscounted: bool,
}

/// Why records do not make a debate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FoldError {
    /// The journal holds nothing.
    #[error("the journal of this debate is empty")]
    Empty,
    /// The first record is something else.
    #[error("the first record is not the start of a debate")]
    NoStart,
    /// Its rules cannot be read.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// It is written in a later format, or runs under later rules, than this program knows.
    #[error(
        "the debate has {what} {theirs}, and this program knows up to {ours}: it was written by a \
         newer Rebuttal. Update this one to read it"
    )]
    Newer {
        /// `journal format` or `policy version`.
        what: &'static str,
        /// The version it has.
        theirs: u32,
        /// The latest that this program knows.
        ours: u32,
    },
    /// A record that cannot follow those before it.
    #[error("record {seq} does not follow from those before it: {why}")]
    OutOfPlace {
        /// The number of the record.
        seq: u64,
        /// Why.
        why: &'static str,
    },
}

impl State {
    /// The state after these records.
    pub fn fold<'r>(records: impl IntoIterator<Item = &'r Record>) -> Result<Self, FoldError> {
        let mut records = records.into_iter();
        let first = records.next().ok_or(FoldError::Empty)?;
        let Event::DebateStarted { spec } = &first.event else { return Err(FoldError::NoStart) };
        check_versions(spec)?;
        let mut state = Self::start((**spec).clone(), first.seq, first.at)?;
        for record in records {
            state.apply(record)?;
        }
        Ok(state)
    }

    /// The state after the first record.
    fn start(spec: DebateSpec, seq: u64, at: Timestamp) -> Result<Self, FoldError> {
        Ok(Self {
            rules: Rules::of(&spec.protocol)?,
            options: options(&spec),
            spec,
            seq,
            began: at,
            last: at,
            rounds: Vec::new(),
            turns: Vec::new(),
            ballots: Vec::new(),
            findings: Vec::new(),
            spent: Spent::default(),
            blind: Spent::default(),
            stop: None,
            moderated: None,
            written: None,
            judged: Vec::new(),
            steering: Steering::default(),
            grounding: Grounding::default(),
            paused: None,
            groups: Vec::new(),
            grouped_round: None,
            decision: None,
            miscounted: false,
            tried: BTreeMap::new(),
        })
    }

    /// Takes the next record in.
    pub fn apply(&mut self, record: &Record) -> Result<(), FoldError> {
        let out_of_place = |why| FoldError::OutOfPlace { seq: record.seq, why };
        if record.seq != self.seq + 1 {
            return Err(out_of_place("a number is missing"));
        }
        if self.decision.is_some() {
            return Err(out_of_place("the debate has ended"));
        }
        (self.seq, self.last) = (record.seq, record.at);
        self.steering.apply(&record.event, self.round());
        self.grounding.apply(&record.event);
        match &record.event {
            Event::DebateStarted { .. } => return Err(out_of_place("the debate has begun")),
            Event::RoundStarted { round, debating } => self.begin(*round, debating),
            Event::AnswersGrouped { round, groups } => self.group(*round, groups),
            Event::RoundEnded { record } => {
                if record.round == 0 && self.spec.policy > 0 {
                    self.blind.millis = self.elapsed();
                }
                if let Some(round) = self.rounds.last_mut() {
                    round.record = Some(record.clone());
                }
            }
            Event::TurnTaken { turn } => self.turns.push(turn.clone()),
            Event::BallotCast { ballot } => self.cast(ballot),
            Event::FindingRaised { finding } => self.findings.push(finding.clone()),
            Event::Stopped { reason } => self.stop = Some(reason.clone()),
            Event::Moderated { moderator, evaluation } => {
                self.moderated = Some((moderator.clone(), evaluation.clone()));
            }
            Event::Synthesized { synthesis } => self.written = Some(synthesis.clone()),
            Event::Judged { judge, reversed, answer } => {
                self.judge(judge, *reversed, answer.as_ref());
            }
            Event::Paused { reason, .. } => self.paused = Some(reason.clone()),
            Event::Resumed { .. } => self.paused = None,
            Event::Decided { decision } => self.decision = Some((**decision).clone()),
            Event::CallIntended { .. }
            | Event::CallAnswered { .. }
            | Event::CallFailed { .. }
            | Event::ReplyRefused { .. } => self.call(&record.event),
            Event::Critiqued { agent, round, .. } => self.used(*round, agent, Purpose::Critique),
            Event::SaidDone { judge, round, .. } => self.used(*round, judge, Purpose::Done),
            // What happens between the rounds is taken in above; what other parts of the system write
            // does not change a debate's course.
            Event::Intervened { .. }
            | Event::EvidenceGiven { .. }
            | Event::CitationsChecked { .. }
            | Event::RoundAnalyzed { .. }
            | Event::PositionsTaken { .. }
            | Event::PositionResolved { .. }
            | Event::FlipsDetected { .. }
            | Event::FlipsWithdrawn { .. }
            | Event::BeliefsStored { .. }
            | Event::BeliefsMoved { .. }
            | Event::DebateScored { .. }
            | Event::FindingJudged { .. }
            | Event::Resolved { .. } => {}
        }
        Ok(())
    }

    /// Begins a round.
    fn begin(&mut self, number: u32, debating: &[AgentId]) {
        let waves = if self.spec.protocol.in_turn { debating.len() as u64 } else { 1 };
        self.spent.serial_depth += waves;
        self.rounds.push(Round { number, debating: debating.to_vec(), record: None });
    }

    /// Notes how far a call is.
    fn call(&mut self, event: &Event) {
        match event {
            Event::CallIntended { call, at_most } => {
                // Announced twice, it may have been made twice.
                if let Some(Tried::Open(before)) = self.tried.get(call) {
                    self.spent += in_doubt(*before);
                }
                self.tried.insert(call.clone(), Tried::Open(*at_most));
            }
            Event::CallAnswered { call, text, spent } => {
                if let Some(Tried::Open(Some(at_most))) = self.tried.get(call) {
                    self.miscounted |= spent.input_tokens > at_most.input_tokens;
                }
                self.spend(call, *spent);
                self.tried.insert(call.clone(), Tried::Answered(text.clone()));
            }
            Event::CallFailed { call, reason, spent } => {
                self.spend(call, *spent);
                self.tried.insert(call.clone(), Tried::Failed(reason.clone()));
            }
            Event::ReplyRefused { call, reason } => {
                let said = match self.tried.remove(call) {
                    Some(Tried::Answered(said)) => said,
                    _ => String::new(),
                };
                self.tried.insert(call.clone(), Tried::Refused { said, reason: reason.clone() });
            }
            _ => {}
        }
    }

    /// Adds what a call cost; what was spent before anybody saw another's answer is counted apart.
    fn spend(&mut self, call: &Call, spent: Spent) {
        self.spent += spent;
        if call.round == 0 && call.purpose == Purpose::Answer {
            self.blind += spent;
        }
        if call.purpose != Purpose::Answer {
            self.spent.serial_depth += 1;
        }
    }

    /// Takes up a vote.
    fn cast(&mut self, ballot: &Ballot) {
        self.ballots.push(ballot.clone());
        self.used(ballot.round, &ballot.agent, Purpose::Answer);
    }

    /// Takes up a judge's ruling in one of the two orders.
    fn judge(&mut self, judge: &AgentId, reversed: bool, answer: Option<&String>) {
        let purpose = if reversed { Purpose::JudgeReversed } else { Purpose::Judge };
        self.used(self.round(), judge, purpose);
        if !self.judged.iter().any(|ruling| ruling.judge == *judge) {
            let judge = judge.clone();
            self.judged.push(JudgeRuling { judge, as_given: None, reversed: None });
        }
        let ruling = self.judged.iter_mut().find(|ruling| ruling.judge == *judge);
        if let Some(ruling) = ruling {
            let side = if reversed { &mut ruling.reversed } else { &mut ruling.as_given };
            *side = answer.cloned();
        }
    }

    /// The words of this call are read and need not be kept any more.
    fn used(&mut self, round: u32, agent: &AgentId, purpose: Purpose) {
        for (call, tried) in &mut self.tried {
            let same = call.round == round && call.agent == *agent && call.purpose == purpose;
            if same && matches!(tried, Tried::Answered(_)) {
                *tried = Tried::Used;
            }
        }
    }

    /// What is debated, by whom and how.
    pub fn spec(&self) -> &DebateSpec {
        &self.spec
    }

    /// How it is decided and when it ends.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What the question can be answered with.
    pub fn options(&self) -> Options {
        self.options.clone()
    }

    /// When its first record was written.
    pub fn began(&self) -> Timestamp {
        self.began
    }

    /// The number of the latest round.
    pub fn round(&self) -> u32 {
        self.rounds.last().map_or(0, |round| round.number)
    }

    /// Who takes part, in order.
    pub fn panel(&self) -> Vec<AgentId> {
        self.spec.panel.iter().map(|member| member.agent.clone()).collect()
    }

    /// The id of the next turn.
    pub(crate) fn next_turn(&self) -> TurnId {
        TurnId::new(self.turns.len())
    }

    /// What an agent said last before a round.
    pub(crate) fn latest(&self, agent: &AgentId, before: u32) -> Option<&Turn> {
        self.latest_through(agent, before.checked_sub(1)?)
    }

    /// What an agent said last up to a round.
    pub fn latest_through(&self, agent: &AgentId, round: u32) -> Option<&Turn> {
        let own = |turn: &&Turn| turn.agent == *agent && turn.round.is_none_or(|at| at <= round);
        self.turns.iter().rev().find(own)
    }

    /// What an agent holds before a round: its last vote that says something. Who abstained after that
    /// holds nothing.
    pub(crate) fn held(&self, agent: &AgentId, before: u32) -> Option<&str> {
        let own = |ballot: &&Ballot| ballot.agent == *agent && ballot.round < before;
        let heard = |ballot: &&Ballot| !self.passes_over(ballot);
        self.ballots.iter().rev().filter(own).find(heard).and_then(Ballot::first)
    }

    /// True for a ballot that leaves an earlier one of its agent standing: of one who could not be
    /// heard. Until policy version 1 that was so for abstentions too.
    pub(crate) fn passes_over(&self, ballot: &Ballot) -> bool {
        match ballot.silence {
            Some(Silence::Abstained) => self.is_first_policy(),
            Some(Silence::Failed { .. }) => true,
            None => ballot.is_silent() && self.is_first_policy(),
        }
    }

    /// True for a debate begun before policies had versions; what follows from its records follows by
    /// the rules of then.
    pub(crate) fn is_first_policy(&self) -> bool {
        self.spec.policy == 0
    }

    /// Turns in the order of the panel: which answer came first does not matter.
    pub(crate) fn panel_order<'t>(&self, turns: impl Iterator<Item = &'t Turn>) -> Vec<&'t Turn> {
        let place =
            |turn: &&Turn| self.spec.panel.iter().position(|member| member.agent == turn.agent);
        let mut turns: Vec<&Turn> = turns.collect();
        turns.sort_by_key(place);
        turns
    }

    /// The name the others know an agent by.
    pub(crate) fn name_of(&self, agent: &AgentId) -> String {
        if !self.spec.protocol.anonymous {
            return agent.to_string();
        }
        let mut order: Vec<AgentId> = self.panel();
        SeededRng::new(self.spec.seed, "names").shuffle(&mut order);
        let at = order.iter().position(|other| other == agent).unwrap_or(0);
        format!("Panelist {}", at + 1)
    }

    /// The ballots that count: one who could not be heard in a later round keeps the vote it gave
    /// before.
    pub fn standing(&self) -> Vec<Ballot> {
        super::deliberation::standing(self)
    }

    /// True when the rule counts more than first choices, and there is something to rank.
    pub(crate) fn wants_ranking(&self) -> bool {
        self.options.names().len() > 2
    }

    /// The words of the try before this one, and what was wrong with them.
    pub(crate) fn refused(&self, call: &Call) -> Option<(&str, &str)> {
        let before = Call { attempt: call.attempt.checked_sub(1)?, ..call.clone() };
        match self.tried.get(&before)? {
            Tried::Refused { said, reason } => Some((said, reason)),
            _ => None,
        }
    }
}

/// Refuses a debate of a later version: read by other rules than it was written by, it would come to
/// something else.
fn check_versions(spec: &DebateSpec) -> Result<(), FoldError> {
    let versions = [
        ("journal format", spec.format, JOURNAL_FORMAT),
        ("policy version", spec.policy, POLICY_VERSION),
    ];
    let newer = versions.into_iter().find(|(_, theirs, ours)| theirs > ours);
    newer.map_or(Ok(()), |(what, theirs, ours)| Err(FoldError::Newer { what, theirs, ours }))
}

/// The options given, or those found in the question.
fn options(spec: &DebateSpec) -> Options {
    match Options::given(&spec.options) {
        Ok(options) if !spec.options.is_empty() => options,
        _ if spec.policy == 0 => Options::of_question_first(&spec.question),
        _ => Options::of_question(&spec.question),
    }
}
