//! What a statement is given: a list of values that both engines understand.

use std::borrow::Cow;
use std::sync::Arc;

use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, Encode, Type};

/// The values of `$1`, `$2`, …
#[derive(Debug, Default)]
pub(crate) struct Args(Vec<Arg>);

/// A value of a statement, in the types that both engines have.
#[derive(Debug)]
enum Arg {
    Int(Option<i64>),
    Real(Option<f64>),
    /// Shared, because SQLite's driver takes such a text without a copy.
    Text(Option<Arc<str>>),
    Bytes(Vec<u8>),
}

impl Args {
    /// No values yet.
    pub(crate) fn none() -> Self {
        Self::default()
    }

    /// None yet, and room for so many.
    pub(crate) fn room(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    /// Adds a whole number, or NULL.
    #[must_use]
    pub(crate) fn int(mut self, value: impl Into<Option<i64>>) -> Self {
        self.0.push(Arg::Int(value.into()));
        self
    }

    /// A count or a place: nothing of ours comes near `i64::MAX`.
    #[must_use]
    pub(crate) fn count(self, value: u64) -> Self {
        self.int(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// Adds a number, or NULL.
    #[must_use]
    pub(crate) fn real(mut self, value: impl Into<Option<f64>>) -> Self {
        self.0.push(Arg::Real(value.into()));
        self
    }

    /// Adds a text, or NULL. A NUL inside it, which PostgreSQL refuses, is replaced.
    #[must_use]
    pub(crate) fn text<'t>(mut self, value: impl Into<Option<&'t str>>) -> Self {
        self.0.push(Arg::Text(value.into().map(|text| clean(text).into())));
        self
    }

    /// Rows for one statement, as JSON that `json_each` or `json_to_recordset` takes apart.
    #[must_use]
    pub(crate) fn json(mut self, rows: &impl serde::Serialize) -> Self {
        // Rows are texts and finite numbers, which always can be written.
        self.0.push(Arg::Text(serde_json::to_string(rows).ok().map(Arc::from)));
        self
    }

    /// Adds bytes.
    #[must_use]
    pub(crate) fn bytes(mut self, value: &[u8]) -> Self {
        self.0.push(Arg::Bytes(value.to_vec()));
        self
    }

    /// The values as SQLite takes them.
    pub(super) fn sqlite(self) -> SqliteArguments {
        let mut arguments = SqliteArguments::default();
        arguments.reserve(self.0.len(), 0);
        self.0.into_iter().for_each(|arg| match arg {
            Arg::Int(value) => add::<SqliteArguments, _>(&mut arguments, value),
            Arg::Real(value) => add::<SqliteArguments, _>(&mut arguments, value),
            Arg::Text(value) => add::<SqliteArguments, _>(&mut arguments, value),
            Arg::Bytes(value) => add::<SqliteArguments, _>(&mut arguments, value),
        });
        arguments
    }

    /// The values as PostgreSQL takes them.
    pub(super) fn postgres(self) -> PgArguments {
        let mut arguments = PgArguments::default();
        self.0.into_iter().for_each(|arg| match arg {
            Arg::Int(value) => add::<PgArguments, _>(&mut arguments, value),
            Arg::Real(value) => add::<PgArguments, _>(&mut arguments, value),
            Arg::Text(value) => {
                add::<PgArguments, _>(&mut arguments, value.map(|text| text.to_string()));
            }
            Arg::Bytes(value) => add::<PgArguments, _>(&mut arguments, value),
        });
        arguments
    }
}

/// Adds one value; encoding these types cannot fail.
fn add<A, T>(arguments: &mut A, value: T)
where
    A: Arguments,
    T: for<'t> Encode<'t, A::Database> + Type<A::Database>,
{
    // Numbers, texts and bytes always can be encoded; if ever not, the statement fails for want
    // of the argument.
    let _ = arguments.add(value);
}

/// PostgreSQL has no text with NUL in it. The journal keeps the bytes as they came.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{FFFD}").into() } else { text.into() }
}
