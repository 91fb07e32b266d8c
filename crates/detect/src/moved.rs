//! What moved an agent that does not say so: a particular that a peer on the new side brought, that the
//! agent had not used before, and that its new turn gives.
//!
//! Agreeing with a peer, or repeating its common words, explains nothing; nor does a new argument that
//! nobody brought.

use std::collections::HashSet;

use rebuttal_model::{AgentId, Role, Span, Turn};
use rebuttal_text::{Particular, Reading, Term};

use crate::view::DebateView;

/// How many turns are looked back for what peers brought: a round of any panel, and bounded.
const LOOK_BACK: usize = 24;

/// Who brought what an agent now gives as a reason, and where it gives it.
pub(crate) struct Moved<'t> {
    pub(crate) by: &'t AgentId,
    pub(crate) span: Span,
}

/// The words somebody has used so far.
#[derive(Default)]
pub(crate) struct Words(HashSet<Term>);

impl Words {
    /// Takes down a text.
    pub(crate) fn add(&mut self, reading: &Reading<'_>) {
        self.0.extend(reading.all_words());
    }

    fn has(&self, word: Term) -> bool {
        self.0.contains(&word)
    }
}

/// The first particular of `turn` that a peer brought at or after `since`, made of no word that was
/// `asked`, and not only of words the agent had `said`. `with` says whether a turn is on the side that the agent has gone over to.
pub(crate) fn moved<'t>(
    view: &DebateView<'t>,
    turn: &Turn,
    reading: &Reading<'_>,
    (asked, said): (&Words, &Words),
    since: &Turn,
    with: impl Fn(&Turn, &Reading<'_>) -> bool,
) -> Option<Moved<'t>> {
    let own = reading.particulars();
    let new = |one: &Particular| {
        one.words.iter().all(|word| !asked.has(*word))
            && !one.words.iter().all(|word| said.has(*word))
    };
    // Who speaks in the same round has not heard the others of it.
    let is_after =
        |peer: &Turn| peer.id > since.id || peer.round.is_some() && peer.round == since.round;
    let first = turn.id.index().saturating_sub(LOOK_BACK);
    let near = view.transcript.turns.get(first..turn.id.index()).unwrap_or_default();
    let peers = view.turns().skip(first).take(turn.id.index() - first);
    let mut peers = peers
        .filter(|(peer, _)| peer.role == Role::Agent && peer.agent != turn.agent && is_after(peer));
    peers.find_map(|(peer, heard)| {
        let brought: HashSet<u64> = heard.particulars().into_iter().map(|one| one.key).collect();
        let shared = own.iter().find(|one| {
            brought.contains(&one.key)
                && new(one)
                && !names_speaker(near, one.span.of(&turn.text).unwrap_or_default())
        });
        let span = shared.map(|one| one.span).or_else(|| owned(peer, turn))?;
        with(peer, heard).then_some(Moved { by: &peer.agent, span })
    })
}

/// A speaker's name is known to all.
fn names_speaker(near: &[Turn], text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| near.iter().any(|turn| turn.agent.as_str().eq_ignore_ascii_case(word)))
}

/// "Ben's rota", where Ben spoke of a rota: a thing, and whose it is. "Ben's view" is no thing of Ben's
/// unless Ben spoke of a view.
fn owned(peer: &Turn, turn: &Turn) -> Option<Span> {
    let text = turn.text.as_str();
    let name = peer.agent.as_str();
    let (at, _) = text.match_indices(name).find(|(at, _)| {
        let rest = text.get(at + name.len()..).unwrap_or_default();
        rest.starts_with("'s ") || rest.starts_with("\u{2019}s ")
    })?;
    let rest = text.get(at + name.len()..)?;
    let start = at + name.len() + rest.find(' ')? + 1;
    let thing = text.get(start..)?;
    let end = thing.find(|c: char| !c.is_alphanumeric()).unwrap_or(thing.len());
    let thing = thing.get(..end).filter(|thing| thing.len() > 2)?;
    let mut words = peer.text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case(thing)).then(|| Span::new(at, start + end))
}
