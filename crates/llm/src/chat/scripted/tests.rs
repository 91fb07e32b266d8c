//! A script is followed to the letter, to the second and to the seed.

use std::sync::Arc;

use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::*;

#[test]
fn a_list_is_said_in_order_and_then_nothing() {
    let agent = Scripted::new("ann", ["one", "two"]);
    let ask = || agent.reply(&Request::new("?")).map(|reply| reply.text);
    assert_eq!((ask().unwrap(), ask().unwrap()), ("one".to_owned(), "two".to_owned()));
    assert!(ask().unwrap_err().to_string().starts_with("ann: the reply is empty"));
    assert_eq!((agent.requests().len(), agent.peak(), agent.depth()), (3, 1, 3));
}

#[test]
fn every_scene_is_the_error_a_server_would_make() {
    for (scene, reason) in [
        (Scene::IsCutShort, "cut off before its end"),
        (Scene::Declines("no".to_owned()), "declined to answer (no)"),
        (Scene::IsFiltered, "a content filter stepped in"),
        (Scene::SaysNothing, "the reply is empty"),
        (Scene::Answers(503), "answered 503"),
        (Scene::TimesOut, "no complete answer"),
        (Scene::NeverAnswers, "no complete answer"),
        (Scene::BreaksOff("half".to_owned()), "the connection broke"),
    ] {
        let error = Scripted::new("ann", [scene]).reply(&Request::default()).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn calls_at_once_are_counted() {
    let agent = Scripted::from_fn("ann", |_| "yes".into()).with_latency(Duration::from_millis(300));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| agent.reply(&Request::default()).unwrap());
        }
    });
    assert_eq!((agent.peak(), agent.depth()), (3, 1));
    agent.reply(&Request::default()).unwrap();
    assert_eq!((agent.peak(), agent.depth()), (3, 2));
}

/// Runs on a clock that costs no time, and says how much of it passed.
fn simulated<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let start = Instant::now();
        (work.await, start.elapsed())
    })
}

#[test]
fn a_round_takes_as_long_as_its_slowest_call() {
    let agents = ["ann", "bob", "cyd"].map(|id| {
        let agent = Scripted::by_call(id, |call, _| format!("round {call} it is").into());
        let two = Duration::from_secs(2);
        Arc::new(agent.with_log_normal_latency(two, 0.6, 7).counting())
    });
    let run = async || {
        let mut running = JoinSet::new();
        for agent in agents.iter().map(Arc::clone) {
            let request = Request::new("What do you think?");
            running.spawn(async move { agent.stream(&request, &|_| ()).await.unwrap() });
        }
        running.join_all().await
    };
    let (replies, took) = simulated(run());
    let slowest = agents.iter().map(|agent| agent.latency(0)).max().unwrap();
    assert!(took >= slowest && took < slowest + Duration::from_millis(5), "{took:?} {slowest:?}");
    assert_eq!(replies[0].text, "round 0 it is");
    assert_eq!(replies[0].usage, Usage { input: Some(5), output: Some(4) });
    assert_eq!(simulated(run()).0[2].text, "round 1 it is");
}

#[test]
fn latencies_are_log_normal_and_repeatable() {
    let agent = |seed| {
        Scripted::new("ann", ["yes"]).with_log_normal_latency(Duration::from_secs(2), 0.5, seed)
    };
    let drawn = |seed| {
        let agent = agent(seed);
        (0..4000).map(|call| agent.latency(call).as_secs_f64()).collect::<Vec<_>>()
    };
    let (one, again, other) = (drawn(1), drawn(1), drawn(2));
    assert!(one == again && one != other);
    let logs: Vec<f64> = one.iter().map(|seconds| (seconds / 2.0).ln()).collect();
    let mean = logs.iter().sum::<f64>() / 4000.0;
    let spread = (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / 4000.0).sqrt();
    assert!(mean.abs() < 0.03 && (spread - 0.5).abs() < 0.03, "{mean} {spread}");
}

#[test]
fn faults_come_as_often_as_scheduled_and_on_the_same_calls() {
    let agent = || {
        Scripted::from_fn("ann", |_| "yes".into()).with_faults(
            3,
            0.25,
            vec![Scene::Answers(500), Scene::TimesOut],
        )
    };
    let run = || {
        let agent = agent();
        (0..2000).map(|_| agent.reply(&Request::default()).is_err()).collect::<Vec<_>>()
    };
    let (one, again) = (run(), run());
    assert_eq!(one, again);
    let share = one.iter().filter(|failed| **failed).count();
    assert!((430..570).contains(&share), "{share} of 2000");
}

#[test]
fn whoever_never_answers_waits_until_nobody_waits() {
    let agent = Scripted::new("ann", [Scene::NeverAnswers, "yes".into()]);
    let request = Request::default();
    let (gave_up, took) = simulated(async {
        tokio::time::timeout(Duration::from_mins(1), agent.stream(&request, &|_| ())).await.is_err()
    });
    assert!(gave_up && took >= Duration::from_mins(1));
    assert_eq!(agent.reply(&request).unwrap().text, "yes");
    assert_eq!((agent.peak(), agent.depth()), (1, 2), "a call given up has ended");
}

#[test]
fn words_are_heard_one_by_one() {
    let agent =
        Scripted::new("ann", [Scene::from("yes I do"), Scene::BreaksOff("no I".to_owned())]);
    let (request, heard) = (Request::default(), Mutex::new(Vec::new()));
    let hear = |words: &str| lock(&heard).push(words.to_owned());
    let ((), _) = simulated(async {
        agent.stream(&request, &hear).await.unwrap();
        agent.stream(&request, &hear).await.unwrap_err();
    });
    assert_eq!(heard.into_inner().unwrap(), ["yes ", "I ", "do", "no ", "I"]);
}
