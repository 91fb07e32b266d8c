//! Events: every record once and in order, whoever is slow, wherever a client left off.

use std::io::Read as _;
use std::time::{Duration, Instant};

use rebuttal_server::{Limits, Options};
use serde_json::json;
use tokio::time::timeout;

use crate::client::{FOREVER, Running, Watcher};
use crate::models::Models;

fn body() -> serde_json::Value {
    json!({"task": "Ship?", "agents": ["ann", "bob"], "protocol": {"rounds": 2, "stop": "rounds:2"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_the_journal_and_go_on_after_the_last_one_seen() {
    let server = Running::usual().await;
    let id = server.start(&body()).await;
    let path = format!("/api/debates/{id}/events");
    let mut watcher = Watcher::open(server.port, &path, "").await;
    let mut seen = Vec::new();
    loop {
        let sent = timeout(FOREVER, watcher.next()).await.unwrap().expect("an event");
        if sent.kind == "end" {
            break;
        }
        seen.push(sent);
    }
    assert_eq!(timeout(FOREVER, watcher.next()).await.unwrap(), None, "the server closes");
    let ids: Vec<u64> = seen.iter().filter_map(|sent| sent.id).collect();
    assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>());
    assert_eq!(seen.last().unwrap().kind, "decided");
    let stored =
        server.store.head(&rebuttal::model::StreamId::new(format!("debate/{id}"))).await.unwrap();
    assert_eq!(stored.seq, ids.len() as u64);

    for after in [0, 1, ids.len() as u64 - 1, ids.len() as u64] {
        let more = format!("Last-Event-ID: {after}\r\n");
        let mut watcher = Watcher::open(server.port, &path, &more).await;
        let mut rest = Vec::new();
        while let Some(sent) = timeout(FOREVER, watcher.next()).await.expect("no wait at the end") {
            rest.extend(sent.id.map(|_| sent.clone()));
        }
        assert_eq!(rest, seen[usize::try_from(after).unwrap()..], "after {after}");
    }
    let mut only =
        Watcher::open(server.port, &format!("{path}?kind=decided,round_started"), "").await;
    while let Some(sent) = timeout(FOREVER, only.next()).await.unwrap() {
        assert!(["decided", "round_started", "end"].contains(&sent.kind.as_str()), "{sent:?}");
    }
    let wrong = server.ask("GET", &path, "Last-Event-ID: x\r\n", b"").await;
    assert_eq!(wrong.status, 422);
    server.close().await;
}

/// Clients that break off after a random number of events and come back see every event once.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_breaks_off_anywhere_misses_nothing() {
    let models = Models { slow: Duration::from_millis(15), ..Models::default() };
    let server = Running::open(models, Options::default()).await;
    let id = server.start(&body()).await;
    let path = format!("/api/debates/{id}/events");
    let clients = (0..100_u64).map(|client| {
        let (path, port) = (path.clone(), server.port);
        async move {
            // A small generator of its own for each client: the same every run.
            let mut random = client.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut seen = Vec::new();
            'again: loop {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let after = seen.last().copied().unwrap_or(0);
                let mut watcher =
                    Watcher::open(port, &path, &format!("Last-Event-ID: {after}\r\n")).await;
                for _ in 0..=random % 7 {
                    match watcher.next().await {
                        Some(sent) if sent.kind == "end" => break 'again,
                        Some(sent) => seen.extend(sent.id),
                        None => break,
                    }
                }
            }
            seen
        }
    });
    let all = timeout(FOREVER, futures_util::future::join_all(clients)).await.expect("in time");
    let records =
        server.get(&format!("/api/debates/{id}/state")).await.json()["at"].as_u64().unwrap();
    let wanted: Vec<u64> = (1..=records).collect();
    for seen in all {
        assert_eq!(seen, wanted);
    }
    server.close().await;
}

/// S1 with 2,000 subscribers: none lost, none twice. `REBUTTAL_SUBSCRIBERS` sets another number.
#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_watch_one_debate() {
    let wanted = std::env::var("REBUTTAL_SUBSCRIBERS").ok().and_then(|text| text.parse().ok());
    let count: usize = wanted.unwrap_or(2_000);
    let files = open_files();
    if files < 2 * count + 200 {
        println!("skipped: {files} open files are allowed, and {} are needed", 2 * count + 200);
        return;
    }
    let limits = Limits { connections: count + 100, ..Limits::default() };
    let models = Models { slow: Duration::from_millis(400), ..Models::default() };
    let server = Running::open(models, Options { limits, ..Options::default() }).await;
    let id = server.start(&body()).await;
    let path = format!("/api/debates/{id}/events");
    let begun = Instant::now();
    let clients = (0..count).map(|_| {
        let (path, port) = (path.clone(), server.port);
        tokio::spawn(async move {
            let mut watcher = Watcher::open(port, &path, "").await;
            let mut seen = Vec::new();
            while let Some(sent) = watcher.next().await {
                seen.extend(sent.id);
            }
            seen
        })
    });
    let clients: Vec<_> = clients.collect();
    let all = timeout(FOREVER, futures_util::future::join_all(clients)).await.expect("in time");
    let records =
        server.get(&format!("/api/debates/{id}/state")).await.json()["at"].as_u64().unwrap();
    let wanted: Vec<u64> = (1..=records).collect();
    for seen in all {
        assert_eq!(seen.unwrap(), wanted);
    }
    println!("{count} subscribers saw {records} records each within {:?}", begun.elapsed());
    server.close().await;
}

