//! The faults, each with what must come of it.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rebuttal_llm::{ChatSettings, Provider};

use super::rude;
use crate::chat::formats::{Ending, answer};
use crate::chat::wire::{Close, Stream, closes, content_type, error, frame, stream};
use crate::server::reply;

/// A key that must be seen nowhere, with letters that addresses encode.
pub(super) const CANARY: &str = "sk-canary+0123/456789=";

/// The words of every good stream.
const WORDS: [&str; 3] = ["Ja, ", "größer ", "🙂."];
const TEXT: &str = "Ja, größer 🙂.";
/// Words that are not compared.
pub(super) const ANYTHING: &str = "*";
const HALF: &str = "Ja, größer ";

type Script = dyn Fn(usize, Provider, &mut TcpStream) + Send + Sync;

/// A row of the matrix.
pub(super) struct Cell {
    pub(super) name: &'static str,
    /// `reply`, or the code of the error.
    pub(super) outcome: &'static str,
    pub(super) requests: usize,
    pub(super) heard: &'static str,
    /// Which formats can do this.
    pub(super) known: Arc<dyn Fn(Provider) -> bool + Send + Sync>,
    /// Where requests do not get as far as to be counted.
    pub(super) uncounted: bool,
    /// What the user sees, where that differs from machine to machine.
    pub(super) sees: Option<&'static str>,
    pub(super) script: Arc<Script>,
    pub(super) change: fn(&mut ChatSettings),
}

fn cell(
    name: &'static str,
    outcome: &'static str,
    requests: usize,
    heard: &'static str,
    script: impl Fn(usize, Provider, &mut TcpStream) + Send + Sync + 'static,
) -> Cell {
    let script = Arc::new(script);
    Cell {
        name,
        outcome,
        requests,
        heard,
        known: Arc::new(|_| true),
        uncounted: false,
        sees: None,
        script,
        change: |_| (),
    }
}

/// What a loud server says of a wrong key: all of it, in every form.
pub(super) fn loud() -> String {
    format!(
        "no: {CANARY}, sk-canary***, sk-canary%2B0123%2F456789%3D, c2stY2FuYXJ5KzAxMjMvNDU2Nzg5PQ=="
    )
}

fn good(provider: Provider) -> Stream {
    stream(provider, &WORDS, Close::Stop)
}

/// A reply without its last word.
fn half(provider: Provider) -> String {
    stream(provider, &WORDS[..2], Close::Stop).open()
}

fn head(provider: Provider, wire: &mut TcpStream) {
    let kind = content_type(provider);
    write!(wire, "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n")
        .ok();
}

/// One chunk of a stream, on its way at once.
fn chunk(wire: &mut TcpStream, bytes: &[u8]) -> bool {
    let sent = write!(wire, "{:x}\r\n", bytes.len())
        .and_then(|()| wire.write_all(bytes))
        .and_then(|()| wire.write_all(b"\r\n"))
        .and_then(|()| wire.flush());
    sent.is_ok()
}

fn end(wire: &mut TcpStream) {
    wire.write_all(b"0\r\n\r\n").ok();
}

/// A whole stream.
fn streamed(provider: Provider, wire: &mut TcpStream, text: &str) {
    head(provider, wire);
    chunk(wire, text.as_bytes());
    end(wire);
}

fn status(
    line: &'static str,
    headers: &'static str,
    outcome: &'static str,
    requests: usize,
) -> Cell {
    cell(line, outcome, requests, "", move |_, _, wire| {
        let body = serde_json::json!({"error": {"message": loud()}}).to_string();
        reply(wire, line, headers, &body);
    })
}

pub(super) fn cells() -> Vec<Cell> {
    [working(), timing(), broken(), garbage(), statuses(), endings(), unreachable()]
        .into_iter()
        .flatten()
        .collect()
}

