//! Who said something in this round that can be judged.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rebuttal_model::{AgentId, Quote, Span, TurnId};
use rebuttal_semantics::Trust;
use rebuttal_text::{ClaimReading, Reading};

use super::{Key, PanelReader, Said};
use crate::evidence::{self, Evidence};

/// An agent and all it said in the round.
#[derive(Debug)]
pub(super) struct Voice<'t> {
    pub(super) agent: &'t AgentId,
    /// Its turns, a blank line between them.
    pub(super) text: Cow<'t, str>,
    /// Where each turn begins in `text`.
    turns: Vec<(usize, TurnId)>,
    /// The round of its last turn.
    round: u32,
    /// What it answers last.
    pub(super) answer: Option<&'t str>,
    pub(super) evidence: Evidence,
    /// Its statements, as rules compare them.
    pub(super) read: Arc<[ClaimReading]>,
}

/// Between the turns of an agent.
const GAP: &str = "\n\n";

impl Voice<'_> {
    /// The turn that is all it said, if it is one.
    pub(super) fn key(&self) -> Option<Key> {
        match self.turns.as_slice() {
            [(_, turn)] => Some((self.round, *turn)),
            _ => None,
        }
    }

    /// A stretch of the voice as a quote from the turn it stands in.
    pub(super) fn quote(&self, span: Span, shows: &'static str) -> Option<Quote> {
        let &(start, turn) = self.turns.iter().rev().find(|(start, _)| *start <= span.start())?;
        let text = span.of(&self.text)?.to_owned();
        let span = Span::new(span.start() - start, span.end() - start);
        Some(Quote { turn, span, text, shows: shows.into(), source: None })
    }

    /// The words under a span.
    pub(super) fn words(&self, span: Span) -> &str {
        span.of(&self.text).unwrap_or_default()
    }
}

/// The voices that can be judged, and why others cannot.
pub(super) fn voices<'t>(
    said: &[Said<'t>],
    reader: &mut PanelReader<'_>,
) -> (Vec<Voice<'t>>, BTreeMap<AgentId, String>) {
    let mut by_agent: BTreeMap<&AgentId, Vec<&Said<'t>>> = BTreeMap::new();
    for said in said {
        by_agent.entry(said.agent).or_default().push(said);
    }
    let (mut voices, mut not_judged) = (Vec::new(), BTreeMap::new());
    for (agent, turns) in by_agent {
        let voice = joined(agent, &turns);
        if let Some(why) = unjudged(&voice.text) {
            not_judged.insert(agent.clone(), why.to_owned());
        } else {
            let evidence = evidence::read(&voice.text, &reader.config.weights);
            let read = match voice.key() {
                Some(key) => reader.claims(key, &voice.text),
                None => Reading::new(&voice.text).claims().into(),
            };
            voices.push(Voice { evidence, read, ..voice });
        }
    }
    (voices, not_judged)
}

fn joined<'t>(agent: &'t AgentId, said: &[&Said<'t>]) -> Voice<'t> {
    let mut turns = Vec::new();
    let mut text: Cow<'t, str> = Cow::Borrowed("");
    for said in said {
        if turns.is_empty() {
            turns.push((0, said.turn));
            text = Cow::Borrowed(said.text);
        } else {
            let whole = text.to_mut();
            whole.push_str(GAP);
            turns.push((whole.len(), said.turn));
            whole.push_str(said.text);
        }
    }
    let answer = said.iter().rev().find_map(|said| said.answer);
    let round = said.last().map_or(0, |said| said.round);
    Voice { agent, text, turns, round, answer, evidence: Evidence::default(), read: Arc::default() }
}

/// Why an answer cannot be judged, if it cannot: it is empty, not English, or has no prose.
pub fn unjudged(text: &str) -> Option<&'static str> {
    if text.trim().is_empty() {
        return Some("the answer is empty");
    }
    match Trust::of(text) {
        Trust::NotEnglish => Some("the answer is not in English, and the analysis is for English"),
        Trust::NoWords => Some("the answer has no prose, only code, figures or links"),
        Trust::English | Trust::TooShort if evidence::has_prose(text) => None,
        Trust::English | Trust::TooShort => Some("the answer has no prose, only code or tables"),
    }
}
