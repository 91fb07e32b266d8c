//! `cargo xtask picture`: the README's pictures, taken of the real reports in a real browser.

use std::path::Path;

use anyhow::bail;

use crate::files;
use crate::process::{Profile, Step, build};
use crate::say;

/// A page of which a picture is taken.
struct Picture {
    /// Where it goes.
    file: &'static str,
    /// What writes the page; its file is added at the end.
    command: &'static [&'static str],
    size: &'static str,
}

const PICTURES: [Picture; 2] = [
    Picture {
        file: "docs/images/report.png",
        command: &["audit", "examples/transcripts/kubernetes.json", "--format", "html", "--output"],
        size: "1000,1240",
    },
    Picture {
        file: "docs/images/debate.png",
        command: &[
            "debate",
            "Should we migrate to Kubernetes?",
            "--cassette",
            "examples/debates/kubernetes.jsonl",
            "--agents",
            "platform,sre,finance",
            "--format",
            "html",
            "--output",
        ],
        size: "1000,1330",
    },
];

/// Writes the reports of the examples and takes their pictures with headless Chromium.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = files::root();
    let program = build(&root, Profile::Release)?;
    PICTURES.iter().try_for_each(|picture| take(&root, &program, picture))
}

fn take(root: &Path, program: &Path, picture: &Picture) -> anyhow::Result<()> {
    let page = root.join("target/picture.html");
    let command = Step::new(program).args(picture.command).args([&page]).current_dir(root);
    let printed = command.env("REBUTTAL_DB", root.join("target/picture.db")).printed()?;
    if !matches!(printed.code, Some(0 | 1)) {
        bail!("the report was not written: {}", printed.stderr.trim());
    }
    Step::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars".to_owned(), format!("--window-size={}", picture.size)])
        .args([format!("--user-data-dir={}", root.join("target/picture-profile").display())])
        .args([format!("--screenshot={}", root.join(picture.file).display())])
        .args([format!("file://{}", page.display())])
        .output()?;
    say::line(format_args!("picture: {}", picture.file));
    Ok(())
}
