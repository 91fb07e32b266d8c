//! The trickster for programs that run debates of their own: it is given what was said round by round, and
//! says what is hollow and what to do about it.
//!
//! ```
//! use rebuttal::model::{AgentId, TricksterConfig};
//! use rebuttal::trickster::{Round, Watcher};
//!
//! let mut watcher = Watcher::new(TricksterConfig::default())?;
//! let text = "Microservices are clearly better. Everybody knows that they scale well.";
//! let said = ["claude", "gpt4"].map(|name| (AgentId::new(name), text.to_owned())).to_vec();
//! let looked = watcher.look(Round { number: 1, said, ..Round::default() });
//! assert!(looked.analysis.hollow.is_some_and(|alert| alert.detected));
//! assert!(!looked.interventions.is_empty());
//! # Ok::<(), rebuttal::model::TricksterConfigError>(())
//! ```

use rebuttal_detect::panel::{Said, analyze_round, hollow};
use rebuttal_model::{
    AgentId, Intervention, RoundAnalysis, TricksterConfig, TricksterConfigError, TurnId,
};
use rebuttal_policy::trickster::{Context, InterventionStats, RoleAssignment, Trickster};
use rebuttal_semantics::BuiltinVectors;

/// Most turns of earlier rounds that a round is compared with, the latest ones.
const LOOK_BACK: usize = 2_000;

/// What was said in a round, and what the caller knows of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// Its number.
    pub number: u32,
    /// Each agent and its words.
    pub said: Vec<(AgentId, String)>,
    /// How alike the answers are, where the caller has a measure of its own; else it is measured.
    pub convergence: Option<f64>,
    /// How many rounds are still to come, where that is known; else another one is.
    pub rounds_left: Option<u32>,
}

/// What was seen of a round, and what is to be done about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Looked {
    /// What was seen.
    pub analysis: RoundAnalysis,
    /// What is to be done, the most important first; empty if nothing is.
    pub interventions: Vec<Intervention>,
}

/// Sees the rounds of one debate, and remembers them.
#[derive(Debug)]
pub struct Watcher {
    trickster: Trickster<'static>,
    earlier: Vec<(AgentId, u32, String)>,
}

impl Watcher {
    /// One that has seen nothing yet. Settings out of range are refused.
    pub fn new(config: TricksterConfig) -> Result<Self, TricksterConfigError> {
        Ok(Self { trickster: Trickster::new(config)?, earlier: Vec::new() })
    }

    /// Looks at a round, beside those it was given before.
    pub fn look(&mut self, round: Round) -> Looked {
        let Round { number, said, convergence, rounds_left } = round;
        let analysis = self.analyze(number, &said, convergence);
        let panel: Vec<AgentId> = said.iter().map(|(agent, _)| agent.clone()).collect();
        let context = Context::new(number, rounds_left.unwrap_or(1), &panel);
        let interventions = self.trickster.check_and_intervene(analysis.clone(), &context);
        self.earlier.extend(said.into_iter().map(|(agent, text)| (agent, number, text)));
        self.earlier.drain(..self.earlier.len().saturating_sub(LOOK_BACK));
        Looked { analysis, interventions }
    }

    /// What was seen and done so far.
    pub fn stats(&self) -> InterventionStats {
        self.trickster.get_stats()
    }

    /// The quality challenger's part for an agent in a round.
    pub fn challenger(&self, agent: &AgentId, round: u32) -> RoleAssignment {
        self.trickster.get_quality_challenger_assignment(agent, round)
    }

    fn analyze(
        &self,
        number: u32,
        said: &[(AgentId, String)],
        convergence: Option<f64>,
    ) -> RoundAnalysis {
        let config = self.trickster.config();
        let earlier = self.earlier.iter().map(|(agent, round, text)| (agent, *round, text));
        let now = said.iter().map(|(agent, text)| (agent, number, text));
        let turns: Vec<Said<'_>> = earlier.chain(now).enumerate().map(turn).collect();
        let (earlier, now) = turns.split_at(self.earlier.len());
        let mut analysis = analyze_round(now, earlier, &BuiltinVectors, config);
        analysis.round = number;
        if let Some(alike) = convergence {
            let qualities: Vec<f64> =
                analysis.quality.values().map(|quality| quality.overall).collect();
            analysis.convergence = Some(alike);
            analysis.hollow = Some(hollow(&qualities, alike, config));
        }
        analysis
    }
}

fn turn<'t>((at, (agent, round, text)): (usize, (&'t AgentId, u32, &'t String))) -> Said<'t> {
    Said { agent, turn: TurnId::new(at), round, text, answer: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(number: u32, convergence: Option<f64>) -> Round {
        let said = [
            ("claude", "Obviously the new plan is better, as everybody agrees."),
            ("gpt4", "The plan is generally seen as good, and it should work well."),
        ];
        let said = said.map(|(agent, text)| (AgentId::new(agent), text.to_owned())).to_vec();
        Round { number, said, convergence, rounds_left: None }
    }

    #[test]
    fn the_callers_measure_goes_before_its_own() {
        let mut watcher = Watcher::new(TricksterConfig::default()).unwrap();
        let apart = watcher.look(round(1, Some(0.2)));
        assert!(!apart.analysis.hollow.unwrap().detected);
        let alike = watcher.look(round(2, Some(0.95)));
        assert!(alike.analysis.hollow.unwrap().detected);
        assert!(!alike.interventions.is_empty());
        assert_eq!(watcher.stats().hollow_alerts_detected, 1);
    }

    #[test]
    fn what_was_said_before_is_nothing_new() {
        let mut watcher = Watcher::new(TricksterConfig::default()).unwrap();
        watcher.look(round(1, None));
        let again = watcher.look(round(2, None)).analysis;
        assert!(again.novelty.values().all(|novelty| *novelty < 0.1), "{:?}", again.novelty);
    }
}
