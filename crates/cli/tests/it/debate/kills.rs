//! Debates killed at random moments, resumes included, and gone on with.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::server::{Panel, says};

/// How many times a process is killed in all.
const KILLS: u64 = 40;

#[test]
fn killed_again_and_again_a_debate_still_ends_and_nothing_recorded_is_asked_twice() {
    let mut kills = 0;
    let mut seed: u64 = 0x5eed;
    while kills < KILLS {
        let panel = Panel::slow(Duration::from_millis(60), |agent, prompt| match agent {
            "cyd" if prompt.contains("Your position so far") => (200, says("yes", 0.55)),
            "cyd" => (200, says("no", 0.9)),
            _ => (200, says("yes", 0.8)),
        });
        let mut start = panel.command("debate Ship? --agents ann,bob,cyd --rounds 3 --format json");
        let mut here = 0;
        // At most so many kills in one debate: it must come to an end.
        for _ in 0..8 {
            let mut child =
                start.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            thread::sleep(Duration::from_millis(20 + (seed >> 33) % 400));
            if child.try_wait().expect("is ours").is_some() {
                break;
            }
            child.kill().expect("dies");
            child.wait().expect("is dead");
            (kills, here) = (kills + 1, here + 1);
            start = if has_begun(&panel) {
                panel.command("resume --format json")
            } else {
                panel.command("debate Ship? --agents ann,bob,cyd --rounds 3 --format json")
            };
        }
        let run = if has_begun(&panel) {
            panel.run("resume --format json")
        } else {
            panel.debate("--format json")
        };
        assert_eq!(run.code, 0, "{}", run.shown());
        let verified = panel.run("verify");
        assert_eq!(verified.code, 0, "{}", verified.shown());
        // What was in flight when it died may be asked again; nothing else is.
        let answered = answered(&panel);
        let asked = panel.asked();
        assert!(asked <= answered + 3 * here, "{asked} asked, {answered} answered, {here} kills");
    }
}

fn has_begun(panel: &Panel) -> bool {
    let list: Value = serde_json::from_str(&panel.run("debates --format json").stdout).unwrap();
    !list.as_array().unwrap().is_empty()
}

fn answered(panel: &Panel) -> usize {
    let journal = panel.run("show --format jsonl").stdout;
    journal.lines().filter(|line| line.contains("\"type\":\"call_answered\"")).count()
}
