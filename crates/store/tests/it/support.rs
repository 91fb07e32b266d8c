//! Databases to test with, and things to put into them.

pub(crate) mod cluster;
mod things;

use std::pin::Pin;

use rebuttal_store::{Location, Store, StoreOptions};
use tempfile::TempDir;

pub(crate) use things::{at, flip, hours, position, said};

/// An empty database of one engine.
pub(crate) struct Place {
    pub(crate) location: Location,
    /// The address with everything in it, for looking behind the store's back.
    pub(crate) url: String,
    _folder: Option<TempDir>,
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let url = format!("sqlite://{}", path.display());
        Self { location: Location::file(path), url, _folder: Some(folder) }
    }

    /// `None`, and a line that says why, where there is no PostgreSQL.
    pub(crate) async fn postgres() -> Option<Self> {
        match cluster::database().await {
            Ok(url) => Some(Self { location: url.parse().unwrap(), url, _folder: None }),
            Err(why) => {
                println!("skipped: no PostgreSQL to test with: {why}");
                None
            }
        }
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.location, StoreOptions::default()).await.unwrap()
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.location.path().is_some()
    }

    /// Runs a statement behind the store's back.
    pub(crate) async fn meddle(&self, sql: &str) {
        use sqlx::{Connection, Executor};
        let sql = sqlx::AssertSqlSafe(sql);
        if self.is_sqlite() {
            let mut connection = sqlx::SqliteConnection::connect(&self.url).await.unwrap();
            connection.execute(sql).await.unwrap();
            connection.close().await.unwrap();
        } else {
            let mut connection = sqlx::PgConnection::connect(&self.url).await.unwrap();
            connection.execute(sql).await.unwrap();
            connection.close().await.unwrap();
        }
    }

    /// Every row of a table, as text and in order.
    pub(crate) async fn dump(&self, table: &str) -> Vec<String> {
        use sqlx::{Connection, Executor, Row};
        if self.is_sqlite() {
            let mut connection = sqlx::SqliteConnection::connect(&self.url).await.unwrap();
            let sql = format!("SELECT name FROM pragma_table_xinfo('{table}')");
            let columns = connection.fetch_all(sqlx::AssertSqlSafe(sql)).await.unwrap();
            let columns: Vec<String> =
                columns.iter().map(|row| format!("quote({})", row.get::<String, _>(0))).collect();
            let sql = format!("SELECT {} FROM {table} ORDER BY 1", columns.join("||'|'||"));
            let rows = connection.fetch_all(sqlx::AssertSqlSafe(sql)).await.unwrap();
            rows.iter().map(|row| row.get(0)).collect()
        } else {
            let mut connection = sqlx::PgConnection::connect(&self.url).await.unwrap();
            let sql = format!("SELECT CAST(t AS TEXT) FROM {table} AS t ORDER BY 1");
            let rows = connection.fetch_all(sqlx::AssertSqlSafe(sql)).await.unwrap();
            rows.iter().map(|row| row.get(0)).collect()
        }
    }
}

/// One case of the contract.
pub(crate) type Case = fn(Place) -> Pin<Box<dyn Future<Output = ()>>>;

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

pub(crate) fn on_sqlite(case: Case) {
    block_on(async { case(Place::sqlite()).await });
}

pub(crate) fn on_postgres(case: Case) {
    block_on(async {
        if let Some(place) = Place::postgres().await {
            case(place).await;
        }
    });
}

/// Makes each case a test on SQLite and one on PostgreSQL.
macro_rules! on_both {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[test]
            fn $case() {
                crate::support::on_sqlite(|place| Box::pin(super::$case(place)));
            })*
        }
        mod postgres {
            $(#[test]
            fn $case() {
                crate::support::on_postgres(|place| Box::pin(super::$case(place)));
            })*
        }
    };
}
pub(crate) use on_both;
