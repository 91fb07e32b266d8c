//! What can go wrong, to which database, and what to try.

use std::fmt;

#[cfg(feature = "sql")]
use jiff::Timestamp;
use rebuttal_model::{JOURNAL_FORMAT, PositionId, StreamId};
#[cfg(feature = "sql")]
use sqlx::error::DatabaseError;
#[cfg(feature = "sql")]
use sqlx::migrate::MigrateError;

#[cfg(feature = "sql")]
use crate::Holder;
use crate::Location;

/// Why the store could not do what was asked. Nothing was written, unless the message says so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text names no database.
    #[error("“{given}” names no database: {why}")]
    Location {
        /// What was given, without passwords.
        given: String,
        /// The part that is missing.
        why: &'static str,
    },
    /// The database was made by a later version of Rebuttal.
    #[error(
        "{location} has version {theirs} of the tables and this program knows up to {ours}: it was \
         written by a newer Rebuttal. Update this one, or name another database"
    )]
    Newer {
        /// The database.
        location: Location,
        /// The version it has.
        theirs: i64,
        /// The last version this program knows.
        ours: i64,
    },
    /// The file exists and is not a database of ours.
    #[error("{location} is not a Rebuttal database ({detail}). Name another file, or move it away")]
    Foreign {
        /// The database file.
        location: Location,
        /// How that was seen.
        detail: String,
    },
    /// The file is damaged.
    #[error(
        "{location} is damaged ({detail}). Copy the file before anything else; where the journal \
         can still be read, `rebuttal db rebuild` makes the tables anew, else go back to a backup"
    )]
    Corrupt {
        /// The database.
        location: Location,
        /// What the engine said.
        detail: String,
    },
    /// Somebody else is writing for too long.
    #[error("{location} is locked by another process. Wait until it is done, and try again")]
    Locked {
        /// The database.
        location: Location,
    },
    /// It may not be written.
    #[error(
        "{location} cannot be written ({detail}). Give write permission to the file and its folder"
    )]
    ReadOnly {
        /// The database.
        location: Location,
        /// What the engine said.
        detail: String,
    },
    /// The disk is full.
    #[error(
        "the disk of {location} is full. Free some space and run the same again; nothing was lost"
    )]
    Full {
        /// The database.
        location: Location,
    },
    /// The file cannot be opened or made.
    #[error("{location} cannot be opened ({detail})")]
    Open {
        /// The database.
        location: Location,
        /// What the system said.
        detail: String,
    },
    /// The server does not answer, or broke the connection off.
    #[error(
        "{location} cannot be reached ({detail}). Is the server running, and the address right?"
    )]
    Unreachable {
        /// The database.
        location: Location,
        /// What the system said.
        detail: String,
    },
    /// The server answers and refuses.
    #[error("{location} refuses ({detail}). Check user, password and the database's name")]
    Refused {
        /// The database.
        location: Location,
        /// What the server said.
        detail: String,
    },
    /// Somebody else wrote to the stream first.
    #[error(
        "“{stream}” has {found} records, not {expected}: somebody else wrote first. Read what is new, and decide again"
    )]
    Conflict {
        /// The stream.
        stream: StreamId,
        /// How many records the caller had seen.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// Somebody else runs the debate.
    #[cfg(feature = "sql")]
    #[error(
        "“{stream}” is being run by {holder}. Wait until it ends; if that process stops responding, it \
         can be taken over at {until:.0}"
    )]
    Leased {
        /// The stream.
        stream: StreamId,
        /// Who, and since when.
        holder: Holder,
        /// When it can be taken over, if it is not renewed until then.
        until: Timestamp,
    },
    /// Somebody else has taken the debate over.
    #[cfg(feature = "sql")]
    #[error(
        "“{stream}” was taken over{} because this process did not renew its lease in time. What it \
         had written stands, and nothing more was written", by(.holder.as_ref())
    )]
    Overtaken {
        /// The stream.
        stream: StreamId,
        /// Who took it over, where that is known.
        holder: Option<Holder>,
    },
    /// A journal that was changed after it was written.
    #[error("{0}")]
    Broken(#[from] Broken),
    /// A table that does not follow from the journal.
    #[error("{0}")]
    Differs(Box<Differs>),
    /// What was given cannot be taken.
    #[error("{0}")]
    Invalid(String),
    /// A position that the ledger does not have.
    #[error("there is no position “{0}” in the ledger")]
    NoPosition(PositionId),
    /// A file of a journal that cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// Whatever else the engine says.
    #[error("{location}: {detail}")]
    Database {
        /// The database.
        location: Location,
        /// What the engine said.
        detail: String,
    },
}

impl Error {
    /// True when the same call may succeed later without anybody doing anything.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Locked { .. } | Self::Unreachable { .. })
    }

    /// True when somebody else runs the debate, or has taken it over.
    #[cfg(feature = "sql")]
    pub fn is_leased(&self) -> bool {
        matches!(self, Self::Leased { .. } | Self::Overtaken { .. })
    }

    /// True when there is no space left to write.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Full { .. })
    }

    /// True when somebody else wrote to the stream first.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Conflict { .. })
    }
}

/// ` by process … on …`, where it is known who holds the lease.
#[cfg(feature = "sql")]
fn by(holder: Option<&Holder>) -> String {
    holder.map_or_else(String::new, |holder| format!(" by {holder}"))
}

