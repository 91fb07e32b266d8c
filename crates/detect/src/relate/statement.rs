//! A statement, read once and compared with any number of others.

use std::cell::OnceCell;

use rebuttal_text::{Content, Reading};

use super::reserve::Reserve;
use super::words::{LineWord, words};
use crate::pair::{PairReading, Side};

/// A text that is ready to be related to others.
#[derive(Debug)]
pub(crate) struct Statement<'t> {
    pub(crate) reading: Reading<'t>,
    pub(crate) content: Content,
    side: OnceCell<Side>,
    ordered: OnceCell<Option<Vec<LineWord>>>,
    reserve: OnceCell<Reserve>,
}

impl<'t> Statement<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let reading = Reading::new(text);
        let content = reading.content();
        let (side, ordered, reserve) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { reading, content, side, ordered, reserve }
    }

    pub(crate) fn text(&self) -> &str {
        self.reading.original()
    }

    /// What the words of both show.
    pub(super) fn beside(&self, other: &Statement<'_>) -> PairReading {
        PairReading::between(self.side(), other.side())
    }

    fn side(&self) -> &Side {
        self.side.get_or_init(|| Side::new((&self.reading, self.content.clone())))
    }

    /// Its words in order, of a single sentence that is not too long.
    pub(super) fn ordered(&self) -> Option<&[LineWord]> {
        self.ordered.get_or_init(|| words(&self.reading, &self.content)).as_deref()
    }

    /// How far it goes.
    pub(super) fn reserve(&self) -> Reserve {
        *self.reserve.get_or_init(|| Reserve::of(&self.reading, &self.content))
    }
}
