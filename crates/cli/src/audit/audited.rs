//! One transcript after the detectors have read it.

use std::collections::HashMap;
use std::sync::Arc;

use rebuttal::detect::scores::detect_domain;
use rebuttal::detect::{AgentRecord, DebateView, Questions, Reader, examine};
use rebuttal::engine::hindsight;
use rebuttal::model::{AgentId, DebateId, Finding, Role, Severity, Transcript, Turn};
use rebuttal_semantics::{BuiltinVectors, Cached, HashedWords, Trust};

use super::sentence::Sentences;
use crate::config::GENERAL;
use crate::plan::AuditPlan;

/// What one agent did in one transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AgentCount {
    /// Who.
    pub(crate) agent: AgentId,
    /// How many turns it took.
    pub(crate) turns: usize,
    /// In how many of them a position could be read.
    pub(crate) positions: usize,
}

/// Whether a report needs the conversation itself, or only what was found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The page shows it.
    Conversation,
    /// Quotes are enough; memory stays flat.
    FindingsOnly,
}

/// One transcript after the detectors have read it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Audited {
    /// The file it came from, as the user named it.
    pub(crate) file: Arc<str>,
    /// The transcript's id.
    pub(crate) id: DebateId,
    /// All turns, whoever spoke.
    pub(crate) turns: usize,
    /// The agents in the order they first spoke.
    pub(crate) agents: Vec<AgentCount>,
    /// What to show.
    pub(crate) findings: Vec<Finding>,
    /// The sentences that the quotes stand in.
    pub(crate) sentences: Sentences,
    /// What was found but is milder than the user wants to see.
    pub(crate) hidden: Vec<Severity>,
    /// How many turns of agents are not in English.
    pub(crate) not_english: usize,
    /// How often a model was asked.
    pub(crate) questions: Questions,
    /// The conversation, for reports that show it.
    pub(crate) transcript: Option<Transcript>,
}

/// Where the trickster would have stepped in. The seed's word lists know nothing of it.
fn hollow(transcript: &Transcript, plan: &AuditPlan) -> Vec<Finding> {
    let field = transcript.question.as_deref().and_then(detect_domain).unwrap_or(GENERAL);
    let Some(config) = plan.trickster.as_ref().and_then(|by_field| by_field.get(field)) else {
        return Vec::new();
    };
    let looked = match plan.reading.chosen.reader {
        Reader::Seed => return Vec::new(),
        Reader::Rules => hindsight::hindsight(transcript, &HashedWords, config),
        Reader::Model(_) => {
            let embedder = Cached::new(BuiltinVectors, CACHED_BYTES);
            hindsight::hindsight(transcript, &embedder, config)
        }
    };
    hindsight::findings(transcript, &looked)
}

/// How many turns of agents nothing can be said of, because the analysis is for English.
fn not_english(transcript: &Transcript) -> usize {
    let foreign =
        |turn: &&Turn| turn.role == Role::Agent && Trust::of(&turn.text) == Trust::NotEnglish;
    transcript.turns.iter().filter(foreign).count()
}

/// What the vectors of one transcript's turns may take: a debate of a few hundred turns.
const CACHED_BYTES: usize = 4 << 20;

impl Audited {
    /// Runs the detectors.
    pub(crate) fn new(
        file: Arc<str>,
        transcript: Transcript,
        plan: &AuditPlan,
        keep: Keep,
    ) -> Self {
        let mut audit = examine(&DebateView::new(&transcript), plan.reading.chosen.reader);
        audit.findings.extend(hollow(&transcript, plan));
        audit
            .findings
            .sort_by_key(|finding| (finding.quotes.last().turn, finding.quotes.last().span));
        let agents = count_agents(&transcript, audit.records);
        let (findings, hidden): (Vec<_>, Vec<_>) =
            audit.findings.into_iter().partition(|finding| finding.severity >= plan.min_severity);
        Self {
            file,
            id: transcript.id.clone(),
            turns: transcript.turns.len(),
            sentences: Sentences::around(&findings, &transcript),
            agents,
            findings,
            not_english: not_english(&transcript),
            hidden: hidden.into_iter().map(|finding| finding.severity).collect(),
            questions: audit.questions,
            transcript: match keep {
                Keep::Conversation => Some(transcript),
                Keep::FindingsOnly => None,
            },
        }
    }

    /// The transcript's name for a person: its file, and its id where that says more.
    pub(crate) fn label(&self) -> String {
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

    /// The same with nothing but what was found, where there is no room for the rest.
    pub(crate) fn without_conversation(&self) -> Self {
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
    pub(crate) fn about(&self, agent: &AgentId) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.agent == *agent)
    }

    /// The agents' names in the order they first spoke.
    pub(crate) fn names(&self) -> impl Iterator<Item = &AgentId> {
        self.agents.iter().map(|count| &count.agent)
    }
}

/// Turns and positions per agent, in the order they first spoke.
fn count_agents(transcript: &Transcript, records: Vec<AgentRecord>) -> Vec<AgentCount> {
    let mut turns: HashMap<&AgentId, usize> = HashMap::new();
    for turn in transcript.turns.iter().filter(|turn| turn.role == Role::Agent) {
        *turns.entry(&turn.agent).or_default() += 1;
    }
    records
        .into_iter()
        .map(|record| AgentCount {
            turns: turns.get(&record.agent).copied().unwrap_or_default(),
            positions: record.held.len(),
            agent: record.agent,
        })
        .collect()
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
