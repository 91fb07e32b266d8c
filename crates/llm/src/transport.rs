//! One request and its answer, with limits on time and size.
//!
//! `reqwest`, not the smaller `ureq`: the engine will stream replies of many agents at once, which
//! wants async, and two HTTP clients in one program would cost more than either (cold debug build,
//! TLS included: `reqwest` with `tokio` 43 CPU-seconds, `ureq` 20). TLS is `rustls` with `ring`, so
//! no C library and no `cmake`; certificates are the operating system's, so a company's own
//! authority and `SSL_CERT_FILE` work.

use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response, Url, redirect, retry};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::{Fault, LlmError};

/// How long to wait for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the connection, encryption included.
    pub connect: Duration,
    /// For one request, from its first byte to the last byte of the answer.
    pub total: Duration,
    /// For the next piece of a streamed answer, once it has begun. Before it begins, a model may
    /// load, or think.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            total: Duration::from_mins(1),
            idle: Duration::from_secs(90),
        }
    }
}

/// Sends requests to one address.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    client: Client,
    url: Url,
    /// Sent with every request. A key among them is marked, so that no log shows it.
    headers: HeaderMap,
    timeouts: Timeouts,
    /// Most bytes of an answer.
    most: usize,
}

/// An answer, read to its end or to the limit.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Whether the status says that the request was served.
    pub(crate) fn is_good(&self) -> bool {
        matches!(self.status, 200..=299)
    }
}

/// What a request for a stream is answered with.
#[derive(Debug)]
pub(crate) enum Opened {
    /// A stream, not yet read.
    Stream(Response),
    /// A status that promises none.
    Refusal(Answer),
}

impl Transport {
    /// Sends the client to another address of its server.
    pub(crate) fn at(&self, url: Url) -> Self {
        Self { url, ..self.clone() }
    }

    /// Sets up a client for `url`; connects to nothing yet.
    pub(crate) fn new(
        url: Url,
        headers: HeaderMap,
        timeouts: Timeouts,
        most: usize,
    ) -> Result<Self, LlmError> {
        let setup = |reason: String| LlmError::new(url.as_str(), Fault::Setup(reason));
        let tls = tls(url.scheme() == "https")
            .map_err(|error| setup(format!("no certificates to check it by: {error}")))?;
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .no_proxy()
            .connect_timeout(timeouts.connect)
            .timeout(timeouts.total)
            .user_agent(concat!("rebuttal/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| setup(format!("no client: {}", cause(&error))))?;
        Ok(Self { client, url, headers, timeouts, most })
    }

    /// Sends one JSON document and reads the answer.
    pub(crate) async fn post(&self, body: Vec<u8>) -> Result<Answer, Fault> {
        let response = self.ask(body).await?;
        self.answer(response).await
    }

    /// Sends one JSON document and hands back the answer as soon as it begins. What is no stream
    /// is read.
    pub(crate) async fn open(&self, body: Vec<u8>) -> Result<Opened, Fault> {
        let response = self.ask(body).await?;
        if response.status().is_success() {
            return Ok(Opened::Stream(response));
        }
        Ok(Opened::Refusal(self.answer(response).await?))
    }

    /// The next piece of a stream, or nothing at its end.
    pub(crate) async fn chunk(
        &self,
        stream: &mut Response,
        begun: bool,
    ) -> Result<Option<impl AsRef<[u8]> + use<>>, Fault> {
        let next = stream.chunk();
        let next = if begun {
            let limit = self.timeouts.idle;
            let stalled = |_| Fault::Stalled(limit);
            tokio::time::timeout(limit, next).await.map_err(stalled)?
        } else {
            next.await
        };
        next.map_err(|error| self.fault(&error))
    }

    /// Sends the request and waits for the head of the answer.
    async fn ask(&self, body: Vec<u8>) -> Result<Response, Fault> {
        let request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .headers(self.headers.clone())
            .body(body);
        request.send().await.map_err(|error| self.fault(&error))
    }

    /// Reads the whole answer, up to the limit.
    async fn answer(&self, response: Response) -> Result<Answer, Fault> {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = self.read(response).await?;
        Ok(Answer { status, headers, body })
    }

    /// Reads the body and stops at the limit, whatever length the headers announce.
    async fn read(&self, mut response: Response) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.fault(&error))? {
            if body.len() + chunk.len() > self.most {
                return Err(Fault::Oversize(self.most));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// What went wrong on the way, without the address: it may hold a key.
    fn fault(&self, error: &reqwest::Error) -> Fault {
        if error.is_timeout() {
            let limit =
                if error.is_connect() { self.timeouts.connect } else { self.timeouts.total };
            return Fault::Timeout(limit);
        }
        let reason = cause(error);
        if error.is_connect() && !was_reset(error) {
            return Fault::Unreachable(reason);
        }
        Fault::Broken { attempts: 1, reason }
    }
}

/// Whose certificates are believed. A server without TLS must be usable on a machine that has no
/// certificates at all.
pub(crate) fn tls(encrypted: bool) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(if encrypted {
        builder.with_platform_verifier()?.with_no_client_auth()
    } else {
        builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
    })
}

/// The innermost error, which is the one that says what happened. The outer ones repeat the
/// address.
fn cause(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

/// Whether somebody was there and hung up.
fn was_reset(error: &reqwest::Error) -> bool {
    let mut source = error.source();
    while let Some(inner) = source {
        let kind = inner.downcast_ref::<io::Error>().map(io::Error::kind);
        if matches!(kind, Some(io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted)) {
            return true;
        }
        source = inner.source();
    }
    false
}
