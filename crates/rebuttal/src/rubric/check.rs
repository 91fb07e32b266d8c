//! The rubric's answer for every conversation in many files, as they are read.

use std::io;

use rebuttal_model::{Problem, Transcript};
use rebuttal_report::problems::{FileProblems, Gravity, Strictness};
use rebuttal_transcripts::{self as transcripts, Item, ReadOptions};
use serde::Serialize;

use super::{Explanation, RubricAnswer, explain};
use crate::inputs::{Input, STDIN, stdin};
use crate::models::Analyzer;

/// How many conversations got which answer, and what was wrong with the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Tally {
    /// Conversations that were read.
    pub conversations: usize,
    /// Those that contradict themselves.
    pub yes: usize,
    /// Those that do not.
    pub no: usize,
    /// Those of which it cannot be said.
    pub unclear: usize,
    /// Problems with the input, of any weight.
    pub problems: usize,
    /// Files of which nothing could be read.
    pub unreadable: usize,
    /// Parts of files that were left out.
    pub left_out: usize,
    /// Files in a folder that hold no conversation.
    pub skipped: usize,
}

impl Tally {
    fn add(&mut self, answer: RubricAnswer) {
        self.conversations += 1;
        match answer {
            RubricAnswer::Contradiction => self.yes += 1,
            RubricAnswer::Consistent => self.no += 1,
            RubricAnswer::Unclear => self.unclear += 1,
        }
    }
}

/// What a check comes across.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one is made at a time, and handed on at once")]
pub enum Checked<'a> {
    /// A conversation and its answer.
    Conversation {
        /// The file it stands in.
        file: &'a str,
        /// The conversation.
        transcript: &'a Transcript,
        /// The answer with its reasons.
        explanation: Explanation,
    },
    /// Something is wrong with a file.
    Problem(&'a Problem, Gravity),
}

/// Answers for every conversation in every input, in order. The tally is good for as far as it came,
/// whatever the sink returns.
pub fn check(
    inputs: &[Input],
    options: &ReadOptions,
    strictness: Strictness,
    analyzer: &Analyzer,
    sink: &mut dyn FnMut(Checked<'_>) -> io::Result<()>,
) -> (Tally, io::Result<()>) {
    let mut tally = Tally::default();
    for input in inputs {
        if let Err(error) = one(input, (options, strictness), analyzer, &mut tally, sink) {
            return (tally, Err(error));
        }
    }
    (tally, Ok(()))
}

fn one(
    input: &Input,
    (options, strictness): (&ReadOptions, Strictness),
    analyzer: &Analyzer,
    tally: &mut Tally,
    sink: &mut dyn FnMut(Checked<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut problems = FileProblems::new(input.origin());
    let name = input.name();
    let mut result = Ok(());
    let mut each = |item| {
        // The reader cannot be stopped; after a write failed the rest is only skipped.
        if result.is_ok() {
            match item {
                Item::Transcript(transcript) => {
                    problems.transcript();
                    let explanation = explain(&transcript, analyzer.reader());
                    tally.add(explanation.outcome);
                    let transcript = &transcript;
                    result = sink(Checked::Conversation { file: &name, transcript, explanation });
                }
                Item::Problem(problem) => problems.push(problem),
            }
        }
    };
    match input {
        Input::Stdin => transcripts::read(STDIN, stdin(), options, &mut each),
        Input::File(path, _) => transcripts::read_path(path, options, &mut each),
        Input::Missing(problem) => each(Item::Problem(problem.clone())),
    }
    result?;
    tally.unreadable += usize::from(problems.is_unreadable());
    tally.skipped += usize::from(problems.is_skipped());
    tally.left_out += problems.left_out();
    problems.weighed(strictness).try_for_each(|(problem, gravity)| {
        tally.problems += 1;
        sink(Checked::Problem(problem, gravity))
    })
}
