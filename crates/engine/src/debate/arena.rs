//! Debates put together by hand: a question, a panel, a protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use rebuttal_model::{
    AgentId, Budget, DebateId, DebateSpec, Event, HollowAlert, Intervention, JOURNAL_FORMAT,
    POLICY_VERSION, Protocol, StreamId, limits,
};
use rebuttal_policy::voting::{Options, OptionsError, Rule};

use super::agent::{Agent, Seat};
use super::callbacks::Callbacks;
use super::engine::Engine;
use super::handle::{Begin, Debate};
use super::rules::{Rules, RulesError};
use super::runner::{Ended, RunError, Runner};
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

    /// Sets the answers to choose from.
    #[must_use]
    pub fn options<S: Into<String>>(mut self, options: impl IntoIterator<Item = S>) -> Self {
        self.options = options.into_iter().map(Into::into).collect();
        self
    }

    /// What is asked.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Sets what everybody should know.
    #[must_use]
    pub fn context(mut self, context: impl Into<String>) -> Self {
        self.context = context.into();
        self
    }

    /// Sets the right answer.
    #[must_use]
    pub fn truth(mut self, truth: impl Into<String>) -> Self {
        self.truth = Some(truth.into());
        self
    }
}

/// Why a debate cannot begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
    Options(OptionsError),
    /// A rule that is none.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A setting that cannot be.
    #[error("{what}: {reason}")]
    Setting {
        /// The name of the setting.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// One of the panel is to moderate or judge it.
    #[error("{agent} is on the panel, so it cannot be its {role} as well; name another agent")]
    OnPanel {
        /// The part it was to play.
        role: &'static str,
        /// The agent.
        agent: AgentId,
    },
    /// The protocol names somebody who was not given.
    #[error(
        "the protocol names {agent} as {role}, and no such agent is given; add it with \
             Arena::{role}"
    )]
    NotGiven {
        /// The part it was to play.
        role: &'static str,
        /// The agent.
        agent: AgentId,
    },
    /// A budget in money, and nobody knows what an agent costs.
    #[error(
        "the budget is in US dollars, and what {0} costs is not known; set `price = {{ input = …, \
         output = … }}` (dollars for a million tokens) for it in rebuttal.toml, or Agent::price in \
         code, 0 where it is free; or limit tokens instead"
    )]
    UnknownPrice(AgentId),
    /// There is no async runtime to run in.
    #[error(
        "a debate runs inside a tokio runtime, and there is none here; start it from async code"
    )]
    NoRuntime,
    /// A rule that asks for judges, and there are none.
    #[error("the rule {0} needs a judge, and none is named")]
    NoJudge(String),
}

impl From<OptionsError> for ArenaError {
    /// Not as its source: its words stand in the message already, and would be printed twice.
    fn from(error: OptionsError) -> Self {
        Self::Options(error)
    }
}

