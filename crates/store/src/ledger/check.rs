//! Whether the tables are what the journal says: they are derived a second time, beside, and compared
//! row by row.
//!
//! The second time is a scratch database in the system's temporary folder, so that memory stays the
//! same whatever the size, nobody is kept from writing, and a database that may only be read can be
//! checked. Both sides are read in the order of their keys, a page at a time.

use std::cmp::Ordering;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering as Memory};

use rebuttal_model::StreamId;

use super::tables::{Kind, LISTS, TABLES, Table};
use super::{Fold, PositionKeys, write_keys};
use crate::journal::record;
use crate::sql::{Args, Row, Sql};
use crate::{Differs, Durability, Error, Location, Result, Store, StoreOptions};

/// How many records the tables claim to hold.
const FOLDED: &str = "SELECT folded FROM ledger_state";

/// A flip that nobody owes the knowledge store was lost on the way there.
const NOT_OWED: &str = "SELECT f.id FROM detected_flips AS f
    LEFT JOIN outbox AS o ON o.flip_id = f.id WHERE o.flip_id IS NULL ORDER BY f.n LIMIT 1";

/// One fault is enough to name. PostgreSQL checks its pages as it reads them.
const INTEGRITY: Sql = Sql { sqlite: "PRAGMA integrity_check(1)", postgres: "SELECT 'ok'" };

/// Checks the file without comparing indexes with their tables, which is most of the work.
const STRUCTURE: Sql = Sql { sqlite: "PRAGMA quick_check(1)", postgres: "SELECT 'ok'" };

/// What SQLite answers when it finds nothing wrong.
const WHOLE: &str = "ok";

/// Largest file whose structure is looked at by [`Store::check_small_file`], in bytes.
const SMALL_FILE_BYTES: u64 = 16 << 20;

impl Store {
    /// Asks the engine whether its file is whole, indexes and pages that nobody reads included.
    pub async fn verify_file_structure(&self) -> Result<()> {
        self.ask_engine(INTEGRITY).await
    }

    /// Asks the engine whether every page of its file can be read, if the file is small enough to do so
    /// whenever it is opened.
    pub async fn check_small_file(&self) -> Result<()> {
        let path = self.location().path();
        let bytes = path.and_then(|path| std::fs::metadata(path).ok()).map(|about| about.len());
        match bytes {
            Some(bytes) if bytes <= SMALL_FILE_BYTES => self.ask_engine(STRUCTURE).await,
            _ => Ok(()),
        }
    }

    /// Asks the engine itself whether its files are whole, and fails with its first complaint.
    async fn ask_engine(&self, question: Sql) -> Result<()> {
        let row = self.db.row(question, Args::none()).await?;
        let said = row.map_or(Ok(String::new()), |mut row| row.text())?;
        if said == WHOLE {
            return Ok(());
        }
        let detail = said.lines().map(str::trim).collect::<Vec<_>>().join("; ");
        Err(Error::Corrupt { location: self.location().clone(), detail })
    }

    /// Checks that every row of every derived table follows from the journal, whose records are
    /// [verified](Store::verify) apart from that. The first row that does not is named
    /// ([`Error::Differs`]). `watch` is told how many records were read.
    pub async fn verify_tables(&self, watch: &(dyn Fn(u64) + Sync)) -> Result<()> {
        let folded = self.folded().await?;
        let scratch = Scratch::new();
        let beside = Self::open(&Location::file(&scratch.path), StoreOptions::default()).await?;
        let compared = self.compare(&beside, folded, watch).await;
        beside.close().await;
        match compared {
            // Whoever wrote meanwhile has moved the tables on.
            Err(Error::Differs(_)) if self.folded().await? != folded => Err(Error::Invalid(
                "the ledger was written to while it was checked; check it again".to_owned(),
            )),
            compared => compared,
        }
    }

