//! From an outcome to the record of a decision.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Ballot, Confidence, Decision, Dissent};

use super::election::{Election, VoteResult};
use crate::debate::verdict;

impl VoteResult {
    /// The decision as it is kept. `quotes` holds what each agent said for its last vote; whoever
    /// voted for something else than the winner is kept as dissent, with its quote. Metrics, moderation, lift and
    /// cost are the caller's to fill in.
    pub fn decision(
        &self,
        election: &Election<'_>,
        quotes: &BTreeMap<AgentId, String>,
    ) -> Decision {
        let dissent = self.dissent_from(self.winner.as_deref(), election, quotes);
        let confidence = self.share.map(Confidence::detector);
        Decision {
            answer: self.winner.clone(),
            options: self.scores.iter().map(|score| score.option.clone()).collect(),
            rule: self.rule.to_string(),
            scores: self.scores.clone(),
            turnout: self.turnout.clone(),
            rejected: self.rejected.clone(),
            tie: self.tie.clone(),
            confidence,
            basis: self.basis,
            verdict: verdict(self.winner.as_deref(), self.share.unwrap_or(0.0), dissent.len()),
            dissent,
            narrative: self.reason.clone(),
            ..Decision::default()
        }
    }

    /// Who voted for something else than an answer, with what each said for it. Without an answer
    /// there is nothing to dissent from.
    pub fn dissent_from(
        &self,
        answer: Option<&str>,
        election: &Election<'_>,
        quotes: &BTreeMap<AgentId, String>,
    ) -> Vec<Dissent> {
        if answer.is_none() { Vec::new() } else { self.apart_from(answer, election, quotes) }
    }

    /// Who did not vote for an answer: without one, everybody. Debates of policy version 0 keep this
    /// as their dissent.
    pub fn apart_from(
        &self,
        answer: Option<&str>,
        election: &Election<'_>,
        quotes: &BTreeMap<AgentId, String>,
    ) -> Vec<Dissent> {
        let behind = |agent: &AgentId| {
            let chosen = self.scores.iter().find(|score| Some(score.option.as_str()) == answer);
            chosen.is_some_and(|score| score.supporters.contains(agent))
        };
        let latest = |agent: &AgentId| {
            let own = |ballot: &&Ballot| ballot.agent == *agent && ballot.round <= election.round;
            let round = election.ballots.iter().filter(own).map(|ballot| ballot.round).max()?;
            election.ballots.iter().filter(own).find(|ballot| ballot.round == round).cloned()
        };
        let apart = self.turnout.voted.iter().chain(&self.turnout.rejected);
        let apart = apart.filter(|agent| !behind(agent));
        let kept = apart.filter_map(|agent| {
            let quote = quotes.get(agent).cloned().unwrap_or_default();
            Some(Dissent { ballot: latest(agent)?, quote })
        });
        kept.collect()
    }
}
