//! A transcript with every turn read once, as all detectors see it.

use std::borrow::Cow;

use rebuttal_model::{AgentId, Quote, Role, Span, Stance, Transcript, Turn, TurnId};
use rebuttal_text::{Reading, StatedSide, plain, side_named};

/// A transcript and its readings. Detectors take this, so that no text is read twice.
#[derive(Debug)]
pub struct DebateView<'t> {
    /// What was said.
    pub transcript: &'t Transcript,
    /// `readings[i]` is the reading of `transcript.turns[i]`.
    readings: Vec<Reading<'t>>,
    /// The question, where the transcript states it apart from the turns.
    question: Option<Reading<'t>>,
}

impl<'t> DebateView<'t> {
    /// Reads every turn.
    pub fn new(transcript: &'t Transcript) -> Self {
        Self {
            transcript,
            readings: transcript.turns.iter().map(|turn| Reading::new(&turn.text)).collect(),
            question: transcript.question.as_deref().map(Reading::new),
        }
    }

    /// The turns with their readings, in the order of the debate.
    pub fn turns(&self) -> impl Iterator<Item = (&'t Turn, &Reading<'t>)> {
        self.transcript.turns.iter().zip(&self.readings)
    }

    /// The reading of a turn.
    pub fn reading(&self, turn: TurnId) -> Option<&Reading<'t>> {
        self.readings.get(turn.index())
    }

    /// The question as the transcript states it, or as whoever speaks first asks it: where every
    /// speaker has a name, the moderator is one of them.
    pub(crate) fn question(&self) -> Option<&Reading<'t>> {
        let mut spoken = self.turns().filter(|(turn, _)| !turn.role.is_machinery());
        let first = spoken.next().filter(|(_, reading)| reading.asks());
        self.question.as_ref().or(first.map(|(_, reading)| reading))
    }

    /// True for the turn the question was taken from.
    pub(crate) fn asks(&self, turn: &Turn) -> bool {
        let spoken = |turn: &&Turn| !turn.role.is_machinery();
        let first = self.transcript.turns.iter().find(spoken);
        first.is_some_and(|first| first.id == turn.id)
            && self.readings.get(turn.id.index()).is_some_and(Reading::asks)
    }

    /// True where an agent takes the side that it was given to argue: whatever it said before, this is no
    /// change of its own mind. A side that is neither a yes nor a no may be any.
    pub(crate) fn argues_its_side(&self, agent: &AgentId, taken: Stance) -> bool {
        let Some(side) = self.transcript.side_of(agent) else { return false };
        match side_named(&plain(side)) {
            Some(StatedSide::Yes) => taken != Stance::No,
            Some(StatedSide::No) => taken != Stance::Yes,
            None => true,
        }
    }

    /// The agents whose consistency is in question, by their first turn.
    pub fn agents(&self) -> Vec<&'t AgentId> {
        let mut seen = std::collections::HashSet::new();
        let agents = self.transcript.turns.iter().filter(|turn| turn.role == Role::Agent);
        agents.map(|turn| &turn.agent).filter(|agent| seen.insert(*agent)).collect()
    }
}

/// Quotes a piece of a turn, at its place in the original text.
pub(crate) fn quote(turn: &Turn, span: Span, shows: &'static str) -> Quote {
    Quote {
        turn: turn.id,
        span,
        text: span.of(&turn.text).unwrap_or_default().to_owned(),
        shows: Cow::Borrowed(shows),
        source: turn.source.clone(),
    }
}
