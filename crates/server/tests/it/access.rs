//! Who may do what: every operation of the `OpenAPI` document, with every kind of caller.

use jiff::{SignedDuration, Timestamp};
use rebuttal::store::{Scope, TokenKind};
use rebuttal_server::{Auth, Options, Server, minted, openapi};
use serde_json::{Value, json};

use crate::client::{JSON, Running, ask};
use crate::models::Models;

async fn guarded() -> Running {
    let options = Options { auth: Auth::Required, ..Options::default() };
    Running::open(Models::default(), options).await
}

async fn token(server: &Running, name: &str, scope: Scope) -> String {
    let now = Timestamp::now_for_tests();
    server.store.add_user(name, now, None).await.unwrap();
    let expires = now + SignedDuration::from_hours(1);
    let (secret, kept) = minted(name, (scope, TokenKind::Token), now, expires).unwrap();
    server.store.add_token(&kept).await.unwrap();
    format!("Authorization: Bearer {secret}\r\n")
}

/// The clock, which tests may look at.
trait Now {
    fn now_for_tests() -> Timestamp;
}

impl Now for Timestamp {
    #[expect(clippy::disallowed_methods, reason = "tokens expire by the clock of the server")]
    fn now_for_tests() -> Timestamp {
        Timestamp::now()
    }
}

struct Operation {
    method: String,
    path: String,
    scope: String,
    statuses: Vec<u16>,
}

