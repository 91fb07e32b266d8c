//! Two processes and one debate: one runs it, the other says who does.

use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::server::{Panel, says};
use crate::run::Run;

/// A panel that answers at once, until it is held up.
fn held_up() -> (Panel, Arc<AtomicBool>) {
    let held: Arc<AtomicBool> = Arc::default();
    let wait = Arc::clone(&held);
    let panel = Panel::new(move |agent, _| {
        while wait.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
        }
        (200, says(if agent == "cyd" { "no" } else { "yes" }, 0.8))
    });
    (panel, held)
}

fn spawned(panel: &Panel, args: &str) -> Child {
    let mut command = panel.command(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts")
}

/// A debate that waits after its blind round and was told to go on.
fn to_be_resumed(panel: &Panel) {
    let run = panel.debate("--seed 7 --stop human --no-trickster");
    assert_eq!(run.code, 1, "{}", run.shown());
    let run = panel.run("breakpoints answer last continue");
    assert_eq!(run.code, 0, "{}", run.shown());
}

#[test]
fn of_two_resumes_at_once_one_runs_and_the_other_names_it() {
    let (panel, held) = held_up();
    to_be_resumed(&panel);
    let asked = panel.asked();
    held.store(true, Ordering::SeqCst);
    let mut both = [spawned(&panel, "resume"), spawned(&panel, "resume")];
    // Whoever runs it is held up, so the one that ends is the other.
    let ended = loop {
        if let Some(ended) = both.iter_mut().position(|child| child.try_wait().unwrap().is_some()) {
            break ended;
        }
        thread::sleep(Duration::from_millis(5));
    };
    held.store(false, Ordering::SeqCst);
    let [one, two] = both;
    let (refused, runs) = if ended == 0 { (one, two) } else { (two, one) };
    let holder = runs.id();
    let refused = Run::of(refused.wait_with_output().unwrap());
    let ran = Run::of(runs.wait_with_output().unwrap());
    assert_eq!(refused.code, 2, "{}", refused.shown());
    let told = format!("is being run by process {holder} on ");
    assert!(refused.stderr.contains(&told), "{}", refused.stderr);
    assert!(refused.stderr.contains("it can be taken over at 20"), "{}", refused.stderr);
    assert_eq!(refused.stderr.matches("is being run").count(), 1, "{}", refused.stderr);
    assert_eq!(ran.code, 1, "it waits again: {}", ran.shown());
    assert_eq!(panel.asked(), asked + 3, "nobody is asked twice");
}

#[test]
fn while_it_runs_it_is_listed_so_and_once_it_is_dead_it_can_be_resumed_at_once() {
    let (panel, held) = held_up();
    to_be_resumed(&panel);
    held.store(true, Ordering::SeqCst);
    let asked = panel.asked();
    let mut child = spawned(&panel, "resume");
    while panel.asked() < asked + 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(5));
    }
    let listed = panel.run("debates --status running --format json").stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed[0]["holder"]["process"], child.id(), "{listed}");
    let answer = panel.run("breakpoints answer last abort");
    assert_eq!(answer.code, 2, "{}", answer.shown());
    assert!(answer.stderr.contains("is being run by process"), "{}", answer.stderr);
    child.kill().unwrap();
    child.wait().unwrap();
    held.store(false, Ordering::SeqCst);
    let run = panel.run("resume");
    assert_eq!(run.code, 1, "{}", run.shown());
    assert_eq!(panel.asked(), asked + 6, "the three in flight are asked again, and nobody else");
}
