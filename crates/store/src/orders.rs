//! Debates that servers were asked to run: what is wanted of each, by whom, and since when.
//!
//! An order is there before the debate has a record, and outlives the server that took it: any server on
//! the same database runs what is due and held by nobody.

use jiff::Timestamp;
use rebuttal_model::{DebateId, StreamId};
use serde::{Deserialize, Serialize};

use crate::debates::{debate_of, holder};
use crate::journal::time;
use crate::sql::{Args, Row, word};
use crate::{Durability, Result, Store};

macro_rules! order_columns {
    () => {
        "o.stream, o.owner, o.request_key, o.body, o.request, o.wanted, o.due, o.calls, o.at, o.failed"
    };
}

const ONE: &str = concat!("SELECT ", order_columns!(), " FROM orders AS o WHERE o.stream = $1");

const BY_KEY: &str = concat!(
    "SELECT ",
    order_columns!(),
    " FROM orders AS o WHERE o.owner = $1 AND o.request_key = $2"
);

const INSERT: &str = "INSERT INTO orders
        (stream, owner, request_key, body, request, wanted, due, calls, at, failed)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL) ON CONFLICT DO NOTHING";

const DUE: &str = concat!(
    "SELECT l.process, l.host, l.identity, l.since, ",
    order_columns!(),
    " FROM orders AS o LEFT JOIN leases AS l ON l.stream = o.stream AND l.expires > $1
    WHERE o.wanted IN ('run', 'stop') AND o.due <= $2 ORDER BY o.due, o.stream LIMIT $3"
);

const QUEUED: &str = concat!(
    "SELECT ",
    order_columns!(),
    " FROM orders AS o WHERE o.wanted = 'run' AND ($1 = '' OR o.owner = $1)
        AND NOT EXISTS (SELECT 1 FROM debates AS d WHERE d.stream = o.stream)
    ORDER BY o.at DESC LIMIT $2"
);

const WANT: &str = "UPDATE orders SET wanted = $2, due = $3, failed = $4 WHERE stream = $1";

/// What was wanted meanwhile stays.
const REST: &str = "UPDATE orders SET wanted = $4, due = $5, failed = $6
    WHERE stream = $1 AND wanted = $2 AND due = $3";

/// Debates that have ended count what they called, others what they may call.
const CALLS: &str = "SELECT CAST(COALESCE(SUM(
        CASE WHEN o.wanted = 'run' AND o.calls > COALESCE(d.calls, 0) THEN o.calls
            ELSE COALESCE(d.calls, 0) END), 0) AS BIGINT)
    FROM orders AS o LEFT JOIN debates AS d ON d.stream = o.stream
    WHERE o.owner = $1 AND o.at >= $2";

/// What is wanted of a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Wanted {
    /// That a server runs it.
    Run,
    /// That nobody runs it until somebody says so.
    Pause,
    /// That the votes so far are counted.
    Stop,
    /// Nothing: it has ended, waits for a person, or could not be run.
    Rest,
}

impl Wanted {
    fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Pause => "pause",
            Self::Stop => "stop",
            Self::Rest => "rest",
        }
    }
}

/// A debate that a server was asked to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebateOrder {
    /// The debate's id.
    pub debate: DebateId,
    /// Who asked for it.
    pub owner: String,
    /// The client's own word for the request.
    pub key: Option<String>,
    /// A hash of the request.
    pub body: String,
    /// The request.
    pub request: String,
    /// What is wanted of it.
    pub wanted: Wanted,
    /// When it is to be run at the earliest.
    pub due: Timestamp,
    /// Most requests to models it may make.
    pub calls: u64,
    /// When it was asked for.
    pub at: Timestamp,
    /// Why it could not be run.
    pub failed: Option<String>,
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It is a new one.
    New,
    /// The same user used the same word before, for this one.
    Before(Box<DebateOrder>),
}

fn order(row: &mut Row) -> Result<DebateOrder> {
    let stream = StreamId::new(row.text()?);
    Ok(DebateOrder {
        debate: debate_of(&stream).unwrap_or_else(|| DebateId::new(stream.as_str())),
        owner: row.text()?,
        key: row.take()?,
        body: row.text()?,
        request: row.text()?,
        wanted: word(&row.text()?)?,
        due: time(row.int()?)?,
        calls: row.count()?,
        at: time(row.int()?)?,
        failed: row.take()?,
    })
}

