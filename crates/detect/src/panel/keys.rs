//! When two citations name the same source.

use std::cmp::Ordering;

/// A source that a claim rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// By its name or address.
    Named(Name),
    /// A test of the voice's own.
    Own(usize),
}

/// What a source is called. Two spellings of one source are equal.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// In one spelling.
    key: String,
    /// As somebody wrote it.
    words: String,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl Source {
    /// The sources that a citation names, added to `out`, each once.
    pub(super) fn read(citation: &str, out: &mut Vec<Self>) {
        if let Some(numbers) = citation.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let labels = numbers.split([',', ';']).map(|label| format!("[{}]", label.trim()));
            for label in labels {
                push(Self::Named(Name { key: label.clone(), words: label }), out);
            }
            return;
        }
        let name = if citation.contains("://") || citation.starts_with("www.") {
            let key = address(citation);
            Name { words: key.clone(), key }
        } else {
            name(citation)
        };
        if !name.key.is_empty() {
            push(Self::Named(name), out);
        }
    }

    /// As it is shown.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Named(name) => name.words.clone(),
            Self::Own(_) => "own test".to_owned(),
        }
    }
}

fn push(source: Source, out: &mut Vec<Source>) {
    if !out.contains(&source) {
        out.push(source);
    }
}

/// Without what does not change where it leads.
fn address(link: &str) -> String {
    let rest = link.split_once("://").map_or(link, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let rest = rest.split(['#', '?']).next().unwrap_or(rest);
    rest.trim_end_matches('/').to_lowercase()
}

/// The words that name it: no "according to", no article, no verb of saying.
fn name(citation: &str) -> Name {
    const OTHER: &[&str] = &[
        "according",
        "to",
        "the",
        "a",
        "an",
        "of",
        "by",
        "in",
        "per",
        "source",
        "sources",
        "as",
        "reported",
        "reports",
        "found",
        "finds",
        "shown",
        "published",
        "colleagues",
        "coauthors",
        "others",
        "see",
        "also",
        "cf",
        "going",
        "judging",
        "based",
        "citing",
        "quoting",
        "recorded",
        "noted",
        "listed",
        "know",
        "we",
        "et",
        "al",
        "and",
        "our",
        "their",
        "its",
        "s",
        "from",
        "on",
        "measured",
        "says",
        "said",
        "showed",
        "shows",
        "that",
    ];
    let is_part = |word: &str| !OTHER.contains(&word.to_lowercase().as_str());
    let words = citation.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let named: Vec<&str> = words.filter(|word| is_part(word)).collect();
    // From the first word that names it to the last, as they stand.
    let place = |word: &&str| word.as_ptr() as usize - citation.as_ptr() as usize;
    let from = named.first().map_or(0, place);
    let end = named.last().map_or(0, |last| place(last) + last.len());
    let shown = citation.get(from..end).unwrap_or_default();
    let mut kept: Vec<String> = named.into_iter().map(str::to_lowercase).collect();
    // "the 2023 Gartner survey" and "Gartner's survey of 2023" are one.
    kept.sort();
    kept.dedup();
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    Name { key: kept.join(" "), words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(citation: &str) -> Vec<Source> {
        let mut found = Vec::new();
        Source::read(citation, &mut found);
        found
    }

    fn shown(citation: &str) -> Vec<String> {
        read(citation).iter().map(Source::shown).collect()
    }

    #[test]
    fn one_source_in_two_spellings() {
        assert_eq!(read("https://www.Redis.io/docs/"), read("http://redis.io/docs#top"));
        assert_eq!(read("the 2023 Gartner survey"), read("Gartner's survey of 2023"));
        assert_ne!(read("RFC 9110"), read("RFC 9111"));
    }

    #[test]
    fn a_source_is_shown_as_it_was_written() {
        assert_eq!(shown("[1, 2]"), ["[1]", "[2]"]);
        assert_eq!(shown("according to the Harlow brief\nof 2021"), ["Harlow brief of 2021"]);
        assert_eq!(shown("(Müller et al., 2019)"), ["Müller et al., 2019"]);
        assert_eq!(shown("according to the"), [""; 0]);
    }
}
