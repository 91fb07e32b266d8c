//! Models on a server that speaks each format, behaves and misbehaves.

mod answers;
mod dialects;
mod faults;
pub(crate) mod formats;
mod ladder;
mod matrix;
mod outage;
mod spending;
mod streams;
pub(crate) mod wire;

use std::time::Duration;

use rebuttal_llm::{
    Chat, ChatEndpoint, ChatSettings, KeyRef, LlmError, Provider, Reply, Request, Retries, Timeouts,
};

use crate::server::Server;

/// A key that must be seen nowhere.
const KEY: &str = "sk-canary-0123456789";

/// Settings with waits short enough for a test.
fn settings(server: &Server, provider: Provider) -> ChatSettings {
    let address = format!("http://{}", server.address).parse().expect("an address");
    let mut settings = ChatSettings::new("ann", provider, address, "m-1");
    settings.retries = Retries {
        first_wait: Duration::from_millis(5),
        longest_wait: Duration::from_millis(10),
        ..Retries::default()
    };
    settings.timeouts = Timeouts { total: Duration::from_secs(20), ..Timeouts::default() };
    settings
}

/// An endpoint with the canary for a key.
fn with_key(mut settings: ChatSettings) -> ChatEndpoint {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("key");
    std::fs::write(&path, format!("{KEY}\n")).expect("a file");
    settings.key = Some(KeyRef::File(path));
    ChatEndpoint::new(settings).expect("sets up")
}

/// Asks a server one question.
fn ask(server: &Server, provider: Provider) -> Result<Reply, LlmError> {
    with_key(settings(server, provider)).reply(&Request::new("Is it so?"))
}
