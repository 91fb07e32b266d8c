//! How each rule counts: from prepared ballots to scores, leaders and words.

mod choices;
mod judges;
mod numbers;
mod pairwise;
mod pools;
mod ranks;
mod runoff;

use std::collections::BTreeSet;

use rebuttal_model::Basis;

use super::count::{Count, real};
use super::election::Election;
use super::rule::Rule;
use crate::words::{list, short};

/// What a rule makes of a count, before ties are broken.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// One for each option, on the rule's own scale.
    pub(super) scores: Vec<f64>,
    /// The options that the rule cannot tell apart at the top, in the question's order.
    pub(super) leaders: Vec<usize>,
    /// Why even a single leader does not win.
    pub(super) short: Option<String>,
    /// The result of a rule that counts numbers.
    pub(super) number: Option<f64>,
    /// What is behind each option, 0 to 1.
    pub(super) shares: Vec<f64>,
    /// What that is a share of.
    pub(super) basis: Basis,
    /// What was counted.
    pub(super) words: String,
}

impl Tally {
    /// Nothing to decide with.
    fn nothing(count: &Count, words: &str) -> Self {
        Self {
            scores: count.zeros(),
            leaders: Vec::new(),
            short: Some("nothing can be counted".to_owned()),
            number: None,
            shares: count.zeros(),
            basis: Basis::Share,
            words: words.to_owned(),
        }
    }

    /// The options with the highest score lead.
    fn by_score(count: &Count, scores: Vec<f64>, shares: Vec<f64>, unit: &str) -> Self {
        let leaders = top(&scores);
        if leaders.is_empty() {
            return Self::nothing(count, "no ballot says anything that this rule counts");
        }
        let best = leaders.first().and_then(|leader| scores.get(*leader)).copied();
        let named = named(count, &leaders);
        let verb = if leaders.len() == 1 { "leads" } else { "lead" };
        let words = format!("{named} {verb} with {} {unit}", figure(best.unwrap_or_default()));
        Self { scores, leaders, short: None, number: None, shares, basis: Basis::Share, words }
    }
}

/// A score in words: whole where it is whole.
fn figure(score: f64) -> String {
    let text = format!("{score:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn named(count: &Count, options: &[usize]) -> String {
    list(options.iter().filter_map(|option| count.names.get(*option)).map(|name| short(name, 60)))
}

/// The options with the highest score, if it is above 0. Sums of the same weights in another order
/// differ by some last digits; that is no lead.
fn top(scores: &[f64]) -> Vec<usize> {
    let best = scores.iter().copied().fold(0.0, f64::max);
    let close = |score: &f64| best - score <= 1e-9 * best.max(1.0);
    if best <= 0.0 {
        return Vec::new();
    }
    scores.iter().enumerate().filter(|(_, score)| close(score)).map(|(option, _)| option).collect()
}

/// Each score as a share of a whole.
fn shares(scores: &[f64], whole: f64) -> Vec<f64> {
    let share = |score: &f64| if whole > 0.0 { (score / whole).clamp(0.0, 1.0) } else { 0.0 };
    scores.iter().map(share).collect()
}

pub(super) fn tally(rule: &Rule, count: &Count, election: &Election<'_>) -> Tally {
    if count.casts.is_empty() && !rule.is_judged() && *rule != Rule::Escalate {
        return Tally::nothing(count, "nobody voted");
    }
    match rule {
        Rule::Plurality => choices::plurality(count),
        Rule::Majority => choices::majority(count),
        Rule::Supermajority { share } => choices::supermajority(count, *share),
        Rule::Unanimity => choices::unanimity(count),
        Rule::Quorum { share, rule } => quorum(*share, rule, count, election),
        Rule::Approval => choices::approval(count),
        Rule::Cumulative => choices::cumulative(count),
        Rule::Weighted { by, share } => choices::weighted(count, *by, *share),
        Rule::Borda => ranks::borda(count),
        Rule::InstantRunoff => runoff::instant_runoff(count),
        Rule::Copeland => pairwise::copeland(count),
        Rule::Schulze => pairwise::schulze(count),
        Rule::RankedPairs => pairwise::ranked_pairs(count),
        Rule::LinearPool => pools::linear(count),
        Rule::LogPool => pools::log(count),
        Rule::Median => numbers::median(count),
        Rule::TrimmedMean { cut } => numbers::trimmed_mean(count, *cut),
        Rule::Judge => judges::one(count, election),
        Rule::JudgePanel => judges::panel(count, election),
        Rule::Veto { rule } => veto(rule, count, election),
        Rule::Escalate => escalate(count),
    }
}

fn quorum(share: f64, rule: &Rule, count: &Count, election: &Election<'_>) -> Tally {
    let mut tally = tally(rule, count, election);
    let (voted, panel) = (count.casts.len(), count.panel());
    if real(voted) + 1e-9 < share * real(panel) {
        let needed = figure(share * 100.0);
        tally.short = Some(format!("{voted} of {panel} voted where a quorum is {needed}%"));
    }
    tally
}

fn veto(rule: &Rule, count: &Count, election: &Election<'_>) -> Tally {
    let blocked: BTreeSet<usize> =
        count.casts.iter().flat_map(|cast| cast.vetoes.iter().copied()).collect();
    if blocked.is_empty() {
        return tally(rule, count, election);
    }
    let names: Vec<usize> = blocked.iter().copied().collect();
    let names = named(count, &names);
    if blocked.len() == count.names.len() {
        return Tally::nothing(count, &format!("all options are blocked: {names}"));
    }
    let mut tally = tally(rule, &count.without(&blocked), election);
    tally.leaders.retain(|leader| !blocked.contains(leader));
    if tally.leaders.is_empty() && tally.number.is_none() && tally.short.is_none() {
        tally.short = Some("nothing else has a vote".to_owned());
    }
    tally.words = format!("{names} blocked by veto; {}", tally.words);
    tally
}

fn escalate(count: &Count) -> Tally {
    let mut tally = if count.casts.is_empty() {
        Tally::nothing(count, "nobody voted")
    } else {
        choices::plurality(count)
    };
    tally.short = Some("a person decides".to_owned());
    tally
}
