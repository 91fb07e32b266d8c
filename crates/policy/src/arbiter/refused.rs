//! Why a model's answer does not count.

/// Why a model's answer on a contradiction does not count. What it wrote is repeated in short and
/// without hidden characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// For callers: the model could not be asked, or did not answer.
    #[error("there is no answer: {0}")]
    NoReply(String),
    /// More text than any ruling needs.
    #[error("the answer has {bytes} bytes; at most {most} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The most that is read.
        most: usize,
    },
    /// Nothing in it is what was asked for.
    #[error("the answer holds no JSON {0}")]
    NoJson(&'static str),
    /// The answer ends in the middle.
    #[error("the answer is cut off before its end")]
    CutOff,
    /// Two answers that differ; one may be a repetition of what an agent wrote.
    #[error("the answer holds more than one ruling, and they differ")]
    Several,
    /// A batch was answered without this contradiction.
    #[error("the answer has no item with the id \"{0}\"")]
    NoItem(String),
    /// A batch was answered with this contradiction twice.
    #[error("the answer has more than one item with the id \"{0}\"")]
    Twice(String),
    /// The schema asks for it.
    #[error("the field `{0}` is missing")]
    MissingField(&'static str),
    /// The schema asks for something else.
    #[error("the field `{field}` must be {wants}, not {found}")]
    WrongType {
        /// The field of the reply.
        field: &'static str,
        /// What the schema says.
        wants: &'static str,
        /// What stands there.
        found: String,
    },
    /// No known resolution or action.
    #[error("the field `{field}`: {message}")]
    Unknown {
        /// The field of the reply.
        field: &'static str,
        /// What is known.
        message: String,
    },
    /// There are fewer agents.
    #[error("the field `{field}` names agent {number}, and there are {sides}")]
    NoSuchSide {
        /// The field of the reply.
        field: &'static str,
        /// The number it names.
        number: usize,
        /// How many there are.
        sides: usize,
    },
    /// Two fields that cannot both be meant.
    #[error("the answer contradicts itself: {0}")]
    Inconsistent(String),
    /// A confidence is within 0 to 1.
    #[error("the confidence {0} is not within 0 to 1{hint}", hint = percent(.0))]
    Confidence(String),
    /// No side gives this value.
    #[error("the recommended value {0} is invented: no agent gives it")]
    InventedValue(String),
    /// No side gives this citation.
    #[error("the recommended citation {0} is invented: no agent gives it")]
    InventedCitation(String),
    /// The explanation has a number that was not provided.
    #[error("the number {0} in the explanation is invented: it was not provided")]
    InventedNumber(String),
    /// The explanation names somebody or something that was not provided.
    #[error("the name {0} in the explanation is invented: it was not provided")]
    InventedName(String),
}

/// 85 is most likely meant as a share of a hundred; guessing is not ours.
fn percent(value: &str) -> &'static str {
    let is_percent = value.parse::<f64>().is_ok_and(|value| (1.0..=100.0).contains(&value));
    if is_percent { "; a percentage must be divided by 100" } else { "" }
}

impl Refused {
    /// True when the model wrote something that was not provided.
    pub fn is_invented(&self) -> bool {
        matches!(self, Self::InventedValue(_) | Self::InventedCitation(_) | Self::InventedNumber(_))
    }
}
