//! Everything that was read in a text, each with the words it was read from.

use rebuttal::detect::panel::unjudged;
use rebuttal::model::{Certainty, Owner, Polarity, Span, Stance};
use rebuttal::text::{Basis, ClaimReading, Cue, Hedging, Reading, Topic, hidden};
use serde::Serialize;

use super::Source;
use super::evidence::{Citation, Period, Quantity, Support};
use crate::report::{SCHEMA, VERSION};

/// Words of the text and where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Quote<'t> {
    pub(super) span: Span,
    pub(super) text: &'t str,
}

impl<'t> Quote<'t> {
    pub(super) fn new(text: &'t str, span: Span) -> Self {
        Self { span, text: span.of(text).unwrap_or_default() }
    }
}

/// What was read; the shape of the JSON.
#[derive(Debug, Serialize)]
pub(super) struct Facts<'t> {
    rebuttal: &'static str,
    schema: u32,
    file: Option<String>,
    pub(super) question: Option<&'t str>,
    bytes: usize,
    pub(super) words: usize,
    pub(super) sentences: Vec<Quote<'t>>,
    /// Why position, hedging, specificity and evidence are not judged, where they are not.
    pub(super) not_judged: Option<String>,
    pub(super) position: Position<'t>,
    pub(super) acknowledgment: Option<Acknowledgment<'t>>,
    pub(super) hedging: Hedges<'t>,
    pub(super) specificity: f64,
    pub(super) evidence: Option<Support<'t>>,
    pub(super) claims: Vec<Claim<'t>>,
    pub(super) quantities: Vec<Quantity<'t>>,
    pub(super) periods: Vec<Period<'t>>,
    pub(super) citations: Vec<Citation<'t>>,
    pub(super) instructions: Vec<Phrase<'t>>,
    pub(super) hidden: Vec<Hidden<'t>>,
}

impl<'t> Facts<'t> {
    /// Asks the reading every question there is; the position is the one towards `topic`.
    pub(super) fn new(reading: &Reading<'t>, topic: Option<&Topic>) -> Self {
        let text = reading.original();
        // What is said of an answer holds for any text.
        let not_judged = unjudged(text).map(|why| why.replace("the answer", "the text"));
        let judged = not_judged.is_none();
        Self {
            rebuttal: VERSION,
            schema: SCHEMA,
            file: None,
            question: None,
            bytes: text.len(),
            words: reading.word_count(),
            sentences: reading.sentence_spans().map(|span| Quote::new(text, span)).collect(),
            position: if judged { Position::find(reading, topic) } else { Position::none() },
            acknowledgment: Acknowledgment::find(reading, topic),
            hedging: Hedges::new(text, &reading.hedging()),
            specificity: reading.specificity(),
            evidence: judged.then(|| Support::new(text)),
            not_judged,
            claims: reading.claims().iter().map(|claim| Claim::new(text, claim)).collect(),
            quantities: reading.quantities().iter().map(|it| Quantity::new(text, it)).collect(),
            periods: reading.periods().iter().map(|it| Period::new(text, it)).collect(),
            citations: reading.citations().iter().map(|it| Citation::new(text, it)).collect(),
            instructions: Phrase::all(text, &reading.instructions()),
            hidden: Hidden::runs(reading),
        }
    }

    /// The same, with where the text came from and the question it was read against.
    pub(super) fn asked(self, source: &Source, question: Option<&'t str>) -> Self {
        Self { file: source.file_name(), question, ..self }
    }
}

/// Which side the text is on.
#[derive(Debug, Serialize)]
pub(super) struct Position<'t> {
    pub(super) stance: Stance,
    pub(super) score: f64,
    #[serde(serialize_with = "basis_name")]
    pub(super) basis: Basis,
    /// True when it is stated clearly enough for a finding to rest on it.
    pub(super) held: bool,
    pub(super) quote: Option<Quote<'t>>,
}

impl<'t> Position<'t> {
    /// Of a text whose words nobody here can read.
    fn none() -> Self {
        let (stance, basis) = (Stance::Unclear, Basis::Nothing);
        Self { stance, score: 0.0, basis, held: false, quote: None }
    }

