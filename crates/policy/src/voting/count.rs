//! Ballots made ready to be counted: one for each agent, options as numbers, the rest rejected.

use std::collections::{BTreeMap, BTreeSet};

use rebuttal_model::{AgentId, Ballot, Rejected, Silence, Turnout};

use super::answer::{Answer, same_text, shown};
use super::election::Election;
use super::options::Options;

/// A count as a number to divide by.
pub(crate) fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// One agent's ballot, with options by their place in [`Count::names`].
#[derive(Clone, Debug)]
pub(super) struct Cast {
    pub(super) agent: AgentId,
    /// Best first.
    pub(super) ranking: Vec<usize>,
    pub(super) approves: Vec<usize>,
    pub(super) points: BTreeMap<usize, f64>,
    pub(super) probabilities: BTreeMap<usize, f64>,
    pub(super) vetoes: Vec<usize>,
    pub(super) number: Option<f64>,
    pub(super) conviction: Option<f64>,
    /// What the caller says the agent's vote weighs; 1 if nothing.
    pub(super) weight: f64,
}

impl Cast {
    pub(super) fn first(&self) -> Option<usize> {
        self.ranking.first().copied()
    }

    /// Where an option stands; what is not listed stands last.
    pub(super) fn rank(&self, option: usize) -> usize {
        self.ranking.iter().position(|ranked| *ranked == option).unwrap_or(usize::MAX)
    }
}

/// All that a rule looks at.
#[derive(Clone, Debug)]
pub(super) struct Count {
    pub(super) names: Vec<String>,
    pub(super) casts: Vec<Cast>,
    pub(super) turnout: Turnout,
    pub(super) rejected: Vec<Rejected>,
}

impl Count {
    /// Each agent's latest ballot up to a round.
    pub(super) fn new(election: &Election<'_>, round: u32) -> Self {
        let mut count = Self {
            names: election.options.names(),
            casts: Vec::new(),
            turnout: Turnout::default(),
            rejected: Vec::new(),
        };
        count.reject_strangers(election, round);
        let mut seen = BTreeSet::new();
        for agent in election.panel {
            if seen.insert(agent) {
                count.add(election, agent, round);
            }
        }
        count.turnout.panel = seen.len();
        count
    }

    /// How many could vote.
    pub(super) fn panel(&self) -> usize {
        self.turnout.panel
    }

