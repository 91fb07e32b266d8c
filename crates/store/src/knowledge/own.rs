//! Our own knowledge store: tables beside the ledger, with full text search.

use rebuttal_model::{AgentId, Flip, FlipId, Stance};

use super::{Answer, KnowledgeStore, KnownFlip};
use crate::ledger::{Topic, excerpt};
use crate::query::bounded;
use crate::sql::{Args, Engine, Row, Sql};
use crate::{Contested, Durability, Result, Store};

/// How much of a claim is kept to be searched.
pub(super) const CLAIM_CHARS: usize = 2_000;

/// How many words of a text are looked for.
const WORDS: usize = 32;

/// Adds a flip, unless it is there: being told twice changes nothing.
const INSERT: &str = "INSERT INTO knowledge_flips (id, agent_name, topic, words, before, after,
        flip_type, toward, domain, happened_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING n";

/// PostgreSQL's column of words fills itself.
const INDEX: &str =
    "INSERT INTO knowledge_text (rowid, words, before, after) VALUES ($1, $2, $3, $4)";

/// Counts the flip for its matter.
const TOPIC: &str = "INSERT INTO knowledge_topics
        (topic, words, agents, flips, toward_yes, toward_no)
    VALUES ($1, $2, 1, 1, $3, $4)
    ON CONFLICT (topic) DO UPDATE SET
        agents = (SELECT count(DISTINCT f.agent_name) FROM knowledge_flips AS f
            WHERE f.topic = excluded.topic),
        flips = knowledge_topics.flips + 1,
        toward_yes = knowledge_topics.toward_yes + excluded.toward_yes,
        toward_no = knowledge_topics.toward_no + excluded.toward_no";

/// Takes a flip out, and gives back what it was counted by.
const FORGET: &str = "DELETE FROM knowledge_flips WHERE id = $1
    RETURNING n, topic, words, before, after, toward";

/// An index of words outside its table is told what it had.
const UNINDEX: &str = "INSERT INTO knowledge_text (knowledge_text, rowid, words, before, after)
    VALUES ('delete', $1, $2, $3, $4)";

/// Takes the flip out of the counts of its matter.
const FORGET_TOPIC: &str = "UPDATE knowledge_topics SET
        agents = (SELECT count(DISTINCT f.agent_name) FROM knowledge_flips AS f
            WHERE f.topic = knowledge_topics.topic),
        flips = flips - 1, toward_yes = toward_yes - $2, toward_no = toward_no - $3
    WHERE topic = $1";

/// The columns of a flip as it is known here, in the order in which they are read.
macro_rules! known_columns {
    () => {
        "k.id, k.agent_name, k.words, k.before, k.after, k.flip_type, k.toward, k.domain,
        k.happened_at"
    };
}

/// Full text search, in the language of each engine; the best match first.
const SEARCH: Sql = Sql {
    sqlite: concat!(
        "SELECT ",
        known_columns!(),
        " FROM knowledge_text JOIN knowledge_flips AS k ON k.n = knowledge_text.rowid
        WHERE knowledge_text MATCH $1 AND (CAST($2 AS TEXT) IS NULL OR k.agent_name = $2)
        ORDER BY bm25(knowledge_text), k.n DESC LIMIT $3"
    ),
    postgres: concat!(
        "SELECT ",
        known_columns!(),
        " FROM knowledge_flips AS k
        WHERE k.text @@ to_tsquery('english', $1)
            AND (CAST($2 AS TEXT) IS NULL OR k.agent_name = $2)
        ORDER BY ts_rank(k.text, to_tsquery('english', $1)) DESC, k.n DESC LIMIT $3"
    ),
};

/// Of one field, agent or kind, by its name.
const NAMED: &str = concat!(
    "SELECT ",
    known_columns!(),
    " FROM knowledge_flips AS k
    WHERE (lower(k.domain) = $1 OR lower(k.agent_name) = $1 OR k.flip_type = $1)
        AND (CAST($2 AS TEXT) IS NULL OR k.agent_name = $2)
    ORDER BY k.n DESC LIMIT $3"
);

/// The latest flips of an agent.
const LATEST_OF: &str = concat!(
    "SELECT ",
    known_columns!(),
    " FROM knowledge_flips AS k WHERE k.agent_name = $1 ORDER BY k.n DESC LIMIT $2"
);

/// The latest flips.
const LATEST: &str =
    concat!("SELECT ", known_columns!(), " FROM knowledge_flips AS k ORDER BY k.n DESC LIMIT $1");

/// The matters on which the most agents flip.
const CONTESTED: &str = "SELECT words, agents, flips, toward_yes, toward_no FROM knowledge_topics
    WHERE agents > 0
    ORDER BY CASE WHEN toward_yes < toward_no THEN toward_yes ELSE toward_no END DESC,
        agents DESC, flips DESC, topic DESC LIMIT $1";

/// Our own knowledge store; see [`Store::knowledge`].
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'s>(&'s Store);

impl Store {
    /// The knowledge store beside this ledger.
    pub fn knowledge(&self) -> Knowledge<'_> {
        Knowledge(self)
    }
}

