//! `rebuttal config`: the effective values, and where each came from.

use std::io::Write;

use anyhow::Result;
use rebuttal::config::{Config, ConfigFile, Detailed, Entry, NamedBy, USUAL, VARIABLE, entries};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::args::ListFormat;
use crate::output::{Output, Status};
use crate::report::JsonText;
use crate::terminal::one_line;

/// The whole in JSON.
#[derive(Debug, Serialize)]
struct Shown {
    /// `null` where no file was read.
    file: Option<ShownFile>,
    values: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct ShownFile {
    path: String,
    named_by: &'static str,
}

/// Prints the configuration.
pub(crate) fn run(config: &Config, format: ListFormat, out: &mut Output) -> Result<Status> {
    match format {
        ListFormat::Json => {
            let file = config.file.as_ref().map(|file| ShownFile {
                path: file.path.display().to_string(),
                named_by: named_by(file.named_by),
            });
            let values = entries(config, Detailed::All)?;
            JsonText::line(out, &Shown { file, values })?;
        }
        ListFormat::Text => {
            writeln!(out, "{}\n", head(config.file.as_ref()))?;
            let lines = entries(config, Detailed::Changed)?;
            let width = lines.iter().map(|line| line.text.width()).max().unwrap_or_default();
            let names = lines.iter().map(|line| line.name.width()).max().unwrap_or_default() + 2;
            let paint = out.paint();
            for line in &lines {
                let blanks = " ".repeat(width.saturating_sub(line.text.width()));
                let gap = " ".repeat(names.saturating_sub(line.name.width()));
                let (name, text) = (format!("{}{gap}", line.name), &line.text);
                let from = line.line.map_or(line.from.clone(), |line| format!("line {line}"));
                writeln!(out, "{}{text}{blanks}  {}", paint.bold(name), paint.dim(from))?;
            }
        }
    }
    Ok(Status::Clean)
}

fn named_by(by: NamedBy) -> &'static str {
    match by {
        NamedBy::Flag => "--config",
        NamedBy::Variable => VARIABLE,
        NamedBy::Folder => "working folder",
        NamedBy::User => "the user's own",
    }
}

/// Which file was read, and why that one.
fn head(file: Option<&ConfigFile>) -> String {
    match file {
        Some(ConfigFile { path, named_by: by, .. }) => {
            format!("Read from {} ({}).", one_line(&path.display().to_string()), named_by(*by))
        }
        None => format!(
            "No configuration file: no --config, no {VARIABLE}, no {USUAL} in the working folder."
        ),
    }
}
