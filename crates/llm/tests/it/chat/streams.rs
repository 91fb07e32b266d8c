//! Streams from a server that behaves: what is asked for, what is heard, and what stops it.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rebuttal_llm::{Chat, ChatEndpoint, Provider, Rate, Reply, Request, Retries, Usage};
use serde_json::json;

use super::settings;
use super::wire::{Close, content_type, stream};
use crate::server::{Server, reply};

/// Streams good words.
fn good(provider: Provider) -> Server {
    Server::new(move |_, _, wire| {
        let text = stream(provider, &["Yes", ", ", "indeed."], Close::Stop).all();
        write!(
            wire,
            "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nConnection: close\r\n\r\n{text}",
            content_type(provider)
        )
        .ok();
    })
}

pub(super) fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn every_format_is_heard_word_by_word() {
    for provider in Provider::ALL {
        let server = good(provider);
        let endpoint = ChatEndpoint::new(settings(&server, provider)).unwrap();
        let heard = Mutex::new(Vec::new());
        let hear = |words: &str| heard.lock().unwrap().push(words.to_owned());
        let reply = run(endpoint.stream(&Request::new("Is it so?"), &hear)).unwrap();
        let usage = Usage { input: Some(19), output: Some(10) };
        let expected = Reply::new("Yes, indeed.").with_usage(usage);
        assert_eq!(reply, expected, "{provider:?}");
        assert_eq!(*heard.lock().unwrap(), ["Yes", ", ", "indeed."], "{provider:?}");
        let asked = &server.requests()[0];
        let path = asked.head.split(' ').nth(1).unwrap();
        if provider == Provider::Gemini {
            assert_eq!(path, "/v1beta/models/m-1:streamGenerateContent?alt=sse");
        } else {
            assert_eq!(asked.body["stream"], true, "{provider:?}");
        }
        if provider == Provider::OpenAi {
            assert_eq!(asked.body["stream_options"], json!({"include_usage": true}));
        }
    }
}

#[test]
fn many_streams_share_one_thread_of_the_caller() {
    let server = Server::new(|_, _, wire| {
        thread::sleep(Duration::from_millis(300));
        let text = stream(Provider::OpenAi, &["Yes."], Close::Stop).all();
        write!(wire, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{text}").ok();
    });
    let endpoint = Arc::new(ChatEndpoint::new(settings(&server, Provider::OpenAi)).unwrap());
    let start = Instant::now();
    run(async {
        let mut running = tokio::task::JoinSet::new();
        for _ in 0..30 {
            let endpoint = Arc::clone(&endpoint);
            running.spawn(async move { endpoint.stream(&Request::new("?"), &|_| ()).await });
        }
        while let Some(reply) = running.join_next().await {
            assert_eq!(reply.unwrap().unwrap().text, "Yes.");
        }
    });
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

#[test]
fn a_stream_that_nobody_waits_for_hangs_up() {
    static HUNG_UP: AtomicBool = AtomicBool::new(false);
    let server = Server::new(|_, _, wire| {
        let text = stream(Provider::Anthropic, &["Yes"], Close::Stop).open();
        write!(wire, "HTTP/1.1 200 OK\r\n\r\n{text}").ok();
        // Nothing more comes from a client but its end.
        wire.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        HUNG_UP.store(matches!(wire.read(&mut [0; 9]), Ok(0)), Ordering::SeqCst);
    });
    let endpoint = ChatEndpoint::new(settings(&server, Provider::Anthropic)).unwrap();
    run(async {
        let request = Request::new("?");
        let stream = endpoint.stream(&request, &|_| ());
        assert!(tokio::time::timeout(Duration::from_millis(500), stream).await.is_err());
    });
    let start = Instant::now();
    while !HUNG_UP.load(Ordering::SeqCst) {
        assert!(start.elapsed() < Duration::from_secs(10), "the connection stayed open");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_server_that_fails_again_and_again_is_left_alone() {
    let server = Server::new(|_, _, wire| reply(wire, "500 Oops", "", "{}"));
    let mut settings = settings(&server, Provider::Ollama);
    settings.breaker.failures = 4;
    let endpoint = ChatEndpoint::new(settings).unwrap();
    let ask = || run(endpoint.stream(&Request::new("?"), &|_| ())).unwrap_err();
    assert_eq!(ask().code(), "status");
    let start = Instant::now();
    let error = ask();
    assert_eq!((error.code(), error.is_transient()), ("tripped", true));
    assert!(error.to_string().contains("failed 4 times in a row"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_limit_on_requests_is_kept_across_agents_and_the_wait_is_told() {
    let server = good(Provider::OpenAi);
    let told = Arc::new(Mutex::new(Vec::new()));
    let agent = |id: &str| {
        let mut settings = settings(&server, Provider::OpenAi);
        id.clone_into(&mut settings.id);
        settings.rate = Rate { requests_per_minute: Some(1), tokens_per_minute: None };
        settings.retries = Retries { deadline: Duration::from_secs(1), ..settings.retries };
        let told = Arc::clone(&told);
        let watch = move |delay: &rebuttal_llm::Delay| told.lock().unwrap().push(delay.clone());
        ChatEndpoint::watched(settings, watch).unwrap()
    };
    let (ann, bob) = (agent("ann"), agent("bob"));
    run(ann.stream(&Request::new("?"), &|_| ())).unwrap();
    let error = run(bob.stream(&Request::new("?"), &|_| ())).unwrap_err();
    assert_eq!((error.code(), server.requests().len()), ("queue", 1));
    assert!(error.to_string().contains("leaves no room for another 5"), "{error}");
}
