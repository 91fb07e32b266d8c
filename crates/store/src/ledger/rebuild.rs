//! Making the tables anew from the journal.

use rebuttal_model::StreamId;

use super::Fold;
use crate::journal::{self, Head, record};
use crate::sql::Args;
use crate::{Durability, Result, Store};

/// What is derived, in an order that foreign keys allow. Keys and `detected_through` are kept:
/// positions get the same numbers again. So is the outbox, which knows what was passed on.
const EMPTY: [&str; 13] = [
    "DELETE FROM detected_flips",
    "DELETE FROM positions",
    "DELETE FROM agent_totals",
    "DELETE FROM agent_domain_totals",
    "DELETE FROM domain_totals",
    "DELETE FROM flip_type_totals",
    "DELETE FROM flip_minutes",
    "DELETE FROM flip_days",
    "DELETE FROM exposures",
    "DELETE FROM topics",
    "DELETE FROM topic_agents",
    "DELETE FROM debate_scores",
    "UPDATE ledger_state SET folded = 0, positions = 0, flips = 0, withdrawn = 0",
];

impl Store {
    /// Drops everything that is derived from the ledger's stream and makes it again, in one
    /// transaction. Where the stream ends.
    pub async fn rebuild(&self) -> Result<Head> {
        let stream = StreamId::ledger();
        let head = self.verify(&stream, None).await?;
        let mut tx = self.db.begin(Durability::Fast).await?;
        journal::lock(&mut tx, &stream, None).await?;
        for statement in EMPTY {
            tx.run(statement, Args::none()).await?;
        }
        let mut fold = Fold::begin(&mut tx).await?;
        let mut done = 0;
        loop {
            // Read beside the transaction, page by page; nobody else can add to the stream now.
            let page = self.entries(&stream, done).await?;
            if page.is_empty() {
                break;
            }
            for entry in page {
                done = entry.seq;
                fold.record(&mut tx, &record(entry)?).await?;
            }
        }
        fold.finish(&mut tx).await?;
        tx.commit().await?;
        Ok(head)
    }
}
