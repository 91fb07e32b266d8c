//! Which sentences of two reports are on one matter, so that it is worth asking whether both can hold.

use rebuttal_model::Span;
use rebuttal_text::{ContentWord, Tie};

use crate::pair::{Cue, CueKind};
use crate::relate::{Relation, Statement, by_rules};

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

/// What rules make of two sentences.
pub(super) enum Judged {
    /// Words of both break with each other.
    Conflict(Relation),
    /// On the same matter, but no rule can tell.
    Open,
    /// On two matters.
    Apart,
}

/// Judges two statements by rules.
pub(super) fn judge(a: &Statement<'_>, b: &Statement<'_>) -> Judged {
    if other_name(&a.content.words, &b.content.words) {
        return Judged::Apart;
    }
    let found = by_rules(a, b);
    if !same_subject(a, b, &found.cues) {
        return Judged::Apart;
    }
    if found.contradicts() && !found.cues.first().is_some_and(|cue| counts(cue) || is_place(a, cue))
    {
        return Judged::Conflict(found);
    }
    // Numbers have been compared as figures, by someone who knows what they are of.
    if found.cues.iter().any(counts) { Judged::Apart } else { Judged::Open }
}

fn counts(cue: &Cue) -> bool {
    matches!(cue.kind, CueKind::Number | CueKind::Period)
}

/// A sentence that states something outright; nothing where it leaves open whether it is so.
pub(super) fn read(text: &str) -> Option<Statement<'_>> {
    (!asks(text)).then(|| Statement::new(text))
}

/// "in" and "out", "before" and "after" say where and when, not what is thought of it.
fn is_place(statement: &Statement<'_>, cue: &Cue) -> bool {
    const PLACES: [&str; 20] = [
        "in", "out", "into", "inside", "outside", "on", "off", "before", "after", "from", "to",
        "with", "without", "over", "under", "above", "below", "left", "right", "back",
    ];
    let word = cue.span_a.of(statement.text());
    word.is_some_and(|word| PLACES.iter().any(|place| word.eq_ignore_ascii_case(place)))
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
fn same_subject(one: &Statement<'_>, two: &Statement<'_>, cues: &[Cue]) -> bool {
    let words = |read: &Statement<'_>, cue: fn(&Cue) -> Span| -> Vec<ContentWord> {
        let turns = |it: &&Cue| !matches!(it.kind, CueKind::Kind | CueKind::LooseKind);
        // Of "not improve write latency" the ends decide; "write" tells what is not improved.
        let ends = |cue: Span, word: Span| {
            cue.overlaps(word) && (word.start() <= cue.start() || word.end() >= cue.end())
        };
        let decides =
            |word: &ContentWord| cues.iter().filter(turns).any(|it| ends(cue(it), word.span));
        let attitude = |word: &ContentWord| {
            let text = word.span.of(read.text()).unwrap_or_default();
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

/// Both have names, and each has one that the other lacks.
fn other_name(one: &[ContentWord], two: &[ContentWord]) -> bool {
    let lacks = |own: &[ContentWord], other: &[ContentWord]| {
        let names = own.iter().filter(|word| word.name);
        names.into_iter().any(|name| other.iter().all(|word| word.term != name.term))
    };
    lacks(one, two) && lacks(two, one)
}
