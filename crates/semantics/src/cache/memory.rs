//! Answers in memory, within a limit.

use std::collections::HashMap;

use super::Key;

/// What an entry costs beside its bytes: key, pointer, and its share of the tables.
const OVERHEAD: usize = 64;

/// Two generations: what is asked for moves to the young one; when that is half the limit, it
/// becomes the old one and the old one is dropped. Near to least-recently-used, without a list.
#[derive(Debug)]
pub(super) struct Memory {
    young: HashMap<Key, Box<[u8]>>,
    old: HashMap<Key, Box<[u8]>>,
    young_bytes: usize,
    half: usize,
}

impl Memory {
    pub(super) fn new(limit: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), young_bytes: 0, half: limit / 2 }
    }

    pub(super) fn get(&mut self, key: &Key) -> Option<&[u8]> {
        if let Some(answer) = self.old.remove(key) {
            self.insert(*key, answer);
        }
        self.young.get(key).map(|answer| &**answer)
    }

    pub(super) fn insert(&mut self, key: Key, answer: Box<[u8]>) {
        let bytes = answer.len() + OVERHEAD;
        if bytes > self.half {
            return;
        }
        if self.young_bytes + bytes > self.half {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        match self.young.insert(key, answer) {
            Some(before) => self.young_bytes = self.young_bytes + bytes - before.len() - OVERHEAD,
            None => self.young_bytes += bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: usize) -> Key {
        Key::new(&[&n.to_string()])
    }

    #[test]
    fn stays_within_its_limit_and_keeps_what_is_used() {
        let mut memory = Memory::new(20_000);
        for n in 0..10_000 {
            memory.insert(key(n), vec![0; 100].into());
            assert!(memory.get(&key(0)).is_some(), "after {n}");
            let held: usize =
                [&memory.young, &memory.old].iter().map(|all| all.len() * (100 + OVERHEAD)).sum();
            assert!(held <= 20_000);
        }
        assert!(memory.get(&key(1)).is_none());
        assert!(memory.get(&key(9_999)).is_some());
    }

    #[test]
    fn what_does_not_fit_is_not_kept() {
        let mut memory = Memory::new(100);
        memory.insert(key(1), vec![0; 1000].into());
        assert!(memory.get(&key(1)).is_none());
    }
}
