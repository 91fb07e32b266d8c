//! What one text denies and the other says, and what excludes what.

use rebuttal_text::{Clause, ContentWord, Range, Tie};

use super::align::{Alignment, Link};
use super::side::{Sides, Text};
use super::{Cue, CueKind};

/// What the words and their negations show.
#[derive(Debug, Default)]
pub(super) struct Polarity {
    pub(super) cues: Vec<Cue>,
    /// Agreeing links of content words, and how many of them are plainly denied on one side only.
    pub(super) agreeing: u16,
    pub(super) mismatched: f32,
    /// Opposites or two of a kind of which one is denied: "not closed", "open".
    pub(super) cancelled: u16,
    /// The narrower word is the denied one: "owns no dog" and "owns an animal" can both hold.
    pub(super) blocked: bool,
    /// The first words of two sentences exclude each other: they may be about two things.
    pub(super) other_subject: bool,
}

/// Compares the two texts link by link.
pub(super) fn compare(sides: &Sides<'_>, found: &Alignment) -> Polarity {
    let mut polarity = Polarity::default();
    for link in &found.links {
        let Some((a, b)) = sides.words(link) else { continue };
        let odd = (a.negated != b.negated) != link.flip;
        match link.tie {
            Tie::Same | Tie::Narrower | Tie::Wider => {
                polarity.agreeing += u16::from(a.content && b.content);
                if odd {
                    polarity.denied(sides, found, link, (a, b));
                }
            }
            Tie::Opposite | Tie::Exclusive | Tie::Other if odd => polarity.cancelled += 1,
            Tie::Opposite | Tie::Exclusive | Tie::Other => {
                polarity.excluded(sides, found, link, (a, b));
            }
        }
    }
    if polarity.blocked {
        polarity.cues.iter_mut().filter(|cue| cue.kind == CueKind::Negation).for_each(|cue| {
            cue.strength *= 0.1;
        });
    }
    polarity
}

impl Polarity {
    fn denied(
        &mut self,
        sides: &Sides<'_>,
        found: &Alignment,
        link: &Link,
        (a, b): (&ContentWord, &ContentWord),
    ) {
        let wider_denied = match link.tie {
            Tie::Narrower => b.negated,
            Tie::Wider => a.negated,
            _ => true,
        };
        if !wider_denied {
            self.blocked = true;
            return;
        }
        if !a.content || !b.content {
            return;
        }
        let clauses = sides.a.clause(a).zip(sides.b.clause(b));
        let plain = clauses.map_or(1.0, |(one, two)| plainness((one, a), (two, b)));
        self.mismatched += plain;
        let head = head(sides, found, link, (a, b));
        let strength = support(sides, found, (a, b), 1) * plain * head;
        let kind = if link.flip { CueKind::Prefix } else { CueKind::Negation };
        let span = |word: &ContentWord, clause: Option<&Clause>| {
            let negator = clause.and_then(|clause| clause.negator).filter(|_| word.negated);
            negator.map_or(word.span, |negator| negator.join(word.span))
        };
        self.cues.push(Cue {
            kind,
            span_a: span(a, sides.a.clause(a)),
            span_b: span(b, sides.b.clause(b)),
            strength,
        });
    }

    fn excluded(
        &mut self,
        sides: &Sides<'_>,
        found: &Alignment,
        link: &Link,
        (a, b): (&ContentWord, &ContentWord),
    ) {
        let (kind, both_denied) = match link.tie {
            Tie::Opposite => (CueKind::Opposite, 0.6),
            Tie::Exclusive => (CueKind::Kind, 0.0),
            _ => (CueKind::LooseKind, 0.0),
        };
        let both_first = sides.a.first == Some(link.a) && sides.b.first == Some(link.b);
        if link.tie != Tie::Opposite && both_first {
            self.other_subject = true;
        }
        let clauses = sides.a.clause(a).zip(sides.b.clause(b));
        let plain = clauses.map_or(1.0, |(one, two)| plainness((one, a), (two, b)));
        let denied = if a.negated && b.negated { both_denied } else { 1.0 };
        let near = if link.near { 1.0 } else { 0.7 };
        let strength = support(sides, found, (a, b), 1) * plain * near * denied;
        if strength > 0.0 {
            self.cues.push(Cue { kind, span_a: a.span, span_b: b.span, strength });
        }
    }
}

