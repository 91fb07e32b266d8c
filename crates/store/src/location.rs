//! Where a database lies, as the user names it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::Error;

/// Where a database lies: a file, or a server.
///
/// Displaying it never shows a password.
///
/// ```
/// use rebuttal_store::Location;
///
/// let server: Location = "postgres://ann:secret@db.example/ledger".parse()?;
/// assert_eq!(server.to_string(), "postgres://ann@db.example/ledger");
/// let file: Location = "sqlite:ledger.db".parse()?;
/// assert_eq!(file, Location::file("ledger.db"));
/// # Ok::<(), rebuttal_store::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Location(Kind);

/// Which engine an address names, and where.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An SQLite file.
    File(PathBuf),
    /// The URL of a PostgreSQL database, password included.
    Server(String),
}

impl Location {
    /// An SQLite file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self(Kind::File(path.into()))
    }

    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match &self.0 {
            Kind::File(path) => Some(path),
            Kind::Server(_) => None,
        }
    }

    /// Which engine it names, and where.
    pub(crate) fn kind(&self) -> &Kind {
        &self.0
    }
}

impl FromStr for Location {
    type Err = Error;

    /// A path, `sqlite:path`, or `postgres://user:password@host/database`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let lower = text.to_ascii_lowercase();
        if lower.starts_with("postgres://") || lower.starts_with("postgresql://") {
            return Ok(Self(Kind::Server(text.to_owned())));
        }
        let path = match lower.strip_prefix("sqlite:").map(|rest| text.len() - rest.len()) {
            Some(start) => {
                let rest = text.get(start..).unwrap_or_default();
                rest.strip_prefix("//").unwrap_or(rest)
            }
            None => text,
        };
        if path.is_empty() || path == ":memory:" {
            return Err(Error::Location {
                given: text.to_owned(),
                why: "a ledger lives in a file: name one",
            });
        }
        if let Some((scheme, _)) = path.split_once("://") {
            let given = format!("{scheme}://…");
            return Err(Error::Location {
                given,
                why: "name a file, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE",
            });
        }
        Ok(Self::file(path))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::File(path) => path.display().fmt(f),
            Kind::Server(url) => f.write_str(&without_password(url)),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The URL without its password and without its query, which may hold one too.
fn without_password(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or(url);
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    // The last @ ends the user's part: a password may hold one that was not encoded.
    let Some((user, host)) = rest.rsplit_once('@') else { return url.to_owned() };
    let name = user.split(':').next().unwrap_or_default();
    format!("{scheme}://{name}@{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_never_shown() {
        for url in [
            "postgres://ann:s3cret@host:5432/db",
            "postgresql://ann:s3cret@host/db?password=s3cret",
            "postgres://ann:p@s3cret@host/db",
            "postgres:///db?host=/run&password=s3cret",
            "Postgres://:s3cret@host/db",
        ] {
            let location: Location = url.parse().unwrap();
            let shown = format!("{location} {location:?}");
            assert!(!shown.contains("s3cret"), "{shown}");
        }
    }

    #[test]
    fn files_are_named_in_three_ways() {
        for text in ["a/b.db", "sqlite:a/b.db", "sqlite://a/b.db", "SQLite:a/b.db"] {
            assert_eq!(text.parse::<Location>().unwrap(), Location::file("a/b.db"), "{text}");
        }
        assert_eq!("sqlite:///a.db".parse::<Location>().unwrap(), Location::file("/a.db"));
        for text in ["", "sqlite:", ":memory:", "mysql://u:p@h/d"] {
            let error = text.parse::<Location>().unwrap_err().to_string();
            assert!(!error.contains(":p@"), "{error}");
        }
    }
}
