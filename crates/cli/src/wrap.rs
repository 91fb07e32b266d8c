//! Text laid out for a terminal of 80 columns.

use unicode_width::UnicodeWidthStr;

/// Columns of the narrowest terminal people use. Fixed, so that output does not depend on whose
/// terminal it is.
pub(crate) const COLUMNS: usize = 80;

/// Breaks `text` at blanks into lines of at most [`COLUMNS`], each after `indent` blanks. Runs of
/// white space become one blank. A word longer than a line gets a line of its own.
pub(crate) fn wrap(text: &str, indent: usize) -> String {
    let room = COLUMNS.saturating_sub(indent).max(1);
    let margin = " ".repeat(indent);
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let width = word.width();
        match lines.last_mut() {
            Some(line) if used + 1 + width <= room => {
                line.push(' ');
                line.push_str(word);
                used += 1 + width;
            }
            _ => {
                lines.push(format!("{margin}{word}"));
                used = width;
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit() {
        let text = "word ".repeat(60);
        for line in wrap(&text, 6).lines() {
            assert!(line.width() <= COLUMNS && line.starts_with("      word"), "{line:?}");
        }
        assert_eq!(wrap("a\n\n  b", 2), "  a b");
        assert_eq!(wrap("", 2), "");
    }
}
