//! Leases: one runs a debate, everybody else is told who; whoever is overtaken writes nothing more.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use rebuttal_model::{DebateId, Event, StreamId};
use rebuttal_store::{Error, Lease, Store, StoreOptions};

use crate::support::{Place, at, block_on, on_both};

fn debate() -> StreamId {
    StreamId::debate(&DebateId::new("d1"))
}

fn events() -> Vec<Event> {
    vec![Event::Paused { reason: "wait".to_owned(), breakpoint: None }]
}

/// A clock that tests set.
#[derive(Clone)]
struct Clock(Arc<AtomicI64>);

impl Clock {
    fn new() -> Self {
        Self(Arc::new(AtomicI64::new(at().as_microsecond())))
    }

    fn jump(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).unwrap()
    }
}

/// A store as another process would open it.
async fn opened(place: &Place, clock: &Clock) -> Store {
    opened_for(place, clock, Duration::from_millis(400)).await
}

/// With leases of this length: renewed six times meanwhile, and watched for a third of it.
async fn opened_for(place: &Place, clock: &Clock, lease: Duration) -> Store {
    let options = StoreOptions { lease, ..StoreOptions::default() };
    let clock = clock.clone();
    let store = Store::open(&place.location, options).await.unwrap();
    store.with_lease_clock(move || clock.now())
}

fn refused(lease: Result<Lease, Error>) -> String {
    lease.map(drop).unwrap_err().to_string()
}

async fn one_runs_and_the_other_is_told_who(place: Place) {
    let clock = Clock::new();
    let (one, other) = (opened(&place, &clock).await, opened(&place, &clock).await);
    let lease = one.lease(&debate()).await.unwrap();
    let error = other.lease(&debate()).await.unwrap_err();
    let Error::Leased { stream, holder, until } = &error else { panic!("{error}") };
    assert_eq!((stream, holder.process, holder.since), (&debate(), std::process::id(), at()));
    assert_eq!(*until, at() + Duration::from_millis(400));
    assert!(!holder.host.is_empty());
    assert_eq!(
        error.to_string(),
        format!(
            "“debate/d1” is being run by process {} on {} since 2026-11-16T08:00:00Z. Wait until it \
             ends; if that process stops responding, it can be taken over at 2026-11-16T08:00:00Z",
            holder.process, holder.host
        )
    );
    assert_eq!(other.leased_to(&debate()).await.unwrap().as_ref(), Some(holder));
    assert!(refused(one.lease(&debate()).await).contains("is being run by"), "nor in one store");
    // Another debate is another matter.
    other.lease(&StreamId::debate(&DebateId::new("d2"))).await.unwrap();
    let done: Result<u8, Error> = lease.keep(async { Ok(7) }).await;
    assert_eq!(done.unwrap(), 7);
    assert_eq!(other.leased_to(&debate()).await.unwrap(), None);
    let lease = other.lease(&debate()).await.unwrap();
    // What was given back is not fenced off: the caller has other ways to be refused.
    one.append(&debate(), Some(0), at(), &events()).await.unwrap();
    drop(lease);
}

async fn who_is_overtaken_writes_nothing(place: Place) {
    let clock = Clock::new();
    let (one, other) = (opened(&place, &clock).await, opened(&place, &clock).await);
    let stuck = one.lease(&debate()).await.unwrap();
    one.append(&debate(), Some(0), at(), &events()).await.unwrap();
    clock.jump(1);
    let lease = other.lease(&debate()).await.unwrap();
    let error = one.append(&debate(), Some(1), at(), &events()).await.unwrap_err();
    assert!(matches!(&error, Error::Overtaken { .. }) && error.is_leased(), "{error}");
    assert!(error.to_string().contains("was taken over by process"), "{error}");
    assert_eq!(one.head(&debate()).await.unwrap().seq, 1);
    other.append(&debate(), Some(1), at(), &events()).await.unwrap();
    assert_eq!(other.verify(&debate(), None).await.unwrap().seq, 2);
    // Who is overtaken while it waits is told, and does not give back what is not its own.
    let done: Result<(), Error> = stuck.keep(pending()).await;
    assert!(matches!(done, Err(Error::Overtaken { .. })), "{done:?}");
    assert!(refused(one.lease(&debate()).await).contains("is being run by"));
    drop(lease);
}

/// Runs something while a lease is renewed in the background.
async fn while_kept<T>(lease: Lease, work: impl Future<Output = T>) -> T {
    let kept = tokio::spawn(lease.keep(async {
        tokio::time::sleep(Duration::from_mins(1)).await;
        Ok::<(), Error>(())
    }));
    let done = work.await;
    kept.abort();
    done
}

async fn a_clock_that_jumps_does_not_take_it_from_the_living(place: Place) {
    for seconds in [3600, -3600] {
        let (clock, length) = (Clock::new(), Duration::from_secs(6));
        let one = opened_for(&place, &clock, length).await;
        let other = opened_for(&place, &clock, length).await;
        let stream = StreamId::debate(&DebateId::new(format!("d{seconds}")));
        let lease = one.lease(&stream).await.unwrap();
        clock.jump(seconds);
        let refused = while_kept(lease, async { refused(other.lease(&stream).await) }).await;
        assert!(refused.contains("is being run by process"), "{seconds}: {refused}");
    }
}

async fn a_clock_that_jumps_does_not_leave_it_to_the_silent(place: Place) {
    for seconds in [3600, -3600] {
        let clock = Clock::new();
        let (one, other) = (opened(&place, &clock).await, opened(&place, &clock).await);
        let stream = StreamId::debate(&DebateId::new(format!("d{seconds}")));
        let _never_renewed = one.lease(&stream).await.unwrap();
        clock.jump(seconds);
        other.lease(&stream).await.unwrap();
    }
}

async fn a_dropped_lease_is_over_for_its_store(place: Place) {
    let clock = Clock::new();
    let (one, other) = (opened(&place, &clock).await, opened(&place, &clock).await);
    drop(one.lease(&debate()).await.unwrap());
    assert!(refused(other.lease(&debate()).await).contains("is being run by"));
    one.lease(&debate()).await.unwrap();
}

async fn of_many_at_once_one_gets_it(place: Place) {
    let location = place.location.clone();
    drop(place.open().await);
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            let location = location.clone();
            tokio::spawn(async move {
                let store = Store::open(&location, StoreOptions::default()).await.unwrap();
                // The database's own clock.
                let lease = store.lease(&debate()).await;
                lease.map(|lease| (lease, store))
            })
        })
        .collect();
    let mut leases = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            Ok(lease) => leases.push(lease),
            Err(error) => assert!(matches!(error, Error::Leased { .. }), "{error}"),
        }
    }
    assert_eq!(leases.len(), 1);
}

on_both!(
    one_runs_and_the_other_is_told_who,
    who_is_overtaken_writes_nothing,
    a_clock_that_jumps_does_not_take_it_from_the_living,
    a_clock_that_jumps_does_not_leave_it_to_the_silent,
    a_dropped_lease_is_over_for_its_store,
    of_many_at_once_one_gets_it,
);

#[test]
fn what_only_one_can_get_at_needs_no_lease() {
    let done: Result<u8, Error> = block_on(Lease::unshared().keep(async { Ok(7) }));
    assert_eq!(done.unwrap(), 7);
}
