//! A server that is gone is taken over: what it began ends once, and nothing recorded is asked twice.

use std::time::Duration;

use rebuttal::jobs::Allowance;
use rebuttal::store::Location;
use rebuttal_server::Options;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use crate::client::Running;
use crate::cluster;
use crate::models::Models;

fn options() -> Options {
    let allowance = Allowance { calls: None, usd: None, debates: 6 };
    Options { allowance, ..Options::default() }
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Two servers share twelve debates; the first one stops as if its power were cut.
fn one_is_cut_off(location: &Location) {
    let slow = Duration::from_millis(60);
    let (first, second) = (runtime(), runtime());
    let open = |runtime: &Runtime| {
        let folder = tempfile::tempdir().unwrap();
        let models = Models { slow, ..Models::default() };
        runtime.block_on(Running::on(location, folder, models, options()))
    };
    let (one, two) = (open(&first), open(&second));
    let body = json!({"task": "Ship?", "agents": ["ann", "bob"], "protocol": {"rounds": 2}});
    let ids: Vec<String> = first.block_on(async {
        futures_util::future::join_all((0..12).map(|_| one.start(&body))).await
    });
    first.block_on(async { tokio::time::sleep(Duration::from_millis(700)).await });
    let asked_of_one = one.models.asked();
    // No lease is released, no task goes on.
    std::mem::forget(one);
    first.shutdown_background();
    let answered = second.block_on(async {
        let mut answered = 0;
        for id in &ids {
            two.until(id, &["decided", "undecided"]).await;
            answered += two.answered(id).await;
        }
        answered
    });
    let asked = asked_of_one + two.models.asked();
    // Each debate of the first had at most a round in flight: two calls.
    assert!(asked >= answered && asked <= answered + 2 * 6, "{asked} asked, {answered} answered");
    assert!(asked_of_one > 0 && two.models.asked() > 0);
    second.block_on(two.close());
}

#[test]
fn on_one_file() {
    let folder = tempfile::tempdir().unwrap();
    one_is_cut_off(&Location::file(folder.path().join("ledger.db")));
}

#[test]
fn on_postgres() {
    match runtime().block_on(cluster::database()) {
        Ok(url) => one_is_cut_off(&url.parse().unwrap()),
        Err(why) => println!("skipped: no PostgreSQL to test with: {why}"),
    }
}