fn operations(debate: &str) -> Vec<Operation> {
    let document = openapi();
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let statuses = operation["responses"].as_object().unwrap().keys();
            all.push(Operation {
                method: method.to_uppercase(),
                path: path
                    .replace("{id}", debate)
                    .replace("{name}", "ann")
                    .replace("{code}", "invalid"),
                scope: operation["x-scope"].as_str().unwrap().to_owned(),
                statuses: statuses.map(|status| status.parse().unwrap()).collect(),
            });
        }
    }
    assert!(all.len() > 30);
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_asks_for_a_token_and_its_scope() {
    let server = guarded().await;
    let read = token(&server, "reader", Scope::Read).await;
    let run = token(&server, "runner", Scope::Run).await;
    for operation in operations("d-none") {
        let Operation { method, path, scope, statuses } = &operation;
        let port = server.port;
        let try_as = |more: String| async move { ask(port, method, path, &more, b"").await };
        let nobody = try_as(JSON.to_owned()).await;
        let as_reader = try_as(format!("{JSON}{read}")).await;
        let as_runner = try_as(format!("{JSON}{run}")).await;
        let forged = try_as(format!("{JSON}Authorization: Bearer rbt_0000\r\n")).await;
        for answer in [&nobody, &as_reader, &as_runner, &forged] {
            assert!(
                statuses.contains(&answer.status),
                "{method} {path}: undocumented {}",
                answer.status
            );
            assert!(answer.status < 500, "{method} {path}: {}", answer.status);
        }
        if scope == "none" {
            assert_eq!(nobody.status, 200, "{method} {path}");
            continue;
        }
        assert_eq!((nobody.status, forged.status), (401, 401), "{method} {path}");
        assert_eq!(nobody.json()["code"], "unauthenticated");
        // What a body lacks may be told before what a token lacks.
        let refused = |status: u16| [400, 403, 404, 422].contains(&status);
        match scope.as_str() {
            "read" => assert_ne!(as_reader.status, 403, "{method} {path}"),
            "run" => assert!(refused(as_reader.status), "{method} {path}: {}", as_reader.status),
            _ => assert_eq!((as_reader.status, as_runner.status), (403, 403), "{method} {path}"),
        }
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_finds_the_debate_of_another() {
    let server = guarded().await;
    let (ann, bob) =
        (token(&server, "ann", Scope::Run).await, token(&server, "bob", Scope::Run).await);
    let admin = token(&server, "root", Scope::Admin).await;
    let body = json!({"task": "A secret question?", "agents": ["ann", "bob"]}).to_string();
    let started =
        server.ask("POST", "/api/debates", &format!("{JSON}{ann}"), body.as_bytes()).await;
    let id = started.json()["id"].as_str().unwrap().to_owned();
    let own = loop {
        let own = server.ask("GET", &format!("/api/debates/{id}"), &ann, b"").await.json();
        if ["decided", "undecided"].contains(&own["status"].as_str().unwrap()) {
            break own;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(own["so_far"]["question"], "A secret question?");
    for operation in operations(&id).iter().filter(|operation| operation.path.contains(&id)) {
        let Operation { method, path, .. } = operation;
        let body: &[u8] =
            if path.contains("/breakpoints/") { b"{\"answer\": \"abort\"}" } else { b"{}" };
        let there = ask(server.port, method, path, &format!("{JSON}{bob}"), body).await;
        let missing = path.replace(&id, "d-none");
        let nowhere = ask(server.port, method, &missing, &format!("{JSON}{bob}"), body).await;
        assert_eq!((there.status, nowhere.status), (404, 404), "{method} {path}");
        let told = String::from_utf8(there.body).unwrap();
        assert!(!told.contains("secret"), "{told}");
    }
    for (who, count) in [(&ann, 1), (&bob, 0), (&admin, 1)] {
        let listed = server.ask("GET", "/api/debates", who, b"").await.json();
        assert_eq!(listed["debates"].as_array().map(Vec::len), Some(count), "{listed}");
    }
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_needs_its_token_for_changes_and_ends() {
    let server = guarded().await;
    let bearer = token(&server, "ann", Scope::Run).await;
    let secret = bearer.trim().rsplit(' ').next().unwrap().to_owned();
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let wrong = server.ask("POST", "/login", form, b"token=rbt_wrong").await;
    assert_eq!(wrong.status, 401);
    let right = server.ask("POST", "/login", form, format!("token={secret}").as_bytes()).await;
    assert_eq!(right.status, 303);
    let set = right.headers["set-cookie"].clone();
    for wanted in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(set.contains(wanted), "{set}");
    }
    assert!(!set.contains(&secret), "the session has a secret of its own");
    let cookie = format!("Cookie: {}\r\n", set.split(';').next().unwrap());
    assert_eq!(server.ask("GET", "/api/debates", &cookie, b"").await.status, 200);
    let body = br#"{"task": "Ship?", "agents": ["ann", "bob"]}"#;
    let bare = server.ask("POST", "/api/debates", &format!("{JSON}{cookie}"), body).await;
    assert_eq!((bare.status, &bare.json()["code"]), (403, &json!("forbidden")));
    let as_bearer = cookie.replace("Cookie: rebuttal_session=", "Authorization: Bearer ");
    assert_eq!(server.ask("GET", "/api/debates", &as_bearer, b"").await.status, 401);
    let elsewhere = format!("{cookie}Origin: http://evil.example\r\n");
    assert_eq!(server.ask("GET", "/api/debates", &elsewhere, b"").await.status, 403);
    server.store.revoke("ann", Timestamp::now_for_tests()).await.unwrap();
    assert_eq!(server.ask("GET", "/api/debates", &cookie, b"").await.status, 401);
    assert_eq!(server.ask("GET", "/api/debates", &bearer, b"").await.status, 401);
    let page = server.ask("GET", "/api/debates", "Accept: text/html\r\n", b"").await;
    assert_eq!((page.status, page.headers["location"].as_str()), (303, "/login"));
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_spends_no_more_than_its_day_allows() {
    let server = guarded().await;
    let now = Timestamp::now_for_tests();
    server.store.add_user("poor", now, Some(10)).await.unwrap();
    let token = token(&server, "poor", Scope::Run).await;
    let more = format!("{JSON}{token}");
    let body = |calls: u32| {
        json!({"task": "Ship?", "agents": ["ann", "bob"], "protocol": {"budget": {"calls": calls}}})
            .to_string()
    };
    let too_much = server.ask("POST", "/api/debates", &more, body(11).as_bytes()).await;
    assert_eq!((too_much.status, &too_much.json()["code"]), (429, &json!("budget")));
    let fits = server.ask("POST", "/api/debates", &more, body(8).as_bytes()).await;
    assert_eq!(fits.status, 202, "{}", fits.json());
    server.close().await;
}

#[tokio::test]
async fn nobody_opens_it_to_others_without_sign_in() {
    let refused = Server::bind(([0, 0, 0, 0], 0).into(), Options::default()).await.unwrap_err();
    assert!(refused.to_string().contains("--auth"), "{refused}");
    let options = Options { auth: Auth::Required, ..Options::default() };
    assert!(Server::bind(([0, 0, 0, 0], 0).into(), options).await.is_ok());
}

/// W4: a key of an agent is nowhere: in no answer, in no record, in no error.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_nowhere() {
    let server = Running::usual().await;
    let id = server.start(&json!({"task": "Ship?", "agents": ["ann", "bob"]})).await;
    server.until(&id, &["decided", "undecided"]).await;
    let canary = crate::models::KEY;
    for operation in operations(&id) {
        if operation.method != "GET" || operation.path.ends_with("/events") {
            continue;
        }
        let answer = server.get(&operation.path).await;
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!text.contains(&canary[..8]), "{}: the key", operation.path);
    }
    let journal: Value = serde_json::to_value(
        server
            .store
            .records(&rebuttal::model::StreamId::new(format!("debate/{id}")))
            .await
            .unwrap(),
    )
    .unwrap();
    assert!(!journal.to_string().contains(&canary[..8]));
    assert!(server.models.saw_key(), "the model's server was sent it");
    server.close().await;
}
