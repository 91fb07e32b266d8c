//! The server on a real port: a debate waits, is seen, is answered, and goes on.

use std::sync::Arc;

use jiff::Timestamp;
use rebuttal_engine::debate::{Agent, Arena, Ended, Environment, Journal, Runner, Seen};
use rebuttal_llm::Scripted;
use rebuttal_model::{DebateId, Protocol, StreamId};
use rebuttal_server::Server;
use rebuttal_store::{Location, Options, Store};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

const VAGUE: [&str; 3] = [
    "Moving to Kubernetes is clearly the best way forward, and everybody in the field agrees.",
    "Moving to Kubernetes is obviously the best way forward; everybody in the field agrees on it.",
    "Kubernetes is clearly the best way forward for us, as everybody in the field agrees.",
];

/// Three who agree on nothing but words: a person is to look at it.
fn hollow() -> Arena {
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

fn clock() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

/// A server over a store with one debate that waits.
struct Site {
    store: Arc<Store>,
    debate: DebateId,
    port: u16,
    stop: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<()>,
    _folder: tempfile::TempDir,
}

impl Site {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::file(folder.path().join("ledger.db"));
        let store = Arc::new(Store::open(&location, Options::default()).await.unwrap());
        let arena = hollow();
        let ended = arena.run(&*store).await.unwrap();
        assert!(matches!(ended, Ended::Waiting(_)), "{ended:?}");
        let server = Server::bind(0).await.unwrap();
        let port = server.address().port();
        let (stop, stopped) = oneshot::channel::<()>();
        let until = async { stopped.await.unwrap_or_default() };
        let ended = tokio::spawn(server.run(Arc::clone(&store), clock, until));
        let debate = arena.spec().unwrap().id;
        Self { store, debate, port, stop, ended, _folder: folder }
    }

    async fn records(&self) -> usize {
        let stream = StreamId::debate(&self.debate);
        Journal::records(&*self.store, &stream).await.unwrap().len()
    }

    /// Sends one request as it stands and gives the status and the body.
    async fn send(&self, head: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let length = body.len();
        let request = format!("{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(status == 403 || status == 421 || head.contains("nosniff"), "{head}");
        (status, serde_json::from_str(body).unwrap_or_else(|_| panic!("not JSON: {body}")))
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let host = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port);
        self.send(&host, "").await
    }

    async fn post(&self, path: &str, more: &str, body: &Value) -> (u16, Value) {
        let json = "Content-Type: application/json\r\n";
        let host = format!("Host: localhost:{}\r\n", self.port);
        let head = format!("POST {path} HTTP/1.1\r\n{host}{json}{more}");
        self.send(&head, &body.to_string()).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debate_that_waits_is_seen_answered_once_and_goes_on() {
    let site = Site::open().await;
    let (status, listed) = site.get("/api/breakpoints").await;
    assert_eq!((status, listed.as_array().map(Vec::len)), (200, Some(1)), "{listed}");
    assert_eq!(listed[0]["debate"], site.debate.as_str());
    assert_eq!(listed[0]["number"], 1);
    let text = listed[0]["text"].as_str().unwrap();
    assert!(text.contains("HUMAN REVIEW REQUESTED") && text.contains("**ann**: Missing"), "{text}");
    let (_, debates) = site.get("/api/debates").await;
    assert_eq!((&debates[0]["waits"], &debates[0]["ended"]), (&json!(true), &json!(false)));

    let path = format!("/api/breakpoints/{}", site.debate);
    let (status, told) = site.post(&path, "", &json!({"answer": "redirect"})).await;
    assert_eq!(status, 422, "words are missing: {told}");
    let (status, told) = site.post(&path, "", &json!({"answer": "continue", "number": 2})).await;
    assert_eq!(status, 409, "it waits at another: {told}");
    let word = json!({"answer": "redirect", "note": "What did the pilot cost?", "number": 1});
    let (status, told) = site.post(&path, "", &word).await;
    assert_eq!((status, &told["answer"]), (200, &json!("redirect")), "{told}");
    let (status, told) = site.post(&path, "", &word).await;
    assert_eq!(status, 409, "answered twice: {told}");
    assert!(told["error"].as_str().unwrap().contains("already"), "{told}");

    let (_, listed) = site.get("/api/breakpoints").await;
    assert_eq!(listed, json!([]));
    let before = site.records().await;
    let (arena, seen) = (hollow(), |_: Seen<'_>| ());
    let seats = arena.seats();
    let runner = Runner::new(&*site.store, &seats, &clock, &seen);
    runner.run(&StreamId::debate(&site.debate), None).await.unwrap();
    assert!(site.records().await > before, "it went on");
    site.stop.send(()).unwrap();
    site.ended.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_nonsense_are_refused_in_words() {
    let site = Site::open().await;
    let path = format!("/api/breakpoints/{}", site.debate);
    let word = json!({"answer": "abort"});
    let host = format!("Host: localhost:{}\r\n", site.port);
    for (head, wanted) in [
        ("GET /api/debates HTTP/1.1\r\nHost: evil.example\r\n".to_owned(), 421),
        (format!("GET /api/debates HTTP/1.1\r\n{host}Sec-Fetch-Site: cross-site\r\n"), 403),
        (format!("GET /api/debates HTTP/1.1\r\n{host}Origin: http://evil.example\r\n"), 403),
        (format!("DELETE /api/debates HTTP/1.1\r\n{host}"), 405),
        (format!("GET /else HTTP/1.1\r\n{host}"), 404),
        (format!("POST {path} HTTP/1.1\r\n{host}Content-Type: text/plain\r\n"), 415),
    ] {
        let (status, told) = site.send(&head, "").await;
        assert_eq!(status, wanted, "{head}: {told}");
        assert!(told["error"].is_string(), "{told}");
    }
    let (status, _) = site.post(&path, "Sec-Fetch-Site: cross-site\r\n", &word).await;
    assert_eq!(status, 403);
    let (status, _) = site.post("/api/breakpoints/none", "", &word).await;
    assert_eq!(status, 404);
    let (status, _) = site.post(&path, "", &json!({"answer": "perhaps"})).await;
    assert_eq!(status, 422);
    let long = json!({"answer": "redirect", "note": "x".repeat(100_000)});
    let (status, _) = site.post(&path, "", &long).await;
    assert_eq!(status, 413);
    // After all that it waits as it did.
    let (_, listed) = site.get("/api/breakpoints").await;
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
}
