//! Sound panels, each close to a fault: who agrees has support, who changes says why, who repeats a
//! source has others.

use super::cases::{Argument, Fact};
use super::grammar::{capital, small};
use super::script::{Said, Script};
use super::stage::{Stage, other};

/// A minority of one keeps to its view, with something new each time.
pub(crate) fn minority(stage: &mut Stage<'_>) -> Vec<Script> {
    let (few, many) = sides(stage);
    stage.sound_scripts(&[many, many, few])
}

/// The answers of this panel's camps, in either order.
fn sides(stage: &mut Stage<'_>) -> (&'static str, &'static str) {
    if stage.dice.once_in(2) { ("yes", "no") } else { ("no", "yes") }
}

/// All agree, each for a reason of its own and with its own support.
pub(crate) fn agreement(stage: &mut Stage<'_>) -> Vec<Script> {
    stage.sound_scripts(&["yes", "yes", "yes"])
}

/// All make one claim, each in its own words and with an independent source for it.
pub(crate) fn corroboration(stage: &mut Stage<'_>) -> Vec<Script> {
    let argument = stage.argument("yes", 0);
    let mut scripts = agreement(stage);
    for (at, script) in scripts.iter_mut().enumerate() {
        let own = Argument {
            claims: argument.claims.iter().skip(at).cloned().collect(),
            facts: argument.facts.iter().skip(at).take(1).cloned().collect(),
            whys: argument.whys.iter().skip(at).cloned().collect(),
        };
        let first = stage.sound("yes", &own);
        script.turns.splice(..1, [first]);
    }
    scripts
}

/// Two against two, all with support.
pub(crate) fn disagreement(stage: &mut Stage<'_>) -> Vec<Script> {
    stage.sound_scripts(&["yes", "yes", "no", "no"])
}

/// Sound, in chatty words with slips of the pen.
pub(crate) fn noisy(stage: &mut Stage<'_>) -> Vec<Script> {
    let last = if stage.dice.once_in(2) { "yes" } else { "no" };
    let mut scripts = stage.sound_scripts(&["yes", "yes", last]);
    for said in scripts.iter_mut().flat_map(|script| &mut script.turns) {
        let chatter = stage.phrase("chatter", &[]).to_lowercase();
        said.thesis = format!("{chatter}, {}", slip(stage, &small(&said.thesis)));
        for item in &mut said.evidence {
            *item = slip(stage, item);
        }
    }
    scripts
}

/// The text with two letters swapped in one of its longer words.
fn slip(stage: &mut Stage<'_>, text: &str) -> String {
    let is_long = |word: &&str| word.len() > 5 && word.chars().all(|it| it.is_ascii_lowercase());
    let words: Vec<&str> = text.split(' ').filter(is_long).collect();
    let Some(word) = stage.dice.pick(&words) else { return text.to_owned() };
    let mut letters: Vec<char> = word.chars().collect();
    letters.swap(2, 3);
    text.replacen(word, &letters.into_iter().collect::<String>(), 1)
}

/// One changes its mind, says so, and names the fact that moved it.
pub(crate) fn change_of_mind(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = stage.sound_scripts(&["yes", "yes"]);
    let argument = stage.argument("no", 0);
    let before = stage.sound("no", &argument);
    let argument = stage.argument("yes", 2);
    let fact = argument.facts.first().cloned().unwrap_or_default();
    let support = stage.support(&fact);
    let slots = [("support", support.as_str()), ("answer", "yes"), ("before", "no")];
    let thesis = stage.phrase("mind", &slots);
    let why = argument.whys.first().cloned().unwrap_or_default();
    let further = argument.facts.get(1).cloned().unwrap_or_default();
    let evidence = vec![format!("{why}."), stage.support(&further)];
    let conviction = stage.sure(55, 80);
    let after = Said { answer: "yes", conviction, thesis, evidence, rebuttals: Vec::new() };
    scripts.push(Script::of(vec![before, after]));
    scripts
}

