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

use std::collections::HashMap;
use std::sync::Arc;

use rebuttal_model::{AgentId, RoundAnalysis, TricksterConfig, TurnId};
use rebuttal_semantics::{Embedder, Embedding, HashedWords};
use rebuttal_text::{ClaimReading, Reading};

pub use answers::group_answers;
pub use hollow::{hollow, in_words};
pub use novelty::{Trajectory, novelty_of, trajectories};
pub use voices::unjudged;

use crate::evidence;
use crate::view::DebateView;
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

impl Said<'_> {
    fn key(&self) -> Key {
        (self.round, self.turn)
    }
}

/// What is seen of a panel when a round has ended; for several rounds of one panel, make a
/// [`PanelReader`].
///
/// `said` is what was said in this round, `earlier` everything before it. An embedder that fails is
/// replaced by the rules' vectors for the whole analysis.
pub fn analyze_round(
    said: &[Said<'_>],
    earlier: &[Said<'_>],
    embedder: &dyn Embedder,
    config: &TricksterConfig,
) -> RoundAnalysis {
    PanelReader::new(embedder, config).analyze(said, earlier)
}

/// Looks at one panel round by round. What was read of a turn is kept by its round and id, so that each
/// is read, judged and embedded once, however many rounds come after it.
#[derive(Debug)]
pub struct PanelReader<'r> {
    embedder: &'r dyn Embedder,
    config: &'r TricksterConfig,
    view: Option<&'r DebateView<'r>>,
    turns: HashMap<Key, Known>,
}

/// What a turn is known by: its round and its id.
type Key = (u32, TurnId);

/// What is known of a turn.
#[derive(Debug, Default)]
struct Known {
    claims: Option<Arc<[ClaimReading]>>,
    quality: Option<f64>,
    vector: Option<Arc<Embedding>>,
}

impl<'r> PanelReader<'r> {
    /// A reader of one panel. Whole answers are compared by this embedder.
    pub fn new(embedder: &'r dyn Embedder, config: &'r TricksterConfig) -> Self {
        Self { embedder, config, view: None, turns: HashMap::new() }
    }

    /// Sets where turns are read already.
    #[must_use]
    pub fn reading_from(self, view: &'r DebateView<'r>) -> Self {
        Self { view: Some(view), ..self }
    }

    /// What is seen when a round has ended; see [`analyze_round`].
    pub fn analyze(&mut self, said: &[Said<'_>], earlier: &[Said<'_>]) -> RoundAnalysis {
        let config = self.config;
        let (voices, not_judged) = voices::voices(said, self);
        let vectors = self.vectors(&voices, earlier);
        let stated = Stated::of(&voices);
        let likeness = Likeness::new(&voices, &vectors.now, &stated);
        let convergence = likeness.agreement(&voices);
        let qualities: Vec<f64> =
            voices.iter().map(|voice| hollow::standing(voice, earlier, self)).collect();
        RoundAnalysis {
            round: said.iter().map(|said| said.round).max().unwrap_or(0),
            quality: voices
                .iter()
                .map(|voice| (voice.agent.clone(), voice.evidence.quality))
                .collect(),
            convergence,
            stability: alike::stability(&voices, earlier, &vectors, self),
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

    /// What a turn states.
    fn claims(&mut self, key: Key, text: &str) -> Arc<[ClaimReading]> {
        let read = self.view.and_then(|view| view.reading(key.1));
        let read = read.filter(|reading| reading.original() == text);
        let known = &mut self.turns.entry(key).or_default().claims;
        let made = || read.map_or_else(|| Reading::new(text).claims(), Reading::claims).into();
        Arc::clone(known.get_or_insert_with(made))
    }

    /// How well a turn is supported on the whole.
    fn quality(&mut self, said: &Said<'_>) -> f64 {
        let weights = &self.config.weights;
        let known = &mut self.turns.entry(said.key()).or_default().quality;
        *known.get_or_insert_with(|| evidence::quality(said.text, weights).overall)
    }

    /// The vectors of whole answers. Those of turns are kept; an agent that spoke more than once in a
    /// round has said more than a turn.
    fn vectors(&mut self, voices: &[Voice<'_>], earlier: &[Said<'_>]) -> Vectors {
        let now = voices.iter().map(|voice| (voice.key(), voice.text.as_ref()));
        let texts: Vec<(Option<Key>, &str)> =
            now.chain(earlier.iter().map(|said| (Some(said.key()), said.text))).collect();
        // Vectors of two models cannot be compared, so all are made by one.
        let vectors = self.embedded(&texts).unwrap_or_else(|| by_rule(&texts));
        let mut now = vectors;
        let earlier = now.split_off(voices.len().min(now.len()));
        Vectors { now, earlier }
    }

    /// The vectors by the embedder, if it can make them all.
    fn embedded(&mut self, texts: &[(Option<Key>, &str)]) -> Option<Vec<Arc<Embedding>>> {
        let known = |turn: &Option<Key>| {
            self.turns.get(turn.as_ref()?).and_then(|known| known.vector.clone())
        };
        let mut vectors: Vec<_> = texts.iter().map(|(turn, _)| known(turn)).collect();
        let missing: Vec<&str> = texts
            .iter()
            .zip(&vectors)
            .filter(|(_, vector)| vector.is_none())
            .map(|((_, text), _)| *text)
            .collect();
        let made =
            if missing.is_empty() { Vec::new() } else { self.embedder.embed(&missing).ok()? };
        if made.len() != missing.len() {
            return None;
        }
        let mut made = made.into_iter().map(Arc::new);
        for ((turn, _), vector) in texts.iter().zip(&mut vectors).filter(|(_, one)| one.is_none()) {
            *vector = made.next();
            if let Some(turn) = turn {
                self.turns.entry(*turn).or_default().vector.clone_from(vector);
            }
        }
        vectors.into_iter().collect()
    }
}

/// The vectors by the rules.
fn by_rule(texts: &[(Option<Key>, &str)]) -> Vec<Arc<Embedding>> {
    let texts: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
    HashedWords.embed(&texts).unwrap_or_default().into_iter().map(Arc::new).collect()
}

/// The vectors of whole answers.
struct Vectors {
    /// Of the voices, in their order.
    now: Vec<Arc<Embedding>>,
    /// Of what was said before, in its order.
    earlier: Vec<Arc<Embedding>>,
}

/// A number of things, to calculate with.
fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
