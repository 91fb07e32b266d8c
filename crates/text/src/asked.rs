//! What a question can be answered with: yes or no, one of its options, a number, or anything.
//!
//! The kind of a question decides which positions exist: where none of yes and no was asked for,
//! neither is read into what is said.

mod first;
mod inline;
mod stated;
mod words;

use serde::{Deserialize, Serialize};

/// Most options a question may list. A ballot with more is nobody's question.
pub const MOST_OPTIONS: usize = 100;

/// One thing that can be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What it is called in the record.
    pub name: String,
    /// What else it is called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
}

impl Choice {
    /// A choice from `name|synonym|synonym`.
    pub fn new(text: &str) -> Self {
        let mut parts = text.split('|').map(|part| part.trim().to_owned());
        let name = parts.next().unwrap_or_default();
        Self { name, synonyms: parts.filter(|part| !part.is_empty()).collect() }
    }

    /// Its name and its synonyms.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.synonyms).map(String::as_str)
    }
}

/// What a question can be answered with.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// Yes or no.
    YesNo,
    /// One of these.
    Options(Vec<Choice>),
    /// A number.
    Number,
    /// Anything: "How should we store the logs?".
    Open,
    /// Nothing: there is no question.
    Nothing,
}

impl Asked {
    /// What a question asks for.
    ///
    /// ```
    /// use rebuttal_text::Asked;
    ///
    /// assert_eq!(Asked::of("Should we migrate to Kubernetes?"), Asked::YesNo);
    /// assert_eq!(Asked::of("How should we migrate?"), Asked::Open);
    /// assert!(matches!(Asked::of("Postgres or MySQL?"), Asked::Options(two) if two.len() == 2));
    /// assert_eq!(Asked::of("  "), Asked::Nothing);
    /// ```
    pub fn of(question: &str) -> Self {
        if !question.contains(char::is_alphanumeric) {
            return Self::Nothing;
        }
        if let Some(lettered) = inline::lettered(words::tail(question)) {
            return lettered;
        }
        match stated::asked_by(question) {
            Self::Options(choices) if is_yes_or_no(&choices) => Self::YesNo,
            Self::YesNo if inline::orders(question) => Self::Open,
            Self::Open if inline::is_motion(question) => Self::YesNo,
            asked => asked,
        }
    }

    /// What debates of policy version 1 and later found in a question.
    pub fn stated(question: &str) -> Self {
        stated::asked_by(question)
    }

    /// What debates of policy version 0 found in a question.
    pub fn first(question: &str) -> Self {
        first::asked_by(question)
    }

    /// One of these options, each `name` or `name|synonym`; `None` unless they can be told apart.
    pub fn among<S: AsRef<str>>(options: impl IntoIterator<Item = S>) -> Option<Self> {
        let choices: Vec<Choice> =
            options.into_iter().map(|option| Choice::new(option.as_ref())).collect();
        are_distinct(&choices).then_some(Self::Options(choices))
    }
}

/// True when each has names of its own.
fn are_distinct(choices: &[Choice]) -> bool {
    let mut seen: Vec<(String, usize)> = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        for name in choice.names() {
            let key = plain(name);
            if key.is_empty() || seen.iter().any(|(other, at)| *other == key && *at != index) {
                return false;
            }
            seen.push((key, index));
        }
    }
    (2..=MOST_OPTIONS).contains(&choices.len())
}

/// "Do you agree or disagree?" names two options that are a yes and a no.
fn is_yes_or_no(choices: &[Choice]) -> bool {
    use crate::answers::side_named;
    let sides: Vec<_> = choices.iter().map(|choice| side_named(&plain(&choice.name))).collect();
    matches!(sides.as_slice(), [Some(one), Some(two)] if one != two)
}

/// The words of a text without case, punctuation and decoration.
pub fn plain(text: &str) -> String {
    let kept = |piece: &str| piece.chars().flat_map(char::to_lowercase).collect::<String>();
    let pieces = text.split(|letter: char| !letter.is_alphanumeric());
    pieces.filter(|piece| !piece.is_empty()).map(kept).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(question: &str) -> Vec<String> {
        match Asked::of(question) {
            Asked::Options(choices) => choices.into_iter().map(|choice| choice.name).collect(),
            other => panic!("{question}: {other:?}"),
        }
    }

    #[test]
    fn lettered_options_are_found_on_lines_and_in_a_line() {
        assert_eq!(
            names("Which metal melts first?\nA) lead\nB) iron\nC) tin"),
            ["lead", "iron", "tin"]
        );
        assert_eq!(names("Which one? (A) lead (B) iron (C) tin"), ["lead", "iron", "tin"]);
        assert_eq!(
            names("Pick one: A: the old bridge, B: the new ferry"),
            ["the old bridge", "the new ferry"]
        );
        assert_eq!(Asked::of("Is (a) in the contract?"), Asked::YesNo);
    }

    #[test]
    fn sides_of_one_question_are_no_options() {
        for question in
            ["Do you agree or disagree?", "Is the claim true or false?", "For or against?"]
        {
            assert_eq!(Asked::of(question), Asked::YesNo, "{question}");
        }
    }

    #[test]
    fn no_yes_or_no_is_asked_by_an_open_question_or_an_order() {
        for question in [
            "What is the best way to cool a server room?",
            "Do the following steps and report back.",
            "Write a function that sorts a list.",
            "Why did the bridge fail?",
            "Which city is larger?",
        ] {
            assert_eq!(Asked::of(question), Asked::Open, "{question}");
        }
        assert_eq!(Asked::of("How many bridges are there?"), Asked::Number);
        assert_eq!(Asked::of("Motion: This house would close the harbour."), Asked::YesNo);
    }

    #[test]
    fn nothing_is_asked_by_nothing() {
        for question in ["", "   ", "\n?!\n", "…"] {
            assert_eq!(Asked::of(question), Asked::Nothing);
        }
    }
}
