//! What judges say. Their answers are read like ballots: what is no option does not count.

use rebuttal_model::Basis;

use super::{Tally, named, shares, top};
use crate::voting::count::{Count, real};
use crate::voting::election::{Election, JudgeRuling};
use crate::words::list;

fn option(count: &Count, election: &Election<'_>, text: Option<&String>) -> Option<usize> {
    let name = election.options.read(text?).name()?;
    let same = |known: &String| *known == name || election.options.same(known, &name);
    count.names.iter().position(same)
}

pub(super) fn one(count: &Count, election: &Election<'_>) -> Tally {
    let Some(ruling) = election.rulings.first() else {
        return Tally::nothing(count, "no judge has ruled");
    };
    let first = option(count, election, ruling.as_given.as_ref());
    let second = option(count, election, ruling.reversed.as_ref());
    let judge = &ruling.judge;
    match (first, second, &ruling.reversed) {
        (Some(choice), _, None) => ruled(count, &[choice], 1, &format!("{judge} has ruled")),
        (Some(choice), Some(again), Some(_)) if choice == again => {
            ruled(count, &[choice], 1, &format!("{judge} has ruled, the same in both orders"))
        }
        (Some(_), _, Some(_)) => {
            let words = format!("{judge} says something else when the options are reversed");
            Tally::nothing(count, &words)
        }
        (None, _, _) => Tally::nothing(count, &format!("{judge} names none of the options")),
    }
}

pub(super) fn panel(count: &Count, election: &Election<'_>) -> Tally {
    if election.rulings.is_empty() {
        return Tally::nothing(count, "no judge has ruled");
    }
    let both = |ruling: &JudgeRuling| {
        let first = option(count, election, ruling.as_given.as_ref())?;
        let second = option(count, election, ruling.reversed.as_ref())?;
        (first == second).then_some(first)
    };
    let choices: Vec<usize> = election.rulings.iter().filter_map(both).collect();
    let torn = election.rulings.iter().filter(|ruling| both(ruling).is_none());
    let torn = list(torn.map(|ruling| ruling.judge.as_str()));
    let judges = election.rulings.len();
    let without =
        if torn.is_empty() { String::new() } else { format!("; {torn} not, and not counted") };
    let words =
        format!("{} of {judges} judges say the same in both orders{without}", choices.len());
    if choices.is_empty() {
        return Tally::nothing(count, &words);
    }
    ruled(count, &choices, judges, &words)
}

fn ruled(count: &Count, choices: &[usize], judges: usize, words: &str) -> Tally {
    let mut scores = count.zeros();
    for choice in choices {
        if let Some(score) = scores.get_mut(*choice) {
            *score += 1.0;
        }
    }
    let leaders = top(&scores);
    let words = format!("{words}: {}", named(count, &leaders));
    let shares = shares(&scores, real(judges));
    Tally { scores, leaders, short: None, number: None, shares, basis: Basis::Judge, words }
}
