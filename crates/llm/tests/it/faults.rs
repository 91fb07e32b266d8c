//! A server that misbehaves in every way seen in the wild: an error that names it, or a second try.

use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{Api, EmbeddingsEndpoint, Retries, Settings, Timeouts};

use crate::server::{Server, openai, reply};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

/// Misbehaves `times` times, then answers.
fn heals(times: usize, fault: impl Fn(&mut std::net::TcpStream) + Send + Sync + 'static) -> Server {
    Server::new(move |n, request, stream| {
        if n < times {
            return fault(stream);
        }
        reply(stream, "200 OK", "", &openai(request));
    })
}

/// Writes as it is and hangs up.
fn raw(bytes: &'static str) -> Server {
    Server::new(move |_, _, stream| {
        stream.write_all(bytes.as_bytes()).ok();
    })
}

fn succeeds(server: &Server, requests: usize) {
    let vectors = server.endpoint(Api::OpenAi).vectors(&["a"]).unwrap();
    assert_eq!((vectors.len(), server.requests().len()), (1, requests));
}

#[test]
fn passing_faults_are_tried_again() {
    for status in
        ["408 Request Timeout", "429 Too Many Requests", "500 Oops", "503 Busy", "529 Overloaded"]
    {
        succeeds(&heals(2, move |stream| reply(stream, status, "", "{}")), 3);
    }
}

#[test]
fn broken_connections_are_tried_again() {
    // Hangs up before the answer.
    succeeds(&heals(1, |_| ()), 2);
    // A body that ends before its announced length, and one that ends before its last chunk.
    succeeds(
        &heals(2, |stream| drop(write!(stream, "{HEAD}Content-Length: 500\r\n\r\n{{\"data\""))),
        3,
    );
    succeeds(
        &heals(2, |stream| {
            drop(write!(stream, "{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{{\"dat"));
        }),
        3,
    );
}