/// A debate about to begin.
#[derive(Clone, Debug)]
pub struct Arena {
    environment: Environment,
    panel: Vec<Agent>,
    moderator: Option<Agent>,
    writer: Option<Agent>,
    judges: Vec<Agent>,
    protocol: Protocol,
    seed: Option<u64>,
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
            writer: None,
            judges: Vec::new(),
            protocol: Protocol::default(),
            seed: None,
            id: None,
            callbacks: Callbacks::default(),
        }
    }

    /// Adds an agent.
    #[must_use]
    pub fn agent(mut self, agent: Agent) -> Self {
        self.panel.push(agent);
        self
    }

    /// Adds agents.
    #[must_use]
    pub fn panel(mut self, agents: impl IntoIterator<Item = Agent>) -> Self {
        self.panel.extend(agents);
        self
    }

    /// Sets how the debate is run.
    #[must_use]
    pub fn protocol(mut self, protocol: Protocol) -> Self {
        self.protocol = protocol;
        self
    }

    /// Sets the moderator, who speaks last and may override the vote.
    #[must_use]
    pub fn moderator(mut self, agent: Agent) -> Self {
        self.moderator = Some(agent);
        self
    }

    /// Sets who writes down what the debate came to: the moderator, one of the panel, or somebody else.
    #[must_use]
    pub fn writer(mut self, agent: Agent) -> Self {
        self.writer = Some(agent);
        self
    }

    /// Adds a judge, for rules that ask for judges.
    #[must_use]
    pub fn judge(mut self, agent: Agent) -> Self {
        self.judges.push(agent);
        self
    }

    /// Sets the seed of everything chosen at random; drawn if none is given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets the id; drawn if none is given.
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

    /// What will be run, checked. An id and a seed that were not given are drawn.
    pub fn spec(&self, engine: &Engine) -> Result<DebateSpec, ArenaError> {
        self.check()?;
        let environment = &self.environment;
        let mut protocol = self.protocol.clone();
        protocol.moderator = self.moderator.as_ref().map(|agent| agent.member.agent.clone());
        protocol.synthesis = self.writer.as_ref().map(|agent| agent.member.agent.clone());
        protocol.judges = self.judges.iter().map(|agent| agent.member.agent.clone()).collect();
        protocol.evidence = engine.library.is_some();
        if protocol.rule == Protocol::USUAL_RULE {
            let options = match Options::given(&environment.options) {
                Ok(given) if !environment.options.is_empty() => given,
                _ => Options::of_question(&environment.question),
            };
            protocol.rule = Rule::usual(&options).to_string();
        }
        Ok(DebateSpec {
            format: JOURNAL_FORMAT,
            policy: POLICY_VERSION,
            id: self.id.clone().unwrap_or_else(|| engine.new_id()),
            question: environment.question.clone(),
            context: environment.context.clone(),
            options: environment.options.clone(),
            panel: self.panel.iter().map(|agent| agent.member.clone()).collect(),
            protocol,
            truth: environment.truth.clone(),
            seed: self.seed.unwrap_or_else(|| engine.draw()),
            forked_from: None,
        })
    }

    /// Who debates, and about what.
    pub fn about(&self) -> (Vec<AgentId>, &str) {
        let panel = self.panel.iter().map(|agent| agent.member.agent.clone());
        (panel.collect(), &self.environment.question)
    }

    /// Whether the debate can be run.
    pub fn check(&self) -> Result<(), ArenaError> {
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
        self.check_names()?;
        if !self.environment.options.is_empty() {
            Options::given(&self.environment.options)?;
        }
        check_protocol(&self.protocol, !self.judges.is_empty())?;
        check_prices(&self.protocol.budget, &seats_of(self.agents()))
    }

    /// Every name means one agent.
    fn check_names(&self) -> Result<(), ArenaError> {
        let mut names: Vec<&AgentId> = self.panel.iter().map(|agent| &agent.member.agent).collect();
        names.sort();
        if let Some([twice, _]) = names.array_windows().find(|[one, two]| one == two) {
            return Err(ArenaError::SameName((*twice).clone()));
        }
        let others = self.moderator.iter().map(|agent| ("moderator", &agent.member.agent));
        let judges = self.judges.iter().map(|agent| ("judge", &agent.member.agent));
        let mut others = others.chain(judges);
        if let Some((role, agent)) = others.find(|(_, agent)| names.binary_search(agent).is_ok()) {
            return Err(ArenaError::OnPanel { role, agent: agent.clone() });
        }
        let is_set = |given: &AgentId| self.agents().any(|agent| agent.member.agent == *given);
        let protocol = &self.protocol;
        let roles = protocol.moderator.iter().map(|agent| ("moderator", agent));
        let roles = roles.chain(protocol.judges.iter().map(|agent| ("judge", agent)));
        match roles.into_iter().find(|(_, agent)| !is_set(agent)) {
            Some((role, agent)) => Err(ArenaError::NotGiven { role, agent: agent.clone() }),
            None => Ok(()),
        }
    }

    /// Starts the debate. It runs by itself, inside the tokio runtime it was started in.
    pub fn start(&self, engine: &Engine) -> Result<Debate, ArenaError> {
        let spec = self.spec(engine)?;
        let runner =
            Runner::new(engine.clone(), StreamId::debate(&spec.id), seats_of(self.agents()))
                .with_callbacks(self.callbacks.clone());
        let first = Event::DebateStarted { spec: Box::new(spec) };
        Debate::spawn(Arc::new(runner), Begin::Start(Box::new(first)), Vec::new())
    }

    /// Starts the debate and waits for its end.
    pub async fn run(&self, engine: &Engine) -> Result<Ended, RunError> {
        self.start(engine)?.result().await
    }

    /// Everybody who may be asked: the panel, the moderator, the writer and the judges.
    pub fn agents(&self) -> impl Iterator<Item = Agent> + '_ {
        self.writer.iter().chain(&self.panel).chain(&self.moderator).chain(&self.judges).cloned()
    }
}

/// A budget in money needs to know what everybody costs.
pub(super) fn check_prices(
    budget: &Budget,
    seats: &BTreeMap<AgentId, Seat>,
) -> Result<(), ArenaError> {
    let unknown = seats.iter().find(|(_, seat)| seat.price.is_none());
    match unknown.filter(|_| budget.usd.is_some()) {
        Some((agent, _)) => Err(ArenaError::UnknownPrice(agent.clone())),
        None => Ok(()),
    }
}

/// Who answers for whom.
pub(super) fn seats_of(agents: impl IntoIterator<Item = Agent>) -> BTreeMap<AgentId, Seat> {
    agents.into_iter().map(|agent| (agent.member.agent, agent.seat)).collect()
}

/// Longest that a breakpoint waits before it is answered by itself, in seconds: a year.
const LONGEST_WAIT: f64 = 31_536_000.0;

/// Whether a protocol can be run.
pub fn check_protocol(protocol: &Protocol, has_judges: bool) -> Result<(), ArenaError> {
    if protocol.rounds > limits::ROUNDS {
        return Err(ArenaError::ManyRounds(protocol.rounds));
    }
    let wrong = |what, reason: String| ArenaError::Setting { what, reason };
    let rules = Rules::of(protocol)?;
    if matches!(rules.rule, Rule::Judge | Rule::JudgePanel) && !has_judges {
        return Err(ArenaError::NoJudge(protocol.rule.clone()));
    }
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
    if !(0.0..=1.0).contains(&protocol.conviction_step) {
        let reason = format!("{} is not within 0..1", protocol.conviction_step);
        return Err(wrong("the conviction step", reason));
    }
    Ok(())
}
