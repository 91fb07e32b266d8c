//! Whether two sentences on one matter can both hold.

use rebuttal_model::Span;
use rebuttal_text::{Content, ContentWord, Reading, Relation, Tie};

use crate::pair::{Cue, CueKind, PairReading};

/// From what chance of a contradiction on a pair counts.
const ENOUGH: f32 = 0.6;

/// Who thinks so and how: no part of what is thought.
const ATTITUDES: [&str; 12] = [
    "recommend",
    "suggest",
    "advis",
    "propos",
    "team",
    "panel",
    "board",
    "believe",
    "think",
    "conclude",
    "current",
    "clear",
];

/// What rules make of two statements.
pub(super) enum Judged {
    /// They conflict: the words that decide, and the chance.
    Conflict(Cue, f32),
    /// On the same matter, but no rule can tell.
    Open,
    /// Of other times or names.
    Apart,
}

/// Judges two statements by rules.
pub(super) fn judge(a: &Read<'_>, b: &Read<'_>) -> Judged {
    if other_name(&a.content.words, &b.content.words) || other_time(&a.reading, &b.reading) {
        return Judged::Apart;
    }
    let one = a.reading.original();
    let pair =
        PairReading::with_content((&a.reading, a.content.clone()), (&b.reading, b.content.clone()));
    if same_by_denial(&a.content.words, &b.content.words) || !same_subject(a, b, &pair.cues) {
        return Judged::Apart;
    }
    let chance = pair.verdict().contradiction;
    let opposed = |cue: &&Cue| {
        matches!(cue.kind, CueKind::Negation | CueKind::Prefix | CueKind::Opposite)
            && !is_place(one, cue.span_a)
    };
    // Two turns are none: "rising rates hurt" and "falling rates help" agree. A "not" is one turn,
    // however many words it reaches.
    let opposites =
        pair.cues.iter().filter(opposed).filter(|cue| cue.kind == CueKind::Opposite).count();
    // "illegal" is both the opposite of "legal" and a denial of it: one turn.
    let turned = |it: &&Cue| {
        let same = |other: &Cue| other.kind == CueKind::Opposite && other.span_a == it.span_a;
        it.kind != CueKind::Opposite && !pair.cues.iter().any(same)
    };
    let denials = pair.cues.iter().filter(opposed).filter(turned).count().min(1);
    if opposites + denials > 1 && (opposites + denials) % 2 == 0 {
        return Judged::Apart;
    }
    let role = pair.cues.iter().find(|cue| cue.kind == CueKind::Role);
    let deciding = match (role, pair.cues.iter().find(opposed)) {
        // "A outweighs B" and "B does not outweigh A" agree.
        (Some(_), Some(cue)) if cue.kind != CueKind::Opposite => return Judged::Apart,
        (Some(role), _) => Some(role),
        (None, cue) => cue.filter(|_| chance >= ENOUGH),
    };
    // Numbers have been compared as figures, by someone who knows what they are of.
    let counts = pair.cues.iter().any(|cue| matches!(cue.kind, CueKind::Number | CueKind::Period));
    match deciding {
        Some(cue) => Judged::Conflict(*cue, chance),
        None if counts => Judged::Apart,
        None => Judged::Open,
    }
}

/// A sentence that states something outright, and its words.
pub(super) struct Read<'t> {
    reading: Reading<'t>,
    content: Content,
}

impl<'t> Read<'t> {
    /// Reads a sentence; nothing where it leaves open whether it is so.
    pub(super) fn new(text: &'t str) -> Option<Self> {
        if asks(text) {
            return None;
        }
        let reading = Reading::new(text);
        let content = reading.content();
        Some(Self { reading, content })
    }
}

