//! What a debate's page is drawn from, gone through once: a page of a thousand turns is still quick.

use std::collections::BTreeMap;

use rebuttal_engine::debate::State;
use rebuttal_model::{AgentId, Ballot, Finding, Rebuttal, Record, Turn, TurnId};

use crate::marks::Mark;

/// How many options have a colour of their own; the rest share the last.
const COLOURS: usize = 6;

/// Most findings that have a card; what was found beyond is counted.
pub(super) const CARDS: usize = 200;

/// A debate, as its page needs it.
pub(super) struct View<'d> {
    pub(super) state: &'d State,
    pub(super) records: &'d [Record],
    pub(super) panel: Vec<AgentId>,
    /// The options that anybody voted for or could have, in order.
    pub(super) options: Vec<String>,
    /// Which option an answer is counted as.
    counted: BTreeMap<&'d str, usize>,
    /// What each agent held, by round and agent.
    held: Vec<Vec<Option<&'d Ballot>>>,
    /// The findings with a card, with their numbers.
    pub(super) findings: Vec<(usize, &'d Finding)>,
    marks: BTreeMap<TurnId, Vec<Mark>>,
    /// What answers the items of a turn: the item's words, and by whom and how it is answered.
    replies: BTreeMap<TurnId, Vec<(&'d str, &'d Turn, &'d Rebuttal)>>,
}

impl<'d> View<'d> {
    pub(super) fn of(state: &'d State, records: &'d [Record]) -> Self {
        let mut view = Self {
            state,
            records,
            panel: state.panel(),
            options: state.options().names(),
            counted: BTreeMap::new(),
            held: Vec::new(),
            findings: Vec::new(),
            marks: BTreeMap::new(),
            replies: BTreeMap::new(),
        };
        view.count();
        view.held = view.positions();
        view.mark();
        for turn in &state.turns {
            for said in &turn.structured.rebuttals {
                let Some(item) = &said.item else { continue };
                view.replies.entry(item.turn).or_default().push((&item.text, turn, said));
            }
        }
        view
    }

    /// Reads every answer once.
    fn count(&mut self) {
        let options = self.state.options();
        let cast = self.state.ballots.iter().filter_map(Ballot::first);
        let said = self.state.turns.iter().filter_map(|turn| turn.structured.answer.as_deref());
        let answers = cast.map(|vote| (vote, true)).chain(said.map(|answer| (answer, false)));
        for (answer, voted) in answers {
            if self.counted.contains_key(answer) {
                continue;
            }
            let Some(name) = options.read(answer).name() else { continue };
            let known = self.options.iter().position(|option| *option == name);
            if known.is_none() && !voted {
                continue;
            }
            let at = known.unwrap_or(self.options.len());
            if known.is_none() {
                self.options.push(name);
            }
            self.counted.insert(answer, at);
        }
    }

    /// What each agent held after each round: its last vote that says something.
    fn positions(&self) -> Vec<Vec<Option<&'d Ballot>>> {
        let place: BTreeMap<&AgentId, usize> =
            self.panel.iter().enumerate().map(|(at, agent)| (agent, at)).collect();
        let mut by_round: BTreeMap<u32, Vec<&'d Ballot>> = BTreeMap::new();
        for ballot in self.state.ballots.iter().filter(|ballot| ballot.silence.is_none()) {
            by_round.entry(ballot.round).or_default().push(ballot);
        }
        let mut now = vec![None; self.panel.len()];
        let rounds = self.state.rounds.iter().map(|round| {
            for ballot in by_round.remove(&round.number).unwrap_or_default() {
                let held = place.get(&ballot.agent).and_then(|at| now.get_mut(*at));
                if let Some(held) = held {
                    *held = Some(ballot);
                }
            }
            now.clone()
        });
        rounds.collect()
    }

    fn mark(&mut self) {
        let mut gravest_first: Vec<&Finding> = self.state.findings.iter().collect();
        gravest_first.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        let numbered = gravest_first.into_iter().take(CARDS).enumerate();
        self.findings = numbered.map(|(at, finding)| (at + 1, finding)).collect();
        for (number, finding) in &self.findings {
            for (index, quote) in finding.quotes.iter().enumerate() {
                let turn = self.state.turns.get(quote.turn.index());
                let text = turn.map_or("", |turn| turn.text.as_str());
                if let Some(mark) = Mark::of(*number, finding, index, text) {
                    self.marks.entry(quote.turn).or_default().push(mark);
                }
            }
        }
    }

    /// The number of an answer's colour.
    pub(super) fn colour(&self, answer: Option<&str>) -> usize {
        let at = answer.and_then(|answer| self.option(answer));
        at.map_or(COLOURS, |at| at.min(COLOURS - 1))
    }

    /// Which of the options an answer is counted as.
    pub(super) fn option(&self, answer: &str) -> Option<usize> {
        let named = || self.options.iter().position(|option| option == answer);
        self.counted.get(answer).copied().or_else(named)
    }

    /// What an agent, by its place in the panel, held after a round, by its place in the debate.
    pub(super) fn held(&self, round: usize, agent: usize) -> Option<&'d Ballot> {
        self.held.get(round)?.get(agent).copied().flatten()
    }

    /// The option that it held then.
    pub(super) fn stood(&self, round: usize, agent: usize) -> Option<usize> {
        self.option(self.held(round, agent)?.first()?)
    }

    /// What answers an item of a turn.
    pub(super) fn replies(&self, turn: TurnId, item: &str) -> Vec<(&'d Turn, &'d Rebuttal)> {
        let all = self.replies.get(&turn).map_or(&[] as &[_], Vec::as_slice);
        let own = all.iter().filter(|(answered, _, _)| *answered == item);
        own.map(|(_, by, said)| (*by, *said)).collect()
    }

    /// The marks in a turn.
    pub(super) fn marks(&self, turn: TurnId) -> &[Mark] {
        self.marks.get(&turn).map_or(&[], Vec::as_slice)
    }
}

/// The class of the colour of the agent at this place of the panel.
pub(super) fn agent_colour(at: usize) -> usize {
    at % COLOURS
}

/// `blind`, `round 1`, `round 2`, …
pub(super) fn round_name(number: u32) -> String {
    if number == 0 { "blind".to_owned() } else { format!("round {number}") }
}
