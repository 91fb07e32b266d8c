//! Which answer a sentence speaks for, and how surely.
//!
//! Three witnesses are asked: the rules, which know an opinion when it is stated; the words for what became
//! better or worse ([`effect`]); and the reader, which has learned it. Where together they do not lean
//! clearly to one side, the sentence has none.

use std::collections::BTreeSet;

use rebuttal_detect::{Models, Reader, leaning};
use rebuttal_model::Stance;
use rebuttal_text::{Reading, Term, Topic};

use crate::effect::effect;

/// How far a sentence must lean to count as speaking for a side.
const LEANS: f64 = 0.2;
/// What the reader's word counts beside what the words tell.
const LEARNED: f64 = 0.4;

/// Answers that can be told apart by what speaks for and against.
#[derive(Clone, Debug)]
pub(crate) enum Sides {
    /// The first is for what is asked, the second against; a third, if any, lies between them.
    ForAgainst { yes: usize, no: usize },
    /// Each is a thing by itself: what is good of one speaks for it.
    Things(Vec<String>),
}

/// Names of answers that are for, and of those against.
const FOR: [&str; 6] = ["yes", "buy", "approve", "accept", "merge", "supported"];
const AGAINST: [&str; 6] = ["no", "sell", "reject", "decline", "request changes", "refuted"];

impl Sides {
    pub(crate) fn of(answers: &[String]) -> Self {
        let find = |names: &[&str]| {
            answers.iter().position(|answer| names.contains(&answer.to_lowercase().as_str()))
        };
        match (find(&FOR), find(&AGAINST)) {
            (Some(yes), Some(no)) => Self::ForAgainst { yes, no },
            _ => Self::Things(answers.iter().map(|answer| answer.to_lowercase()).collect()),
        }
    }

    /// The answer each sentence speaks for and how surely, 0 to 1; `None` where it speaks for none.
    pub(crate) fn read(
        &self,
        question: &str,
        sentences: &[&str],
        reader: Reader<'_>,
    ) -> Vec<Option<(usize, f64)>> {
        match self {
            Self::ForAgainst { yes, no } => {
                let asked = sentences.iter().map(|sentence| (question.to_owned(), *sentence));
                let side = |lean: f64| if lean > 0.0 { *yes } else { *no };
                let leans = leans(&asked.collect::<Vec<_>>(), reader);
                leans.into_iter().map(|lean| sure(lean).map(|sure| (side(lean), sure))).collect()
            }
            Self::Things(things) => of_things(things, sentences, reader),
        }
    }
}

fn sure(lean: f64) -> Option<f64> {
    (lean.abs() >= LEANS).then_some(lean.abs())
}

/// A sentence on one of the things alone speaks for it or, of two, for the other.
fn of_things(
    things: &[String],
    sentences: &[&str],
    reader: Reader<'_>,
) -> Vec<Option<(usize, f64)>> {
    let named = |sentence: &str| {
        let words = sentence.to_lowercase();
        let mut found = things.iter().enumerate().filter(|(_, thing)| words.contains(*thing));
        found.next().filter(|_| found.next().is_none()).map(|(at, thing)| (at, thing.clone()))
    };
    let about: Vec<Option<(usize, String)>> = sentences.iter().map(|it| named(it)).collect();
    let asked: Vec<(String, &str)> = about
        .iter()
        .zip(sentences)
        .filter_map(|(about, sentence)| {
            about.as_ref().map(|(_, thing)| (format!("Should we choose {thing}?"), *sentence))
        })
        .collect();
    let mut leans = leans(&asked, reader).into_iter();
    let answer = |about: &Option<(usize, String)>| {
        let (at, _) = about.as_ref()?;
        let lean = leans.next()?;
        let other = (things.len() == 2).then_some(1 - at.min(&1));
        let side = if lean > 0.0 { Some(*at) } else { other };
        side.zip(sure(lean))
    };
    about.iter().map(answer).collect()
}

/// How far each sentence leans towards its question, -1 to 1.
fn leans(asked: &[(String, &str)], reader: Reader<'_>) -> Vec<f64> {
    let read: Vec<(&str, Reading<'_>)> =
        asked.iter().map(|(question, it)| (question.as_str(), Reading::new(it))).collect();
    let learned = |models: &Models| leaning::stances(models, &read).ok();
    let learned = reader.models().and_then(learned).unwrap_or_default();
    let told = |(at, (question, sentence)): (usize, &(&str, Reading<'_>))| {
        let asked = Reading::new(question);
        let stated = sentence.position(Some(&Topic::new(&asked)));
        let learned = learned.get(at).map_or(0.0, |stance| stance.score);
        match stated.stance {
            Stance::Yes => 1.0,
            Stance::No => -1.0,
            Stance::Unclear => {
                (effect(sentence, &proposed(&asked)) + LEARNED * learned).clamp(-1.0, 1.0)
            }
        }
    };
    read.iter().enumerate().map(told).collect()
}

/// The words for what is proposed.
fn proposed(question: &Reading<'_>) -> BTreeSet<Term> {
    question.content().words.iter().filter(|word| word.content).map(|word| word.term).collect()
}
