//! Keys: named in settings, read once, shown nowhere.

use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::str::FromStr;

use rebuttal_model::limits;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use crate::error::{Fault, LlmError};
use crate::files;
use crate::leak::LeakCheck;

/// Where a key is kept: `env:NAME` or `file:PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyRef {
    /// An environment variable.
    Env(String),
    /// A file that holds the key and nothing else.
    File(PathBuf),
}

impl FromStr for KeyRef {
    type Err = LlmError;

    /// Never repeats what was written: it may be the key itself.
    fn from_str(text: &str) -> Result<Self, LlmError> {
        match text.split_once(':') {
            Some(("env", name)) if is_name(name) => Ok(Self::Env(name.to_owned())),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            _ => {
                let reason =
                    "write env:NAME or file:PATH; a key itself does not belong in settings";
                Err(LlmError::new("key", Fault::Key(reason.to_owned())))
            }
        }
    }
}

/// Names of variables that every shell accepts.
fn is_name(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| !c.is_ascii_digit()) && text.chars().all(is_word)
}

impl fmt::Display for KeyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Env(name) => write!(f, "env:{name}"),
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

impl KeyRef {
    /// Reads the key.
    pub(crate) fn read(&self) -> Result<Key, LlmError> {
        let refuse = |reason: String| LlmError::new(self.to_string(), Fault::Key(reason));
        let text = match self {
            Self::Env(name) => std::env::var(name)
                .map_err(|_| refuse("this environment variable is not set".to_owned()))?,
            Self::File(path) => {
                let mut text = String::new();
                files::open(path)
                    .and_then(|file| file.take(limits::KEY_BYTES).read_to_string(&mut text))
                    .map_err(|error| refuse(format!("cannot be read: {error}")))?;
                text
            }
        };
        Key::new(&text).map_err(|reason| refuse(reason.to_owned()))
    }
}

/// A key. Its `Debug` shows that there is one.
#[derive(Clone)]
pub(crate) struct Key(Box<str>);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

impl Key {
    /// A key from a text. Spaces around it are cut off; what cannot stand in a header is refused,
    /// without being repeated.
    pub(crate) fn new(text: &str) -> Result<Self, &'static str> {
        // Files end with a line feed.
        let text = text.trim();
        if text.is_empty() {
            return Err("is empty");
        }
        // What is printable fits a header, so `header` below does not fail.
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("holds blanks or other characters that no key has");
        }
        Ok(Self(text.into()))
    }

    /// The key as most servers want it: `Authorization: Bearer …`.
    pub(crate) fn bearer(&self) -> HeaderMap {
        header(AUTHORIZATION, &format!("Bearer {}", self.0))
    }

    /// The key in a header of its own. Never in an address, which ends up in logs.
    pub(crate) fn named(&self, name: &'static str) -> HeaderMap {
        header(HeaderName::from_static(name), &self.0)
    }

    /// `text` without the key: servers repeat it in their messages, or the beginning of it, as it
    /// is or as it travelled.
    pub(crate) fn hide_in(&self, text: &str) -> String {
        let forms = self.forms();
        let shown = forms.iter().fold(text.to_owned(), |text, form| hide(form, &text));
        match LeakCheck::new(Some(self)).push(&shown) {
            Ok(()) => shown,
            // Which of the words are the key cannot be told apart any more.
            Err(_) => format!("{HIDDEN}, among words that are not shown"),
        }
    }

    /// The key as it is, as an address would hold it, and as `Basic` and tokens hold it.
    pub(crate) fn forms(&self) -> Vec<String> {
        let encoded = percent_encoded(&self.0);
        let (plain, safe) = (base64(&self.0), base64(&self.0).replace('+', "-").replace('/', "_"));
        let mut forms = vec![self.0.to_string(), encoded.to_lowercase(), encoded, plain, safe];
        forms.dedup();
        forms
    }
}

/// `text` without one form of a key, and without the beginning of it.
fn hide(form: &str, text: &str) -> String {
    let mut rest = text.replace(form, HIDDEN);
    let Some(beginning) = form.get(..BEGINNING).filter(|_| form.len() >= 2 * BEGINNING) else {
        return rest;
    };
    let mut shown = String::new();
    while let Some((before, after)) = rest.split_once(beginning) {
        shown.push_str(before);
        shown.push_str(HIDDEN);
        let end = after.find(|c: char| c.is_whitespace() || ENDS.contains(c));
        rest = end.and_then(|end| after.get(end..)).unwrap_or_default().to_owned();
    }
    shown + &rest
}

