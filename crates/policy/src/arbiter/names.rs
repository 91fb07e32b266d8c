//! The names in an explanation: a source that nobody gave must not decide.

use rebuttal_model::MONTHS;

use crate::words::words;

/// Words that may carry a capital and name nobody.
const PLAIN: [&str; 38] = [
    "i",
    "agent",
    "agents",
    "side",
    "sides",
    "source",
    "sources",
    "claim",
    "claims",
    "policy",
    "authority",
    "data",
    "freshness",
    "citation",
    "citations",
    "completeness",
    "confidence",
    "contradiction",
    "resolution",
    "value",
    "values",
    "both",
    "neither",
    "not",
    "and",
    "or",
    "only",
    "same",
    "no",
    "us",
    "usd",
    "json",
    "full",
    "year",
    "period",
    "metric",
    "unit",
    "definition",
];
/// Letters in common that make two words forms of one name: Qatar, Qatari.
const STEM: usize = 4;

/// The first name in the text that is not in the input, nor made of its words. What opens a
/// sentence has its capital from there, unless it is all capitals.
pub(super) fn unknown<'t>(text: &'t str, input: &str) -> Option<&'t str> {
    let known = words(input);
    let initials: String = known.iter().filter_map(|word| word.chars().next()).collect();
    let mut opens = true;
    let mut end = 0;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        // Splitting keeps the order, so that each word stands behind the one before.
        let at = text.get(end..).and_then(|rest| rest.find(word)).map_or(end, |from| end + from);
        opens |= text.get(end..at).is_some_and(ends_sentence);
        let is_name = word.starts_with(char::is_uppercase) && (!opens || is_acronym(word));
        if is_name && !is_known(word, &known, &initials) {
            return Some(word);
        }
        (opens, end) = (false, at + word.len());
    }
    None
}

/// What stands between two words ends a sentence, or opens a quotation or an item of a list.
fn ends_sentence(gap: &str) -> bool {
    gap.contains(['.', '!', '?', ':', '\n', '“', '"', '‘', '*', '#', '•', '(', '['])
}

fn is_acronym(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

fn is_known(word: &str, known: &[String], initials: &str) -> bool {
    // Digits are the business of the check for numbers; one letter is no name.
    if word.chars().any(char::is_numeric) || word.chars().nth(1).is_none() {
        return true;
    }
    let lower = word.to_lowercase();
    let related = |known: &String| {
        let same = known.chars().zip(lower.chars()).take_while(|(one, two)| one == two).count();
        same >= STEM || known.contains(&lower)
    };
    PLAIN.contains(&lower.as_str())
        || MONTHS.iter().any(|month| month.eq_ignore_ascii_case(&lower))
        || known.iter().any(related)
        || is_acronym(word) && initials.contains(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: &str = "Qatar unemployment rate\nLabourEconomist\n0.10% GCC-STAT Q1-2024\nWorld \
                         Bank 2024\nGross Domestic Product";

    #[test]
    fn names_that_were_given_are_known_in_any_form() {
        for text in [
            "GCC-STAT is the nearer source. Agent 1 cites it for Q1 2024.",
            "Source Authority: the World Bank's number is for the year. Both hold.",
            "The Labour Economist is right, and the Qatari rate holds as of March.",
            "As the WB says, GDP is not at stake; it is NOT the same.",
            "“Nearer” is better. 1. First things. I think so.",
        ] {
            assert_eq!(unknown(text, INPUT), None, "{text}");
        }
    }

    #[test]
    fn names_that_nobody_gave_are_found() {
        for (text, name) in [
            ("Bloomberg and the Harvard study confirm it.", "Harvard"),
            ("It was confirmed by Reuters.", "Reuters"),
            ("IMF data say so.", "IMF"),
            ("The rate in Bahrain is lower.", "Bahrain"),
        ] {
            assert_eq!(unknown(text, INPUT), Some(name), "{text}");
        }
    }
}
