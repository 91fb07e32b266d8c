//! A branch of a debate: everything up to the end of a round is kept, and from there it goes another
//! way.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, DebateId, DebateSpec, Event, Record};

use super::state::FoldError;

/// What the branch changes.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The branch's own id.
    pub id: Option<DebateId>,
    /// Another protocol; must keep to the same question.
    pub protocol: Option<rebuttal_model::Protocol>,
    /// Who answers from now on for whom. What was said before stays as it was said.
    pub seats: BTreeMap<AgentId, String>,
}

/// Why there is no such branch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForkError {
    /// The records do not make a debate.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// Nobody of that name takes part.
    #[error("{0} does not take part; those who do are {1}")]
    NoAgent(AgentId, String),
    /// The debate never finished that round.
    #[error("the debate has no finished round {round}; its last is {last}")]
    NoRound {
        /// The round asked for.
        round: u32,
        /// The last there is.
        last: u32,
    },
}

/// The first records of a branch after `round`: the events to write into a journal of its own.
pub fn fork(records: &[Record], round: u32, changes: Changes) -> Result<Vec<Event>, ForkError> {
    let first = records.first().ok_or(FoldError::Empty)?;
    let Event::DebateStarted { spec } = &first.event else { return Err(FoldError::NoStart.into()) };
    let ends = |record: &Record| match &record.event {
        Event::RoundEnded { record } => Some(record.round),
        _ => None,
    };
    let at = records.iter().position(|record| ends(record) == Some(round));
    let Some(at) = at else {
        let last = records.iter().filter_map(ends).max().unwrap_or(0);
        return Err(ForkError::NoRound { round, last });
    };
    let kept = records.get(..=at).unwrap_or_default();
    let seq = kept.last().map_or(0, |record| record.seq);
    let mut panel = spec.panel.clone();
    for (agent, by) in &changes.seats {
        let Some(member) = panel.iter_mut().find(|member| member.agent == *agent) else {
            let names: Vec<&str> = spec.panel.iter().map(|member| member.agent.as_str()).collect();
            return Err(ForkError::NoAgent(agent.clone(), names.join(", ")));
        };
        // The model's name stays: it is part of what was said before the branch.
        member.answered_by = Some(by.clone());
    }
    let id = changes.id.unwrap_or_else(|| DebateId::new(format!("{}-fork-{round}", spec.id)));
    let mut protocol = changes.protocol.unwrap_or_else(|| spec.protocol.clone());
    if protocol.rule == rebuttal_model::Protocol::USUAL_RULE {
        protocol.rule.clone_from(&spec.protocol.rule);
    }
    let spec = DebateSpec {
        id,
        panel,
        protocol,
        forked_from: Some((spec.id.clone(), seq)),
        ..(**spec).clone()
    };
    let later = kept.iter().skip(1).map(|record| record.event.clone());
    Ok(std::iter::once(Event::DebateStarted { spec: Box::new(spec) }).chain(later).collect())
}
