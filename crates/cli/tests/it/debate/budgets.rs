//! `--budget-…` against a provider on this machine that charges as much as it may.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;

use super::server::{Panel, says};

/// Agents at three dollars for a million tokens read, and fifteen for a million written.
fn priced(latency: Duration) -> Panel {
    Panel::costly(latency).with_price("{ input = 3.0, output = 15.0 }")
}

fn decision(panel: &Panel, args: &str) -> Value {
    let run = panel.debate(&format!("--format json --no-trickster {args}"));
    let json: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.shown()));
    json["decision"].clone()
}

/// What was charged, in millionths of a dollar.
fn charged(panel: &Panel) -> u64 {
    let bill = panel.bill();
    3 * bill.input.load(Ordering::SeqCst) + 15 * bill.output.load(Ordering::SeqCst)
}

#[test]
fn no_more_dollars_are_spent_than_the_budget_has() {
    for (usd, calls) in [("0", 0), ("0.01", 0), ("0.10", 3), ("0.25", 3)] {
        let panel = priced(Duration::ZERO);
        let decision = decision(&panel, &format!("--budget-usd {usd} --rounds 2 --stop rounds:2"));
        let limit = (usd.parse::<f64>().unwrap() * 1e6).round();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let spent = charged(&panel) as f64;
        assert!(spent <= limit, "{spent} of {limit}: {decision}");
        assert!(panel.asked() >= calls, "{} calls for {usd} dollars: {decision}", panel.asked());
        assert_eq!(decision["cost"]["micro_usd"], charged(&panel));
        if calls == 0 {
            assert_eq!(panel.asked(), 0, "{usd}");
            assert_eq!(decision["answer"], Value::Null);
        }
        assert_eq!(decision["stop"]["rule"], "budget", "{decision}");
    }
}

#[test]
fn no_more_tokens_are_spent_than_the_budget_has() {
    for (tokens, calls) in [(0, 0), (3_100, 0), (20_000, 3)] {
        let panel = Panel::costly(Duration::ZERO);
        let decision =
            decision(&panel, &format!("--budget-tokens {tokens} --rounds 2 --stop rounds:2"));
        let bill = panel.bill();
        let spent = bill.input.load(Ordering::SeqCst) + bill.output.load(Ordering::SeqCst);
        assert!(spent <= tokens, "{spent} of {tokens}: {decision}");
        assert!(panel.asked() >= calls, "{} calls for {tokens}: {decision}", panel.asked());
        assert_eq!(decision["stop"]["rule"], "budget", "{decision}");
    }
}

#[test]
fn seconds_are_those_on_the_clock_and_cut_what_is_under_way() {
    let panel = Panel::costly(Duration::from_secs(30));
    let cut = decision(&panel, "--budget-seconds 1");
    assert_eq!(panel.asked(), 3);
    assert_eq!(cut["answer"], Value::Null);
    let words = cut["stop"]["words"].as_str().unwrap();
    assert!(words.starts_with("The time is up: "), "{words}");
    assert_eq!(cut["cost"]["uncertain"]["calls"], 3, "perhaps paid: {cut}");
    let none = Panel::costly(Duration::ZERO);
    assert_eq!(decision(&none, "--budget-seconds 0")["answer"], Value::Null);
    assert_eq!(none.asked(), 0);
}

#[test]
fn dollars_without_prices_are_refused_with_the_way_out() {
    let panel = Panel::split();
    let run = panel.debate("--budget-usd 0.50");
    assert_eq!((run.code, panel.asked()), (2, 0), "{}", run.shown());
    let said = "the budget is in US dollars, and what ann costs is not known; set `price = { input";
    assert!(run.stderr.contains(said), "{}", run.shown());
}

#[test]
fn repeats_count_as_calls_and_stop_at_the_budget() {
    let panel = Panel::new(|agent, _| match agent {
        "ann" => (503, "busy".to_owned()),
        _ => (200, says("yes", 0.8)),
    });
    let decision = decision(&panel, "--budget-calls 6 --rounds 0");
    assert_eq!(panel.asked(), 4, "two answers, and two tries of ann: {decision}");
    assert_eq!(decision["cost"]["calls"], 4);
}