/// Whether the words are what is denied, or only come along with it.
///
/// The word right behind a "not" is what is denied. A word further on counts less, and hardly at all
/// when that first word has no counterpart (something else is denied) or both texts deny.
fn head(
    sides: &Sides<'_>,
    found: &Alignment,
    link: &Link,
    (a, b): (&ContentWord, &ContentWord),
) -> f32 {
    if link.flip || a.denied_first || b.denied_first {
        return 1.0;
    }
    let denies = |clause: Option<&Clause>| clause.is_some_and(|clause| clause.negator.is_some());
    if denies(sides.a.clause(a)) && denies(sides.b.clause(b)) {
        return 0.15;
    }
    let answered = if a.negated {
        sides.a.head(a).and_then(|at| found.link_of_a(at))
    } else {
        sides.b.head(b).and_then(|at| found.link_of_b(at))
    };
    if answered.is_some_and(Link::agrees) { 0.7 } else { 0.3 }
}

/// How far both are stated: what is asked, supposed, only possible or somebody else's breaks with
/// nothing.
fn plainness((one, a): (&Clause, &ContentWord), (two, b): (&Clause, &ContentWord)) -> f32 {
    let (no, yes) = if a.negated { (one, two) } else { (two, one) };
    let either = a.negated != b.negated;
    // Not all and some, some not and some: both can hold.
    if either && yes.range == Range::Some && (no.not_all || no.range == Range::Some) {
        return 0.1;
    }
    let mut plain = 1.0;
    if one.question != two.question {
        plain *= 0.3;
    } else if one.question {
        plain *= 0.8;
    }
    plain *= match (one.tentative, two.tentative) {
        (false, false) => 1.0,
        (true, true) => 0.15,
        _ => 0.45,
    };
    if one.conditional != two.conditional {
        plain *= 0.6;
    }
    if one.reported != two.reported {
        plain *= 0.6;
    }
    plain
}

/// How much else the two sentences share, of the shorter; 1 when there is nothing else.
///
/// `own` is how many words of each the cue itself takes.
pub(super) fn support(
    sides: &Sides<'_>,
    found: &Alignment,
    (a, b): (&ContentWord, &ContentWord),
    own: u16,
) -> f32 {
    let count = |text: &Text, word: &ContentWord| {
        let all = text.per_sentence.get(word.sentence as usize).copied().unwrap_or(0);
        all.saturating_sub(if word.content { own } else { 0 })
    };
    let (rest_a, rest_b) = (count(sides.a, a), count(sides.b, b));
    let linked = found.shared(a, b);
    let itself = found.links.first().is_some_and(|_| {
        a.content && b.content && a.term == b.term || is_joined(found, sides, a, b)
    });
    let shared = linked.saturating_sub(u16::from(itself));
    match rest_a.min(rest_b) {
        0 if rest_a.max(rest_b) == 0 => 1.0,
        0 => 0.6,
        rest => (f32::from(shared) / f32::from(rest)).min(1.0),
    }
}

/// Whether the two words agree, and so are among the shared ones.
fn is_joined(found: &Alignment, sides: &Sides<'_>, a: &ContentWord, b: &ContentWord) -> bool {
    let link = sides.a.word_at(a.span).and_then(|at| found.link_of_a(at));
    let other = link.and_then(|link| sides.b.words.get(link.b));
    link.is_some_and(Link::agrees) && other.is_some_and(|other| other.span == b.span)
}
