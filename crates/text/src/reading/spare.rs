//! What a text was read into, kept for the next text: asking for room is a good part of the work on
//! a short one.

use std::cell::RefCell;

use crate::lexicon::Hits;
use crate::segments::Segment;
use crate::sentences::Sentence;
use crate::tokens::Token;

/// How many are kept, for each thread.
const KEPT: usize = 32;

/// What has held more tokens is not kept: one long text must not take room for ever.
const TOKENS_MAX: usize = 2048;

thread_local! {
    static SPARE: RefCell<Vec<Spare>> = const { RefCell::new(Vec::new()) };
}

/// Room for what is read of one text; empty.
#[derive(Debug, Default)]
pub(super) struct Spare {
    pub(super) tokens: Vec<Token>,
    pub(super) hits: Hits,
    pub(super) sentences: Vec<Sentence>,
    pub(super) segments: Vec<Segment>,
}

impl Spare {
    /// Room that an earlier text has left, or new.
    pub(super) fn take() -> Self {
        SPARE.with_borrow_mut(Vec::pop).unwrap_or_default()
    }

    /// Keeps the room for a later text.
    pub(super) fn keep(mut self) {
        if self.tokens.capacity() > TOKENS_MAX {
            return;
        }
        self.tokens.clear();
        self.hits.clear();
        self.sentences.clear();
        self.segments.clear();
        // A thread that is ending keeps nothing.
        _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < KEPT {
                spare.push(self);
            }
        });
    }
}
