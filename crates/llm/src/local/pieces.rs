//! Cutting a text into the pieces that a byte-pair vocabulary never joins.
//!
//! The rules are GPT-2's, with every digit a piece of its own: a contraction; an optional space and
//! a run of letters, or of signs; blanks, of which the last goes with the word behind it.

use unicode_categories::UnicodeCategories;

/// Longest piece, in bytes. Real words are far shorter; joining takes the square of a piece.
const PIECE_BYTES: usize = 512;

/// What kind of character it is, as far as the cutting of words goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Blank,
    Sign,
}

/// The class of a character.
fn class(c: char) -> Class {
    if c.is_numeric() {
        Class::Digit
    } else if c.is_whitespace() {
        Class::Blank
    } else if c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_letter()) {
        Class::Letter
    } else {
        Class::Sign
    }
}

/// The pieces of a text, in order and without gaps.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, behind) = rest.split_at_checked(first(rest))?;
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Length of the first piece.
fn first(text: &str) -> usize {
    if let Some(length) = contraction(text) {
        return length;
    }
    let mut chars = text.chars();
    let Some(one) = chars.next() else { return 0 };
    let two = chars.next().map(class);
    match (one, class(one), two) {
        (_, Class::Digit, _) => one.len_utf8(),
        (' ', _, Some(two @ (Class::Letter | Class::Sign))) => {
            1 + run(text.get(1..).unwrap_or_default(), two)
        }
        (_, Class::Blank, _) => blanks(text),
        (_, class, _) => run(text, class),
    }
}

/// The length of an ending like `'ll` that begins here.
fn contraction(text: &str) -> Option<usize> {
    let found = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];
    found.into_iter().find(|short| text.starts_with(short)).map(str::len)
}

/// Length of the run of this class at the beginning, within the limit.
fn run(text: &str, wanted: Class) -> usize {
    let mut length = 0;
    for c in text.chars().take_while(|c| class(*c) == wanted) {
        if length + c.len_utf8() > PIECE_BYTES {
            break;
        }
        length += c.len_utf8();
    }
    length
}

/// Blanks before a word leave it the last one; before a digit or the end they stay together.
fn blanks(text: &str) -> usize {
    let length = run(text, Class::Blank);
    let behind = text.get(length..).and_then(|behind| behind.chars().next());
    let last = text.get(..length).and_then(|blanks| blanks.chars().next_back());
    match (behind.map(class), last) {
        (Some(Class::Letter | Class::Sign), Some(last)) if length > last.len_utf8() => {
            length - last.len_utf8()
        }
        _ => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).collect()
    }

    #[test]
    fn texts_are_cut_as_the_vocabulary_was_made() {
        assert_eq!(cut("Hello world"), ["Hello", " world"]);
        assert_eq!(
            cut("it's 2024, isn't it"),
            ["it", "'s", " ", "2", "0", "2", "4", ",", " isn", "'t", " it"]
        );
        assert_eq!(cut("a  b\n\n c \n"), ["a", " ", " b", "\n\n", " c", " \n"]);
        assert_eq!(cut("x   1"), ["x", "   ", "1"]);
        assert_eq!(cut("a\tb"), ["a", "\t", "b"]);
        assert_eq!(cut(" ...ok!"), [" ...", "ok", "!"]);
        assert_eq!(cut(""), [""; 0]);
    }

    #[test]
    fn nothing_is_lost_and_no_piece_is_long() {
        let text = format!("{} é½Ⅷ '{}", "a".repeat(2000), "🙂".repeat(400));
        assert_eq!(cut(&text).concat(), text);
        assert!(cut(&text).iter().all(|piece| piece.len() <= PIECE_BYTES + 1));
    }
}
