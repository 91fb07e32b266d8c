//! Which connections are open, and which of them is closed when a new client finds no room.
//!
//! A connection waits for its client (to send a request, to read an answer) or for this server (which
//! makes the answer). When all places are taken, the oldest of those that wait for their client is
//! closed. So clients that say nothing, send a byte now and then or never read cannot keep others
//! out: whoever sends its request at once is answered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The open connections, by age.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    open: Mutex<Open>,
    /// Told whenever one ends, or has made its answer.
    freed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    by_age: BTreeMap<u64, Activity>,
}

/// What a connection does right now. Requests carry it, so that whoever makes an answer can say so.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    answers: Arc<AtomicUsize>,
    close: Arc<Notify>,
    freed: Arc<Notify>,
}

/// One open connection. Its place is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    connections: Arc<Connections>,
    number: u64,
    pub(crate) activity: Activity,
}

/// As long as it lives, an answer is being made.
#[derive(Debug)]
pub(crate) struct Busy(Activity);

impl Connections {
    /// A place for one more, among at most `most`.
    pub(crate) async fn place(self: &Arc<Self>, most: usize) -> Place {
        loop {
            // Asked for before looking, so that a place freed in between is not missed.
            let freed = self.freed.notified();
            if let Some(place) = self.take(most) {
                return place;
            }
            freed.await;
        }
    }

    /// A place, if there is one or one can be made.
    fn take(self: &Arc<Self>, most: usize) -> Option<Place> {
        let mut open = self.lock();
        if open.by_age.len() >= most {
            let waits = |(_, one): &(&u64, &Activity)| !one.is_busy();
            let oldest = open.by_age.iter().find(waits).map(|(number, _)| *number)?;
            open.by_age.remove(&oldest)?.close.notify_one();
        }
        let number = open.next;
        open.next += 1;
        let activity = Activity {
            answers: Arc::default(),
            close: Arc::default(),
            freed: Arc::clone(&self.freed),
        };
        open.by_age.insert(number, activity.clone());
        Some(Place { connections: Arc::clone(self), number, activity })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().by_age.remove(&self.number);
        self.connections.freed.notify_one();
    }
}

impl Activity {
    /// Says that an answer is being made, until what is returned is dropped.
    pub(crate) fn busy(&self) -> Busy {
        self.answers.fetch_add(1, Ordering::Relaxed);
        Busy(self.clone())
    }

    /// Returns when the connection has to go.
    pub(crate) async fn closed(&self) {
        self.close.notified().await;
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.answers.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.answers.fetch_sub(1, Ordering::Relaxed);
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_that_waits_for_its_client_makes_room() {
        let connections = Arc::new(Connections::default());
        let first = connections.take(2).unwrap();
        let second = connections.take(2).unwrap();
        let busy = first.activity.busy();
        let third = connections.take(2).unwrap();
        let numbers = |connections: &Connections| -> Vec<u64> {
            connections.lock().by_age.keys().copied().collect()
        };
        assert_eq!(numbers(&connections), [first.number, third.number]);
        let also_busy = third.activity.busy();
        assert!(connections.take(2).is_none(), "both make answers");
        drop((busy, also_busy, second, third));
        assert_eq!(numbers(&connections), [first.number]);
    }
}
