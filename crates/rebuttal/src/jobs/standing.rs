//! Where a debate stands, for whoever asks: what runs here, what is stored, and why it does not go on.

use rebuttal_engine::debate::Waiting;
use rebuttal_model::{AgentId, Budget, DebateId};
use rebuttal_store::Store;
use serde::Serialize;

use super::{Jobs, Known};
use crate::debates::{self, StoredDebate};
use crate::error::{Error, Result};

/// One word for where a debate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StandingWord {
    /// It has an answer.
    Decided,
    /// It has ended without one.
    Undecided,
    /// Its agents are being found.
    Starting,
    /// It runs here.
    Running,
    /// It waits for a person.
    Waiting,
    /// It could not go on here.
    Failed,
    /// It has not ended and does not run here.
    Unfinished,
}

/// Where a debate stands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// Which debate.
    pub debate: DebateId,
    /// In one word.
    pub word: StandingWord,
    /// What it has come to so far, once it is stored.
    pub so_far: Option<SoFar>,
    /// Where it waits for a person, and why.
    pub breakpoint: Option<Waiting>,
    /// Why it does not run, or what became of it.
    pub error: Option<Error>,
}

/// What a debate has come to so far.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SoFar {
    /// What it is about.
    pub question: String,
    /// Who takes part.
    pub agents: Vec<AgentId>,
    /// The round it is in; 0 is the blind one.
    pub round: usize,
    /// Most rounds it may have after that.
    pub rounds_at_most: u32,
    /// Requests to models.
    pub calls: u64,
    /// Tokens, read and written.
    pub tokens: u64,
    /// What that cost, as far as prices are known.
    pub usd: f64,
    /// What it may cost.
    pub budget: Budget,
    /// The answer, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl SoFar {
    /// What a stored debate has come to.
    pub fn of(debate: &StoredDebate) -> Self {
        let (state, spec) = (&debate.state, debate.state.spec());
        let spent = state.spent;
        #[expect(
            clippy::cast_precision_loss,
            reason = "dollars have fewer than 53 bits of millionths"
        )]
        let usd = spent.micro_usd as f64 / 1e6;
        Self {
            question: spec.question.clone(),
            agents: spec.panel.iter().map(|member| member.agent.clone()).collect(),
            round: state.rounds.len().saturating_sub(1),
            rounds_at_most: spec.protocol.rounds,
            calls: spent.calls,
            tokens: spent.input_tokens.saturating_add(spent.output_tokens),
            usd,
            budget: spec.protocol.budget,
            answer: state.decision.as_ref().and_then(|decision| decision.answer.clone()),
        }
    }
}

impl Standing {
    /// Where a debate stands whose id is known.
    pub async fn of(id: &DebateId, jobs: &Jobs, store: &Store) -> Result<Self> {
        let known = jobs.known(id);
        let stored =
            if is_stored(store, id).await? { Some(debates::read(store, id).await?) } else { None };
        Ok(Self {
            debate: id.clone(),
            word: word(&known, stored.as_ref()),
            so_far: stored.as_ref().map(SoFar::of),
            breakpoint: stored.as_ref().and_then(|debate| Waiting::of(&debate.state, jobs.now())),
            error: match known {
                Known::Failed(error) => Some(error),
                Known::Starting | Known::Running | Known::Nothing => None,
            },
        })
    }
}

fn word(known: &Known, stored: Option<&StoredDebate>) -> StandingWord {
    let decision = stored.and_then(|debate| debate.state.decision.as_ref());
    match (decision, known) {
        (Some(decision), _) if decision.answer.is_some() => StandingWord::Decided,
        (Some(_), _) => StandingWord::Undecided,
        (None, Known::Starting) => StandingWord::Starting,
        (None, Known::Running) => StandingWord::Running,
        (None, _) if stored.is_some_and(|debate| debate.state.paused.is_some()) => {
            StandingWord::Waiting
        }
        (None, Known::Failed(_)) => StandingWord::Failed,
        (None, Known::Nothing) => StandingWord::Unfinished,
    }
}

/// Whether anything of a debate is in the database.
pub async fn is_stored(store: &Store, id: &DebateId) -> Result<bool> {
    let stored = store.debate_ids(id.as_str(), 1).await?;
    Ok(stored.first() == Some(id))
}
