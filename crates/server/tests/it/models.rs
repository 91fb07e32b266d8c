//! A server of models on loopback: every agent answers what it is told to, and what was asked is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use rebuttal::config::Config;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The key that agents have: it must be seen by their server, and by nobody else.
pub(crate) const KEY: &str = "canary7f-4c1d-92aa-key-of-an-agent";

/// What an answer is held back by, and how many were asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Models {
    pub(crate) asked: Arc<AtomicUsize>,
    pub(crate) keys: Arc<AtomicUsize>,
    pub(crate) slow: Duration,
    /// How well founded what they say is.
    pub(crate) hollow: bool,
}

impl Models {
    /// Begins to answer; the settings that name two agents on it, `ann` and `bob`.
    pub(crate) async fn open(&self, folder: &std::path::Path) -> Config {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let routes =
            Router::new().route("/v1/chat/completions", post(answer)).with_state(self.clone());
        tokio::spawn(async move { axum_serve(listener, routes).await });
        let agent = |name: &str| {
            format!(
                "[agents.{name}]\nprovider = \"openai\"\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \
                 \"{name}\"\nkey = \"file:key\"\n"
            )
        };
        let text = ["ann", "bob", "cyd"].map(agent).concat();
        std::fs::write(folder.join("key"), KEY).unwrap();
        let path = folder.join("rebuttal.toml");
        std::fs::write(&path, text).unwrap();
        Config::load(Some(&path)).unwrap()
    }

    pub(crate) fn saw_key(&self) -> bool {
        self.keys.load(Ordering::SeqCst) > 0
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

async fn axum_serve(listener: TcpListener, routes: Router) {
    let http = hyper::server::conn::http1::Builder::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        let service = hyper_util::service::TowerToHyperService::new(routes.clone());
        let io = hyper_util::rt::TokioIo::new(stream);
        let connection = http.serve_connection(io, service);
        tokio::spawn(async move { connection.await.ok() });
    }
}

async fn answer(
    State(models): State<Models>,
    headers: axum::http::HeaderMap,
    Json(asked): Json<Value>,
) -> Json<Value> {
    if headers.get("authorization").is_some_and(|key| key == format!("Bearer {KEY}").as_str()) {
        models.keys.fetch_add(1, Ordering::SeqCst);
    }
    models.asked.fetch_add(1, Ordering::SeqCst);
    tokio::time::sleep(models.slow).await;
    let who = asked["model"].as_str().unwrap_or_default();
    let said = if models.hollow {
        json!({"answer": "yes", "conviction": 0.8, "evidence": [],
            "thesis": "Moving to Kubernetes is clearly the best way forward, and everybody agrees."})
    } else {
        let answer = if who == "ann" { "yes" } else { "no" };
        json!({"answer": answer, "conviction": 0.8,
            "thesis": format!("I am {who}: the pilot of 14 days cut incidents by 30 %."),
            "evidence": [{"text": "Incidents fell from 40 to 28 in the pilot.", "source": "pilot report 2026"}]})
    };
    let message = json!({"role": "assistant", "content": said.to_string()});
    Json(json!({
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    }))
}
