//! Clients that are slow, silent or never read, in numbers: others are answered all the same.

use std::io::ErrorKind;
use std::time::Duration;

use rebuttal_server::Limits;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::site::Site;

/// No test waits longer. What is waited for comes at once, or (before) not within a minute.
const FOREVER: Duration = Duration::from_mins(1);
/// Limits that no test reaches: what answers in spite of them does not owe it to a time-out.
fn patient() -> Limits {
    Limits {
        connections: 256,
        headers: Duration::from_hours(1),
        body: Duration::from_hours(1),
        answer: Duration::from_hours(1),
        write: Duration::from_hours(1),
        idle: Duration::from_hours(1),
        drain: Duration::from_secs(1),
        ..Limits::default()
    }
}

async fn connected(site: &Site) -> TcpStream {
    TcpStream::connect(("127.0.0.1", site.port)).await.unwrap()
}

/// As many clients as the server has places for and more, each of which begins with `said`.
async fn crowd(site: &Site, count: usize, said: &str) -> Vec<TcpStream> {
    let mut crowd = Vec::new();
    for _ in 0..count {
        let mut stream = connected(site).await;
        stream.write_all(said.as_bytes()).await.unwrap();
        crowd.push(stream);
    }
    crowd
}

async fn is_healthy(site: &Site) {
    let answer = timeout(FOREVER, site.get("/health")).await;
    assert_eq!(answer.expect("an answer"), (200, json!({"ok": true})));
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_clients_keep_nobody_out() {
    let site = Site::limited(patient()).await;
    let _crowd = crowd(&site, 500, "").await;
    is_healthy(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_with_half_a_request_keep_nobody_out() {
    let site = Site::limited(patient()).await;
    let _headers = crowd(&site, 300, "GET /health HTTP/1.1\r\nHost: loc").await;
    is_healthy(&site).await;
    let head = format!(
        "POST /api/breakpoints/x HTTP/1.1\r\nHost: localhost:{}\r\nContent-Length: 9\r\n\r\n{{",
        site.port
    );
    let _bodies = crowd(&site, 300, &head).await;
    is_healthy(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_never_read_keep_nobody_out() {
    let site = Site::limited(patient()).await;
    let mut crowd = Vec::new();
    for _ in 0..260 {
        let mut stream = narrow(&site).await;
        flood(&site, &mut stream).await;
        crowd.push(stream);
    }
    is_healthy(&site).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_reads_is_given_up() {
    let write = Duration::from_millis(100);
    let site = Site::limited(Limits { write, ..patient() }).await;
    let mut stream = narrow(&site).await;
    // Once the server has closed its side, nothing can be sent any more.
    let closed = async { while flood(&site, &mut stream).await {} };
    timeout(FOREVER, closed).await.expect("the server gives up");
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_unfinished_and_dripping_requests_are_given_up() {
    let short = Duration::from_millis(100);
    for limits in [Limits { idle: short, ..patient() }, Limits { headers: short, ..patient() }] {
        let site = Site::limited(limits).await;
        let mut silent = connected(&site).await;
        let mut half = connected(&site).await;
        half.write_all(b"GET /health HTTP/1.1\r\n").await.unwrap();
        for stream in [&mut silent, &mut half] {
            let mut answer = Vec::new();
            let ended = timeout(FOREVER, stream.read_to_end(&mut answer)).await;
            // Closed or reset, as the system sees it.
            ended.expect("the server gives up").ok();
        }
    }
    let site = Site::limited(Limits { body: short, ..patient() }).await;
    let head = format!("POST /api/breakpoints/x HTTP/1.1\r\nHost: localhost:{}\r\n", site.port);
    let mut drip = connected(&site).await;
    let head = format!("{head}Content-Length: 9\r\nConnection: close\r\n\r\n{{");
    drip.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(FOREVER, drip.read_to_string(&mut answer)).await.expect("an answer").unwrap();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn open_requests_are_answered_before_the_server_ends() {
    let site = Site::limited(patient()).await;
    let mut half = connected(&site).await;
    let word = json!({"answer": "continue"}).to_string();
    let head = format!(
        "POST /api/breakpoints/{} HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        site.debate,
        site.port,
        word.len()
    );
    half.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body, so it is in the middle of the request.
    let mut go_on = [0; 25];
    half.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    site.stop.send(()).unwrap();
    half.write_all(word.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(FOREVER, half.read_to_string(&mut answer)).await.expect("an answer").unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    timeout(FOREVER, site.ended).await.expect("it ends").unwrap();
}

/// A client that has little room for answers.
async fn narrow(site: &Site) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(([127, 0, 0, 1], site.port).into()).await.unwrap()
}

/// Sends requests without reading any answer, until the server takes no more. False if it has closed.
async fn flood(site: &Site, stream: &mut TcpStream) -> bool {
    let request = format!("GET /health HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", site.port);
    let requests = request.repeat(1000);
    loop {
        let sent = timeout(Duration::from_millis(20), stream.write_all(requests.as_bytes())).await;
        match sent {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                let closed = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
                assert!(closed.contains(&error.kind()), "{error}");
                return false;
            }
            Err(_) => return true,
        }
    }
}
