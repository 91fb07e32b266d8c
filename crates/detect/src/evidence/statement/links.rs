//! Connectives: what joins a premise to a conclusion, and what that is worth.

use super::super::scan::{Kind, Token};
use super::super::words::{CAUSE, Class, RESULT, SINCE, SO, TAKEN, TIME, VAGUE};
use super::{ItemKind, Sentence, Sink};

/// A stretch of a sentence between connectives.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) content: u16,
    pub(super) stems: u128,
    pub(super) particulars: f32,
    /// It has a verb, so that it can be a premise or a conclusion.
    pub(super) verb: bool,
    /// The connective that opens it.
    pub(super) opened_by: Class,
    start: u32,
    end: u32,
}

/// A connective stands here, of whatever kind.
const OPENED: Class = 1 << 62;

/// Connectives of one sentence that are weighed.
pub(super) const PARTS: usize = 5;

/// What a link is worth whose two sides have no word in common.
const APART: f32 = 0.6;

impl Sentence<'_> {
    /// A connective, or a word that can be one.
    pub(super) fn connective(&mut self, at: usize, token: &Token) {
        self.cues += u16::from(token.is(CAUSE | RESULT));
        if self.connects(at, token) {
            self.cut(token);
        } else if token.is(CAUSE | RESULT) {
            self.broken += 1;
        }
    }

    /// "since" after which no time comes, "so" after which a clause comes, any other connective.
    fn connects(&self, at: usize, token: &Token) -> bool {
        let next = self.get(at + 1);
        let number = next.is_some_and(|next| next.kind == Kind::Number);
        if token.is(SINCE) {
            return !number && next.is_some_and(|next| next.is_word() && !next.is(TIME));
        }
        if token.is(SO) && !token.is(RESULT) {
            let clause = at == self.first_word
                || self
                    .before(at)
                    .is_some_and(|before| before.is_mark(b',') || before.is_mark(b';'));
            // "so far", "so good" say how far and how good.
            return clause && next.is_some_and(|next| !next.is(TAKEN | VAGUE));
        }
        !number
    }

    /// A new stretch begins.
    fn cut(&mut self, token: &Token) {
        if self.part + 1 < PARTS {
            self.part += 1;
            if let Some(part) = self.here() {
                part.opened_by = token.class | OPENED;
                part.start = token.start;
                part.end = token.end;
            }
        }
    }

    /// "Because X, Y": what follows the comma is the conclusion.
    pub(super) fn comma(&mut self) {
        if self.part != 1 || self.parts.first().is_none_or(|first| first.content > 0) {
            return;
        }
        let opened = self.here().map_or(0, |part| part.opened_by);
        let content = self.here().map_or(0, |part| part.content);
        if opened & (CAUSE | SINCE) != 0 && content > 0 {
            self.part = 2;
        }
    }

    /// Whether a connective has nothing that could be a premise or a conclusion behind it: "because
    /// 300 litres", "therefore 2014".
    pub(super) fn is_disjointed(&self) -> bool {
        let parts = self.parts.get(1..=self.part).unwrap_or_default();
        let empty = |part: &&Part| {
            let says = part.content > 0 || part.particulars > 0.0;
            part.opened_by & (CAUSE | RESULT) != 0 && says && !part.verb
        };
        let empty = parts.iter().filter(empty).count();
        usize::from(self.broken) + empty > 1
    }

    /// What the connectives are worth: each needs something on both sides, and not the same.
    pub(super) fn links(&mut self, sink: &mut impl Sink) {
        let parts = self.parts;
        let mut before: Option<Part> = parts.first().copied().filter(|part| part.content > 0);
        let used = parts.get(1..=self.part).unwrap_or_default();
        for part in used.iter().copied() {
            let connective = part.opened_by != 0;
            if connective && before.is_none() && part.opened_by & (RESULT | SO) != 0 {
                self.found.concludes = part.content > 0;
            }
            if let Some(before) = before.filter(|_| part.content > 0) {
                let premise = if part.opened_by & (CAUSE | SINCE) != 0 { part } else { before };
                self.found.links += link(before.stems, part.stems, premise.particulars > 0.0);
                let mark = if connective { part } else { before };
                sink.item(ItemKind::Connective, mark.start, mark.end);
            }
            if part.content > 0 {
                before = Some(part);
            }
        }
    }
}

/// A link from one stretch to another: more if the premise is particular and about the same matter,
/// little if it only repeats.
pub(in super::super) fn link(one: u128, two: u128, particular: bool) -> f32 {
    let shared = (one & two).count_ones();
    let fewer = one.count_ones().min(two.count_ones()).max(1);
    if shared * 3 > fewer * 2 {
        0.2
    } else if particular && shared > 0 {
        1.0
    } else {
        APART
    }
}
