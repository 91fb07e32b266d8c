//! Where numbers, times and citations may start, found in one pass for all who look for them.
//!
//! Almost nothing in a text is of interest, and three readers that each go through all of it find
//! that out three times.

use crate::quantities::look::{Look, Starts, is_word_byte};

/// One byte in so many is a place, or fewer.
const SPARSE: usize = 8;

/// Places of a text at the start of a word or at a mark, in order.
#[derive(Debug)]
pub(crate) struct Places<'t> {
    look: Look<'t>,
    all: Vec<u32>,
}

impl<'t> Places<'t> {
    /// The places of `text` where one of `starts` may stand.
    pub(crate) fn of(text: &'t str, starts: &Starts) -> Self {
        let bytes = text.as_bytes();
        let mut all = Vec::with_capacity(text.len() / SPARSE + 4);
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            // Nothing starts with a space.
            if byte == b' ' {
                at += 1;
                continue;
            }
            if starts.may_hold(byte, bytes.get(at + 1).copied().unwrap_or(0)) {
                all.push(u32::try_from(at).unwrap_or(u32::MAX));
            }
            at += 1;
            if is_word_byte(byte) {
                let rest = bytes.get(at..).unwrap_or_default();
                at += rest.iter().position(|it| !is_word_byte(*it)).unwrap_or(rest.len());
            }
        }
        Self { look: Look::new(text), all }
    }

    /// The text.
    pub(crate) fn look(&self) -> Look<'t> {
        self.look
    }

    /// Goes through the places from the first on.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { look: self.look, ahead: &self.all }
    }
}

/// The places that lie ahead of one reader.
#[derive(Debug)]
pub(crate) struct Walk<'p> {
    look: Look<'p>,
    ahead: &'p [u32],
}

impl Walk<'_> {
    /// The next place from `at` on where one of `starts` stands, and which is `wanted`. When
    /// `starts` holds the colon, URLs are passed over. `at` never goes back.
    #[inline]
    pub(crate) fn next(
        &mut self,
        at: usize,
        starts: &Starts,
        wanted: impl Fn(usize, u8) -> bool,
    ) -> Option<usize> {
        let look = self.look;
        let may_start = |at: usize| starts.may_hold(look.byte(at), look.byte(at + 1));
        // A reader may stop within a word; what it leaves of it is a word for itself.
        let rest = is_word_byte(look.byte_before(at)) && is_word_byte(look.byte(at));
        if rest && may_start(at) && wanted(at, look.byte(at)) {
            return Some(at);
        }
        let mut from = at;
        while let Some((&place, ahead)) = self.ahead.split_first() {
            let place = place as usize;
            if place < from || !may_start(place) {
                self.ahead = ahead;
                continue;
            }
            let byte = look.byte(place);
            if byte == b':' && look.byte(place + 1) == b'/' && look.byte(place + 2) == b'/' {
                from = look.solid_end(place);
                continue;
            }
            if wanted(place, byte) {
                return Some(place);
            }
            self.ahead = ahead;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Starts = Starts::pairs(&[b"th", b"on"]).and(b"0123456789:(");
    const SOME: Starts = Starts::pairs(&[b"th"]).and(b"0123456789:");

    /// What a reader sees that goes on behind each place by so many bytes.
    fn seen(text: &str, step: usize) -> Vec<usize> {
        let places = Places::of(text, &ALL);
        let mut walk = places.walk();
        let (mut at, mut seen) = (0, Vec::new());
        while let Some(place) = walk.next(at, &SOME, |_, _| true) {
            seen.push(place);
            at = place + step;
        }
        seen
    }

    #[test]
    fn words_marks_and_what_is_left_of_a_word() {
        assert_eq!(seen("the other 12 on (3)", 2), [0, 10, 17]);
        assert_eq!(seen("a12 thth", 2), [4, 6], "what a reader left of a word is looked at");
        assert_eq!(seen("see http://th.is/12 then", 4), [20], "no address is looked into");
        assert_eq!(seen("at 7: the rest", 1), [3, 4, 6]);
        assert_eq!(seen("", 1), [0; 0]);
    }

    proptest::proptest! {
        #[test]
        fn places_are_word_starts_or_marks(text in "[th1:( é/\"a]{0,40}") {
            for &place in &Places::of(&text, &ALL).all {
                let look = Look::new(&text);
                let place = place as usize;
                let inside = is_word_byte(look.byte_before(place)) && is_word_byte(look.byte(place));
                assert!(!inside, "{place} in {text:?}");
            }
        }
    }
}
