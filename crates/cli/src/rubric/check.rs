//! `rebuttal rubric check`: does this conversation contradict itself?

use std::io::{self, Write};

use anyhow::Result;
use rebuttal::config::Config;
use rebuttal::model::{Problem, Transcript};
use rebuttal::rubric::{
    Checked, Explanation, RubricAnswer, RubricEntry, Tally, answer_word, check,
};
use rebuttal_report::problems::{Gravity, Strictness};
use serde::Serialize;

use super::show;
use crate::args::{CheckArgs, FailOnContradiction, ListFormat};
use crate::output::{Output, Status};
use crate::plan::Reading;
use crate::report::{JsonText, SCHEMA, VERSION, count};
use crate::terminal::{one_line, visible};
use crate::warnings;

/// One conversation's answer, in JSON.
#[derive(Debug, Serialize)]
struct Line<'a> {
    file: &'a str,
    transcript: &'a str,
    #[serde(flatten)]
    answer: RubricEntry<'a>,
}

/// Answers for every conversation in every input, in order, as they are read.
pub(super) fn run(args: &CheckArgs, config: &Config, out: &mut Output) -> Result<Status> {
    let reading = Reading::new(&args.files, &args.reading, None, config)?;
    let mut tally = Tally::default();
    let written = write(args.format, &reading, &mut tally, out);
    let status = status(&tally, args.fail_on, reading.strictness);
    status.after(written.map_err(Into::into))
}

fn status(tally: &Tally, fail_on: FailOnContradiction, strictness: Strictness) -> Status {
    let is_incomplete = strictness == Strictness::Strict && tally.left_out > 0;
    let is_nothing = tally.skipped > 0 && tally.conversations == 0;
    match fail_on {
        _ if tally.unreadable > 0 || is_incomplete || is_nothing => Status::CouldNotRun,
        FailOnContradiction::Contradiction if tally.yes > 0 => Status::Findings,
        FailOnContradiction::Contradiction | FailOnContradiction::Never => Status::Clean,
    }
}

fn write(
    format: ListFormat,
    reading: &Reading,
    tally: &mut Tally,
    out: &mut Output,
) -> io::Result<()> {
    warnings::note_repeated(out, &reading.repeated)?;
    for note in &reading.analyzer.notes {
        out.note(one_line(note))?;
    }
    let mut report = Report { out, format, is_first: true, problems: Vec::new() };
    report.begin(reading.analyzer.reader().method().as_str())?;
    let (counted, written) = check(
        &reading.inputs,
        &reading.options,
        reading.strictness,
        &reading.analyzer,
        &mut |checked| match checked {
            Checked::Conversation { file, transcript, explanation } => {
                report.conversation(&visible(file), transcript, &explanation)
            }
            Checked::Problem(problem, gravity) => report.problem(problem, gravity),
        },
    );
    *tally = counted;
    written?;
    report.finish(tally)?;
    out.flush()?;
    warnings::count_skipped(out, tally.skipped, tally.conversations)?;
    reading.analyzer.remarks().iter().try_for_each(|remark| out.note(one_line(remark)))
}

/// Writes conversations as they come.
struct Report<'o> {
    out: &'o mut Output,
    format: ListFormat,
    is_first: bool,
    problems: Vec<Problem>,
}

impl Report<'_> {
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
        let is_first = std::mem::take(&mut self.is_first);
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
        let answer = answer_word(explanation.outcome);
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

    fn finish(&mut self, tally: &Tally) -> io::Result<()> {
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
