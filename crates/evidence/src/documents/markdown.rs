//! What a document says of itself: when it was written, and by whom.

use jiff::civil::Date;
use rebuttal_text::Reading;

/// Lines at the head of a document that may speak of it.
const LINES: usize = 12;
/// Longest name of a source, in characters.
const SOURCE_CHARS: usize = 120;

/// What a document says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct About {
    pub(super) date: Option<Date>,
    pub(super) source: Option<String>,
}

/// Reads lines such as `Date: 4 May 2023` and `author: Finance` at the head, in front matter or not.
pub(super) fn about(text: &str) -> About {
    let mut about = About::default();
    for line in text.lines().take(LINES) {
        let line = line.trim().trim_matches(['*', '_', '-', '>', ' ']);
        let Some((label, value)) = line.split_once(':') else { continue };
        let value = value.trim().trim_matches(['"', '\'', '*', '_', ' ']);
        match label.trim_matches(['*', '_', ' ']).to_ascii_lowercase().as_str() {
            "date" | "written" | "published" | "updated" | "created" | "dated" => {
                about.date = about.date.or_else(|| day(value));
            }
            "author" | "authors" | "source" | "by" | "from" | "prepared by" | "written by" => {
                let name: String = value.chars().take(SOURCE_CHARS).collect();
                about.source = about.source.or(Some(name).filter(|it| !it.is_empty()));
            }
            _ => {}
        }
    }
    about
}

/// The first day of the first period a text names.
pub(super) fn day(text: &str) -> Option<Date> {
    let period = Reading::new(text).periods().into_iter().find_map(|period| period.dates)?;
    Some(period.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_when_and_by_whom() {
        let found =
            about("---\ntitle: Costs\ndate: 2023-05-04\nauthor: \"Finance\"\n---\n\nIt fell.\n");
        assert_eq!(found.date, Some(Date::constant(2023, 5, 4)));
        assert_eq!(found.source.as_deref(), Some("Finance"));
        let found = about("# Costs\n\n**Date:** 4 May 2023\n\nIt fell.");
        assert_eq!(found.date, Some(Date::constant(2023, 5, 4)));
        assert_eq!(about("It fell in May 2023."), About::default());
    }
}