/// One sentence each, with the figure and where it is from.
pub(crate) fn short(stage: &mut Stage<'_>) -> Vec<Script> {
    three(stage, |stage, argument, round, answer| {
        let fact = argument.facts.get(round).cloned().unwrap_or_default();
        let conviction = stage.sure(60, 90);
        let thesis = format!("{}. {}", capital(answer), stage.support(&fact));
        Said { answer, conviction, thesis, ..Said::default() }
    })
}

/// Sound, without any of the words that keyword scores look for.
pub(crate) fn plain(stage: &mut Stage<'_>) -> Vec<Script> {
    three(stage, |stage, argument, round, answer| {
        let claim = argument.claims.get(round).cloned().unwrap_or_default();
        let fact = argument.facts.get(round).cloned().unwrap_or_default();
        Said {
            answer,
            conviction: stage.sure(60, 90),
            thesis: format!("{claim}."),
            evidence: vec![stage.support_by("plain-support", &fact)],
            rebuttals: Vec::new(),
        }
    })
}

/// Sound and careful: likely, probably, as far as one can tell, with support.
pub(crate) fn hedged(stage: &mut Stage<'_>) -> Vec<Script> {
    three(stage, |stage, argument, round, answer| {
        let facts: Vec<Fact> = argument.facts.iter().skip(round).take(1).cloned().collect();
        let mut said = stage.sound_with(answer, argument, round, &facts);
        let claim = argument.claims.get(round).cloned().unwrap_or_default();
        let slots = [("answer", answer), ("claim", &small(&claim))];
        let why = argument.whys.get(round).map(|why| format!(" {why}.")).unwrap_or_default();
        said.thesis = format!("{}{why}", stage.phrase("thesis/hedged", &slots));
        said.conviction = stage.sure(45, 65);
        said
    })
}

/// Three agents of one mind or two, each with another argument and, each time it is asked, another
/// fact and another wording.
fn three(
    stage: &mut Stage<'_>,
    turn: impl Fn(&mut Stage<'_>, &Argument, usize, &'static str) -> Said,
) -> Vec<Script> {
    let last = if stage.dice.once_in(2) { "yes" } else { "no" };
    let mut scripts = Vec::new();
    for (at, answer) in ["yes", "yes", last].into_iter().enumerate() {
        let argument = stage.argument(answer, at);
        let turns = (0..3).map(|round| turn(stage, &argument, round, answer)).collect();
        scripts.push(Script::of(turns));
    }
    scripts
}

/// All cite one well-known source, and each has others beside it.
pub(crate) fn common_source(stage: &mut Stage<'_>) -> Vec<Script> {
    let common = stage.argument("yes", 0).facts.first().cloned().unwrap_or_default();
    let mut scripts = agreement(stage);
    for said in scripts.iter_mut().flat_map(|script| script.turns.iter_mut().take(1)) {
        if !said.evidence.iter().any(|item| item.contains(&common.says)) {
            said.evidence.push(stage.support(&common));
        }
    }
    scripts
}

/// All agree, with support, and say how far it goes.
pub(crate) fn limits(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = agreement(stage);
    for said in scripts.iter_mut().flat_map(|script| &mut script.turns) {
        said.evidence.push(stage.phrase("limits", &[]));
    }
    scripts
}

/// Each gives both sides their due before it decides.
pub(crate) fn balanced(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = stage.sound_scripts(&["yes", "yes", "no"]);
    for (at, script) in scripts.iter_mut().enumerate() {
        for (round, said) in script.turns.iter_mut().enumerate() {
            let theirs = stage.argument(other(said.answer), at);
            let fact = theirs.facts.get(round).cloned().unwrap_or_default();
            let granted = stage.support(&fact);
            let granted = stage.phrase("grant", &[("granted", &small(&granted))]);
            said.evidence.insert(0, granted);
        }
    }
    scripts
}