/// How many files this process may have open.
fn open_files() -> usize {
    let mut limits = String::new();
    if let Ok(mut file) = std::fs::File::open("/proc/self/limits") {
        file.read_to_string(&mut limits).ok();
    }
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok()).unwrap_or(256)
}

/// S3: one that never reads neither holds up the debate nor the others.
#[tokio::test(flavor = "multi_thread")]
async fn one_that_never_reads_hurts_nobody() {
    let limits = Limits { write: Duration::from_millis(300), ..Limits::default() };
    let server = Running::open(Models::default(), Options { limits, ..Options::default() }).await;
    let id = server.start(&body()).await;
    let path = format!("/api/debates/{id}/events");
    let _stalled = Watcher::open(server.port, &path, "").await;
    let mut watcher = Watcher::open(server.port, &path, "").await;
    let ended = async {
        while let Some(sent) = watcher.next().await {
            if sent.kind == "end" {
                return;
            }
        }
    };
    timeout(FOREVER, ended).await.expect("the other sees the end");
    server.close().await;
}

/// S5: a server that is stopped tells its watchers, pauses its debates, and the next one goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_leaves_its_debates_to_the_next() {
    let models = Models { slow: Duration::from_millis(100), ..Models::default() };
    let mut server = Running::open(models.clone(), Options::default()).await;
    let id = server.start(&body()).await;
    let mut watcher = Watcher::open(server.port, &format!("/api/debates/{id}/events"), "").await;
    server.until(&id, &["running"]).await;
    let begun = Instant::now();
    server.stop.take().map(|stop| stop.send(()));
    let mut last = String::new();
    while let Some(sent) = timeout(FOREVER, watcher.next()).await.unwrap() {
        last = sent.kind;
    }
    assert_eq!(last, "stopping");
    timeout(FOREVER, &mut server.ended).await.unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let asked = server.models.asked();
    let Running { folder, store, .. } = server;
    let location = store.location().clone();
    store.close().await;
    drop(store);
    let next = Running::on(&location, folder, models, Options::default()).await;
    next.until(&id, &["decided", "undecided"]).await;
    assert!(asked < next.models.asked());
    assert_eq!(next.models.asked(), next.answered(&id).await, "nothing was asked twice");
    next.close().await;
}
