//! What later debates ask of flips. Has this agent flipped on this before? Which matters are contested?

use jiff::Timestamp;
use rebuttal_engine::ledger::{is_on, nearest};
use rebuttal_model::{AgentId, FlipKind, Stance};
use rebuttal_store::{Answer, Contested, KnowledgeStore, KnownFlip, Store};
use serde::{Serialize, Serializer};

use crate::error::{Result, err};
use crate::models::Analyzer;

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub struct KnowledgeQuery<'q> {
    /// Words, or the name of a field, an agent or a kind of flip; none: the latest flips.
    pub words: &'q str,
    /// If set, only flips of this agent.
    pub agent: Option<&'q str>,
    /// At most so many.
    pub limit: u32,
}

/// Flips that were found.
///
/// As JSON `{ "flips": [ { "id", "agent", "words", "before", "after", "kind", "toward", "domain",
/// "happened_at", "on_the_matter": bool } ] }`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KnowledgeFound {
    /// These.
    pub flips: Vec<KnownFlip>,
    /// For each, whether it is on what was asked about, or only shares a word with it.
    pub on_the_matter: Vec<bool>,
    /// Whether they are a list (of a field, an agent, a kind, or the latest), and not found by words.
    pub is_list: bool,
}

/// Searches what is known of flips. With an analyzer whose models embed, by meaning; else by words.
pub async fn search_knowledge(
    store: &Store,
    query: KnowledgeQuery<'_>,
    analyzer: Option<&Analyzer>,
) -> Result<KnowledgeFound> {
    let KnowledgeQuery { words, agent, limit } = query;
    let knowledge = store.knowledge();
    let named = knowledge.named(words, agent, limit).await?;
    let is_list = words.trim().is_empty() || !named.is_empty();
    let models = analyzer.and_then(|analyzer| analyzer.reader().models());
    let flips = if !named.is_empty() {
        named
    } else if let Some(models) = models.filter(|models| models.embeds() && !is_list) {
        let near = nearest(&knowledge, &*models.embedder, words, agent, limit);
        answered(Box::pin(near)).await?
    } else {
        match agent {
            Some(agent) => answered(knowledge.flips_of(agent, words, limit)).await?,
            None => answered(knowledge.search(words, limit)).await?,
        }
    };
    let on_the_matter = flips.iter().map(|flip| is_list || is_on(flip, words)).collect();
    Ok(KnowledgeFound { flips, on_the_matter, is_list })
}

/// Matters that agents flip on, the most contested first.
///
/// As JSON `{ "contested": [ { "words", "agents", "flips", "toward_yes", "toward_no" } ] }`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ContestedMatters {
    /// These.
    pub contested: Vec<Contested>,
}

/// The matters that most agents flip on.
pub async fn contested(store: &Store, limit: u32) -> Result<ContestedMatters> {
    Ok(ContestedMatters { contested: answered(store.knowledge().contested(limit)).await? })
}

async fn answered<T>(answer: Answer<'_, T>) -> Result<T> {
    answer.await.map_err(|error| err!(Store; "the knowledge store: {error}"))
}

#[derive(Serialize)]
struct Found<'k> {
    id: &'k str,
    agent: &'k AgentId,
    words: &'k str,
    before: &'k str,
    after: &'k str,
    kind: FlipKind,
    toward: Stance,
    domain: Option<&'k str>,
    happened_at: Timestamp,
    on_the_matter: bool,
}

impl Serialize for KnowledgeFound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Document<'d> {
            flips: Vec<Found<'d>>,
        }
        let found = self.flips.iter().zip(&self.on_the_matter);
        let flips = found.map(|(flip, on)| entry(flip, *on)).collect();
        Document { flips }.serialize(serializer)
    }
}

fn entry(flip: &KnownFlip, on_the_matter: bool) -> Found<'_> {
    Found {
        id: flip.id.as_str(),
        agent: &flip.agent,
        words: &flip.words,
        before: &flip.before,
        after: &flip.after,
        kind: flip.kind,
        toward: flip.toward,
        domain: flip.domain.as_deref(),
        happened_at: flip.happened_at,
        on_the_matter,
    }
}

#[derive(Serialize)]
struct Matter<'c> {
    words: &'c str,
    agents: u64,
    flips: u64,
    toward_yes: u64,
    toward_no: u64,
}

impl<'c> From<&'c Contested> for Matter<'c> {
    fn from(claim: &'c Contested) -> Self {
        let Contested { words, agents, flips, toward_yes, toward_no } = claim;
        let (agents, flips) = (*agents, *flips);
        Self { words, agents, flips, toward_yes: *toward_yes, toward_no: *toward_no }
    }
}

impl Serialize for ContestedMatters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Document<'d> {
            contested: Vec<Matter<'d>>,
        }
        Document { contested: self.contested.iter().map(Matter::from).collect() }
            .serialize(serializer)
    }
}
