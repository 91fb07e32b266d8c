//! Answers that come near to an option, abstentions, and answers that mean the same as others.

use rebuttal_text::{Choice, plain};

use super::answer::{Answer, same_text};
use super::options::Options;

/// What an agent answers with that votes for nothing.
pub const ABSTAIN: &str = "abstain";

/// Words that an answer may have and an option may lack, or the other way round.
const FILLERS: [&str; 6] = ["a", "an", "the", "to", "option", "please"];

impl Options {
    /// Which option an answer means, where one that only comes near counts too: it says part of the
    /// name of one option and of no other, and nothing beside it.
    ///
    /// ```
    /// use rebuttal_policy::voting::{Answer, Options};
    ///
    /// let options = Options::given(["BUY", "SELL", "HOLD AAPL"]).unwrap();
    /// assert_eq!(options.read_near("hold."), Answer::Option("HOLD AAPL".into()));
    /// assert!(matches!(options.read_near("not hold"), Answer::Outside(_)));
    /// ```
    pub fn read_near(&self, answer: &str) -> Answer {
        let read = self.read(answer);
        match (&read, self) {
            (Answer::Outside(_), Self::Choices(choices)) => {
                near(answer, choices).map_or(read, Answer::Option)
            }
            _ => read,
        }
    }

    /// True when an answer says that it is none.
    pub fn abstains(&self, answer: &str) -> bool {
        let said = plain(answer);
        let says = ["abstain", "i abstain", "abstained", "abstention"].contains(&said.as_str());
        says && !self.is_option(answer)
    }

    /// True when the question has an option of this name.
    pub fn is_option(&self, name: &str) -> bool {
        self.names().iter().any(|option| plain(option) == plain(name))
    }

    /// True when the answers make the options.
    pub fn is_open(&self) -> bool {
        self.names().is_empty()
    }

    /// The first of the answers known to mean the same as this one; itself where nothing is known.
    pub(super) fn group_name(groups: &[Choice], text: &str) -> String {
        let means = |choice: &&Choice| choice.names().any(|name| same_text(name, text));
        groups.iter().find(means).map_or_else(|| text.to_owned(), |choice| choice.name.clone())
    }
}

/// The words of a text that say something.
fn words(text: &str) -> Vec<String> {
    let plain = plain(text);
    let all: Vec<String> = plain.split_whitespace().map(str::to_owned).collect();
    let kept: Vec<String> =
        all.iter().filter(|word| !FILLERS.contains(&word.as_str())).cloned().collect();
    if kept.is_empty() { all } else { kept }
}

fn near(answer: &str, choices: &[Choice]) -> Option<String> {
    let said = words(answer);
    if said.is_empty() {
        return None;
    }
    let is_in = |choice: &&Choice| {
        choice.names().any(|name| words(name).windows(said.len()).any(|part| part == said))
    };
    let mut found = choices.iter().filter(is_in);
    match (found.next(), found.next()) {
        (Some(choice), None) => Some(choice.name.clone()),
        _ => None,
    }
}
