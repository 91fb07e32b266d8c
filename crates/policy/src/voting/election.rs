//! One election and its outcome.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Ballot, Basis, Broken, OptionScore, Rejected, Tie, Turnout};
use serde::{Deserialize, Serialize};

use super::count::Count;
use super::options::Options;
use super::rule::Rule;
use super::rules::{Tally, tally};
use super::tie::{TieBreak, draw};
use crate::words::{capital, list, short};

/// What a judge says, asked twice: with the options as given and in reverse. Judges favour what
/// stands first; only one that says the same both times counts on a panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgeRuling {
    /// The name of the judge.
    pub judge: AgentId,
    /// Its choice with the options as given; `None` when it gave none.
    pub as_given: Option<String>,
    /// Its choice with the options reversed; `None` when it gave none or was not asked.
    #[serde(default)]
    pub reversed: Option<String>,
}

/// All that is counted. Ballots of all rounds belong in it: each agent's latest one up to the round
/// counts, so that one who looked on keeps its vote.
#[derive(Clone, Debug)]
pub struct Election<'e> {
    pub(super) options: &'e Options,
    pub(super) panel: &'e [AgentId],
    pub(super) ballots: &'e [Ballot],
    pub(super) round: u32,
    pub(super) weights: BTreeMap<AgentId, f64>,
    pub(super) rulings: &'e [JudgeRuling],
    pub(super) tie_break: TieBreak,
}

impl<'e> Election<'e> {
    /// An election by these voters, counted after the last round there is a ballot of.
    pub fn new(options: &'e Options, panel: &'e [AgentId], ballots: &'e [Ballot]) -> Self {
        Self {
            options,
            panel,
            ballots,
            round: ballots.iter().map(|ballot| ballot.round).max().unwrap_or(0),
            weights: BTreeMap::new(),
            rulings: &[],
            tie_break: TieBreak::None,
        }
    }

    /// Counted after this round.
    #[must_use]
    pub fn at_round(mut self, round: u32) -> Self {
        self.round = round;
        self
    }

    /// With what each vote weighs by skill or calibration; 1 where nothing is given.
    #[must_use]
    pub fn weighing(mut self, weights: BTreeMap<AgentId, f64>) -> Self {
        self.weights = weights;
        self
    }

    /// Adds the rulings of judges.
    #[must_use]
    pub fn judged(mut self, rulings: &'e [JudgeRuling]) -> Self {
        self.rulings = rulings;
        self
    }

    /// With ties broken like this.
    #[must_use]
    pub fn breaking_ties(mut self, tie_break: TieBreak) -> Self {
        self.tie_break = tie_break;
        self
    }
}

/// What came of a count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VoteResult {
    /// The rule that counted.
    pub rule: Rule,
    /// The winner; `None` is "no decision".
    pub winner: Option<String>,
    /// The winner as a number, from rules that count numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
    /// What each option got, in the question's order.
    pub scores: Vec<OptionScore>,
    /// The tie, if there was one, and how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tie: Option<Tie>,
    /// What is behind the winner, 0 to 1, and what that is a share of.
    pub share: Option<f64>,
    /// What the share is of.
    pub basis: Option<Basis>,
    /// Who voted and who did not.
    pub turnout: Turnout,
    /// Ballots that did not count.
    pub rejected: Vec<Rejected>,
    /// How it came to this, in words.
    pub reason: String,
}

/// Counts an election by a rule.
pub fn decide(rule: &Rule, election: &Election<'_>) -> VoteResult {
    let count = Count::new(election, election.round);
    let tally = tally(rule, &count, election);
    let (winner, tie) = settle(rule, &count, &tally, election);
    let reason = reason(&count, &tally, winner, tie.as_ref());
    let share = winner.and_then(|winner| tally.shares.get(winner).copied());
    let number = tally.number.filter(|_| tally.short.is_none());
    VoteResult {
        rule: rule.clone(),
        winner: match number {
            Some(number) => Some(super::answer::shown(number)),
            None => winner.and_then(|winner| count.names.get(winner).cloned()),
        },
        number,
        basis: share.map(|_| tally.basis),
        share,
        scores: scores(&count, &tally),
        tie,
        reason,
        turnout: count.turnout,
        rejected: count.rejected,
    }
}

fn scores(count: &Count, tally: &Tally) -> Vec<OptionScore> {
    let one = |(index, (name, score)): (usize, (&String, &f64))| {
        let behind = count.casts.iter().filter(|cast| cast.first() == Some(index));
        OptionScore {
            option: name.clone(),
            score: *score,
            supporters: behind.map(|cast| cast.agent.clone()).collect(),
        }
    };
    count.names.iter().zip(&tally.scores).enumerate().map(one).collect()
}

