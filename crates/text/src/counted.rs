//! How often texts were read, for tests that hold the program to reading each once.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Readings by the hash of the text. Only with the feature `count-readings`, which tests turn on.
static READINGS: LazyLock<Mutex<HashMap<u64, u64>>> = LazyLock::new(Mutex::default);

fn key(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Counts a reading.
pub(crate) fn count(text: &str) {
    let mut readings = READINGS.lock().unwrap_or_else(PoisonError::into_inner);
    *readings.entry(key(text)).or_default() += 1;
}

/// How often this process has read a text.
pub fn readings_of(text: &str) -> u64 {
    let readings = READINGS.lock().unwrap_or_else(PoisonError::into_inner);
    readings.get(&key(text)).copied().unwrap_or_default()
}
