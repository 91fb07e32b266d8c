//! How many tokens a text can have at most, without anybody's tokenizer.
//!
//! Every tokenizer in use works on bytes or on characters with a fallback to bytes, so no text has more
//! tokens than bytes. For prose that is some four times too much, and a small budget would buy nothing.
//! What is counted here instead, by script:
//!
//! * letters of ASCII: one token for two of them, in each word. English has four to five letters a token;
//!   names, other languages in Latin letters and misspelt words have two to three;
//! * a run of more than [`WORD`] letters and digits is no word but a hash or an encoded file: a token a
//!   byte;
//! * a digit, a punctuation mark, a line break: a token each, as the least frugal tokenizers have it; the
//!   space before a word belongs to the word;
//! * everything else: a token a byte.
//!
//! A text made against it (many short words of letters that never stand together) can have more. A debate
//! notices at the first answer whose reported usage is above the bound, and counts bytes from then on.

/// The longest run of letters and digits that is taken for words.
const WORD: usize = 24;

/// How tokens are counted that nobody has counted yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counting {
    /// By script: an upper bound for what people and models write.
    #[default]
    Script,
    /// A token a byte: an upper bound for any text.
    Bytes,
}

/// The most tokens a text can have.
///
/// ```
/// use rebuttal_llm::{Counting, tokens_at_most};
///
/// let text = "Should we migrate to Kubernetes?";
/// assert_eq!(tokens_at_most(text, Counting::Script), 15);
/// assert_eq!(tokens_at_most(text, Counting::Bytes), 32);
/// ```
pub fn tokens_at_most(text: &str, counting: Counting) -> usize {
    if counting == Counting::Bytes {
        return text.len();
    }
    let mut tokens = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (end, counted) = if first.is_ascii_alphanumeric() {
            let end = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
            (end, run(rest.get(..end).unwrap_or_default()))
        } else if first == ' ' {
            let before_word = rest.as_bytes().get(1).is_some_and(u8::is_ascii_alphanumeric);
            (1, usize::from(!before_word))
        } else {
            (first.len_utf8(), first.len_utf8())
        };
        tokens += counted;
        rest = rest.get(end..).unwrap_or_default();
    }
    tokens
}

/// Tokens of a run of letters and digits. A capital after a small letter begins a word, as in `camelCase`.
fn run(text: &str) -> usize {
    if text.len() > WORD {
        return text.len();
    }
    let (mut tokens, mut letters, mut was_small) = (0, 0_usize, false);
    for byte in text.bytes() {
        let begins = byte.is_ascii_digit() || (was_small && byte.is_ascii_uppercase());
        if begins {
            tokens += letters.div_ceil(2);
            letters = 0;
        }
        if byte.is_ascii_digit() {
            tokens += 1;
        } else {
            letters += 1;
        }
        was_small = byte.is_ascii_lowercase();
    }
    tokens + letters.div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rebuttal_semantics::WordPiece;

    fn bound(text: &str) -> usize {
        tokens_at_most(text, Counting::Script)
    }

    #[test]
    fn by_script() {
        for (text, tokens) in [
            ("", 0),
            ("the", 2),
            ("Should we ship?", 3 + 1 + 2 + 1),
            ("  x", 1 + 1),
            ("2026", 4),
            ("camelCase", 3 + 2),
            ("naïve", 1 + 2 + 1),
            ("日本", 6),
            ("\n\n", 2),
        ] {
            assert_eq!(bound(text), tokens, "{text:?}");
        }
        let hash = "9f86d081884c7d659a2feaa0c55ad015";
        assert_eq!(bound(hash), hash.len(), "a hash is no word");
    }

    /// A tokenizer with a vocabulary a third of the size of those in use, so that it needs more tokens
    /// than they do; it leaves out what it does not know, so only ASCII is compared.
    fn pieces(text: &str) -> usize {
        let vocab = include_bytes!("../../../assets/vocab.txt");
        let pieces = WordPiece::new(vocab).unwrap();
        let mut ids = Vec::new();
        pieces.encode_into(text, &mut ids);
        ids.len()
    }

    #[test]
    fn prose_code_and_tables_have_fewer_tokens_than_the_bound() {
        for text in [
            include_str!("../../../README.md"),
            include_str!("../../../docs/debate.md"),
            include_str!("../../../docs/providers.md"),
            include_str!("tokens.rs"),
            include_str!("../../../Cargo.toml"),
        ] {
            let ascii: String = text.chars().filter(char::is_ascii).collect();
            let (least, most) = (pieces(&ascii), bound(&ascii));
            assert!(least <= most && most < ascii.len(), "{least} {most} {}", ascii.len());
        }
    }

    proptest! {
        #[test]
        fn never_more_than_the_bytes(text in "\\PC{0,200}") {
            prop_assert!(bound(&text) <= text.len());
        }

        /// What is said in debates, piece by piece: words, numbers, marks, hashes, lists.
        #[test]
        fn a_tokenizer_counts_no_more(parts in prop::collection::vec(prop::sample::select(&[
            "migrate", "Kubernetes", " the", " costs", " of", "\n- ", "99.95 %", "https://example.org/a?b=1",
            "{\"answer\":\"yes\"}", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "sha256:", "'", "…", " ",
            "SELL", "getUserById()", " Przemysław", " Rindfleischetikettierung", "2026-11-18", "***",
        ][..]), 0..60)) {
            let text: String = parts.concat();
            let ascii: String = text.chars().filter(char::is_ascii).collect();
            prop_assert!(pieces(&ascii) <= bound(&ascii), "{ascii}");
        }
    }
}
