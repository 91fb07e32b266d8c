//! A row that came back, from either engine.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Decode, Row as _, Type};

use crate::{Error, Result};

/// A row. Columns are asked for in the order in which the statement names them.
#[derive(Debug)]
pub(crate) struct Row {
    cells: Cells,
    next: usize,
}

/// A row of one engine.
#[derive(Debug)]
enum Cells {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// Rows as SQLite gives them.
pub(super) fn sqlite(rows: Vec<SqliteRow>) -> Vec<Row> {
    rows.into_iter().map(|row| Row { cells: Cells::Sqlite(row), next: 0 }).collect()
}

/// Rows as PostgreSQL gives them.
pub(super) fn postgres(rows: Vec<PgRow>) -> Vec<Row> {
    rows.into_iter().map(|row| Row { cells: Cells::Postgres(row), next: 0 }).collect()
}

/// What both engines can give.
pub(crate) trait Cell:
    for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

impl<T> Cell for T where
    T: for<'r> Decode<'r, Sqlite> + Type<Sqlite> + for<'r> Decode<'r, Postgres> + Type<Postgres>
{
}

impl Row {
    /// The next column.
    pub(crate) fn take<T: Cell>(&mut self) -> Result<T> {
        let index = self.next;
        self.next += 1;
        let cell = match &self.cells {
            Cells::Sqlite(row) => row.try_get(index),
            Cells::Postgres(row) => row.try_get(index),
        };
        cell.map_err(|error| Error::Invalid(format!("a column cannot be read: {error}")))
    }

    /// The next column, a whole number that is not NULL.
    pub(crate) fn int(&mut self) -> Result<i64> {
        self.take()
    }

    /// A number that is never negative.
    pub(crate) fn count(&mut self) -> Result<u64> {
        Ok(u64::try_from(self.take::<i64>()?).unwrap_or_default())
    }

    /// The next column, a text that is not NULL.
    pub(crate) fn text(&mut self) -> Result<String> {
        self.take()
    }

    /// A word of an enumeration, as serde spells it.
    pub(crate) fn word<T: for<'w> Deserialize<'w>>(&mut self) -> Result<T> {
        word(&self.text()?)
    }
}

/// An enumeration's value from its word.
pub(crate) fn word<T: for<'w> Deserialize<'w>>(text: &str) -> Result<T> {
    let deserializer = IntoDeserializer::<WordError>::into_deserializer(text);
    T::deserialize(deserializer)
        .map_err(|_| Error::Invalid(format!("“{text}” is no word this program knows")))
}