/// Every byte that is not a letter, a digit or one of `-._~`, as an address holds it.
fn percent_encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let encoded = text.bytes().map(|byte| {
        if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    });
    encoded.collect()
}

/// Base 64 without padding: whoever pads holds the same letters.
fn base64(text: &str) -> String {
    /// The digits of Base64.
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for three in text.as_bytes().chunks(3) {
        let byte = |at: usize| three.get(at).copied().map_or(0, u32::from);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..=three.len() {
            let six = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or_default();
            encoded.extend(LETTERS.get(six).copied().map(char::from));
        }
    }
    encoded
}

/// What stands where a key stood.
const HIDDEN: &str = "(key)";
/// Letters that give a key away.
const BEGINNING: usize = 8;
/// What ends a key in a sentence. Not the full stop: keys are shortened with three of them.
const ENDS: &str = "\"'`<>()[]{},;";

/// One header, marked so that no log of the client shows it.
fn header(name: HeaderName, value: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    // A key is printable, so this does not fail.
    if let Ok(mut value) = HeaderValue::from_str(value) {
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_named_as_written() {
        for good in ["env:OPENAI_API_KEY", "env:_k1", "file:keys/openai"] {
            assert_eq!(good.parse::<KeyRef>().unwrap().to_string(), good);
        }
    }

    #[test]
    fn a_key_written_outright_is_refused_and_not_repeated() {
        for wrong in ["sk-s3cret", "env:", "env:sk-s3cret", "env:1s3cret", "file:", ""] {
            let error = wrong.parse::<KeyRef>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_key_is_read_trimmed_and_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-s3cret\n").unwrap();
        let key = KeyRef::File(path).read().unwrap();
        assert_eq!(key.bearer()["authorization"], "Bearer sk-s3cret");
        assert_eq!(key.named("x-api-key")["x-api-key"], "sk-s3cret");
        let shown = format!("{key:?} {:?} {:?}", key.bearer(), key.named("x-api-key"));
        assert!(!shown.contains("s3cret"), "{shown}");
        assert_eq!(key.hide_in("wrong key sk-s3cret!"), "wrong key (key)!");
    }

    #[test]
    fn the_beginning_of_a_key_is_hidden_as_well() {
        let key = Key::new("sk-canary-0123456789").unwrap();
        for (said, shown) in [
            ("wrong: sk-canar*******6789.", "wrong: (key)"),
            ("wrong: 'sk-canary...6789', try again", "wrong: '(key)', try again"),
            ("sk-canary-0123456789 sk-canar", "(key) (key)"),
            ("wrong: sk-other", "wrong: sk-other"),
            ("", ""),
        ] {
            assert_eq!(key.hide_in(said), shown);
        }
        assert_eq!(Key::new("short").unwrap().hide_in("shor short"), "shor (key)");
    }

    #[test]
    fn a_key_in_disguise_is_hidden_as_well() {
        let key = Key::new("sk-canary+0123/456789=").unwrap();
        for said in [
            "https://host/?key=sk-canary%2B0123%2F456789%3D",
            "https://host/?key=sk-canary%2b0123%2f456789%3d",
            "Basic c2stY2FuYXJ5KzAxMjMvNDU2Nzg5PQ==",
            "c2stY2FuYXJ5KzAxMjMvNDU2Nzg5PQ",
        ] {
            let shown = key.hide_in(said);
            assert!(shown.contains("(key)"), "{shown}");
            assert!(!shown.contains("canary") && !shown.contains("c2stY2Fu"), "{shown}");
        }
        assert_eq!(base64("Man"), "TWFu");
        assert_eq!(base64("Ma"), "TWE");
    }

    #[test]
    fn missing_empty_and_foreign_keys_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let read = |content: &[u8]| {
            let path = folder.path().join("key");
            std::fs::write(&path, content).unwrap();
            KeyRef::File(path).read().unwrap_err().to_string()
        };
        assert!(read(b" \n").contains("is empty"));
        assert!(read(b"two s3cret words").contains("holds blanks"));
        assert!(read(b"\xff\xfe").contains("cannot be read"));
        let unset = KeyRef::Env("REBUTTAL_NO_SUCH_KEY".to_owned()).read().unwrap_err();
        assert_eq!(
            unset.to_string(),
            "env:REBUTTAL_NO_SUCH_KEY: this environment variable is not set"
        );
    }
}
