//! One transcript after the detectors have read it.

use std::sync::Arc;

use rebuttal_detect::Questions;
use rebuttal_model::{AgentId, DebateId, Finding, Severity, Transcript};

use super::Sentences;

/// What one agent did in one transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentCount {
    /// The agent.
    pub agent: AgentId,
    /// How many turns it took.
    pub turns: usize,
    /// In how many of them a position could be read.
    pub positions: usize,
}

/// Whether a report needs the conversation itself, or only what was found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The page shows it.
    Conversation,
    /// Quotes are enough; memory stays flat.
    FindingsOnly,
}

/// One transcript after the detectors have read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited {
    /// The file it came from, as the user named it.
    pub file: Arc<str>,
    /// The transcript's id.
    pub id: DebateId,
    /// All turns, whoever spoke.
    pub turns: usize,
    /// The agents in the order they first spoke.
    pub agents: Vec<AgentCount>,
    /// What to show.
    pub findings: Vec<Finding>,
    /// The sentences that the quotes stand in.
    pub sentences: Sentences,
    /// What was found but is milder than the user wants to see.
    pub hidden: Vec<Severity>,
    /// How many turns of agents are not in English.
    pub not_english: usize,
    /// How often a model was asked.
    pub questions: Questions,
    /// The conversation, for reports that show it.
    pub transcript: Option<Transcript>,
}

impl Audited {
    /// The transcript's name for a person: its file, and its id where that says more.
    pub fn label(&self) -> String {
        let (file, id) = (&*self.file, self.id.as_str());
        let base = file.rsplit(['/', '\\', '!']).next().unwrap_or(file);
        match id.strip_prefix(base) {
            // A transcript without an id of its own is called `file#n` by its importer.
            Some("" | "#1") => file.to_owned(),
            Some(number) if number.starts_with('#') => format!("{file}{number}"),
            _ if id == file => file.to_owned(),
            _ => format!("{file} {id}"),
        }
    }

    /// A copy with nothing but what was found, where there is no room for the rest.
    #[must_use]
    pub fn without_conversation(&self) -> Self {
        Self {
            file: Arc::clone(&self.file),
            id: self.id.clone(),
            turns: self.turns,
            agents: self.agents.clone(),
            findings: self.findings.clone(),
            sentences: self.sentences.clone(),
            hidden: self.hidden.clone(),
            not_english: self.not_english,
            questions: self.questions,
            transcript: None,
        }
    }

    /// The findings about one agent, in the order of the debate.
    pub fn about(&self, agent: &AgentId) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.agent == *agent)
    }

    /// The agents' names in the order they first spoke.
    pub fn names(&self) -> impl Iterator<Item = &AgentId> {
        self.agents.iter().map(|count| &count.agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(file: &str, id: &str) -> String {
        let audited = Audited {
            file: file.into(),
            id: DebateId::new(id),
            turns: 0,
            agents: Vec::new(),
            findings: Vec::new(),
            sentences: Sentences::default(),
            hidden: Vec::new(),
            not_english: 0,
            questions: Questions::default(),
            transcript: None,
        };
        audited.label()
    }

    #[test]
    fn a_label_says_nothing_twice() {
        assert_eq!(label("logs/a.json", "a.json#1"), "logs/a.json");
        assert_eq!(label("logs/a.json", "a.json#2"), "logs/a.json#2");
        assert_eq!(label("logs/a.json", "debate-7"), "logs/a.json debate-7");
    }
}
