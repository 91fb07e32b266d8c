//! The tables, step by step. Forward only: a step that was released is never edited.

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::PgPool;
use sqlx::sqlite::{SqlitePool, SqliteRow};
use sqlx::{Executor, Row, SqlSafeStr};

use crate::sql::{Engine, Sql};
use crate::{Error, Location, Result};

/// Where the engine notes which migrations ran. The name cannot clash with a user's own tables.
const TABLE: &str = "_rebuttal_migrations";

/// A migration with its text for both engines.
macro_rules! step {
    ($file:literal) => {
        Sql {
            sqlite: include_str!(concat!("../migrations/sqlite/", $file)),
            postgres: include_str!(concat!("../migrations/postgres/", $file)),
        }
    };
}

/// Each step for both engines, under the same number.
const STEPS: [(i64, &str, Sql); 12] = [
    (1, "journal", step!("0001_journal.sql")),
    (2, "ledger", step!("0002_ledger.sql")),
    (3, "knowledge", step!("0003_knowledge.sql")),
    (4, "scores", step!("0004_scores.sql")),
    (5, "order", step!("0005_order.sql")),
    (6, "keys", step!("0006_keys.sql")),
    (7, "lists", step!("0007_lists.sql")),
    (8, "leases", step!("0008_leases.sql")),
    (9, "debates", step!("0009_debates.sql")),
    (10, "overrides", step!("0010_overrides.sql")),
    (11, "evidence", step!("0011_evidence.sql")),
    (12, "server", step!("0012_server.sql")),
];

/// The last step this program knows.
pub(crate) fn version() -> i64 {
    STEPS.iter().map(|(number, ..)| *number).max().unwrap_or_default()
}

/// Brings the tables up to date. A database from a later version is left alone.
pub(crate) async fn run(engine: &Engine, location: &Location) -> Result<()> {
    let theirs = found(engine, location).await?;
    let ours = version();
    if theirs > ours {
        return Err(Error::Newer { location: location.clone(), theirs, ours });
    }
    if theirs == ours {
        return Ok(());
    }
    match engine {
        Engine::Sqlite { writer, .. } => {
            // Inside one transaction: of two processes that come first, one waits; and a step
            // that is killed half-way never happened.
            let failed = |error| match Error::from_sqlx(error, location) {
                Error::ReadOnly { location, .. } if theirs > 0 => {
                    let detail =
                        format!("its tables must be brought from version {theirs} to {ours}");
                    Error::ReadOnly { location, detail }
                }
                error => error,
            };
            let mut tx = writer.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
            let done = migrator(|sql| sql.sqlite).run_direct(None, &mut *tx, false).await;
            done.map_err(|error| failed(error.into()))?;
            tx.commit().await.map_err(failed)
        }
        Engine::Postgres(pool) => {
            let failed = |error| Error::from_sqlx(error, location);
            let mut connection = pool.acquire().await.map_err(failed)?;
            let migrator = migrator(|sql| sql.postgres);
            let done = migrator.run_direct(None, &mut *connection, false).await;
            done.map_err(|error| failed(error.into()))
        }
    }
}

/// All migrations in the text of one engine.
fn migrator(text: fn(&Sql) -> &'static str) -> Migrator {
    let steps = STEPS.iter().map(|(number, name, sql)| {
        let sql = text(sql).into_sql_str();
        Migration::new(*number, (*name).into(), MigrationType::Simple, sql, false)
    });
    let mut migrator = Migrator::with_migrations(steps.collect());
    migrator.dangerous_set_table_name(TABLE);
    migrator
}

/// The version of the tables; 0 where there are none yet.
async fn found(engine: &Engine, location: &Location) -> Result<i64> {
    let found = match engine {
        Engine::Sqlite { writer, .. } => found_sqlite(writer).await,
        Engine::Postgres(pool) => found_postgres(pool).await,
    };
    let found = found.map_err(|error| Error::from_sqlx(error, location))?;
    found.ok_or_else(|| Error::Foreign {
        location: location.clone(),
        detail: "it holds the tables of another program".to_owned(),
    })
}

/// `None` where there are tables and none of them is ours.
async fn found_sqlite(pool: &SqlitePool) -> sqlx::Result<Option<i64>> {
    let names = pool.fetch_all("SELECT name FROM sqlite_master WHERE type = 'table'").await?;
    let is_ours = |row: &SqliteRow| row.try_get::<String, _>(0).is_ok_and(|name| name == TABLE);
    if names.iter().any(is_ours) {
        let row = pool.fetch_one("SELECT max(version) FROM _rebuttal_migrations").await?;
        return Ok(Some(row.try_get::<Option<i64>, _>(0)?.unwrap_or_default()));
    }
    Ok(names.is_empty().then_some(0))
}

/// The newest migration that a PostgreSQL database has had; `None` if it has none of ours.
async fn found_postgres(pool: &PgPool) -> sqlx::Result<Option<i64>> {
    let row = pool.fetch_one("SELECT to_regclass('_rebuttal_migrations') IS NOT NULL").await?;
    if !row.try_get::<bool, _>(0)? {
        return Ok(Some(0));
    }
    let row = pool.fetch_one("SELECT max(version) FROM _rebuttal_migrations").await?;
    Ok(Some(row.try_get::<Option<i64>, _>(0)?.unwrap_or_default()))
}
