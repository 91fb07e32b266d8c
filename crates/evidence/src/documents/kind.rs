//! What kind of file it is: by its content, and by its name where the content says nothing.

use std::path::Path;

/// How much of a file is looked at.
const HEAD: usize = 1 << 14;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Plain text or Markdown.
    Text,
    Html,
    /// A table, with the byte between its cells.
    Csv(char),
    /// One JSON object a line.
    Jsonl,
    Parquet,
    Pdf,
    /// A conversation in a format that has its importer.
    Transcript,
    Other,
}

impl Kind {
    pub(super) fn of(path: &Path, bytes: &[u8]) -> Self {
        let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
        if head.starts_with(b"%PDF-") {
            return Self::Pdf;
        }
        if head.starts_with(b"PAR1") {
            return Self::Parquet;
        }
        if !is_text(head) {
            return Self::Other;
        }
        let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Self::Csv(','),
            "tsv" | "tab" => Self::Csv('\t'),
            "htm" | "html" | "xhtml" => Self::Html,
            "jsonl" | "ndjson" if !is_talk(head) => Self::Jsonl,
            "json" | "jsonl" | "ndjson" | "eval" => Self::Transcript,
            "" | "txt" | "text" | "md" | "markdown" | "rst" | "adoc" | "org" | "log" | "tex"
            | "eml" => {
                if looks_like_html(head) {
                    Self::Html
                } else {
                    Self::Text
                }
            }
            _ => Self::Other,
        }
    }

    /// Whether the first part of such a file can be read alone.
    pub(super) fn may_be_cut(self) -> bool {
        matches!(self, Self::Text | Self::Csv(_) | Self::Jsonl | Self::Html)
    }
}

fn is_text(head: &[u8]) -> bool {
    // A character may be cut in two at the end of the head.
    let whole = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() || error.valid_up_to() > head.len() / 2,
    };
    whole && !head.contains(&0)
}

fn looks_like_html(head: &[u8]) -> bool {
    let start = String::from_utf8_lossy(head.get(..head.len().min(512)).unwrap_or_default());
    let start = start.trim_start().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Lines with a speaker and a text are a conversation, all others rows of a table.
fn is_talk(head: &[u8]) -> bool {
    let first = head.split(|byte| *byte == b'\n').find(|line| !line.is_empty()).unwrap_or_default();
    let Ok(serde_json::Value::Object(row)) = serde_json::from_slice(first) else { return false };
    let speaker = ["role", "agent", "speaker", "messages", "turns", "from"];
    speaker.iter().any(|name| row.contains_key(*name))
}
