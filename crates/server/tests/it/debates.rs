//! Debates over HTTP, from the seed's request to the report, with models on loopback behind them.

use rebuttal::jobs::Allowance;
use rebuttal_server::Options;
use serde_json::{Value, json};

use crate::client::{JSON, Running};
use crate::models::Models;

fn seed() -> Value {
    json!({"task": "Should we migrate to Kubernetes?", "agents": ["ann", "bob"],
        "protocol": {"rounds": 1, "enable_trickster": true}})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_request_of_the_seed_is_a_debate_that_is_decided_and_read() {
    let server = Running::usual().await;
    let answer = server.post("/api/debates", &seed()).await;
    assert_eq!(answer.status, 202, "{}", answer.json());
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(answer.headers["location"], format!("/api/debates/{id}"));
    let stands = server.until(&id, &["decided", "undecided"]).await;
    assert_eq!(stands["so_far"]["question"], "Should we migrate to Kubernetes?");

    let listed = server.get("/api/debates?limit=5").await.json();
    assert_eq!(listed["debates"][0]["id"], id.as_str());
    let state = server.get(&format!("/api/debates/{id}/state")).await.json();
    let last = state["at"].as_u64().unwrap();
    assert!(state["decision"].is_object());
    let early = server.get(&format!("/api/debates/{id}/state?at=1")).await.json();
    assert_eq!((&early["decision"], &early["at"]), (&Value::Null, &json!(1)));
    let beyond = server.get(&format!("/api/debates/{id}/state?at={}", last + 1)).await;
    assert_eq!((beyond.status, &beyond.json()["code"]), (422, &json!("invalid")));

    for (format, kind, begin) in [
        ("html", "text/html", "<!DOCTYPE"),
        ("md", "text/markdown", "#"),
        ("json", "application/json", "{"),
    ] {
        let report = server.get(&format!("/api/debates/{id}/report?format={format}")).await;
        assert_eq!(report.status, 200);
        assert!(report.headers["content-type"].starts_with(kind), "{format}");
        let text = String::from_utf8(report.body).unwrap();
        assert!(text.to_lowercase().starts_with(&begin.to_lowercase()), "{format}: {text:.80}");
    }
    let receipt = server.get(&format!("/api/debates/{id}/receipt")).await;
    assert_eq!(receipt.status, 200);
    let counted = server.post(&format!("/api/debates/{id}/redecide"), &json!({})).await.json();
    assert!(counted["outcomes"].as_array().is_some_and(|all| all.len() > 5), "{counted}");
    let again = server.post(&format!("/api/debates/{id}/cancel"), &json!({})).await;
    assert_eq!(again.status, 409, "it has ended");

    let before = server.models.asked();
    let forked = server
        .post(&format!("/api/debates/{id}/fork"), &json!({"round": 0, "protocol": {"rounds": 2}}))
        .await;
    assert_eq!(forked.status, 202, "{}", forked.json());
    let branch = forked.json()["id"].as_str().unwrap().to_owned();
    server.until(&branch, &["decided", "undecided"]).await;
    assert!(server.models.asked() > before);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_is_the_same_debate() {
    let server = Running::usual().await;
    let key = format!("{JSON}Idempotency-Key: one\r\n");
    let body = seed().to_string();
    let posts = (0..8).map(|_| server.ask("POST", "/api/debates", &key, body.as_bytes()));
    let answers = futures_util::future::join_all(posts).await;
    let ids: std::collections::BTreeSet<String> =
        answers.iter().map(|answer| answer.json()["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), 1, "{answers:?}");
    let repeated = answers.iter().filter(|answer| answer.json()["repeated"] == true).count();
    assert_eq!(repeated, 7);
    let other = json!({"task": "Another?", "agents": ["ann", "bob"]}).to_string();
    let reused = server.ask("POST", "/api/debates", &key, other.as_bytes()).await;
    assert_eq!((reused.status, &reused.json()["code"]), (422, &json!("key-reused")));
    let id = ids.first().unwrap();
    server.until(id, &["decided", "undecided"]).await;
    let asked = server.models.asked();
    let late = server.ask("POST", "/api/debates", &key, body.as_bytes()).await;
    assert_eq!(late.json()["id"], id.as_str());
    assert_eq!(asked, server.answered(id).await, "nothing was paid twice");
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debate_that_waits_goes_on_by_itself_once_it_is_answered() {
    let models = Models { hollow: true, ..Models::default() };
    let server = Running::open(models, Options::default()).await;
    let body = json!({"task": "Should we migrate to Kubernetes?", "agents": ["ann", "bob", "cyd"],
        "protocol": {"trickster": {"breakpoint_severity": 0.5}}});
    let id = server.start(&body).await;
    let stands = server.until(&id, &["waiting", "decided", "undecided"]).await;
    assert_eq!(stands["status"], "waiting", "{stands}");
    let inbox = server.get("/api/breakpoints").await.json();
    assert_eq!(inbox[0]["debate"], id.as_str());
    let one = server.get(&format!("/api/breakpoints/{id}")).await;
    assert_eq!(one.json()["number"], 1);
    let resumed = server.post(&format!("/api/debates/{id}/resume"), &json!({})).await;
    assert_eq!(resumed.status, 409, "a person has to answer first");
    let word = json!({"answer": "abort", "number": 1});
    let answered = server.post(&format!("/api/breakpoints/{id}"), &word).await;
    assert_eq!(answered.status, 200, "{}", answered.json());
    server.until(&id, &["decided", "undecided"]).await;
    let late = server.post(&format!("/api/breakpoints/{id}"), &word).await;
    assert_eq!((late.status, &late.json()["code"]), (409, &json!("conflict")));
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debate_is_paused_resumed_and_cancelled() {
    let models = Models { slow: std::time::Duration::from_millis(200), ..Models::default() };
    let allowance = Allowance { calls: None, usd: None, debates: 1 };
    let server = Running::open(models, Options { allowance, ..Options::default() }).await;
    let body = json!({"task": "Ship?", "agents": ["ann", "bob"], "protocol": {"rounds": 5, "stop": "rounds:5"}});
    let id = server.start(&body).await;
    let queued = server.start(&body).await;
    server.until(&id, &["running"]).await;
    let waits = server.get(&format!("/api/debates/{queued}")).await.json();
    assert_eq!(waits["status"], "starting", "there is one place: {waits}");
    assert_eq!(server.post(&format!("/api/debates/{id}/pause"), &json!({})).await.status, 202);
    server.until(&id, &["unfinished"]).await;
    server.until(&queued, &["running"]).await;
    assert_eq!(server.post(&format!("/api/debates/{queued}/cancel"), &json!({})).await.status, 202);
    server.until(&queued, &["decided", "undecided"]).await;
    assert_eq!(server.post(&format!("/api/debates/{id}/resume"), &json!({})).await.status, 202);
    server.until(&id, &["running"]).await;
    assert_eq!(server.post(&format!("/api/debates/{id}/cancel"), &json!({})).await.status, 202);
    server.until(&id, &["decided", "undecided"]).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_a_problem_that_names_the_field() {
    let server = Running::usual().await;
    let long = "x".repeat(300_000);
    for (body, status, code, told) in [
        ("{".to_owned(), 400, "malformed", "EOF"),
        ("\u{fffd}".to_owned(), 400, "malformed", ""),
        ("[]".to_owned(), 422, "invalid", ""),
        (r#"{"agents": ["ann", "bob"]}"#.to_owned(), 422, "invalid", "question"),
        (r#"{"task": 5}"#.to_owned(), 422, "invalid", "task"),
        (r#"{"task": "Ship?", "agents": ["ann", "bbo"]}"#.to_owned(), 422, "invalid", "bob"),
        (r#"{"task": "Ship?", "agents": ["ann", "ann"]}"#.to_owned(), 422, "invalid", "twice"),
        (r#"{"task": "Ship?", "protocol": {"rounds": -1}}"#.to_owned(), 422, "invalid", "rounds"),
        (r#"{"task": "Ship?", "protocol": {"rounds": 99999}}"#.to_owned(), 422, "invalid", "99999"),
        (json!({ "task": long }).to_string(), 413, "too-large", ""),
    ] {
        let answer = server.ask("POST", "/api/debates", JSON, body.as_bytes()).await;
        let told_of = answer.json();
        assert_eq!(
            (answer.status, &told_of["code"]),
            (status, &json!(code)),
            "{body:.60}: {told_of}"
        );
        assert!(told_of["detail"].as_str().unwrap().contains(told), "{body:.60}: {told_of}");
        assert_eq!(answer.headers["content-type"], "application/problem+json");
    }
    let latin = server.ask("POST", "/api/debates", JSON, b"{\"task\": \"\xe9\"}").await;
    assert_eq!(latin.status, 400, "{}", latin.json());
    let plain = server.ask("POST", "/api/debates", "Content-Type: text/plain\r\n", b"{}").await;
    assert_eq!(plain.json()["code"], "media-type");
    let audit = server.ask("POST", "/api/audit?method=rules", "", b"no conversation").await;
    assert_eq!(audit.json()["code"], "unreadable", "{}", audit.json());
    assert_eq!(server.models.asked(), 0);
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_judged_as_on_the_command_line() {
    let server = Running::usual().await;
    let log = b"user: Should we ship?\nann: Yes, we should ship.\nann: No, we should not ship.\n";
    let audit = server.ask("POST", "/api/audit?method=rules&name=my.txt", "", log).await;
    assert_eq!(
        audit.json()["findings"][0]["rule"],
        "self-contradiction/silent",
        "{}",
        audit.json()
    );
    for format in ["html", "md", "sarif", "junit"] {
        let path = format!("/api/audit?method=rules&format={format}");
        assert_eq!(server.ask("POST", &path, "", log).await.status, 200, "{format}");
    }
    let pair = json!({"a": "Revenue rose to 5 m.", "b": "Revenue fell to 3 m.", "method": "rules"});
    assert_eq!(server.post("/api/compare", &pair).await.status, 200);
    let rubric = server.ask("POST", "/api/rubric?method=rules", "", log).await;
    assert_eq!(rubric.json()["conversations"].as_array().map(Vec::len), Some(1));
    let reports = json!([
        {"agent": "ann", "findings": [{"claim": "Revenue was $5M in 2024.", "source": "10-K"}]},
        {"agent": "bob", "findings": [{"claim": "Revenue was $7M in 2024.", "source": "blog"}]},
    ]);
    let reconciled =
        server.ask("POST", "/api/reconcile?method=rules", "", reports.to_string().as_bytes()).await;
    assert_eq!(reconciled.status, 200, "{}", reconciled.json());
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_client_asks_a_panel() {
    let server = Running::usual().await;
    let config = "agents";
    let models = server.get("/v1/models").await.json();
    assert_eq!(models["data"][1]["id"], "rebuttal/hybrid", "{models} {config}");
    let chat = json!({"model": "gpt-4", "messages": [{"role": "user", "content": "Ship?"}]});
    assert_eq!(server.post("/v1/chat/completions", &chat).await.json()["code"], "not-found");
    let chat = json!({"model": "rebuttal/quick", "messages": []});
    assert_eq!(server.post("/v1/chat/completions", &chat).await.json()["code"], "invalid");
    server.close().await;
}
