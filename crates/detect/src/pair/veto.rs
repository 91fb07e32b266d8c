//! What is known for certain to let both hold, whatever words break.

use rebuttal_text::{ContentWord, Period, Relation};

use super::side::{Sides, Text};
use super::{Cue, CueKind};

/// Why two statements that seem to break can both hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Veto {
    /// They tell of times that have no day in common.
    Times,
    /// Both what is spoken of and what is said of it are turned round: "rising rates hurt", "falling
    /// rates help".
    Turns,
    /// One denies within a word what the other denies before it: "unsafe", "not safe".
    Denial,
}

impl Veto {
    /// A few words for explanations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Times => "they tell of different times",
            Self::Turns => "both sides of the statement are turned round",
            Self::Denial => "they deny the same in two ways",
        }
    }
}

/// What lets both hold, if anything does.
pub(super) fn veto(sides: &Sides<'_>, cues: &[Cue]) -> Option<Veto> {
    let breaks = cues.iter().filter(|cue| denies(cue) || cue.kind == CueKind::Opposite).count();
    if breaks == 0 {
        return None;
    }
    if other_times(sides, cues) {
        return Some(Veto::Times);
    }
    if turned_twice(sides, cues) {
        return Some(Veto::Turns);
    }
    let denied_alike = breaks == 1 && same_by_denial(&sides.a.words, &sides.b.words);
    denied_alike.then_some(Veto::Denial)
}

fn denies(cue: &Cue) -> bool {
    matches!(cue.kind, CueKind::Negation | CueKind::Prefix)
}

/// What is denied of one year does not deny what was said of another; of what happens once, two times
/// cannot both be right.
fn other_times(sides: &Sides<'_>, cues: &[Cue]) -> bool {
    let (one, two) = (&sides.a.periods, &sides.b.periods);
    let apart = |x: &Period| two.iter().all(|y| x.relation(y) == Relation::Disjoint);
    let happens_once = || cues.iter().any(|cue| cue.kind == CueKind::Period);
    !one.is_empty() && !two.is_empty() && one.iter().all(apart) && !happens_once()
}

/// One turn in the subject, one in what is said of it.
fn turned_twice(sides: &Sides<'_>, cues: &[Cue]) -> bool {
    let subject = |text: &Text, span| {
        let at = text.word_at(span);
        let word = at.and_then(|at| text.words.get(at));
        // The word that opens a single clause qualifies what is spoken of: "rising rates hurt".
        let opens = at == Some(0)
            && text.words.iter().all(|it| Some(it.clause) == word.map(|it| it.clause));
        word.is_some_and(|word| word.subject) || opens
    };
    let opposite = |inside: bool| {
        move |cue: &&Cue| {
            let (one, two) = (subject(sides.a, cue.span_a), subject(sides.b, cue.span_b));
            cue.kind == CueKind::Opposite && one == inside && two == inside
        }
    };
    let turns = cues.iter().filter(opposite(true)).count();
    let said = cues.iter().filter(opposite(false)).count();
    turns == 1 && said == 1 && !cues.iter().any(denies)
}

fn same_by_denial(one: &[ContentWord], two: &[ContentWord]) -> bool {
    let meets = |within: &[ContentWord], before: &[ContentWord]| {
        within.iter().filter(|it| !it.negated).any(|it| {
            let root = it.root().filter(|(_, denied)| *denied);
            root.is_some_and(|(root, _)| before.iter().any(|it| it.negated && it.term == root))
        })
    };
    meets(one, two) || meets(two, one)
}
