//! The store: one open database and how it is used.

use std::sync::Arc;
use std::time::Duration;

use crate::lease::{Acquired, LeaseClock};
use crate::sql::{Db, Durability, Engine, connect};
use crate::{Location, Result};

/// How a database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// How durable single events are; see [`Durability`]. Imports say so for themselves.
    pub durability: Durability,
    /// How long to wait for a writer of another process.
    pub wait: Duration,
    /// How many may read at the same time.
    pub readers: u32,
    /// How long a lease holds without being renewed: who has not been heard of for so long may be
    /// taken over.
    pub lease: Duration,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Full,
            wait: Duration::from_secs(10),
            readers: 4,
            lease: Duration::from_secs(30),
        }
    }
}

/// An open store. Everything it does is one transaction; dropped half-way, it did not happen.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("made/on/first/use.db");
/// use rebuttal_model::{AgentId, Position};
/// use rebuttal_store::{Durability, Location, StoreOptions, Store};
/// use jiff::Timestamp;
///
/// let store = Store::open(&Location::file(path), StoreOptions::default()).await?;
/// let at: Timestamp = "2026-11-16T08:00:00Z".parse().unwrap();
/// let position = Position::new(AgentId::new("claude"), "Caching is safe.", at);
/// let inserted = store.insert_positions(at, vec![position.clone()], Durability::Full).await?;
/// assert_eq!(inserted.added, 1);
/// assert_eq!(store.insert_positions(at, vec![position], Durability::Full).await?.same, 1);
/// # Ok::<(), rebuttal_store::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug)]
pub struct Store {
    pub(crate) db: Arc<Db>,
    pub(crate) durability: Durability,
    pub(crate) clock: LeaseClock,
    pub(crate) acquired: Acquired,
    pub(crate) lease_length: Duration,
}

impl Store {
    /// Opens a database, made on first use with its folder, and brings its tables up to date.
    pub async fn open(location: &Location, options: StoreOptions) -> Result<Self> {
        let db = connect(location, options.wait, options.readers).await?;
        let store = Self {
            db: Arc::new(db),
            durability: options.durability,
            clock: LeaseClock::default(),
            acquired: Acquired::default(),
            lease_length: options.lease,
        };
        store.prepare_debates().await?;
        Ok(store)
    }

    /// Which database it is.
    pub fn location(&self) -> &Location {
        &self.db.location
    }

    /// How many SQL statements went out so far, so that tests can hold a query to a number.
    pub fn statements(&self) -> u64 {
        self.db.statements()
    }

    /// Closes all connections, once whoever uses them is done. The last one to close an SQLite file
    /// moves its log into it, so that the file alone holds everything.
    pub async fn close(&self) {
        match self.db.engine() {
            Engine::Sqlite { writer, readers, .. } => {
                readers.close().await;
                writer.close().await;
            }
            Engine::Postgres(pool) => pool.close().await,
        }
    }
}
