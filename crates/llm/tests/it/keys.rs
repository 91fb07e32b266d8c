//! Where a key goes, and where it must never be.

use std::path::PathBuf;

use rebuttal_llm::{Api, EmbeddingsEndpoint, KeyRef, PlainHttp, Settings};
use rebuttal_semantics::SemanticsError;

use crate::server::{Server, openai, reply};

const KEY: &str = "sk-canary-0123456789";

/// A key in a file; the folder must outlive its use.
fn key() -> (tempfile::TempDir, KeyRef) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("key");
    std::fs::write(&path, format!("{KEY}\n")).unwrap();
    (folder, KeyRef::File(path))
}

fn endpoint(server: &Server) -> EmbeddingsEndpoint {
    let (_folder, key) = key();
    let mut settings = server.settings(Api::OpenAi);
    settings.key = Some(key);
    EmbeddingsEndpoint::new(settings).unwrap()
}

#[test]
fn a_key_is_sent_as_a_bearer_and_shown_nowhere() {
    let server = Server::new(|_, request, stream| reply(stream, "200 OK", "", &openai(request)));
    let endpoint = endpoint(&server);
    endpoint.vectors(&["a"]).unwrap();
    let head = &server.requests()[0].head;
    assert!(head.to_lowercase().contains(&format!("authorization: bearer {KEY}\r\n")), "{head}");
    assert!(!format!("{endpoint:?} {endpoint:#?}").contains("canary"));
}

#[test]
fn a_key_that_the_server_repeats_is_hidden() {
    for status in ["401 Unauthorized", "200 OK"] {
        let server = Server::new(move |_, _, stream| {
            let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}"}}}}"#);
            reply(stream, status, "", &body);
        });
        let error = endpoint(&server).vectors(&["a"]).unwrap_err();
        assert!(error.to_string().contains("provided: (key)"), "{error}");
        let shown = format!("{error} {error:?}");
        let both = format!("{shown} {:?}", SemanticsError::from(error));
        assert!(!both.contains("canary"), "{both}");
    }
}

#[test]
fn a_redirect_is_not_followed_and_takes_no_key_along() {
    let other = Server::new(|_, request, stream| reply(stream, "200 OK", "", &openai(request)));
    for status in ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let location = format!("Location: {}/embeddings?token=canary\r\n", other.base());
        let server = Server::new(move |_, _, stream| reply(stream, status, &location, ""));
        let error = endpoint(&server).vectors(&["a"]).unwrap_err().to_string();
        assert!(
            error.contains(&format!("redirects to {}/embeddings, which", other.base())),
            "{error}"
        );
        assert!(!error.contains("canary"));
    }
    assert!(other.requests().is_empty());
}

#[test]
fn a_key_does_not_travel_unencrypted_to_another_machine() {
    let (_folder, key) = key();
    let settings = |address: &str| {
        let mut settings = Settings::new(address.parse().unwrap(), Api::OpenAi, "m");
        settings.key = Some(key.clone());
        settings
    };
    let error = EmbeddingsEndpoint::new(settings("http://models.example.com/v1")).unwrap_err();
    assert!(error.to_string().contains("would travel unencrypted"), "{error}");
    let mut allowed = settings("http://models.example.com/v1");
    allowed.plain_http = PlainHttp::Anywhere;
    EmbeddingsEndpoint::new(allowed).unwrap();
    EmbeddingsEndpoint::new(settings("http://localhost:1/v1")).unwrap();
}

#[test]
fn a_model_must_be_named() {
    let settings = Settings::new("http://localhost:1".parse().unwrap(), Api::Ollama, " ");
    assert!(EmbeddingsEndpoint::new(settings).unwrap_err().to_string().contains("no `model`"));
}
