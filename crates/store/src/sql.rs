//! The one place that talks to an engine: statements out, rows in, for SQLite and PostgreSQL alike.
//!
//! Almost every statement is the same text for both engines; where it cannot be, a [`Sql`] holds
//! one for each. Statements go out through three functions, which count them, so that tests can
//! hold a query to a number of statements.

mod args;
mod connect;
mod row;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::postgres::{PgPool, Postgres};
use sqlx::sqlite::{Sqlite, SqlitePool};
use sqlx::{Executor, Transaction};
use tokio::sync::{Mutex, OwnedMutexGuard};

pub(crate) use args::{Args, clean};
pub(crate) use connect::connect;
pub(crate) use row::{Row, word};

use crate::{Error, Location, Result};

/// A statement, by engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sql {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

impl From<&'static str> for Sql {
    /// One text for both engines.
    fn from(text: &'static str) -> Self {
        Self { sqlite: text, postgres: text }
    }
}

/// How sure a commit must be before the caller goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// On the disk: it survives a loss of power. For live debates.
    #[default]
    Full,
    /// It survives the death of the process; a loss of power may cost the last moments, never
    /// the order. For imports, which can be run again.
    Fast,
}

/// An open database.
#[derive(Debug)]
pub(crate) struct Db {
    engine: Engine,
    pub(crate) location: Location,
    statements: AtomicU64,
}

/// Which engine, where a statement is made before there is somebody to send it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EngineKind {
    Sqlite,
    Postgres,
}

/// The pools of connections, by engine.
#[derive(Debug)]
pub(crate) enum Engine {
    Sqlite {
        /// One connection: SQLite has one writer at a time, and ours wait in a fair queue.
        writer: SqlitePool,
        readers: SqlitePool,
        /// Held by whoever writes; knows how durable the writer's commits are now.
        turn: Arc<Mutex<Durability>>,
    },
    Postgres(PgPool),
}

impl Db {
    /// A database that was opened.
    fn new(engine: Engine, location: Location) -> Self {
        Self { engine, location, statements: AtomicU64::new(0) }
    }

    /// How many statements went out so far.
    pub(crate) fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Counts a statement, for tests that bound how many an operation takes.
    fn count(&self) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }

    /// An error of the engine, with the place it happened at.
    fn fail(&self, error: sqlx::Error) -> Error {
        Error::from_sqlx(error, &self.location)
    }

    /// Which engine it is, for the few statements that differ.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The rows of a statement that only reads.
    pub(crate) async fn rows(&self, sql: impl Into<Sql>, args: Args) -> Result<Vec<Row>> {
        self.count();
        let sql = sql.into();
        let rows = match &self.engine {
            Engine::Sqlite { readers, .. } => {
                let query = sqlx::query_with(sql.sqlite, args.sqlite());
                readers.fetch_all(query).await.map(row::sqlite)
            }
            Engine::Postgres(pool) => {
                let query = sqlx::query_with(sql.postgres, args.postgres());
                pool.fetch_all(query).await.map(row::postgres)
            }
        };
        rows.map_err(|error| self.fail(error))
    }

    /// Reads on the writer, for work that alternates between reading and writing: every commit of a writer makes
    /// SQLite's other connections forget the pages that they have read, while the writer knows them
    /// still. Must not be asked for while this task has a transaction open.
    pub(crate) async fn rows_by_writer(&self, sql: impl Into<Sql>, args: Args) -> Result<Vec<Row>> {
        let Engine::Sqlite { writer, turn, .. } = &self.engine else {
            return self.rows(sql, args).await;
        };
        self.count();
        let _turn = turn.lock().await;
        let query = sqlx::query_with(sql.into().sqlite, args.sqlite());
        let rows = writer.fetch_all(query).await.map(row::sqlite);
        rows.map_err(|error| self.fail(error))
    }

    /// The first row of a statement that only reads.
    pub(crate) async fn row(&self, sql: impl Into<Sql>, args: Args) -> Result<Option<Row>> {
        Ok(self.rows(sql, args).await?.into_iter().next())
    }

    /// Begins to write. Nobody else of this process writes to an SQLite file until the
    /// transaction is committed or dropped; dropped, it never happened.
    pub(crate) async fn begin(&self, durability: Durability) -> Result<Tx<'_>> {
        let begun = match &self.engine {
            Engine::Sqlite { writer, turn, .. } => begin_sqlite(writer, turn, durability)
                .await
                .map(|(tx, turn)| Begun::Sqlite { tx, _turn: turn }),
            Engine::Postgres(pool) => begin_postgres(pool, durability).await.map(Begun::Postgres),
        };
        Ok(Tx { begun: begun.map_err(|error| self.fail(error))?, db: self })
    }
}

