//! Positions, written one at a time.

use std::io::{self, Write};

use jiff::Timestamp;
use rebuttal_model::{Cause, Confidence, DebateId, Ending, Position, Span, TurnId, Whose};
use serde::Serialize;

use super::PositionFormat;
use super::csv::armed;
use super::fields::FIELDS;
use super::parquet::Batches;

/// Writes positions as [`crate::PositionReader`] reads them back, to the last digit.
///
/// In CSV a cell that begins like a formula gets a `'` before it, which the reader takes away.
#[derive(Debug)]
pub struct PositionWriter<'w>(Kind<'w>);

enum Kind<'w> {
    Jsonl(Box<dyn Write + Send + 'w>),
    Csv(Box<dyn Write + Send + 'w>),
    Parquet(Box<Batches<'w>>),
}

impl std::fmt::Debug for Kind<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Jsonl(_) => "Jsonl",
            Self::Csv(_) => "Csv",
            Self::Parquet(_) => "Parquet",
        })
    }
}

impl<'w> PositionWriter<'w> {
    /// Begins a file.
    pub fn new(format: PositionFormat, out: impl Write + Send + 'w) -> io::Result<Self> {
        let mut out: Box<dyn Write + Send + 'w> = Box::new(out);
        Ok(Self(match format {
            PositionFormat::Jsonl => Kind::Jsonl(out),
            PositionFormat::Csv => {
                let names: Vec<&str> =
                    FIELDS.iter().filter_map(|(_, names)| names.first().copied()).collect();
                writeln!(out, "{}", names.join(","))?;
                Kind::Csv(out)
            }
            PositionFormat::Parquet => Kind::Parquet(Box::new(Batches::new(out)?)),
        }))
    }

    /// Writes a position of which it is not known how it turned out.
    pub fn write(&mut self, position: &Position) -> io::Result<()> {
        self.write_ended(position, None)
    }

    /// Writes a position and how it turned out.
    pub fn write_ended(&mut self, position: &Position, ending: Option<Ending>) -> io::Result<()> {
        match &mut self.0 {
            Kind::Jsonl(out) => {
                serde_json::to_writer(&mut *out, &Object { position, ending })?;
                out.write_all(b"\n")
            }
            Kind::Csv(out) => csv_row(position, ending, out),
            Kind::Parquet(batches) => batches.push(position, ending),
        }
    }

    /// Ends the file. Without this a Parquet file is not one.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Kind::Jsonl(mut out) | Kind::Csv(mut out) => out.flush(),
            Kind::Parquet(batches) => batches.finish(),
        }
    }
}

/// A line of JSONL.
#[derive(Serialize)]
struct Object<'p> {
    #[serde(flatten)]
    position: &'p Position,
    #[serde(flatten)]
    ending: Option<Ending>,
}

pub(super) fn whose(whose: Whose) -> &'static str {
    match whose {
        Whose::Stated => "stated",
        Whose::Detector => "detector",
        Whose::Calibrated => "calibrated",
    }
}

pub(super) fn causes(position: &Position) -> String {
    let words: Vec<&str> = position.exposed_to.iter().map(|cause: &Cause| cause.as_str()).collect();
    words.join(" ")
}

/// In the order of [`FIELDS`].
fn csv_row(position: &Position, ending: Option<Ending>, out: &mut dyn Write) -> io::Result<()> {
    let number =
        |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
    let confidence = position.confidence.map(Confidence::value);
    let resolved_at = ending.and_then(|ending| ending.resolved_at);
    let cells = [
        position.id.as_str().to_owned(),
        position.agent.as_str().to_owned(),
        position.claim.clone(),
        position.question.clone().unwrap_or_default(),
        position.stance.as_str().to_owned(),
        confidence.map_or_else(String::new, |value| value.to_string()),
        position.confidence.map_or("", |confidence| whose(confidence.whose())).to_owned(),
        position.debate.as_ref().map_or("", DebateId::as_str).to_owned(),
        number(position.round.map(|round| round as usize)),
        number(position.turn.map(TurnId::index)),
        number(position.span.map(Span::start)),
        number(position.span.map(Span::end)),
        position.domain.clone().unwrap_or_default(),
        position.at.to_string(),
        causes(position),
        ending.map_or("", |ending| ending.outcome.as_str()).to_owned(),
        resolved_at.map_or_else(String::new, |at: Timestamp| at.to_string()),
    ];
    let cells: Vec<String> = cells.iter().map(|cell| quoted(&armed(cell))).collect();
    writeln!(out, "{}", cells.join(","))
}

fn quoted(cell: &str) -> String {
    let special = [',', ';', '|', '\t', '"', '\n', '\r'];
    let is_bare = !cell.contains(special) && cell.trim() == cell;
    if is_bare { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}
