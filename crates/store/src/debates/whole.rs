//! The table as a whole: made anew from the journal, and compared with it.

use rebuttal_model::StreamId;

use super::fold::Fold;
use super::{PREFIX, debate_of, write};
use crate::journal::{Head, Walk};
use crate::sql::{Args, Sql};
use crate::{Differs, Durability, Error, Result, Store};

/// Raised when the fold makes other rows from the same records: the table is then made anew.
const VERSION: u64 = 2;

/// By which version of the fold the table was made.
const FOUND_VERSION: &str = "SELECT version FROM debates_state";

/// Says by which version it was made.
const SET_VERSION: &str = "UPDATE debates_state SET version = $1";

/// Empties the table, to be made anew.
const EMPTY: &str = "DELETE FROM debates";

/// Keeps appends from reading and writing rows while all are made anew; an SQLite file has one writer
/// anyway.
const LOCK: Sql =
    Sql { sqlite: "SELECT 1", postgres: "LOCK TABLE debates IN ACCESS EXCLUSIVE MODE" };

/// Rows without records: nothing of ours deletes a stream.
const WITHOUT_STREAM: &str = "SELECT d.stream FROM debates AS d
    LEFT JOIN streams AS s ON s.stream = d.stream
    WHERE s.stream IS NULL OR s.seq = 0 ORDER BY d.stream LIMIT 1";

impl Store {
    /// Makes the table of debates where this program's is another than the one found.
    pub(crate) async fn prepare_debates(&self) -> Result<()> {
        let row = self.db.row(FOUND_VERSION, Args::none()).await?;
        let found = row.map_or(Ok(0), |mut row| row.count())?;
        if found < VERSION { self.rebuild_debates().await.map(drop) } else { Ok(()) }
    }

    /// Makes every row of the table of debates anew from the journal; how many there are. A debate that
    /// cannot be read becomes a row that says so.
    pub async fn rebuild_debates(&self) -> Result<u64> {
        let mut tx = self.db.begin(Durability::Fast).await?;
        tx.run(LOCK, Args::none()).await?;
        tx.run(EMPTY, Args::none()).await?;
        let mut debates = 0;
        for (stream, head) in self.streams().await? {
            if debate_of(&stream).is_some() {
                write(&mut tx, &stream, &self.fold_debate(&stream, head).await).await?;
                debates += 1;
            }
        }
        tx.run(SET_VERSION, Args::none().count(VERSION)).await?;
        tx.commit().await?;
        Ok(debates)
    }

    /// Checks that every row of the table of debates follows from the journal.
    pub async fn verify_debates(&self) -> Result<()> {
        for (stream, head) in self.streams().await? {
            if debate_of(&stream).is_none() {
                continue;
            }
            let derived = self.fold_debate(&stream, head).await;
            let detail = match self.debate_row(&stream).await? {
                Some(row) if row == derived => continue,
                Some(row) => format!("{row:?} and not {derived:?}"),
                None => "it is missing".to_owned(),
            };
            // Whoever appends meanwhile moves both on.
            if self.head(&stream).await? == head {
                return Err(differs(&stream, detail));
            }
        }
        match self.db.row(WITHOUT_STREAM, Args::none()).await? {
            Some(mut row) => {
                Err(differs(&StreamId::new(row.text()?), "there is no such debate".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// A debate's row, from its records.
    async fn fold_debate(&self, stream: &StreamId, head: Head) -> Fold {
        let mut fold = Fold::default();
        let mut walk = Walk::new(stream.clone(), Some(head));
        loop {
            let page = match self.entries(stream, walk.head().seq).await {
                Ok(page) => page,
                Err(error) => {
                    fold.damaged(&error.to_string());
                    return fold;
                }
            };
            for entry in &page {
                if entry.seq > head.seq {
                    return fold;
                }
                if let Err(broken) = walk.step(entry) {
                    fold.damaged(&broken.to_string());
                    return fold;
                }
                fold.entry(entry);
            }
            if page.is_empty() {
                if let Err(broken) = walk.end() {
                    fold.damaged(&broken.to_string());
                }
                return fold;
            }
        }
    }
}

/// A row that is not what follows from the journal.
fn differs(stream: &StreamId, detail: String) -> Error {
    let row = stream.as_str().strip_prefix(PREFIX).unwrap_or(stream.as_str()).to_owned();
    Error::Differs(Box::new(Differs { table: "debates", row, detail }))
}
