//! Text as a reader means it: one way to write each quote, space and letter, nothing invisible.
//!
//! [`Clean`] keeps the way back: every span of the clean text maps to bytes of the original, on
//! character boundaries and in order. Text that is already clean is borrowed, not copied.
//!
//! NFC and NFD of the same text give the same clean text, and cleaning twice is cleaning once.

mod classes;
mod hidden;

use std::borrow::Cow;

use rebuttal_model::Span;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use classes::{Action, action, is_pictograph, is_plain};
pub use hidden::{hidden, one_line, visible};

const JOINER: char = '\u{200d}';

/// A text without hidden characters and in one spelling, with the way back to the original.
///
/// Composed (NFC); zero-width, bidi, tag and other invisible characters gone, except the joiners
/// inside emoji; quotes, spaces, hyphens, fullwidth letters and ligatures in ASCII; controls other
/// than newline and tab are spaces; every line end is `\n`. En and em dashes stay.
#[derive(Clone, Debug)]
pub struct Clean<'t> {
    text: Cow<'t, str>,
    original_len: usize,
    /// Sorted by both offsets; empty when the text is borrowed.
    pieces: Vec<Piece>,
}

/// Where a stretch of clean text comes from; it lasts until the next piece.
#[derive(Clone, Copy, Debug)]
struct Piece {
    clean: usize,
    original: usize,
    /// Bytes of the original that were rewritten, or 0 for a stretch that was copied.
    rewritten: usize,
}

impl<'t> Clean<'t> {
    /// Cleans `original`, in time linear in its length.
    pub fn new(original: &'t str) -> Self {
        let original_len = original.len();
        if all_plain(original.as_bytes()) {
            return Self { text: Cow::Borrowed(original), original_len, pieces: Vec::new() };
        }
        let mut cleaner = Cleaner::new(original);
        cleaner.run();
        if cleaner.pieces.iter().all(|piece| piece.original == piece.clean && piece.rewritten == 0)
            && cleaner.text.len() == original_len
        {
            return Self { text: Cow::Borrowed(original), original_len, pieces: Vec::new() };
        }
        Self { text: Cow::Owned(cleaner.text), original_len, pieces: cleaner.pieces }
    }

    /// The clean text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the original that `clean` stands for.
    ///
    /// A span that splits a character is widened to hold it, one past the end is cut short.
    /// Invisible characters at the edges are left out, those inside are covered.
    pub fn original_span(&self, clean: Span) -> Span {
        let whole = |at: usize| self.text.is_char_boundary(at);
        let same = self.pieces.is_empty() && self.text.len() == self.original_len;
        if same && whole(clean.start()) && whole(clean.end()) {
            return clean;
        }
        let start = self.text.floor_char_boundary(clean.start());
        let end = self.text.ceil_char_boundary(clean.end().min(self.text.len())).max(start);
        let first = self.original_start(start);
        if start == end {
            return Span::new(first, first);
        }
        Span::new(first, self.original_end(end))
    }

    fn original_start(&self, clean: usize) -> usize {
        if clean >= self.text.len() {
            return self.original_len;
        }
        let after = self.pieces.partition_point(|piece| piece.clean <= clean);
        match after.checked_sub(1).and_then(|at| self.pieces.get(at)) {
            None => clean,
            Some(piece) if piece.rewritten > 0 => piece.original,
            Some(piece) => piece.original + (clean - piece.clean),
        }
    }

    /// The end of the character that ends at `clean`, which is not 0.
    fn original_end(&self, clean: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.clean < clean);
        match after.checked_sub(1).and_then(|at| self.pieces.get(at)) {
            None => clean,
            Some(piece) if piece.rewritten > 0 => piece.original + piece.rewritten,
            Some(piece) => piece.original + (clean - piece.clean),
        }
    }
}

/// True when cleaning would change nothing, decided in blocks that compile to vector code.
fn all_plain(bytes: &[u8]) -> bool {
    bytes.chunks(64).all(|chunk| chunk.iter().fold(true, |plain, &byte| plain & is_plain(byte)))
}

struct Cleaner<'t> {
    original: &'t str,
    at: usize,
    text: String,
    pieces: Vec<Piece>,
    /// True while the last piece is a copied stretch that ends at `at`.
    copying: bool,
    /// One base character and its marks, reused.
    cluster: String,
}

impl<'t> Cleaner<'t> {
    fn new(original: &'t str) -> Self {
        Self {
            original,
            at: 0,
            text: String::with_capacity(original.len()),
            pieces: Vec::new(),
            copying: false,
            cluster: String::new(),
        }
    }

    fn run(&mut self) {
        while let Some(c) = self.char_at(self.at) {
            if is_ascii_plain(c) {
                let run = self.plain_run();
                self.copy(run);
            } else {
                self.character(c);
            }
        }
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.original.get(at..)?.chars().next()
    }

