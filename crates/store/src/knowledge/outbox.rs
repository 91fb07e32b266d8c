//! The outbox: flips that a knowledge store is still owed.

use jiff::Timestamp;
use rebuttal_model::{Flip, FlipId};
use serde_json::{Value, json};

use super::KnowledgeStore;
use crate::ledger::{Found, each, excerpt, flip_columns};
use crate::query::bounded;
use crate::sql::{Args, Sql};
use crate::{Durability, Result, Store};

/// How long a flip is left to whoever took it before another may.
const LEASE_US: i64 = 60_000_000;

/// The first wait after a failure; each further one doubles it.
const BACK_OFF_US: i64 = 1_000_000;

/// The longest wait.
const BACK_OFF_MAX_US: i64 = 3_600_000_000;

/// A store that failed so often in one go is left alone until the next.
const FAILURES: u64 = 3;

/// Checked twice: of two that ask at once, the second finds the lease of the first.
const CLAIM: &str = "UPDATE outbox SET due = $2, attempts = attempts + 1
    WHERE done = 0 AND due <= $1 AND flip_id IN (SELECT o.flip_id FROM outbox AS o
        WHERE o.done = 0 AND o.due <= $1 ORDER BY o.due, o.n LIMIT $3)
    RETURNING flip_id, attempts, withdrawn";

/// The flips that are to be told, with both positions.
const FLIPS: Sql = each!(
    concat!("SELECT CAST(given.value ->> 1 AS BIGINT), ", flip_columns!()),
    "JOIN detected_flips AS flip ON flip.id = given.value ->> 0
    JOIN positions AS before ON before.id = flip.original_position_id
    JOIN positions AS after ON after.id = flip.new_position_id
    ORDER BY flip.n"
);

/// Marks what the other store has taken.
const DONE: Sql =
    each!("UPDATE outbox SET done = 1, error = NULL", "WHERE outbox.flip_id = given.value ->> 0");

/// Notes why it was refused, and when to try again.
const LATER: Sql = each!(
    "UPDATE outbox SET due = CAST(given.value ->> 1 AS BIGINT),
        attempts = CAST(given.value ->> 2 AS BIGINT), error = given.value ->> 3",
    "WHERE outbox.flip_id = given.value ->> 0"
);

/// How many are waiting, and when the first of them is due.
const WAITING: &str = "SELECT count(*), min(due) FROM outbox WHERE done = 0";

/// What passing flips on came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// How many the other store took.
    pub done: u64,
    /// How many it refused; they are tried again later.
    pub failed: u64,
    /// How many are still owed.
    pub waiting: u64,
    /// When the next of them may be tried.
    pub next: Option<Timestamp>,
}

/// What the other store is to be told, and how often that was tried.
struct Owed {
    attempts: i64,
    what: News,
}

/// What the other store is told: a flip that was found, or one that was withdrawn.
enum News {
    Found(Box<Flip>),
    Withdrawn(FlipId),
}

impl News {
    /// Which flip it is about.
    fn id(&self) -> &FlipId {
        match self {
            Self::Found(flip) => &flip.id,
            Self::Withdrawn(id) => id,
        }
    }
}

impl Store {
    /// Passes on up to `limit` flips that are owed to a knowledge store and due. What it refuses
    /// waits, each time twice as long, and is never dropped; that it refuses is no error here.
    pub async fn sync_knowledge(
        &self,
        to: &dyn KnowledgeStore,
        now: Timestamp,
        limit: u32,
    ) -> Result<Synced> {
        let owed = self.claim(now, limit).await?;
        let mut synced = Synced::default();
        let (mut done, mut later): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for Owed { attempts, what } in &owed {
            let id = what.id().as_str();
            if synced.failed >= FAILURES {
                // Not tried, so not counted as a try.
                later.push(json!([id, now.as_microsecond(), attempts - 1, Value::Null]));
                continue;
            }
            let answer = match what {
                News::Found(flip) => to.store_flip(flip).await,
                News::Withdrawn(id) => to.forget_flip(id).await,
            };
            match answer {
                Ok(()) => {
                    done.push(json!([id]));
                    synced.done += 1;
                }
                Err(error) => {
                    let due = now.as_microsecond().saturating_add(back_off(*attempts));
                    later.push(json!([id, due, attempts, excerpt(&error.to_string(), 300)]));
                    synced.failed += 1;
                }
            }
        }
        self.settle(&done, &later).await?;
        if let Some(mut row) = self.db.row(WAITING, Args::none()).await? {
            synced.waiting = row.count()?;
            let next = row.take::<Option<i64>>()?;
            synced.next = next.map(crate::journal::time).transpose()?;
        }
        Ok(synced)
    }

    /// Takes flips that are due, so that nobody else does for a while.
    async fn claim(&self, now: Timestamp, limit: u32) -> Result<Vec<Owed>> {
        let now = now.as_microsecond();
        let mut tx = self.db.begin(Durability::Fast).await?;
        let args = Args::none().int(now).int(now.saturating_add(LEASE_US)).int(bounded(limit));
        let mut claimed: Vec<Value> = Vec::new();
        let mut owed = Vec::new();
        for mut row in tx.rows(CLAIM, args).await? {
            let (id, attempts) = (row.text()?, row.int()?);
            match row.int()? {
                0 => claimed.push(json!([id, attempts])),
                _ => owed.push(Owed { attempts, what: News::Withdrawn(FlipId::new(id)) }),
            }
        }
        tx.commit().await?;
        if claimed.is_empty() {
            return Ok(owed);
        }
        for mut row in self.db.rows(FLIPS, Args::none().json(&claimed)).await? {
            let attempts = row.int()?;
            owed.push(Owed { attempts, what: News::Found(Found::read(&mut row)?.flip.into()) });
        }
        Ok(owed)
    }

    /// Writes what became of a batch, in one transaction.
    async fn settle(&self, done: &[Value], later: &[Value]) -> Result<()> {
        if done.is_empty() && later.is_empty() {
            return Ok(());
        }
        let mut tx = self.db.begin(Durability::Fast).await?;
        tx.run(DONE, Args::none().json(&done)).await?;
        tx.run(LATER, Args::none().json(&later)).await?;
        tx.commit().await
    }
}

/// How long to wait after the how-many-eth failure.
fn back_off(attempts: i64) -> i64 {
    let doubled = u32::try_from(attempts - 1).unwrap_or_default().min(30);
    BACK_OFF_US.saturating_mul(1 << doubled).min(BACK_OFF_MAX_US)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_twice_the_last_up_to_an_hour() {
        assert_eq!(back_off(1), BACK_OFF_US);
        assert_eq!(back_off(4), 8 * BACK_OFF_US);
        assert_eq!(back_off(100), BACK_OFF_MAX_US);
    }
}