    /// Begins to check that positions are found under all their keys: the caller makes the keys of all
    /// positions that were looked at a second time.
    pub async fn check_keys(&self) -> Result<KeyCheck<'_>> {
        let scratch = Scratch::new();
        let beside = Self::open(&Location::file(&scratch.path), StoreOptions::default()).await?;
        Ok(KeyCheck { store: self, beside, _scratch: scratch })
    }

    /// How many records the tables claim to hold.
    async fn folded(&self) -> Result<u64> {
        let row = self.db.row(FOLDED, Args::none()).await?;
        row.map_or(Ok(0), |mut row| row.count())
    }

    /// Compares every table with one made anew from the journal, row by row in the order of the
    /// keys.
    async fn compare(
        &self,
        beside: &Self,
        folded: u64,
        watch: &(dyn Fn(u64) + Sync),
    ) -> Result<()> {
        let head = self.head(&StreamId::ledger()).await?.seq;
        if head > folded {
            let detail = format!("they are at record {folded} of {head}");
            return Err(differs("ledger_state", "the only one", detail));
        }
        beside.derive(self, folded, watch).await?;
        for table in &TABLES {
            same(self, beside, table).await?;
        }
        match self.db.row(NOT_OWED, Args::none()).await? {
            None => Ok(()),
            Some(mut row) => {
                let detail = "this flip is not there, and no knowledge store would get it";
                Err(differs("outbox", &row.text()?, detail.to_owned()))
            }
        }
    }

    /// Makes the tables from another store's journal, without the journal.
    async fn derive(&self, from: &Self, last: u64, watch: &(dyn Fn(u64) + Sync)) -> Result<()> {
        let stream = StreamId::ledger();
        let mut done = 0;
        while done < last {
            let page = from.entries(&stream, done).await?;
            if page.is_empty() {
                break;
            }
            let mut tx = self.db.begin(Durability::Fast).await?;
            let mut fold = Fold::begin(&mut tx).await?;
            for entry in page {
                if entry.seq > last {
                    break;
                }
                done = entry.seq;
                fold.record(&mut tx, &record(entry)?).await?;
            }
            fold.finish(&mut tx).await?;
            tx.commit().await?;
            watch(done);
        }
        Ok(())
    }
}

/// The lists of positions by key, made a second time, beside.
#[derive(Debug)]
pub struct KeyCheck<'s> {
    store: &'s Store,
    beside: Store,
    _scratch: Scratch,
}

impl KeyCheck<'_> {
    /// Takes the keys of some more positions, in the order of their numbers.
    pub async fn add(&self, keys: &[PositionKeys]) -> Result<()> {
        let mut tx = self.beside.db.begin(Durability::Fast).await?;
        write_keys(&mut tx, keys, 0).await?;
        tx.commit().await
    }

    /// Compares them with those of the store; the first list that differs is named
    /// ([`Error::Differs`]).
    pub async fn end(self) -> Result<()> {
        let compared = same(self.store, &self.beside, &LISTS).await;
        self.beside.close().await;
        compared
    }
}

/// A file that is gone when it is no longer needed.
#[derive(Debug)]
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A folder for a database that is thrown away.
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Memory::Relaxed);
        let name = format!("rebuttal-verify-{}-{number}.db", std::process::id());
        let scratch = Self { path: std::env::temp_dir().join(name) };
        // A process of that number may have been killed.
        scratch.remove();
        scratch
    }

    /// Removes the folder; what cannot be removed is left to the system.
    fn remove(&self) {
        for end in ["", "-wal", "-shm"] {
            let mut path = self.path.clone().into_os_string();
            path.push(end);
            // What is not there is gone already.
            std::fs::remove_file(path).ok();
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

/// A value of a row.
#[derive(Clone, Debug)]
enum Cell {
    Int(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
}

impl Cell {
    /// Reads a column of a kind.
    fn read(row: &mut Row, kind: Kind) -> Result<Self> {
        Ok(match kind {
            Kind::Int => Self::Int(row.take()?),
            Kind::Real => Self::Real(row.take()?),
            Kind::Text => Self::Text(row.take()?),
        })
    }

    /// Adds the value to a statement's.
    fn bind(&self, args: Args) -> Args {
        match self {
            Self::Int(number) => args.int(*number),
            Self::Real(number) => args.real(*number),
            Self::Text(text) => args.text(text.as_deref()),
        }
    }

    /// Keys have an order, the same on both sides.
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(one), Self::Int(two)) => one.cmp(two),
            (Self::Text(one), Self::Text(two)) => one.cmp(two),
            _ => Ordering::Equal,
        }
    }

    /// Whether two values are one.
    fn is(&self, other: &Self) -> bool {
        /// Two engines may read the last digit of a number in two ways.
        const DIGIT: f64 = 1e-12;
        match (self, other) {
            (Self::Int(one), Self::Int(two)) => one == two,
            (Self::Text(one), Self::Text(two)) => one == two,
            (Self::Real(Some(one)), Self::Real(Some(two))) => {
                (one - two).abs() <= DIGIT * one.abs().max(two.abs()).max(1.0)
            }
            (Self::Real(one), Self::Real(two)) => one.is_none() && two.is_none(),
            _ => false,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 80;
        match self {
            Self::Int(Some(number)) => write!(f, "{number}"),
            Self::Real(Some(number)) => write!(f, "{number}"),
            Self::Text(Some(text)) => write!(f, "“{}”", super::excerpt(text, SHOWN)),
            Self::Int(None) | Self::Real(None) | Self::Text(None) => f.write_str("nothing"),
        }
    }
}

/// The rows of a table in the order of its keys.
struct Walk<'s> {
    store: &'s Store,
    table: &'s Table,
    page: std::vec::IntoIter<Vec<Cell>>,
    /// The keys of the last row of the page; `None` before the first page.
    last: Option<Vec<Cell>>,
    ended: bool,
}

