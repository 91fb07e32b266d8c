//! When a debate ends: rules that compose with `and` and `or`, and say which of them fired.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, Fired, Spent, StopReason};
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use crate::voting::plain;
use crate::words::{capital, list, short};

/// How far a debate has come. Whoever runs it fills this in after every round.
#[derive(Clone, Debug, Default)]
pub struct StopProgress<'p> {
    /// Everybody on the panel.
    pub panel: &'p [AgentId],
    /// What each agent stood for after each round; the first is the blind one. An agent that has
    /// nothing to stand for is missing.
    pub positions: &'p [BTreeMap<AgentId, String>],
    /// How many agents moved in each round after the blind one, in action or conviction.
    pub changes: &'p [usize],
    /// How alike what was said is to what was said before, 0 to 1, where it was measured.
    pub convergence: Option<f64>,
    /// The share of the last round that repeats earlier ones, where it was measured.
    pub repetition: Option<f64>,
    /// What a judge or moderator says about going on.
    pub judge: Said,
    /// What a human says about going on.
    pub human: Said,
    /// What was spent so far.
    pub spent: Spent,
    /// What may be spent.
    pub budget: Budget,
}

/// What somebody who was asked says about going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// Nothing, or that it should go on.
    #[default]
    GoOn,
    /// Whether the debate is done.
    Done,
}

impl StopProgress<'_> {
    /// Rounds done after the blind one.
    fn rounds(&self) -> usize {
        self.positions.len().saturating_sub(1)
    }

    /// How many rounds in a row nobody has changed what it stands for.
    fn stable(&self) -> usize {
        let pairs = self.positions.iter().zip(self.positions.iter().skip(1));
        let same = pairs.map(|(before, after)| {
            before.len() == after.len()
                && before
                    .iter()
                    .zip(after)
                    .all(|(one, two)| one.0 == two.0 && plain(one.1) == plain(two.1))
        });
        same.collect::<Vec<_>>().iter().rev().take_while(|same| **same).count()
    }

    /// What everybody on the panel stands for, if it is one thing.
    fn unanimous(&self) -> Option<&str> {
        let now = self.positions.last()?;
        let mut all = self.panel.iter().map(|agent| now.get(agent));
        let first = all.next()??;
        let agrees =
            |other: Option<&String>| other.is_some_and(|other| plain(other) == plain(first));
        all.all(agrees).then_some(first)
    }
}

/// A rule that says when a debate ends. Written as text: `unanimity or rounds:3`,
/// `stable:2 and rounds:2`; `and` binds closer than `or`, and brackets help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Stop {
    /// This many rounds after the blind one are done.
    Rounds(usize),
    /// Everybody on the panel stands for the same; one that failed does not.
    Unanimity,
    /// Nobody moved in the last round, in action or conviction.
    NoChange,
    /// For so many rounds nobody has changed what it stands for.
    Stable(usize),
    /// What is said is at least so alike.
    Convergence(f64),
    /// The judge or moderator says it is done.
    Judge,
    /// At least this share of the last round was said before.
    Repetition(f64),
    /// Nothing more can be bought.
    Budget,
    /// This many milliseconds have passed.
    Time(u64),
    /// A human says it is done.
    Human,
    /// All of these.
    All(Vec<Stop>),
    /// At least one of these.
    Any(Vec<Stop>),
}

impl Default for Stop {
    /// Ends when all agree, when nobody moves any more, or after three rounds.
    fn default() -> Self {
        Self::Any(vec![Self::Unanimity, Self::NoChange, Self::Rounds(3)])
    }
}

impl Stop {
    /// Why the debate ends now; `None` when it goes on.
    pub fn reason(&self, progress: &StopProgress<'_>) -> Option<StopReason> {
        let fired = self.fired(progress)?;
        let words = format!("{}.", capital(&list(fired.iter().map(|fired| fired.seen.as_str()))));
        Some(StopReason { rule: self.to_string(), fired, words })
    }

    /// The parts that fired; `None` when the whole does not.
    fn fired(&self, progress: &StopProgress<'_>) -> Option<Vec<Fired>> {
        match self {
            Self::All(parts) => {
                let fired: Option<Vec<_>> = parts.iter().map(|part| part.fired(progress)).collect();
                fired.map(|fired| fired.concat()).filter(|fired| !fired.is_empty())
            }
            Self::Any(parts) => {
                let fired: Vec<Fired> =
                    parts.iter().filter_map(|part| part.fired(progress)).flatten().collect();
                (!fired.is_empty()).then_some(fired)
            }
            one => {
                let seen = one.seen(progress)?;
                Some(vec![Fired { rule: one.to_string(), seen }])
            }
        }
    }

    /// What a single rule sees when it fires.
    fn seen(&self, progress: &StopProgress<'_>) -> Option<String> {
        match self {
            Self::Rounds(most) => {
                let done = progress.rounds();
                (done >= *most).then(|| format!("{done} of {most} rounds are done"))
            }
            Self::Unanimity => progress.unanimous().map(|action| {
                format!("all {} stand for {}", progress.panel.len(), short(action, 60))
            }),
            Self::NoChange => (progress.rounds() > 0 && progress.changes.last() == Some(&0))
                .then(|| format!("nobody moved in round {}", progress.rounds())),
            Self::Stable(rounds) => {
                let stable = progress.stable();
                (stable >= (*rounds).max(1))
                    .then(|| format!("positions have been the same for {stable} rounds"))
            }
            Self::Convergence(least) => progress
                .convergence
                .filter(|alike| *alike >= *least)
                .map(|alike| format!("convergence is {alike:.2}, at least {least}")),
            Self::Judge => {
                (progress.judge == Said::Done).then(|| "the judge says it is done".to_owned())
            }
            Self::Repetition(least) => progress
                .repetition
                .filter(|share| *share >= *least)
                .map(|share| format!("{:.0}% of the last round was said before", share * 100.0)),
            Self::Budget => {
                progress.budget.reached(progress.spent).map(|exceeded| exceeded.to_string())
            }
            Self::Time(most) => {
                let time = Budget { millis: Some(*most), ..Budget::default() };
                time.reached(progress.spent).map(|exceeded| exceeded.to_string())
            }
            Self::Human => {
                (progress.human == Said::Done).then(|| "a human says it is done".to_owned())
            }
            Self::All(_) | Self::Any(_) => None,
        }
    }
}