/// "in" and "out", "before" and "after" say where and when, not what is thought of it.
fn is_place(text: &str, span: Span) -> bool {
    const PLACES: [&str; 20] = [
        "in", "out", "into", "inside", "outside", "on", "off", "before", "after", "from", "to",
        "with", "without", "over", "under", "above", "below", "left", "right", "back",
    ];
    span.of(text).is_some_and(|word| PLACES.iter().any(|place| word.eq_ignore_ascii_case(place)))
}

/// "unsafe" and "not safe": one denies within the word what the other denies before it.
fn same_by_denial(one: &[ContentWord], two: &[ContentWord]) -> bool {
    let meets = |within: &[ContentWord], before: &[ContentWord]| {
        within.iter().filter(|it| !it.negated).any(|it| {
            let root = it.root().filter(|(_, denied)| *denied);
            root.is_some_and(|(root, _)| before.iter().any(|it| it.negated && it.term == root))
        })
    };
    meets(one, two) || meets(two, one)
}

/// "The question is whether …", "safe unless …", "may rise": nothing is stated outright.
fn asks(text: &str) -> bool {
    const OPEN: [&str; 9] =
        ["whether", "unless", "once", "if", "provided", "may", "might", "could", "except"];
    let words = text.split(|c: char| !c.is_alphabetic()).enumerate();
    // The month of May leaves nothing open.
    let month = |(at, word): &(usize, &str)| *at > 0 && *word == "May";
    words
        .filter(|it| !month(it))
        .any(|(_, word)| OPEN.iter().any(|open| word.eq_ignore_ascii_case(open)))
}

/// True unless each says something of a thing that the other does not mention, or one of a part only.
fn same_subject(one: &Read<'_>, two: &Read<'_>, cues: &[Cue]) -> bool {
    let words = |read: &Read<'_>, cue: fn(&Cue) -> Span| -> Vec<ContentWord> {
        let turns = |it: &&Cue| !matches!(it.kind, CueKind::Kind | CueKind::LooseKind);
        // Of "not improve write latency" the ends decide; "write" tells what is not improved.
        let ends = |cue: Span, word: Span| {
            cue.overlaps(word) && (word.start() <= cue.start() || word.end() >= cue.end())
        };
        let decides =
            |word: &ContentWord| cues.iter().filter(turns).any(|it| ends(cue(it), word.span));
        let attitude = |word: &ContentWord| {
            let text = word.span.of(read.reading.original()).unwrap_or_default();
            let starts =
                |it: &&str| text.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it));
            ATTITUDES.iter().any(starts)
        };
        let own =
            read.content.words.iter().filter(|it| it.content && !decides(it) && !attitude(it));
        own.copied().collect()
    };
    let (one, two) = (words(one, |cue| cue.span_a), words(two, |cue| cue.span_b));
    let says = |own: &[ContentWord], word: &ContentWord| {
        own.iter().any(|it| {
            it.term == word.term
                || matches!(it.tie(word), Some(Tie::Same | Tie::Narrower | Tie::Wider))
        })
    };
    let alone = |own: &[ContentWord], other: &[ContentWord]| {
        own.iter().filter(|it| !says(other, it)).count()
    };
    // One word more may only say it better; two say of what part it holds.
    let (of_one, of_two) = (alone(&one, &two), alone(&two, &one));
    of_one.min(of_two) == 0 && of_one.max(of_two) < 2
}

/// Both name times, and no time of one shares a day with one of the other.
fn other_time(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let (one, two) = (a.periods(), b.periods());
    !one.is_empty()
        && !two.is_empty()
        && one.iter().all(|x| two.iter().all(|y| x.relation(y) == Relation::Disjoint))
}

/// Both have names, and each has one that the other lacks.
fn other_name(one: &[ContentWord], two: &[ContentWord]) -> bool {
    let lacks = |own: &[ContentWord], other: &[ContentWord]| {
        let names = own.iter().filter(|word| word.name);
        names.into_iter().any(|name| other.iter().all(|word| word.term != name.term))
    };
    lacks(one, two) && lacks(two, one)
}