    /// One number for each option.
    pub(super) fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.names.len()]
    }

    /// Leaves some options out.
    pub(super) fn without(&self, dropped: &BTreeSet<usize>) -> Self {
        let mut count = self.clone();
        for cast in &mut count.casts {
            cast.ranking.retain(|option| !dropped.contains(option));
            cast.approves.retain(|option| !dropped.contains(option));
            cast.points.retain(|option, _| !dropped.contains(option));
            cast.probabilities.retain(|option, _| !dropped.contains(option));
        }
        count
    }

    fn reject(&mut self, ballot: &Ballot, reason: String) {
        let (agent, round) = (ballot.agent.clone(), ballot.round);
        self.rejected.push(Rejected { agent, round, reason });
    }

    fn reject_strangers(&mut self, election: &Election<'_>, round: u32) {
        for ballot in election.ballots.iter().filter(|ballot| ballot.round <= round) {
            if !election.panel.contains(&ballot.agent) {
                self.reject(ballot, format!("{} is not on the panel", ballot.agent));
            }
        }
    }

    fn add(&mut self, election: &Election<'_>, agent: &AgentId, round: u32) {
        let own = |ballot: &&Ballot| ballot.agent == *agent && ballot.round <= round;
        let Some(latest) = election.ballots.iter().filter(own).map(|ballot| ballot.round).max()
        else {
            self.turnout.failed.push(agent.clone());
            return;
        };
        let mut now = election.ballots.iter().filter(own).filter(|ballot| ballot.round == latest);
        let Some(ballot) = now.next() else { return };
        // The first counts: whoever could replace a ballot could vote after seeing the others'.
        for second in now.filter(|second| *second != ballot) {
            self.reject(second, format!("{agent} has already voted in round {latest}"));
        }
        if ballot.is_silent() {
            match ballot.silence {
                Some(Silence::Failed { .. }) => self.turnout.failed.push(agent.clone()),
                Some(Silence::Abstained) | None => self.turnout.abstained.push(agent.clone()),
            }
            return;
        }
        let weight = election.weights.get(agent).copied().unwrap_or(1.0);
        match self.cast(election.options, ballot, weight) {
            Ok(cast) => {
                self.casts.push(cast);
                self.turnout.voted.push(agent.clone());
            }
            Err(reason) => {
                self.reject(ballot, reason);
                self.turnout.rejected.push(agent.clone());
            }
        }
    }

    /// The ballot by option numbers, or what is wrong with it.
    fn cast(&mut self, options: &Options, ballot: &Ballot, weight: f64) -> Result<Cast, String> {
        let known = self.names.len();
        let cast = self.read(options, ballot, weight);
        if cast.is_err() {
            // Options that only a rejected ballot named are none.
            self.names.truncate(known);
        }
        cast
    }

    fn read(&mut self, options: &Options, ballot: &Ballot, weight: f64) -> Result<Cast, String> {
        let mut cast = Cast {
            agent: ballot.agent.clone(),
            ranking: self.listed(options, &ballot.ranking)?,
            approves: self.listed(options, &ballot.approves)?,
            points: self.amounts(options, &ballot.points, "points")?,
            probabilities: self.amounts(options, &ballot.probabilities, "probabilities")?,
            vetoes: self.listed(options, &ballot.vetoes)?,
            number: ballot.number,
            conviction: ballot.conviction.map(rebuttal_model::Confidence::value),
            weight: if weight.is_finite() { weight.max(0.0) } else { 0.0 },
        };
        if cast.number.is_some_and(|number| !number.is_finite()) {
            return Err("its number is not finite".to_owned());
        }
        if let (Some(number), true) = (cast.number, cast.ranking.is_empty()) {
            cast.ranking = self.listed(options, &[shown(number)])?;
        }
        if cast.number.is_none() && options.is_open() {
            let first = cast.first().and_then(|first| self.names.get(first));
            cast.number = first.and_then(|name| super::answer::number(name));
        }
        if cast.ranking.is_empty() {
            cast.ranking = implied(&cast);
        }
        Ok(cast)
    }

    /// Options by number, each once.
    fn listed(&mut self, options: &Options, texts: &[String]) -> Result<Vec<usize>, String> {
        let mut found = Vec::new();
        for text in texts {
            let option = self.option(options, text)?;
            if found.contains(&option) {
                let name = self.names.get(option).map_or("", String::as_str);
                return Err(format!("it lists “{}” twice", crate::words::short(name, 60)));
            }
            found.push(option);
        }
        Ok(found)
    }

    fn amounts(
        &mut self,
        options: &Options,
        amounts: &BTreeMap<String, f64>,
        what: &str,
    ) -> Result<BTreeMap<usize, f64>, String> {
        let mut found = BTreeMap::new();
        for (text, amount) in amounts {
            if !amount.is_finite() || *amount < 0.0 {
                return Err(format!("its {what} are not numbers of 0 or more"));
            }
            *found.entry(self.option(options, text)?).or_insert(0.0) += amount;
        }
        if !found.is_empty() && found.values().sum::<f64>() <= 0.0 {
            return Err(format!("its {what} are all 0"));
        }
        Ok(found)
    }

    /// The place of an option. Where the answers make the options, a new one gets a place.
    fn option(&mut self, options: &Options, text: &str) -> Result<usize, String> {
        let name = match options.read(text) {
            Answer::Outside(why) => return Err(why),
            Answer::Option(name) => name,
            Answer::Number(number) => shown(number),
        };
        let is_open = options.is_open();
        let same = |known: &String| if is_open { same_text(known, &name) } else { *known == name };
        match self.names.iter().position(same) {
            Some(place) => Ok(place),
            None if is_open => {
                self.names.push(name);
                Ok(self.names.len() - 1)
            }
            None => Err(format!("“{}” is not one of the options", crate::words::short(&name, 60))),
        }
    }
}

/// The ranking that points, probabilities or approvals imply, down to the first two alike.
fn implied(cast: &Cast) -> Vec<usize> {
    let amounts = if cast.probabilities.is_empty() { &cast.points } else { &cast.probabilities };
    if amounts.is_empty() {
        return if cast.approves.len() == 1 { cast.approves.clone() } else { Vec::new() };
    }
    let mut sorted: Vec<(usize, f64)> =
        amounts.iter().map(|(option, amount)| (*option, *amount)).collect();
    sorted.sort_by(|one, two| two.1.total_cmp(&one.1));
    let alone = |(option, amount): &(usize, f64)| {
        amounts.iter().all(|(other, same)| other == option || same.total_cmp(amount).is_ne())
    };
    sorted.iter().take_while(|pair| alone(pair)).map(|(option, _)| *option).collect()
}
