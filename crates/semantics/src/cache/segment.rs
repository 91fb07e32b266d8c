//! One append-only file of answers.
//!
//! A header, then records: key, length, checksum, answer. A record is believed only when its
//! checksum fits, so a torn or overwritten one is a miss and never a wrong answer.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Key, prefix};

const MAGIC: &[u8; 8] = b"RBTCCH1\n";
/// Key, length, checksum.
const HEAD: usize = Key::LEN + 4 + 8;
/// An answer is a few thousand numbers at most; a longer length is damage.
const LONGEST: u32 = 1 << 16;

/// Where a record's answer is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    at: u64,
    len: u32,
}

/// An open file of answers and how far it can be read.
#[derive(Debug)]
pub(super) struct Segment {
    file: File,
    end: u64,
}

impl Segment {
    /// A new file, which nobody else may have made before.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        file.write_all(MAGIC)?;
        Ok(Self { file, end: MAGIC.len() as u64 })
    }

    /// An existing file, read-only if it must be; `found` gets every record up to the first that cannot be one.
    pub(super) fn open(path: &Path, found: impl FnMut(Key, Place)) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let mut segment = Self { file: file.or_else(|_| File::open(path))?, end: 0 };
        segment.walk(found)?;
        Ok(segment)
    }

    /// Tries to become the one writer of this file; what another left half-written is cut off.
    pub(super) fn adopt(&mut self, found: impl FnMut(Key, Place)) -> io::Result<bool> {
        if self.file.try_lock().is_err() {
            return Ok(false);
        }
        self.walk(found)?;
        if self.end == 0 {
            self.file.unlock()?;
            return Ok(false);
        }
        self.file.set_len(self.end)?;
        Ok(true)
    }

    /// Whether nobody else has this file, which this process just made. Where files cannot be
    /// locked nobody adopts one either, so that counts as ours.
    pub(super) fn lock(&self) -> bool {
        !matches!(self.file.try_lock(), Err(TryLockError::WouldBlock))
    }

    pub(super) fn len(&self) -> u64 {
        self.end
    }

    /// The answer at a place, if it is whole.
    pub(super) fn read(&mut self, key: &Key, place: Place) -> io::Result<Option<Vec<u8>>> {
        self.file.seek(SeekFrom::Start(place.at))?;
        let mut sum = [0; 8];
        self.file.read_exact(&mut sum)?;
        let mut answer = vec![0; place.len as usize];
        self.file.read_exact(&mut answer)?;
        Ok((checksum(key, &answer) == sum).then_some(answer))
    }

    /// Appends a record in one write.
    pub(super) fn append(&mut self, key: &Key, answer: &[u8]) -> io::Result<Option<Place>> {
        let Some(len) = u32::try_from(answer.len()).ok().filter(|len| *len <= LONGEST) else {
            return Ok(None);
        };
        let mut record = Vec::with_capacity(HEAD + answer.len());
        record.extend(key.0);
        record.extend(len.to_le_bytes());
        record.extend(checksum(key, answer));
        record.extend(answer);
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&record)?;
        let place = Place { at: self.end + (Key::LEN + 4) as u64, len };
        self.end += record.len() as u64;
        Ok(Some(place))
    }

    /// Finds the records and the end of the last one; no records in a file that is not ours.
    fn walk(&mut self, mut found: impl FnMut(Key, Place)) -> io::Result<()> {
        let size = self.file.metadata()?.len();
        self.file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        self.end = 0;
        let mut magic = [0; MAGIC.len()];
        if size < MAGIC.len() as u64 || reader.read_exact(&mut magic).is_err() || &magic != MAGIC {
            return Ok(());
        }
        let mut end = MAGIC.len() as u64;
        while end + (HEAD as u64) < size {
            let (mut key, mut len) = ([0; Key::LEN], [0; 4]);
            reader.read_exact(&mut key)?;
            reader.read_exact(&mut len)?;
            let len = u32::from_le_bytes(len);
            let next = end + HEAD as u64 + u64::from(len);
            if len == 0 || len > LONGEST || next > size {
                break;
            }
            found(Key(key), Place { at: end + (Key::LEN + 4) as u64, len });
            reader.seek_relative(8 + i64::from(len))?;
            end = next;
        }
        self.end = end;
        Ok(())
    }
}

/// Over key and answer, so that an answer cannot be read under another key.
fn checksum(key: &Key, answer: &[u8]) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&key.0);
    hasher.update(answer);
    prefix(&hasher.finalize())
}
