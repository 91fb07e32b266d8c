//! Positions on their way to Parquet, by column.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{
    Float64Builder, StringBuilder, TimestampMicrosecondBuilder, UInt32Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field as Column, Schema, TimeUnit};
use jiff::Timestamp;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rebuttal_model::{Confidence, DebateId, Ending, Position};

use super::super::write::{causes, whose};

/// Rows that are collected before Parquet gets them.
const BATCH: usize = 8_192;

/// Rows on their way to Parquet, by column.
pub(in crate::positions) struct Batches<'w> {
    writer: ArrowWriter<Box<dyn Write + Send + 'w>>,
    schema: Arc<Schema>,
    rows: usize,
    texts: [StringBuilder; 10],
    numbers: [UInt32Builder; 4],
    confidence: Float64Builder,
    at: TimestampMicrosecondBuilder,
    resolved_at: TimestampMicrosecondBuilder,
}

const TEXTS: [&str; 10] = [
    "id",
    "agent",
    "claim",
    "question",
    "stance",
    "confidence_whose",
    "debate_id",
    "domain",
    "exposed_to",
    "outcome",
];
const NUMBERS: [&str; 4] = ["round", "turn", "span_start", "span_end"];

impl<'w> Batches<'w> {
    pub(in crate::positions) fn new(out: Box<dyn Write + Send + 'w>) -> io::Result<Self> {
        let utc = || DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let mut columns: Vec<Column> =
            TEXTS.iter().map(|name| Column::new(*name, DataType::Utf8, true)).collect();
        columns.extend(NUMBERS.iter().map(|name| Column::new(*name, DataType::UInt32, true)));
        columns.push(Column::new("confidence", DataType::Float64, true));
        columns.push(Column::new("at", utc(), false));
        columns.push(Column::new("resolved_at", utc(), true));
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
            resolved_at: TimestampMicrosecondBuilder::new().with_timezone("UTC"),
        })
    }

    pub(in crate::positions) fn push(
        &mut self,
        position: &Position,
        ending: Option<Ending>,
    ) -> io::Result<()> {
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
            ending.map(|ending| ending.outcome.as_str()),
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
        let resolved_at = ending.and_then(|ending| ending.resolved_at);
        self.resolved_at.append_option(resolved_at.map(Timestamp::as_microsecond));
        self.rows += 1;
        if self.rows == BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        columns.extend(self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.extend(self.numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.confidence.finish()));
        columns.push(Arc::new(self.at.finish()));
        columns.push(Arc::new(self.resolved_at.finish()));
        self.rows = 0;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)
            .map_err(|error| io::Error::other(error.to_string()))?;
        Ok(self.writer.write(&batch)?)
    }

    pub(in crate::positions) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.writer.close()?;
        Ok(())
    }
}
