//! Whether debating helped: the blind vote beside the decision, who moved, and what the same calls
//! would have bought as independent votes.

use rebuttal_model::{AgentId, Ballot, Independent, Lift, Move, Spent, Truth};

use crate::voting::{Election, Options, Rule, decide, real};
use crate::words::short;

/// What a lift is computed from.
#[derive(Clone, Debug)]
pub struct LiftOf<'l> {
    /// What could be answered.
    pub options: &'l Options,
    /// Who could vote.
    pub panel: &'l [AgentId],
    /// The ballots of all rounds; those of round 0 are blind.
    pub ballots: &'l [Ballot],
    /// What was decided in the end, by the rule or by whoever overrode it.
    pub after: Option<&'l str>,
    /// The rule, to count the blind ballots by.
    pub rule: &'l Rule,
    /// The right answer, where it is known.
    pub truth: Option<&'l str>,
    /// What the blind round cost.
    pub blind_cost: Spent,
    /// What all of it cost.
    pub cost: Spent,
}

/// What the debate changed.
pub fn lift(of: &LiftOf<'_>) -> Lift {
    let blind = Election::new(of.options, of.panel, of.ballots).at_round(0);
    let before = decide(of.rule, &blind).winner;
    let moves: Vec<Move> = of.panel.iter().filter_map(|agent| moved(of, agent)).collect();
    let truth = of.truth.map(|truth| compare(of, truth, before.as_deref()));
    let independent = independent(of, before.as_deref());
    let after = of.after.map(str::to_owned);
    let words =
        words(before.as_deref(), after.as_deref(), &moves, truth.as_ref(), independent.as_ref());
    let (blind_cost, cost) = (of.blind_cost, of.cost);
    Lift { before, after, moves, truth, independent, blind_cost, cost, words }
}

/// An agent's vote after a round, by the option's name.
fn vote(of: &LiftOf<'_>, agent: &AgentId, round: u32) -> Option<String> {
    let own = of.ballots.iter().filter(|ballot| ballot.agent == *agent && ballot.round <= round);
    let latest = own.clone().map(|ballot| ballot.round).max()?;
    let ballot = own.into_iter().find(|ballot| ballot.round == latest)?;
    let number = ballot.number.map(|number| number.to_string());
    let text = ballot.first().map(str::to_owned).or(number)?;
    if ballot.is_silent() { None } else { of.options.read(&text).name() }
}

fn last_round(of: &LiftOf<'_>) -> u32 {
    of.ballots.iter().map(|ballot| ballot.round).max().unwrap_or(0)
}

fn same(of: &LiftOf<'_>, one: Option<&str>, two: Option<&str>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => of.options.same(one, two),
        (None, None) => true,
        _ => false,
    }
}

fn moved(of: &LiftOf<'_>, agent: &AgentId) -> Option<Move> {
    let last = last_round(of);
    let (from, to) = (vote(of, agent, 0), vote(of, agent, last));
    if same(of, from.as_deref(), to.as_deref()) {
        return None;
    }
    // The first round from which on it votes as in the end.
    let had_it = |round: &u32| same(of, vote(of, agent, *round).as_deref(), to.as_deref());
    let round = (1..=last).rev().take_while(had_it).last().unwrap_or(last);
    Some(Move { agent: agent.clone(), from, to, round })
}

fn compare(of: &LiftOf<'_>, truth: &str, before: Option<&str>) -> Truth {
    let right = |answer: Option<&str>| answer.is_some_and(|answer| of.options.same(answer, truth));
    let last = last_round(of);
    let went = |was_right: bool| {
        let agents = of.panel.iter().filter(|agent| {
            let (first, final_) = (vote(of, agent, 0), vote(of, agent, last));
            right(first.as_deref()) == was_right && right(final_.as_deref()) != was_right
        });
        agents.cloned().collect::<Vec<_>>()
    };
    Truth {
        answer: of.options.read(truth).name().unwrap_or_else(|| truth.to_owned()),
        before_right: right(before),
        after_right: right(of.after),
        corrections: went(false),
        subversions: went(true),
    }
}

/// What every call of the debate would have bought as a vote of its own.
fn independent(of: &LiftOf<'_>, before: Option<&str>) -> Option<Independent> {
    let answer = of.truth.or(before)?;
    let blind = of.panel.iter().filter_map(|agent| vote(of, agent, 0));
    let behind = blind.filter(|vote| of.options.same(vote, answer)).count();
    if of.panel.is_empty() || of.cost.calls == 0 {
        return None;
    }
    let share = real(behind) / real(of.panel.len());
    let chance = majority_chance(of.cost.calls, share);
    let assumption = "Every call is one more blind vote, drawn like those of round 0 and \
                      independent of them. Votes of one model are alike, so this is more than \
                      they would really buy."
        .to_owned();
    Some(Independent { votes: of.cost.calls, answer: answer.to_owned(), share, chance, assumption })
}

/// The chance that more than half of `votes` independent votes give an answer that each gives with
/// probability `share`; a draw counts half:
///
/// `Σ_{j > k/2} C(k,j) pʲ (1−p)ᵏ⁻ʲ + ½ C(k,k/2) p^{k/2} (1−p)^{k/2}`
pub fn majority_chance(votes: u64, share: f64) -> f64 {
    // A debate has tens of calls. Beyond this the sum no longer changes visibly.
    let votes = u32::try_from(votes).unwrap_or(u32::MAX).min(100_000);
    let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
    if votes == 0 {
        return 0.5;
    }
    if share <= 0.0 || share >= 1.0 {
        return share;
    }
    let count = f64::from(votes);
    // In logarithms, from one term to the next: C(k,j+1) = C(k,j) · (k−j)/(j+1).
    let (yes, no) = (share.ln(), (1.0 - share).ln());
    let mut term = count * no;
    let mut chance = 0.0;
    for right in 0..=votes {
        let weight = match (right * 2).cmp(&votes) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
        chance += weight * term.exp();
        let right = f64::from(right);
        term += ((count - right) / (right + 1.0)).ln() + yes - no;
    }
    chance.clamp(0.0, 1.0)
}

fn words(
    before: Option<&str>,
    after: Option<&str>,
    moves: &[Move],
    truth: Option<&Truth>,
    independent: Option<&Independent>,
) -> String {
    let name =
        |answer: Option<&str>| answer.map_or("no decision".to_owned(), |answer| short(answer, 60));
    let how_many = match moves.len() {
        0 => "nobody moved".to_owned(),
        1 => "one agent moved".to_owned(),
        many => format!("{many} agents moved"),
    };
    let mut words = format!("Blind vote: {}; decision: {}; {how_many}.", name(before), name(after));
    if let Some(truth) = truth {
        let say = |right: bool| if right { "right" } else { "wrong" };
        words = format!(
            "{words} The blind vote was {}, the decision is {}; {} went from wrong to right and {} from right to wrong.",
            say(truth.before_right),
            say(truth.after_right),
            truth.corrections.len(),
            truth.subversions.len()
        );
    }
    if let Some(bought) = independent {
        let (votes, answer) = (bought.votes, short(&bought.answer, 60));
        let percent = bought.chance * 100.0;
        words = format!(
            "{words} The same {votes} calls as independent votes would have said {answer} with a chance of {percent:.0}%."
        );
    }
    words
}
