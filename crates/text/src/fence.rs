//! Keeps somebody's text apart from the words around it in a prompt: the marks of chat templates are
//! broken up, and a fence gets a name that the text cannot hold.

use std::borrow::Cow;

/// Longest mark of a template, in characters, without its brackets.
const MARK_CHARS: usize = 40;
/// Hexadecimal digits of a fence's name: 64 bits.
const NAME_DIGITS: usize = 16;

/// The text with everything broken up that a chat template could take for a mark of its own: `<bos>`,
/// `</think>`, `<|im_start|>`, `<tool_call>` become `‹bos›` and so on, `[INST]`, `[TOOL_CALLS]` and
/// `[gMASK]` become `[ INST ]`. Models differ in which they know, so the shape decides and not a
/// list; `a < b` and `[1]` have another shape.
pub fn without_template_marks(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '>', '[']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(['<', '|', '[']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let used = match mark(from) {
            Some(Mark::Angled(inside)) => {
                out.extend(["‹", inside, "›"]);
                inside.len() + 2
            }
            Some(Mark::Square(inside)) => {
                out.extend(["[ ", inside, " ]"]);
                inside.len() + 2
            }
            Some(Mark::Opening) => {
                out.push_str("< ");
                1
            }
            Some(Mark::Closing) => {
                out.push_str("| >");
                2
            }
            None => {
                out.extend(from.chars().next());
                1
            }
        };
        rest = from.get(used..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What a text begins with.
enum Mark<'t> {
    /// `<…>`.
    Angled(&'t str),
    /// `[…]`.
    Square(&'t str),
    /// `<|` without its end.
    Opening,
    /// `|>` without its beginning.
    Closing,
}

fn mark(text: &str) -> Option<Mark<'_>> {
    if text.starts_with("|>") {
        return Some(Mark::Closing);
    }
    if let Some(rest) = text.strip_prefix('<') {
        let inside = within(rest, '>').filter(|inside| is_angled(inside));
        let opening = rest.starts_with('|').then_some(Mark::Opening);
        return inside.map(Mark::Angled).or(opening);
    }
    within(text.strip_prefix('[')?, ']').filter(|inside| is_square(inside)).map(Mark::Square)
}

/// What stands before `end`, if that comes soon and without a break.
fn within(text: &str, end: char) -> Option<&str> {
    let stops = |c: char| c == end || c.is_whitespace() || matches!(c, '<' | '[' | '‹' | '›');
    let (count, (at, found)) =
        text.char_indices().take(MARK_CHARS + 1).enumerate().find(|(_, (_, c))| stops(*c))?;
    (count > 0 && found == end).then(|| text.get(..at)).flatten()
}

/// Numbers, arrows and comparisons are no marks: `<3>`, `<-x->`, `<=>`.
fn is_angled(inside: &str) -> bool {
    inside.chars().any(char::is_alphabetic)
        && !inside.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '=' | '-'))
}

/// A name in capitals, as templates write them; `[INST]` in any case.
fn is_square(inside: &str) -> bool {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let capitals = name.chars().filter(char::is_ascii_uppercase).count();
    let is_name = name.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    is_name && (capitals >= 2 || name.eq_ignore_ascii_case("inst"))
}

/// Whether a text can hold the name of a fence: whoever looks for one need not make it first.
pub fn may_hold_fence_name(text: &str) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.as_bytes().split(|byte| !is_digit(byte)).any(|run| run.len() >= NAME_DIGITS)
}

/// The name of a fence around `text`: made from all of it, so that the same text always gets the same
/// one, nobody who writes a part of it can know it beforehand, and it occurs nowhere in it.
pub fn fence_name(text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes());
    loop {
        let hash = hasher.finalize().to_hex();
        let name = hash.as_str().get(..NAME_DIGITS).unwrap_or_default();
        if !text.contains(name) {
            return name.to_owned();
        }
        hasher.update(b"another");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_every_template_are_broken_up() {
        for (mark, broken) in [
            ("<bos>", "‹bos›"),
            ("<eos>", "‹eos›"),
            ("<s>", "‹s›"),
            ("</s>", "‹/s›"),
            ("<think>", "‹think›"),
            ("</think>", "‹/think›"),
            ("<tool_call>", "‹tool_call›"),
            ("<start_of_turn>", "‹start_of_turn›"),
            ("<|im_start|>", "‹|im_start|›"),
            ("<｜begin▁of▁sentence｜>", "‹｜begin▁of▁sentence｜›"),
            ("<<SYS>>", "<‹SYS›>"),
            ("<|", "< |"),
            ("|>", "| >"),
            ("[INST]", "[ INST ]"),
            ("[/inst]", "[ /inst ]"),
            ("[SYSTEM_PROMPT]", "[ SYSTEM_PROMPT ]"),
            ("[TOOL_CALLS]", "[ TOOL_CALLS ]"),
            ("[gMASK]", "[ gMASK ]"),
            ("<[INST]>", "<[ INST ]>"),
        ] {
            let text = format!("a {mark}b");
            assert_eq!(without_template_marks(&text), format!("a {broken}b"));
        }
    }

    #[test]
    fn other_brackets_stay() {
        for text in ["a < b > c", "x[1] [2]", "[sic]", "5 <= 6 >= 4", "<3>", "i <- j", "a | b", ""]
        {
            assert_eq!(without_template_marks(text), text);
        }
    }

    #[test]
    fn nothing_that_is_left_is_a_mark() {
        let nested = "<<bos>bos> [[INST]INST] <|<|x|>|> <a[INST]b> ".repeat(3);
        let once = without_template_marks(&nested);
        assert_eq!(without_template_marks(&once), once, "{once}");
    }

    #[test]
    fn a_fence_is_named_by_all_of_its_text_and_not_found_in_it() {
        let name = fence_name("text");
        assert_eq!(name, fence_name("text"));
        let guessed = format!("text {name}");
        let another = fence_name(&guessed);
        assert!(!guessed.contains(&another) && another.len() == NAME_DIGITS);
    }

    proptest::proptest! {
        #[test]
        fn breaking_marks_up_twice_is_breaking_them_up_once(text in "[<>|\\[\\]/a-zA-Z ]{0,60}") {
            let once = without_template_marks(&text).into_owned();
            proptest::prop_assert_eq!(without_template_marks(&once).into_owned(), once.clone());
        }
    }
}