/// Figures with their sources as a list, hardly a sentence.
pub(crate) fn terse(stage: &mut Stage<'_>) -> Vec<Script> {
    three(stage, |stage, argument, round, answer| {
        let thesis = argument.claims.get(round).cloned().unwrap_or_default();
        let fresh = if round == 0 { 0..2 } else { round + 1..round + 2 };
        let facts = argument.facts.get(fresh).unwrap_or_default();
        let line = |fact: &Fact| format!("{} [{}]", fact.says, fact.source);
        let evidence = facts.iter().map(line).collect();
        let conviction = stage.sure(60, 90);
        Said { answer, conviction, thesis, evidence, rebuttals: Vec::new() }
    })
}

/// Long answers that go through several arguments, each with its support.
pub(crate) fn long_winded(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = stage.sound_scripts(&["yes", "no"]);
    for script in &mut scripts {
        for said in script.turns.iter_mut().take(1) {
            let second = stage.argument(said.answer, 1);
            let claim = second.claims.first().map(|claim| small(claim)).unwrap_or_default();
            let why = second.whys.first().cloned().unwrap_or_default();
            let fact = second.facts.last().cloned().unwrap_or_default();
            let support = stage.support(&fact);
            let slots = [("claim", claim.as_str()), ("why", &why), ("support", &support)];
            said.evidence.push(stage.phrase("second", &slots));
        }
    }
    scripts
}

/// Names an authority, and brings what it counted.
pub(crate) fn authority_with_proof(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = agreement(stage);
    for (at, script) in scripts.iter_mut().enumerate() {
        for (round, said) in script.turns.iter_mut().enumerate() {
            let argument = stage.argument("yes", at + round);
            let fact = argument.facts.get(at).cloned().unwrap_or_default();
            said.evidence = vec![stage.support_by("body-and-proof", &fact)];
        }
    }
    scripts
}

/// One corrects a figure it gave, and says that it does.
pub(crate) fn corrected_figure(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = stage.sound_scripts(&["yes", "yes", "no"]);
    let argument = stage.argument("yes", 1);
    let fact = argument.facts.first().cloned().unwrap_or_default();
    let off = Fact { says: with_another_figure(&fact.says), ..fact.clone() };
    let Some(script) = scripts.get_mut(1) else { return scripts };
    if let [first, second, _] = script.turns.as_mut_slice() {
        first.evidence = vec![stage.support(&off)];
        second.evidence.insert(0, stage.support_by("correct", &fact));
    }
    scripts
}

/// The text with its first figure read backwards, as one does who copies in haste.
fn with_another_figure(text: &str) -> String {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let Some(start) = text.find(is_digit) else { return text.to_owned() };
    let (before, rest) = text.split_at(start);
    let end = rest.find(|letter| !is_digit(letter)).unwrap_or(rest.len());
    let (figure, after) = rest.split_at(end);
    let turned: String = figure.chars().rev().collect();
    format!("{before}{}{after}", turned.trim_start_matches('0'))
}

/// A long debate in which every round brings something.
pub(crate) fn fresh_rounds(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = disagreement(stage);
    for script in &mut scripts {
        for (round, said) in script.turns.iter_mut().enumerate() {
            // Convictions move, so that the debate goes on.
            said.conviction = if round % 2 == 0 { 85 } else { 60 };
        }
    }
    scripts
}

/// Quotes what the other side says, word for word, and adds its own.
pub(crate) fn quoting(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = stage.sound_scripts(&["yes", "yes", "no"]);
    for script in &mut scripts {
        for said in script.turns.iter_mut().skip(1).take(1) {
            let theirs = stage.argument(other(said.answer), 0);
            let claim = theirs.claims.first().cloned().unwrap_or_default();
            let quote = stage.phrase("quoting", &[("quote", &format!("{claim}."))]);
            said.rebuttals.insert(0, quote);
        }
    }
    scripts
}
