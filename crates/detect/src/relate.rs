//! What one statement is to another: the one answer for every part of the program.
//!
//! `compare`, flips, audits, the rubric, panels and reports find the pairs that are worth a look and ask
//! [`relate`]; none has a test of contradiction of its own. Rules read the words of both
//! ([`PairReading`]); a model, where there is one, reads the pair in both directions; exact knowledge of
//! numbers, times, names and denials settles what it can, and explains it.
//!
//! ```
//! use rebuttal_detect::{Reader, relate::{RelationKind, relate}};
//!
//! let found = relate("The cache is safe.", "The cache is not safe.", Reader::Rules);
//! assert_eq!(found.kind, RelationKind::Contradicts);
//! assert_eq!(found.cues[0].kind.as_str(), "negation");
//! ```

mod exact;
pub(crate) mod reserve;
pub(crate) mod roles;
mod statement;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use rebuttal_model::{Method, Span};
use rebuttal_semantics::{Pair, Related, SemanticsError};

use crate::pair::{Apart, Cue, PairReading};
use crate::reader::{Models, Reader};
use crate::seed;
pub(crate) use statement::Statement;

/// What the second of two statements is to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationKind {
    /// It says the same.
    Same,
    /// It follows from the first, which says more.
    Entails,
    /// Both cannot hold.
    Contradicts,
    /// It narrows the first, or holds it only under a condition.
    Qualifies,
    /// Neither says anything about the other.
    Unrelated,
}

impl RelationKind {
    /// All kinds, in the order of a model's classes.
    pub const ALL: [Self; 5] =
        [Self::Same, Self::Entails, Self::Contradicts, Self::Qualifies, Self::Unrelated];

    /// The word for it in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Entails => "entails",
            Self::Contradicts => "contradicts",
            Self::Qualifies => "qualifies",
            Self::Unrelated => "unrelated",
        }
    }

    fn told(self) -> &'static str {
        match self {
            Self::Same => "it says the same",
            Self::Entails => "it follows",
            Self::Contradicts => "both cannot hold",
            Self::Qualifies => "it narrows what was said",
            Self::Unrelated => "neither says anything about the other",
        }
    }

    /// The likeliest, and how likely it is.
    fn best(shares: &Related) -> (Self, f32) {
        let Related { same, entails, contradicts, qualifies, unrelated } = *shares;
        // Both hold or they do not: that is decided first, however the rest is shared.
        if contradicts >= CONTRADICTS {
            return (Self::Contradicts, contradicts);
        }
        let others = [
            (Self::Unrelated, unrelated),
            (Self::Qualifies, qualifies),
            (Self::Entails, entails),
            (Self::Same, same),
        ];
        let best = others.into_iter().max_by(|(_, one), (_, two)| one.total_cmp(two));
        best.unwrap_or((Self::Unrelated, 1.0))
    }
}

/// From this chance on both cannot hold.
pub const CONTRADICTS: f32 = 0.5;

/// What one statement is to another, and what shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The likeliest.
    pub kind: RelationKind,
    /// How likely that is.
    pub confidence: f32,
    /// How likely each is; the five sum to one.
    pub shares: Related,
    /// What the rules see that speaks against both holding, the strongest first.
    pub cues: Vec<Cue>,
    /// The two things that the texts are about, where these make two statements of them.
    pub apart: Option<Apart>,
    /// The words of both that decided, where single words did.
    pub at: Option<(Span, Span)>,
    /// Why, in a few words to go into a sentence.
    pub why: &'static str,
    /// Who decided.
    pub method: Method,
}

