//! A panel at the end of a round: how alike the agents are, what their agreement stands on, who repeats
//! whom, and what is new.
//!
//! Agents are compared with each other, never with themselves; what an agent said before is its
//! stability. Whole answers are compared by the embedder that is given, claims by the static vectors in
//! the program, and what denies what by rule: an answer that says the opposite in the same words is not
//! alike. Answers that cannot be judged (empty, not English, no prose) are named and left out.

mod alike;
mod answers;
mod claims;
mod echo;
mod gaps;
mod hollow;
mod keys;
mod novelty;
mod reworded;
mod voices;
mod weight;

#[cfg(test)]
mod tests;

use rebuttal_model::{AgentId, RoundAnalysis, TricksterConfig, TurnId};
use rebuttal_semantics::{Embedder, Embedding, HashedWords};

pub use answers::group_answers;
pub use hollow::{hollow, in_words};
pub use novelty::{Trajectory, novelty_of, trajectories};
pub use voices::unjudged;

use alike::Likeness;
use claims::Stated;
use voices::Voice;

/// What an agent said.
#[derive(Clone, Copy, Debug)]
pub struct Said<'t> {
    /// Who.
    pub agent: &'t AgentId,
    /// In which turn.
    pub turn: TurnId,
    /// In which round.
    pub round: u32,
    /// Its words.
    pub text: &'t str,
    /// What it answers the question with, where that is known.
    pub answer: Option<&'t str>,
}

/// What is seen of a panel when a round has ended.
///
/// `said` is what was said in this round, `earlier` everything before it. A text is embedded once; give
/// a [`Cached`](rebuttal_semantics::Cached) embedder, and what was said in earlier rounds costs nothing.
/// An embedder that fails is replaced by the rules' vectors for the whole analysis.
pub fn analyze_round(
    said: &[Said<'_>],
    earlier: &[Said<'_>],
    embedder: &dyn Embedder,
    config: &TricksterConfig,
) -> RoundAnalysis {
    let (voices, not_judged) = voices::voices(said, &config.weights);
    let vectors = Vectors::new(&voices, earlier, embedder);
    let stated = Stated::of(&voices);
    let likeness = Likeness::new(&voices, &vectors.now, &stated);
    let convergence = likeness.agreement(&voices);
    let qualities: Vec<f64> =
        voices.iter().map(|voice| hollow::standing(voice, earlier, config)).collect();
    RoundAnalysis {
        round: said.iter().map(|said| said.round).max().unwrap_or(0),
        quality: voices.iter().map(|voice| (voice.agent.clone(), voice.evidence.quality)).collect(),
        convergence,
        stability: alike::stability(&voices, earlier, &vectors),
        // By the vectors of single lines, which only a running debate has.
        repetition: None,
        novelty: novelty::novelty(&voices, &vectors),
        hollow: convergence.map(|similarity| {
            let whole = hollow(&qualities, similarity, config);
            let camp = hollow::majority(&voices, &qualities, &likeness, config);
            camp.filter(|_| !whole.detected).unwrap_or(whole)
        }),
        gaps: gaps::gaps(&voices, &stated),
        echo: echo::echo(&voices, &stated),
        corroborations: gaps::corroborations(&voices, &stated),
        independent_voices: weight::independent(&voices, &stated, &likeness),
        // What counts as the same answer is the debate's to say.
        one_answer: None,
        not_judged,
    }
}

/// The vectors of whole answers.
struct Vectors {
    /// Of the voices, in their order.
    now: Vec<Embedding>,
    /// Of what was said before, in its order.
    earlier: Vec<Embedding>,
}

impl Vectors {
    fn new(voices: &[Voice<'_>], earlier: &[Said<'_>], embedder: &dyn Embedder) -> Self {
        let now = voices.iter().map(|voice| voice.text.as_ref());
        let texts: Vec<&str> = now.chain(earlier.iter().map(|said| said.text)).collect();
        let whole = |vectors: &Vec<Embedding>| vectors.len() == texts.len();
        let vectors = embedder.embed(&texts).ok().filter(whole);
        // Vectors of two models cannot be compared, so all are made anew.
        let vectors = vectors.or_else(|| HashedWords.embed(&texts).ok()).unwrap_or_default();
        let mut now = vectors;
        let earlier = now.split_off(voices.len().min(now.len()));
        Self { now, earlier }
    }
}

/// A number of things, to calculate with.
fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
