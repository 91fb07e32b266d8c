//! What both readers of questions share: [`super::stated`] and, for debates of policy version 0,
//! [`super::first`]. Changing a word here changes how those debates verify; what only today's
//! reader needs belongs to it.

use super::{Asked, MOST_OPTIONS};

/// Longest question looked at from its end, in bytes: what is asked stands last.
const TAIL: usize = 4_000;
/// Words that begin a question that yes or no answers.
pub(super) const ASKS: [&str; 24] = [
    "is",
    "are",
    "was",
    "were",
    "am",
    "do",
    "does",
    "did",
    "can",
    "could",
    "will",
    "would",
    "should",
    "shall",
    "may",
    "might",
    "must",
    "has",
    "have",
    "had",
    "isn't",
    "aren't",
    "shouldn't",
    "doesn't",
];
/// Words that stand for who or what a question is about.
pub(super) const SUBJECTS: [&str; 14] = [
    "we", "i", "you", "they", "it", "he", "she", "this", "that", "there", "one", "these", "those",
    "everyone",
];
/// Words said before the first of several options.
pub(super) const VERBS: [&str; 22] = [
    "use",
    "choose",
    "pick",
    "adopt",
    "take",
    "prefer",
    "select",
    "go",
    "with",
    "be",
    "rather",
    "want",
    "recommend",
    "favour",
    "favor",
    "the",
    "a",
    "an",
    "either",
    "call",
    "say",
    "to",
];
/// Starts of questions that a number answers.
const COUNTS: [&str; 17] = [
    "how many",
    "how much",
    "how long",
    "how old",
    "how far",
    "how tall",
    "how high",
    "how often",
    "how fast",
    "how big",
    "how large",
    "what percentage",
    "what number",
    "what share",
    "what probability",
    "what is the probability",
    "what is the number",
];

/// The end of a question, where what is asked stands.
pub(super) fn tail(question: &str) -> &str {
    let mut from = question.len().saturating_sub(TAIL);
    while !question.is_char_boundary(from) {
        from += 1;
    }
    question.get(from..).unwrap_or_default()
}

/// `A) Postgres`, `(b) MySQL`, `3. Redis`: options on lines of their own, in order.
pub(super) fn listed(text: &str) -> Option<Asked> {
    let mut found: Vec<&str> = Vec::new();
    for line in text.lines() {
        let expected = u8::try_from(found.len()).ok()?;
        if let Some(option) = marked(line.trim(), expected) {
            found.push(option);
        }
    }
    let fits = (2..=MOST_OPTIONS).contains(&found.len());
    fits.then(|| Asked::among(found))?
}

/// What a line says after the mark of the n-th option.
fn marked(line: &str, n: u8) -> Option<&str> {
    let body = line.strip_prefix('(').unwrap_or(line);
    let rest = if n < 26 && body.get(..1)?.eq_ignore_ascii_case(&char::from(b'a' + n).to_string()) {
        body.get(1..)?
    } else {
        body.strip_prefix(&(u32::from(n) + 1).to_string())?
    };
    let said = rest.strip_prefix([')', '.', ':'])?.trim();
    (!said.is_empty() && said.len() <= 200).then_some(said)
}

/// True of a question, in lower case, that a number answers.
pub(super) fn is_count(asked: &str) -> bool {
    COUNTS.iter().any(|start| asked.starts_with(start) || asked.contains(&format!(" {start} ")))
}