impl Relation {
    fn new(
        witnesses: Related,
        rules: PairReading,
        (a, b): (&Statement<'_>, &Statement<'_>),
        method: Method,
    ) -> Self {
        let exact::Settled { shares, why, at } = exact::settle(witnesses, &rules, a, b);
        let (kind, confidence) = RelationKind::best(&shares);
        let cue = rules.cues.first().filter(|_| kind == RelationKind::Contradicts);
        let at = at.or_else(|| cue.map(|cue| (cue.span_a, cue.span_b)));
        let why = why.or_else(|| cue.map(|cue| cue.kind.as_str())).unwrap_or(kind.told());
        Self { kind, confidence, shares, cues: rules.cues, apart: rules.apart, at, why, method }
    }

    /// True where both cannot hold.
    pub fn contradicts(&self) -> bool {
        self.kind == RelationKind::Contradicts
    }
}

/// What `b` is to `a`. A model that fails leaves the answer to the rules and a note in `Models`.
pub fn relate(a: &str, b: &str, reader: Reader<'_>) -> Relation {
    let (one, two) = (Statement::new(a), Statement::new(b));
    relate_read(&[(&one, &two)], reader).pop().unwrap_or_else(|| by_rules(&one, &two))
}

/// [`relate`] for many pairs, in order; a model is asked for all of them at once.
pub fn relate_all(pairs: &[(&str, &str)], reader: Reader<'_>) -> Vec<Relation> {
    let read: Vec<_> = pairs.iter().map(|(a, b)| (Statement::new(a), Statement::new(b))).collect();
    let read: Vec<_> = read.iter().map(|(a, b)| (a, b)).collect();
    relate_read(&read, reader)
}

/// [`relate_all`] by the models; fails where they do.
pub fn by_model(models: &Models, pairs: &[(&str, &str)]) -> Result<Vec<Relation>, SemanticsError> {
    let read: Vec<_> = pairs.iter().map(|(a, b)| (Statement::new(a), Statement::new(b))).collect();
    let read: Vec<_> = read.iter().map(|(a, b)| (a, b)).collect();
    with_models(models, &read)
}

/// [`relate_all`] for statements that are related to several others.
pub(crate) fn relate_read(
    pairs: &[(&Statement<'_>, &Statement<'_>)],
    reader: Reader<'_>,
) -> Vec<Relation> {
    let rules = || pairs.iter().map(|(a, b)| by_rules(a, b)).collect();
    match reader {
        Reader::Seed => pairs.iter().map(|(a, b)| by_seed(a, b)).collect(),
        Reader::Rules => rules(),
        Reader::Model(models) if !models.infers() => rules(),
        Reader::Model(models) => models.answer(with_models(models, pairs)).unwrap_or_else(rules),
    }
}

/// What rules alone make of two statements.
pub(crate) fn by_rules(a: &Statement<'_>, b: &Statement<'_>) -> Relation {
    let rules = a.beside(b);
    Relation::new(rules.related(), rules, (a, b), Method::Rules)
}

fn with_models(
    models: &Models,
    pairs: &[(&Statement<'_>, &Statement<'_>)],
) -> Result<Vec<Relation>, SemanticsError> {
    let asked: Vec<Pair<'_>> =
        pairs.iter().map(|(a, b)| Pair { premise: a.text(), hypothesis: b.text() }).collect();
    let witnesses = models.inference.relations(&asked)?;
    let relation = |((a, b), witnesses): (&(&Statement<'_>, &Statement<'_>), Related)| {
        Relation::new(witnesses, a.beside(b), (a, b), Method::Model)
    };
    Ok(pairs.iter().zip(witnesses).map(relation).collect())
}

fn by_seed(a: &Statement<'_>, b: &Statement<'_>) -> Relation {
    let found = seed::flip(a.text(), b.text()) == seed::Flip::Contradiction;
    let shares = Related::UNRELATED.with_contradiction(f32::from(u8::from(found)));
    let (kind, confidence) = RelationKind::best(&shares);
    let why = "the seed documents' lists say so";
    let (cues, apart, at) = (Vec::new(), None, None);
    Relation { kind, confidence, shares, cues, apart, at, why, method: Method::Seed }
}
