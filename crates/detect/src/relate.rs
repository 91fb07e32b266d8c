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

use rebuttal_model::Method;
use rebuttal_semantics::{Pair, Related, SemanticsError};

use crate::pair::{Apart, Cue, PairReading, is_same};
use crate::reader::{Models, Reader};
use crate::seed;

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
    /// Who decided.
    pub method: Method,
}

impl Relation {
    fn new(shares: Related, rules: PairReading, method: Method) -> Self {
        let (kind, confidence) = RelationKind::best(&shares);
        Self { kind, confidence, shares, cues: rules.cues, apart: rules.apart, method }
    }

    /// What rules alone make of a pair that was read.
    pub(crate) fn by_rules(rules: PairReading) -> Self {
        Self::new(rules.related(), rules, Method::Rules)
    }

    /// The same to the letter.
    fn same() -> Self {
        let shares = Related { same: 1.0, unrelated: 0.0, ..Related::UNRELATED };
        Self {
            kind: RelationKind::Same,
            confidence: 1.0,
            shares,
            cues: Vec::new(),
            apart: None,
            method: Method::Rules,
        }
    }

    /// True where both cannot hold.
    pub fn contradicts(&self) -> bool {
        self.kind == RelationKind::Contradicts
    }
}

/// What `b` is to `a`. A model that fails leaves the answer to the rules and a note in `Models`.
pub fn relate(a: &str, b: &str, reader: Reader<'_>) -> Relation {
    relate_all(&[(a, b)], reader).pop().unwrap_or_else(Relation::same)
}

/// [`relate`] for many pairs, in order; a model is asked for all of them at once.
pub fn relate_all(pairs: &[(&str, &str)], reader: Reader<'_>) -> Vec<Relation> {
    let by_rules = || pairs.iter().map(|(a, b)| rules(a, b)).collect();
    match reader {
        Reader::Seed => pairs.iter().map(|(a, b)| by_seed(a, b)).collect(),
        Reader::Rules => by_rules(),
        Reader::Model(models) if !models.infers() => by_rules(),
        Reader::Model(models) => models.answer(by_model(models, pairs)).unwrap_or_else(by_rules),
    }
}

/// [`relate_all`] by the models; fails where they do.
pub fn by_model(models: &Models, pairs: &[(&str, &str)]) -> Result<Vec<Relation>, SemanticsError> {
    let repeated: Vec<bool> = pairs.iter().map(|(a, b)| is_same(a, b)).collect();
    let asked: Vec<Pair<'_>> = pairs
        .iter()
        .zip(&repeated)
        .filter(|(_, repeated)| !**repeated)
        .map(|((premise, hypothesis), _)| Pair { premise, hypothesis })
        .collect();
    let mut answers = models.inference.relations(&asked)?.into_iter();
    let relation = |((a, b), repeated): (&(&str, &str), &bool)| match answers.next() {
        _ if *repeated => Relation::same(),
        Some(shares) => Relation::new(shares, PairReading::new(a, b), Method::Model),
        None => rules(a, b),
    };
    Ok(pairs.iter().zip(&repeated).map(relation).collect())
}

fn rules(a: &str, b: &str) -> Relation {
    if is_same(a, b) { Relation::same() } else { Relation::by_rules(PairReading::new(a, b)) }
}

fn by_seed(a: &str, b: &str) -> Relation {
    let found = seed::flip(a, b) == seed::Flip::Contradiction;
    let contradicts = f32::from(u8::from(found));
    let shares = Related::UNRELATED.with_contradiction(contradicts);
    let (kind, confidence) = RelationKind::best(&shares);
    Relation { kind, confidence, shares, cues: Vec::new(), apart: None, method: Method::Seed }
}
