//! Debates put together by hand: a question, a panel, a protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_llm::{Chat, Price};
use rebuttal_model::{
    AgentId, DebateId, DebateSpec, Event, HollowAlert, Intervention, JOURNAL_FORMAT,
    POLICY_VERSION, Panelist, Protocol, StreamId, limits,
};
use rebuttal_policy::debate::Stop;
use rebuttal_policy::voting::{Options, OptionsError, Rule, TieBreak};

use super::callbacks::Callbacks;
use super::journal::Journal;
use super::lot::Lot;
use super::runner::{Ended, RunError, Runner, Seat, Seen};
use super::steering::needs_words;

/// What is debated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// What is asked.
    pub question: String,
    /// What everybody should know beside it.
    pub context: String,
    /// The answers to choose from; found in the question if there are none.
    pub options: Vec<String>,
    /// The right answer, where it is known: for measuring, shown to nobody.
    pub truth: Option<String>,
}

impl Environment {
    /// A question and nothing else.
    pub fn new(question: impl Into<String>) -> Self {
        Self { question: question.into(), ..Self::default() }
    }

    /// The same with answers to choose from.
    #[must_use]
    pub fn options<S: Into<String>>(mut self, options: impl IntoIterator<Item = S>) -> Self {
        self.options = options.into_iter().map(Into::into).collect();
        self
    }

    /// The same with something everybody should know.
    #[must_use]
    pub fn context(mut self, context: impl Into<String>) -> Self {
        self.context = context.into();
        self
    }

    /// The same with the right answer.
    #[must_use]
    pub fn truth(mut self, truth: impl Into<String>) -> Self {
        self.truth = Some(truth.into());
        self
    }
}

/// One who takes part, and whoever answers for it.
#[derive(Clone, Debug)]
pub struct Agent {
    member: Panelist,
    seat: Seat,
}

impl Agent {
    /// An agent of this name.
    pub fn new(name: &str, chat: Arc<dyn Chat>) -> Self {
        let member = Panelist::new(AgentId::new(name));
        Self { member, seat: Seat::new(chat) }
    }

    /// The same, under another name.
    #[must_use]
    pub fn named(mut self, name: &AgentId) -> Self {
        self.member.agent = name.clone();
        self
    }

    /// The same, told who it is to be.
    #[must_use]
    pub fn persona(mut self, persona: impl Into<String>) -> Self {
        self.member.persona = persona.into();
        self
    }

    /// The same, with the name of its model for people.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.member.model = model.into();
        self
    }

    /// The same, its vote weighing this much under rules that weigh votes.
    #[must_use]
    pub fn weight(mut self, weight: f64) -> Self {
        self.member.weight = weight;
        self
    }

    /// The same, with what its tokens cost.
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.seat.price = Some(price);
        self
    }

    /// The same, with this long to answer.
    #[must_use]
    pub fn patience(mut self, patience: std::time::Duration) -> Self {
        self.seat.patience = patience;
        self
    }
}

