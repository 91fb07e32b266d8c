//! What comes next in a debate: records to write, calls to make, or nothing any more.

use rebuttal_model::{AgentId, AnswerGroup, Call, Decision, Event, Purpose, Spent, limits};
use rebuttal_policy::debate::read_evaluation;
use rebuttal_policy::voting::Rule;

use super::deliberation;
use super::fragment::Fragments;
use super::grounding;
use super::state::{Round, STOPPED, State, Tried};
use super::steering;

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// These records follow from those before.
    Write(Vec<Event>),
    /// These calls are to be made, side by side.
    Calls(Vec<Call>),
    /// Passages are to be found for those who are asked next: an [`Event::EvidenceGiven`].
    Ground,
    /// What the round's turns cite is to be checked; what comes of it goes to [`State::checked`].
    Check,
    /// The answers of the round are to be compared by what they mean; the groups go to
    /// [`State::grouped`].
    Group,
    /// Everybody has voted: [`State::round_end`] reads the round and says what to write.
    EndRound,
    /// The panel is to be looked at; what is seen goes to [`State::analyzed`].
    Analyze,
    /// A person must speak first.
    Wait(String),
    /// It is over.
    Done(Box<Decision>),
}

impl State {
    /// What follows from the records so far.
    pub fn next(&self) -> Step {
        if let Some(decision) = &self.decision {
            return Step::Done(Box::new(decision.clone()));
        }
        if self.stop.as_ref().is_some_and(|reason| reason.rule == STOPPED) {
            return Step::Write(deliberation::decide(self));
        }
        if let Some(reason) = &self.paused {
            return Step::Wait(reason.clone());
        }
        match (self.rounds.last(), &self.stop) {
            (None, _) => start_round(0, self.panel()),
            (Some(round), None) if round.record.is_none() => self.go_on(round),
            (Some(_), None) => self.between_rounds(),
            (Some(_), Some(_)) => self.conclude(),
        }
    }

    /// Asks those who have not voted in this round, or ends it.
    fn go_on(&self, round: &Round) -> Step {
        let voted = |agent: &AgentId| {
            let own = |ballot: &&rebuttal_model::Ballot| {
                ballot.agent == *agent && ballot.round == round.number
            };
            self.ballots.iter().any(|ballot| own(&ballot))
        };
        if grounding::wants_evidence(self, round.number) {
            return Step::Ground;
        }
        let mut waiting = round.debating.iter().filter(|agent| !voted(agent));
        let width = if self.spec().protocol.in_turn { 1 } else { usize::MAX };
        let calls: Vec<Call> = waiting
            .by_ref()
            .take(width)
            .map(|agent| self.call_for(round.number, agent, Purpose::Answer))
            .collect();
        if calls.is_empty() && grounding::wants_checks(self, round.number) {
            return Step::Check;
        }
        if calls.is_empty() && self.wants_groups(round.number) {
            return Step::Group;
        }
        if calls.is_empty() {
            return Step::EndRound;
        }
        self.within_budget(calls)
    }

    /// What the latest round leaves behind: who moved, and what detectors see in it. Reads every turn,
    /// so that it takes time.
    pub fn round_end(&self) -> Vec<Event> {
        self.rounds.last().map(|round| deliberation::end_round(self, round)).unwrap_or_default()
    }

    /// What follows where calls cannot be paid: the rounds end, or if they have, the debate.
    pub(super) fn unaffordable(&self, stopped: Event) -> Vec<Event> {
        if self.stop.is_none() { vec![stopped] } else { deliberation::decide(self) }
    }

    /// The next try for an agent: the open one, or the one after the last that was refused.
    pub(super) fn call_for(&self, round: u32, agent: &AgentId, purpose: Purpose) -> Call {
        let mut call = Call { round, agent: agent.clone(), purpose, attempt: 1 };
        while matches!(self.tried.get(&call), Some(Tried::Refused { .. })) {
            call.attempt += 1;
        }
        call
    }

