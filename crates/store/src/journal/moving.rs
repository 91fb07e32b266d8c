//! Streams that move from one database to another, by file.

use std::io::{BufRead, Write};

use rebuttal_model::StreamId;

use super::chain::{Entry, Head, Walk};
use super::file::{Reader, encode};
use super::record::record;
use super::streams::{advance, insert, lock};
use crate::ledger::Fold;
use crate::{Durability, Result, Store, debates};

/// How many records go into one transaction when a file is imported.
const BATCH: usize = 16;

impl Store {
    /// Writes a stream as a file that [`crate::verify_file`] checks and [`Store::import_stream`] reads.
    pub async fn export_stream(
        &self,
        stream: &StreamId,
        out: &mut (dyn Write + Send),
    ) -> Result<Head> {
        let mut walk = Walk::new(stream.clone(), None);
        loop {
            let page = self.entries(stream, walk.head().seq).await?;
            if page.is_empty() {
                return Ok(walk.head());
            }
            for entry in &page {
                walk.step(entry)?;
                out.write_all(&encode(entry)?)?;
            }
        }
    }

    /// Reads a stream from a file, checking every record, and adds what the journal does not have
    /// yet. What it has must be the same; otherwise nothing more is written and the answer is
    /// [`crate::Error::Broken`].
    pub async fn import_stream(&self, input: &mut (dyn BufRead + Send)) -> Result<Head> {
        let mut reader = Reader::new(input);
        let Some(mut next) = reader.next()? else { return Ok(Head::EMPTY) };
        let stream = next.stream.clone();
        let here = self.head(&stream).await?;
        let mut walk = Walk::new(stream.clone(), Some(here));
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            walk.step(&next)?;
            if next.seq > here.seq {
                batch.push(next);
            }
            let following = reader.next()?;
            if batch.len() == BATCH || following.is_none() {
                self.add_sealed(&stream, &mut batch).await?;
            }
            match following {
                Some(entry) => next = entry,
                None => return self.head(&stream).await,
            }
        }
    }

    /// Appends records with the hashes they came with, after checking that they continue the chain.
    async fn add_sealed(&self, stream: &StreamId, batch: &mut Vec<Entry>) -> Result<()> {
        let Some(first) = batch.first() else { return Ok(()) };
        let before = first.seq.saturating_sub(1);
        let mut tx = self.db.begin(Durability::Fast).await?;
        let head = lock(&mut tx, stream, Some(before)).await?;
        let mut walk = Walk::from(stream.clone(), head);
        let mut fold = None;
        if *stream == StreamId::ledger() {
            fold = Some(Fold::begin(&mut tx).await?);
        }
        debates::update(&mut tx, stream, batch).await?;
        for entry in batch.drain(..) {
            walk.step(&entry)?;
            insert(&mut tx, &entry).await?;
            if let Some(fold) = &mut fold {
                fold.record(&mut tx, &record(entry)?).await?;
            }
        }
        if let Some(fold) = fold {
            fold.finish(&mut tx).await?;
        }
        advance(&mut tx, stream, walk.head()).await?;
        tx.commit().await
    }
}
