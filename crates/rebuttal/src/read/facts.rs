//! Everything that was read in a text, each with the words it was read from.

use rebuttal_detect::panel::unjudged;
use rebuttal_model::{Certainty, Owner, Polarity, Span, Stance};
use rebuttal_text::{Basis, ClaimReading, Cue, Hedging, Reading, Topic, hidden};
use serde::Serialize;

use super::evidence::{Citation, Period, Quantity, Support};

/// Words of the text and where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReadQuote<'t> {
    /// Where they stand, in bytes of the text as it was given.
    pub span: Span,
    /// The words themselves.
    pub text: &'t str,
}

impl<'t> ReadQuote<'t> {
    pub(super) fn new(text: &'t str, span: Span) -> Self {
        Self { span, text: span.of(text).unwrap_or_default() }
    }
}

/// What was read; the shape of the JSON.
#[derive(Debug, Serialize)]
pub struct Facts<'t> {
    /// The file, where the text came from one.
    pub file: Option<String>,
    /// What the position was read towards.
    pub question: Option<&'t str>,
    /// Length of the text.
    pub bytes: usize,
    /// How many words it has.
    pub words: usize,
    /// Its sentences, in order.
    pub sentences: Vec<ReadQuote<'t>>,
    /// Why position, hedging, specificity and evidence are not judged, where they are not.
    pub not_judged: Option<String>,
    /// Which side it is on.
    pub position: ReadPosition<'t>,
    /// Where the speaker says that it changed its mind.
    pub acknowledgment: Option<Acknowledgment<'t>>,
    /// How far it hedges.
    pub hedging: Hedges<'t>,
    /// How specific it is, from 1 to 5.
    pub specificity: f64,
    /// How well it supports what it says.
    pub evidence: Option<Support<'t>>,
    /// Its statements.
    pub claims: Vec<ReadClaim<'t>>,
    /// Numbers and what they measure.
    pub quantities: Vec<Quantity<'t>>,
    /// Stretches of time it names.
    pub periods: Vec<Period<'t>>,
    /// Sources it names.
    pub citations: Vec<Citation<'t>>,
    /// Orders to other agents, as an attacker plants them.
    pub instructions: Vec<Phrase<'t>>,
    /// Characters that nobody sees.
    pub hidden: Vec<Hidden<'t>>,
}

impl<'t> Facts<'t> {
    /// Asks the reading every question there is; the position is the one towards `topic`.
    pub(super) fn new(reading: &Reading<'t>, topic: Option<&Topic>) -> Self {
        let text = reading.original();
        // What is said of an answer holds for any text.
        let not_judged = unjudged(text).map(|why| why.replace("the answer", "the text"));
        let judged = not_judged.is_none();
        Self {
            file: None,
            question: None,
            bytes: text.len(),
            words: reading.word_count(),
            sentences: reading.sentence_spans().map(|span| ReadQuote::new(text, span)).collect(),
            position: if judged {
                ReadPosition::find(reading, topic)
            } else {
                ReadPosition::none()
            },
            acknowledgment: Acknowledgment::find(reading, topic),
            hedging: Hedges::new(text, &reading.hedging()),
            specificity: reading.specificity(),
            evidence: judged.then(|| Support::new(text)),
            not_judged,
            claims: reading.claims().iter().map(|claim| ReadClaim::new(text, claim)).collect(),
            quantities: reading.quantities().iter().map(|it| Quantity::new(text, it)).collect(),
            periods: reading.periods().iter().map(|it| Period::new(text, it)).collect(),
            citations: reading.citations().iter().map(|it| Citation::new(text, it)).collect(),
            instructions: Phrase::all(text, &reading.instructions()),
            hidden: Hidden::runs(reading),
        }
    }
}

/// Which side the text is on.
#[derive(Debug, Serialize)]
pub struct ReadPosition<'t> {
    /// The side.
    pub stance: Stance,
    /// How clearly, from -1 (no) to 1 (yes).
    pub score: f64,
    /// What it was read from.
    #[serde(serialize_with = "basis_name")]
    pub basis: Basis,
    /// True when it is stated clearly enough for a finding to rest on it.
    pub held: bool,
    /// The words that decided, where there are any.
    pub quote: Option<ReadQuote<'t>>,
}

impl<'t> ReadPosition<'t> {
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
            quote: found.span.map(|span| ReadQuote::new(reading.original(), span)),
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
pub struct Phrase<'t> {
    /// The list that has it.
    pub group: &'static str,
    /// The words.
    pub quote: ReadQuote<'t>,
}

impl<'t> Phrase<'t> {
    fn new(text: &'t str, cue: Cue) -> Self {
        Self { group: cue.group, quote: ReadQuote::new(text, cue.span) }
    }

    fn all(text: &'t str, cues: &[Cue]) -> Vec<Self> {
        cues.iter().map(|cue| Self::new(text, *cue)).collect()
    }
}

/// Where the speaker says that it changed its mind.
#[derive(Debug, Serialize)]
pub struct Acknowledgment<'t> {
    /// The words that say so.
    #[serde(flatten)]
    pub phrase: Phrase<'t>,
    /// Whether it can be about the question; `None` without one.
    pub on_question: Option<bool>,
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
pub struct Hedges<'t> {
    /// The score, from 0 to 1.
    pub score: f64,
    /// The share of sentences that count as hedged.
    pub share: f64,
    /// The words that hedge.
    pub cues: Vec<Phrase<'t>>,
}

impl<'t> Hedges<'t> {
    fn new(text: &'t str, found: &Hedging) -> Self {
        Self { score: found.score, share: found.share, cues: Phrase::all(text, &found.cues) }
    }
}

/// One statement.
#[derive(Debug, Serialize)]
pub struct ReadClaim<'t> {
    /// Affirmed or denied.
    pub polarity: Polarity,
    /// How sure the speaker sounds.
    pub certainty: Certainty,
    /// Whether it is the speaker's own or told of somebody else.
    pub owner: Owner,
    /// The statement.
    pub quote: ReadQuote<'t>,
}

impl<'t> ReadClaim<'t> {
    fn new(text: &'t str, found: &ClaimReading) -> Self {
        Self {
            polarity: found.polarity,
            certainty: found.certainty,
            owner: found.owner,
            quote: ReadQuote::new(text, found.span),
        }
    }
}

/// A run of characters that nobody sees.
#[derive(Debug, Serialize)]
pub struct Hidden<'t> {
    /// How many there are in a row.
    pub characters: usize,
    /// True when there are enough of them to hide words from a reader.
    pub hides_words: bool,
    /// Where they stand.
    pub quote: ReadQuote<'t>,
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
            quote: ReadQuote::new(text, span),
        };
        runs.into_iter().map(run).collect()
    }
}
