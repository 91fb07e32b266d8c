//! A server that behaves: every text gets its own vector, in few requests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rebuttal_llm::{Api, EmbeddingsEndpoint};
use rebuttal_semantics::{Embedder, Embedding, SemanticsError};

use crate::server::{Server, ollama, openai, reply};

/// The vector the test server gives a text.
fn expected(text: &str) -> Embedding {
    #[expect(clippy::cast_precision_loss, reason = "texts of tests are short")]
    Embedding::new(vec![text.len() as f32, 1.0])
}

#[test]
fn openai_requests_and_answers() {
    let server = Server::new(|_, request, stream| reply(stream, "200 OK", "", &openai(request)));
    let endpoint = server.endpoint(Api::OpenAi);
    let vectors = endpoint.embed(&["one", "three"]).unwrap();
    assert_eq!(vectors, [expected("one"), expected("three")]);
    let request = &server.requests()[0];
    assert!(request.head.starts_with("POST /v1/embeddings HTTP/1.1\r\n"), "{}", request.head);
    assert!(!request.head.to_lowercase().contains("authorization"));
    assert_eq!(request.body["encoding_format"], "float");
    assert_eq!(request.body["model"], "m");
    assert_eq!(endpoint.id(), format!("openai {} m", server.base()));
}

#[test]
fn ollama_requests_and_answers() {
    let server = Server::new(|_, request, stream| reply(stream, "200 OK", "", &ollama(request)));
    let mut settings = server.settings(Api::Ollama);
    settings.address = format!("http://{}", server.address).parse().unwrap();
    let endpoint = EmbeddingsEndpoint::new(settings).unwrap();
    assert_eq!(endpoint.embed(&["one"]).unwrap(), [expected("one")]);
    let request = &server.requests()[0];
    assert!(request.head.starts_with("POST /api/embed HTTP/1.1\r\n"), "{}", request.head);
    assert_eq!(request.body["truncate"], false);
}

#[test]
fn many_texts_travel_in_batches_a_few_at_once() {
    static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    let server = Server::new(|n, request, stream| {
        MOST.fetch_max(UNDER_WAY.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        // Later requests are answered first.
        thread::sleep(Duration::from_millis(60_u64.saturating_sub(n as u64 * 2)));
        UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
        reply(stream, "200 OK", "", &openai(request));
    });
    let mut settings = server.settings(Api::OpenAi);
    (settings.batch_texts, settings.batch_bytes, settings.concurrent) = (10, 200, 3);
    let endpoint = EmbeddingsEndpoint::new(settings).unwrap();
    let texts: Vec<String> = (0..95).map(|n| "x".repeat(1 + n % 40)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = endpoint.embed(&texts).unwrap();
    assert!(vectors.iter().zip(&texts).all(|(vector, text)| *vector == expected(text)));
    for request in server.requests() {
        let bytes: usize = request.texts().iter().map(String::len).sum();
        assert!(request.texts().len() <= 10 && bytes <= 200);
    }
    assert_eq!(MOST.load(Ordering::SeqCst), 3);
}

#[test]
fn answers_out_of_order_are_put_in_order() {
    let server = Server::new(|_, _, stream| {
        let body = r#"{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}"#;
        reply(stream, "200 OK", "", body);
    });
    let vectors = server.endpoint(Api::OpenAi).embed(&["a", "b"]).unwrap();
    assert_eq!(vectors, [Embedding::new(vec![1.0, 0.0]), Embedding::new(vec![0.0, 1.0])]);
}

#[test]
fn blank_texts_stay_at_home() {
    let server = Server::new(|_, request, stream| reply(stream, "200 OK", "", &openai(request)));
    let endpoint = server.endpoint(Api::OpenAi);
    assert!(endpoint.embed(&[]).unwrap().is_empty());
    assert!(endpoint.embed(&["", " \n"]).unwrap().iter().all(Embedding::is_zero));
    assert!(server.requests().is_empty());
    let vectors = endpoint.embed(&["", "one", " "]).unwrap();
    let zero = Embedding::new(vec![0.0, 0.0]);
    assert_eq!(vectors, [zero.clone(), expected("one"), zero]);
    assert_eq!(server.requests()[0].texts(), ["one"]);
}

#[test]
fn a_text_that_is_too_long_is_named() {
    let server = Server::new(|_, request, stream| {
        if request.texts().iter().any(|text| text.len() > 9) {
            let body = r#"{"error":{"message":"This model's maximum context length is 9 tokens",
                "type":"invalid_request_error","param":null,"code":null}}"#;
            return reply(stream, "400 Bad Request", "", body);
        }
        reply(stream, "200 OK", "", &openai(request));
    });
    let endpoint = server.endpoint(Api::OpenAi);
    let error = endpoint.vectors(&["a", "", "b", "c", "much too long", "d"]).unwrap_err();
    assert!(error.is_too_long() && !error.is_transient());
    assert_eq!(error.text(), Some(4));
    assert!(error.to_string().contains("text 4 is longer than the model reads"), "{error}");
    let error = SemanticsError::from(error);
    assert!(matches!(error, SemanticsError::Endpoint { text: Some(4), .. }));
}

#[test]
fn texts_too_long_only_together_are_sent_in_parts() {
    let server = Server::new(|_, request, stream| {
        if request.texts().len() > 2 {
            return reply(stream, "413 Payload Too Large", "", "");
        }
        reply(stream, "200 OK", "", &openai(request));
    });
    let texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"];
    let vectors = server.endpoint(Api::OpenAi).embed(&texts).unwrap();
    assert_eq!(vectors, texts.map(expected));
}

#[test]
fn works_and_drops_inside_an_async_runtime() {
    let server = Server::new(|_, request, stream| reply(stream, "200 OK", "", &openai(request)));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let endpoint = server.endpoint(Api::OpenAi);
        assert_eq!(endpoint.embed(&["one"]).unwrap(), [expected("one")]);
        drop(endpoint);
    });
}

#[test]
fn an_endpoint_is_shared_between_threads() {
    let server = Server::new(|_, request, stream| reply(stream, "200 OK", "", &openai(request)));
    let endpoint = server.endpoint(Api::OpenAi);
    thread::scope(|scope| {
        for length in 1..9 {
            let endpoint = &endpoint;
            scope.spawn(move || {
                let text = "x".repeat(length);
                assert_eq!(endpoint.embed(&[&text]).unwrap(), [expected(&text)]);
            });
        }
    });
}
