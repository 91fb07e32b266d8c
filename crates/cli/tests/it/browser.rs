//! The HTML report in a real browser: nothing an agent wrote runs, and a person sees something.

use std::path::Path;
use std::process::Command;

use crate::hostile::hostile;
use crate::reconcile::hostile as reconcile;
use crate::run::{folder, run_with};

/// Headless Chromium on a page, or `None` where there is no Chromium.
fn chromium(page: &Path, profile: &Path, task: &str) -> Option<Vec<u8>> {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars", "--window-size=1100,1400", task])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output();
    if output.is_err() {
        println!("skipped: no chromium; `cargo xtask setup` installs it");
    }
    output.ok().map(|output| output.stdout)
}

#[test]
fn nothing_an_agent_wrote_becomes_part_of_the_page() {
    stays_text("audit", &hostile(), "Rebuttal audit");
    stays_text("reconcile", &reconcile::hostile(), "Rebuttal reconciliation");
}

fn stays_text(command: &str, input: &str, title: &str) {
    let page = run_with(&format!("{command} - --format html"), input).stdout;
    // Had any script run, it would have replaced the title.
    let page = page.replace("alert(", "document.title='pwned';void(");
    let files = folder(&[("report.html", &page)]);
    let path = files.path().join("report.html");
    let Some(dom) = chromium(&path, &files.path().join("profile"), "--dump-dom") else { return };
    let dom = String::from_utf8_lossy(&dom);
    assert!(dom.contains(title), "the page was rendered: {dom}");
    assert!(!dom.contains("<title>pwned"), "a script ran");
    for element in ["<script", "<img", "<iframe", "<svg onload", "onerror=\""] {
        assert!(!dom.contains(element), "{element} in {dom}");
    }
}

#[test]
fn the_page_can_be_looked_at() {
    let page = run_with("audit examples/transcripts/kubernetes.json --format html", "").stdout;
    let files = folder(&[("report.html", &page)]);
    let path = files.path().join("report.html");
    let picture = files.path().join("report.png");
    let task = format!("--screenshot={}", picture.display());
    if chromium(&path, &files.path().join("profile"), &task).is_none() {
        return;
    }
    let length = std::fs::metadata(&picture).expect("a picture was taken").len();
    // A blank page of this size packs to less than 10 KB.
    assert!(length > 40_000, "{length} bytes is nearly blank");
}
