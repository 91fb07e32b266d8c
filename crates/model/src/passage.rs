//! Passages of the user's documents: what a citation rests on.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::hash::Fnv128;

/// One passage, by what it says and the document it stands in: the same words of the same document have
/// the same id wherever they move in it, and any change makes another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PassageId(String);

impl PassageId {
    /// The id of these words in this document.
    pub fn of(document: &str, text: &str) -> Self {
        let mut hash = Fnv128::new();
        hash.text(document);
        hash.text(text);
        // Short enough that a model repeats it without an error, and long enough for a million passages.
        Self(format!("p{:012x}", hash.value() >> 80))
    }

    /// Takes an id as somebody wrote it: `p0123456789ab`, in brackets or not.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('[').trim_end_matches(']');
        let digits = text.strip_prefix(['p', 'P'])?;
        let is_id = digits.len() == 12 && digits.bytes().all(|it| it.is_ascii_hexdigit());
        is_id.then(|| Self(format!("p{}", digits.to_ascii_lowercase())))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PassageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where in its document a passage stands. All are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// From one line to another.
    Lines(u32, u32),
    /// On a page.
    Page(u32),
    /// In a row of a table, below its head.
    Row(u32),
    /// In a turn of a transcript.
    Turn(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines(from, to) if from == to => write!(f, "line {from}"),
            Self::Lines(from, to) => write!(f, "lines {from}-{to}"),
            Self::Page(page) => write!(f, "page {page}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Turn(turn) => write!(f, "turn {turn}"),
        }
    }
}

/// A stretch of a document that is found, shown and cited as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Its id.
    pub id: PassageId,
    /// The document, by the path under which it was given.
    pub document: String,
    /// Where in it.
    pub place: Place,
    /// The words, as they stand there.
    pub text: String,
    /// The titles above it, the outermost first: "Costs > Staffing". Empty where there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// When it was written, where the document says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// Who says so, where the document does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Passage {
    /// A passage with nothing around it known.
    pub fn new(document: &str, place: Place, text: &str) -> Self {
        Self {
            id: PassageId::of(document, text),
            document: document.to_owned(),
            place,
            text: text.to_owned(),
            heading: String::new(),
            date: None,
            source: None,
        }
    }

    /// Where to look it up: `runbooks/failover.md, lines 12-18`.
    pub fn locator(&self) -> String {
        format!("{}, {}", self.document, self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_goes_by_words_and_document() {
        let id = |document, text| Passage::new(document, Place::Page(1), text).id;
        assert_eq!(id("a.md", "It fell."), id("a.md", "It fell."));
        assert_ne!(id("a.md", "It fell."), id("b.md", "It fell."));
        assert_ne!(id("a.md", "It fell."), id("a.md", "It rose."));
        let id = id("a.md", "It fell.");
        assert_eq!(PassageId::parse(&format!(" [{}] ", id.as_str().to_uppercase())), Some(id));
        assert_eq!(PassageId::parse("p12"), None);
        assert_eq!(PassageId::parse("page 3"), None);
    }
}
