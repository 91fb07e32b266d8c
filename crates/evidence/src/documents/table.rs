//! Tables: a row is a passage, its cells named by the head of the table.

use bytes::Bytes;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use rebuttal_model::{Passage, Place, ProblemKind};

use super::Tell;
use crate::limits;

/// The rows of a table in text. A row that is broken costs itself.
pub(super) fn csv(name: &str, text: &str, separator: char, tell: Tell<'_>) -> Vec<Passage> {
    let mut reader = csv::ReaderBuilder::new();
    reader.delimiter(u8::try_from(separator).unwrap_or(b',')).flexible(true);
    let mut reader = reader.from_reader(text.as_bytes());
    let head = reader.headers().cloned().unwrap_or_default();
    let mut rows = Rows::new(name);
    for record in reader.records() {
        match record {
            Ok(record) => {
                let cells = record.iter().enumerate();
                rows.add(cells.map(|(at, cell)| (head.get(at).unwrap_or_default(), cell)));
            }
            Err(_) => rows.broken += 1,
        }
        if rows.is_full() {
            break;
        }
    }
    rows.end(tell)
}

/// Objects, one a line.
pub(super) fn jsonl(name: &str, text: &str, tell: Tell<'_>) -> Vec<Passage> {
    let mut rows = Rows::new(name);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(serde_json::Value::Object(row)) => {
                let shown = |value: &serde_json::Value| match value {
                    serde_json::Value::String(text) => text.clone(),
                    serde_json::Value::Null => String::new(),
                    other => other.to_string(),
                };
                let cells: Vec<(String, String)> =
                    row.iter().map(|(name, value)| (name.clone(), shown(value))).collect();
                rows.add(cells.iter().map(|(name, cell)| (name.as_str(), cell.as_str())));
            }
            _ => rows.broken += 1,
        }
        if rows.is_full() {
            break;
        }
    }
    rows.end(tell)
}

/// The rows of a Parquet file.
pub(super) fn parquet(name: &str, bytes: &[u8], tell: Tell<'_>) -> Result<Vec<Passage>, String> {
    let said = |error: parquet::errors::ParquetError| format!("is no whole Parquet file: {error}");
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).map_err(said)?;
    let mut rows = Rows::new(name);
    for row in reader.get_row_iter(None).map_err(said)? {
        match row {
            Ok(row) => {
                let cells: Vec<(String, String)> = row
                    .get_column_iter()
                    .map(|(name, field)| (name.clone(), field.to_string()))
                    .collect();
                let plain = |cell: &'_ str| cell.trim_matches('"').to_owned();
                let cells: Vec<(String, String)> =
                    cells.into_iter().map(|(name, cell)| (name, plain(&cell))).collect();
                rows.add(cells.iter().map(|(name, cell)| (name.as_str(), cell.as_str())));
            }
            Err(_) => rows.broken += 1,
        }
        if rows.is_full() {
            break;
        }
    }
    Ok(rows.end(tell))
}

struct Rows<'n> {
    name: &'n str,
    number: u32,
    broken: usize,
    found: Vec<Passage>,
}

impl<'n> Rows<'n> {
    fn new(name: &'n str) -> Self {
        Self { name, number: 0, broken: 0, found: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= limits::ROWS
    }

    /// "region: North; quarter: Q3 2023", cut where it is too long to be shown.
    fn add<'c>(&mut self, cells: impl Iterator<Item = (&'c str, &'c str)>) {
        self.number = self.number.saturating_add(1);
        let filled = cells.filter(|(_, cell)| !cell.trim().is_empty());
        let shown = |(name, cell): (&str, &str)| match name.trim() {
            "" => cell.trim().to_owned(),
            name => format!("{name}: {}", cell.trim()),
        };
        let mut text = filled.map(shown).collect::<Vec<_>>().join("; ");
        text.truncate(text.floor_char_boundary(limits::PASSAGE_CHARS));
        if !text.is_empty() {
            self.found.push(Passage::new(self.name, Place::Row(self.number), &text));
        }
    }

    fn end(self, tell: Tell<'_>) -> Vec<Passage> {
        if self.is_full() {
            let message = format!("only its first {} rows are read, the limit", limits::ROWS);
            tell(ProblemKind::Limit, message);
        }
        if self.broken > 0 {
            tell(ProblemKind::Malformed, format!("{} rows cannot be read", self.broken));
        }
        self.found
    }
}
