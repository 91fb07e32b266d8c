//! Leases: one process at a time runs a debate.
//!
//! What keeps two apart is the lease's *epoch*, a number that every acquisition raises: each append of
//! a store that holds a lease checks it in the append's own transaction. Whoever was overtaken writes
//! nothing more, whatever any clock says.
//!
//! Clocks decide only when somebody else may take over. The time is the database's, so that hosts
//! need not agree. It may jump: where it says that a lease has run out, or was renewed in the future,
//! the lease is watched for a while by a clock that cannot jump, and is taken only if nobody renewed
//! it meanwhile. A holder that is known to be dead is not waited for.

mod holder;

use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use jiff::Timestamp;
use rebuttal_model::StreamId;

pub use holder::Holder;
pub(crate) use holder::is_dead;

use crate::journal::{lock, time};
use crate::sql::{Args, Db, Row, Sql, Tx};
use crate::{Durability, Error, Result, Store};

/// The lease of a stream, expired or not.
const READ: &str = "SELECT epoch, renewals, process, host, identity, since, renewed, expires
    FROM leases WHERE stream = $1";

/// Takes a lease that nobody holds or that is over. The epoch grows with every holder, so that a
/// former one is recognised.
const ACQUIRE: &str = "INSERT INTO leases
        (stream, epoch, renewals, process, host, identity, since, renewed, expires)
    VALUES ($1, $2, 0, $3, $4, $5, $6, $6, $7)
    ON CONFLICT (stream) DO UPDATE SET epoch = $2, renewals = 0, process = $3, host = $4,
        identity = $5, since = $6, renewed = $6, expires = $7";

/// Extends a lease, as long as its epoch is still the holder's own.
const RENEW: &str = "UPDATE leases SET renewals = renewals + 1, renewed = $3, expires = $4
    WHERE stream = $1 AND epoch = $2";

/// Ends a lease at once. The row stays: its epoch must not be given out again.
const RELEASE: &str = "UPDATE leases SET expires = 0 WHERE stream = $1 AND epoch = $2";

/// The engine's clock in microseconds: all who share a database must agree on when a lease is over.
const NOW: Sql = Sql {
    sqlite: "SELECT CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)",
    postgres: "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
};

/// How much two readings of one clock may differ without a jump.
const JITTER: Duration = Duration::from_secs(1);

/// What tells leases the time.
#[derive(Clone, Default)]
pub(crate) enum LeaseClock {
    #[default]
    Database,
    Injected(Arc<dyn Fn() -> Timestamp + Send + Sync>),
}

impl fmt::Debug for LeaseClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Database => "Database",
            Self::Injected(_) => "Injected",
        })
    }
}

impl LeaseClock {
    /// Microseconds since 1970.
    pub(crate) async fn now(&self, db: &Db) -> Result<i64> {
        if let Self::Injected(clock) = self {
            return Ok(clock().as_microsecond());
        }
        db.row(NOW, Args::none()).await?.map_or(Ok(0), |mut row| row.int())
    }

    /// The time by which leases are measured, inside a transaction.
    async fn now_within(&self, tx: &mut Tx<'_>) -> Result<i64> {
        if let Self::Injected(clock) = self {
            return Ok(clock().as_microsecond());
        }
        tx.row(NOW, Args::none()).await?.map_or(Ok(0), |mut row| row.int())
    }
}

/// The leases that a store has acquired, by stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acquired(Arc<Mutex<HashMap<StreamId, Epoch>>>);

/// What this process holds of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Epoch {
    /// Its [`Lease`] exists.
    Current(u64),
    /// Its [`Lease`] was dropped before it was released.
    Dropped(u64),
}

impl Acquired {
    /// Remembers the epoch under which this process may append, or forgets it.
    fn set(&self, stream: &StreamId, epoch: Option<Epoch>) {
        let mut acquired = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match epoch {
            Some(epoch) => acquired.insert(stream.clone(), epoch),
            None => acquired.remove(stream),
        };
    }

    /// The epoch under which this process may append.
    fn get(&self, stream: &StreamId) -> Option<Epoch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(stream).copied()
    }
}

/// A lease as it is stored.
#[derive(Debug)]
struct Stored {
    epoch: u64,
    renewals: u64,
    holder: Holder,
    identity: String,
    renewed: i64,
    expires: i64,
}