impl<'s> Walk<'s> {
    /// Begins before the first row of a table.
    fn new(store: &'s Store, table: &'s Table) -> Self {
        Self { store, table, page: Vec::new().into_iter(), last: None, ended: false }
    }

    /// The next row in the order of the key.
    async fn next(&mut self) -> Result<Option<Vec<Cell>>> {
        if let Some(row) = self.page.next() {
            return Ok(Some(row));
        }
        if self.ended {
            return Ok(None);
        }
        let rows = match &self.last {
            None => self.store.db.rows(self.table.first, Args::none()).await?,
            Some(keys) => {
                let args = keys.iter().fold(Args::none(), |args, key| key.bind(args));
                self.store.db.rows(self.table.next, args).await?
            }
        };
        let read = |mut row: Row| {
            self.table.kinds.iter().map(|kind| Cell::read(&mut row, *kind)).collect::<Result<_>>()
        };
        let page: Vec<Vec<Cell>> = rows.into_iter().map(read).collect::<Result<_>>()?;
        self.ended = page.is_empty();
        self.last = page.last().and_then(|row| Some(row.get(..self.table.keys)?.to_vec()));
        self.page = page.into_iter();
        Ok(self.page.next())
    }
}

/// Compares a table with the one that was derived beside it.
async fn same(store: &Store, beside: &Store, table: &Table) -> Result<()> {
    let (mut found, mut expected) = (Walk::new(store, table), Walk::new(beside, table));
    loop {
        let pair = (found.next().await?, expected.next().await?);
        let (found, expected) = match &pair {
            (None, None) => return Ok(()),
            (Some(found), None) => return Err(extra(table, found)),
            (None, Some(expected)) => return Err(missing(table, expected)),
            (Some(found), Some(expected)) => (found, expected),
        };
        let keys = found.iter().zip(expected).take(table.keys);
        match keys.map(|(one, two)| one.order(two)).find(|order| order.is_ne()) {
            Some(Ordering::Less) => return Err(extra(table, found)),
            Some(_) => return Err(missing(table, expected)),
            None => {}
        }
        let names = table.names.split(", ").zip(found.iter().zip(expected));
        let other = names.into_iter().find(|(_, (found, expected))| !found.is(expected));
        if let Some((name, (found, expected))) = other {
            let detail = format!("its {name} is {found}, and by the journal {expected}");
            return Err(differs(table.name, &row_name(table, &pair.0.unwrap_or_default()), detail));
        }
    }
}

/// A row that does not follow from the journal.
fn extra(table: &Table, row: &[Cell]) -> Error {
    differs(table.name, &row_name(table, row), "the journal knows nothing of it".to_owned())
}

/// A row that should be there.
fn missing(table: &Table, row: &[Cell]) -> Error {
    differs(table.name, &row_name(table, row), "it is missing".to_owned())
}

/// `n = 3, id = “p-1”`: the keys, and an id where there is one.
fn row_name(table: &Table, row: &[Cell]) -> String {
    let named = table.names.split(", ").zip(row).enumerate();
    let shown = named.filter(|(at, (name, _))| *at < table.keys || *name == "id");
    let parts: Vec<String> = shown.map(|(_, (name, cell))| format!("{name} = {cell}")).collect();
    parts.join(", ")
}

/// A row that is not what follows from the journal.
fn differs(table: &'static str, row: &str, detail: String) -> Error {
    Error::Differs(Box::new(Differs { table, row: row.to_owned(), detail }))
}
