//! What was found, as numbers with names.

use super::align::{Alignment, Link};
use super::numbers::Numbers;
use super::polarity::Polarity;
use super::side::{Sides, Text};
use super::{Cue, CueKind};

macro_rules! features {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// One number of a pair; the discriminant is its place. All lie within 0 to 1.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum Feature { $($(#[$doc])* $variant,)* }

        /// How many numbers a pair has.
        pub const FEATURES: usize = [$($name),*].len();

        impl Feature {
            /// All, in order.
            pub const ALL: [Self; FEATURES] = [$(Self::$variant),*];

            /// The name in files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

features! {
    /// Share of the first text's content words that the second says too.
    CoverageA = "coverage_a",
    /// Share of the second text's content words that the first says too.
    CoverageB = "coverage_b",
    /// Strongest negation of what the other says.
    Negation = "negation",
    /// Share of the agreeing words that are denied on one side only.
    NegationShare = "negation_share",
    /// One text denies something and the other nothing.
    NegationOneSided = "negation_one_sided",
    /// Both texts deny something.
    NegationBoth = "negation_both",
    /// Strongest "un-", "-less" against its base.
    Prefix = "prefix",
    /// Strongest pair of opposites.
    Opposite = "opposite",
    /// Strongest pair of one exclusive kind.
    Kind = "kind",
    /// Strongest pair of one loose kind.
    LooseKind = "loose_kind",
    /// An opposite or sibling is denied, so that both can hold.
    Cancelled = "cancelled",
    /// The denied word is the narrower one, so that both can hold.
    Blocked = "blocked",
    /// Strongest pair of numbers that differ.
    Number = "number",
    /// Share of the second text's numbers that the first confirms.
    NumberAgreement = "number_agreement",
    /// Numbers of the second text without a counterpart.
    NumberAlone = "number_alone",
    /// Two times of what happens once.
    Period = "period",
    /// The texts speak of different times.
    OtherTime = "other_time",
    /// Two words have changed places.
    Role = "role",
    /// The sentences open with two of a kind: they may be about two things.
    OtherSubject = "other_subject",
    /// Names of the second text that the first lacks, as a share of its content words.
    NewNames = "new_names",
    /// Content words of the second text that the first lacks; 1 for eight or more.
    NewWords = "new_words",
    /// One text hedges and the other does not.
    HedgeDifference = "hedge_difference",
    /// Either text asks.
    Question = "question",
    /// Letters of the first text; 1 for 400 or more, by square root.
    LengthA = "length_a",
    /// Letters of the second text, likewise.
    LengthB = "length_b",
    /// Cues beyond the first; 1 for four or more.
    MoreCues = "more_cues",
    /// The second text's coverage, as far as no cue speaks against it: it may simply follow.
    Unbroken = "unbroken",
    /// The texts have no content word in common, and no cue: they may be about two things.
    Nothing = "nothing",
}

/// Puts the cues in order and the findings into numbers.
pub(super) fn gather(
    sides: &Sides<'_>,
    found: &Alignment,
    polarity: Polarity,
    numbers: Numbers,
    role: Option<Cue>,
) -> (Vec<Cue>, [f32; FEATURES]) {
    let mut values = [0.0; FEATURES];
    let mut set = |feature: Feature, value: f32| {
        if let Some(slot) = values.get_mut(feature as usize) {
            *slot = value.clamp(0.0, 1.0);
        }
    };
    let covered = Covered::new(sides, found);
    set(Feature::CoverageA, covered.share_a);
    set(Feature::CoverageB, covered.share_b);
    set(Feature::NewNames, covered.new_names);
    set(Feature::NewWords, count(covered.new_words) / 8.0);
    let agreeing = f32::from(polarity.agreeing.max(1));
    set(Feature::NegationShare, polarity.mismatched / agreeing);
    let (one, two) = (denies(sides.a), denies(sides.b));
    set(Feature::NegationOneSided, flag(one != two));
    set(Feature::NegationBoth, flag(one && two));
    set(Feature::Cancelled, flag(polarity.cancelled > 0));
    set(Feature::Blocked, flag(polarity.blocked));
    set(Feature::OtherSubject, flag(polarity.other_subject));
    set(Feature::NumberAlone, f32::from(numbers.alone) / 4.0);
    let all = count(sides.b.quantities.len().max(1));
    set(Feature::NumberAgreement, f32::from(numbers.agreeing) / all);
    set(Feature::OtherTime, flag(numbers.other_time));
    let tentative = |text: &Text| text.clauses.iter().any(|clause| clause.tentative);
    set(Feature::HedgeDifference, flag(tentative(sides.a) != tentative(sides.b)));
    let asks = |text: &Text| text.clauses.iter().any(|clause| clause.question);
    set(Feature::Question, flag(asks(sides.a) || asks(sides.b)));
    let length = |text: &Text| (count(text.letters) / 400.0).sqrt();
    set(Feature::LengthA, length(sides.a));
    set(Feature::LengthB, length(sides.b));

    let mut cues = polarity.cues;
    let others = numbers.others;
    cues.extend(numbers.cues);
    cues.extend(role);
    one_of_two_subjects(&mut cues, others);
    cues.sort_by(|a, b| b.strength.total_cmp(&a.strength).then(a.kind.cmp(&b.kind)));
    for cue in cues.iter().rev() {
        set(feature_of(cue.kind), cue.strength);
    }
    let broken = cues.iter().filter(|cue| cue.kind != CueKind::LooseKind);
    let strongest = broken.map(|cue| cue.strength).fold(0.0, f32::max);
    set(Feature::Unbroken, covered.share_b * (1.0 - strongest));
    let nothing = flag(covered.share_a + covered.share_b == 0.0);
    set(Feature::Nothing, nothing * (1.0 - strongest));
    set(Feature::MoreCues, count(cues.len().saturating_sub(1)) / 4.0);
    (cues, values)
}

/// Other numbers of another thing are no clash: where a number and what it is of both differ, each
/// explains the other. So it is where numbers are known to be of `others`.
fn one_of_two_subjects(cues: &mut [Cue], others: bool) {
    const EXPLAINED: f32 = 0.3;
    let has = |cues: &[Cue], wanted: &[CueKind]| cues.iter().any(|cue| wanted.contains(&cue.kind));
    let differ = others || has(cues, &[CueKind::Number]);
    if differ && has(cues, &[CueKind::Kind, CueKind::Opposite]) {
        let explained = [CueKind::Number, CueKind::Kind];
        cues.iter_mut().filter(|cue| explained.contains(&cue.kind)).for_each(|cue| {
            cue.strength *= EXPLAINED;
        });
    }
}

fn feature_of(kind: CueKind) -> Feature {
    match kind {
        CueKind::Negation => Feature::Negation,
        CueKind::Prefix => Feature::Prefix,
        CueKind::Opposite => Feature::Opposite,
        CueKind::Kind => Feature::Kind,
        CueKind::LooseKind => Feature::LooseKind,
        CueKind::Number => Feature::Number,
        CueKind::Period => Feature::Period,
        CueKind::Role => Feature::Role,
    }
}

fn flag(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

fn count(number: usize) -> f32 {
    f32::from(u16::try_from(number).unwrap_or(u16::MAX))
}

fn denies(text: &Text) -> bool {
    text.clauses.iter().any(|clause| clause.negator.is_some())
}

/// How much of each text the other says too.
struct Covered {
    share_a: f32,
    share_b: f32,
    new_names: f32,
    new_words: usize,
}

impl Covered {
    fn new(sides: &Sides<'_>, found: &Alignment) -> Self {
        let (mut in_a, mut in_b, mut names, mut new) = (0, 0, 0, 0);
        for (at, _) in sides.a.words.iter().enumerate().filter(|(_, word)| word.content) {
            in_a += usize::from(found.link_of_a(at).is_some_and(Link::agrees));
        }
        for (at, word) in sides.b.words.iter().enumerate().filter(|(_, word)| word.content) {
            let link = found.link_of_b(at);
            in_b += usize::from(link.is_some_and(Link::agrees));
            new += usize::from(link.is_none());
            names += usize::from(link.is_none() && word.name);
        }
        let (all_a, all_b) = (sides.a.content().max(1), sides.b.content().max(1));
        Self {
            share_a: count(in_a) / count(all_a),
            share_b: count(in_b) / count(all_b),
            new_names: count(names) / count(all_b),
            new_words: new,
        }
    }
}