impl Stored {
    /// Reads the columns of `READ`.
    fn read(row: &mut Row) -> Result<Self> {
        let (epoch, renewals) = (row.count()?, row.count()?);
        let process = u32::try_from(row.count()?).unwrap_or(u32::MAX);
        let (host, identity) = (row.text()?, row.text()?);
        let holder = Holder { process, host, since: time(row.int()?)? };
        Ok(Self { epoch, renewals, holder, identity, renewed: row.int()?, expires: row.int()? })
    }
}

/// What came of an attempt to acquire a lease.
enum Attempt {
    Acquired {
        epoch: u64,
    },
    /// It has run out by a clock that may have jumped: to be watched at this count of renewals.
    Doubtful {
        epoch: u64,
        renewals: u64,
    },
}

impl Store {
    /// Sets what tells leases the time. Without it, the database does.
    #[must_use]
    pub fn with_lease_clock(self, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { clock: LeaseClock::Injected(Arc::new(clock)), ..self }
    }

    /// Acquires the lease of a stream, or says who holds it ([`Error::Leased`]). As long as the lease
    /// exists, every append of this store to the stream is refused once somebody else has taken over.
    pub async fn lease(&self, stream: &StreamId) -> Result<Lease> {
        let mut watched = None;
        loop {
            match self.try_lease(stream, watched).await? {
                Attempt::Acquired { epoch } => {
                    self.acquired.set(stream, Some(Epoch::Current(epoch)));
                    return Ok(Lease(Some(Owned {
                        db: Arc::clone(&self.db),
                        clock: self.clock.clone(),
                        acquired: self.acquired.clone(),
                        stream: stream.clone(),
                        epoch,
                        length: self.lease_length,
                    })));
                }
                Attempt::Doubtful { epoch, renewals } => {
                    tokio::time::sleep(self.lease_length / 3).await;
                    watched = Some((epoch, renewals));
                }
            }
        }
    }

    /// Tries once to take the lease. `watched` is what an earlier try saw: a holder whose renewals
    /// stand still is gone.
    async fn try_lease(&self, stream: &StreamId, watched: Option<(u64, u64)>) -> Result<Attempt> {
        let mut tx = self.db.begin(self.durability).await?;
        // Whoever appends holds this lock: an append either sees the new epoch or came before it.
        lock(&mut tx, stream, None).await?;
        let now = self.clock.now_within(&mut tx).await?;
        let row = tx.row(READ, Args::none().text(stream.as_str())).await?;
        let stored = row.map(|mut row| Stored::read(&mut row)).transpose()?;
        if let Some(stored) = &stored
            && !self.is_over(stream, stored)
        {
            let seen = (stored.epoch, stored.renewals);
            let in_time =
                stored.renewed.saturating_sub(micros(JITTER)) <= now && now < stored.expires;
            let is_renewed = watched.is_some_and(|before| before != seen);
            if in_time || is_renewed {
                let latest = now.saturating_add(micros(self.lease_length));
                let until = if in_time { stored.expires.min(latest) } else { latest };
                return Err(Error::Leased {
                    stream: stream.clone(),
                    holder: stored.holder.clone(),
                    until: time(until)?,
                });
            }
            if watched.is_none() {
                return Ok(Attempt::Doubtful { epoch: seen.0, renewals: seen.1 });
            }
        }
        let epoch = stored.map_or(0, |stored| stored.epoch) + 1;
        let us = Holder::this_process();
        let args = Args::none()
            .text(stream.as_str())
            .count(epoch)
            .int(i64::from(us.process))
            .text(us.host.as_str())
            .text(us.identity.as_str())
            .int(now)
            .int(now.saturating_add(micros(self.lease_length)));
        tx.run(ACQUIRE, args).await?;
        tx.commit().await?;
        Ok(Attempt::Acquired { epoch })
    }

    /// True when nobody holds it any more: it was released, or its holder is known to be gone.
    fn is_over(&self, stream: &StreamId, stored: &Stored) -> bool {
        stored.expires == 0
            || self.acquired.get(stream) == Some(Epoch::Dropped(stored.epoch))
            || is_dead(stored.holder.process, &stored.identity)
    }

    /// Who runs a debate now, by the database's clock.
    pub async fn leased_to(&self, stream: &StreamId) -> Result<Option<Holder>> {
        let now = self.clock.now(&self.db).await?;
        let row = self.db.row(READ, Args::none().text(stream.as_str())).await?;
        let stored = row.map(|mut row| Stored::read(&mut row)).transpose()?;
        let current = stored.filter(|stored| now < stored.expires && !self.is_over(stream, stored));
        Ok(current.map(|stored| stored.holder))
    }