fn working() -> Vec<Cell> {
    vec![
        cell("streams a reply", "reply", 1, TEXT, |_, provider, wire| {
            streamed(provider, wire, &good(provider).all());
        }),
        cell("begins late", "reply", 1, TEXT, |_, provider, wire| {
            thread::sleep(Duration::from_millis(200));
            streamed(provider, wire, &good(provider).all());
        }),
        cell("cuts characters in two on the way", "reply", 1, TEXT, |_, provider, wire| {
            head(provider, wire);
            for byte in good(provider).all().as_bytes() {
                chunk(wire, &[*byte]);
            }
            end(wire);
        }),
        cell("names another content type", "reply", 1, TEXT, |_, provider, wire| {
            let text = good(provider).all();
            write!(
                wire,
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n{text}"
            )
            .ok();
        }),
        cell("answers with one document instead", "reply", 1, "Yes.", |_, provider, wire| {
            reply(wire, "200 OK", "", &answer(provider, "Yes.", Ending::Stop).to_string());
        }),
        cell("ends twice", "reply", 1, TEXT, |_, provider, wire| {
            let stream = good(provider);
            streamed(provider, wire, &format!("{}{}", stream.all(), stream.end.concat()));
        }),
        cell("sends events nobody knows", "reply", 1, TEXT, |_, provider, wire| {
            let new = frame(provider, &serde_json::json!({"type": "brand_new", "x": [{}]}));
            streamed(provider, wire, &format!("{new}{}", good(provider).all()));
        }),
        cell("fails once with 503, then streams", "reply", 2, TEXT, |n, provider, wire| {
            if n == 0 {
                return reply(wire, "503 Service Unavailable", "", "{}");
            }
            streamed(provider, wire, &good(provider).all());
        }),
        cell(
            "says 429 and `Retry-After: 1`, then streams",
            "reply",
            2,
            TEXT,
            |n, provider, wire| {
                if n == 0 {
                    return reply(wire, "429 Too Many Requests", "Retry-After: 1\r\n", "{}");
                }
                streamed(provider, wire, &good(provider).all());
            },
        ),
    ]
}

fn timing() -> Vec<Cell> {
    let mut silent = cell("never begins", "timeout", 1, "", |_, _, _| {
        thread::sleep(Duration::from_secs(4));
    });
    silent.change = |settings| settings.timeouts.total = Duration::from_secs(1);
    let mut stalls = cell("stalls in the middle", "stalled", 1, HALF, |_, provider, wire| {
        head(provider, wire);
        chunk(wire, half(provider).as_bytes());
        thread::sleep(Duration::from_secs(4));
    });
    stalls.change = |settings| settings.timeouts.idle = Duration::from_secs(1);
    let mut trickles = cell("trickles without end", "timeout", 1, "", |_, provider, wire| {
        head(provider, wire);
        while chunk(wire, b"\n") {
            thread::sleep(Duration::from_millis(50));
        }
    });
    trickles.change = |settings| settings.timeouts.total = Duration::from_secs(1);
    vec![silent, stalls, trickles]
}

fn broken() -> Vec<Cell> {
    vec![
        cell("breaks the connection before a word", "broken", 4, "", |_, provider, wire| {
            head(provider, wire);
            let stream = good(provider);
            chunk(wire, format!("{}{}", stream.head.concat(), &stream.words[0][..9]).as_bytes());
        }),
        cell("breaks the connection in the middle", "broken", 1, HALF, |_, provider, wire| {
            head(provider, wire);
            chunk(wire, half(provider).as_bytes());
        }),
        cell("breaks the connection in a character", "broken", 1, HALF, |_, provider, wire| {
            head(provider, wire);
            let text = good(provider).open();
            let cut = text.find('🙂').expect("is there") + 2;
            chunk(wire, &text.as_bytes()[..cut]);
        }),
        cell("ends without its end marker", "broken", 1, TEXT, |_, provider, wire| {
            streamed(provider, wire, &good(provider).open());
        }),
        cell("hangs up before the answer", "broken", 4, "", |_, _, _| ()),
        cell("reports an error before a word", "broke-off", 4, "", |_, provider, wire| {
            let text = good(provider).head.concat() + &error(provider, &loud());
            streamed(provider, wire, &text);
        }),
        cell("reports an error in the middle", "broke-off", 1, HALF, |_, provider, wire| {
            streamed(provider, wire, &(half(provider) + &error(provider, &loud())));
        }),
    ]
}

