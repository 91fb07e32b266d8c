//! Words to the ids a BERT model knows: uncased `WordPiece`.
//!
//! The same ids as the `tokenizers` library gives with `encode_special_tokens` on: a text that
//! spells out `[SEP]` gets a bracket, a word and a bracket, so nobody's text can pose as structure.
//!
//! Linear in the text. A word is looked up whole before it is cut, by a key that is the word
//! itself, so there is nothing to allocate and no hash order to depend on.

mod normal;
mod table;

use crate::SemanticsError;
use normal::Normaliser;
use table::{LONGEST_PIECE, Table};

/// Longer words are unknown as a whole, as in BERT.
const LONGEST_WORD: usize = 100;
/// Room for the longest word, each character four bytes, and for one key read past its end.
const WORD_BYTES: usize = LONGEST_WORD * 4 + LONGEST_PIECE;
const CONTINUES: &[u8] = b"##";

/// A vocabulary that turns texts into ids.
pub struct WordPiece {
    table: Table,
    size: u32,
    cls: u32,
    sep: u32,
    unk: u32,
}

impl std::fmt::Debug for WordPiece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WordPiece").field("size", &self.size).finish_non_exhaustive()
    }
}

impl WordPiece {
    /// Reads a vocabulary: one piece a line, its id the number of lines before it.
    pub fn new(vocab: &[u8]) -> Result<Self, SemanticsError> {
        let vocab = vocab.strip_suffix(b"\n").unwrap_or(vocab);
        let lines = || vocab.split(|byte| *byte == b'\n');
        let mut table = Table::with_room_for(lines().count());
        let mut size = 0;
        for piece in lines() {
            if piece.is_empty() {
                return Err(bad(format!("line {} is empty", size + 1)));
            }
            let added = match piece.strip_prefix(CONTINUES) {
                Some(rest) if !rest.is_empty() => table.insert(rest, true, size),
                _ => table.insert(piece, false, size),
            };
            if !added {
                return Err(bad(format!("line {} is there twice or too long", size + 1)));
            }
            size += 1;
        }
        let special = |name: &str| {
            table
                .get(name.as_bytes(), false)
                .ok_or_else(|| bad(format!("the special piece {name} is missing")))
        };
        let (cls, sep, unk) = (special("[CLS]")?, special("[SEP]")?, special("[UNK]")?);
        Ok(Self { table, size, cls, sep, unk })
    }

    /// How many ids there are; every id is below it.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// What a sequence starts with.
    pub fn cls(&self) -> u32 {
        self.cls
    }

    /// What a sequence ends with.
    pub fn sep(&self) -> u32 {
        self.sep
    }

    /// What stands for a word that cannot be spelled.
    pub fn unk(&self) -> u32 {
        self.unk
    }

    /// Appends the ids of a text, without [`cls`](Self::cls) and [`sep`](Self::sep).
    pub fn encode_into(&self, text: &str, ids: &mut Vec<u32>) {
        self.encode_up_to(text, usize::MAX, ids);
    }

