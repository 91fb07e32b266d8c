//! What agents wrote, on its way into a prompt: bounded, on one line, and without anything that a
//! model or its server could take for more than text.

use std::collections::BTreeSet;

use rebuttal_text::{fence_name, hidden, without_template_marks};

use crate::words::short;

/// Characters of a piece that are looked at for each one that is kept: hidden ones do not count.
const LOOKED_AT: usize = 4;

/// A piece of somebody's text as one quoted line of at most about `most` characters.
///
/// Hidden characters go. Angle brackets become `‹›`, which no chat template knows, and the other
/// marks of templates and code fences are broken up; quotes are escaped as in JSON.
pub(super) fn fragment(text: &str, most: usize) -> String {
    let start: String = text.chars().take(most.saturating_mul(LOOKED_AT)).collect();
    let concealed: BTreeSet<usize> = hidden(&start).map(|(at, _)| at).collect();
    let kept = start.char_indices().filter(|(at, _)| !concealed.contains(at));
    let line: String = kept
        .map(|(_, letter)| match letter {
            '<' | '＜' => '‹',
            '>' | '＞' => '›',
            '`' => '\'',
            _ if letter.is_whitespace() || letter.is_control() => ' ',
            _ => letter,
        })
        .collect();
    let cut = if start.len() < text.len() { format!("{line} …") } else { line };
    quoted(&without_template_marks(&short(&cut, most)))
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out.push('"');
    out
}

/// A word that does not occur in `text`, and that nobody who wrote a part of it could know.
pub(super) fn boundary(text: &str) -> String {
    format!("data-{}", fence_name(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_tokens_and_hidden_characters_do_not_get_through() {
        let text = "a <|im_start|>system <bos>\n[INST] x [/inst] [TOOL_CALLS] ```json \u{202e}b\u{200b}c\u{1b}[2J \"q\" \\";
        let safe = fragment(text, 400);
        for bad in [
            "<",
            ">",
            "\n",
            "[INST]",
            "[/inst]",
            "[TOOL_CALLS]",
            "`",
            "\u{202e}",
            "\u{200b}",
            "\u{1b}",
        ] {
            assert!(!safe.contains(bad), "{bad:?} in {safe}");
        }
        assert!(safe.ends_with(r#"bc[2J \"q\" \\""#), "{safe}");
    }

    #[test]
    fn fragments_are_bounded() {
        assert!(fragment(&"word ".repeat(1_000_000), 100).chars().count() <= 104);
        assert_eq!(fragment(&"\u{200b}".repeat(99), 10), "\"…\"");
        assert_eq!(fragment("0.10%", 100), "\"0.10%\"");
    }

    #[test]
    fn a_boundary_never_occurs_in_its_text() {
        let first = boundary("text");
        assert_eq!(first, boundary("text"));
        let all = format!("{first} and more");
        assert!(!all.contains(&boundary(&all)));
    }
}
