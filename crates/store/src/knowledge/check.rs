//! Whether our own knowledge store is what was passed on to it, and making it anew.

use super::own::CLAIM_CHARS;
use crate::sql::{Args, EngineKind};
use crate::{Differs, Durability, Error, Result, Store};

/// A flip that was passed on and is not there, or as another. Of a long claim only the beginning is.
const WRONG_FLIP: &str = "SELECT f.id FROM detected_flips AS f
    JOIN outbox AS o ON o.flip_id = f.id AND o.done = 1 AND o.withdrawn = 0
    LEFT JOIN knowledge_flips AS k ON k.id = f.id
    WHERE k.id IS NULL OR k.agent_name <> f.agent_name OR k.flip_type <> f.flip_type
        OR k.happened_at <> f.happened_us
        OR (length(f.original_claim) < $1 AND k.before <> f.original_claim)
        OR (length(f.new_claim) < $1 AND k.after <> f.new_claim)
    ORDER BY f.n LIMIT 1";

/// A flip in the knowledge store that was never found, or was withdrawn.
const EXTRA_FLIP: &str = "SELECT k.id FROM knowledge_flips AS k
    LEFT JOIN outbox AS o ON o.flip_id = k.id
    WHERE o.flip_id IS NULL OR (o.done = 1 AND o.withdrawn = 1) ORDER BY k.n LIMIT 1";

/// A matter whose counts are not those of its flips.
const WRONG_TOPIC: &str = "SELECT coalesce(t.words, k.words) FROM (
        SELECT topic, min(words) AS words, count(DISTINCT agent_name) AS agents, count(*) AS flips,
            sum(CASE WHEN toward = 'yes' THEN 1 ELSE 0 END) AS toward_yes,
            sum(CASE WHEN toward = 'no' THEN 1 ELSE 0 END) AS toward_no
        FROM knowledge_flips GROUP BY topic) AS k
    FULL JOIN knowledge_topics AS t ON t.topic = k.topic
    WHERE coalesce(t.agents, 0) <> coalesce(k.agents, 0)
        OR coalesce(t.flips, 0) <> coalesce(k.flips, 0)
        OR coalesce(t.toward_yes, 0) <> coalesce(k.toward_yes, 0)
        OR coalesce(t.toward_no, 0) <> coalesce(k.toward_no, 0)
    LIMIT 1";

/// PostgreSQL's words are a column of the table itself.
const EMPTY_TEXT: &str = "INSERT INTO knowledge_text (knowledge_text) VALUES ('delete-all')";

/// Empties our own knowledge store, to be filled anew.
const EMPTY: [&str; 3] = [
    "DELETE FROM knowledge_flips",
    "DELETE FROM knowledge_topics",
    "UPDATE outbox SET done = 0, attempts = 0, due = 0, error = NULL WHERE withdrawn = 0",
];

impl Store {
    /// Checks that [our own knowledge store](Store::knowledge) holds what was passed on, and nothing
    /// else. The first flip or matter that is wrong is named ([`Error::Differs`]).
    pub async fn verify_knowledge(&self) -> Result<()> {
        let whole = Args::none().int(i64::try_from(CLAIM_CHARS).unwrap_or(i64::MAX));
        for (sql, args, table, detail) in [
            (WRONG_FLIP, whole, "knowledge_flips", "it is missing, or says something else"),
            (EXTRA_FLIP, Args::none(), "knowledge_flips", "the ledger has no such flip"),
            (
                WRONG_TOPIC,
                Args::none(),
                "knowledge_topics",
                "its counts are not those of its flips",
            ),
        ] {
            if let Some(mut row) = self.db.row(sql, args).await? {
                let (row, detail) = (row.text()?, detail.to_owned());
                return Err(Error::Differs(Box::new(Differs { table, row, detail })));
            }
        }
        Ok(())
    }

    /// Empties [our own knowledge store](Store::knowledge); every flip is owed to it again.
    pub async fn empty_knowledge(&self) -> Result<()> {
        let mut tx = self.db.begin(Durability::Fast).await?;
        if tx.engine() == EngineKind::Sqlite {
            tx.run(EMPTY_TEXT, Args::none()).await?;
        }
        for sql in EMPTY {
            tx.run(sql, Args::none()).await?;
        }
        tx.commit().await
    }
}
