//! Keys: named in settings, read once, shown nowhere.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::str::FromStr;

use rebuttal_model::limits;
use reqwest::header::HeaderValue;

use crate::error::{Fault, LlmError};

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
                File::open(path)
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
    fn new(text: &str) -> Result<Self, &'static str> {
        // Files end with a line feed.
        let text = text.trim();
        if text.is_empty() {
            return Err("is empty");
        }
        // What is printable fits a header, so `header` below cannot fail.
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("holds blanks or other characters that no key has");
        }
        Ok(Self(text.into()))
    }

    /// The value of the `Authorization` header, marked so that no log of the client shows it.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// `text` without the key: servers repeat it in their messages.
    pub(crate) fn hide_in(&self, text: &str) -> String {
        text.replace(&*self.0, "(key)")
    }
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
        assert_eq!(key.header().unwrap().as_bytes(), b"Bearer sk-s3cret");
        assert!(!format!("{key:?} {:?}", key.header()).contains("s3cret"));
        assert_eq!(key.hide_in("wrong key sk-s3cret!"), "wrong key (key)!");
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
