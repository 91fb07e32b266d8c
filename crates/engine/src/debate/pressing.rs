//! The quality challenger and the others: it is shown what it is to press on, and they are shown what
//! it said, also where all agree and an agent would see nobody.

use rebuttal_model::{AgentId, Call, Detail, PanelRole, Turn};

use super::fragment::{Fragment, Fragments, one_line};
use super::prompt::shown;
use super::state::State;

/// Most answers that a challenger is shown beside those it sees anyway, the thinnest: nobody presses
/// on more.
const ANSWERS: usize = 12;

/// What an agent is shown because somebody challenges, or is to.
pub(super) enum Pressing {
    /// Nobody challenges it.
    None,
    /// This one is to press on these.
    Press(Vec<Fragment>),
    /// This one is asked by those of these names, and is shown those it does not see anyway.
    Asked(Vec<String>, Vec<Fragment>),
}

impl Pressing {
    /// What this agent is shown beside those it sees anyway.
    pub(super) fn of(state: &State, call: &Call, seen: &[AgentId]) -> Self {
        let Some(before) = call.round.checked_sub(1) else { return Self::None };
        let until = if state.spec().protocol.in_turn { call.round } else { before };
        let others: Vec<&Turn> = state
            .spec()
            .panel
            .iter()
            .filter(|member| member.agent != call.agent)
            .filter_map(|member| state.latest_through(&member.agent, until))
            .collect();
        let fragment = |turn: &&Turn| shown(turn, &state.name_of(&turn.agent), Detail::Full, &[]);
        if challenges(state, &call.agent, call.round) {
            let mut unseen = others;
            unseen.retain(|turn| !seen.contains(&turn.agent));
            thinnest(state, before, &mut unseen);
            return Self::Press(unseen.iter().map(fragment).collect());
        }
        let asks =
            |turn: &&&Turn| turn.round.is_some_and(|round| challenges(state, &turn.agent, round));
        // Who sees the challenger anyway is told that it asks, and not shown it twice.
        let asking: Vec<&Turn> = others.iter().filter(asks).copied().collect();
        if asking.is_empty() {
            return Self::None;
        }
        let unseen = asking.iter().filter(|turn| !seen.contains(&turn.agent));
        let names = asking.iter().map(|turn| one_line(&state.name_of(&turn.agent))).collect();
        Self::Asked(names, unseen.map(fragment).collect())
    }

    /// The fragments, under what they are.
    pub(super) fn text(&self) -> String {
        let (heading, fragments) = match self {
            Self::None => return String::new(),
            Self::Press(fragments) => ("What you are to press on:", fragments),
            Self::Asked(_, fragments) => ("The quality challenger says:", fragments),
        };
        if fragments.is_empty() {
            return String::new();
        }
        let shown = fragments.iter().map(|fragment| Fragments.render(fragment));
        format!("\n{heading}\n{}", shown.collect::<String>())
    }

    /// What the agent has to do about it.
    pub(super) fn step(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Press(_) => Some(
                "As quality challenger: for each claim that the agreement rests on, say whose it is, \
                 repeat its words, and ask for what would support it."
                    .to_owned(),
            ),
            Self::Asked(names, _) => Some(format!(
                "Answer the quality challenger ({}): give what it asks for, or say that you have none \
                 and what follows from that.",
                names.join(", ")
            )),
        }
    }
}

/// True when the agent is the quality challenger in a round.
fn challenges(state: &State, agent: &AgentId, round: u32) -> bool {
    state.role_of(agent, round) == Some(PanelRole::QualityChallenger)
}

/// True when a challenger spoke in the latest round.
pub(super) fn spoke(state: &State) -> bool {
    let round = state.round();
    let own = state.turns.iter().filter(|turn| turn.round == Some(round));
    own.into_iter().any(|turn| challenges(state, &turn.agent, round))
}

/// Leaves the answers with the least evidence, in the order they had.
fn thinnest(state: &State, round: u32, turns: &mut Vec<&Turn>) {
    let quality = |turn: &Turn| {
        let seen = state.steering.analysis(round)?;
        seen.quality.get(&turn.agent).map(|quality| quality.overall)
    };
    let mut by_quality = turns.clone();
    // Who could not be judged has nothing to press on, and comes last.
    by_quality.sort_by(|one, two| {
        let [one, two] = [one, two].map(|turn| quality(turn).unwrap_or(f64::INFINITY));
        one.total_cmp(&two)
    });
    by_quality.truncate(ANSWERS);
    turns.retain(|turn| by_quality.iter().any(|kept| kept.id == turn.id));
}
