//! Answers in agents' own words: which are to be compared, and what came of it.

use rebuttal_model::{AnswerGroup, Ballot, Panelist};
use rebuttal_policy::voting::{Choice, Options};

use super::state::State;

impl State {
    /// Takes up which answers in agents' own words mean the same, as of a round.
    pub(super) fn group(&mut self, round: u32, groups: &[AnswerGroup]) {
        (self.grouped_round, self.groups) = (Some(round), groups.to_vec());
        let choice = |group: &AnswerGroup| Choice {
            name: group.name.clone(),
            synonyms: group.others.clone(),
        };
        self.options = Options::Groups(groups.iter().map(choice).collect());
    }

    /// True when answers of a round in agents' own words are still to be compared with each other.
    pub(crate) fn wants_groups(&self, round: u32) -> bool {
        let open = matches!(self.options, Options::Free | Options::Groups(_));
        let several = self.wordings().len() > 1;
        open && several && !self.is_first_policy() && self.grouped_round != Some(round)
    }

    /// Every answer that was given so far, each once, by round and in the panel's order.
    pub(crate) fn wordings(&self) -> Vec<String> {
        let place = |ballot: &&Ballot| {
            let agent = |member: &Panelist| member.agent == ballot.agent;
            (ballot.round, self.spec().panel.iter().position(agent))
        };
        let mut ballots: Vec<&Ballot> = self.ballots.iter().collect();
        ballots.sort_by_key(place);
        let mut found: Vec<String> = Vec::new();
        for answer in ballots.into_iter().filter_map(Ballot::first) {
            if !found.iter().any(|known| known == answer) {
                found.push(answer.to_owned());
            }
        }
        found
    }
}