impl KnowledgeStore for Knowledge<'_> {
    fn store_flip<'a>(&'a self, flip: &'a Flip) -> Answer<'a, ()> {
        Box::pin(async move { Ok(self.put(flip).await?) })
    }

    fn forget_flip<'a>(&'a self, flip: &'a FlipId) -> Answer<'a, ()> {
        Box::pin(async move { Ok(self.forget(flip).await?) })
    }

    fn search<'a>(&'a self, text: &'a str, limit: u32) -> Answer<'a, Vec<KnownFlip>> {
        Box::pin(async move {
            if text.trim().is_empty() {
                return Ok(self.latest(None, limit).await?);
            }
            Ok(self.find(text, None, limit).await?)
        })
    }

    fn flips_of<'a>(
        &'a self,
        agent: &'a str,
        near: &'a str,
        limit: u32,
    ) -> Answer<'a, Vec<KnownFlip>> {
        Box::pin(async move {
            if near.trim().is_empty() {
                return Ok(self.latest(Some(agent), limit).await?);
            }
            Ok(self.find(near, Some(agent), limit).await?)
        })
    }

    fn contested(&self, limit: u32) -> Answer<'_, Vec<Contested>> {
        Box::pin(async move {
            let rows = self.0.db.rows(CONTESTED, Args::none().int(bounded(limit))).await?;
            let read = rows.into_iter().map(|mut row| Contested::read(&mut row));
            Ok(read.collect::<Result<_>>()?)
        })
    }
}

impl Knowledge<'_> {
    /// Adds a flip and what is searched of it.
    async fn put(&self, flip: &Flip) -> Result<()> {
        let topic = Topic::of(flip);
        let before = excerpt(&flip.before.claim, CLAIM_CHARS);
        let after = excerpt(&flip.after.claim, CLAIM_CHARS);
        let toward = flip.direction();
        // Lost with the power, it is still owed, and comes again.
        let mut tx = self.0.db.begin(Durability::Fast).await?;
        let args = Args::none()
            .text(flip.id.as_str())
            .text(flip.before.agent.as_str())
            .text(topic.key.as_str())
            .text(topic.words.as_str())
            .text(before.as_str())
            .text(after.as_str())
            .text(flip.kind.as_str())
            .text(toward.as_str())
            .text(flip.before.domain.as_deref())
            .int(flip.after.at.as_microsecond());
        let Some(mut row) = tx.row(INSERT, args).await? else { return Ok(()) };
        if let Engine::Sqlite { .. } = self.0.db.engine() {
            let args = Args::none().int(row.int()?).text(topic.words.as_str());
            tx.run(INDEX, args.text(before.as_str()).text(after.as_str())).await?;
        }
        let args = Args::none()
            .text(topic.key.as_str())
            .text(topic.words.as_str())
            .int(i64::from(toward == Stance::Yes))
            .int(i64::from(toward == Stance::No));
        tx.run(TOPIC, args).await?;
        tx.commit().await
    }

    /// Takes a flip out; one that is not there costs nothing.
    async fn forget(&self, flip: &FlipId) -> Result<()> {
        let mut tx = self.0.db.begin(Durability::Fast).await?;
        let row = tx.row(FORGET, Args::none().text(flip.as_str())).await?;
        let Some(mut row) = row else { return Ok(()) };
        let (n, topic) = (row.int()?, row.text()?);
        let (words, before, after) = (row.text()?, row.text()?, row.text()?);
        let toward: Stance = row.word()?;
        if let Engine::Sqlite { .. } = self.0.db.engine() {
            let args = Args::none().int(n).text(words.as_str());
            tx.run(UNINDEX, args.text(before.as_str()).text(after.as_str())).await?;
        }
        let args = Args::none()
            .text(topic.as_str())
            .int(i64::from(toward == Stance::Yes))
            .int(i64::from(toward == Stance::No));
        tx.run(FORGET_TOPIC, args).await?;
        tx.commit().await
    }

    /// Flips in which any of the text's words stands, the best match first.
    async fn find(&self, text: &str, agent: Option<&str>, limit: u32) -> Result<Vec<KnownFlip>> {
        let Some(asked) = self.asked(text) else { return Ok(Vec::new()) };
        let args = Args::none().text(asked.as_str()).text(agent).int(bounded(limit));
        let rows = self.0.db.rows(SEARCH, args).await?;
        rows.into_iter().map(known).collect()
    }

    /// The flips of the field, the agent or the kind of this name, the latest first; none where
    /// nothing has the name.
    pub async fn named(
        &self,
        name: &str,
        agent: Option<&str>,
        limit: u32,
    ) -> Result<Vec<KnownFlip>> {
        let name = name.trim().to_lowercase();
        let args = Args::none().text(name.as_str()).text(agent).int(bounded(limit));
        let rows = self.0.db.rows(NAMED, args).await?;
        rows.into_iter().map(known).collect()
    }

    /// The latest flips, where nothing was asked for by words.
    async fn latest(&self, agent: Option<&str>, limit: u32) -> Result<Vec<KnownFlip>> {
        let (sql, args) = match agent {
            Some(agent) => (LATEST_OF, Args::none().text(agent)),
            None => (LATEST, Args::none()),
        };
        let rows = self.0.db.rows(sql, args.int(bounded(limit))).await?;
        rows.into_iter().map(known).collect()
    }

    /// Any of the text's words, in the engine's language. Only letters and digits go in, so that
    /// no text can be taken for an operator.
    fn asked(self, text: &str) -> Option<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let or = match self.0.db.engine() {
            Engine::Sqlite { .. } => " OR ",
            Engine::Postgres(_) => " | ",
        };
        let quote = match self.0.db.engine() {
            Engine::Sqlite { .. } => '"',
            Engine::Postgres(_) => '\'',
        };
        let asked: Vec<String> =
            words.take(WORDS).map(|word| format!("{quote}{word}{quote}")).collect();
        (!asked.is_empty()).then(|| asked.join(or))
    }
}

/// Reads `known_columns`.
fn known(mut row: Row) -> Result<KnownFlip> {
    Ok(KnownFlip {
        id: FlipId::new(row.text()?),
        agent: AgentId::new(row.text()?),
        words: row.text()?,
        before: row.text()?,
        after: row.text()?,
        kind: row.word()?,
        toward: row.word()?,
        domain: row.take()?,
        happened_at: crate::journal::time(row.int()?)?,
    })
}
