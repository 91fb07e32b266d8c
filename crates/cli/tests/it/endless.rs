//! Input that does not end, output that nobody reads, and a disk that is full.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::debate::server::Panel;
use crate::run::{Run, folder, rebuttal};

/// What ends does so in seconds; what hangs is ended after this.
const FOREVER: Duration = Duration::from_mins(2);

fn ended(command: &mut Command) -> Run {
    let shown = format!("{command:?}");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let begun = Instant::now();
    while child.try_wait().expect("is ours").is_none() {
        if begun.elapsed() > FOREVER {
            child.kill().expect("is ours");
            panic!("hangs: {shown}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Run::of(child.wait_with_output().expect("ended"))
}

fn fifo(folder: &Path) -> String {
    let path = folder.join("fifo");
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo is there");
    assert!(made.success());
    path.display().to_string()
}

#[test]
fn pipes_and_devices_are_refused_by_every_reader() {
    let folder = folder(&[("net.json", "{}")]);
    let fifo = fifo(folder.path());
    for path in [fifo.as_str(), "/dev/zero"] {
        for args in [
            format!("score stance {path}"),
            format!("score contradiction {path}"),
            format!("beliefs {path}"),
            format!("--config {path} compare a b"),
            format!("debate why --cassette {path}"),
            format!("debate why --context {path} --agents ollama,ollama:skeptic"),
            format!("audit {path}"),
            format!("reconcile {path}"),
            format!("reconcile {path} --authority {path}"),
            format!("read --file {path}"),
            format!("compare --file {path} --file {path}"),
            format!("verify --receipt {path}"),
            format!("positions import {path}"),
            format!("rubric check {path}"),
        ] {
            let mut command = rebuttal();
            command.current_dir(folder.path()).args(args.split_whitespace());
            command.env("REBUTTAL_DB", folder.path().join("ledger.db")).stdin(Stdio::null());
            let run = ended(&mut command);
            assert_eq!(run.code, 2, "{args}: {}", run.shown());
            assert!(run.stderr.contains("not a regular file"), "{args}: {}", run.shown());
        }
    }
}

#[test]
fn endless_standard_input_is_refused_by_every_reader() {
    let folder = folder(&[]);
    for args in [
        "score stance -",
        "beliefs -",
        "read -",
        "compare a -",
        "debate - --agents ollama,ollama:skeptic",
        "debate why --context - --agents ollama,ollama:skeptic",
        "audit -",
        "reconcile -",
        "positions import -",
        "rubric check -",
    ] {
        let mut command = rebuttal();
        command.current_dir(folder.path()).args(args.split_whitespace());
        command.env("REBUTTAL_DB", folder.path().join("ledger.db"));
        command.stdin(File::open("/dev/zero").expect("is there"));
        let run = ended(&mut command);
        assert_ne!(run.code, 0, "{args}: {}", run.shown());
    }
}

#[test]
fn a_debate_that_nobody_reads_any_more_is_run_to_its_end_and_kept() {
    let panel = Panel::split();
    for format in ["text", "jsonl", "json", "html"] {
        let asked = panel.asked();
        let mut command = panel.command("debate why --agents ann,bob,cyd --no-trickster --format");
        let mut child = command
            .arg(format)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        drop(child.stdout.take());
        let run = Run::of(child.wait_with_output().expect("ends"));
        assert_eq!(run.stderr.matches("panicked").count(), 0, "{}", run.shown());
        assert_eq!(panel.asked() - asked, 6, "{format}: every agent twice: {}", run.shown());
        let stored = panel.run("show last");
        assert!(stored.stdout.contains("Decision: yes"), "{format}: {}", stored.shown());
    }
}

/// A disk of this size, taken away at the end. `None` where the test may not make one.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new(size: &str) -> Option<Self> {
        let folder = folder(&[]);
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(folder.path());
        if !mount.output().is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: no small disk can be mounted here");
            return None;
        }
        Some(Self(folder))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        Command::new("umount").arg(self.0.path()).status().ok();
    }
}

#[test]
fn a_full_disk_under_a_recording_stops_the_debate_resumable() {
    let Some(disk) = Disk::new("8k") else { return };
    let panel = Panel::split();
    let record = disk.0.path().join("tape.jsonl").display().to_string();
    let run = panel.debate(&format!("--no-trickster --record {record}"));
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("could not be recorded"), "{}", run.shown());
    assert!(run.stderr.contains("goes on"), "{}", run.shown());
    let run = panel.run("resume last");
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains("Decision: yes"), "{}", run.shown());
}

#[test]
fn a_disk_without_room_for_a_debate_promises_nothing() {
    // Room for the tables of the ledger, and little more.
    let Some(disk) = Disk::new("2m") else { return };
    let panel = Panel::split();
    let db = disk.0.path().join("debates.db");
    let made = Run::of(panel.command("debates --db").arg(&db).output().expect("starts"));
    assert_eq!(made.code, 0, "{}", made.shown());
    let filler = File::create(disk.0.path().join("filler")).expect("a file");
    let mut room = 2_u64 << 20;
    let mut filler = &filler;
    while room > 0 {
        match std::io::Write::write(&mut filler, &[0; 4096]) {
            Ok(written @ 1..) => room = room.saturating_sub(written as u64),
            _ => break,
        }
    }
    let run = Run::of(
        panel.command("debate why --agents ann,bob,cyd --db").arg(&db).output().expect("starts"),
    );
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(!run.stderr.contains("goes on"), "{}", run.shown());
    assert_eq!(panel.asked(), 0, "nobody was asked before the debate was kept");
}
