//! `rebuttal mcp`, as a real client of the protocol finds it, over both transports.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::debate::server::{Panel, says};

/// Python with the client's package, where `cargo xtask setup` has put it.
fn python() -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let python = target.join("python-mcp/bin/python");
    if python.exists() {
        return Some(python);
    }
    println!("skipped: no Python package mcp; `cargo xtask setup` installs it");
    None
}

/// Three agents who answer at once, and agree with nothing behind it when asked whether to move.
fn panel() -> Panel {
    let panel = Panel::slow(Duration::from_millis(60), |agent, prompt| {
        if prompt.contains("Should we move?") {
            let vague = "Moving is clearly the best way forward, and everybody agrees on it.";
            let thesis = format!("{vague} ({agent})");
            let said =
                json!({"answer": "yes", "conviction": 0.8, "thesis": thesis, "evidence": []});
            return (200, said.to_string());
        }
        (200, says(if agent == "cyd" { "no" } else { "yes" }, 0.8))
    });
    let hollow = "[agents.hollow]\nprovider = \"openai\"\nmodel = \"m\"\n";
    let hollow = format!("{hollow}url = \"{}/hollow/v1\"\n", panel.base());
    panel.configured(&hollow)
}

fn client(panel: &Panel, python: &PathBuf, arguments: &[&str]) {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.py");
    let mut command = Command::new(python);
    command.arg(script).args(arguments).current_dir(panel.folder());
    let output = command.output().expect("starts");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
}

#[test]
fn a_real_client_finds_everything_over_stdio() {
    let (Some(python), panel) = (python(), panel()) else { return };
    let config = panel.folder().join("rebuttal.toml");
    let database = panel.database();
    let (config, database) = (config.display().to_string(), database.display().to_string());
    let program = env!("CARGO_BIN_EXE_rebuttal");
    client(&panel, &python, &["stdio", program, "mcp", "--config", &config, "--db", &database]);
    let calls = panel.asked();
    assert!(calls > 0 && calls < 100, "each debate is run once, not {calls} calls");
}

#[test]
fn a_real_client_finds_everything_over_http() {
    let (Some(python), panel) = (python(), panel()) else { return };
    let served = Served::start(&panel, "");
    client(&panel, &python, &["http", &served.url]);
    served.end();
}

/// A server that ends with the test, however the test ends.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(panel: &Panel, more: &str) -> Self {
        let mut command = panel.command(&format!("mcp --http 0 {more}"));
        let mut child = command.stderr(Stdio::piped()).spawn().expect("starts");
        let mut said = String::new();
        let stderr = child.stderr.take().expect("piped");
        BufReader::new(stderr).read_line(&mut said).expect("says where it is");
        let url = said.split(';').next().expect("a line").trim().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{said}");
        Self { child, url }
    }

    fn address(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches("/mcp")
    }

    fn end(mut self) {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(told.expect("kill is there").success());
        assert!(self.child.wait().expect("ends").success());
    }

    /// Calls a tool by hand: the status and what is answered.
    fn post(&self, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address()).expect("listens");
        let request = format!(
            "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("takes it");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answers");
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        (status, body.to_owned())
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        let host = format!("Host: {}\r\n", self.address());
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        let (status, body) = self.post(&host, &request.to_string());
        assert_eq!(status, 200, "{body}");
        let body: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{body}"));
        body["result"]["structuredContent"].clone()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn pages_of_other_sites_get_no_answer() {
    let panel = panel();
    let served = Served::start(&panel, "");
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let own = format!("Host: {}\r\n", served.address());
    assert_eq!(served.post(&own, list).0, 200);
    assert_eq!(served.post(&format!("{own}Origin: http://{}\r\n", served.address()), list).0, 200);
    for origin in ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"] {
        assert_eq!(served.post(&format!("{own}Origin: {origin}\r\n"), list).0, 403, "{origin}");
    }
    for host in ["evil.example", "127.0.0.1:1", "localhost"] {
        assert_eq!(served.post(&format!("Host: {host}\r\n"), list).0, 403, "{host}");
    }
    let (status, body) = served.post(&own, "{");
    assert!(matches!(status, 400 | 415), "{status} {body}");
    served.end();
}

#[test]
fn debates_spend_no_more_than_the_server_may() {
    let panel = panel();
    let served = Served::start(&panel, "--budget-calls 9 --debates 1");
    let order = |key: &str, calls: u64| {
        json!({"question": "Should we ship it?", "agents": ["ann", "bob", "cyd"], "key": key,
            "trickster": false, "budget_calls": calls})
    };
    assert_eq!(served.call("debate_start", &order("a", 10))["error"]["code"], "budget");
    served.call("debate_start", &order("b", 5));
    let ended = served.call("debate_result", &json!({"wait_seconds": 45}));
    assert!(ended["decision"].is_object(), "{ended}");
    let spent = panel.asked();
    assert!(spent <= 5, "{spent} calls");
    let left = 9 - u64::try_from(spent).unwrap();
    let more = served.call("debate_start", &order("c", left + 1));
    assert_eq!(more["error"]["code"], "budget", "{more}");
    assert!(more["error"]["message"].as_str().unwrap().contains(&format!("{left} are left")));
    served.call("debate_start", &order("d", left));
    let ended = served.call("debate_result", &json!({"debate": "last", "wait_seconds": 45}));
    assert!(ended["decision"].is_object(), "{ended}");
    assert!(panel.asked() <= 9, "{} calls", panel.asked());
    served.end();
}

#[test]
fn a_server_that_is_stopped_leaves_its_debate_to_be_resumed() {
    let panel = Panel::slow(Duration::from_millis(700), |agent, _| {
        (200, says(if agent == "cyd" { "no" } else { "yes" }, 0.8))
    });
    let served = Served::start(&panel, "");
    let order = json!({"question": "Should we ship it?", "agents": ["ann", "bob", "cyd"],
        "key": "k", "trickster": false, "budget_calls": 30});
    let started = served.call("debate_start", &order);
    let busy = served.call("debate_status", &json!({"debate": started["debate"]}));
    assert_eq!(busy["status"], "running", "{busy}");
    served.end();
    let served = Served::start(&panel, "");
    let stopped = served.call("debate_start", &order);
    assert_eq!(
        (&stopped["debate"], &stopped["status"]),
        (&started["debate"], &json!("unfinished"))
    );
    served.call("debate_resume", &json!({"debate": started["debate"]}));
    let ended = served.call("debate_result", &json!({"wait_seconds": 45}));
    assert_eq!(ended["decision"]["answer"], "yes", "{ended}");
    assert_eq!(ended["decision"]["cost"]["calls"], json!(panel.asked()), "no answer is paid twice");
    served.end();
}
