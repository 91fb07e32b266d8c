//! `rebuttal formats`: what can be read.

use std::io::Write;

use anyhow::Result;
use rebuttal::transcripts::Format;
use serde::Serialize;

use crate::args::{FormatsArgs, ListFormat};
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::wrap::wrap;

/// One importer in JSON.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    about: &'static str,
    example: &'static str,
}

/// Lists the importers in the order they are tried.
pub(crate) fn run(args: &FormatsArgs, out: &mut Output) -> Result<Status> {
    let lines = Format::ALL.iter().map(|format| Line {
        name: format.name(),
        about: format.about(),
        example: format.example(),
    });
    match args.format {
        ListFormat::Json => JsonText::line(out, &lines.collect::<Vec<_>>())?,
        ListFormat::Text => {
            let paint = out.paint();
            for line in lines {
                writeln!(out, "{}", paint.bold(line.name))?;
                writeln!(out, "{}", wrap(line.about, 2))?;
                for example in line.example.lines() {
                    writeln!(out, "    {}", paint.dim(example))?;
                }
            }
            let hint = "The format is found out from the content; --from NAME says it outright.";
            writeln!(out, "\n{hint}")?;
        }
    }
    Ok(Status::Clean)
}
