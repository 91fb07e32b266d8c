//! The parts that agents play, another one each round, so that every view is taken by somebody.
//!
//! Four parts go round: analyst, skeptic, domain expert, devil's advocate. In the last round one
//! agent brings the views together. Nobody is ever given the part of quality challenger here: that
//! is the [trickster](crate::trickster)'s to give, and takes the place of what is assigned here.
//!
//! What is promised, for any panel and any number of rounds:
//!
//! * in every round everybody has a part;
//! * with two or more agents there is a skeptic or a devil's advocate in every round;
//! * in the last round there is exactly one synthesizer;
//! * all four parts and the synthesizer occur as soon as agents times rounds are five or more;
//! * before the last round nobody plays the same part twice in a row, and over rounds `4k` to `4k + 3`
//!   everybody plays all four.

use std::collections::BTreeMap;

use rebuttal_model::{AgentId, PanelRole};

mod prompts;

pub use prompts::prompt;

/// The parts that go round. Those that object stand at every second place, so that any two
/// neighbours have one of them.
pub const ROTATION: [PanelRole; 4] =
    [PanelRole::Analyst, PanelRole::Skeptic, PanelRole::DomainExpert, PanelRole::DevilsAdvocate];

/// True for the parts that object: skeptic and devil's advocate.
pub fn objects(role: PanelRole) -> bool {
    match role {
        PanelRole::Skeptic | PanelRole::DevilsAdvocate => true,
        PanelRole::Analyst
        | PanelRole::DomainExpert
        | PanelRole::Synthesizer
        | PanelRole::QualityChallenger => false,
    }
}

/// Who plays what in a round, of `total_rounds` in all; rounds count from 0. A round at or beyond
/// the last counts as the last. Nobody plays anything when roles are off, and in a debate without
/// rounds. An agent that is on the panel twice counts once.
pub fn assign(
    panel: &[AgentId],
    round: u32,
    total_rounds: u32,
    enabled: bool,
) -> BTreeMap<AgentId, PanelRole> {
    if !enabled || total_rounds == 0 {
        return BTreeMap::new();
    }
    let mut agents: Vec<&AgentId> = Vec::new();
    for agent in panel {
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    let round = round as usize;
    let last = round + 1 >= total_rounds as usize;
    let start = round * agents.len();
    let mut roles = BTreeMap::new();
    turn(&mut agents, round);
    if last && !agents.is_empty() {
        let synthesizer = agents.remove(round % agents.len());
        roles.insert(synthesizer.clone(), PanelRole::Synthesizer);
    }
    // One agent beside the synthesizer must object, whatever its turn.
    let skip = usize::from(last && agents.len() == 1 && !objects(nth(start)));
    let own = agents.iter().enumerate();
    roles.extend(own.map(|(at, agent)| ((*agent).clone(), nth(start + skip + at))));
    roles
}

/// Turns the order of the agents, so that each comes to every part: where the size of the panel and
/// the four parts have a common factor, the same agents would meet the same parts for ever.
fn turn(agents: &mut [&AgentId], round: usize) {
    if agents.is_empty() {
        return;
    }
    let by = match agents.len() % 4 {
        0 => round,
        2 => round / 2,
        _ => 0,
    };
    agents.rotate_right(by % agents.len());
}

fn nth(slot: usize) -> PanelRole {
    let [analyst, skeptic, expert, advocate] = ROTATION;
    match slot % ROTATION.len() {
        0 => analyst,
        1 => skeptic,
        2 => expert,
        _ => advocate,
    }
}

/// Who plays what in each round.
pub fn schedule(panel: &[AgentId], total_rounds: u32) -> Vec<BTreeMap<AgentId, PanelRole>> {
    (0..total_rounds).map(|round| assign(panel, round, total_rounds, true)).collect()
}