#[test]
fn a_fault_that_stays_is_reported_with_its_attempts() {
    let server = heals(99, |stream| reply(stream, "500 Oops", "", r#"{"error":"out of memory"}"#));
    let error = server.error();
    assert!(error.contains("answered 500 4 times in a row (out of memory)"), "{error}");
    assert_eq!(server.requests().len(), 4);
    let server = raw("");
    assert!(server.error().contains("the connection broke"));
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn refusals_are_not_tried_again() {
    for (status, hint) in [
        ("400 Bad Request", "answered 400 (no)"),
        ("401 Unauthorized", "check the key"),
        ("403 Forbidden", "check the key"),
        ("404 Not Found", "check the address, its format and the model's name"),
        ("422 Unprocessable", "answered 422"),
    ] {
        let server =
            heals(99, move |stream| reply(stream, status, "", r#"{"error":{"message":"no"}}"#));
        let error = server.error();
        assert!(error.contains(hint), "{error}");
        assert_eq!(server.requests().len(), 1, "{status}");
    }
}

#[test]
fn a_server_is_given_the_time_it_asks_for() {
    let server = heals(1, |stream| reply(stream, "429 Slow Down", "Retry-After: 1\r\n", "{}"));
    succeeds(&server, 2);
    let [first, second] = &server.requests()[..] else { panic!("two requests") };
    assert!(second.at - first.at >= Duration::from_secs(1));
}

#[test]
fn a_server_that_asks_for_a_day_is_reported_at_once() {
    let server = heals(1, |stream| reply(stream, "429 Slow Down", "Retry-After: 86400\r\n", "{}"));
    assert!(server.error().contains("asks to wait 86400 seconds"));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn garbage_is_named() {
    for (body, reason) in [
        ("", "EOF"),
        ("<html>502 Bad Gateway</html>", "it begins \"<html>502"),
        (r#"{"error":{"message":"quota exceeded"}}"#, "an error: quota exceeded"),
        (r#"{"data":[{"index":0,"embedding":[1,2]}]}"#, "no vector for text 1 of 2"),
        (r#"{"data":[{"index":0,"embedding":[null]},{"index":1,"embedding":[1]}]}"#, "no number"),
        (
            r#"{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}"#,
            "expected value",
        ),
        (r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}"#, "1 and of 2"),
    ] {
        let server = Server::new(move |_, _, stream| reply(stream, "200 OK", "", body));
        let error = server.error();
        assert!(error.contains(reason), "{error}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_length_that_is_too_short_is_garbage() {
    let server = raw(
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"data\":[{\"index\":0,\"embedding\":[1]}]}",
    );
    assert!(server.error().contains("not what was asked for"));
}

#[test]
fn a_server_that_speaks_something_else_is_reported() {
    assert!(raw("SSH-2.0-OpenSSH_9.2p1\r\n").error().contains("the connection broke"));
    let server = raw("220 mail ESMTP\r\n");
    let address = format!("https://{}", server.address);
    let settings = Settings::new(address.parse().unwrap(), Api::OpenAi, "m");
    // A machine without certificates refuses earlier; both are errors and neither panics.
    let error = EmbeddingsEndpoint::new(settings).and_then(|endpoint| endpoint.vectors(&["a"]));
    assert!(error.unwrap_err().to_string().starts_with(&address));
}

#[test]
fn an_endless_answer_is_cut_off() {
    const MEGABYTE: usize = 1 << 20;
    let server = Server::new(|_, _, stream| {
        let length = 100 * MEGABYTE;
        write!(stream, "{HEAD}Content-Length: {length}\r\n\r\n{{\"data\":[").ok();
        let filler = vec![b' '; MEGABYTE];
        while stream.write_all(&filler).is_ok() {}
    });
    assert!(server.error().contains("longer than 25165824 bytes"));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_trickle_and_silence_end_in_time() {
    let trickle = Server::new(|_, _, stream| {
        write!(stream, "{HEAD}Content-Length: 500\r\n\r\n").ok();
        while stream.write_all(b" ").and_then(|()| stream.flush()).is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let silence = Server::new(|_, _, _| thread::sleep(Duration::from_mins(1)));
    let endless_head = Server::new(|_, _, stream| {
        stream.write_all(HEAD.as_bytes()).ok();
        while stream.write_all(b"X-A: b\r\n").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    for server in [trickle, silence, endless_head] {
        let mut settings = server.settings(Api::OpenAi);
        settings.timeouts.total = Duration::from_millis(400);
        let start = Instant::now();
        let error = EmbeddingsEndpoint::new(settings).unwrap().vectors(&["a"]).unwrap_err();
        assert!(error.to_string().contains("no complete answer in 400ms"), "{error}");
        assert!(error.is_transient() && start.elapsed() < Duration::from_secs(10));
        // On a busy machine the server may not have read it in that time.
        assert!(server.requests().len() <= 1);
    }
}

#[test]
fn nobody_there_is_said_at_once() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let base = format!("http://{address}");
    let mut settings = Settings::new(base.parse().unwrap(), Api::Ollama, "m");
    settings.retries = Retries { first_wait: Duration::from_mins(1), ..Retries::default() };
    settings.timeouts = Timeouts { connect: Duration::from_secs(5), ..Timeouts::default() };
    let error = EmbeddingsEndpoint::new(settings).unwrap().vectors(&["a"]).unwrap_err();
    assert!(error.to_string().contains("is the server running"), "{error}");
    assert!(error.is_transient());
}

#[test]
fn vectors_that_change_their_length_are_refused() {
    let server = Server::new(|n, _, stream| {
        let row = vec!["1"; n + 2].join(",");
        reply(stream, "200 OK", "", &format!(r#"{{"data":[{{"index":0,"embedding":[{row}]}}]}}"#));
    });
    let endpoint = server.endpoint(Api::OpenAi);
    endpoint.vectors(&["a"]).unwrap();
    let error = endpoint.vectors(&["a"]).unwrap_err().to_string();
    assert!(error.contains("vectors of 3 numbers where there were 2 before"), "{error}");
}

#[test]
fn the_first_error_ends_the_rest() {
    let server = heals(99, |stream| reply(stream, "404 Not Found", "", "{}"));
    let mut settings = server.settings(Api::OpenAi);
    (settings.batch_texts, settings.concurrent) = (1, 2);
    let texts = vec!["a"; 200];
    assert!(EmbeddingsEndpoint::new(settings).unwrap().vectors(&texts).is_err());
    assert!(server.requests().len() < 20, "{}", server.requests().len());
}
