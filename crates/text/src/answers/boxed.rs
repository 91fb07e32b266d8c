//! `\boxed{42}`, with whatever nests in it, and LaTeX as plain text.

use std::borrow::Cow;

use memchr::memmem;
use rebuttal_model::Span;

use super::value::{self, Strictness};
use super::{Candidate, Explicit};
use crate::asked::Asked;
use crate::reading::Reading;

/// Longest content of a box, in bytes.
const LONGEST: usize = 240;

/// Every box of the text.
pub(super) fn find(reading: &Reading<'_>, asked: &Asked, keep: &mut impl FnMut(Candidate)) {
    let text = reading.clean();
    for at in memmem::find_iter(text.as_bytes(), b"\\boxed") {
        let Some(rest) = text.get(at + 6..) else { continue };
        let open = rest.len() - rest.trim_start().len();
        let Some(inside) = braced(rest.get(open..).unwrap_or_default()) else { continue };
        // "Put it in \boxed{answer}" is an instruction.
        let is_empty = matches!(
            crate::asked::plain(inside).as_str(),
            "" | "answer" | "your answer" | "final answer"
        );
        let found = value::whole(inside, asked, Strictness::Labelled).filter(|_| !is_empty);
        if let Some(found) = found {
            let end = at + 6 + open + inside.len() + 2;
            keep(Candidate { found, span: Span::new(at, end), explicit: Explicit::Marked });
        }
    }
}

/// What stands between the brace a text starts with and the one that closes it.
fn braced(text: &str) -> Option<&str> {
    let body = text.strip_prefix('{')?;
    let mut depth = 1;
    for (at, byte) in body.bytes().enumerate().take(LONGEST) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return body.get(..at);
        }
    }
    None
}

/// Commands that only say how their argument looks.
const LOOKS: [&str; 12] = [
    "text",
    "textbf",
    "textit",
    "mathrm",
    "mathbf",
    "mathit",
    "mathsf",
    "operatorname",
    "mbox",
    "boxed",
    "textrm",
    "mathbb",
];

/// A text with its LaTeX written out: `\text{(C)}` is `(C)`, `\frac{3}{4}` is `3/4`, `7{,}500` is `7,500`.
pub(super) fn without_latex(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', '{']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '\\' => rest = command(rest, &mut out),
            '{' | '}' => {}
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Writes a command out, and gives what stands behind it.
fn command<'t>(rest: &'t str, out: &mut String) -> &'t str {
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(length).unwrap_or(("", rest));
    match name {
        "" => {
            let mark = after.chars().next().unwrap_or(' ');
            if matches!(mark, '%' | '$' | '&' | '#' | '_') {
                out.push(mark);
            }
            return after.get(mark.len_utf8()..).unwrap_or_default();
        }
        "frac" | "dfrac" | "tfrac" => {
            if let Some(top) = braced(after)
                && let Some(below) = after.get(top.len() + 2..).and_then(braced)
            {
                out.push_str(&without_latex(top));
                out.push('/');
                out.push_str(&without_latex(below));
                return after.get(top.len() + below.len() + 4..).unwrap_or_default();
            }
        }
        "circ" => {
            while out.ends_with(['^', ' ']) {
                out.pop();
            }
            out.push_str(" degrees");
        }
        "left" | "right" | "displaystyle" | "quad" => {}
        look if LOOKS.contains(&look) => {}
        other => out.push_str(other),
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_is_written_out() {
        for (latex, plain) in [
            ("\\text{(C)}", "(C)"),
            ("\\dfrac{3}{4}", "3/4"),
            ("7{,}500", "7,500"),
            ("50\\%", "50%"),
            ("30^\\circ", "30 degrees"),
            ("\\textbf{\\text{B}}", "B"),
            ("none", "none"),
        ] {
            assert_eq!(without_latex(latex), plain);
        }
    }

    #[test]
    fn braces_nest() {
        assert_eq!(braced("{a{b}c}d"), Some("a{b}c"));
        assert_eq!(braced("{a{b}"), None);
    }
}
