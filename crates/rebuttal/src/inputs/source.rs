//! One text: where it comes from, and reading no more of it than the limit.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rebuttal_model::limits;
use rebuttal_transcripts::open;

use super::STDIN;
use crate::error::{Context, Result, ensure, err};

/// Where the text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// Typed after the command.
    Words(String),
    /// Whatever is piped in.
    Stdin,
    /// A file of plain text.
    File(PathBuf),
}

impl Source {
    /// What was typed; a dash is stdin.
    pub fn words(words: String) -> Self {
        if words == "-" { Self::Stdin } else { Self::Words(words) }
    }

    /// A file that was named; a dash is stdin.
    pub fn file(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        self.file_name().unwrap_or_else(|| "the text".to_owned())
    }

    /// The file's name, where there is a file.
    pub fn file_name(&self) -> Option<String> {
        match self {
            Self::Words(_) => None,
            Self::Stdin => Some(STDIN.to_owned()),
            Self::File(path) => Some(path.display().to_string()),
        }
    }

    /// Whether the words that were typed are the name of a file.
    pub fn names_a_file(&self) -> bool {
        matches!(self, Self::Words(words) if Path::new(words).is_file())
    }

    /// The whole text.
    pub fn load(&self) -> Result<Cow<'_, str>> {
        let name = self.name();
        let bytes = match self {
            Self::Words(words) => return Ok(Cow::Borrowed(words)),
            Self::Stdin => bounded(io::stdin().lock()),
            Self::File(path) => {
                let file = open(path).map_err(|error| err!(Text; "{name} {error}"))?;
                bounded(file)
            }
        };
        let bytes = bytes.with_context(|| format!("{name} cannot be read"))?;
        let limit = limits::DOCUMENT_BYTES;
        ensure!(Text;
            bytes.len() <= limit,
            "{name} is larger than {limit} bytes, the limit for one text"
        );
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            err!(Text; "{name} is not UTF-8 text: byte {at} begins no character; convert it first")
        })?;
        Ok(Cow::Owned(text))
    }
}

/// Reads at most one byte more than the limit: enough to know that there is more.
fn bounded(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limits::DOCUMENT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_no_more_than_the_limit() {
        let bytes = bounded(io::repeat(b'a')).unwrap();
        assert_eq!(bytes.len(), limits::DOCUMENT_BYTES + 1);
    }
}
