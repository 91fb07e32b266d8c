//! The one loop that sends again, on a clock that costs no time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::header::HeaderMap;
use tokio::runtime::Builder;

use super::*;
use crate::breaker::Breaker;
use crate::transport::Timeouts;

const ANY: Allowance = Allowance { tokens: 0, paid_requests: None, requests: None };
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
    let (result, took) = timed(exchange.persist(ANY, async |_, _| again(None)));
    assert_eq!(
        result.unwrap_err().fault,
        Fault::Broken { attempts: 4, reason: "reset".to_owned() }
    );
    // 1, 2 and 4 seconds, halved.
    assert_eq!(took.as_millis() / 10, 350);
}

#[test]
fn a_server_that_asks_for_time_gets_it() {
    let exchange = exchange(Retries::default());
    let once = async |attempt, _| match attempt {
        1 => again(Some(SECOND * 7)),
        _ => Judged::Good(attempt),
    };
    let (result, took) = timed(exchange.persist(ANY, once));
    assert_eq!(result.unwrap().value, 2);
    assert!((SECOND * 7..SECOND * 8).contains(&took), "{took:?}");
}

#[test]
fn the_deadline_holds_over_attempts_and_waits() {
    let retries = Retries { deadline: SECOND * 10, ..Retries::default() };
    let (result, took) =
        timed(exchange(retries).persist(ANY, async |_, _| again(Some(SECOND * 6))));
    assert_eq!(
        result.unwrap_err().fault,
        Fault::Broken { attempts: 2, reason: "reset".to_owned() }
    );
    assert!(took < SECOND * 10, "{took:?}");
    let forever = async |_, _| {
        tokio::time::sleep(SECOND * 600).await;
        Judged::Good(1)
    };
    let (result, took) = timed(exchange(retries).persist(ANY, forever));
    assert_eq!((result.unwrap_err().fault, took.as_secs()), (Fault::Timeout(SECOND * 10), 10));
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    let calls = AtomicU32::new(0);
    let once = async |_, _| {
        calls.fetch_add(1, Ordering::SeqCst);
        Judged::<u32>::Final(Fault::Empty(String::new()))
    };
    let (result, took) = timed(exchange(Retries::default()).persist(ANY, once));
    assert_eq!(result.unwrap_err().fault, Fault::Empty(String::new()));
    assert_eq!((calls.load(Ordering::SeqCst), took), (1, Duration::ZERO));
}

#[test]
fn a_server_that_keeps_failing_is_left_alone_and_the_first_fault_is_named() {
    let mut exchange = exchange(Retries::default());
    exchange.circuit = Circuit::new(Breaker { failures: 2, rest: SECOND * 30 });
    let calls = AtomicU32::new(0);
    let once = async |_, _| {
        calls.fetch_add(1, Ordering::SeqCst);
        again(None)
    };
    timed(async {
        let fault = exchange.persist(ANY, once).await.unwrap_err().fault;
        assert_eq!(fault, Fault::Broken { attempts: 2, reason: "reset".to_owned() });
        let start = Instant::now();
        let fault = exchange.persist(ANY, once).await.unwrap_err().fault;
        assert!(matches!(fault, Fault::Tripped { failures: 2, .. }), "{fault}");
        assert_eq!((calls.load(Ordering::SeqCst), start.elapsed()), (2, Duration::ZERO));
        tokio::time::sleep(SECOND * 31).await;
        assert_eq!(exchange.persist(ANY, async |n, _| Judged::Good(n)).await.unwrap().value, 1);
        assert_eq!(exchange.persist(ANY, async |n, _| Judged::Good(n)).await.unwrap().value, 1);
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
    let (result, took) = timed(exchange.persist(ANY, async |_, _| again(None)));
    assert!(result.is_err() && took >= SECOND * 60, "{took:?}");
    let told = told.lock().unwrap();
    let [Delay::Retry { attempts: 1, reason, .. }, Delay::Queued { wait }] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!(reason, "the connection broke (reset), once");
    assert!(*wait > SECOND * 59 && *wait <= SECOND * 60, "{wait:?}");
}

#[test]
fn what_every_attempt_cost_is_counted_and_repeats_are_requests() {
    let counted = |n| Usage { input: Some(n), output: None };
    let once = async |attempt, meter: Meter| {
        meter.set(counted(10));
        if attempt < 3 { again(None) } else { Judged::Good(attempt) }
    };
    let (result, _) = timed(exchange(Retries::default()).persist(ANY, once));
    let sent = result.unwrap();
    assert_eq!((sent.value, sent.requests, sent.before), (3, 3, counted(20)));
    let late = async |_, meter: Meter| {
        meter.set(counted(7));
        tokio::time::sleep(SECOND * 600).await;
        Judged::Good(1)
    };
    let (result, _) = timed(exchange(Retries::default()).persist(ANY, late));
    let failed = result.unwrap_err();
    assert_eq!(failed.fault, Fault::Timeout(SECOND * 300));
    assert_eq!((failed.requests, failed.usage), (1, counted(7)));
}

#[test]
fn no_more_requests_are_paid_for_than_allowed_and_refusals_cost_nothing() {
    let allowance = Allowance { paid_requests: Some(2), ..ANY };
    let (result, _) =
        timed(exchange(Retries::default()).persist(allowance, async |_, _| again(None)));
    assert_eq!(result.unwrap_err().requests, 2);
    let refused = || Fault::Status { code: 503, message: String::new(), attempts: 1 };
    let once = async |_, _| Judged::<u32>::Again { fault: refused(), asked: None };
    let (result, _) = timed(exchange(Retries::default()).persist(allowance, once));
    assert_eq!(result.unwrap_err().requests, 4);
}
