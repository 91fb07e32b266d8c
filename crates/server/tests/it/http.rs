//! What the server answers: a debate waits, is seen, is answered once, and goes on.

use std::sync::Arc;

use rebuttal::engine::debate::Engine;
use serde_json::json;

use crate::site::{Site, clock, hollow};

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
    assert_eq!(debates["debates"][0]["status"], "waiting");

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
    assert!(told["detail"].as_str().unwrap().contains("already"), "{told}");

    let (_, listed) = site.get("/api/breakpoints").await;
    assert_eq!(listed, json!([]));
    let before = site.records().await;
    let engine = Engine::new(Arc::clone(&site.store)).clock(clock);
    engine.resume(&site.debate, hollow().agents()).unwrap().result().await.unwrap();
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
        ("GET /api/debates HTTP/1.1\r\n".to_owned(), 421),
        (format!("GET /api/debates HTTP/1.1\r\n{host}Host: evil.example\r\n"), 400),
        (format!("GET /api/debates HTTP/1.1\r\nHost: evil.example\r\n{host}"), 400),
        (format!("GET /api/debates HTTP/1.1\r\n{host}{host}"), 400),
        (format!("GET http://evil.example/api/debates HTTP/1.1\r\n{host}"), 400),
        (format!("GET http://localhost:{}/api/debates HTTP/1.1\r\n{host}", site.port), 400),
        (format!("CONNECT evil.example:443 HTTP/1.1\r\n{host}"), 400),
        (
            format!(
                "GET /api/debates HTTP/1.1\r\n{host}Origin: http://{0}Origin: null\r\n",
                &host[6..]
            ),
            403,
        ),
        (format!("GET /api/debates HTTP/1.1\r\n{host}Sec-Fetch-Site: cross-site\r\n"), 403),
        (format!("GET /api/debates HTTP/1.1\r\n{host}Origin: http://evil.example\r\n"), 403),
        (format!("DELETE /api/debates HTTP/1.1\r\n{host}"), 405),
        (format!("GET /else HTTP/1.1\r\n{host}"), 404),
        (format!("POST {path} HTTP/1.1\r\n{host}Content-Type: text/plain\r\n"), 415),
    ] {
        let (status, told) = site.send(&head, "").await;
        assert_eq!(status, wanted, "{head}: {told}");
        assert!(told["code"].is_string(), "{told}");
    }
    let (status, _) = site.post(&path, "Sec-Fetch-Site: cross-site\r\n", &word).await;
    assert_eq!(status, 403);
    let (status, _) = site.post("/api/breakpoints/none", "", &word).await;
    assert_eq!(status, 404);
    let (status, _) = site.post(&path, "", &json!({"answer": "perhaps"})).await;
    assert_eq!(status, 422);
    let long = json!({"answer": "redirect", "note": "x".repeat(300_000)});
    let (status, _) = site.post(&path, "", &long).await;
    assert_eq!(status, 413);
    // After all that it waits as it did.
    let (_, listed) = site.get("/api/breakpoints").await;
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_answers_at_once_one_counts_and_the_others_come_late() {
    let site = Site::open().await;
    let path = format!("/api/breakpoints/{}", site.debate);
    let word = json!({"answer": "continue", "number": 1});
    let answers = (0..24).map(|_| site.post(&path, "", &word));
    let answers = futures_util::future::join_all(answers).await;
    let mut statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
    statuses.sort_unstable();
    let mut expected = vec![409; 24];
    expected[0] = 200;
    assert_eq!(statuses, expected, "{answers:?}");
}
