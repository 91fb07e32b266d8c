//! The hash chain: what is hashed, and whether records still are what was written.

use rebuttal_model::{Hash, Record, StreamId};

use crate::{Broken, Fault};

/// Begins every hashed text, so that a later encoding can never be taken for this one.
const VERSION: &[u8] = b"rebuttal.journal.v1\0";

/// A record as it lies in the journal, its event still as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The stream it belongs to.
    pub stream: StreamId,
    /// Its number, counted from 1.
    pub seq: u64,
    /// When it was written, in microseconds since 1970.
    pub at: i64,
    /// The hash of the record before it.
    pub prev: Hash,
    /// Its own hash.
    pub hash: Hash,
    /// The event as it was written.
    pub payload: Vec<u8>,
}

impl Entry {
    /// A record that follows `prev`.
    pub(crate) fn seal(stream: StreamId, seq: u64, at: i64, prev: Hash, payload: Vec<u8>) -> Self {
        let hash = hash(&stream, seq, at, prev, &payload);
        Self { stream, seq, at, prev, hash, payload }
    }
}

/// The hash of a record: BLAKE3 over the version, the hash before, the stream, the number, the
/// time and the event. Texts are preceded by their length and numbers are 8 bytes, little end
/// first, so that no two records give the same bytes.
fn hash(stream: &StreamId, seq: u64, at: i64, prev: Hash, payload: &[u8]) -> Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(VERSION);
    hasher.update(prev.as_bytes());
    hasher.update(&(stream.as_str().len() as u64).to_le_bytes());
    hasher.update(stream.as_str().as_bytes());
    hasher.update(&seq.to_le_bytes());
    hasher.update(&at.to_le_bytes());
    hasher.update(&(payload.len() as u64).to_le_bytes());
    hasher.update(payload);
    Hash::new(*hasher.finalize().as_bytes())
}

/// The last record of a stream: whoever keeps it can tell later whether anything was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many records there are.
    pub seq: u64,
    /// The hash of the last; [`Hash::ZERO`] before the first.
    pub hash: Hash,
}

impl Head {
    /// The head of a stream without records.
    pub const EMPTY: Self = Self { seq: 0, hash: Hash::ZERO };

    /// The head of a stream that ends with this record.
    pub fn of(record: &Record) -> Self {
        Self { seq: record.seq, hash: record.hash }
    }
}

/// Walks along a chain and stops at the first record that is not what was written.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    stream: StreamId,
    head: Head,
    /// A head that was kept: the chain must pass through it.
    known: Option<Head>,
}

impl Walk {
    /// Begins before the first record. With a known head, the walk also fails where the chain ends
    /// elsewhere.
    pub(crate) fn new(stream: StreamId, known: Option<Head>) -> Self {
        Self { stream, head: Head::EMPTY, known }
    }

    /// Goes on from a head that is known to be right.
    pub(crate) fn from(stream: StreamId, head: Head) -> Self {
        Self { stream, head, known: None }
    }

    /// How far it came.
    pub(crate) fn head(&self) -> Head {
        self.head
    }

    /// Takes the next record.
    pub(crate) fn step(&mut self, entry: &Entry) -> Result<(), Broken> {
        let seq = self.head.seq + 1;
        if entry.stream != self.stream {
            return Err(self.broken(Fault::Stray { found: entry.stream.clone() }));
        }
        if entry.seq != seq {
            return Err(self.broken(Fault::Misplaced { found: entry.seq }));
        }
        if entry.prev != self.head.hash {
            return Err(self.broken(Fault::Unchained));
        }
        if entry.hash != hash(&entry.stream, seq, entry.at, entry.prev, &entry.payload) {
            return Err(self.broken(Fault::Changed));
        }
        if self.known.is_some_and(|known| known.seq == seq && known.hash != entry.hash) {
            return Err(self.broken(Fault::Rewritten));
        }
        self.head = Head { seq, hash: entry.hash };
        Ok(())
    }

    /// The stream ends here: is it as long as it was?
    pub(crate) fn end(&self) -> Result<Head, Broken> {
        match self.known {
            Some(known) if known.seq > self.head.seq => {
                Err(self.broken(Fault::Missing { last: known.seq }))
            }
            _ => Ok(self.head),
        }
    }

    /// A fault of the record last taken.
    pub(crate) fn at_head(&self, fault: Fault) -> Broken {
        Broken { stream: self.stream.clone(), seq: self.head.seq, fault }
    }

    /// A fault of the next record.
    pub(crate) fn broken(&self, fault: Fault) -> Broken {
        Broken { stream: self.stream.clone(), seq: self.head.seq + 1, fault }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fixed for ever: a journal written today must verify in ten years.
    #[test]
    fn the_encoding_does_not_change() {
        let payload = br#"{"type":"round_started","round":0}"#.to_vec();
        let one = Entry::seal(StreamId::ledger(), 1, 1_700_000_000_000_000, Hash::ZERO, payload);
        let mut bytes = Vec::new();
        bytes.extend_from_slice(b"rebuttal.journal.v1\0");
        bytes.extend_from_slice(&[0; 32]);
        bytes.extend_from_slice(&6_u64.to_le_bytes());
        bytes.extend_from_slice(b"ledger");
        bytes.extend_from_slice(&1_u64.to_le_bytes());
        bytes.extend_from_slice(&1_700_000_000_000_000_i64.to_le_bytes());
        bytes.extend_from_slice(&34_u64.to_le_bytes());
        bytes.extend_from_slice(br#"{"type":"round_started","round":0}"#);
        assert_eq!(one.hash, Hash::new(*blake3::hash(&bytes).as_bytes()));
    }

    #[test]
    fn a_walk_names_the_first_bad_record() {
        let mut entries = Vec::new();
        let mut prev = Hash::ZERO;
        for seq in 1..=4 {
            let payload = seq.to_string().into_bytes();
            let entry = Entry::seal(StreamId::ledger(), seq, 0, prev, payload);
            prev = entry.hash;
            entries.push(entry);
        }
        let walk = |entries: &[Entry], head| {
            let mut walk = Walk::new(StreamId::ledger(), head);
            entries.iter().try_for_each(|entry| walk.step(entry))?;
            walk.end()
        };
        let head = walk(&entries, None).unwrap();
        assert_eq!(head, Head { seq: 4, hash: prev });
        let mut changed = entries.clone();
        changed[2].payload = b"x".to_vec();
        assert_eq!(walk(&changed, None).unwrap_err().fault, Fault::Changed);
        assert_eq!(walk(&changed, None).unwrap_err().seq, 3);
        let mut swapped = entries.clone();
        swapped.swap(1, 2);
        assert_eq!(walk(&swapped, None).unwrap_err().fault, Fault::Misplaced { found: 3 });
        let broken = walk(&entries[..3], Some(head)).unwrap_err();
        assert_eq!((broken.fault, broken.seq), (Fault::Missing { last: 4 }, 4));
        let kept = Head { seq: 2, hash: head.hash };
        let broken = walk(&entries, Some(kept)).unwrap_err();
        assert_eq!((broken.fault, broken.seq), (Fault::Rewritten, 2));
    }
}
