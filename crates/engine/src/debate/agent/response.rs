//! What an agent answers.

use rebuttal_llm::Usage;
use rebuttal_policy::voting::ABSTAIN;
use serde::Serialize;

/// An answer to the debate's question, with reasons.
///
/// It has no field for a name: an agent votes for itself and for nobody else.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Vote {
    answer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    conviction: Option<f64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    thesis: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranking: Vec<String>,
    evidence: Vec<String>,
    rebuttals: Vec<Answered>,
}

/// An answer to one numbered item of the other side.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Answered {
    item: u32,
    text: String,
}

impl Vote {
    /// A vote for an answer, which must be one of the options where there are any.
    pub fn new(answer: impl Into<String>) -> Self {
        Self { answer: answer.into(), ..Self::default() }
    }

    /// Sets how sure the agent is, from 0 to 1.
    #[must_use]
    pub fn conviction(mut self, conviction: f64) -> Self {
        self.conviction = Some(conviction);
        self
    }

    /// Sets why, in one or two sentences.
    #[must_use]
    pub fn thesis(mut self, thesis: impl Into<String>) -> Self {
        self.thesis = thesis.into();
        self
    }

    /// Sets the options in order, the best first, for rules that count more than first choices.
    #[must_use]
    pub fn ranking<S: Into<String>>(mut self, options: impl IntoIterator<Item = S>) -> Self {
        self.ranking = options.into_iter().map(Into::into).collect();
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn evidence(mut self, item: impl Into<String>) -> Self {
        self.evidence.push(item.into());
        self
    }

    /// Abstains: the agent votes for nothing. Reasons may still be given.
    pub fn abstain() -> Self {
        Self::new(ABSTAIN)
    }

    /// Adds a rebuttal of one of the other side's numbered items, as [`Ask`](super::Ask) lists them.
    #[must_use]
    pub fn rebuttal(mut self, item: u32, text: impl Into<String>) -> Self {
        self.rebuttals.push(Answered { item, text: text.into() });
        self
    }
}

/// What came of one call: the words, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    pub(in crate::debate) text: String,
    pub(in crate::debate) usage: Usage,
    pub(in crate::debate) requests: u32,
}

impl Response {
    /// Words as a model wrote them. The JSON object in them is read by the debate.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), usage: Usage::default(), requests: 1 }
    }

    /// Sets how many tokens it took.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Sets how many requests were sent to a provider for it, failed ones included.
    #[must_use]
    pub fn with_requests(mut self, requests: u32) -> Self {
        self.requests = requests;
        self
    }
}

impl From<Vote> for Response {
    fn from(vote: Vote) -> Self {
        // The journal holds every answer in the form models write it, and one reader reads them all.
        let text = serde_json::to_string(&vote).unwrap_or_default();
        Self::text(text)
    }
}
