//! `cargo xtask picture`: the README's pictures, taken of the real reports in a real browser.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

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

/// The page of the server, with the debate that was run for the picture before.
const PAGE: (&str, &str) = ("docs/images/page.png", "1280,1500");

/// Writes the reports of the examples and takes their pictures with headless Chromium.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = files::root();
    let program = build(&root, Profile::Release)?;
    PICTURES.iter().try_for_each(|picture| take(&root, &program, picture))?;
    take_page(&root, &program)
}

/// Serves the debate of the picture before, and takes the picture of its page.
fn take_page(root: &Path, program: &Path) -> anyhow::Result<()> {
    let database = root.join("target/picture.db");
    let listed = Step::new(program).args(["debates", "--format", "json"]).current_dir(root);
    let listed = listed.env("REBUTTAL_DB", &database).printed()?;
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout)?;
    let id = listed.pointer("/debates/0/id").and_then(serde_json::Value::as_str);
    let id = id.context("the debate of the picture is not stored")?;
    let mut server = Command::new(program)
        .args(["serve", "--port", "0"])
        .env("REBUTTAL_DB", &database)
        .current_dir(root)
        .stderr(Stdio::piped())
        .spawn()?;
    let stderr = server.stderr.take().context("no stderr")?;
    let mut said = BufReader::new(stderr).lines().map_while(Result::ok);
    let address = said.find_map(|line| line.split_once("http://").map(|(_, rest)| rest.to_owned()));
    let host = address.as_deref().and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let taken = photograph(root, &format!("http://{host}/debates/{id}"), PAGE);
    server.kill()?;
    server.wait()?;
    taken
}

fn take(root: &Path, program: &Path, picture: &Picture) -> anyhow::Result<()> {
    let page = root.join("target/picture.html");
    let command = Step::new(program).args(picture.command).args([&page]).current_dir(root);
    let printed = command.env("REBUTTAL_DB", root.join("target/picture.db")).printed()?;
    if !matches!(printed.code, Some(0 | 1)) {
        bail!("the report was not written: {}", printed.stderr.trim());
    }
    photograph(root, &format!("file://{}", page.display()), (picture.file, picture.size))
}

/// Opens an address in headless Chromium and takes its picture.
fn photograph(root: &Path, address: &str, (file, size): (&str, &str)) -> anyhow::Result<()> {
    Step::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars".to_owned(), format!("--window-size={size}")])
        .args([format!("--user-data-dir={}", root.join("target/picture-profile").display())])
        .args([format!("--screenshot={}", root.join(file).display())])
        .args([address])
        .output()?;
    say::line(format_args!("picture: {file}"));
    Ok(())
}