    /// The best guess, and whether it is more than that.
    fn find(reading: &Reading<'t>, topic: Option<&Topic>) -> Self {
        let found = reading.stance(topic);
        Self {
            stance: found.stance,
            score: found.score,
            basis: found.basis,
            held: reading.position(topic).stance != Stance::Unclear,
            quote: found.span.map(|span| Quote::new(reading.original(), span)),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn basis_name<S: serde::Serializer>(basis: &Basis, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match basis {
        Basis::Statement => "statement",
        Basis::Demand => "demand",
        Basis::Valence => "valence",
        Basis::Model => "model",
        Basis::Nothing => "nothing",
    })
}

/// A phrase that a word list knows.
#[derive(Debug, Serialize)]
pub(super) struct Phrase<'t> {
    pub(super) group: &'static str,
    pub(super) quote: Quote<'t>,
}

impl<'t> Phrase<'t> {
    fn new(text: &'t str, cue: Cue) -> Self {
        Self { group: cue.group, quote: Quote::new(text, cue.span) }
    }

    fn all(text: &'t str, cues: &[Cue]) -> Vec<Self> {
        cues.iter().map(|cue| Self::new(text, *cue)).collect()
    }
}

/// Where the speaker says that it changed its mind.
#[derive(Debug, Serialize)]
pub(super) struct Acknowledgment<'t> {
    #[serde(flatten)]
    pub(super) phrase: Phrase<'t>,
    /// Whether it can be about the question; `None` without one.
    pub(super) on_question: Option<bool>,
}

impl<'t> Acknowledgment<'t> {
    /// The one that counts towards the question, or else the first there is.
    fn find(reading: &Reading<'t>, topic: Option<&Topic>) -> Option<Self> {
        let counted = reading.acknowledgment_on(topic);
        let phrase = Phrase::new(reading.original(), counted.or_else(|| reading.acknowledgment())?);
        Some(Self { phrase, on_question: topic.map(|_| counted.is_some()) })
    }
}

/// How far the text hedges.
#[derive(Debug, Serialize)]
pub(super) struct Hedges<'t> {
    pub(super) score: f64,
    pub(super) share: f64,
    pub(super) cues: Vec<Phrase<'t>>,
}

impl<'t> Hedges<'t> {
    fn new(text: &'t str, found: &Hedging) -> Self {
        Self { score: found.score, share: found.share, cues: Phrase::all(text, &found.cues) }
    }
}

/// One statement.
#[derive(Debug, Serialize)]
pub(super) struct Claim<'t> {
    pub(super) polarity: Polarity,
    pub(super) certainty: Certainty,
    pub(super) owner: Owner,
    pub(super) quote: Quote<'t>,
}

impl<'t> Claim<'t> {
    fn new(text: &'t str, found: &ClaimReading) -> Self {
        Self {
            polarity: found.polarity,
            certainty: found.certainty,
            owner: found.owner,
            quote: Quote::new(text, found.span),
        }
    }
}

/// A run of characters that nobody sees.
#[derive(Debug, Serialize)]
pub(super) struct Hidden<'t> {
    pub(super) characters: usize,
    /// True when there are enough of them to hide words from a reader.
    pub(super) hides_words: bool,
    pub(super) quote: Quote<'t>,
}

impl<'t> Hidden<'t> {
    fn runs(reading: &Reading<'t>) -> Vec<Self> {
        let text = reading.original();
        let long = reading.hidden_text();
        let mut runs: Vec<(Span, usize)> = Vec::new();
        for (at, character) in hidden(text) {
            let here = Span::new(at, at + character.len_utf8());
            match runs.last_mut() {
                Some((run, count)) if run.end() == at => {
                    (*run, *count) = (run.join(here), *count + 1);
                }
                _ => runs.push((here, 1)),
            }
        }
        let run = |(span, characters)| Self {
            characters,
            hides_words: long.binary_search(&span).is_ok(),
            quote: Quote::new(text, span),
        };
        runs.into_iter().map(run).collect()
    }
}