/// A transaction that writes.
#[derive(Debug)]
pub(crate) struct Tx<'d> {
    begun: Begun,
    db: &'d Db,
}

/// A transaction of one engine.
#[derive(Debug)]
enum Begun {
    Sqlite { tx: Transaction<'static, Sqlite>, _turn: OwnedMutexGuard<Durability> },
    Postgres(Transaction<'static, Postgres>),
}

impl Tx<'_> {
    /// The rows of a statement.
    pub(crate) async fn rows(&mut self, sql: impl Into<Sql>, args: Args) -> Result<Vec<Row>> {
        self.db.count();
        let sql = sql.into();
        let rows = match &mut self.begun {
            Begun::Sqlite { tx, .. } => {
                let query = sqlx::query_with(sql.sqlite, args.sqlite());
                tx.fetch_all(query).await.map(row::sqlite)
            }
            Begun::Postgres(tx) => {
                let query = sqlx::query_with(sql.postgres, args.postgres());
                tx.fetch_all(query).await.map(row::postgres)
            }
        };
        rows.map_err(|error| self.db.fail(error))
    }

    /// The first row of a statement.
    pub(crate) async fn row(&mut self, sql: impl Into<Sql>, args: Args) -> Result<Option<Row>> {
        Ok(self.rows(sql, args).await?.into_iter().next())
    }

    /// Runs a statement; how many rows it changed.
    pub(crate) async fn run(&mut self, sql: impl Into<Sql>, args: Args) -> Result<u64> {
        self.db.count();
        let sql = sql.into();
        let done = match &mut self.begun {
            Begun::Sqlite { tx, .. } => {
                let query = sqlx::query_with(sql.sqlite, args.sqlite());
                tx.execute(query).await.map(|done| done.rows_affected())
            }
            Begun::Postgres(tx) => {
                let query = sqlx::query_with(sql.postgres, args.postgres());
                tx.execute(query).await.map(|done| done.rows_affected())
            }
        };
        done.map_err(|error| self.db.fail(error))
    }

    /// Which engine this goes to.
    pub(crate) fn engine(&self) -> EngineKind {
        match self.begun {
            Begun::Sqlite { .. } => EngineKind::Sqlite,
            Begun::Postgres(_) => EngineKind::Postgres,
        }
    }

    /// Makes it so.
    pub(crate) async fn commit(self) -> Result<()> {
        let done = match self.begun {
            Begun::Sqlite { tx, .. } => tx.commit().await,
            Begun::Postgres(tx) => tx.commit().await,
        };
        done.map_err(|error| self.db.fail(error))
    }
}

/// Begins to write at once: a transaction that turns into a writer later can fail with "busy"
/// however long it waits.
async fn begin_sqlite(
    writer: &SqlitePool,
    turn: &Arc<Mutex<Durability>>,
    durability: Durability,
) -> sqlx::Result<(Transaction<'static, Sqlite>, OwnedMutexGuard<Durability>)> {
    let mut turn = Arc::clone(turn).lock_owned().await;
    if *turn != durability {
        // Cannot be changed once a transaction has begun.
        let pragma = match durability {
            Durability::Full => "PRAGMA synchronous = FULL",
            Durability::Fast => "PRAGMA synchronous = NORMAL",
        };
        writer.execute(pragma).await?;
        *turn = durability;
    }
    // A deferred transaction that turns to writing fails at once where another writes, however
    // long it was told to wait.
    Ok((writer.begin_with("BEGIN IMMEDIATE").await?, turn))
}

/// Begins a transaction whose commit waits for the disk as long as was asked for.
async fn begin_postgres(
    pool: &PgPool,
    durability: Durability,
) -> sqlx::Result<Transaction<'static, Postgres>> {
    let mut tx = pool.begin().await?;
    if durability == Durability::Fast {
        tx.execute("SET LOCAL synchronous_commit TO OFF").await?;
    }
    Ok(tx)
}