    /// Length of the plain stretch here, at least 1 byte of which is plain; a last letter that a
    /// mark may follow is left to [`Self::cluster`], unless it is all there is.
    fn plain_run(&mut self) -> usize {
        let rest = self.original.as_bytes().get(self.at..).unwrap_or_default();
        let run = rest.iter().position(|&byte| !is_plain(byte)).unwrap_or(rest.len());
        let marked = self.char_at(self.at + run).is_some_and(|next| !next.is_ascii());
        if marked { run - 1 } else { run }
    }

    /// Copies `len` bytes as they are; none means that a letter with a possible mark is next.
    fn copy(&mut self, len: usize) {
        if len == 0 {
            return self.letter();
        }
        self.open_copy();
        let end = self.at + len;
        self.text.push_str(self.original.get(self.at..end).unwrap_or_default());
        self.at = end;
    }

    fn open_copy(&mut self) {
        if !self.copying {
            self.pieces.push(Piece { clean: self.text.len(), original: self.at, rewritten: 0 });
            self.copying = true;
        }
    }

    fn character(&mut self, c: char) {
        let next = self.char_at(self.at + c.len_utf8());
        match shown(c, self.text.chars().next_back(), next) {
            Action::Drop => {
                self.at += c.len_utf8();
                self.copying = false;
            }
            // The first half of a Windows line end; the second is the newline.
            Action::Replace(_) if c == '\r' && next == Some('\n') => {
                self.at += 1;
                self.copying = false;
            }
            Action::Keep | Action::Replace(_) => self.letter(),
        }
    }

    /// Takes the character here with every mark that belongs to it, composes, and writes it.
    fn letter(&mut self) {
        let (end, simple) = self.gather();
        let source = self.original.get(self.at..end).unwrap_or_default();
        let composed = simple || is_nfc_quick(self.cluster.chars()) == IsNormalized::Yes;
        if composed && self.cluster == source {
            self.open_copy();
            self.text.push_str(source);
            self.at = end;
            return;
        }
        let piece = Piece { clean: self.text.len(), original: self.at, rewritten: source.len() };
        if composed {
            self.text.push_str(&self.cluster);
        } else {
            self.text.extend(self.cluster.nfc());
        }
        self.at = end;
        if self.text.get(piece.clean..) == Some(source) {
            // Composition gave back what was there: marks that compose with nothing.
            if !self.copying {
                self.pieces.push(Piece { rewritten: 0, ..piece });
                self.copying = true;
            }
        } else {
            self.pieces.push(piece);
            self.copying = false;
        }
    }

    /// Fills `cluster` with the character here and its marks; gives where they end, and whether
    /// the character is alone and below the first character that composition touches.
    fn gather(&mut self) -> (usize, bool) {
        self.cluster.clear();
        let Some(first) = self.char_at(self.at) else { return (self.at, true) };
        push_shown(&mut self.cluster, first, action(first));
        let mut end = self.at + first.len_utf8();
        let mut ahead = end;
        let mut last = first;
        let mut simple = first < '\u{300}';
        while let Some(c) = self.char_at(ahead) {
            let after = ahead + c.len_utf8();
            match shown(c, Some(last), self.char_at(after)) {
                // Invisible characters between a letter and its mark; each is looked at once
                // here and at most once more when no mark follows.
                Action::Drop => {}
                Action::Keep if extends(c) => {
                    self.cluster.push(c);
                    end = after;
                    last = c;
                    simple = false;
                }
                Action::Keep | Action::Replace(_) => break,
            }
            ahead = after;
        }
        (end, simple)
    }
}

fn is_ascii_plain(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_plain)
}

fn push_shown(text: &mut String, c: char, action: Action) {
    match action {
        Action::Replace(plain) => text.push_str(plain),
        Action::Keep | Action::Drop => text.push(c),
    }
}

/// What cleaning does to `c` between its neighbours: a joiner between two pictographs stays.
fn shown(c: char, before: Option<char>, after: Option<char>) -> Action {
    let joins =
        c == JOINER && before.is_some_and(is_pictograph) && after.is_some_and(is_pictograph);
    if joins { Action::Keep } else { action(c) }
}

/// True when `c` may change what is written before it: it combines, or reorders with marks.
fn extends(c: char) -> bool {
    if c < '\u{300}' {
        return false;
    }
    match is_nfc_quick(std::iter::once(c)) {
        IsNormalized::Yes => canonical_combining_class(c) != 0,
        IsNormalized::Maybe => true,
        // Composition always takes these apart; what they begin with decides.
        IsNormalized::No => {
            let mut first = None;
            decompose_canonical(c, |part| first = first.or(Some(part)));
            first.is_some_and(|part| {
                canonical_combining_class(part) != 0
                    || is_nfc_quick(std::iter::once(part)) == IsNormalized::Maybe
            })
        }
    }
}

#[cfg(test)]
mod tests;
