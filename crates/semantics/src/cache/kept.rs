//! Answers of somebody who is asked a few questions and is paid for each.

use std::sync::{Mutex, PoisonError};

use super::memory::Memory;
use super::{Answer, Key, Store};

/// Answers kept by what was asked, in memory and, with a [`Store`], on disk.
///
/// Unlike [`Cached`](super::Cached) it asks nobody itself: whoever asks may get no answer, and keeps
/// only those that count.
#[derive(Debug)]
pub struct Kept {
    memory: Mutex<Memory>,
    store: Option<Store>,
}

impl Kept {
    /// Remembers up to `bytes` of answers, and keeps them in the store if there is one.
    pub fn new(bytes: usize, store: Option<Store>) -> Self {
        Self { memory: Mutex::new(Memory::new(bytes)), store }
    }

    /// The answer to the question that these parts make.
    pub fn get(&self, question: &[&str]) -> Option<Vec<f32>> {
        let key = Key::new(question);
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = memory.get(&key).and_then(Vec::<f32>::read) {
            return Some(answer);
        }
        let bytes = self.store.as_ref()?.get(&key)?;
        let answer = Vec::<f32>::read(&bytes)?;
        memory.insert(key, bytes.into());
        Some(answer)
    }

    /// Keeps an answer, which must not be empty.
    pub fn put(&self, question: &[&str], answer: &[f32]) {
        let key = Key::new(question);
        let bytes = answer.to_vec().write();
        if let Some(store) = &self.store {
            store.put(&key, &bytes);
        }
        self.memory.lock().unwrap_or_else(PoisonError::into_inner).insert(key, bytes.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_for_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Kept::new(1 << 16, Some(Store::open(folder.path(), 1 << 20).unwrap()));
        let kept = open();
        assert_eq!(kept.get(&["judge", "m", "a"]), None);
        kept.put(&["judge", "m", "a"], &[0.5, 0.25]);
        assert_eq!(kept.get(&["judge", "m", "a"]), Some(vec![0.5, 0.25]));
        drop(kept);
        assert_eq!(open().get(&["judge", "m", "a"]), Some(vec![0.5, 0.25]));
        assert_eq!(open().get(&["judge", "n", "a"]), None, "another model's answer is another");
    }
}
