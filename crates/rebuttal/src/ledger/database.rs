//! The database itself: what is in it, whether it is what was written, and its tables made anew.

use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_engine::ledger::verify_keys;
use rebuttal_model::{Hash, StreamId};
use rebuttal_store::{Head, Store, Summary};
use serde::Serialize;

use super::off_executor::off_executor;
use super::pass_on;
use crate::error::{Context, Result};

/// One stream of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StreamInfo {
    /// Its name.
    pub stream: StreamId,
    /// How many records it has.
    pub records: u64,
    /// The hash of the last.
    pub head: Hash,
}

/// What a database holds.
///
/// As JSON `{ "database", "bytes": n, "positions", "flips", "unseen", "streams": [ { "stream",
/// "records", "head" } ] }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DatabaseInfo {
    /// Where it is.
    pub database: String,
    /// The size of its file, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How many positions it has.
    pub positions: u64,
    /// How many flips.
    pub flips: u64,
    /// Positions that were not looked at for flips yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<u64>,
    /// Every stream of the journal.
    pub streams: Vec<StreamInfo>,
}

impl DatabaseInfo {
    fn new(store: &Store, summary: &Summary, streams: Vec<(StreamId, Head)>) -> Self {
        let stream = |(stream, head): (StreamId, Head)| StreamInfo {
            stream,
            records: head.seq,
            head: head.hash,
        };
        Self {
            database: store.location().to_string(),
            bytes: None,
            positions: summary.positions,
            flips: summary.total_flips,
            unseen: None,
            streams: streams.into_iter().map(stream).collect(),
        }
    }
}

/// What is in a database.
pub async fn database_info(store: &Store, now: Timestamp) -> Result<DatabaseInfo> {
    let summary = store.summary(now, 0).await?;
    let info = DatabaseInfo::new(store, &summary, store.streams().await?);
    let file = store.location().path().and_then(|path| std::fs::metadata(path).ok());
    Ok(DatabaseInfo { bytes: file.map(|file| file.len()), unseen: Some(summary.unseen), ..info })
}

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckProgress {
    /// Records that were followed, and all records.
    Records(u64, u64),
    /// Positions that were looked up, and all positions.
    Positions(u64, u64),
}

/// Checks the chain of every stream, and that every table holds what the journal says.
pub async fn verify_database(
    store: &Arc<Store>,
    now: Timestamp,
    watch: Arc<dyn Fn(CheckProgress) + Send + Sync>,
) -> Result<DatabaseInfo> {
    let store = Arc::clone(store);
    off_executor(move || async move {
        store.verify_file_structure().await?;
        let mut streams = Vec::new();
        for (stream, _) in store.streams().await? {
            let head = store.verify(&stream, None).await?;
            streams.push((stream, head));
        }
        let ledger = streams.iter().find(|(stream, _)| *stream == StreamId::ledger());
        let records = ledger.map_or(0, |(_, head)| head.seq);
        store.verify_tables(&|done| watch(CheckProgress::Records(done, records))).await?;
        store.verify_debates().await?;
        store.verify_knowledge().await?;
        let summary = store.summary(now, 0).await?;
        let all = summary.positions;
        verify_keys(&store, &|done| watch(CheckProgress::Positions(done, all))).await?;
        Ok(DatabaseInfo::new(&store, &summary, streams))
    })
    .await
}

/// Makes every table anew from the journal; gives how many records of the ledger it followed.
pub async fn rebuild_database(store: &Store, now: Timestamp) -> Result<u64> {
    let head = store.rebuild().await;
    let head = head.context("the tables were not made anew, and are as they were")?;
    store.rebuild_debates().await?;
    store.empty_knowledge().await?;
    pass_on(store, now).await?;
    Ok(head.seq)
}

/// Forgets how far flips were looked for, so that the next [`look`](super::look()) begins anew.
pub async fn restart_detection(store: &Store) -> Result<()> {
    Ok(store.restart_detection(rebuttal_detect::flips::KEYS_VERSION).await?)
}
