//! A client that speaks just enough HTTP, and a server to talk to with models behind it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rebuttal::engine::debate::Engine;
use rebuttal::jobs::Allowance;
use rebuttal::model::Event;
use rebuttal::store::{Location, Store, StoreOptions};
use rebuttal_server::{Options, Server};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::models::Models;

/// No test waits longer.
pub(crate) const FOREVER: Duration = Duration::from_mins(1);

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("not JSON: {}", String::from_utf8_lossy(&self.body)))
    }
}

/// A running server.
pub(crate) struct Running {
    pub(crate) store: Arc<Store>,
    pub(crate) port: u16,
    pub(crate) models: Models,
    pub(crate) stop: Option<oneshot::Sender<()>>,
    pub(crate) ended: JoinHandle<()>,
    pub(crate) folder: tempfile::TempDir,
}

impl Running {
    pub(crate) async fn open(models: Models, options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::file(folder.path().join("ledger.db"));
        Self::on(&location, folder, models, options).await
    }

    pub(crate) async fn usual() -> Self {
        let allowance = Allowance { calls: None, ..Allowance::default() };
        Self::open(Models::default(), Options { allowance, ..Options::default() }).await
    }

    pub(crate) async fn on(
        location: &Location,
        folder: tempfile::TempDir,
        models: Models,
        options: Options,
    ) -> Self {
        let lease = Duration::from_secs(2);
        let options_of_store = StoreOptions { lease, ..StoreOptions::default() };
        let store = Arc::new(Store::open(location, options_of_store).await.unwrap());
        let config = Arc::new(models.open(folder.path()).await);
        let address = ([127, 0, 0, 1], 0).into();
        let server = Server::bind(address, options).await.unwrap();
        let port = server.address().port();
        let (stop, stopped) = oneshot::channel::<()>();
        let until = async { stopped.await.unwrap_or_default() };
        let engine = Engine::new(Arc::clone(&store));
        let ended = tokio::spawn(server.run(engine, Arc::clone(&store), config, until));
        Self { store, port, models, stop: Some(stop), ended, folder }
    }

    /// Sends one request; `more` are further header lines.
    pub(crate) async fn ask(&self, method: &str, path: &str, more: &str, body: &[u8]) -> Answer {
        ask(self.port, method, path, more, body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", b"").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, JSON, body.to_string().as_bytes()).await
    }

    /// Starts a debate of two agents; its id.
    pub(crate) async fn start(&self, body: &Value) -> String {
        let answer = self.post("/api/debates", body).await;
        assert_eq!(answer.status, 202, "{}", answer.json());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Waits until a debate stands so; how it stands.
    pub(crate) async fn until(&self, id: &str, statuses: &[&str]) -> Value {
        let wait = async {
            loop {
                let stands = self.get(&format!("/api/debates/{id}")).await.json();
                if statuses.contains(&stands["status"].as_str().unwrap_or_default()) {
                    return stands;
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        if let Ok(stands) = timeout(FOREVER, wait).await {
            return stands;
        }
        let stands = self.get(&format!("/api/debates/{id}")).await.json();
        panic!("{id} is not {statuses:?}: {stands}")
    }

    /// How many calls of a debate have an answer in its journal.
    pub(crate) async fn answered(&self, id: &str) -> usize {
        let stream = rebuttal::model::StreamId::new(format!("debate/{id}"));
        let records = self.store.records(&stream).await.unwrap();
        let answered = |event: &Event| matches!(event, Event::CallAnswered { .. });
        records.iter().filter(|record| answered(&record.event)).count()
    }

    pub(crate) async fn close(mut self) {
        self.stop.take().map(|stop| stop.send(()));
        timeout(FOREVER, &mut self.ended).await.expect("it ends").unwrap();
    }
}

/// What marks a body as JSON.
pub(crate) const JSON: &str = "Content-Type: application/json\r\n";

pub(crate) async fn ask(port: u16, method: &str, path: &str, more: &str, body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\n{more}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses a body need not read it.
    stream.write_all(body).await.ok();
    let mut answer = Vec::new();
    timeout(FOREVER, stream.read_to_end(&mut answer)).await.expect("an answer").ok();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let headers: BTreeMap<String, String> = head
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let mut body = answer[end + 4..].to_vec();
    if headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked") {
        body = unchunked(&body);
    }
    Answer { status, headers, body }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            break;
        }
        whole.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 4 + length..];
    }
    whole
}

/// A client that reads server-sent events, one at a time.
pub(crate) struct Watcher {
    lines: BufReader<TcpStream>,
}

/// An event as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) id: Option<u64>,
    pub(crate) kind: String,
    pub(crate) data: String,
}

impl Watcher {
    pub(crate) async fn open(port: u16, path: &str, more: &str) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n{more}\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut lines = BufReader::with_capacity(4096, stream);
        let mut line = String::new();
        lines.read_line(&mut line).await.unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        Self { lines }
    }

    /// The next event; `None` when the server has closed.
    pub(crate) async fn next(&mut self) -> Option<Sent> {
        let mut sent = Sent::default();
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            let line = line.trim_end();
            // The lengths of chunks and the head are no fields of an event.
            match line.split_once(": ") {
                Some(("id", id)) => sent.id = id.parse().ok(),
                Some(("event", kind)) => sent.kind = kind.to_owned(),
                Some(("data", data)) => sent.data = data.to_owned(),
                _ if line.is_empty() && !sent.kind.is_empty() => return Some(sent),
                _ => {}
            }
        }
    }
}