    /// The calls under way, if there are any: those that were announced together end together, also
    /// after a restart. Else the new ones.
    fn within_budget(&self, calls: Vec<Call>) -> Step {
        let is_open = |call: &&Call| matches!(self.tried.get(call), Some(Tried::Open(_)));
        let open: Vec<Call> = calls.iter().filter(is_open).cloned().collect();
        if !open.is_empty() {
            return Step::Calls(open);
        }
        if self.spec().policy > 0 {
            // What the calls can cost is known to whoever makes them.
            return Step::Calls(calls);
        }
        match deliberation::over_budget(self, calls.len() as u64) {
            Some(reason) if self.stop.is_none() => Step::Write(vec![Event::Stopped { reason }]),
            Some(_) => Step::Write(deliberation::decide(self)),
            None => Step::Calls(calls),
        }
    }

    /// Looks at the panel, asks whoever is to be asked, and then ends the rounds or begins another.
    fn between_rounds(&self) -> Step {
        if steering::wants_analysis(self) {
            return Step::Analyze;
        }
        if let Some(events) = steering::goes_on(self) {
            return Step::Write(events);
        }
        if let Some(pause) = steering::asks_person(self) {
            return Step::Write(vec![pause]);
        }
        let judge = steering::due_call(self, steering::asks_judge(self), Purpose::Done);
        if let Some(call) = judge {
            return self.within_budget(vec![call]);
        }
        if let Some(reason) = deliberation::stop(self) {
            return Step::Write(vec![Event::Stopped { reason }]);
        }
        let critic = steering::due_call(self, steering::critic(self), Purpose::Critique);
        if let Some(call) = critic {
            return self.within_budget(vec![call]);
        }
        start_round(self.round() + 1, deliberation::debating(self))
    }

    /// Hears moderator and judges, then decides.
    fn conclude(&self) -> Step {
        let round = self.round();
        let mut calls = Vec::new();
        if let Some(moderator) = deliberation::moderator(self)
            && self.moderated.is_none()
            && !self.gave_up(round, &moderator, Purpose::Moderate)
        {
            calls.push(self.call_for(round, &moderator, Purpose::Moderate));
        }
        for (judge, purpose) in self.judges() {
            let side = self.judged.iter().find(|ruling| ruling.judge == judge);
            let heard = side.is_some_and(|ruling| match purpose {
                Purpose::JudgeReversed => ruling.reversed.is_some(),
                _ => ruling.as_given.is_some(),
            });
            if !heard && !self.gave_up(round, &judge, purpose) {
                calls.push(self.call_for(round, &judge, purpose));
            }
        }
        if calls.is_empty() {
            calls.extend(
                self.writer().map(|agent| self.call_for(round, &agent, Purpose::Synthesize)),
            );
        }
        if calls.is_empty() {
            Step::Write(deliberation::decide(self))
        } else {
            self.within_budget(calls)
        }
    }

    /// Who has yet to write down what the debate came to.
    fn writer(&self) -> Option<AgentId> {
        let writer = self.spec().protocol.synthesis.clone().filter(|_| self.written.is_none())?;
        (!self.gave_up(self.round(), &writer, Purpose::Synthesize)).then_some(writer)
    }

    /// Who judges, and how often.
    fn judges(&self) -> Vec<(AgentId, Purpose)> {
        let protocol = &self.spec().protocol;
        let both = [Purpose::Judge, Purpose::JudgeReversed];
        let purposes: &[Purpose] = match self.rules().rule {
            Rule::Judge => both.get(..1).unwrap_or_default(),
            Rule::JudgePanel => &both,
            _ => return Vec::new(),
        };
        let judges = protocol.judges.iter();
        judges.flat_map(|judge| purposes.iter().map(|purpose| (judge.clone(), *purpose))).collect()
    }

    /// True when this was asked for as often as it may be, or could not be asked.
    pub(super) fn gave_up(&self, round: u32, agent: &AgentId, purpose: Purpose) -> bool {
        let call = self.call_for(round, agent, purpose);
        call.attempt > 1 + limits::RE_ASKS
            || matches!(self.tried.get(&call), Some(Tried::Failed(_)))
    }

