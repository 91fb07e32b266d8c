//! The format of the lexicon files.

/// One line of a file.
pub(crate) struct Entry {
    pub(crate) section: &'static str,
    pub(crate) text: &'static str,
}

/// The entries of a file with the section each stands in. Comments and blank lines are skipped.
pub(crate) fn entries(file: &'static str) -> impl Iterator<Item = Entry> {
    let mut section = "";
    file.lines().filter_map(move |line| {
        let line = line.trim();
        let bracketed = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        // "[ inst ]" with spaces is an entry: what attackers write.
        if let Some(name) = bracketed.filter(|name| !name.contains(' ')) {
            section = name;
            return None;
        }
        let comment = line.is_empty() || line.starts_with("# ") || line == "#";
        (!comment).then_some(Entry { section, text: line })
    })
}

/// The elements of a pattern, each with all it may stand for: `favo(u|)r (it|)` has two.
pub(super) fn elements(pattern: &str) -> Vec<Vec<String>> {
    let mut depth = 0;
    let parts = pattern.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c.is_whitespace()
    });
    parts.filter(|part| !part.is_empty()).map(spelled_out).collect()
}

/// All phrases a pattern stands for: `favo(u|)r` is "favour" and "favor". Choices may be nested.
pub(crate) fn spelled_out(pattern: &str) -> Vec<String> {
    let Some((before, inside, after)) = next_choice(pattern) else {
        return vec![pattern.to_owned()];
    };
    let rest = spelled_out(after);
    let mut phrases = Vec::new();
    for choice in choices(inside) {
        for middle in spelled_out(choice) {
            phrases.extend(rest.iter().map(|rest| format!("{before}{middle}{rest}")));
        }
    }
    phrases
}

/// The text before the next `(…|…)`, what is inside, and what comes after.
fn next_choice(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('(')?;
    let mut depth = 1;
    let end = rest.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    let (inside, after) = rest.split_at_checked(end)?;
    Some((before, inside, after.get(1..)?))
}

/// What stands between the bars that are not inside a further pair of parentheses.
fn choices(inside: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    inside.split(move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c == '|'
    })
}

/// The words and marks of a phrase, in lower case, split as the tokeniser splits text.
pub(super) fn words(phrase: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in phrase.split_whitespace() {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphanumeric() || first == '_' {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '_'))
                    .unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            words.push(word);
            rest = after;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_spelled_out() {
        assert_eq!(
            spelled_out("favo(u|)r (it|this)"),
            ["favour it", "favour this", "favor it", "favor this"]
        );
        assert_eq!(spelled_out("plain"), ["plain"]);
        assert_eq!(spelled_out("(a|b(c|))d"), ["ad", "bcd", "bd"]);
    }

    #[test]
    fn phrases_are_split_like_text() {
        assert_eq!(words("don't re-think it, ok"), ["don't", "re", "-", "think", "it", ",", "ok"]);
    }

    #[test]
    fn comments_and_sections_are_no_entries() {
        let found: Vec<_> = entries("# why\n[a.b]\none\n\n# more\n[c]\n two ")
            .map(|e| (e.section, e.text))
            .collect();
        assert_eq!(found, [("a.b", "one"), ("c", "two")]);
    }
}
