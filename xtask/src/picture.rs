//! `cargo xtask picture`: the README's picture, taken of the real report in a real browser.

use anyhow::bail;

use crate::files;
use crate::process::{Profile, Step, build};
use crate::say;

/// Where the picture goes.
const PICTURE: &str = "docs/images/report.png";

/// Writes the report of the example and takes its picture with headless Chromium.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = files::root();
    let program = build(&root, Profile::Release)?;
    let page = root.join("target/picture.html");
    let report = ["audit", "examples/transcripts/kubernetes.json", "--format", "html", "--output"];
    let printed = Step::new(&program).args(report).args([&page]).current_dir(&root).printed()?;
    if !matches!(printed.code, Some(0 | 1)) {
        bail!("the report was not written: {}", printed.stderr.trim());
    }
    let picture = root.join(PICTURE);
    Step::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars", "--window-size=1000,1240"])
        .args([format!("--user-data-dir={}", root.join("target/picture-profile").display())])
        .args([format!("--screenshot={}", picture.display())])
        .args([format!("file://{}", page.display())])
        .output()?;
    say::line(format_args!("picture: {PICTURE}"));
    Ok(())
}