    /// The record of which answers mean the same.
    pub fn grouped(&self, groups: Vec<AnswerGroup>) -> Vec<Event> {
        vec![Event::AnswersGrouped { round: self.round(), groups }]
    }

    /// The records that a call's result leads to. Written together: a result without what was made of
    /// it would have to be read again by a later version of this program.
    pub fn result(
        &self,
        call: &Call,
        result: Result<(String, Spent), (String, Spent)>,
    ) -> Vec<Event> {
        let (text, spent) = match result {
            Ok(answered) => answered,
            Err((reason, spent)) => {
                let mut events =
                    vec![Event::CallFailed { call: call.clone(), reason: reason.clone(), spent }];
                events.extend(silence(call, &reason));
                return events;
            }
        };
        let read = self.read(call, &text);
        let mut events = vec![Event::CallAnswered { call: call.clone(), text, spent }];
        match read {
            Ok(read) => events.extend(read),
            Err(reason) => {
                let last = call.attempt > limits::RE_ASKS;
                let silence = last.then(|| silence(call, &reason)).flatten();
                events.push(Event::ReplyRefused { call: call.clone(), reason });
                events.extend(silence);
            }
        }
        events
    }

    /// A reply without the marks around others' words: a small model repeats what it saw of them.
    fn unmarked(&self, call: &Call, text: &str) -> String {
        if self.is_first_policy() || !Fragments::may_repeat(text) {
            return text.to_owned();
        }
        let prompt = super::prompt::request(self, call);
        let boundary = prompt.messages.iter().find_map(|it| Fragments::boundary(&it.text));
        boundary
            .map_or_else(|| text.to_owned(), |boundary| Fragments::without_marks(boundary, text))
    }

    /// The events that an answer comes to, or why it cannot be used.
    fn read(&self, call: &Call, text: &str) -> Result<Vec<Event>, String> {
        let (options, policy) = (self.options(), self.spec().policy);
        let unmarked = self.unmarked(call, text);
        let text = unmarked.as_str();
        Ok(match call.purpose {
            Purpose::Answer => {
                let items = super::items::items(self, call);
                let (mut turn, ballot) =
                    super::reply::read_answer(self.spec(), &options, &items, call, text)?;
                turn.id = self.next_turn();
                vec![Event::TurnTaken { turn }, Event::BallotCast { ballot }]
            }
            Purpose::Moderate => {
                let evaluation =
                    read_evaluation(policy, text, &options).map_err(|error| error.to_string())?;
                vec![Event::Moderated { moderator: call.agent.clone(), evaluation }]
            }
            Purpose::Critique => {
                let text = super::reply::read_critique(policy, text)?;
                vec![Event::Critiqued { agent: call.agent.clone(), round: call.round, text }]
            }
            Purpose::Done => {
                let done = super::reply::read_done(policy, text)?;
                vec![Event::SaidDone { judge: call.agent.clone(), round: call.round, done }]
            }
            Purpose::Synthesize => {
                let parts = super::reply::read_synthesis(policy, text)?;
                let synthesis = super::synthesis::traced(self, &call.agent, parts);
                vec![Event::Synthesized { synthesis }]
            }
            Purpose::Judge | Purpose::JudgeReversed => {
                let answer = Some(super::reply::read_judge(policy, &options, text)?);
                let reversed = call.purpose == Purpose::JudgeReversed;
                vec![Event::Judged { judge: call.agent.clone(), reversed, answer }]
            }
        })
    }
}

/// The step that begins a round.
fn start_round(round: u32, debating: Vec<AgentId>) -> Step {
    Step::Write(vec![Event::RoundStarted { round, debating }])
}

/// An agent that gave no vote abstains, visibly. In later rounds its last vote stands.
fn silence(call: &Call, reason: &str) -> Option<Event> {
    (call.purpose == Purpose::Answer).then(|| Event::BallotCast {
        ballot: super::reply::silent(&call.agent, call.round, reason),
    })
}
