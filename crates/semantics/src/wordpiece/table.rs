//! Pieces to ids, by keys that hold the piece itself.
//!
//! A piece of up to fifteen bytes is its own key: its bytes as one integer, with a flag in the top
//! byte for pieces that continue a word. The few longer ones are kept sorted.

/// The longest piece a vocabulary may hold, in bytes.
pub(super) const LONGEST_PIECE: usize = 64;
/// Bytes of a key, of which the last is the flag.
const KEY: usize = 16;
const SHORT: usize = KEY - 1;
const CONTINUES: u128 = 1 << (8 * SHORT);
/// No piece has this key: pieces are never empty.
const FREE: u128 = 0;

/// A map from pieces to ids that always answers the same, whatever was inserted first.
pub(super) struct Table {
    /// Open addressing; a power of two of slots, at most half of them taken.
    keys: Box<[u128]>,
    ids: Box<[u32]>,
    mask: usize,
    long: Vec<(bool, Box<[u8]>, u32)>,
    longest: usize,
}

impl Table {
    pub(super) fn with_room_for(pieces: usize) -> Self {
        let slots = pieces.saturating_mul(2).max(2).next_power_of_two();
        Self {
            keys: vec![FREE; slots].into(),
            ids: vec![0; slots].into(),
            mask: slots - 1,
            long: Vec::new(),
            longest: SHORT,
        }
    }

    /// False if the piece is already there, too long, or there is no room.
    pub(super) fn insert(&mut self, piece: &[u8], continues: bool, id: u32) -> bool {
        if piece.len() > LONGEST_PIECE || self.get(piece, continues).is_some() {
            return false;
        }
        if piece.len() > SHORT {
            let at = self.find_long(piece, continues).unwrap_or_else(|at| at);
            self.long.insert(at, (continues, piece.into(), id));
            self.longest = self.longest.max(piece.len());
            return true;
        }
        let key = key_of(piece, continues);
        let mut slot = self.home(key);
        for _ in 0..self.keys.len() {
            if let (Some(free @ &mut FREE), Some(value)) =
                (self.keys.get_mut(slot), self.ids.get_mut(slot))
            {
                *free = key;
                *value = id;
                return true;
            }
            slot = (slot + 1) & self.mask;
        }
        false
    }

    pub(super) fn get(&self, piece: &[u8], continues: bool) -> Option<u32> {
        if piece.len() <= SHORT {
            return self.get_short(key_of(piece, continues));
        }
        let at = self.find_long(piece, continues).ok()?;
        self.long.get(at).map(|(_, _, id)| *id)
    }

    /// The longest piece at the start of `word[start..end]`, with its length.
    ///
    /// `word` may be longer than `end`: a key is read whole and cut to size.
    pub(super) fn longest(
        &self,
        word: &[u8],
        start: usize,
        end: usize,
        continues: bool,
    ) -> Option<(u32, usize)> {
        let left = end.checked_sub(start)?;
        if left > SHORT {
            for len in (SHORT + 1..=left.min(self.longest)).rev() {
                if let Some(id) = self.get(word.get(start..start + len)?, continues) {
                    return Some((id, len));
                }
            }
        }
        let window = u128::from_le_bytes(*word.get(start..)?.first_chunk::<KEY>()?);
        let flag = if continues { CONTINUES } else { 0 };
        for len in (1..=left.min(SHORT)).rev() {
            let key = window & ((1u128 << (8 * len)) - 1) | flag;
            if let Some(id) = self.get_short(key) {
                return Some((id, len));
            }
        }
        None
    }

    fn get_short(&self, key: u128) -> Option<u32> {
        let mut slot = self.home(key);
        loop {
            match *self.keys.get(slot)? {
                found if found == key => return self.ids.get(slot).copied(),
                FREE => return None,
                _ => slot = (slot + 1) & self.mask,
            }
        }
    }

    fn find_long(&self, piece: &[u8], continues: bool) -> Result<usize, usize> {
        self.long.binary_search_by(|(flag, bytes, _)| (*flag, &**bytes).cmp(&(continues, piece)))
    }

    /// Where a key's search starts: both halves multiplied, the product folded.
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a wider integer")]
    fn home(&self, key: u128) -> usize {
        let low = key as u64 ^ 0x9e37_79b9_7f4a_7c15;
        let high = (key >> 64) as u64 ^ 0xd1b5_4a32_d192_ed03;
        let product = u128::from(low) * u128::from(high);
        (product as u64 ^ (product >> 64) as u64) as usize & self.mask
    }
}

fn key_of(piece: &[u8], continues: bool) -> u128 {
    let mut bytes = [0; KEY];
    for (slot, byte) in bytes.iter_mut().zip(piece) {
        *slot = *byte;
    }
    u128::from_le_bytes(bytes) | if continues { CONTINUES } else { 0 }
}