    /// Appends the first `limit` ids of a text and reads no further than it must.
    pub fn encode_up_to(&self, text: &str, limit: usize, ids: &mut Vec<u32>) {
        let end = ids.len().saturating_add(limit);
        let mut run = Run { pieces: self, word: SplitWord::new(), ids, end };
        let mut normaliser = Normaliser::default();
        let mut rest = text;
        while !rest.is_empty() && run.ids.len() < end {
            let consumed = run.ascii(rest.as_bytes());
            rest = rest.get(consumed..).unwrap_or_default();
            while let Some(c) = rest.chars().next().filter(|c| !is_plain(*c)) {
                if run.ids.len() >= end {
                    break;
                }
                normaliser.feed(c, &mut |c| run.symbol(c));
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
            normaliser.flush(&mut |c| run.symbol(c));
        }
        run.end_word();
        ids.truncate(end);
    }
}

fn bad(reason: String) -> SemanticsError {
    SemanticsError::Model { name: "vocabulary".to_owned(), reason }
}

/// What an ASCII byte does: a word's bytes stand for themselves in lower case.
const ASCII: [u8; 256] = {
    let mut table = [SKIP; 256];
    let mut byte = 0u8;
    while byte < 128 {
        let class = match byte {
            b'\t' | b'\n' | b'\r' | b' ' => SPACE,
            byte if byte.is_ascii_punctuation() => PUNCTUATION,
            byte if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            _ => SKIP,
        };
        #[expect(clippy::indexing_slicing, reason = "constant evaluation has no `get_mut`")]
        {
            table[byte as usize] = class;
        }
        byte += 1;
    }
    table
};
/// Control characters vanish; what they stood between is one word.
const SKIP: u8 = 0;
const SPACE: u8 = 1;
const PUNCTUATION: u8 = 2;

/// Whether the fast path may take it: marks on both sides of a control character are one run.
fn is_plain(c: char) -> bool {
    c.is_ascii() && u8::try_from(c).is_ok_and(|byte| ascii_class(byte) != SKIP)
}

fn ascii_class(byte: u8) -> u8 {
    ASCII.get(usize::from(byte)).copied().unwrap_or(SKIP)
}

/// One text on its way to ids.
struct Run<'r> {
    pieces: &'r WordPiece,
    word: SplitWord,
    ids: &'r mut Vec<u32>,
    end: usize,
}

impl Run<'_> {
    /// Reads until the first byte that is not ASCII, or enough ids; how many bytes that was.
    fn ascii(&mut self, bytes: &[u8]) -> usize {
        for (at, &byte) in bytes.iter().enumerate() {
            match ascii_class(byte) {
                SKIP if byte >= 128 => return at,
                SKIP => {}
                SPACE => self.end_word(),
                PUNCTUATION => {
                    self.end_word();
                    self.word.push_byte(byte);
                    self.end_word();
                    if self.ids.len() >= self.end {
                        return bytes.len();
                    }
                }
                letter => {
                    self.word.push_byte(letter);
                }
            }
            if byte == b' ' && self.ids.len() >= self.end {
                return bytes.len();
            }
        }
        bytes.len()
    }

    /// Takes one normalised character.
    fn symbol(&mut self, c: char) {
        if c.is_whitespace() {
            self.end_word();
        } else if normal::is_punctuation(c) {
            self.end_word();
            self.word.push(c);
            self.end_word();
        } else {
            self.word.push(c);
        }
    }

    fn end_word(&mut self) {
        if self.word.chars == 0 {
            return;
        }
        let before = self.ids.len();
        if !self.spell() {
            self.ids.truncate(before);
            self.ids.push(self.pieces.unk);
        }
        self.word.clear();
    }

    /// The longest piece that fits, again and again; false when some part has none.
    fn spell(&mut self) -> bool {
        if self.word.chars > LONGEST_WORD {
            return false;
        }
        let mut start = 0;
        while start < self.word.len {
            let Some((id, len)) =
                self.pieces.table.longest(&self.word.bytes, start, self.word.len, start > 0)
            else {
                return false;
            };
            self.ids.push(id);
            start += len;
        }
        true
    }
}

/// The word being read, in a buffer that is reused.
struct SplitWord {
    bytes: [u8; WORD_BYTES],
    len: usize,
    chars: usize,
}

impl SplitWord {
    fn new() -> Self {
        Self { bytes: [0; WORD_BYTES], len: 0, chars: 0 }
    }

    fn clear(&mut self) {
        self.len = 0;
        self.chars = 0;
    }

    fn push_byte(&mut self, byte: u8) {
        self.chars += 1;
        if self.chars <= LONGEST_WORD
            && let Some(slot) = self.bytes.get_mut(self.len)
        {
            *slot = byte;
            self.len += 1;
        }
    }

    fn push(&mut self, c: char) {
        self.chars += 1;
        if self.chars <= LONGEST_WORD
            && let Some(slot) = self.bytes.get_mut(self.len..self.len + c.len_utf8())
        {
            self.len += c.encode_utf8(slot).len();
        }
    }
}

#[cfg(test)]
mod tests;
