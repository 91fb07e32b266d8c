//! Where a server is, and whether a key may travel there.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;
use reqwest::header::HeaderValue;

use crate::error::{Fault, LlmError};

/// The base address of a server, such as `http://127.0.0.1:11434` or `https://host/v1`.
///
/// Invariant: `http` or `https`, with a host, without a user, a password, a query or a fragment; so
/// it can be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

/// Whether a key may be sent without encryption to another machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlainHttp {
    /// To this machine only.
    #[default]
    Loopback,
    /// Anywhere: the user vouches for the network.
    Anywhere,
}

impl FromStr for Address {
    type Err = LlmError;

    /// Never repeats what was written: it may hold a password.
    fn from_str(text: &str) -> Result<Self, LlmError> {
        let refuse = |reason: &str| LlmError::new("endpoint", Fault::Address(reason.to_owned()));
        let mut url = Url::parse(text.trim()).map_err(|error| refuse(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse("it must start with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it holds a user or a password; name a key with `key` instead"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("it must end before any ? or #"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(refuse("it names no host"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

impl Address {
    /// The address of `path` below this one. Users also paste an address that goes on into the
    /// path, or to its end: `…/v1` where the path is `/v1/messages`.
    pub(crate) fn join(&self, path: &str) -> Url {
        let base = self.0.path().trim_end_matches('/');
        // The beginnings of the path, longest first.
        let slashes = path.rmatch_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
        let mut starts = [path.len()].into_iter().chain(slashes).filter_map(|end| path.get(..end));
        let shared = starts.find(|start| base.ends_with(start));
        let base = shared.and_then(|shared| base.strip_suffix(shared)).unwrap_or(base);
        let mut url = self.0.clone();
        url.set_path(&format!("{base}{path}"));
        url
    }

    /// The name of the machine.
    pub(crate) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Whether the connection is encrypted.
    pub(crate) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<std::net::IpAddr>() {
            Ok(address) => address.to_canonical().is_loopback(),
            // RFC 6761: these names never leave the machine.
            Err(_) => host == "localhost" || host.ends_with(".localhost"),
        }
    }

    /// Whether it leads to the same server: scheme, host and port are the same.
    pub fn is_on(&self, server: &Self) -> bool {
        self.0.origin() == server.0.origin()
    }

    /// Whether a key may be sent here.
    pub fn may_carry_a_key(&self, plain: PlainHttp) -> bool {
        self.is_https() || self.is_loopback() || plain == PlainHttp::Anywhere
    }
}

/// Where a redirect points, as far as it can be shown: no query, which may hold a secret.
pub(crate) fn shown_location(location: Option<&HeaderValue>) -> String {
    let text = location.and_then(|value| value.to_str().ok()).unwrap_or("another address");
    text.split(['?', '#']).next().unwrap_or_default().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn the_path_is_added_once() {
        let joined = |base: &str| address(base).join("/embeddings").to_string();
        assert_eq!(joined("https://host/v1"), "https://host/v1/embeddings");
        assert_eq!(joined("https://host/v1/"), "https://host/v1/embeddings");
        assert_eq!(joined("https://host/v1/embeddings"), "https://host/v1/embeddings");
        assert_eq!(joined("http://127.0.0.1:9"), "http://127.0.0.1:9/embeddings");
        assert_eq!(address("http://127.0.0.1:9/").to_string(), "http://127.0.0.1:9");
        for base in ["", "/", "/v1", "/v1/messages", "/v1/messages/"] {
            let joined = address(&format!("https://host{base}")).join("/v1/messages");
            assert_eq!(joined.as_str(), "https://host/v1/messages", "{base}");
        }
        let proxied = address("https://host/v1/proxy").join("/v1/messages");
        assert_eq!(proxied.as_str(), "https://host/v1/proxy/v1/messages");
    }

    #[test]
    fn what_is_no_server_is_refused_without_repeating_it() {
        for wrong in [
            "",
            "host",
            "ftp://host",
            "file:///etc/passwd",
            "http://",
            "http://ann:s3cret@host",
            "http://s3cret@host",
            "https://host/v1?key=s3cret",
            "https://host/#s3cret",
        ] {
            let error = wrong.parse::<Address>().unwrap_err().to_string();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for here in [
            "http://127.0.0.1:11434",
            "http://127.9.9.9",
            "http://[::1]:1",
            "http://[::ffff:127.0.0.1]",
            "http://localhost:8080",
            "http://LOCALHOST",
            // What browsers and `url` read as 127.0.0.1.
            "http://2130706433",
            "http://0x7f.1",
        ] {
            assert!(address(here).is_loopback(), "{here}");
            assert!(address(here).may_carry_a_key(PlainHttp::Loopback), "{here}");
        }
        for elsewhere in [
            "http://10.0.0.1",
            "http://0.0.0.0",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://notlocalhost",
            "http://[fe80::1]",
        ] {
            assert!(!address(elsewhere).is_loopback(), "{elsewhere}");
            assert!(!address(elsewhere).may_carry_a_key(PlainHttp::Loopback), "{elsewhere}");
            assert!(address(elsewhere).may_carry_a_key(PlainHttp::Anywhere), "{elsewhere}");
        }
        assert!(address("https://example.com").may_carry_a_key(PlainHttp::Loopback));
    }
}