/// The winner among the leaders, and the tie if there is more than one.
fn settle(
    rule: &Rule,
    count: &Count,
    tally: &Tally,
    election: &Election<'_>,
) -> (Option<usize>, Option<Tie>) {
    let decided = tally.short.is_none() && tally.number.is_none();
    let (first, rest) = match tally.leaders.split_first() {
        Some((first, [])) => return (decided.then_some(*first), None),
        Some((first, rest)) => (*first, rest),
        None => return (None, None),
    };
    let names = |option: &usize| count.names.get(*option).cloned();
    let options = std::iter::once(&first).chain(rest).filter_map(names).collect();
    let (winner, broken) =
        if decided { broken(rule, count, tally, election) } else { (None, Broken::Not) };
    (winner, Some(Tie { options, broken }))
}

fn broken(
    rule: &Rule,
    count: &Count,
    tally: &Tally,
    election: &Election<'_>,
) -> (Option<usize>, Broken) {
    let tied = &tally.leaders;
    match election.tie_break {
        TieBreak::None => (None, Broken::Not),
        TieBreak::OptionOrder => (tied.iter().min().copied(), Broken::OptionOrder),
        TieBreak::Random { seed } => {
            (tied.get(draw(seed, tied.len())).copied(), Broken::Random { seed })
        }
        TieBreak::EarlierRound => {
            let earlier = (0..election.round).rev();
            let mut found = earlier.filter_map(|round| {
                Some((ahead(rule, count, tied, election, round)?, Broken::EarlierRound { round }))
            });
            found.next().map_or((None, Broken::Not), |(winner, broken)| (Some(winner), broken))
        }
    }
}

/// The one of the tied options that was ahead of the others after an earlier round.
fn ahead(
    rule: &Rule,
    count: &Count,
    tied: &[usize],
    election: &Election<'_>,
    round: u32,
) -> Option<usize> {
    let then = Count::new(election, round);
    let scores = tally(rule, &then, election).scores;
    let score = |option: usize| {
        let name = count.names.get(option)?;
        let place = then.names.iter().position(|then| then == name)?;
        scores.get(place).copied()
    };
    let tied: Vec<(usize, f64)> =
        tied.iter().map(|option| (*option, score(*option).unwrap_or(f64::NEG_INFINITY))).collect();
    let best = tied.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let mut at_top = tied.iter().filter(|(_, score)| best.is_finite() && best - score < 1e-9);
    match (at_top.next(), at_top.next()) {
        (Some((winner, _)), None) => Some(*winner),
        _ => None,
    }
}

fn reason(count: &Count, tally: &Tally, winner: Option<usize>, tie: Option<&Tie>) -> String {
    let mut words = capital(&tally.words);
    if let Some(why) = &tally.short {
        words = format!("{words}; {why}, so there is no decision");
    }
    match (tie, winner.and_then(|winner| count.names.get(winner))) {
        (Some(tie), Some(winner)) => {
            let how = match tie.broken {
                Broken::Not => String::new(),
                Broken::OptionOrder => "stands first in the question".to_owned(),
                Broken::EarlierRound { round } => format!("was ahead after round {round}"),
                Broken::Random { seed } => format!("was drawn by lot with {seed}"),
            };
            words = format!("{words}. The tie goes to {}, which {how}", short(winner, 60));
        }
        (Some(tie), None) if tally.short.is_none() => {
            let tied = list(tie.options.iter().map(|option| short(option, 60)));
            words = format!("{words}. {} are tied, so there is no decision", capital(&tied));
        }
        _ => {}
    }
    words.push('.');
    let missing = count.panel().saturating_sub(count.turnout.voted.len());
    if missing > 0 && count.panel() > 0 {
        let some = if missing == 1 { "one".to_owned() } else { missing.to_string() };
        let mut who: Vec<String> = Vec::new();
        for (agents, did) in [
            (&count.turnout.abstained, "abstained"),
            (&count.turnout.failed, "gave no vote"),
            (&count.turnout.rejected, "had a ballot that does not count"),
        ] {
            if !agents.is_empty() {
                who.push(format!("{} {did}", list(agents.iter().map(AgentId::as_str))));
            }
        }
        words = format!(
            "{words} Of {} on the panel, {some} did not vote: {}.",
            count.panel(),
            list(who)
        );
    }
    words
}
