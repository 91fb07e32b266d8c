//! A server on a real port, over a store with one debate that waits for a person.

use std::sync::Arc;

use jiff::Timestamp;
use rebuttal::config::Config;
use rebuttal::engine::debate::{Agent, Arena, Ended, Engine, Environment, Journal};
use rebuttal::llm::Scripted;
use rebuttal::model::{DebateId, Protocol, StreamId};
use rebuttal::store::{Location, Store, StoreOptions};
use rebuttal_server::{Limits, Options, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

const VAGUE: [&str; 3] = [
    "Moving to Kubernetes is clearly the best way forward, and everybody in the field agrees.",
    "Moving to Kubernetes is obviously the best way forward; everybody in the field agrees on it.",
    "Kubernetes is clearly the best way forward for us, as everybody in the field agrees.",
];

/// What every answer has to say to a browser.
const SECURITY: [&str; 6] = [
    "cache-control: no-store",
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    "referrer-policy: no-referrer",
    "x-content-type-options: nosniff",
    "x-frame-options: DENY",
    "cross-origin-resource-policy: same-origin",
];

/// Three who agree on nothing but words: a person is to look at it.
pub(crate) fn hollow() -> Arena {
    let agents = ["ann", "bob", "cyd"].into_iter().zip(VAGUE).map(|(name, thesis)| {
        let reply = json!({"answer": "yes", "conviction": 0.8, "thesis": thesis, "evidence": []});
        let reply = reply.to_string();
        Agent::new(name, Arc::new(Scripted::from_fn(name, move |_| reply.clone().into())))
    });
    let mut protocol = Protocol::default();
    protocol.trickster.breakpoint_severity = 0.5;
    let arena = Arena::new(Environment::new("Should we migrate to Kubernetes?"));
    arena.panel(agents).protocol(protocol).seed(7)
}

pub(crate) fn clock() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

/// A server over a store with one debate that waits.
pub(crate) struct Site {
    pub(crate) store: Arc<Store>,
    pub(crate) debate: DebateId,
    pub(crate) port: u16,
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) ended: tokio::task::JoinHandle<()>,
    _folder: tempfile::TempDir,
}

impl Site {
    pub(crate) async fn open() -> Self {
        Self::limited(Limits::default()).await
    }

    /// A site whose server has these limits.
    pub(crate) async fn limited(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::file(folder.path().join("ledger.db"));
        let store = Arc::new(Store::open(&location, StoreOptions::default()).await.unwrap());
        let arena = hollow();
        let engine = Engine::new(Arc::clone(&store)).clock(clock);
        let debate = arena.start(&engine).unwrap();
        let id = debate.id();
        let ended = debate.result().await.unwrap();
        assert!(matches!(ended, Ended::Waiting(_)), "{ended:?}");
        let options = Options { limits, ..Options::default() };
        let address = ([127, 0, 0, 1], 0).into();
        let server = Server::bind(address, options).await.unwrap();
        let port = server.address().port();
        let (stop, stopped) = oneshot::channel::<()>();
        let until = async { stopped.await.unwrap_or_default() };
        let config = Arc::new(Config::default());
        let ended = tokio::spawn(server.run(engine, Arc::clone(&store), config, until));
        Self { store, debate: id, port, stop, ended, _folder: folder }
    }

    pub(crate) async fn records(&self) -> usize {
        let stream = StreamId::debate(&self.debate);
        Journal::records(&*self.store, &stream).await.unwrap().len()
    }

    /// Sends one request as it stands and gives the status and the body.
    pub(crate) async fn send(&self, head: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let length = body.len();
        let request = format!("{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        for wanted in SECURITY {
            assert!(head.lines().any(|line| line == wanted), "no {wanted} in {head}");
        }
        (status, serde_json::from_str(body).unwrap_or_else(|_| panic!("not JSON: {body}")))
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let host = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port);
        self.send(&host, "").await
    }

    pub(crate) async fn post(&self, path: &str, more: &str, body: &Value) -> (u16, Value) {
        let json = "Content-Type: application/json\r\n";
        let host = format!("Host: localhost:{}\r\n", self.port);
        let head = format!("POST {path} HTTP/1.1\r\n{host}{json}{more}");
        self.send(&head, &body.to_string()).await
    }
}