fn garbage() -> Vec<Cell> {
    let mut error = cell("sends an error with status 200", "garbled", 1, "", |_, _, wire| {
        let body = serde_json::json!({"error": {"message": loud()}}).to_string();
        reply(wire, "200 OK", "", &body);
    });
    // A line of Ollama's stream is a document, so this is an error before a word.
    error.known = Arc::new(|provider| provider != Provider::Ollama);
    vec![
        error,
        cell("sends an event that is not JSON", "garbled", 1, HALF, |_, provider, wire| {
            let bad = if provider == Provider::Ollama { "{\"mess\n" } else { "data: {\"mess\n\n" };
            streamed(provider, wire, &(half(provider) + bad));
        }),
        cell("sends a line without end", "oversize", 1, "", |_, provider, wire| {
            head(provider, wire);
            chunk(wire, b"data: {\"x\": \"");
            while chunk(wire, &[b'x'; 1 << 16]) {}
        }),
        cell("sends a reply without end", "oversize", 1, ANYTHING, |_, provider, wire| {
            head(provider, wire);
            let frames = stream(provider, &[&" ".repeat(1 << 20)], Close::Stop).words.concat();
            while chunk(wire, frames.as_bytes()) {}
        }),
        cell("sends a page instead", "garbled", 1, "", |_, _, wire| {
            reply(wire, "200 OK", "Content-Type: text/html\r\n", "<html>welcome</html>");
        }),
        cell("sends nothing", "garbled", 1, "", |_, _, wire| reply(wire, "200 OK", "", "")),
        cell("repeats the key as its reply", "garbled", 1, "", |_, provider, wire| {
            reply(wire, "200 OK", "", &answer(provider, CANARY, Ending::Stop).to_string());
        }),
        cell("repeats the key in its words", "garbled", 1, "", |_, provider, wire| {
            streamed(provider, wire, &stream(provider, &[&loud()], Close::Stop).all());
        }),
    ]
}

fn statuses() -> Vec<Cell> {
    vec![
        status("400 Bad Request", "", "status", 1),
        status("401 Unauthorized", "", "status", 1),
        status("403 Forbidden", "", "status", 1),
        status("404 Not Found", "", "status", 1),
        status("408 Request Timeout", "", "status", 4),
        status("413 Content Too Large", "", "too-long", 1),
        status("429 Too Many Requests", "", "status", 4),
        status("429 Wait A Day", "Retry-After: 86400\r\n", "busy", 1),
        status("500 Internal Server Error", "", "status", 4),
        status("503 Service Unavailable", "", "status", 4),
        status("529 Overloaded", "", "status", 4),
        status(
            "307 Temporary Redirect",
            "Location: https://elsewhere.example/v1?key=sk-canary+0123/456789=\r\n",
            "redirect",
            1,
        ),
    ]
}

fn ending(name: &'static str, outcome: &'static str, heard: &'static str, close: Close) -> Cell {
    let mut cell = cell(name, outcome, 1, heard, move |_, provider, wire| {
        streamed(provider, wire, &stream(provider, &WORDS, close).all());
    });
    cell.known = Arc::new(move |provider| closes(provider, close));
    cell
}

fn endings() -> Vec<Cell> {
    let mut declines = ending("declines", "declined", "", Close::Declined);
    // Anthropic's refusals are words like others, and are heard as they come.
    declines.script = Arc::new(|_, provider, wire| {
        let words: &[&str] =
            if provider == Provider::Anthropic { &[] } else { &["I would rather not."] };
        streamed(provider, wire, &stream(provider, words, Close::Declined).all());
    });
    vec![
        ending("reaches the limit of tokens", "cut-short", TEXT, Close::Length),
        ending("steps in with a filter", "filtered", TEXT, Close::Filtered),
        declines,
        ending("asks for a tool", "empty", "", Close::Tools),
        cell("ends without a word", "empty", 1, "", |_, provider, wire| {
            streamed(provider, wire, &stream(provider, &[], Close::Stop).all());
        }),
    ]
}

fn unreachable() -> Vec<Cell> {
    let mut refused = cell("is not there", "unreachable", 0, "", |_, _, _| ());
    refused.change = |settings| settings.address = rude::nobody().parse().expect("an address");
    let mut reset = cell("resets the connection", "broken", 0, "", |_, _, _| ());
    reset.change = |settings| settings.address = rude::resets().parse().expect("an address");
    reset.uncounted = true;
    reset.sees = Some("the connection broke (…), 4 times in a row");
    let mut tls =
        cell("speaks plain HTTP where https is written", "unreachable", 0, "", |_, _, _| ());
    tls.change = |settings| settings.address = rude::plain().parse().expect("an address");
    tls.uncounted = true;
    tls.sees = Some(
        "cannot be reached: (what the encryption says); is the server running, and is the address right?",
    );
    vec![refused, reset, tls]
}
