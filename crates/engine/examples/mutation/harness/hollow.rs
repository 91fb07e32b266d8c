//! Faulty panels that agree with nothing behind it: vague words, hype, authority, the crowd, circles,
//! stuffing, gibberish, bare claims.

use super::cases::Fact;
use super::grammar::{fill, small};
use super::script::{Said, Script};
use super::stage::Stage;

/// How many agents a panel of this stage has.
fn size(stage: &mut Stage<'_>) -> usize {
    3 + stage.dice.below(2)
}

/// A panel whose agents all say yes, with what `lines` makes: for each agent a thesis and some more,
/// for two rounds.
fn all_say(
    stage: &mut Stage<'_>,
    lines: impl Fn(&mut Stage<'_>, usize) -> Vec<Vec<String>>,
) -> Vec<Script> {
    let count = size(stage);
    let listens = stage.dice.once_in(2);
    let (first, second) = (lines(stage, count), lines(stage, count));
    let mut scripts = Vec::new();
    for (at, (one, two)) in first.into_iter().zip(second).enumerate() {
        let turns = [one, two].into_iter().map(|lines| said(stage, lines)).collect();
        scripts.push(stage.faulty(turns, at, listens));
    }
    scripts
}

fn said(stage: &mut Stage<'_>, lines: Vec<String>) -> Said {
    let conviction = stage.sure(70, 97);
    let mut lines = lines.into_iter();
    let thesis = lines.next().unwrap_or_default();
    Said { answer: "yes", conviction, thesis, evidence: lines.collect(), ..Said::default() }
}

/// For each agent one wording of each of these moves.
fn moves(stage: &mut Stage<'_>, names: &[&str], count: usize) -> Vec<Vec<String>> {
    let mut lines = vec![Vec::new(); count];
    for name in names {
        for (line, wording) in lines.iter_mut().zip(stage.phrases(name, count)) {
            line.push(wording);
        }
    }
    lines
}

/// All say that the evidence is there and none brings any.
pub(crate) fn vague(stage: &mut Stage<'_>) -> Vec<Script> {
    let mut rest = ["vague/evidence", "vague/future", "vague/risk"];
    stage.dice.shuffle(&mut rest);
    let [one, two, _] = rest;
    all_say(stage, move |stage, count| moves(stage, &["vague/benefit", one, two], count))
}

/// All praise.
pub(crate) fn hype(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| moves(stage, &["hype/core", "hype/more"], count))
}

/// All lean on experts whom nobody names.
pub(crate) fn authority(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| moves(stage, &["authority/experts", "authority/bodies"], count))
}

/// All do as all others do.
pub(crate) fn crowd(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| moves(stage, &["crowd/most", "crowd/trend"], count))
}

/// All prove a claim by the same claim in other words.
pub(crate) fn circular(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| {
        let claims = stage.argument("yes", 0).claims;
        let joins = stage.phrases("circular/join", count);
        let closes = stage.phrases("circular/close", count);
        let mut lines = Vec::new();
        for (at, (join, close)) in joins.iter().zip(closes).enumerate() {
            let claim = |at: usize| claims.get(at % claims.len().max(1)).map(|it| small(it));
            let (one, two) = (claim(at).unwrap_or_default(), claim(at + 1).unwrap_or_default());
            lines.push(vec![fill(join, &[("claim", &one), ("claim2", &two)]), close]);
        }
        lines
    })
}

/// All hang references on a bare opinion: the score is gamed, no claim is supported.
pub(crate) fn stuffed(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| {
        let mut lines = moves(stage, &["stuff/thesis", "stuff/claimless"], count);
        for line in lines.iter_mut().flatten() {
            while line.contains("<cite>") {
                // References to nothing.
                let cite = stage.phrases.one("stuff/cite", stage.half, &mut stage.dice);
                *line = line.replacen("<cite>", &cite, 1);
            }
        }
        lines
    })
}

/// All string together the words that a keyword score counts.
pub(crate) fn gibberish(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| {
        let line = |stage: &mut Stage<'_>| {
            let mut picked: Vec<String> = Vec::new();
            for _ in 0..stage.dice.within(9, 14) {
                picked.push(stage.phrases.one("gibberish", stage.half, &mut stage.dice));
            }
            picked.push(format!("{}%", stage.dice.within(11, 97)));
            picked.push(stage.case.thing.clone());
            stage.dice.shuffle(&mut picked);
            super::grammar::capital(&picked.join(" ")) + "."
        };
        (0..count).map(|_| vec![line(stage), line(stage)]).collect()
    })
}

/// All make the same claim, each in its own words, and nobody supports it.
pub(crate) fn unsupported(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| {
        let claims = stage.argument("yes", 0).claims;
        let closes = stage.phrases("bare/plain", count);
        let theses = claims.iter().cycle().take(count).map(|claim| stage.thesis("yes", claim));
        let theses: Vec<String> = theses.collect();
        theses.into_iter().zip(closes).map(|(thesis, close)| vec![thesis, close]).collect()
    })
}

/// All make the same claim without support, and each supports something else.
pub(crate) fn sidestepped(stage: &mut Stage<'_>) -> Vec<Script> {
    all_say(stage, |stage, count| {
        let claims = stage.argument("yes", 0).claims;
        let asides = stage.phrases("bare/aside", count);
        let mut lines = Vec::new();
        for (at, aside) in asides.iter().enumerate() {
            let claim = claims.get(at % claims.len().max(1)).cloned().unwrap_or_default();
            let fact = stage.argument("yes", 1 + at % 2).facts.get(at / 2).cloned();
            let support = stage.support(&fact.unwrap_or_default());
            let thesis = stage.thesis("yes", &claim);
            lines.push(vec![thesis, fill(aside, &[("support", &small(&support))])]);
        }
        lines
    })
}

/// All give the same wrong figure, which no source has.
pub(crate) fn copied_error(stage: &mut Stage<'_>) -> Vec<Script> {
    let wrong = format!("{}.{}%", stage.dice.within(112, 390), stage.dice.within(1, 9));
    all_say(stage, move |stage, count| {
        let claims = stage.argument("yes", 0).claims;
        let lines = stage.phrases("error/figure", count);
        let claimed = lines
            .iter()
            .zip(claims.iter().cycle())
            .map(|(line, claim)| fill(line, &[("wrong", &wrong), ("claim", &small(claim))]));
        claimed.map(|line| vec![line]).collect()
    })
}

/// All lean on one source, and on the same figure of it.
pub(crate) fn single_source(stage: &mut Stage<'_>) -> Vec<Script> {
    let fact: Fact = stage.argument("yes", 0).facts.first().cloned().unwrap_or_default();
    all_say(stage, move |stage, count| {
        let argument = stage.argument("yes", 0);
        let mut lines = Vec::new();
        for claim in argument.claims.iter().cycle().take(count) {
            let thesis = stage.thesis("yes", claim);
            lines.push(vec![thesis, stage.support(&fact)]);
        }
        lines
    })
}
