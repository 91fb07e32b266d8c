//! Answers on disk, within a limit: a folder of segments.
//!
//! Each process appends to one segment, which it holds locked, and reads all of them; so two
//! processes never write to one file. When the folder is full, the oldest segment goes.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Key;
use super::segment::{Place, Segment};
use crate::SemanticsError;

const EXTENSION: &str = "rbc";
/// The limit is kept by dropping whole segments: one part in so many of the store.
const SEGMENTS: u64 = 8;
const SMALLEST_SEGMENT: u64 = 1 << 16;
/// How often to look for a free number while other processes take them.
const TRIES: u32 = 64;

/// A folder of answers, for [`Cached`](super::Cached). It holds hashes of texts, never texts.
///
/// With several processes at once the folder may exceed its limit by an eighth for each.
#[derive(Debug)]
pub struct Store {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    limit: u64,
    segments: HashMap<u32, Segment>,
    index: HashMap<Key, (u32, Place)>,
    /// The segment this process appends to, once it has something to append.
    active: Option<u32>,
    problem: Option<String>,
}

impl Store {
    /// Opens a folder, or makes it. Files in it that are not the store's are left alone.
    pub fn open(folder: impl Into<PathBuf>, limit: u64) -> Result<Self, SemanticsError> {
        let folder = folder.into();
        let mut inner = Inner {
            folder,
            limit: limit.max(SMALLEST_SEGMENT),
            segments: HashMap::new(),
            index: HashMap::new(),
            active: None,
            problem: None,
        };
        match inner.load() {
            Ok(()) => Ok(Self { inner: Mutex::new(inner) }),
            Err(error) => Err(SemanticsError::Cache {
                folder: inner.folder.display().to_string(),
                reason: error.to_string(),
            }),
        }
    }

    /// What was kept for a key. Damage is a miss.
    pub(super) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut inner = self.inner();
        let (number, place) = *inner.index.get(key)?;
        let answer = inner.segments.get_mut(&number)?.read(key, place);
        if let Ok(Some(answer)) = answer {
            return Some(answer);
        }
        inner.index.remove(key);
        None
    }

    /// Keeps an answer. The first failure ends the keeping, not the answering.
    pub(super) fn put(&self, key: &Key, answer: &[u8]) {
        let mut inner = self.inner();
        if inner.problem.is_none()
            && let Err(error) = inner.put(key, answer)
        {
            inner.problem = Some(format!("{}: {error}", inner.folder.display()));
        }
    }

    /// Why nothing more is kept, if so.
    pub fn problem(&self) -> Option<String> {
        self.inner().problem.clone()
    }

    /// A panic elsewhere cannot leave a half-made change here that a checksum would not catch.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn load(&mut self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for (number, _) in segments_in(&self.folder)? {
            let index = &mut self.index;
            let opened = Segment::open(&path_of(&self.folder, number), |key, place| {
                index.insert(key, (number, place));
            });
            // One that vanished or may not be opened costs its answers, not the store.
            if let Ok(segment) = opened {
                self.segments.insert(number, segment);
            }
        }
        Ok(())
    }

    fn put(&mut self, key: &Key, answer: &[u8]) -> io::Result<()> {
        let number = self.writable()?;
        if let Some(segment) = self.segments.get_mut(&number)
            && let Some(place) = segment.append(key, answer)?
        {
            self.index.insert(*key, (number, place));
        }
        Ok(())
    }

    fn segment_limit(&self) -> u64 {
        (self.limit / SEGMENTS).max(SMALLEST_SEGMENT / SEGMENTS)
    }

    /// The segment to append to: the one in use, one that an earlier run left unfilled, or a new one.
    fn writable(&mut self) -> io::Result<u32> {
        let full = self.segment_limit();
        if let Some(number) = self.active
            && self.segments.get(&number).is_some_and(|segment| segment.len() < full)
        {
            return Ok(number);
        }
        let number = match self.active {
            None => self.adopt_newest()?,
            Some(_) => None,
        };
        let number = match number {
            Some(number) => number,
            None => self.create()?,
        };
        self.active = Some(number);
        self.drop_oldest()?;
        Ok(number)
    }

    fn adopt_newest(&mut self) -> io::Result<Option<u32>> {
        let full = self.segment_limit();
        let Some(number) = self.segments.keys().max().copied() else { return Ok(None) };
        let index = &mut self.index;
        let Some(segment) = self.segments.get_mut(&number) else { return Ok(None) };
        let adopted = segment.len() < full
            && segment.adopt(|key, place| {
                index.insert(key, (number, place));
            })?;
        Ok(adopted.then_some(number))
    }

    fn create(&mut self) -> io::Result<u32> {
        let newest = segments_in(&self.folder)?.last().map_or(0, |(number, _)| *number);
        for number in (newest.saturating_add(1)..).take(TRIES as usize) {
            match Segment::create(&path_of(&self.folder, number)) {
                Ok(segment) if segment.lock() => {
                    self.segments.insert(number, segment);
                    return Ok(number);
                }
                // Another process adopted it before it was locked, and will fill it.
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("other processes take every new file"))
    }

    /// Makes room for the active segment to fill up.
    fn drop_oldest(&mut self) -> io::Result<()> {
        let all = segments_in(&self.folder)?;
        let mut total: u64 = all.iter().map(|(_, bytes)| bytes).sum();
        for (number, bytes) in all {
            if total + self.segment_limit() <= self.limit {
                break;
            }
            // Where a file in use cannot be removed, the next one is tried.
            if Some(number) != self.active && remove(&path_of(&self.folder, number)) {
                self.segments.remove(&number);
                self.index.retain(|_, (segment, _)| *segment != number);
                total -= bytes;
            }
        }
        Ok(())
    }
}

/// Whether the file is gone, by us or by another process.
fn remove(path: &Path) -> bool {
    fs::remove_file(path).map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |()| true)
}

fn path_of(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:08}.{EXTENSION}"))
}

/// The numbers and sizes of the store's files, oldest first.
fn segments_in(folder: &Path) -> io::Result<Vec<(u32, u64)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_suffix(EXTENSION)?.strip_suffix('.'))
            .filter(|digits| digits.len() >= 8 && digits.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok());
        if let (Some(number), Ok(about)) = (number, entry.metadata())
            && about.is_file()
        {
            found.push((number, about.len()));
        }
    }
    found.sort_unstable();
    Ok(found)
}
