//! Positions, written one at a time.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{
    Float64Builder, StringBuilder, TimestampMicrosecondBuilder, UInt32Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field as Column, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rebuttal_model::{Cause, Confidence, DebateId, Position, Span, TurnId, Whose};

use super::PositionFormat;
use super::csv::armed;
use super::fields::FIELDS;

/// Rows that are collected before Parquet gets them.
const BATCH: usize = 8_192;

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

    /// Writes a position.
    pub fn write(&mut self, position: &Position) -> io::Result<()> {
        match &mut self.0 {
            Kind::Jsonl(out) => {
                serde_json::to_writer(&mut *out, position)?;
                out.write_all(b"\n")
            }
            Kind::Csv(out) => csv_row(position, out),
            Kind::Parquet(batches) => batches.push(position),
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

fn whose(whose: Whose) -> &'static str {
    match whose {
        Whose::Stated => "stated",
        Whose::Detector => "detector",
        Whose::Calibrated => "calibrated",
    }
}

fn causes(position: &Position) -> String {
    let words: Vec<&str> = position.exposed_to.iter().map(|cause: &Cause| cause.as_str()).collect();
    words.join(" ")
}

/// In the order of [`FIELDS`].
fn csv_row(position: &Position, out: &mut dyn Write) -> io::Result<()> {
    let number =
        |number: Option<usize>| number.map_or_else(String::new, |number| number.to_string());
    let confidence = position.confidence.map(Confidence::value);
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
    ];
    let cells: Vec<String> = cells.iter().map(|cell| quoted(&armed(cell))).collect();
    writeln!(out, "{}", cells.join(","))
}

fn quoted(cell: &str) -> String {
    let special = [',', ';', '|', '\t', '"', '\n', '\r'];
    let is_bare = !cell.contains(special) && cell.trim() == cell;
    if is_bare { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

/// Rows on their way to Parquet, by column.
struct Batches<'w> {
    writer: ArrowWriter<Box<dyn Write + Send + 'w>>,
    schema: Arc<Schema>,
    rows: usize,
    texts: [StringBuilder; 9],
    numbers: [UInt32Builder; 4],
    confidence: Float64Builder,
    at: TimestampMicrosecondBuilder,
}

const TEXTS: [&str; 9] = [
    "id",
    "agent",
    "claim",
    "question",
    "stance",
    "confidence_whose",
    "debate_id",
    "domain",
    "exposed_to",
];
const NUMBERS: [&str; 4] = ["round", "turn", "span_start", "span_end"];

impl<'w> Batches<'w> {
    fn new(out: Box<dyn Write + Send + 'w>) -> io::Result<Self> {
        let utc = || DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let mut columns: Vec<Column> =
            TEXTS.iter().map(|name| Column::new(*name, DataType::Utf8, true)).collect();
        columns.extend(NUMBERS.iter().map(|name| Column::new(*name, DataType::UInt32, true)));
        columns.push(Column::new("confidence", DataType::Float64, true));
        columns.push(Column::new("at", utc(), false));
        let schema = Arc::new(Schema::new(columns));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(parquet::basic::ZstdLevel::default()));
        let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties.build()))?;
        Ok(Self {
            writer,
            schema,
            rows: 0,
            texts: std::array::from_fn(|_| StringBuilder::new()),
            numbers: std::array::from_fn(|_| UInt32Builder::new()),
            confidence: Float64Builder::new(),
            at: TimestampMicrosecondBuilder::new().with_timezone("UTC"),
        })
    }

    fn push(&mut self, position: &Position) -> io::Result<()> {
        let exposed_to = causes(position);
        let texts = [
            Some(position.id.as_str()),
            Some(position.agent.as_str()),
            Some(position.claim.as_str()),
            position.question.as_deref(),
            Some(position.stance.as_str()),
            position.confidence.map(|confidence| whose(confidence.whose())),
            position.debate.as_ref().map(DebateId::as_str),
            position.domain.as_deref(),
            Some(exposed_to.as_str()).filter(|text| !text.is_empty()),
        ];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.append_option(text);
        }
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let numbers = [
            position.round,
            position.turn.map(|turn| small(turn.index())),
            position.span.map(|span| small(span.start())),
            position.span.map(|span| small(span.end())),
        ];
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.append_option(number);
        }
        self.confidence.append_option(position.confidence.map(Confidence::value));
        self.at.append_value(position.at.as_microsecond());
        self.rows += 1;
        if self.rows == BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        columns.extend(self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend(self.numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.confidence.finish()));
        columns.push(Arc::new(self.at.finish()));
        self.rows = 0;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)
            .map_err(|error| io::Error::other(error.to_string()))?;
        Ok(self.writer.write(&batch)?)
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.writer.close()?;
        Ok(())
    }
}
