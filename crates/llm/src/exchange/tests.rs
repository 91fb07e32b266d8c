//! The one loop that sends again, on a clock that costs no time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::header::HeaderMap;
use tokio::runtime::Builder;

use super::*;
use crate::breaker::Breaker;
use crate::transport::Timeouts;

const SECOND: Duration = Duration::from_secs(1);

fn exchange(retries: Retries) -> Exchange {
    let url = "http://127.0.0.1:1/".parse().unwrap();
    let transport = Transport::new(url, HeaderMap::new(), Timeouts::default(), 1).unwrap();
    let mut exchange = Exchange::new("ann".to_owned(), transport, None, retries);
    exchange.random = || 0.5;
    exchange
}

/// Runs `work` on a paused clock, and says how long it took by that clock.
fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let start = Instant::now();
        (work.await, start.elapsed())
    })
}

fn broken() -> Fault {
    Fault::Broken { attempts: 1, reason: "reset".to_owned() }
}

fn again(asked: Option<Duration>) -> Judged<u32> {
    Judged::Again { fault: broken(), asked }
}

#[test]
fn waits_are_half_of_what_they_may_be_at_half_luck() {
    let exchange = exchange(Retries { first_wait: SECOND, ..Retries::default() });
    let (result, took) = timed(exchange.persist(0, async |_| again(None)));
    assert_eq!(result.unwrap_err(), Fault::Broken { attempts: 4, reason: "reset".to_owned() });
    // 1, 2 and 4 seconds, halved.
    assert_eq!(took.as_millis() / 10, 350);
}

#[test]
fn a_server_that_asks_for_time_gets_it() {
    let exchange = exchange(Retries::default());
    let once = async |attempt| match attempt {
        1 => again(Some(SECOND * 7)),
        _ => Judged::Good(attempt),
    };
    let (result, took) = timed(exchange.persist(0, once));
    assert_eq!(result.unwrap().0, 2);
    assert!((SECOND * 7..SECOND * 8).contains(&took), "{took:?}");
}

#[test]
fn the_deadline_holds_over_attempts_and_waits() {
    let retries = Retries { deadline: SECOND * 10, ..Retries::default() };
    let (result, took) = timed(exchange(retries).persist(0, async |_| again(Some(SECOND * 6))));
    assert_eq!(result.unwrap_err(), Fault::Broken { attempts: 2, reason: "reset".to_owned() });
    assert!(took < SECOND * 10, "{took:?}");
    let forever = async |_| {
        tokio::time::sleep(SECOND * 600).await;
        Judged::Good(1)
    };
    let (result, took) = timed(exchange(retries).persist(0, forever));
    assert_eq!((result.unwrap_err(), took.as_secs()), (Fault::Timeout(SECOND * 10), 10));
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    let calls = AtomicU32::new(0);
    let once = async |_| {
        calls.fetch_add(1, Ordering::SeqCst);
        Judged::<u32>::Final(Fault::Empty(String::new()))
    };
    let (result, took) = timed(exchange(Retries::default()).persist(0, once));
    assert_eq!(result.unwrap_err(), Fault::Empty(String::new()));
    assert_eq!((calls.load(Ordering::SeqCst), took), (1, Duration::ZERO));
}

#[test]
fn a_server_that_keeps_failing_is_left_alone_and_the_first_fault_is_named() {
    let mut exchange = exchange(Retries::default());
    exchange.circuit = Circuit::new(Breaker { failures: 2, rest: SECOND * 30 });
    let calls = AtomicU32::new(0);
    let once = async |_| {
        calls.fetch_add(1, Ordering::SeqCst);
        again(None)
    };
    timed(async {
        let fault = exchange.persist(0, once).await.unwrap_err();
        assert_eq!(fault, Fault::Broken { attempts: 2, reason: "reset".to_owned() });
        let start = Instant::now();
        let fault = exchange.persist(0, once).await.unwrap_err();
        assert!(matches!(fault, Fault::Tripped { failures: 2, .. }), "{fault}");
        assert_eq!((calls.load(Ordering::SeqCst), start.elapsed()), (2, Duration::ZERO));
        tokio::time::sleep(SECOND * 31).await;
        assert_eq!(exchange.persist(0, async |n| Judged::Good(n)).await.unwrap().0, 1);
        assert_eq!(exchange.persist(0, async |n| Judged::Good(n)).await.unwrap().0, 1);
    });
}

#[test]
fn delays_are_told_before_they_begin() {
    let told: Arc<Mutex<Vec<Delay>>> = Arc::default();
    let seen = Arc::clone(&told);
    let mut exchange = exchange(Retries { attempts: 2, ..Retries::default() });
    exchange.watch = Some(Arc::new(move |delay| seen.lock().unwrap().push(delay.clone())));
    let rate = crate::Rate { requests_per_minute: Some(1), tokens_per_minute: None };
    exchange.gate = Arc::new(Gate::new(rate));
    let (result, took) = timed(exchange.persist(0, async |_| again(None)));
    assert!(result.is_err() && took >= SECOND * 60, "{took:?}");
    let told = told.lock().unwrap();
    let [Delay::Retry { attempts: 1, reason, .. }, Delay::Queued { wait }] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!(reason, "the connection broke (reset), once");
    assert!(*wait > SECOND * 59 && *wait <= SECOND * 60, "{wait:?}");
}
