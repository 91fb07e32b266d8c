//! When two citations name the same source.

/// A source that a claim rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// By its name or address, in one spelling.
    Named(String),
    /// A test of the voice's own.
    Own(usize),
}

impl Source {
    /// The sources that a citation names, added to `out`, each once.
    pub(super) fn read(citation: &str, out: &mut Vec<Self>) {
        if let Some(numbers) = citation.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let labels = numbers.split([',', ';']).map(|label| format!("[{}]", label.trim()));
            for label in labels {
                push(Self::Named(label), out);
            }
            return;
        }
        let key = if citation.contains("://") || citation.starts_with("www.") {
            address(citation)
        } else {
            name(citation)
        };
        if !key.is_empty() {
            push(Self::Named(key), out);
        }
    }

    /// As it is shown.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
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
fn name(citation: &str) -> String {
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
    let words = citation.split(|c: char| !c.is_alphanumeric());
    let lower = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    let mut kept: Vec<String> = lower.filter(|word| !OTHER.contains(&word.as_str())).collect();
    // "the 2023 Gartner survey" and "Gartner's survey of 2023" are one.
    kept.sort();
    kept.dedup();
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(citation: &str) -> Vec<String> {
        let mut found = Vec::new();
        Source::read(citation, &mut found);
        found.iter().map(Source::shown).collect()
    }

    #[test]
    fn one_source_in_two_spellings() {
        assert_eq!(keys("https://www.Redis.io/docs/"), keys("http://redis.io/docs#top"));
        assert_eq!(keys("the 2023 Gartner survey"), keys("Gartner's survey of 2023"));
        assert_eq!(keys("[1, 2]"), ["[1]", "[2]"]);
        assert_ne!(keys("RFC 9110"), keys("RFC 9111"));
    }
}
