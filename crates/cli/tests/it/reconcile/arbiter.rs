//! `--arbiter`: a model on this machine that speaks `OpenAI`'s format rules, or does not.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::{AGREED, TIED, document};
use crate::run::{Run, folder, rebuttal};

/// A server, and the prompts it was sent.
struct Server {
    base: String,
    prompts: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers each prompt with a status and a text.
    fn new(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}/v1", listener.local_addr().expect("bound"));
        let prompts = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), Arc::clone(&prompts));
        // Ends with the test's process: a test that fails must not wait for it.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                thread::spawn(move || serve(stream, &seen, &*answer));
            }
        });
        Self { base, prompts }
    }

    /// Reconciles with this server's model as `judge`.
    fn reconcile(&self, input: &str, args: &str) -> Run {
        let config = format!(
            "[agents.judge]\nprovider = \"openai\"\nmodel = \"m\"\nurl = \"{}\"\n",
            self.base
        );
        let folder = folder(&[("rebuttal.toml", &config), ("in.json", input)]);
        let mut command = rebuttal();
        command.current_dir(folder.path()).args(["reconcile", "in.json", "--arbiter", "judge"]);
        Run::of(command.args(args.split_whitespace()).output().expect("starts"))
    }

    fn prompts(&self) -> Vec<String> {
        self.prompts.lock().expect("no panic").clone()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<String>>, answer: &dyn Fn(&str) -> (u16, String)) {
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
    seen.lock().expect("no panic").push(prompt.to_owned());
    let (status, text) = answer(prompt);
    let body = json!({"choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": text}}], "model": "m",
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
    .to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok();
    stream.write_all(body.as_bytes()).ok();
}

/// A ruling for the agent of this name, wherever it stands in the prompt.
fn for_agent(prompt: &str, name: &str, value: &Value) -> String {
    let number = if prompt.contains(&format!("agent1: \"{name}\"")) { 1 } else { 2 };
    json!({
        "resolution": format!("agent{number}_correct"), "action": format!("use_agent{number}"),
        "explanation": format!("{name} is more specific."), "recommended_value": value,
        "recommended_citation": null, "confidence": 0.8,
    })
    .to_string()
}

#[test]
fn a_model_that_says_the_same_in_both_orders_rules() {
    let server = Server::new(|prompt| (200, for_agent(prompt, "b", &json!(9))));
    let run = server.reconcile(TIED, "--format json");
    let document = document(&run);
    let ruling = &document["resolutions"][0];
    assert_eq!(ruling["resolution"], "agent2_correct", "{}", run.shown());
    assert_eq!(
        (&ruling["by"], &document["arbiter"]),
        (&json!({"agent": "judge"}), &json!("judge"))
    );
    assert_eq!(server.prompts().len(), 2, "asked in both orders");
    let text = server.reconcile(TIED, "").stdout;
    assert!(text.contains("Ruling: b is right: 9 % (by judge, confidence 0.80)"), "{text}");
    assert!(text.contains("\"b is more specific.\""), "{text}");
}

#[test]
fn a_model_that_contradicts_itself_is_flagged() {
    let server = Server::new(|prompt| {
        let first = if prompt.contains("agent1: \"a\"") { "a" } else { "b" };
        (200, for_agent(prompt, first, &json!(null)))
    });
    let run = server.reconcile(TIED, "--fail-on flagged");
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("judge contradicts itself"), "{}", run.stdout);
}

#[test]
fn what_a_model_invents_is_refused_and_the_rules_decide() {
    let server = Server::new(|prompt| (200, for_agent(prompt, "b", &json!(7))));
    let run = server.reconcile(TIED, "--format json");
    let ruling = &document(&run)["resolutions"][0];
    assert_eq!(ruling["by"], "rules");
    let steps = ruling["steps"].to_string();
    assert!(steps.contains("the recommended value 7 is invented"), "{steps}");
}

#[test]
fn a_server_that_refuses_costs_nothing_but_its_rulings() {
    let server = Server::new(|_| (401, String::new()));
    let run = server.reconcile(TIED, "");
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(
        run.stdout.contains("answer of judge: not used, because there is no answer"),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("judge did not rule on 1 of 1"), "{}", run.stderr);
}

#[test]
fn without_contradictions_nobody_is_asked() {
    let server = Server::new(|_| (500, String::new()));
    let run = server.reconcile(AGREED, "");
    assert_eq!((run.code, server.prompts().len()), (0, 0), "{}", run.shown());
}

#[test]
fn nobody_is_asked_when_the_flag_says_so() {
    let server = Server::new(|_| (500, String::new()));
    let run = server.reconcile(TIED, "--format json --quiet");
    assert_eq!(document(&run)["resolutions"][0]["by"], "rules");
    let config = format!(
        "[agents.judge]\nprovider = \"openai\"\nmodel = \"m\"\nurl = \"{}\"\n\
         [reconcile]\narbiter = \"judge\"\n",
        server.base
    );
    let asked = server.prompts().len();
    let folder = folder(&[("rebuttal.toml", &config), ("in.json", TIED)]);
    let mut command = rebuttal();
    command.current_dir(folder.path()).args(["reconcile", "in.json", "--arbiter", "none"]);
    let run = Run::of(command.output().expect("starts"));
    assert_eq!((run.code, server.prompts().len()), (1, asked), "{}", run.shown());
}
