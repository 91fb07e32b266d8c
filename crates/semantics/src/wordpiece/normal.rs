//! BERT's uncased normalisation, one character at a time.
//!
//! Control and format characters go, white space is a space, an ideograph is a word of its own,
//! letters are decomposed, lose their accents and are put in lower case.
//!
//! The categories are those of the crate `tokenizers` uses, of an old Unicode on purpose: the
//! vocabulary was made with them.

use unicode_categories::UnicodeCategories;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

/// What is kept between one character and the next.
#[derive(Debug, Default)]
pub(super) struct Normaliser {
    /// Marks that are not dropped and may have to change places: decomposed text sorts them by
    /// class. Empty in nearly every text.
    marks: Vec<(u8, char)>,
}

impl Normaliser {
    /// Hands over what a character that is not ASCII becomes.
    pub(super) fn feed(&mut self, c: char, symbol: &mut impl FnMut(char)) {
        if c == char::REPLACEMENT_CHARACTER || c.is_other() {
            return;
        }
        if c.is_whitespace() {
            self.flush(symbol);
            symbol(' ');
        } else if is_ideograph(c) {
            self.flush(symbol);
            symbol(' ');
            decompose_canonical(c, |part| self.part(part, symbol));
            self.flush(symbol);
            symbol(' ');
        } else {
            decompose_canonical(c, |part| self.part(part, symbol));
        }
    }

    /// Hands over the marks that were waiting: nothing that follows can go before them.
    pub(super) fn flush(&mut self, symbol: &mut impl FnMut(char)) {
        if self.marks.is_empty() {
            return;
        }
        self.marks.sort_by_key(|(class, _)| *class);
        for (_, mark) in self.marks.drain(..) {
            mark.to_lowercase().for_each(&mut *symbol);
        }
    }

    fn part(&mut self, c: char, symbol: &mut impl FnMut(char)) {
        let class = canonical_combining_class(c);
        if class == 0 {
            self.flush(symbol);
        }
        if c.is_mark_nonspacing() {
            return;
        }
        if class == 0 {
            c.to_lowercase().for_each(&mut *symbol);
        } else {
            self.marks.push((class, c));
        }
    }
}

/// Whether a character is a word of its own.
pub(super) fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || (!c.is_ascii() && c.is_punctuation())
}

/// The blocks BERT takes for Chinese, with the gap it has always had at U+2B820.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x4e00..=0x9fff | 0x3400..=0x4dbf | 0x2_0000..=0x2_a6df | 0x2_a700..=0x2_b73f
        | 0x2_b740..=0x2_b81f | 0x2_b920..=0x2_ceaf | 0xf900..=0xfaff | 0x2_f800..=0x2_fa1f)
}
