//! Word lists say what they are for: a comment above every group.

use crate::files::TextFile;

/// Groups without a comment.
pub(super) fn check(file: &TextFile) -> Vec<String> {
    let mut problems = Vec::new();
    let mut previous = "";
    for (number, line) in file.text.lines().enumerate() {
        // A pattern may stand in brackets too; its words are spaced, a group's name is one word.
        let is_group = line.starts_with('[') && line.ends_with(']') && !line.contains(' ');
        let explained = previous.trim_start_matches('#').trim().chars().count() > 2;
        if is_group && !(previous.starts_with('#') && explained) {
            problems.push(format!("{}:{}: {line} has no comment above", file.path, number + 1));
        }
        previous = line;
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_needs_a_comment() {
        let text = "# What people say.\n[a]\nyes\n\n[b]\nno\n#\n[c]\n[ words ]\n";
        let file = TextFile { path: "l.txt".to_owned(), text: text.to_owned() };
        assert_eq!(
            check(&file),
            ["l.txt:5: [b] has no comment above", "l.txt:8: [c] has no comment above"]
        );
    }
}
