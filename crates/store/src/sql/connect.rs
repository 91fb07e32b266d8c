//! Opening a database: the pools and how they are set.

use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use tokio::sync::Mutex;

use super::{Db, Durability, Engine};
use crate::location::Kind;
use crate::{Error, Location, Result, migrate};

/// Rows of an answer that may wait to be read.
const ROWS_WAITING: usize = 1024;

/// Connects, makes what is not there yet, and brings the tables up to date.
pub(crate) async fn connect(location: &Location, wait: Duration, readers: u32) -> Result<Db> {
    let engine = match location.kind() {
        Kind::File(path) => file(path, location, wait, readers).await?,
        Kind::Server(url) => server(url, location, wait, readers).await?,
    };
    migrate::run(&engine, location).await?;
    Ok(Db::new(engine, location.clone()))
}

/// Opens a SQLite file with one connection that writes and several that read.
async fn file(path: &Path, location: &Location, wait: Duration, count: u32) -> Result<Engine> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| Error::Open {
            location: location.clone(),
            detail: format!("its folder cannot be made: {error}"),
        })?;
    }
    if path.is_dir() {
        let detail = "it is a folder; name a file in it".to_owned();
        return Err(Error::Open { location: location.clone(), detail });
    }
    let options = sqlite_options(path, wait);
    let written = options
        .clone()
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // Most of an import is written in order: twice the default halves its system calls.
        .page_size(8192)
        // As much may wait in the log before it is moved to the file: pages that an import touches
        // again and again are moved once.
        .pragma("wal_autocheckpoint", "8192");
    let (writer, options) = match first_pool(&written, location, wait).await {
        Ok(writer) => (writer, written.create_if_missing(false)),
        Err(Error::ReadOnly { .. } | Error::Open { .. }) if path.is_file() => {
            let options = options.read_only(true).immutable(!has_log(path));
            (first_pool(&options, location, wait).await?, options)
        }
        Err(Error::Open { .. }) if !path.exists() => {
            let detail = "there is no such file, and none may be made there".to_owned();
            return Err(Error::Open { location: location.clone(), detail });
        }
        Err(error) => return Err(error),
    };
    let readers = SqlitePoolOptions::new()
        .max_connections(count)
        .acquire_timeout(wait + Duration::from_secs(5))
        .connect_lazy_with(options.pragma("query_only", "ON"));
    Ok(Engine::Sqlite { writer, readers, turn: Arc::new(Mutex::new(Durability::Full)) })
}

/// What holds for whoever opens the file, to write it or only to read.
fn sqlite_options(path: &Path, wait: Duration) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(wait)
        .foreign_keys(true)
        // With less room the reader and SQLite's thread wake each other every few rows.
        .row_buffer_size(ROWS_WAITING)
        // 64 MB: an import comes back to the pages of the index of ids at random.
        .pragma("cache_size", "-65536")
        // What a statement would undo if it failed is kept in memory: it is every page that it touches,
        // and keys touch one each.
        .pragma("temp_store", "MEMORY")
}

/// Whether there is a log beside the file. Where there is none and none can be made, nobody is writing
/// and the file alone is everything: SQLite must be told so, as it would make a log even to read.
fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log).exists()
}

/// The writer's pool. Of several processes that make a new file at once, all but one are told that it
/// is locked as they switch it to its log, and SQLite does not wait there: so they try again.
async fn first_pool(
    options: &SqliteConnectOptions,
    location: &Location,
    wait: Duration,
) -> Result<SqlitePool> {
    /// How long to wait before asking again for the switch to WAL, which does not wait by itself.
    const AGAIN: Duration = Duration::from_millis(20);
    let started = tokio::time::Instant::now();
    loop {
        let opened = sqlite_pool(options.clone(), 1, wait).await;
        match opened.map_err(|error| Error::from_sqlx(error, location)) {
            Err(Error::Locked { .. }) if started.elapsed() < wait => {
                tokio::time::sleep(AGAIN).await;
            }
            opened => return opened,
        }
    }
}

/// A pool of connections to a file. They are opened when they are needed.
async fn sqlite_pool(
    options: SqliteConnectOptions,
    count: u32,
    wait: Duration,
) -> sqlx::Result<SqlitePool> {
    SqlitePoolOptions::new()
        .max_connections(count)
        .acquire_timeout(wait + Duration::from_secs(5))
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_with(options)
        .await
}

/// Opens a PostgreSQL database.
async fn server(url: &str, location: &Location, wait: Duration, count: u32) -> Result<Engine> {
    let failed = |error| Error::from_sqlx(error, location);
    let options = PgConnectOptions::from_str(url)
        .map_err(failed)?
        .application_name("rebuttal")
        .options([("lock_timeout", wait.as_millis().to_string())]);
    let pool = PgPoolOptions::new()
        .max_connections(count.saturating_add(1))
        .acquire_timeout(wait + Duration::from_secs(5))
        .connect_with(options)
        .await
        .map_err(failed)?;
    Ok(Engine::Postgres(pool))
}
