//! `rebuttal rubric check`: does this conversation contradict itself?

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::detect::rubric::{Explanation, Outcome, explain};
use rebuttal::model::{Problem, Transcript};
use rebuttal::transcripts::{self, Item};
use serde::Serialize;

use super::show::{self, Answer};
use crate::args::{CheckArgs, FailOnContradiction, ListFormat};
use crate::inputs::{Input, STDIN};
use crate::output::{Output, Status};
use crate::plan::Reading;
use crate::report::{JsonText, SCHEMA, VERSION, count};
use crate::terminal::visible;

/// How many conversations got which answer.
#[derive(Debug, Default, Serialize)]
struct Tally {
    conversations: usize,
    yes: usize,
    no: usize,
    unclear: usize,
    problems: usize,
    unreadable: usize,
}

impl Tally {
    fn add(&mut self, outcome: Outcome) {
        self.conversations += 1;
        match outcome {
            Outcome::Contradiction => self.yes += 1,
            Outcome::Consistent => self.no += 1,
            Outcome::Unclear => self.unclear += 1,
        }
    }

    fn status(&self, fail_on: FailOnContradiction) -> Status {
        match fail_on {
            _ if self.unreadable > 0 => Status::CouldNotRun,
            FailOnContradiction::Contradiction if self.yes > 0 => Status::Findings,
            FailOnContradiction::Contradiction | FailOnContradiction::Never => Status::Clean,
        }
    }
}

/// One conversation's answer, in JSON.
#[derive(Debug, Serialize)]
struct Line<'a> {
    file: &'a str,
    transcript: &'a str,
    #[serde(flatten)]
    answer: Answer<'a>,
}

/// Answers for every conversation in every input, in order, as they are read.
pub(super) fn run(args: &CheckArgs, out: &mut Output) -> Result<Status> {
    let reading = Reading::new(&args.files, &args.reading, None)?;
    let mut check = Check { out, format: args.format, tally: Tally::default(), problems: vec![] };
    check.begin(reading.method.as_str())?;
    for input in &reading.inputs {
        check.input(input, &reading)?;
    }
    check.finish()?;
    Ok(check.tally.status(args.fail_on))
}

struct Check<'o> {
    out: &'o mut Output,
    format: ListFormat,
    tally: Tally,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn input(&mut self, input: &Input, reading: &Reading) -> io::Result<()> {
        let (conversations, problems) = (self.tally.conversations, self.tally.problems);
        let name = visible(&input.name()).into_owned();
        let mut result = Ok(());
        let mut sink = |item| {
            // The reader cannot be stopped; after a write failed the rest is only skipped.
            if result.is_ok() {
                result = match item {
                    Item::Transcript(transcript) => {
                        let explanation = explain(&transcript, reading.method);
                        self.conversation(&name, &transcript, &explanation)
                    }
                    Item::Problem(problem) => self.problem(problem),
                };
            }
        };
        match input {
            Input::Stdin => {
                transcripts::read(STDIN, io::stdin().lock(), &reading.options, &mut sink);
            }
            Input::File(path) => transcripts::read_path(path, &reading.options, &mut sink),
            Input::Missing(problem) => sink(Item::Problem(problem.clone())),
        }
        result?;
        let is_unreadable =
            self.tally.conversations == conversations && self.tally.problems > problems;
        self.tally.unreadable += usize::from(is_unreadable);
        Ok(())
    }

    fn begin(&mut self, method: &str) -> io::Result<()> {
        match self.format {
            ListFormat::Text => Ok(()),
            ListFormat::Json => {
                let head = format!(r#""schema":{SCHEMA},"method":"{method}""#);
                write!(self.out, "{{\"rebuttal\":\"{VERSION}\",{head},\n\"conversations\":[")
            }
        }
    }

    fn conversation(
        &mut self,
        file: &str,
        transcript: &Transcript,
        explanation: &Explanation,
    ) -> io::Result<()> {
        let is_first = self.tally.conversations == 0;
        self.tally.add(explanation.outcome);
        match self.format {
            ListFormat::Text => self.text(transcript, explanation),
            ListFormat::Json => {
                writeln!(self.out, "{}", if is_first { "" } else { "," })?;
                let (transcript, answer) = (transcript.id.as_str(), explanation.into());
                JsonText::write(self.out, &Line { file, transcript, answer })
            }
        }
    }

    fn text(&mut self, transcript: &Transcript, explanation: &Explanation) -> io::Result<()> {
        let paint = self.out.paint();
        let answer = show::answer(explanation.outcome);
        let answer = match explanation.outcome {
            Outcome::Contradiction => paint.red(answer),
            Outcome::Consistent => paint.green(answer),
            Outcome::Unclear => paint.yellow(answer),
        };
        writeln!(self.out, "{}: {answer}", paint.bold(visible(transcript.id.as_str())))?;
        show::reasons(self.out, explanation, transcript)?;
        writeln!(self.out)
    }

    fn problem(&mut self, problem: Problem) -> io::Result<()> {
        self.tally.problems += 1;
        match self.format {
            ListFormat::Text => self.out.warn(visible(&problem.to_string())),
            ListFormat::Json => {
                self.problems.push(problem);
                Ok(())
            }
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        let tally = &self.tally;
        match self.format {
            ListFormat::Text => {
                let all = count(tally.conversations, "conversation");
                let Tally { yes, no, unclear, .. } = tally;
                writeln!(
                    self.out,
                    "{all}: {yes} with a self-contradiction, {no} without, {unclear} unclear"
                )
            }
            ListFormat::Json => {
                write!(self.out, "],\n\"problems\":")?;
                JsonText::write(self.out, &self.problems)?;
                write!(self.out, ",\n\"summary\":")?;
                JsonText::write(self.out, tally)?;
                writeln!(self.out, "}}")
            }
        }
    }
}
