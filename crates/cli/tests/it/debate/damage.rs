//! Databases that are damaged or fill up: ordinary commands notice.
#![expect(clippy::disallowed_methods, reason = "the files are the test's own")]

use std::fs;
use std::path::Path;
use std::process::Command;

use super::server::{Panel, says};

/// A reply with so many words that a few debates fill a file.
fn wordy(agent: &str) -> String {
    let mut reply: serde_json::Value =
        serde_json::from_str(&says(if agent == "cyd" { "no" } else { "yes" }, 0.8)).unwrap();
    let words: Vec<String> = (0..2500).map(|word| format!("{agent}{word}")).collect();
    reply["thesis"] = format!("I am for it because of {}.", words.join(" ")).into();
    reply.to_string()
}

/// Replaces words in the file of the database, wherever they stand, by as many letters.
fn change(path: &Path, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let mut bytes = fs::read(path).unwrap();
    let places: Vec<usize> = (0..bytes.len().saturating_sub(from.len()))
        .filter(|at| bytes[*at..].starts_with(from.as_bytes()))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_record_that_was_changed_is_noticed_by_whoever_reads_it() {
    let panel = Panel::new(|_, prompt| {
        let answer = if prompt.contains("Ship?") { "yes" } else { "no" };
        (200, says(answer, 0.8))
    });
    panel.debate("--seed 7 --no-trickster");
    let run = panel.run("debate Ship? --agents ann,bob --no-trickster");
    assert_eq!(run.code, 0, "{}", run.shown());
    let list = panel.run("debates --format json");
    assert_eq!(list.code, 0, "{}", list.shown());
    // Moves the log into the file.
    assert_eq!(panel.run("summary").code, 0);
    change(&panel.database(), "A trial of yes ran for 14 days.", "A trial of yes ran for 99 days.");
    let list = panel.run("debates");
    assert_eq!(list.code, 1, "{}", list.shown());
    let lines: Vec<&str> = list.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "nothing is left out: {}", list.stdout);
    assert!(
        lines[0].contains("damaged") && lines[0].contains("its content does not give its hash")
    );
    assert!(lines[1].contains("no ") && lines[1].contains("Should we migrate"), "{}", lines[1]);
    for command in ["show", "replay", "resume", "redecide", "receipt", "export", "fork --round 0"] {
        let run = panel.run(command);
        assert_eq!(run.code, 2, "{command}: {}", run.shown());
        assert!(run.stderr.contains("is not what was written"), "{command}: {}", run.stderr);
    }
    let verified = panel.run("verify");
    assert_ne!(verified.code, 0);
    assert!(verified.stderr.contains("is not what was written"), "{}", verified.stderr);
}

#[test]
fn a_page_that_was_overwritten_is_noticed_whatever_is_asked() {
    let panel = Panel::new(|agent, _| (200, wordy(agent)));
    let path = panel.database();
    let size = || fs::metadata(&path).map_or(0, |about| about.len());
    while size() < 900_000 {
        let run = panel.debate("--no-trickster");
        assert_eq!(run.code, 0, "{}", run.shown());
    }
    assert_eq!(panel.run("summary").code, 0);
    let mut bytes = fs::read(&path).unwrap();
    bytes[400_000..400_000 + 8192].fill(0xA5);
    fs::write(&path, bytes).unwrap();
    for command in ["debates", "show", "summary", "agents", "flips", "breakpoints"] {
        let run = panel.run(command);
        assert!(run.stderr.contains("is damaged"), "{command}: {}", run.shown());
    }
    let verified = panel.run("db verify");
    assert_eq!(verified.code, 2);
    assert_eq!(verified.stderr.matches("is damaged").count(), 1, "told once: {}", verified.stderr);
}

/// Mounts a disk of a few megabytes for a database; `None` where the user may not.
fn small_disk(folder: &Path, how: &str) -> Option<()> {
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", how, "tmpfs"])
        .arg(folder)
        .stderr(std::process::Stdio::null())
        .status();
    mount.is_ok_and(|status| status.success()).then_some(())
}

#[test]
fn a_disk_that_fills_up_stops_a_debate_which_then_goes_on() {
    let panel = Panel::new(|agent, _| (200, wordy(agent)));
    let disk = tempfile::tempdir().unwrap();
    if small_disk(disk.path(), "size=2m").is_none() {
        println!("skipped: a small disk can only be mounted by root");
        return;
    }
    let path = disk.path().join("debates.db");
    let on_disk = |args: &str| {
        let mut command = panel.command(args);
        crate::run::Run::of(command.env("REBUTTAL_DB", &path).output().expect("starts"))
    };
    let outcome = std::panic::catch_unwind(|| {
        let stopped = on_disk(
            "debate Ship? --agents ann,bob,cyd --no-trickster --rounds 20 --stop rounds:20",
        );
        assert_eq!(stopped.code, 2, "{}", stopped.shown());
        assert!(stopped.stderr.contains("is full"), "{}", stopped.stderr);
        let asked = panel.asked();
        let how = ["-o", "remount,size=64m"];
        let more = Command::new("mount").args(how).arg(disk.path()).status();
        assert!(more.unwrap().success());
        let answered = || {
            let journal = on_disk("export").stdout;
            journal.lines().filter(|line| line.contains("\"type\":\"call_answered\"")).count()
        };
        let kept = answered();
        assert!(kept > 0 && kept + 3 >= asked, "{kept} kept of {asked}");
        let run = on_disk("resume");
        assert_eq!(run.code, 0, "{}", run.shown());
        assert_eq!(on_disk("verify").code, 0);
        assert_eq!(panel.asked() - asked, answered() - kept, "nothing kept is asked again");
    });
    let unmounted = Command::new("umount").arg("-l").arg(disk.path()).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    outcome.unwrap();
}