    /// Refuses to write where this store had the lease and somebody else has it by now. To be asked in
    /// the transaction that writes, after the stream was locked.
    pub(crate) async fn check_lease(&self, tx: &mut Tx<'_>, stream: &StreamId) -> Result<()> {
        let Some(Epoch::Current(epoch)) = self.acquired.get(stream) else { return Ok(()) };
        check_epoch(tx, stream, epoch).await
    }
}

/// Fails when somebody else has taken the lease since. It runs in the transaction of the append,
/// which fences a former holder off.
async fn check_epoch(tx: &mut Tx<'_>, stream: &StreamId, epoch: u64) -> Result<()> {
    let row = tx.row(READ, Args::none().text(stream.as_str())).await?;
    let stored = row.map(|mut row| Stored::read(&mut row)).transpose()?;
    match stored {
        Some(stored) if stored.epoch == epoch => Ok(()),
        stored => Err(Error::Overtaken {
            stream: stream.clone(),
            holder: stored.map(|stored| stored.holder),
        }),
    }
}

/// The right to run a debate. Dropped, it is over for this store at once, and for others when its time
/// runs out or this process ends; [`Lease::keep`] releases it for all.
#[derive(Debug)]
pub struct Lease(Option<Owned>);

/// A lease that is held, as far as renewing and releasing it need to know.
#[derive(Debug)]
struct Owned {
    db: Arc<Db>,
    clock: LeaseClock,
    acquired: Acquired,
    stream: StreamId,
    epoch: u64,
    length: Duration,
}

impl Lease {
    /// A lease of what only one can get at anyway.
    pub fn unshared() -> Self {
        Self(None)
    }

    /// Does the work while the lease is renewed, and releases it in the end. If somebody else has taken
    /// over meanwhile, the work is dropped and the answer is [`Error::Overtaken`].
    pub async fn keep<T, E: From<Error>>(
        self,
        work: impl Future<Output = std::result::Result<T, E>>,
    ) -> std::result::Result<T, E> {
        let Some(owned) = &self.0 else { return work.await };
        let done = {
            let (mut work, mut renewing) = (pin!(work), pin!(owned.renew()));
            // Both must go on: a renewal may wait for a transaction of the work.
            poll_fn(|context| match work.as_mut().poll(context) {
                Poll::Ready(done) => Poll::Ready(done),
                Poll::Pending => renewing.as_mut().poll(context).map(|lost| Err(lost.into())),
            })
            .await
        };
        if owned.release().await.is_ok() {
            owned.acquired.set(&owned.stream, None);
        }
        done
    }
}

impl Owned {
    /// Renews for ever; why that ended. A database that cannot be written to for a moment is no reason:
    /// without it nothing is appended either.
    async fn renew(&self) -> Error {
        loop {
            tokio::time::sleep(self.length / 6).await;
            if let Err(error @ Error::Overtaken { .. }) = self.renew_once().await {
                return error;
            }
        }
    }

    /// Extends the lease; an error means that it may be lost.
    async fn renew_once(&self) -> Result<()> {
        let mut tx = self.db.begin(Durability::Fast).await?;
        check_epoch(&mut tx, &self.stream, self.epoch).await?;
        let now = self.clock.now_within(&mut tx).await?;
        let expires = now.saturating_add(micros(self.length));
        let args = Args::none().text(self.stream.as_str()).count(self.epoch).int(now).int(expires);
        tx.run(RENEW, args).await?;
        tx.commit().await
    }

    /// Gives the lease back, so that the next one need not wait for it to expire.
    async fn release(&self) -> Result<()> {
        let mut tx = self.db.begin(Durability::Fast).await?;
        tx.run(RELEASE, Args::none().text(self.stream.as_str()).count(self.epoch)).await?;
        tx.commit().await
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if self.acquired.get(&self.stream) == Some(Epoch::Current(self.epoch)) {
            self.acquired.set(&self.stream, Some(Epoch::Dropped(self.epoch)));
        }
    }
}

/// A length of time in the unit of the tables.
fn micros(length: Duration) -> i64 {
    i64::try_from(length.as_micros()).unwrap_or(i64::MAX)
}
