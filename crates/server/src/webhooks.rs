//! Decisions and flips, told to whoever the operator named: signed, tried again, never to this machine's own
//! network unless the operator vouches for it.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use rebuttal::debates;
use rebuttal::ledger::flips;
use rebuttal::llm::{Network, Outlet, OutletError};
use rebuttal::model::DebateId;
use rebuttal::store::FlipFilter;
use ring::hmac;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::app::App;
use crate::auth::hex;

/// How often a delivery is tried.
const TRIES: u32 = 6;

/// How long the first wait between tries is; each is twice the one before.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Most deliveries at the same time; what is more is dropped and logged, so that a receiver that is gone
/// cannot fill the memory.
const AT_ONCE: usize = 256;

/// Most flips of one debate that are told.
const FLIPS: u32 = 100;

/// What a receiver checks: `sha256=` and the HMAC of the timestamp, a dot and the body.
const SIGNATURE: HeaderName = HeaderName::from_static("x-rebuttal-signature");
const TIMESTAMP: HeaderName = HeaderName::from_static("x-rebuttal-timestamp");

/// Somebody who is told, and the secret they check it by.
#[derive(Clone)]
pub struct Webhook {
    outlet: Outlet,
    key: hmac::Key,
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Webhook").field(&self.outlet).finish()
    }
}

/// Why an address is no webhook.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookError {
    /// The address may not be reached, or is none.
    #[error("the webhook's address: {0}")]
    Address(#[from] OutletError),
    /// Too short to keep anybody from forging a message.
    #[error("the webhook's secret has fewer than 16 characters")]
    Secret,
}

impl Webhook {
    /// An address on the internet, or in a network that the operator vouches for.
    pub fn new(address: &str, secret: &str, allowed: &[Network]) -> Result<Self, WebhookError> {
        if secret.chars().count() < 16 {
            return Err(WebhookError::Secret);
        }
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        Ok(Self { outlet: Outlet::new(address, allowed)?, key })
    }

    fn headers(&self, at: &str, body: &[u8]) -> HeaderMap {
        let mut signed = hmac::Context::with_key(&self.key);
        signed.update(at.as_bytes());
        signed.update(b".");
        signed.update(body);
        let tag = signed.sign();
        let hex = hex(tag.as_ref());
        let values = [(SIGNATURE, format!("sha256={hex}")), (TIMESTAMP, at.to_owned())];
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in values {
            headers.extend(HeaderValue::try_from(value).ok().map(|value| (name, value)));
        }
        headers
    }

    /// Sends until it is taken, or often enough.
    async fn deliver(&self, at: String, body: Vec<u8>) {
        let mut wait = FIRST_WAIT;
        for tried in 1..=TRIES {
            let host = self.outlet.host();
            match self.outlet.send(self.headers(&at, &body), body.clone()).await {
                Ok(200..=299) => return,
                Ok(status) => tracing::warn!(host, status, tried, "a webhook was not taken"),
                Err(error) => tracing::warn!(host, %error, tried, "a webhook was not delivered"),
            }
            sleep(wait).await;
            wait *= 2;
        }
    }
}

/// Something that is told.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// A debate has ended: its decision, and the flips that were found in it.
    Decided(DebateId),
}

/// Everybody who is told.
#[derive(Debug)]
pub(crate) struct Webhooks {
    all: Vec<Arc<Webhook>>,
    places: Arc<Semaphore>,
}

impl Webhooks {
    pub(crate) fn new(all: Vec<Webhook>) -> Self {
        let all = all.into_iter().map(Arc::new).collect();
        Self { all, places: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Tells everybody, without waiting for them.
    pub(crate) async fn tell(&self, app: &App, news: News) {
        if self.all.is_empty() {
            return;
        }
        let News::Decided(id) = news;
        let at = app.now().as_second().to_string();
        for message in messages(app, &id).await {
            let body = message.to_string().into_bytes();
            for webhook in &self.all {
                let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
                    tracing::warn!(debate = %id, "a webhook was dropped: too many wait");
                    continue;
                };
                let (webhook, at, body) = (Arc::clone(webhook), at.clone(), body.clone());
                // Bounded by the places, and each ends by itself.
                tokio::spawn(async move {
                    webhook.deliver(at, body).await;
                    drop(place);
                });
            }
        }
    }
}

/// What is told of a debate that has ended.
async fn messages(app: &App, id: &DebateId) -> Vec<Value> {
    let mut messages = Vec::new();
    let Ok(debate) = debates::read(&app.store, id).await else { return messages };
    let spec = debate.state.spec();
    messages.push(json!({
        "type": "debate.decided", "debate": id, "question": spec.question,
        "decision": debate.state.decision,
    }));
    let began = debate.records.first().map(|record| record.at);
    let filter = FlipFilter { detected_since: began, limit: FLIPS, ..FlipFilter::default() };
    if let Ok(page) = flips(&app.store, &filter).await {
        let own = page.flips.iter().filter(|flip| flip.after.debate.as_ref() == Some(id));
        messages
            .extend(own.map(|flip| json!({ "type": "flip.detected", "debate": id, "flip": flip })));
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_signed_with_its_time() {
        let webhook = Webhook::new("https://example.org/", "a secret of 20 chars", &[]).unwrap();
        let headers = webhook.headers("12", b"{}");
        // printf '12.{}' | openssl dgst -sha256 -hmac 'a secret of 20 chars'
        let wanted = hmac::sign(&webhook.key, b"12.{}");
        let wanted = hex(wanted.as_ref());
        assert_eq!(headers[SIGNATURE], format!("sha256={wanted}"));
        assert_ne!(webhook.headers("13", b"{}")[SIGNATURE], headers[SIGNATURE]);
    }

    #[test]
    fn a_webhook_needs_an_address_of_the_internet_and_a_secret() {
        assert!(Webhook::new("http://127.0.0.1/", "a secret of 20 chars", &[]).is_err());
        assert!(Webhook::new("https://example.org/", "short", &[]).is_err());
    }
}
