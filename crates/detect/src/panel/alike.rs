//! How alike the voices are to each other, and each to itself.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rebuttal_model::AgentId;
use rebuttal_semantics::Embedding;
use rebuttal_text::ClaimReading;

use super::claims::{Stated, dot};
use super::voices::Voice;
use super::{PanelReader, Said, Vectors, count};
use crate::relate::{Statement, by_rules};

/// How far two voices agree that give the same answer, before a word of their reasons is compared:
/// what they disagree on then is why.
const SAME_ANSWER: f64 = 0.7;

/// How alike each two voices are.
#[derive(Debug)]
pub(super) struct Likeness {
    size: usize,
    values: Vec<f32>,
}

impl Likeness {
    /// By the vectors of whole answers, less what the two deny of each other.
    pub(super) fn new(voices: &[Voice<'_>], vectors: &[Arc<Embedding>], stated: &Stated) -> Self {
        let size = voices.len();
        let mut values = vec![1.0; size * size];
        for (a, one) in vectors.iter().enumerate() {
            for (b, two) in vectors.iter().enumerate().skip(a + 1) {
                let cosine = dot(one.values(), two.values()).max(0.0);
                for place in [a * size + b, b * size + a] {
                    if let Some(value) = values.get_mut(place) {
                        *value = cosine;
                    }
                }
            }
        }
        let mut found = Self { size, values };
        found.less_what_is_denied(stated);
        found
    }

    /// Of what two voices state about the same, the share that one denies.
    fn less_what_is_denied(&mut self, stated: &Stated) {
        let mut counted: BTreeMap<(usize, usize), (f32, f32)> = BTreeMap::new();
        for found in &stated.matches {
            let voice = |at: usize| stated.all.get(at).map_or(0, |one| one.voice);
            let entry = counted.entry((voice(found.a), voice(found.b))).or_default();
            entry.0 += found.cosine;
            entry.1 += if found.opposed { found.cosine } else { 0.0 };
        }
        for ((a, b), (all, denied)) in counted {
            for place in [a * self.size + b, b * self.size + a] {
                if let Some(value) = self.values.get_mut(place) {
                    *value *= 1.0 - denied / all.max(f32::MIN_POSITIVE);
                }
            }
        }
    }

    /// How alike two voices are, 0 to 1.
    pub(super) fn of(&self, a: usize, b: usize) -> f64 {
        f64::from(self.values.get(a * self.size + b).copied().unwrap_or(0.0))
    }

    /// How far two voices agree. Who answers otherwise does not agree, in whatever words; for who gives
    /// the same answer the words count for the rest.
    fn agree(&self, voices: &[Voice<'_>], a: usize, b: usize) -> f64 {
        let answer = |at: usize| voices.get(at).and_then(|voice| voice.answer);
        match (answer(a), answer(b)) {
            (Some(one), Some(two)) if one.eq_ignore_ascii_case(two) => {
                SAME_ANSWER + (1.0 - SAME_ANSWER) * self.of(a, b)
            }
            (Some(_), Some(_)) => 0.0,
            _ => self.of(a, b),
        }
    }

    /// How far the voices agree, over all pairs; none with fewer than two voices.
    pub(super) fn agreement(&self, voices: &[Voice<'_>]) -> Option<f64> {
        let all: Vec<usize> = (0..self.size).collect();
        (self.size > 1).then(|| self.agreement_of(voices, &all))
    }

    /// How far some of them agree.
    pub(super) fn agreement_of(&self, voices: &[Voice<'_>], some: &[usize]) -> f64 {
        let pairs = some.iter().enumerate();
        let pairs = pairs.flat_map(|(at, a)| some.iter().skip(at + 1).map(move |b| (*a, *b)));
        let sum: f64 = pairs.map(|(a, b)| self.agree(voices, a, b)).sum();
        sum / (count(some.len()) * (count(some.len()) - 1.0) / 2.0).max(1.0)
    }
}

/// How alike each voice is to what it said last; a voice that denies itself is not alike.
pub(super) fn stability(
    voices: &[Voice<'_>],
    earlier: &[Said<'_>],
    vectors: &Vectors,
    reader: &mut PanelReader<'_>,
) -> BTreeMap<AgentId, f64> {
    let mut found = BTreeMap::new();
    for (voice, now) in voices.iter().zip(&vectors.now) {
        let last =
            earlier.iter().zip(&vectors.earlier).rfind(|(said, _)| said.agent == voice.agent);
        let Some((said, before)) = last else { continue };
        let cosine = f64::from(dot(now.values(), before.values()).max(0.0));
        found.insert(
            voice.agent.clone(),
            cosine * (1.0 - denied((said.text, &reader.claims(said.key(), said.text)), voice)),
        );
    }
    found
}

/// The share of a voice's statements about something stated `before` that cannot hold beside it.
fn denied((text, before): (&str, &[ClaimReading]), voice: &Voice<'_>) -> f64 {
    let (mut about, mut against) = (0usize, 0usize);
    let stated =
        |text, claim: &ClaimReading| Statement::new(claim.span.of(text).unwrap_or_default());
    // Each is read when it is first compared, and then known.
    let read: Vec<OnceCell<Statement<'_>>> = before.iter().map(|_| OnceCell::new()).collect();
    for claim in voice.read.iter() {
        let touches = |(other, _): &(&ClaimReading, _)| {
            let shared = other.terms.iter().filter(|term| claim.terms.binary_search(term).is_ok());
            shared.count() * 2 >= claim.terms.len().min(other.terms.len()).max(1)
        };
        let mut same = before.iter().zip(&read).filter(touches).peekable();
        if same.peek().is_none() {
            continue;
        }
        about += 1;
        let now = stated(&voice.text, claim);
        let opposes = |(other, held): (&ClaimReading, &OnceCell<_>)| {
            by_rules(held.get_or_init(|| stated(text, other)), &now).contradicts()
        };
        against += usize::from(same.all(opposes));
    }
    if about == 0 { 0.0 } else { count(against) / count(about) }
}
