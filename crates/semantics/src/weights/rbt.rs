//! Our model file: everything a model needs in one file, ready to be embedded in a program.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `REBUTTAL` |
//! | 4 | version, 1 |
//! | 4 | length of the header |
//! | 8 | length of the payload |
//! | 4 | CRC-32 of the header |
//! | 4 | CRC-32 of the payload |
//! | | header: JSON, padded with spaces to a multiple of 64 |
//! | | payload: tensors and vocabulary, each at a multiple of 64 |
//!
//! Numbers are little-endian. `training/export.py` writes it.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

use super::assemble::{assemble, floats, signed};
use super::{Config, Matrix, Reason, Source, Weights};

const MAGIC: &[u8; 8] = b"REBUTTAL";
const VERSION: u32 = 1;
const PRELUDE: usize = 32;
/// Longest header read. Ours has some 20 KB.
const HEADER_MAX: usize = 1 << 20;

#[derive(Deserialize)]
struct Header {
    name: String,
    config: Config,
    tensors: BTreeMap<String, Entry>,
    vocab: Blob,
}

#[derive(Deserialize)]
struct Entry {
    kind: Kind,
    shape: Vec<usize>,
    offset: usize,
    /// Where a quantised matrix has its scales.
    scales: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    I8,
    F32,
}

#[derive(Deserialize)]
struct Blob {
    offset: usize,
    bytes: usize,
}

/// Reads a model.
pub(crate) fn read_rbt(bytes: Bytes<'_>) -> Result<Weights, Reason> {
    let file = split(bytes.all())?;
    let header: Header = serde_json::from_slice(file.header)
        .map_err(|error| Reason::new(format!("its header cannot be read: {error}")))?;
    let id = format!("{}@{:08x}{:08x}", header.name, file.header_crc, file.payload_crc);
    let payload = bytes.part(file.payload);
    let vocab = payload.range("the vocabulary", header.vocab.offset, header.vocab.bytes)?;
    let vocab = String::from_utf8(vocab.to_vec())
        .map_err(|_| Reason::new("its vocabulary is not UTF-8"))?;
    assemble(header.config, id, vocab, &Rbt { tensors: header.tensors, payload })
}

struct Split<'a> {
    header: &'a [u8],
    header_crc: u32,
    payload: Range<usize>,
    payload_crc: u32,
}

/// Checks the prelude and both checksums.
fn split(bytes: &[u8]) -> Result<Split<'_>, Reason> {
    let Some((prelude, rest)) = bytes.split_first_chunk::<PRELUDE>() else {
        return Err(Reason::new(format!("it has {} bytes, too few for a model", bytes.len())));
    };
    let field = |at: usize| {
        let field = prelude.get(at..).and_then(|bytes| bytes.first_chunk());
        u32::from_le_bytes(field.copied().unwrap_or_default())
    };
    if !prelude.starts_with(MAGIC) {
        return Err(Reason::new("it is not a model file of this program"));
    }
    if field(8) != VERSION {
        let found = field(8);
        return Err(Reason::new(format!("it has format {found}; this program reads {VERSION}")));
    }
    let header_length = usize::try_from(field(12)).unwrap_or(usize::MAX);
    if header_length > HEADER_MAX {
        return Err(Reason::new(format!("its header claims {header_length} bytes")));
    }
    let payload_length = u64::from(field(16)) | u64::from(field(20)) << 32;
    let Some((header, payload)) = rest.split_at_checked(header_length) else {
        return Err(Reason::new("it ends inside its header; fetch it again"));
    };
    if u64::try_from(payload.len()).ok() != Some(payload_length) {
        let found = payload.len();
        let reason =
            format!("it has {found} bytes of weights, not {payload_length}; fetch it again");
        return Err(Reason::new(reason));
    }
    let (header_crc, payload_crc) = (crc32fast::hash(header), crc32fast::hash(payload));
    if (header_crc, payload_crc) != (field(24), field(28)) {
        return Err(Reason::new("its checksum differs, so it was damaged; fetch it again"));
    }
    let payload = PRELUDE + header_length..bytes.len();
    Ok(Split { header, header_crc, payload, payload_crc })
}

/// Bytes that stay where they are, or that are only there while loading.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bytes<'a> {
    Static(&'static [u8]),
    Passing(&'a [u8]),
}

impl<'a> Bytes<'a> {
    #[expect(clippy::match_same_arms, reason = "two lifetimes cannot share an arm")]
    fn all(self) -> &'a [u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Passing(bytes) => bytes,
        }
    }

    fn part(self, range: Range<usize>) -> Self {
        match self {
            Self::Static(bytes) => Self::Static(bytes.get(range).unwrap_or_default()),
            Self::Passing(bytes) => Self::Passing(bytes.get(range).unwrap_or_default()),
        }
    }

    /// Without a copy where the bytes stay.
    fn range(
        &self,
        name: &str,
        offset: usize,
        length: usize,
    ) -> Result<Cow<'static, [u8]>, Reason> {
        let end = offset.checked_add(length);
        let range = end.map(|end| offset..end);
        let found = match self {
            Self::Static(bytes) => range.and_then(|range| bytes.get(range)).map(Cow::Borrowed),
            Self::Passing(bytes) => {
                range.and_then(|range| bytes.get(range)).map(|bytes| Cow::Owned(bytes.to_vec()))
            }
        };
        found.ok_or_else(|| Reason::new(format!("{name} lies outside the file")))
    }
}

struct Rbt<'a> {
    tensors: BTreeMap<String, Entry>,
    payload: Bytes<'a>,
}

impl Rbt<'_> {
    fn entry(&self, name: &str, kind: Kind, shape: &[usize]) -> Result<&Entry, Reason> {
        let entry =
            self.tensors.get(name).ok_or_else(|| Reason::new(format!("it has no {name}")))?;
        if entry.kind != kind {
            return Err(Reason::new(format!("{name} has the wrong type of numbers")));
        }
        if entry.shape != shape {
            let found = &entry.shape;
            return Err(Reason::new(format!("{name} has the shape {found:?}, not {shape:?}")));
        }
        Ok(entry)
    }
}

impl Source for Rbt<'_> {
    fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Matrix, Reason> {
        let entry = self.entry(name, Kind::I8, &[rows, columns])?;
        let scales = entry.scales.ok_or_else(|| Reason::new(format!("{name} has no scales")))?;
        let values = self.payload.range(name, entry.offset, rows.saturating_mul(columns))?;
        let scales = self.payload.range(name, scales, rows.saturating_mul(4))?;
        // The sums' bounds are made for -127..=127.
        let values = signed(values);
        if values.contains(&i8::MIN) {
            return Err(Reason::new(format!("{name} holds -128, which no export writes")));
        }
        Ok(Matrix { values, scales: floats(name, &scales)? })
    }

    fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Reason> {
        let entry = self.entry(name, Kind::F32, shape)?;
        let count = shape.iter().fold(4_usize, |all, size| all.saturating_mul(*size));
        floats(name, &self.payload.range(name, entry.offset, count)?)
    }

    fn shape(&self, name: &str) -> Option<Vec<usize>> {
        self.tensors.get(name).map(|entry| entry.shape.clone())
    }

    fn names(&self) -> Vec<String> {
        self.tensors.keys().cloned().collect()
    }
}
