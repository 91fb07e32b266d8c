//! The panel that quotes: personas that argue from documents, as agents of a debate.

use std::collections::BTreeSet;
use std::sync::Arc;

use rebuttal_engine::debate::{Agent, AgentError, Answering, Ask, Responder, Vote};
use rebuttal_evidence::Index;
use rebuttal_extractive::{Asked, Brief, Persona, limits};
use rebuttal_model::{Method, Passage, PassageId, Purpose};
use rebuttal_policy::debate::DebatePolicy;
use rebuttal_policy::voting::Options;
use rebuttal_semantics::BuiltinVectors;

use crate::config::Config;
use crate::error::{Result, err};
use crate::models::Analyzer;

/// What stands in a debate's record for the model of one that quotes.
pub const QUOTES: &str = "quotes";

/// What a panel that quotes has to go by.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// What is asked.
    pub question: String,
    /// The answers to choose from; found in the question if empty.
    pub options: Vec<String>,
    /// The evidence.
    pub passages: Vec<Passage>,
}

/// What a panel that quotes says where the question names no answers.
const NO_ANSWERS: &str =
    "I abstain: I choose between answers that are named, and this question names none.";

impl Material {
    /// The evidence on the question, read once for all who quote from it.
    pub(super) fn brief(&self, personas: &[Persona], config: &Config) -> Result<Arc<Brief>> {
        let options = if self.options.is_empty() {
            Options::of_question(&self.question)
        } else {
            Options::given(&self.options).map_err(|error| err!("the options: {error}"))?
        };
        let names = options.names();
        let policy = DebatePolicy::default();
        let analyzer = Analyzer::new(Method::Model, &config.semantics);
        let brief = analyzer.install(|| {
            let near = self.near();
            let brief = Brief::new(&self.question, &names, &near, analyzer.reader());
            brief.for_personas(personas, analyzer.reader())
        });
        Ok(Arc::new(match names.iter().find(|name| policy.is_holding(name)) {
            Some(middle) => brief.with_middle(middle),
            None => brief,
        }))
    }
}

impl Material {
    /// The passages nearest to the question, in the order of the documents, where there are too many.
    fn near(&self) -> Vec<Passage> {
        if self.passages.len() <= limits::PASSAGES {
            return self.passages.clone();
        }
        let index = Index::new(self.passages.clone(), Box::new(BuiltinVectors));
        let hits = index.search(&self.question, limits::PASSAGES);
        let near: BTreeSet<&PassageId> = hits.iter().map(|hit| &hit.passage.id).collect();
        self.passages.iter().filter(|passage| near.contains(&passage.id)).cloned().collect()
    }
}

/// One that quotes, as an agent of this name.
pub(super) fn agent(name: &str, persona: Persona, brief: Arc<Brief>) -> Agent {
    let about = persona.persona.clone();
    Agent::new(name, Quoting { persona, brief }).model(QUOTES).persona(about).free()
}

/// Answers from documents.
struct Quoting {
    persona: Persona,
    brief: Arc<Brief>,
}

impl Responder for Quoting {
    fn respond<'a>(&'a self, ask: &'a Ask) -> Answering<'a> {
        Box::pin(async move {
            match ask.purpose() {
                Purpose::Answer if self.brief.answers().is_empty() => {
                    Ok(Vote::abstain().thesis(NO_ANSWERS).into())
                }
                Purpose::Answer => Ok(self.vote(ask).into()),
                _ => Err(AgentError::refused("one that quotes does not moderate, judge or object")),
            }
        })
    }
}

impl Quoting {
    fn vote(&self, ask: &Ask) -> Vote {
        let asked = Asked {
            held: ask.held.clone(),
            heard: ask.heard.clone(),
            items: ask.items.iter().map(|item| (item.number, item.text.clone())).collect(),
            round: ask.round(),
        };
        let said = self.persona.answer(&self.brief, &asked);
        let vote = match said.answer {
            Some(answer) => Vote::new(answer).conviction(said.conviction),
            None => Vote::abstain(),
        };
        let vote = said.evidence.into_iter().fold(vote.thesis(said.thesis), Vote::evidence);
        said.rebuttals.into_iter().fold(vote, |vote, (item, text)| vote.rebuttal(item, text))
    }
}

impl std::fmt::Debug for Quoting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Quoting").field("persona", &self.persona).finish_non_exhaustive()
    }
}
