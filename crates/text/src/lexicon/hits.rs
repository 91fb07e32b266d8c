//! The phrases found in a text, to be asked for by place in constant time.

use std::ops::Range;

use super::Group;

/// A phrase found in a text: tokens `first..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) group: Group,
    pub(crate) first: u32,
    pub(crate) end: u32,
}

impl Hit {
    pub(crate) fn tokens(self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// All phrases of a text, by where they start, longest first, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    all: Vec<Hit>,
    /// For every token, and one past the last, where in `all` the phrases from there on begin.
    starts: Vec<u32>,
}

impl Hits {
    /// Makes room for the phrases of so many tokens.
    pub(super) fn reserve(&mut self, tokens: usize) {
        self.all.reserve(tokens / 2);
        self.starts.reserve(tokens + 1);
    }

    /// Forgets all phrases and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.starts.clear();
    }

    /// Opens the next token; the phrases pushed from now on start there.
    pub(super) fn open_token(&mut self) {
        self.starts.push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
    }

    pub(super) fn push(&mut self, hit: Hit) {
        self.all.push(hit);
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Puts the longest phrase of the last token first, and drops what two patterns both spell.
    pub(super) fn arrange_token(&mut self) {
        let from = self.starts.last().map_or(0, |start| *start as usize);
        let Some(own) = self.all.get_mut(from..).filter(|own| own.len() > 1) else { return };
        own.sort_unstable_by_key(|hit| (std::cmp::Reverse(hit.end), hit.group));
        let mut kept = from;
        for index in from..self.all.len() {
            let hit = self.all.get(index).copied();
            let new = index == from || self.all.get(kept - 1).copied() != hit;
            if let (true, Some(hit), Some(slot)) = (new, hit, self.all.get_mut(kept)) {
                *slot = hit;
                kept += 1;
            }
        }
        self.all.truncate(kept);
    }

    /// The phrases that start within these tokens.
    pub(crate) fn within(&self, tokens: &Range<usize>) -> &[Hit] {
        let place =
            |token: usize| self.starts.get(token).map_or(self.all.len(), |start| *start as usize);
        self.all.get(place(tokens.start)..place(tokens.end)).unwrap_or_default()
    }

    /// The phrases that start at a token.
    pub(crate) fn at(&self, token: usize) -> &[Hit] {
        self.within(&(token..token + 1))
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Hit> {
        self.all.iter()
    }
}
