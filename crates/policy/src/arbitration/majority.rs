//! The last criterion: how sure the agents say they are, and how many say the same.
//!
//! Where nobody is seconded, the surest agent is believed. Where somebody is, it takes both: more
//! than half of the agents, and the greater sum of stated confidences. When the two do not meet, a
//! person must look. An agent counts once for what it says, however often it says it.

use rebuttal_model::AgentId;

use super::criteria::{Criterion, Facts};
use crate::camps::Camps;
use crate::side::{agent, shown};
use crate::words::list;

/// Sums closer than this are the same, added up in another order.
const SAME_SUM: f64 = 1e-9;
/// The surest a ruling by majority is.
const SURE: f64 = 0.75;

/// What the agents' confidences and numbers come to.
pub(super) struct Weighed {
    pub(super) looked_at: &'static str,
    pub(super) saw: String,
    /// Those left; of one camp when it was decided.
    pub(super) best: Vec<usize>,
    pub(super) confidence: f64,
}

/// Those of the sides left that say the same.
struct Camp<'c> {
    sides: Vec<usize>,
    /// Each agent once, with the most it says it is sure.
    agents: Vec<(&'c AgentId, Option<f64>)>,
}

impl Camp<'_> {
    fn stated(&self) -> f64 {
        self.agents.iter().filter_map(|(_, sure)| *sure).sum()
    }

    /// The most it can weigh: who does not say how sure it is may be quite sure.
    fn at_most(&self) -> f64 {
        self.agents.iter().map(|(_, sure)| sure.unwrap_or(1.0)).sum()
    }

    /// No sums: every number in a ruling is one that was given.
    fn says(&self, facts: &Facts<'_>) -> String {
        let sides = || self.sides.iter().filter_map(|side| facts.contradiction.sides.get(*side));
        let said = sides().next().map(shown).unwrap_or_default();
        let verb = if self.agents.len() == 1 { "says" } else { "say" };
        let silent = self.agents.iter().all(|(_, sure)| sure.is_none());
        let mut told: Vec<&AgentId> = Vec::new();
        let mut who: Vec<String> = Vec::new();
        for side in sides() {
            if told.contains(&&side.agent) {
                continue;
            }
            told.push(&side.agent);
            let sure = self.agents.iter().find(|(agent, _)| **agent == side.agent);
            who.push(match sure.and_then(|(_, sure)| *sure) {
                Some(sure) => format!("{} (confidence {sure})", agent(side)),
                None if silent => agent(side),
                None => format!("{} (no confidence stated)", agent(side)),
            });
        }
        format!("{} {verb} {said}", list(who))
    }
}

pub(super) fn weigh(facts: &Facts<'_>, camps: &Camps, left: &[usize]) -> Weighed {
    let own = camps_of(facts, camps, left);
    if own.iter().all(|camp| camp.agents.len() == 1) {
        return super::by(Criterion::Confidence, facts, camps, left);
    }
    let agents: usize = own.iter().map(|camp| camp.agents.len()).sum();
    let silent = own.iter().all(|camp| camp.agents.iter().all(|(_, sure)| sure.is_none()));
    let most = own.iter().find(|camp| camp.agents.len() * 2 > agents);
    let rival = |camp: &&Camp<'_>| most.is_none_or(|most| most.sides != camp.sides);
    let rivals = own.iter().filter(rival).map(Camp::at_most).fold(0.0, f64::max);
    let outweighs = |camp: &&Camp<'_>| silent || camp.stated() > rivals + SAME_SUM;
    let follows = match most {
        Some(camp) if outweighs(&camp) && silent => "most agents agree, and nobody says how sure",
        Some(camp) if outweighs(&camp) => {
            "most agents agree, and their confidences add up to the most"
        }
        Some(_) => "most agents agree, but their confidences are not known to add up to the most",
        None => "no more than half of the agents agree",
    };
    let said = own.iter().map(|camp| camp.says(facts)).collect::<Vec<_>>().join("; ");
    let winner = most.filter(outweighs);
    let all: f64 = own.iter().map(Camp::at_most).sum();
    let lead = winner.filter(|_| !silent).map_or(0.0, |camp| (camp.stated() - rivals) / all);
    Weighed {
        looked_at: "confidence and majority",
        saw: format!("{said}; {follows}."),
        best: winner.map_or_else(|| left.to_vec(), |camp| camp.sides.clone()),
        confidence: (0.5 + lead / 2.0).min(SURE),
    }
}

fn camps_of<'c>(facts: &Facts<'c>, camps: &Camps, left: &[usize]) -> Vec<Camp<'c>> {
    let mut own: Vec<Camp<'c>> = Vec::new();
    for index in left {
        let Some(side) = facts.contradiction.sides.get(*index) else { continue };
        let sure = side.confidence.map(rebuttal_model::Confidence::value);
        let same = |camp: &&mut Camp<'c>| {
            camp.sides.first().is_some_and(|first| camps.same(*first, *index))
        };
        let Some(camp) = own.iter_mut().find(same) else {
            own.push(Camp { sides: vec![*index], agents: vec![(&side.agent, sure)] });
            continue;
        };
        camp.sides.push(*index);
        match camp.agents.iter_mut().find(|(agent, _)| **agent == side.agent) {
            // Of its confidences the greatest; any is more than none.
            Some((_, known)) if sure > *known => *known = sure,
            Some(_) => {}
            None => camp.agents.push((&side.agent, sure)),
        }
    }
    own
}