impl Store {
    /// Keeps an order, unless its owner used the same key before.
    pub async fn place_order(&self, order: &DebateOrder) -> Result<Placed> {
        let stream = StreamId::debate(&order.debate);
        let mut tx = self.db.begin(self.durability).await?;
        let args = Args::none()
            .text(stream.as_str())
            .text(order.owner.as_str())
            .text(order.key.as_deref())
            .text(order.body.as_str())
            .text(order.request.as_str())
            .text(order.wanted.as_str())
            .int(order.due.as_microsecond())
            .count(order.calls)
            .int(order.at.as_microsecond());
        let added = tx.run(INSERT, args).await?;
        tx.commit().await?;
        if added > 0 {
            return Ok(Placed::New);
        }
        let by_key = match &order.key {
            Some(key) => {
                let args = Args::none().text(order.owner.as_str()).text(key.as_str());
                self.one(BY_KEY, args).await?
            }
            None => None,
        };
        let before = match by_key {
            Some(before) => Some(before),
            None => self.order(&order.debate).await?,
        };
        Ok(before.map_or(Placed::New, |before| Placed::Before(Box::new(before))))
    }

    /// The order of a debate, if a server was asked for it.
    pub async fn order(&self, debate: &DebateId) -> Result<Option<DebateOrder>> {
        self.one(ONE, Args::none().text(StreamId::debate(debate).as_str())).await
    }

    async fn one(&self, sql: &'static str, args: Args) -> Result<Option<DebateOrder>> {
        self.db.row(sql, args).await?.map(|mut row| order(&mut row)).transpose()
    }

    /// Orders that are to be run now and that nobody runs, the longest due first; at most so many are
    /// looked at.
    pub async fn orders_due(&self, now: Timestamp, limit: usize) -> Result<Vec<DebateOrder>> {
        let args = Args::none()
            .int(self.clock.now(&self.db).await?)
            .int(now.as_microsecond())
            .count(limit as u64);
        let mut due = Vec::new();
        for mut row in self.db.rows(DUE, args).await? {
            if holder(&mut row)?.is_none() {
                due.push(order(&mut row)?);
            }
        }
        Ok(due)
    }

    /// Orders whose debate has no record yet, the latest first; of one owner, or of all for an empty name.
    pub async fn orders_queued(&self, owner: &str, limit: usize) -> Result<Vec<DebateOrder>> {
        let rows = self.db.rows(QUEUED, Args::none().text(owner).count(limit as u64)).await?;
        rows.into_iter().map(|mut row| order(&mut row)).collect()
    }

    /// Changes what is wanted of a debate, from `due` on. Whether there is an order for it.
    pub async fn want(&self, debate: &DebateId, wanted: Wanted, due: Timestamp) -> Result<bool> {
        let args = Args::none()
            .text(StreamId::debate(debate).as_str())
            .text(wanted.as_str())
            .int(due.as_microsecond())
            .text(None);
        let mut tx = self.db.begin(self.durability).await?;
        let changed = tx.run(WANT, args).await?;
        tx.commit().await?;
        Ok(changed > 0)
    }

    /// Writes that the run of an order has ended: nothing is wanted any more, or, from a time on, that it is
    /// run again. What somebody wanted meanwhile goes before it.
    pub async fn order_rests(
        &self,
        order: &DebateOrder,
        again: Option<Timestamp>,
        failed: Option<&str>,
    ) -> Result<()> {
        let wanted = again.map_or(Wanted::Rest, |_| order.wanted);
        let args = Args::none()
            .text(StreamId::debate(&order.debate).as_str())
            .text(order.wanted.as_str())
            .int(order.due.as_microsecond())
            .text(wanted.as_str())
            .int(again.unwrap_or(order.due).as_microsecond())
            .text(failed);
        let mut tx = self.db.begin(Durability::Full).await?;
        tx.run(REST, args).await?;
        tx.commit().await
    }

    /// How many requests to models the debates of a user have made, or may still make, that it asked for
    /// since then.
    pub async fn calls_of(&self, owner: &str, since: Timestamp) -> Result<u64> {
        let args = Args::none().text(owner).int(since.as_microsecond());
        self.db.row(CALLS, args).await?.map_or(Ok(0), |mut row| row.count())
    }
}
