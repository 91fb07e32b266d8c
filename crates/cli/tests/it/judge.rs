//! `--judge`: a model on this machine is asked where the reader is not sure, and lies, fails or answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::run::{Run, folder, rebuttal};

/// Rows that the judge is asked about.
const ROWS: &str = concat!(
    r#"{"id": 1, "text_a": "The port is deep.", "text_b": "No large ship fits in the port.", "label": "contradiction"}"#,
    "\n",
    r#"{"id": 2, "text_a": "The port is old.", "text_b": "The bridge was painted.", "label": "neutral"}"#,
    "\n",
);

/// A server that answers every call with what a function makes of the prompt.
struct Server {
    base: String,
    calls: Arc<AtomicUsize>,
}

type Answer = dyn Fn(&str) -> (u16, String) + Send + Sync;

impl Server {
    fn new(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}/v1", listener.local_addr().expect("bound"));
        let calls = Arc::new(AtomicUsize::new(0));
        let (answer, seen): (Arc<Mutex<Box<Answer>>>, _) =
            (Arc::new(Mutex::new(Box::new(answer))), Arc::clone(&calls));
        // Ends with the test's process: a test that fails must not wait for it.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                seen.fetch_add(1, Ordering::Relaxed);
                let answer = Arc::clone(&answer);
                thread::spawn(move || serve(stream, &**answer.lock().expect("no panic")));
            }
        });
        Self { base, calls }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Scores the rows with this server's model as the judge.
    fn score(&self, args: &str) -> Run {
        let config = format!(
            "[agents.mine]\nprovider = \"openai\"\nmodel = \"m\"\nurl = \"{}\"\nprice = {{ input = \
             1.0, output = 2.0 }}\n",
            self.base
        );
        let folder = folder(&[("rebuttal.toml", &config), ("rows.jsonl", ROWS)]);
        let mut command = rebuttal();
        command.current_dir(folder.path()).args(["score", "contradiction", "rows.jsonl"]);
        command.args(["--method", "judge", "--judge", "mine"]);
        Run::of(command.args(args.split_whitespace()).output().expect("starts"))
    }
}

fn serve(mut stream: TcpStream, answer: &Answer) {
    let mut reader = BufReader::new(&stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.and_then(|it| it.trim().parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok();
    let request: Value = serde_json::from_slice(&body).expect("sends JSON");
    let messages = request["messages"].as_array().expect("messages");
    let prompt = messages.last().and_then(|it| it["content"].as_str()).unwrap_or_default();
    let (status, text) = answer(prompt);
    let body = json!({"choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": text}}], "model": "m",
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}})
    .to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok();
    stream.write_all(body.as_bytes()).ok();
}

/// The items of a prompt.
fn items(prompt: &str) -> Vec<Value> {
    let start = prompt.rfind("\n\n[").expect("items") + 2;
    serde_json::from_str(&prompt[start..]).expect("a list")
}

/// An answer to every item, with the quotes that a function gives.
fn answers(prompt: &str, quote: impl Fn(&str) -> String) -> String {
    let answer = |item: &Value| {
        let (a, b) = (item["a"].as_str().expect("a"), item["b"].as_str().expect("b"));
        let conflict = a.contains("port") && b.contains("port");
        let verdict = if conflict { "contradict" } else { "unrelated" };
        json!({"item": item["item"], "verdict": verdict, "quote_a": quote(a), "quote_b": quote(b),
            "sure": 0.95, "acknowledged": false})
    };
    json!({"answers": items(prompt).iter().map(answer).collect::<Vec<_>>()}).to_string()
}

#[test]
fn a_judge_that_quotes_is_believed_in_both_orders() {
    let server = Server::new(|prompt| (200, answers(prompt, str::to_owned)));
    let run = server.score("--format json");
    let report: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.shown()));
    let figures = &report["sets"][0]["methods"][0];
    // The first row is asked ahead of the others, so that loading is not timed; each in both orders.
    assert_eq!(server.calls(), 4, "{}", run.shown());
    assert!(
        run.stderr.contains("1 answered before, 2 answered in 4 calls for $0.000480"),
        "{}",
        run.shown()
    );
    assert!(figures.to_string().contains("\"recall\""), "{figures}");
}

#[test]
fn lies_prose_and_failures_are_told_and_cost_no_result() {
    let lies = Server::new(|prompt| (200, answers(prompt, |_| "nobody said this".to_owned())));
    let prose = Server::new(|_| (200, "They contradict each other, I am sure of it.".to_owned()));
    let broken = Server::new(|_| (400, "no".to_owned()));
    for (server, told) in
        [(lies, "3 answers did not count"), (prose, "did not count"), (broken, "2 calls failed")]
    {
        let run = server.score("");
        assert_eq!(run.code, 0, "{}", run.shown());
        assert!(
            run.stderr.contains(told) && run.stderr.contains("0 answered in"),
            "{}",
            run.shown()
        );
    }
}

#[test]
fn a_dry_run_says_what_it_would_cost_and_asks_nobody() {
    let server = Server::new(|_| (500, String::new()));
    let run = server.score("--dry-run");
    assert_eq!((run.code, server.calls()), (0, 0), "{}", run.shown());
    assert!(run.stderr.contains("3 questions"), "{}", run.shown());
    assert!(run.stderr.contains("would take 4 calls and at most $0."), "{}", run.shown());
}

#[test]
fn a_budget_that_is_too_small_asks_nobody() {
    let server = Server::new(|_| (500, String::new()));
    let run = server.score("--judge-budget-usd 0.000001");
    assert_eq!((run.code, server.calls()), (0, 0), "{}", run.shown());
    assert!(run.stderr.contains("the budget did not allow the next call"), "{}", run.shown());
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_read() {
    let run = crate::run::run("score contradiction x.jsonl --method judge");
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("--method judge needs a judge"), "{}", run.shown());
    let run = crate::run::run("audit x.jsonl --method rules --judge claude");
    assert_eq!(run.code, 2, "{}", run.shown());
}
