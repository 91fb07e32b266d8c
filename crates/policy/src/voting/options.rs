//! What a question can be answered with.

use rebuttal_text::{Asked, Choice, MOST_OPTIONS as MOST, plain};
use serde::{Deserialize, Serialize};

/// What a question can be answered with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "choices", rename_all = "snake_case")]
pub enum Options {
    /// Yes or no.
    YesNo,
    /// One of the listed options.
    Choices(Vec<Choice>),
    /// A number.
    Number,
    /// Anything. Answers that say the same count as one.
    Free,
    /// Anything, where these answers are known to mean the same as others: each is a group under the
    /// name of its first, with the others as its synonyms.
    Groups(Vec<Choice>),
}

/// Why options were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// A choice needs two.
    #[error("a question needs at least two options, and {0} was given")]
    TooFew(usize),
    /// More than anybody can rank.
    #[error("{0} options are given, and at most {MOST} can be")]
    TooMany(usize),
    /// An option without a letter or digit.
    #[error("option {0} has no name")]
    Blank(usize),
    /// Two options that no answer could tell apart.
    #[error("options {one} and {two} have the name “{name}” in common")]
    Twice {
        /// The first one's number.
        one: usize,
        /// The second one's number.
        two: usize,
        /// The name.
        name: String,
    },
}

impl Options {
    /// These options, each `name` or `name|synonym|…`.
    ///
    /// ```
    /// use rebuttal_policy::voting::{Answer, Options};
    ///
    /// let options = Options::given(["Kubernetes|k8s", "Nomad"]).unwrap();
    /// assert_eq!(options.read("K8s."), Answer::Option("Kubernetes".into()));
    /// assert_eq!(options.read("(b)"), Answer::Option("Nomad".into()));
    /// assert!(Options::given(["Nomad", "nomad!"]).is_err());
    /// ```
    pub fn given<S: AsRef<str>>(
        options: impl IntoIterator<Item = S>,
    ) -> Result<Self, OptionsError> {
        let choices: Vec<Choice> =
            options.into_iter().map(|option| Choice::new(option.as_ref())).collect();
        match choices.len() {
            few @ 0..=1 => return Err(OptionsError::TooFew(few)),
            many if many > MOST => return Err(OptionsError::TooMany(many)),
            _ => {}
        }
        let mut seen: Vec<(String, usize)> = Vec::new();
        for (index, choice) in choices.iter().enumerate() {
            for name in choice.names() {
                let key = plain(name);
                if key.is_empty() {
                    return Err(OptionsError::Blank(index + 1));
                }
                match seen.iter().find(|(other, at)| *other == key && *at != index) {
                    Some((_, one)) => {
                        let name = name.to_owned();
                        return Err(OptionsError::Twice { one: one + 1, two: index + 1, name });
                    }
                    None => seen.push((key, index)),
                }
            }
        }
        Ok(Self::Choices(choices))
    }

    /// The options found in a question's own words: those it lists, yes and no, a number, or
    /// anything.
    pub fn of_question(question: &str) -> Self {
        Asked::stated(question).into()
    }

    /// The options that debates of policy version 0 found in a question.
    pub fn of_question_first(question: &str) -> Self {
        Asked::first(question).into()
    }

    /// The names of the options in the question's order; none where the answers make them.
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::YesNo => vec!["yes".to_owned(), "no".to_owned()],
            Self::Choices(choices) => choices.iter().map(|choice| choice.name.clone()).collect(),
            Self::Number | Self::Free | Self::Groups(_) => Vec::new(),
        }
    }
}

impl From<Asked> for Options {
    fn from(asked: Asked) -> Self {
        match asked {
            Asked::YesNo => Self::YesNo,
            Asked::Options(choices) => Self::Choices(choices),
            Asked::Number => Self::Number,
            Asked::Open | Asked::Nothing => Self::Free,
        }
    }
}
