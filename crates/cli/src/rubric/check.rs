//! `rebuttal rubric check`: does this conversation contradict itself?

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::detect::rubric::{Explanation, RubricAnswer, explain};
use rebuttal::model::{Problem, Transcript};
use rebuttal::transcripts::{self, Item};
use serde::Serialize;

use super::show::{self, Answer};
use crate::args::{CheckArgs, FailOnContradiction, ListFormat};
use crate::output::{Output, Status};
use crate::plan::Reading;
use crate::report::{JsonText, SCHEMA, VERSION, count};
use crate::terminal::{one_line, visible};
use crate::warnings;
use rebuttal::config::Config;
use rebuttal::inputs::{Input, STDIN};
use rebuttal_report::problems::{FileProblems, Gravity, Strictness};

/// How many conversations got which answer.
#[derive(Debug, Default, Serialize)]
struct Tally {
    conversations: usize,
    yes: usize,
    no: usize,
    unclear: usize,
    problems: usize,
    unreadable: usize,
    left_out: usize,
    skipped: usize,
}

impl Tally {
    fn add(&mut self, outcome: RubricAnswer) {
        self.conversations += 1;
        match outcome {
            RubricAnswer::Contradiction => self.yes += 1,
            RubricAnswer::Consistent => self.no += 1,
            RubricAnswer::Unclear => self.unclear += 1,
        }
    }

    fn status(&self, fail_on: FailOnContradiction, strictness: Strictness) -> Status {
        let is_incomplete = strictness == Strictness::Strict && self.left_out > 0;
        let is_nothing = self.skipped > 0 && self.conversations == 0;
        match fail_on {
            _ if self.unreadable > 0 || is_incomplete || is_nothing => Status::CouldNotRun,
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
pub(super) fn run(args: &CheckArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let reading = Reading::new(&args.files, &args.reading, None, config)?;
    let mut check = Check { out, format: args.format, tally: Tally::default(), problems: vec![] };
    let written = check.all(&reading);
    check.tally.status(args.fail_on, reading.strictness).after(written.map_err(Into::into))
}

struct Check<'o> {
    out: &'o mut Output,
    format: ListFormat,
    tally: Tally,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn all(&mut self, reading: &Reading) -> io::Result<()> {
        warnings::note_repeated(self.out, &reading.repeated)?;
        for note in &reading.chosen.notes {
            self.out.note(one_line(note))?;
        }
        self.begin(reading.chosen.reader().method().as_str())?;
        for input in &reading.inputs {
            self.input(input, reading)?;
        }
        self.finish()?;
        self.out.flush()?;
        warnings::count_skipped(self.out, self.tally.skipped, self.tally.conversations)?;
        match reading.chosen.failure() {
            Some(failure) => self.out.note(one_line(&failure)),
            None => Ok(()),
        }
    }

    fn input(&mut self, input: &Input, reading: &Reading) -> io::Result<()> {
        let mut problems = FileProblems::new(input.origin());
        let name = visible(&input.name()).into_owned();
        let mut result = Ok(());
        let mut sink = |item| {
            // The reader cannot be stopped; after a write failed the rest is only skipped.
            if result.is_ok() {
                match item {
                    Item::Transcript(transcript) => {
                        problems.transcript();
                        let explanation = explain(&transcript, reading.chosen.reader());
                        result = self.conversation(&name, &transcript, &explanation);
                    }
                    Item::Problem(problem) => problems.push(problem),
                }
            }
        };
        match input {
            Input::Stdin => {
                transcripts::read(STDIN, io::stdin().lock(), &reading.options, &mut sink);
            }
            Input::File(path, _) => transcripts::read_path(path, &reading.options, &mut sink),
            Input::Missing(problem) => sink(Item::Problem(problem.clone())),
        }
        result?;
        self.tally.unreadable += usize::from(problems.is_unreadable());
        self.tally.skipped += usize::from(problems.is_skipped());
        self.tally.left_out += problems.left_out();
        problems
            .weighed(reading.strictness)
            .try_for_each(|(problem, gravity)| self.problem(problem, gravity))
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
            RubricAnswer::Contradiction => paint.red(answer),
            RubricAnswer::Consistent => paint.green(answer),
            RubricAnswer::Unclear => paint.yellow(answer),
        };
        writeln!(self.out, "{}: {answer}", paint.bold(one_line(transcript.id.as_str())))?;
        show::reasons(self.out, explanation, transcript)?;
        writeln!(self.out)
    }

    fn problem(&mut self, problem: &Problem, gravity: Gravity) -> io::Result<()> {
        self.tally.problems += 1;
        if gravity == Gravity::Skipped {
            warnings::name_skipped(self.out, problem)?;
        }
        match self.format {
            ListFormat::Text => warnings::say(self.out, problem, gravity),
            ListFormat::Json => {
                self.problems.push(problem.clone());
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
                write!(
                    self.out,
                    "{all}: {yes} with a self-contradiction, {no} without, {unclear} unclear"
                )?;
                if tally.left_out > 0 {
                    let problems = count(tally.left_out, "problem");
                    write!(self.out, "; {problems} left parts out")?;
                }
                writeln!(self.out)
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