/// Why a debate cannot begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ArenaError {
    /// Nothing is asked.
    #[error("the question is empty")]
    NoQuestion,
    /// More than anybody reads.
    #[error("the question has {0} bytes, and at most {max} are read; put the rest into the context", max = limits::QUESTION_BYTES)]
    LongQuestion(usize),
    /// Nobody to debate with.
    #[error("a debate needs at least two agents, and {0} was given")]
    FewAgents(usize),
    /// More than can read each other.
    #[error("{0} agents are given, and at most {max} can debate", max = limits::PANEL)]
    ManyAgents(usize),
    /// Two of one name.
    #[error("two agents are called {0}; give one another name")]
    SameName(AgentId),
    /// More rounds than a debate bears.
    #[error("{0} rounds are asked for, and at most {max} are run", max = limits::ROUNDS)]
    ManyRounds(u32),
    /// Options that cannot be told apart, or too few.
    #[error("the options: {0}")]
    Options(#[from] OptionsError),
    /// A rule that is none.
    #[error("{what}: {reason}")]
    Rule {
        /// Which setting.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A rule that asks for judges, and there are none.
    #[error("the rule {0} needs a judge, and none is named")]
    NoJudge(String),
}

/// A debate about to begin.
#[derive(Clone, Debug)]
pub struct Arena {
    environment: Environment,
    panel: Vec<Agent>,
    moderator: Option<Agent>,
    judges: Vec<Agent>,
    protocol: Protocol,
    seed: u64,
    id: Option<DebateId>,
    callbacks: Callbacks,
}

impl Arena {
    /// A debate on this, with nobody in it yet.
    pub fn new(environment: Environment) -> Self {
        Self {
            environment,
            panel: Vec::new(),
            moderator: None,
            judges: Vec::new(),
            protocol: Protocol::default(),
            seed: 0,
            id: None,
            callbacks: Callbacks::default(),
        }
    }

    /// With one more agent.
    #[must_use]
    pub fn agent(mut self, agent: Agent) -> Self {
        self.panel.push(agent);
        self
    }

    /// With these agents as well.
    #[must_use]
    pub fn panel(mut self, agents: impl IntoIterator<Item = Agent>) -> Self {
        self.panel.extend(agents);
        self
    }

    /// Run like this.
    #[must_use]
    pub fn protocol(mut self, protocol: Protocol) -> Self {
        self.protocol = protocol;
        self
    }

    /// With a moderator, who speaks last and may override the vote.
    #[must_use]
    pub fn moderator(mut self, agent: Agent) -> Self {
        self.moderator = Some(agent);
        self
    }

    /// With one more judge, for rules that ask for judges.
    #[must_use]
    pub fn judge(mut self, agent: Agent) -> Self {
        self.judges.push(agent);
        self
    }

    /// With this seed for everything chosen by lot.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Under this id; made from the seed if none is given.
    #[must_use]
    pub fn id(mut self, id: DebateId) -> Self {
        self.id = Some(id);
        self
    }

    /// Calls this whenever the agents agree with little behind it.
    #[must_use]
    pub fn on_alert(mut self, call: impl Fn(&HollowAlert) + Send + Sync + 'static) -> Self {
        self.callbacks.on_alert(call);
        self
    }

    /// Calls this whenever something is done about it.
    #[must_use]
    pub fn on_intervention(mut self, call: impl Fn(&Intervention) + Send + Sync + 'static) -> Self {
        self.callbacks.on_intervention(call);
        self
    }

    /// What will be run, checked.
    pub fn spec(&self) -> Result<DebateSpec, ArenaError> {
        self.check()?;
        let environment = &self.environment;
        let mut protocol = self.protocol.clone();
        protocol.moderator = self.moderator.as_ref().map(|agent| agent.member.agent.clone());
        protocol.judges = self.judges.iter().map(|agent| agent.member.agent.clone()).collect();
        if protocol.rule.is_empty() {
            let options = match Options::given(&environment.options) {
                Ok(given) if !environment.options.is_empty() => given,
                _ => Options::of_question(&environment.question),
            };
            protocol.rule = Rule::usual(&options).to_string();
        }
        let id = format!("d-{:012x}", Lot::new(self.seed, &environment.question).next() >> 16);
        Ok(DebateSpec {
            format: JOURNAL_FORMAT,
            policy: POLICY_VERSION,
            id: self.id.clone().unwrap_or_else(|| DebateId::new(id)),
            question: environment.question.clone(),
            context: environment.context.clone(),
            options: environment.options.clone(),
            panel: self.panel.iter().map(|agent| agent.member.clone()).collect(),
            protocol,
            truth: environment.truth.clone(),
            seed: self.seed,
            forked_from: None,
        })
    }

    fn check(&self) -> Result<(), ArenaError> {
        let question = &self.environment.question;
        if question.trim().is_empty() {
            return Err(ArenaError::NoQuestion);
        }
        if question.len() > limits::QUESTION_BYTES {
            return Err(ArenaError::LongQuestion(question.len()));
        }
        match self.panel.len() {
            few @ 0..2 => return Err(ArenaError::FewAgents(few)),
            many if many > limits::PANEL => return Err(ArenaError::ManyAgents(many)),
            _ => {}
        }
        let mut names: Vec<&AgentId> = self.panel.iter().map(|agent| &agent.member.agent).collect();
        names.sort();
        if let Some([twice, _]) = names.array_windows().find(|[one, two]| one == two) {
            return Err(ArenaError::SameName((*twice).clone()));
        }
        if !self.environment.options.is_empty() {
            Options::given(&self.environment.options)?;
        }
        check_protocol(&self.protocol, !self.judges.is_empty())
    }

    /// Who answers for whom.
    pub fn seats(&self) -> BTreeMap<AgentId, Seat> {
        let all = self.panel.iter().chain(&self.moderator).chain(&self.judges);
        all.map(|agent| (agent.member.agent.clone(), agent.seat.clone())).collect()
    }

    /// Runs it to its end, in memory or in a store. [`Runner`] has more to choose from.
    #[expect(clippy::disallowed_methods, reason = "running is where time comes in")]
    pub async fn run(&self, journal: &dyn Journal) -> Result<Ended, ArenaRunError> {
        let spec = self.spec()?;
        let stream = StreamId::debate(&spec.id);
        let (clock, watch) = (Timestamp::now, |seen: Seen<'_>| self.callbacks.tell(&seen));
        let seats = self.seats();
        let runner = Runner::new(journal, &seats, &clock, &watch);
        Ok(runner.run(&stream, Some(Event::DebateStarted { spec: Box::new(spec) })).await?)
    }
}

/// Why a debate ended without an end.
#[derive(Debug, thiserror::Error)]
pub enum ArenaRunError {
    /// It could not begin.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// It could not go on.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Longest that a breakpoint waits before it is answered by itself, in seconds: a year.
const LONGEST_WAIT: f64 = 31_536_000.0;

/// Whether a protocol can be run.
pub fn check_protocol(protocol: &Protocol, has_judges: bool) -> Result<(), ArenaError> {
    if protocol.rounds > limits::ROUNDS {
        return Err(ArenaError::ManyRounds(protocol.rounds));
    }
    let wrong = |what, reason: String| ArenaError::Rule { what, reason };
    let rule: Rule = match protocol.rule.as_str() {
        "" => Rule::Majority,
        rule => rule.parse().map_err(|error| wrong("the decision rule", format!("{error}")))?,
    };
    if matches!(rule, Rule::Judge | Rule::JudgePanel) && !has_judges {
        return Err(ArenaError::NoJudge(protocol.rule.clone()));
    }
    protocol.stop.parse::<Stop>().map_err(|error| wrong("the stop rule", format!("{error}")))?;
    protocol.trickster.check().map_err(|error| wrong("the trickster", format!("{error}")))?;
    let wait = protocol.breakpoints.timeout_seconds;
    if wait.is_some_and(|seconds| !(0.0..=LONGEST_WAIT).contains(&seconds)) {
        let reason = "timeout_seconds is not within a year".to_owned();
        return Err(wrong("the breakpoints", reason));
    }
    let answer = protocol.breakpoints.on_timeout;
    if needs_words(answer) {
        let reason = format!("on_timeout is {answer}, which needs words that nobody gives then");
        return Err(wrong("the breakpoints", reason));
    }
    protocol.tie.parse::<TieBreak>().map_err(|error| wrong("the tie break", format!("{error}")))?;
    if !(0.0..=1.0).contains(&protocol.conviction_step) {
        let reason = format!("{} is not within 0..1", protocol.conviction_step);
        return Err(wrong("the conviction step", reason));
    }
    Ok(())
}
