//! A real Chromium, driven over `WebDriver`: the few commands these tests need, as plain requests to
//! chromedriver on loopback.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long the page may take to get where it should.
const PATIENCE: Duration = Duration::from_secs(20);
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Whether pages may run scripts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripts {
    On,
    Off,
}

/// One browser window. It ends with the test, however the test ends.
pub(super) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: tempfile::TempDir,
}

impl Browser {
    /// A browser, or `None` where there is none.
    pub(super) fn open(scripts: Scripts) -> Option<Self> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            println!("skipped: no chromedriver; `cargo xtask setup` installs it");
            return None;
        };
        let mut out = BufReader::new(driver.stdout.take().expect("piped"));
        let port = loop {
            let mut said = String::new();
            assert!(out.read_line(&mut said).expect("a line") > 0, "chromedriver ended");
            if let Some((_, rest)) = said.split_once("successfully on port ") {
                break rest.trim().trim_end_matches('.').parse().expect("a port");
            }
        };
        std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
        let profile = tempfile::tempdir().expect("a folder");
        let mut browser = Self { driver, port, session: String::new(), profile };
        let folder = format!("--user-data-dir={}", browser.profile.path().display());
        let script = if scripts == Scripts::Off { 2 } else { 1 };
        let options = json!({
            "args": ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--window-size=1280,900", folder],
            "prefs": {"profile.managed_default_content_settings.javascript": script},
        });
        let wanted = json!({"capabilities": {"alwaysMatch": {"browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"}, "unhandledPromptBehavior": "dismiss and notify",
            "goog:chromeOptions": options}}});
        let made = browser.send("POST", "/session", &wanted);
        made["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
            .clone_into(&mut browser.session);
        Some(browser)
    }

    /// One command; what it gave.
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let mut stream =
            TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("takes it");
        stream.write_all(body.as_bytes()).expect("takes it");
        let body = answer(stream);
        let value: Value =
            serde_json::from_slice(&body).unwrap_or_else(|_| panic!("not JSON: {body:?}"));
        value["value"].clone()
    }

    fn command(&self, method: &str, what: &str, body: &Value) -> Value {
        let value = self.send(method, &format!("/session/{}/{what}", self.session), body);
        assert!(value.get("error").is_none(), "{what} {body}: {value}");
        value
    }

    pub(super) fn go(&self, address: &str) {
        self.command("POST", "url", &json!({ "url": address }));
    }

    pub(super) fn address(&self) -> String {
        self.command("GET", "url", &Value::Null).as_str().unwrap_or_default().to_owned()
    }

    /// Runs a function's body in the page, and gives what it returns.
    pub(super) fn run(&self, body: &str) -> Value {
        self.command("POST", "execute/sync", &json!({ "script": body, "args": [] }))
    }

    fn element(&self, selector: &str) -> String {
        let wanted = json!({ "using": "css selector", "value": selector });
        let began = Instant::now();
        loop {
            let path = format!("/session/{}/element", self.session);
            let found = self.send("POST", &path, &wanted);
            if let Some(id) = found[ELEMENT].as_str() {
                return id.to_owned();
            }
            assert!(began.elapsed() < PATIENCE, "no {selector} on {}: {found}", self.address());
            sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn click(&self, selector: &str) {
        let id = self.element(selector);
        self.command("POST", &format!("element/{id}/click"), &json!({}));
    }

    pub(super) fn write(&self, selector: &str, text: &str) {
        let id = self.element(selector);
        self.command("POST", &format!("element/{id}/value"), &json!({ "text": text }));
    }

    /// The text that a person sees in an element.
    pub(super) fn text(&self, selector: &str) -> String {
        let id = self.element(selector);
        let text = self.command("GET", &format!("element/{id}/text"), &Value::Null);
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true in the page.
    pub(super) fn until(&self, what: &str, expression: &str) {
        let began = Instant::now();
        loop {
            let path = format!("/session/{}/execute/sync", self.session);
            let asked = json!({ "script": format!("return Boolean({expression})"), "args": [] });
            if self.send("POST", &path, &asked) == json!(true) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{what} never came: {}", self.text("body"));
            sleep(Duration::from_millis(60));
        }
    }

    /// What the browser complained about: what its policy refused, what could not be loaded.
    pub(super) fn complaints(&self) -> Vec<String> {
        let log = self.command("POST", "se/log", &json!({ "type": "browser" }));
        let lines = log.as_array().cloned().unwrap_or_default();
        lines.iter().filter_map(|line| Some(line["message"].as_str()?.to_owned())).collect()
    }
}

/// The body of an answer. Chromedriver keeps the connection open, so its length says where it ends.
fn answer(stream: TcpStream) -> Vec<u8> {
    let mut stream = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).expect("answers");
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("a whole body");
    body
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.send("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        self.driver.kill().ok();
        self.driver.wait().ok();
    }
}
