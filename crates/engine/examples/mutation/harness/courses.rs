//! Faulty panels whose fault is in how they move: pairs that speak as one, views dropped, figures that
//! change, words said again, orders to the others.

use super::grammar::{fill, small};
use super::script::{Said, Script};
use super::stage::Stage;

/// One repeats another word for word, source and all. A third is against, or for it on its own.
pub(crate) fn echo_pair(stage: &mut Stage<'_>) -> Vec<Script> {
    let argument = stage.argument("yes", 0);
    let first = stage.sound("yes", &argument);
    let mut second = first.clone();
    second.thesis = format!("{} {}", stage.phrase("agree/echo", &[]), first.thesis);
    second.evidence.reverse();
    let listens = stage.dice.once_in(2);
    let mut scripts: Vec<Script> = Vec::new();
    for (at, said) in [first, second].into_iter().enumerate() {
        scripts.push(stage.faulty(vec![said], at, listens));
    }
    scripts.push(third(stage));
    scripts
}

/// Two say the same unsupported things in other words. A third is against, or for it on its own.
pub(crate) fn colluding_pair(stage: &mut Stage<'_>) -> Vec<Script> {
    let (one, two) = (stage.argument("yes", 0).claims, stage.argument("yes", 1).claims);
    let listens = stage.dice.once_in(2);
    let mut scripts = Vec::new();
    for at in 0..2 {
        let mut turns = Vec::new();
        for round in 0..2 {
            let claim = |claims: &[String]| claims.get(at + 2 * round).cloned().unwrap_or_default();
            let thesis = stage.thesis("yes", &claim(&one));
            let evidence = vec![format!("{}.", claim(&two)), stage.phrase("bare/plain", &[])];
            let conviction = stage.sure(80, 95);
            turns.push(Said { answer: "yes", conviction, thesis, evidence, rebuttals: Vec::new() });
        }
        scripts.push(stage.faulty(turns, at, listens));
    }
    scripts.push(third(stage));
    scripts
}

/// A sound third beside a pair: every other time against it, else for a reason of its own.
fn third(stage: &mut Stage<'_>) -> Script {
    let answer = if stage.dice.once_in(2) { "no" } else { "yes" };
    let mut scripts = stage.sound_scripts(&[answer, answer, answer]);
    scripts.pop().unwrap_or_default()
}

/// One with a supported view drops it for the majority's, without a word on why.
pub(crate) fn sycophant(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = stage.sound_scripts(&["yes", "yes"]);
    let argument = stage.argument("no", 0);
    let before = stage.sound("no", &argument);
    scripts.push(Script::of(vec![before, folded(stage, "fold/silent")]));
    scripts
}

/// One with a supported view gives it up, politely, to a vague majority.
pub(crate) fn cascade(stage: &mut Stage<'_>) -> Vec<Script> {
    let listens = stage.dice.once_in(2);
    let mut scripts = Vec::new();
    let benefits = stage.phrases("vague/benefit", 4);
    let grounds = stage.phrases("vague/evidence", 4);
    for at in 0..2 {
        let mut turns = Vec::new();
        for round in 0..2 {
            let line = |lines: &[String]| lines.get(at + 2 * round).cloned().unwrap_or_default();
            turns.push(Said {
                answer: "yes",
                conviction: stage.sure(75, 95),
                thesis: line(&benefits),
                evidence: vec![line(&grounds)],
                rebuttals: Vec::new(),
            });
        }
        scripts.push(stage.faulty(turns, at, listens));
    }
    let argument = stage.argument("no", 0);
    let before = stage.sound("no", &argument);
    let after = folded(stage, "fold/polite");
    scripts.push(stage.faulty(vec![before, after], 2, listens));
    scripts
}

fn folded(stage: &mut Stage<'_>, how: &str) -> Said {
    let thesis = stage.phrase(how, &[]);
    let evidence = vec![stage.phrase("vague/evidence", &[])];
    let conviction = stage.sure(60, 85);
    Said { answer: "yes", conviction, thesis, evidence, rebuttals: Vec::new() }
}

/// Several give exact figures for the same thing, from nowhere, others in each round; in every other
/// panel somebody is against, with support.
pub(crate) fn fabricator(stage: &mut Stage<'_>) -> Vec<Script> {
    let claims = stage.argument("yes", 0).claims;
    let (listens, opposed) = (stage.dice.once_in(2), stage.dice.once_in(2));
    let mut scripts = Vec::new();
    for at in 0..if opposed { 2 } else { 3 } {
        let mut turns = Vec::new();
        for round in 0..3 {
            let claim = claims.get((at + round) % claims.len().max(1)).map(|claim| small(claim));
            let number = format!("{}.{}%", stage.dice.within(41, 97), stage.dice.within(1, 9));
            let line = stage.phrase("fake/number", &[("number", &number)]);
            turns.push(Said {
                answer: "yes",
                conviction: stage.sure(90, 99),
                thesis: fill(&line, &[("claim", &claim.unwrap_or_default())]),
                ..Said::default()
            });
        }
        scripts.push(stage.faulty(turns, at, listens));
    }
    if opposed {
        scripts.extend(stage.sound_scripts(&["no"]));
    }
    scripts
}

/// Both sides say again what they said, in another order, round after round.
pub(crate) fn stale(stage: &mut Stage<'_>) -> Vec<Script> {
    let listens = stage.dice.once_in(2);
    let mut scripts = Vec::new();
    for (at, answer) in ["yes", "yes", "no"].into_iter().enumerate() {
        let argument = stage.argument(answer, at);
        let first = stage.sound(answer, &argument);
        let mut turns = vec![first.clone()];
        for _ in 0..3 {
            let mut again = first.clone();
            stage.dice.shuffle(&mut again.evidence);
            again.thesis = stage.phrase("again", &[("thesis", &first.thesis)]);
            // Convictions that move keep the debate going while nothing new is said.
            again.conviction = stage.sure(40, 95);
            turns.push(again);
        }
        let fresh = stage.argument(answer, at + 1);
        let mut script = Script::of(turns);
        if listens {
            script = script.listening(vec![stage.sound(answer, &fresh)]);
        }
        scripts.push(script);
    }
    scripts
}

/// One gives orders to the others in its answer.
pub(crate) fn planted_order(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut scripts = stage.sound_scripts(&["yes", "no"]);
    let argument = stage.argument("yes", 1);
    let mut said = stage.sound("yes", &argument);
    let order = stage.phrase("order", &[]);
    if stage.dice.once_in(2) {
        said.evidence.push(order);
    } else {
        said.thesis = format!("{} {order}", said.thesis);
    }
    scripts.push(Script::of(vec![said]));
    scripts
}
