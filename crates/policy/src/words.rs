//! Names and lists in words: comparing what people call a source, and saying who is meant.

/// The words of a name, without case, punctuation, spaces and hyphens.
pub(crate) fn words(text: &str) -> Vec<String> {
    let pieces = text.split(|letter: char| !letter.is_alphanumeric());
    pieces.filter(|piece| !piece.is_empty()).map(str::to_lowercase).collect()
}

/// One key for all ways to write a name: `GCC-STAT`, `gcc stat` and `GCCStat` are one.
pub(crate) fn key(text: &str) -> String {
    words(text).concat()
}

/// True when whole words of `text`, one after the other, are the name with this key.
pub(crate) fn names(text: &[String], key: &str) -> bool {
    !key.is_empty() && (0..text.len()).any(|from| runs(text, from, key.len()).any(|run| run == key))
}

/// The words from `from` on, joined: one, two, … until longer than `longest` bytes.
pub(crate) fn runs(
    text: &[String],
    from: usize,
    longest: usize,
) -> impl Iterator<Item = String> + '_ {
    let mut run = String::new();
    text.iter().skip(from).map_while(move |word| {
        run.push_str(word);
        (run.len() <= longest).then(|| run.clone())
    })
}

/// Most items of a list that are written out.
const LISTED: usize = 6;

/// `a`, `a and b`, `a, b and c`; of long lists the first items.
pub(crate) fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    joined(items, "and")
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn either<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    joined(items, "or")
}

fn joined<S: AsRef<str>>(items: impl IntoIterator<Item = S>, word: &str) -> String {
    let mut items: Vec<String> =
        items.into_iter().take(LISTED + 1).map(|item| item.as_ref().to_owned()).collect();
    if items.len() > LISTED {
        items.truncate(LISTED);
        items.push("others".to_owned());
    }
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
    }
}

/// The text on one line, cut between words when it has more than `most` characters.
pub(crate) fn short(text: &str, most: usize) -> String {
    // Twice as many as are kept: enough to see that there is more, and no walk through megabytes.
    let start: String = text.chars().take(most.saturating_mul(2)).collect();
    let line = start.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most && start.len() == text.len() {
        return line;
    }
    let cut: String = line.chars().take(most).collect();
    let end = cut.rfind(' ').filter(|end| *end > 0).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or_default())
}

/// The text with its first letter large: it begins a sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole_words_in_any_spelling() {
        let bank = key("World Bank");
        for text in
            ["World-Bank", "the WORLD BANK", "World Bank WDI 2024", "WorldBank", "world_bank"]
        {
            assert!(names(&words(text), &bank), "{text}");
        }
        for text in ["World Bankers Daily", "World", "Underworld Bank", "Bank of the World", ""] {
            assert!(!names(&words(text), &bank), "{text}");
        }
        assert!(!names(&words("anything"), ""));
    }

    #[test]
    fn lists_read_well_and_end() {
        assert_eq!(list([""; 0]), "");
        assert_eq!(list(["a"]), "a");
        assert_eq!(list(["a", "b", "c"]), "a, b and c");
        assert_eq!(list(["x"; 99]), "x, x, x, x, x, x and others");
    }

    #[test]
    fn long_texts_are_cut_between_words() {
        assert_eq!(short("one  two\nthree", 20), "one two three");
        assert_eq!(short("one two three", 9), "one two…");
        assert_eq!(short(&"é".repeat(50), 3), "ééé…");
        assert_eq!(short(&" ".repeat(50), 3), "…");
    }
}
