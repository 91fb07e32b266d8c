//! What a run of detection remembers from one batch to the next.
//!
//! Agents come back to what they said lately, so that most of what a batch asks for was in one of the
//! batches before it. What was not used for long is forgotten and read again if need be: the memory
//! stays within bounds, and what is found does not depend on it.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use rebuttal_detect::flips::{LISTED, Said};
use rebuttal_store::{PositionKeys, Result, Store, StoredPosition};

use super::near::Looked;

/// Bytes of lists and of positions in a generation, of which there are two: about 60,000 keys and
/// 20,000 claims of a line each.
const LIST_BYTES: usize = 16 << 20;
/// Bytes of positions in a generation.
const POSITION_BYTES: usize = 64 << 20;

/// The newest positions under each key, by number and in order, and what they say.
#[derive(Debug)]
pub(super) struct Recent<'s> {
    store: &'s Store,
    lookback: usize,
    lists: Kept<i64, Vec<u64>>,
    positions: Kept<u64, Said>,
}

impl<'s> Recent<'s> {
    /// Remembers nothing yet.
    pub(super) fn new(store: &'s Store, lookback: usize) -> Self {
        let lists =
            Kept::new(LIST_BYTES, |list: &Vec<u64>| 64 + list.capacity() * size_of::<u64>());
        // What was read of a claim is about ten times as large as the claim, and a line is short.
        let weight = |said: &Said| 2_500 + said.position().claim.len();
        Self { store, lookback, lists, positions: Kept::new(POSITION_BYTES, weight) }
    }

    /// Remembers the positions under all keys of these before a batch that begins with the number
    /// `first`.
    pub(super) async fn list(&mut self, looked: &[Looked], first: u64) -> Result<()> {
        let drawn: BTreeSet<i64> = looked.iter().flat_map(Looked::drawn).collect();
        self.list_blocks(drawn, first, LISTED).await?;
        let latest: BTreeSet<i64> = looked.iter().flat_map(Looked::latest).collect();
        self.list_blocks(latest, first, self.lookback).await
    }

    /// Reads the lists of keys that are not remembered, at most so many positions of each.
    async fn list_blocks(&mut self, asked: BTreeSet<i64>, first: u64, most: usize) -> Result<()> {
        let missing: Vec<i64> =
            asked.into_iter().filter(|block| !self.lists.touch(block)).collect();
        let limit = u32::try_from(most).unwrap_or(u32::MAX);
        let found = self.store.newest(&missing, first, limit).await?;
        for (block, list) in missing.into_iter().zip(found) {
            self.lists.insert(block, list);
        }
        Ok(())
    }

    /// Keeps what is remembered of these positions; which of them are not.
    pub(super) fn touch<'n>(&mut self, numbers: impl Iterator<Item = &'n u64>) -> BTreeSet<u64> {
        numbers.copied().filter(|n| !self.positions.touch(n)).collect()
    }

    /// Remembers positions by their numbers.
    pub(super) async fn read(&mut self, missing: &BTreeSet<u64>) -> Result<()> {
        let missing: Vec<u64> = missing.iter().copied().collect();
        let found = self.store.positions_numbered(&missing).await?;
        self.add(found);
        Ok(())
    }

    /// Remembers positions that were read.
    pub(super) fn add(&mut self, found: Vec<StoredPosition>) {
        for held in found {
            self.positions.insert(held.n, Said::new(held.position));
        }
    }

    /// The positions under a key before the batch, in order.
    pub(super) fn under(&self, block: i64) -> &[u64] {
        self.lists.get(&block).map(Vec::as_slice).unwrap_or_default()
    }

    /// What was said, if it is remembered.
    pub(super) fn said(&self, n: u64) -> Option<&Said> {
        self.positions.get(&n)
    }

    /// Puts the positions of a batch under their keys.
    pub(super) fn end(&mut self, keys: &[PositionKeys]) {
        for one in keys {
            let drawn = one.blocks.iter().map(|block| (block, LISTED));
            for (block, most) in drawn.chain([(&one.latest, self.lookback)]) {
                if let Some(list) = self.lists.get_mut(block) {
                    list.push(one.n);
                    // Now and then: what is left out at the front is looked over all the same.
                    if list.len() > most * 2 {
                        list.drain(..list.len() - most);
                    }
                }
            }
        }
    }

    /// Forgets what was not used for long. Until then all that was listed and read is there.
    pub(super) fn forget(&mut self) {
        self.lists.forget();
        self.positions.forget();
    }
}

/// Values that were used lately. What is touched goes to the younger of two generations; when that is
/// full it becomes the older one, and the older is forgotten.
#[derive(Debug)]
struct Kept<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    bytes: usize,
    room: usize,
    weight: fn(&V) -> usize,
}

impl<K: Hash + Eq + Copy, V> Kept<K, V> {
    /// Room for so many bytes in each of two generations.
    fn new(room: usize, weight: fn(&V) -> usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), bytes: 0, room, weight }
    }

    /// Whether it is there; it will be until [`Kept::forget`].
    fn touch(&mut self, key: &K) -> bool {
        if self.young.contains_key(key) {
            return true;
        }
        let Some(value) = self.old.remove(key) else { return false };
        self.insert(*key, value);
        true
    }

    /// Remembers a value among those used lately.
    fn insert(&mut self, key: K, value: V) {
        self.bytes += (self.weight)(&value);
        self.young.insert(key, value);
    }

    /// What is remembered under a key.
    fn get(&self, key: &K) -> Option<&V> {
        self.young.get(key)
    }

    /// What is remembered under a key, to change it.
    fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.young.get_mut(key)
    }

    /// Forgets everything.
    fn forget(&mut self) {
        if self.bytes > self.room {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_the_rest_goes() {
        let mut kept: Kept<u64, Vec<u8>> = Kept::new(3, Vec::len);
        for key in 0..4 {
            kept.insert(key, vec![0]);
        }
        kept.forget();
        assert!(kept.touch(&1) && !kept.touch(&9));
        for key in 10..14 {
            kept.insert(key, vec![0]);
        }
        kept.forget();
        assert_eq!([0, 1, 2, 10].map(|key| kept.touch(&key)), [false, true, false, true]);
    }
}