#[cfg(feature = "sql")]
impl Error {
    /// What an engine's error means for the user.
    pub(crate) fn from_sqlx(error: sqlx::Error, location: &Location) -> Self {
        let location = location.clone();
        match error {
            sqlx::Error::Database(error) => Self::from_engine(&*error, location),
            sqlx::Error::Io(error) => Self::Unreachable { location, detail: error.to_string() },
            sqlx::Error::Tls(error) => Self::Unreachable { location, detail: error.to_string() },
            sqlx::Error::PoolTimedOut if location.path().is_some() => Self::Locked { location },
            sqlx::Error::PoolTimedOut => {
                let detail = "no answer in time".to_owned();
                Self::Unreachable { location, detail }
            }
            // The text of a configuration error may repeat parts of the URL.
            sqlx::Error::Configuration(_) => {
                let detail = "its address is not a valid URL".to_owned();
                Self::Refused { location, detail }
            }
            sqlx::Error::Migrate(error) => match *error {
                MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                    Self::from_sqlx(error, &location)
                }
                other => Self::Database { location, detail: other.to_string() },
            },
            other => Self::Database { location, detail: other.to_string() },
        }
    }

    /// Sorts an engine's error by its code into what a caller can act on: busy, full, damaged, or
    /// other.
    fn from_engine(error: &dyn DatabaseError, location: Location) -> Self {
        let detail = error.message().to_owned();
        let code = error.code().unwrap_or_default();
        if location.path().is_some() {
            // The low byte is the kind, the rest says more about it.
            let kind = code.parse::<i32>().unwrap_or_default() & 0xff;
            return match kind {
                5 | 6 => Self::Locked { location },
                8 => Self::ReadOnly { location, detail },
                11 => Self::Corrupt { location, detail },
                13 => Self::Full { location },
                14 => Self::Open { location, detail },
                26 => Self::Foreign { location, detail },
                _ => Self::Database { location, detail },
            };
        }
        match &*code {
            "53100" => Self::Full { location },
            "25006" | "42501" => Self::ReadOnly { location, detail },
            "XX001" | "XX002" => Self::Corrupt { location, detail },
            "40001" | "40P01" | "55P03" => Self::Locked { location },
            "57P01" | "57P02" | "57P03" | "53300" => Self::Unreachable { location, detail },
            code if code.starts_with("28") || code == "3D000" => Self::Refused { location, detail },
            code if code.starts_with("08") => Self::Unreachable { location, detail },
            _ => Self::Database { location, detail },
        }
    }
}

/// The first row of a derived table that is not what the journal says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    /// The table.
    pub table: &'static str,
    /// Which row, by its key.
    pub row: String,
    /// The entry in which they differ.
    pub detail: String,
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, row, detail } = self;
        // The detector's index is made by looking at every position.
        let flips = if *table == "position_lists" { " --flips" } else { "" };
        write!(
            f,
            "the table “{table}” does not follow from the journal, first at the row {row}: {detail}. \
             The journal is whole: `rebuttal db rebuild{flips}` makes the tables anew"
        )
    }
}

/// The first record of a stream that is not what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which stream; a file's is what its records say.
    pub stream: StreamId,
    /// The number of the first bad record, counted from 1; one past the last where records are
    /// missing at the end.
    pub seq: u64,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Its bytes do not give its hash.
    Changed,
    /// It does not carry the hash of the record before it: one was put in, taken out or moved.
    Unchained,
    /// Its number is not the next one.
    Misplaced {
        /// The number it has.
        found: u64,
    },
    /// It belongs to another stream.
    Stray {
        /// The stream it says it is of.
        found: StreamId,
    },
    /// It fits the chain and is another than the one that was kept as the head: the chain was
    /// made anew.
    Rewritten,
    /// It is missing: the stream should go on to this number.
    Missing {
        /// The number of the last record there should be.
        last: u64,
    },
    /// It comes after the head: it was added by something else than the store.
    Extra,
    /// It begins a debate of a later format than this program can read.
    Newer {
        /// The format of the record.
        format: u32,
    },
    /// It cannot be read as a record at all.
    Unreadable {
        /// Why not.
        detail: String,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Fault::Newer { format } = &self.fault {
            return write!(
                f,
                "“{}” has journal format {format}, and this program knows up to {JOURNAL_FORMAT}: it \
                 was written by a newer Rebuttal. Update this one to read it",
                self.stream
            );
        }
        write!(f, "record {} of “{}” is not what was written: ", self.seq, self.stream)?;
        match &self.fault {
            Fault::Newer { .. } => Ok(()),
            Fault::Changed => f.write_str("its content does not give its hash"),
            Fault::Unchained => f.write_str(
                "it does not follow the record before it; something was put in, taken out or moved",
            ),
            Fault::Misplaced { found } => write!(f, "it is numbered {found}"),
            Fault::Stray { found } => write!(f, "it belongs to “{found}”"),
            Fault::Rewritten => f.write_str("it is another one than the head that was kept"),
            Fault::Missing { last } => {
                write!(f, "it is missing; the last one should be record {last}")
            }
            Fault::Extra => f.write_str("it stands after the end of the stream"),
            Fault::Unreadable { detail } => f.write_str(detail),
        }
    }
}

impl std::error::Error for Broken {}
