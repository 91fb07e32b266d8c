//! Whether a passage says what it is cited for.

use rebuttal_detect::Reader;
use rebuttal_detect::relate::{RelationKind, relate};
use rebuttal_model::{Passage, PassageId, Span};
use serde::{Deserialize, Serialize};

use crate::Index;

/// What somebody cites for a claim: any of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The passage, by its id.
    pub passage: Option<PassageId>,
    /// The document, by its path or the last part of it.
    pub document: Option<String>,
    /// Words that are said to stand there.
    pub quote: Option<String>,
}

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The passage says so.
    Supported,
    /// It says nothing of the kind, or the opposite.
    Unsupported,
    /// The words in quotation marks do not stand there.
    Misquoted,
    /// It gives another number.
    WrongNumber,
    /// It gives the number in another unit.
    WrongUnit,
    /// It gives the number for another time.
    WrongPeriod,
    /// Another document says so, and not this one.
    WrongDocument,
    /// There is no such passage.
    NotFound,
    /// It could not be checked; this says nothing about whether it is right.
    Unchecked,
}

/// A checked citation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// What came of it.
    pub verdict: Verdict,
    /// The passage that was looked at.
    pub passage: Option<PassageId>,
    /// The part of the claim that decided.
    pub in_claim: Option<Span>,
    /// The part of the passage that decided.
    pub in_passage: Option<Span>,
    /// A sentence for people.
    pub why: String,
}

/// Checks one claim against the passage it names.
pub fn check(claim: &str, citation: &Citation, index: &Index, reader: Reader<'_>) -> Checked {
    let passage = citation.passage.as_ref().and_then(|id| index.get(id));
    let Some(passage) = passage else {
        let why = "no such passage was given".to_owned();
        let verdict = Verdict::NotFound;
        return Checked { verdict, passage: None, in_claim: None, in_passage: None, why };
    };
    against(claim, passage, reader)
}

fn against(claim: &str, passage: &Passage, reader: Reader<'_>) -> Checked {
    let relation = relate(&passage.text, claim, reader);
    let verdict = match relation.kind {
        RelationKind::Same | RelationKind::Entails | RelationKind::Qualifies => Verdict::Supported,
        RelationKind::Contradicts => Verdict::WrongNumber,
        RelationKind::Unrelated => Verdict::Unsupported,
    };
    Checked {
        verdict,
        passage: Some(passage.id.clone()),
        in_claim: relation.at.map(|it| it.1),
        in_passage: relation.at.map(|it| it.0),
        why: relation.why.to_owned(),
    }
}
