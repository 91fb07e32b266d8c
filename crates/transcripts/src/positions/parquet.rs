//! Positions as Apache Parquet, read batch by batch.

mod write;

use std::borrow::Cow;
use std::io;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema, TimeUnit};
use jiff::Timestamp;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::reader::ChunkReader;
use rebuttal_model::ProblemKind;

pub(super) use write::Batches;

use super::fields::{FIELDS, Field, Row};
use super::{Cx, Source};

/// Rows read at a time.
const BATCH: usize = 1_024;

pub(super) fn is_parquet(first: &[u8]) -> bool {
    first.starts_with(b"PAR1")
}

/// The rows of a Parquet file.
pub(super) struct Rows {
    reader: ParquetRecordBatchReader,
    /// Which column of a batch holds which field.
    columns: Vec<(Field, usize)>,
    /// Rows read so far.
    done: u32,
}

/// Finds the columns; what is no file of positions is said, and ends.
pub(super) fn open<'r>(input: impl ChunkReader + 'static, cx: &mut Cx) -> Source<'r> {
    match rows(input) {
        Ok(rows) => Source::Parquet(Box::new(rows)),
        Err((kind, message)) => {
            cx.problem(kind, None, &message);
            Source::End
        }
    }
}

fn rows(input: impl ChunkReader + 'static) -> Result<Rows, (ProblemKind, String)> {
    let broken = |error: parquet::errors::ParquetError| {
        (ProblemKind::Unreadable, format!("is no Parquet that can be read: {error}"))
    };
    // Without the writer's own hints a text is a text, and never a dictionary of texts.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder =
        ParquetRecordBatchReaderBuilder::try_new_with_options(input, options).map_err(broken)?;
    let found = columns(builder.schema())?;
    let mask =
        ProjectionMask::roots(builder.parquet_schema(), found.iter().map(|(_, column)| *column));
    let reader = builder.with_projection(mask).with_batch_size(BATCH).build().map_err(broken)?;
    // The batches hold the chosen columns only, in the order of the file.
    let mut kept: Vec<usize> = found.iter().map(|(_, column)| *column).collect();
    kept.sort_unstable();
    let columns = found
        .into_iter()
        .filter_map(|(field, column)| Some((field, kept.binary_search(&column).ok()?)))
        .collect();
    Ok(Rows { reader, columns, done: 0 })
}

fn columns(schema: &Schema) -> Result<Vec<(Field, usize)>, (ProblemKind, String)> {
    let mut found = Vec::new();
    for (field, names) in FIELDS {
        let place = names.iter().find_map(|name| {
            schema.fields().iter().position(|column| column.name().eq_ignore_ascii_case(name))
        });
        let Some(place) = place else { continue };
        let column = schema.field(place);
        if !is_readable(column.data_type()) {
            let message = format!(
                "its column “{}” holds {}, not texts, numbers or times",
                column.name(),
                column.data_type()
            );
            return Err((ProblemKind::Malformed, message));
        }
        found.push((field, place));
    }
    for (wanted, name) in [(Field::Agent, "agent"), (Field::Claim, "claim")] {
        if !found.iter().any(|(field, _)| *field == wanted) {
            let names: Vec<&str> =
                schema.fields().iter().take(12).map(|column| column.name().as_str()).collect();
            let message = format!("no column is called “{name}”; they are {}", names.join(", "));
            return Err((ProblemKind::Malformed, message));
        }
    }
    Ok(found)
}

fn is_readable(kind: &DataType) -> bool {
    kind.is_integer()
        || matches!(
            kind,
            DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::Float32
                | DataType::Float64
                | DataType::Timestamp(..)
                | DataType::Null
        )
}

impl Rows {
    /// Reads the next batch. False at the end.
    pub(super) fn batch(&mut self, cx: &mut Cx) -> io::Result<bool> {
        let Some(batch) = self.reader.next() else { return Ok(false) };
        let batch = batch.map_err(|error| io::Error::other(error.to_string()))?;
        for i in 0..batch.num_rows() {
            self.done = self.done.saturating_add(1);
            self.row(&batch, i).deliver(self.done, cx);
        }
        Ok(true)
    }

    fn row<'b>(&self, batch: &'b RecordBatch, i: usize) -> Row<'b> {
        let mut row = Row::default();
        for (field, column) in &self.columns {
            if let Some(text) = batch.columns().get(*column).and_then(|array| text(array, i)) {
                row.set(*field, text);
            }
        }
        row
    }
}

/// A cell as text; `None` where it is null.
fn text(array: &dyn Array, i: usize) -> Option<Cow<'_, str>> {
    if array.is_null(i) {
        return None;
    }
    /// The number in a column of numbers, as its digits.
    macro_rules! digits {
        ($kind:ty) => {
            array.as_primitive_opt::<$kind>()?.value(i).to_string().into()
        };
    }
    let text = match array.data_type() {
        DataType::Utf8 => array.as_string_opt::<i32>()?.value(i).into(),
        DataType::LargeUtf8 => array.as_string_opt::<i64>()?.value(i).into(),
        DataType::Utf8View => array.as_string_view_opt()?.value(i).into(),
        DataType::Binary => String::from_utf8_lossy(array.as_binary_opt::<i32>()?.value(i)),
        DataType::LargeBinary => String::from_utf8_lossy(array.as_binary_opt::<i64>()?.value(i)),
        DataType::Float32 => digits!(Float32Type),
        DataType::Float64 => digits!(Float64Type),
        DataType::Int8 => digits!(Int8Type),
        DataType::Int16 => digits!(Int16Type),
        DataType::Int32 => digits!(Int32Type),
        DataType::Int64 => digits!(Int64Type),
        DataType::UInt8 => digits!(UInt8Type),
        DataType::UInt16 => digits!(UInt16Type),
        DataType::UInt32 => digits!(UInt32Type),
        DataType::UInt64 => digits!(UInt64Type),
        DataType::Timestamp(unit, _) => time(array, *unit, i)?.into(),
        _ => return None,
    };
    Some(text)
}

/// A time in the form that texts have. One that no calendar holds is its number.
fn time(array: &dyn Array, unit: TimeUnit, i: usize) -> Option<String> {
    let (number, at) = match unit {
        TimeUnit::Millisecond => {
            let number = array.as_primitive_opt::<TimestampMillisecondType>()?.value(i);
            (number, Timestamp::from_millisecond(number))
        }
        TimeUnit::Microsecond => {
            let number = array.as_primitive_opt::<TimestampMicrosecondType>()?.value(i);
            (number, Timestamp::from_microsecond(number))
        }
        TimeUnit::Nanosecond => {
            let number = array.as_primitive_opt::<TimestampNanosecondType>()?.value(i);
            (number, Timestamp::from_nanosecond(i128::from(number)))
        }
        // Parquet has no seconds.
        TimeUnit::Second => return None,
    };
    Some(at.map_or_else(|_| format!("{number} {unit:?}s"), |at| at.to_string()))
}
