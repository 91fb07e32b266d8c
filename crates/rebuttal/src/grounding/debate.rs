//! The documents of a debate: what agents are given, and checks of what they cite.

use std::collections::BTreeMap;

use rebuttal_engine::debate::{CheckedItem, Library};
use rebuttal_evidence::{Citation, Index, check, cited, facts, limits};
use rebuttal_model::{Action, AgentId, Contradiction, DisputedFact, Passage};
use rebuttal_policy::{Authority, arbitrate};
use rebuttal_semantics::BuiltinVectors;

use crate::models::Analyzer;

/// Documents for all agents of a debate, and those that single agents have beside them.
#[derive(Debug)]
pub struct Grounds {
    all: Index,
    own: BTreeMap<AgentId, Index>,
    analyzer: Analyzer,
}

impl Grounds {
    /// Documents for all, and for single agents.
    pub fn new(
        all: Vec<Passage>,
        own: BTreeMap<AgentId, Vec<Passage>>,
        analyzer: Analyzer,
    ) -> Self {
        let index = |passages| Index::new(passages, Box::new(BuiltinVectors));
        let with_all = |(agent, own): (AgentId, Vec<Passage>)| {
            let passages = own.into_iter().chain(all.iter().cloned()).collect();
            (agent, index(passages))
        };
        let own = own.into_iter().map(with_all).collect();
        Self { own, all: index(all), analyzer }
    }

    fn index(&self, agent: &AgentId) -> &Index {
        self.own.get(agent).unwrap_or(&self.all)
    }
}

impl Library for Grounds {
    fn nearest(&self, agent: &AgentId, about: &[&str], most: usize) -> Vec<Passage> {
        let index = self.index(agent);
        let Some((question, items)) = about.split_first() else { return Vec::new() };
        let mut found: Vec<Passage> = Vec::new();
        let mut add = |passage: &Passage| {
            if found.iter().all(|known| known.id != passage.id) {
                found.push(passage.clone());
            }
        };
        // Half of the room is for the question, what is left for what is to be answered.
        let room = if items.is_empty() { most } else { most.div_ceil(2) };
        index.both_sides(question, room).into_iter().for_each(&mut add);
        let mut near: Vec<_> = items.iter().map(|item| index.both_sides(item, most)).collect();
        for passages in &mut near {
            passages.reverse();
        }
        for _ in 0..most {
            near.iter_mut().filter_map(Vec::pop).for_each(&mut add);
        }
        found.truncate(most);
        found
    }

    fn disputed(&self, passages: &[Passage]) -> Vec<DisputedFact> {
        let passages: Vec<&Passage> = passages.iter().collect();
        let found = facts(&passages, self.analyzer.reader());
        found.iter().take(limits::FACTS).map(disputed).collect()
    }

    fn check(&self, agent: &AgentId, item: &str) -> CheckedItem {
        let index = self.index(agent);
        let (claim, citation) = cited(item);
        let found = check(&claim, &citation, index, self.analyzer.reader());
        let passage = found.passage.as_ref().and_then(|id| index.get(id));
        CheckedItem {
            named: citation != Citation::default(),
            verdict: found.verdict,
            why: found.why,
            place: passage.map(Passage::locator),
        }
    }
}

/// A contradiction between documents with its ruling by the rules: without an authority, by dates and by
/// how completely each is cited.
fn disputed(found: &Contradiction) -> DisputedFact {
    let ruling = arbitrate(found, &Authority::default());
    let about = match &found.entity {
        Some(entity) => format!("{} of {entity}", found.metric),
        None => found.metric.clone(),
    };
    let value = |at: usize| found.sides.get(at).map(|side| side.shown.clone());
    let words = match ruling.action {
        Action::Use(side) => value(side).map(|it| format!("Go by {it}: {}", ruling.explanation)),
        _ => None,
    };
    DisputedFact {
        about,
        values: found.sides.iter().map(|it| (it.agent.to_string(), it.shown.clone())).collect(),
        ruling: words.unwrap_or(ruling.explanation),
    }
}
