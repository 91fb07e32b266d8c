//! One transcript after the detectors have read it.

use std::collections::HashMap;
use std::sync::Arc;

use rebuttal_detect::scores::{GENERAL, detect_domain};
use rebuttal_detect::{AgentRecord, DebateView, Reader, examine};
use rebuttal_engine::hindsight;
use rebuttal_model::{AgentId, Finding, Role, Transcript, Turn};
use rebuttal_report::audit::{AgentCount, Audited, Keep, Sentences};
use rebuttal_semantics::{BuiltinVectors, HashedWords, Trust};

use super::AuditSettings;

/// Where the trickster would have stepped in. The seed's word lists know nothing of it.
fn hollow(view: &DebateView<'_>, settings: &AuditSettings) -> Vec<Finding> {
    let field = view.transcript.question.as_deref().and_then(detect_domain).unwrap_or(GENERAL);
    let Some(config) = settings.trickster.as_ref().and_then(|by_field| by_field.get(field)) else {
        return Vec::new();
    };
    let looked = match settings.analyzer.reader() {
        Reader::Seed => return Vec::new(),
        Reader::Rules => hindsight::hindsight(view, &HashedWords, config),
        Reader::Model(_) => hindsight::hindsight(view, &BuiltinVectors, config),
    };
    hindsight::findings(view, &looked)
}

/// How many turns of agents nothing can be said of, because the analysis is for English.
fn not_english(transcript: &Transcript) -> usize {
    let foreign =
        |turn: &&Turn| turn.role == Role::Agent && Trust::of(&turn.text) == Trust::NotEnglish;
    transcript.turns.iter().filter(foreign).count()
}

/// Runs the detectors. `file` is what the transcript's source is called in the result.
pub fn audit_as(
    file: Arc<str>,
    transcript: Transcript,
    settings: &AuditSettings,
    keep: Keep,
) -> Audited {
    let view = DebateView::new(&transcript);
    let mut audit = examine(&view, settings.analyzer.reader());
    audit.findings.extend(hollow(&view, settings));
    drop(view);
    audit.findings.sort_by_key(|finding| (finding.quotes.last().turn, finding.quotes.last().span));
    let agents = count_agents(&transcript, audit.records);
    let (findings, hidden): (Vec<_>, Vec<_>) =
        audit.findings.into_iter().partition(|finding| finding.severity >= settings.min_severity);
    Audited {
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
