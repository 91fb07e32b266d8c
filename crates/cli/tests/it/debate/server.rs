//! Agents on this machine: a server that answers for each by name, and a folder that configures them.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::run::{Run, folder, rebuttal};

/// What an agent fills in.
pub(crate) fn says(answer: &str, conviction: f64) -> String {
    json!({
        "answer": answer, "conviction": conviction, "thesis": format!("I am for {answer}."),
        "evidence": [format!("A trial of {answer} ran for 14 days.")],
        "rebuttals": ["That was other hardware."],
    })
    .to_string()
}

type Answer = dyn Fn(&str, &str) -> (u16, String) + Send + Sync;

/// Three agents and a moderator, a folder of their own, and how often they were asked.
pub(crate) struct Panel {
    folder: tempfile::TempDir,
    base: String,
    asked: Arc<AtomicUsize>,
    bill: Arc<Bill>,
    key: Option<&'static str>,
    price: Option<&'static str>,
}

/// What the provider charges for a request: tokens read and written.
type Usage = fn(&Value) -> (u64, u64);

/// What it has charged so far.
pub(crate) struct Bill {
    usage: Usage,
    pub(crate) input: AtomicU64,
    pub(crate) output: AtomicU64,
}

impl Panel {
    /// `ann` and `bob` are for it, `cyd` is against, whatever they hear.
    pub(crate) fn split() -> Self {
        Self::new(|agent, _| match agent {
            "ann" => (200, says("yes", 0.8)),
            "bob" => (200, says("yes", 0.7)),
            _ => (200, says("no", 0.9)),
        })
    }

    /// Agents whose answers are made from their name and the prompt.
    pub(crate) fn new(
        answer: impl Fn(&str, &str) -> (u16, String) + Send + Sync + 'static,
    ) -> Self {
        Self::slow(Duration::ZERO, answer)
    }

    /// Agents whose every answer is as long as the request allows, and charged for.
    pub(crate) fn costly(latency: Duration) -> Self {
        let usage = |request: &Value| {
            let read = request["messages"].to_string().len() as u64 / 4;
            (read, request["max_tokens"].as_u64().expect("a limit"))
        };
        Self::billed(latency, usage, |agent, _| {
            (200, says(if agent == "cyd" { "no" } else { "yes" }, 0.8))
        })
    }

    /// A panel each of whose answers takes this long.
    pub(crate) fn slow(
        latency: Duration,
        answer: impl Fn(&str, &str) -> (u16, String) + Send + Sync + 'static,
    ) -> Self {
        Self::billed(latency, |_| (10, 2), answer)
    }

    fn billed(
        latency: Duration,
        usage: Usage,
        answer: impl Fn(&str, &str) -> (u16, String) + Send + Sync + 'static,
    ) -> Self {
        let (input, output) = (AtomicU64::new(0), AtomicU64::new(0));
        let bill = Arc::new(Bill { usage, input, output });
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("bound"));
        let asked = Arc::new(AtomicUsize::new(0));
        let answer: Arc<Answer> = Arc::new(answer);
        let (count, charged) = (Arc::clone(&asked), Arc::clone(&bill));
        // Ends with the test's process: a test that fails must not wait for it.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, count, bill) = (answer.clone(), count.clone(), charged.clone());
                thread::spawn(move || serve(stream, latency, &answer, (&count, &bill)));
            }
        });
        let panel = Self { folder: folder(&[]), base, asked, bill, key: None, price: None };
        panel.configured("")
    }

    /// Adds to its configuration.
    pub(crate) fn configured(self, more: &str) -> Self {
        let mut config = String::new();
        for name in ["ann", "bob", "cyd", "mod"] {
            writeln!(config, "[agents.{name}]\nprovider = \"openai\"\nmodel = \"m\"").unwrap();
            writeln!(config, "url = \"{}/{name}/v1\"", self.base).unwrap();
            if self.key.is_some() {
                writeln!(config, "key = \"env:PANEL_KEY\"").unwrap();
            }
            if let Some(price) = self.price {
                writeln!(config, "price = {price}").unwrap();
            }
        }
        config += more;
        std::fs::write(self.folder.path().join("rebuttal.toml"), config).expect("a file");
        self
    }

    /// Gives every agent this key.
    pub(crate) fn with_key(mut self, key: &'static str) -> Self {
        self.key = Some(key);
        self.configured("")
    }

    /// Gives every agent this price.
    pub(crate) fn with_price(mut self, price: &'static str) -> Self {
        self.price = Some(price);
        self.configured("")
    }

    /// Where its agents are asked, each below its name.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Where it is configured.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join("debates.db")
    }

    /// What was charged so far.
    pub(crate) fn bill(&self) -> &Bill {
        &self.bill
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// The program in this panel's folder.
    pub(crate) fn command(&self, args: &str) -> Command {
        let mut command = rebuttal();
        command.current_dir(self.folder.path()).env("REBUTTAL_DB", self.database());
        // Named, so that it may send keys to agents on this machine.
        command.env("REBUTTAL_CONFIG", self.folder.path().join("rebuttal.toml"));
        if let Some(key) = self.key {
            command.env("PANEL_KEY", key);
        }
        command.args(args.split_whitespace());
        command
    }

    pub(crate) fn run(&self, args: &str) -> Run {
        Run::of(self.command(args).output().expect("starts"))
    }

    /// Debates one question, with three agents unless others are named.
    pub(crate) fn debate(&self, args: &str) -> Run {
        let mut command = self.command("debate");
        command.arg("Should we migrate to Kubernetes?");
        if !args.contains("--agents") {
            command.args(["--agents", "ann,bob,cyd"]);
        }
        Run::of(command.args(args.split_whitespace()).output().expect("starts"))
    }
}

fn serve(
    mut stream: TcpStream,
    latency: Duration,
    answer: &Arc<Answer>,
    (count, bill): (&AtomicUsize, &Bill),
) {
    let mut reader = BufReader::new(&stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let agent = head.split('/').nth(1).unwrap_or_default().to_owned();
    let lower = head.to_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.and_then(|it| it.trim().parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok();
    let request: Value = serde_json::from_slice(&body).expect("sends JSON");
    let messages = request["messages"].as_array().expect("messages").clone();
    let prompt = messages.last().and_then(|it| it["content"].as_str()).unwrap_or_default();
    count.fetch_add(1, Ordering::SeqCst);
    thread::sleep(latency);
    let (status, text) = answer(&agent, prompt);
    let (input, output) = if status == 200 { (bill.usage)(&request) } else { (0, 0) };
    bill.input.fetch_add(input, Ordering::SeqCst);
    bill.output.fetch_add(output, Ordering::SeqCst);
    let body = if status == 200 {
        json!({"choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text}}], "model": "m",
            "usage": {"prompt_tokens": input, "completion_tokens": output,
                "total_tokens": input + output}})
    } else {
        json!({"error": {"message": text}})
    }
    .to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok();
    stream.write_all(body.as_bytes()).ok();
}
