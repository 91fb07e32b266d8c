//! Two statements side by side: do they contradict each other, by whom, and by which words?
//!
//! As JSON, schema 1:
//!
//! ```text
//! { "method": "model|rules|seed", "model": id,
//!   "relation": "same|entails|contradicts|qualifies|unrelated", "confidence": 0..1, "why": text,
//!   "verdict": "entailment|neutral|contradiction",
//!   "forward", "reverse": { "entailment", "neutral", "contradiction" }, which sum to 1,
//!   "similarity": 0..1, "trust": "english|not_english|too_short|no_words",
//!   "cues": [ { "kind", "a": words, "b": words } ], "notes": [ text ] }
//! ```

use rebuttal_detect::pair::{self, PairReading, RuleInference};
use rebuttal_detect::relate::{self, Relation, RelationKind, relate_all};
use rebuttal_detect::{Models, Reader, seed};
use rebuttal_semantics::{Inference, SemanticsError, Trust, Verdict};
use serde::Serialize;

use crate::error::{Result, ensure, err};
use crate::models::Analyzer;

/// Most cues that are named.
const CUES: usize = 5;

/// How likely each relation of the second text to the first is; the three sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// The second follows from the first.
    pub entailment: f32,
    /// Neither.
    pub neutral: f32,
    /// Both cannot hold.
    pub contradiction: f32,
}

impl From<Verdict> for Shares {
    fn from(verdict: Verdict) -> Self {
        let Verdict { entailment, neutral, contradiction } = verdict;
        Self { entailment, neutral, contradiction }
    }
}

/// Words of both texts that are set against each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cue<'t> {
    /// In what way, as in `negation` or `number`.
    pub kind: &'static str,
    /// Words of the first text.
    pub a: &'t str,
    /// Words of the second.
    pub b: &'t str,
}

/// What was made of two texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Comparison<'t> {
    /// Who decided: `model`, `rules` or `seed`.
    pub method: &'static str,
    /// The model's own name; the rules have one too.
    pub model: String,
    /// What the second text is to the first, of five: `same`, `entails`, `contradicts`, `qualifies` or
    /// `unrelated`. Flips, audits, panels and reports go by the same answer.
    pub relation: &'static str,
    /// How likely that is.
    pub confidence: f32,
    /// Why, in a few words.
    pub why: &'static str,
    /// The same in the usual three: `entailment`, `neutral` or `contradiction`.
    pub verdict: &'static str,
    /// How likely each relation is, from the first text to the second.
    pub forward: Shares,
    /// How likely each relation is, from the second text to the first.
    pub reverse: Shares,
    /// How alike they are, from 0 to 1.
    pub similarity: f32,
    /// Whether the texts are in a language that can be judged: `english`, `not_english`, `too_short` or
    /// `no_words`.
    pub trust: &'static str,
    /// What the rules see, whoever decided: a person can check it.
    pub cues: Vec<Cue<'t>>,
    /// What was not as configured, and what lowers the trust.
    pub notes: Vec<String>,
}

/// Compares two texts. A model that fails is named in the notes, and the rules decide instead.
pub fn compare<'t>(a: &'t str, b: &'t str, analyzer: &Analyzer) -> Result<Comparison<'t>> {
    for (which, text) in [("first", a), ("second", b)] {
        ensure!(Text; !text.trim().is_empty(), "the {which} text is empty; there is nothing to compare");
    }
    let mut notes = analyzer.notes.clone();
    let trust = trust(a, b);
    match trust {
        Trust::NotEnglish => notes.push("not English: low trust".to_owned()),
        Trust::NoWords => notes.push("no words to compare: low trust".to_owned()),
        Trust::English | Trust::TooShort => {}
    }
    let mut reader = analyzer.reader();
    let judged = match judged(reader, a, b, &mut notes) {
        Ok(judged) => judged,
        Err(error) => {
            notes.push(format!("{error}: rules decide instead"));
            reader = Reader::Rules;
            judged(reader, a, b, &mut notes).ok().flatten()
        }
    };
    let judged =
        judged.ok_or_else(|| err!(Text; "the model left a text out; try `--method rules`"))?;
    let Judged { model, forward, reverse, similarity } = judged;
    Ok(Comparison {
        method: reader.method().as_str(),
        model,
        relation: forward.kind.as_str(),
        confidence: forward.confidence,
        why: forward.why,
        verdict: match forward.kind {
            RelationKind::Same | RelationKind::Entails => "entailment",
            RelationKind::Contradicts => "contradiction",
            RelationKind::Qualifies | RelationKind::Unrelated => "neutral",
        },
        forward: Verdict::from(forward.shares).into(),
        reverse: Verdict::from(reverse.shares).into(),
        similarity,
        trust: match trust {
            Trust::English => "english",
            Trust::NotEnglish => "not_english",
            Trust::TooShort => "too_short",
            Trust::NoWords => "no_words",
        },
        cues: cues(&forward, a, b),
        notes,
    })
}

/// The less trusted of the two, where one is not to be trusted; else of both together.
fn trust(a: &str, b: &str) -> Trust {
    [a, b]
        .into_iter()
        .map(Trust::of)
        .find(|trust| trust.is_low())
        .unwrap_or_else(|| Trust::of(&format!("{a} {b}")))
}

struct Judged {
    model: String,
    forward: Relation,
    reverse: Relation,
    similarity: f32,
}

impl Judged {
    fn new(model: &str, relations: Vec<Relation>, similarity: f32) -> Option<Self> {
        let [forward, reverse] = <[Relation; 2]>::try_from(relations).ok()?;
        Some(Self { model: model.to_owned(), forward, reverse, similarity })
    }
}

/// By the reader that is set; nothing only if it gave no answer.
fn judged(
    reader: Reader<'_>,
    a: &str,
    b: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Judged>, SemanticsError> {
    let both = [(a, b), (b, a)];
    Ok(match reader {
        Reader::Seed => {
            #[expect(clippy::cast_possible_truncation, reason = "a share of words")]
            let similarity = seed::similarity(a, b) as f32;
            Judged::new("seed", relate_all(&both, reader), similarity)
        }
        Reader::Rules => {
            let similarity = by_rules(a, b);
            Judged::new(RuleInference.id(), relate_all(&both, reader), similarity)
        }
        Reader::Model(models) => {
            let relations = relate::by_model(models, &both)?;
            Judged::new(models.inference.id(), relations, alike(models, a, b, notes))
        }
    })
}

/// How alike they are; by rules where nothing can embed them, which takes no verdict away.
fn alike(models: &Models, a: &str, b: &str, notes: &mut Vec<String>) -> f32 {
    if !models.embeds() {
        return by_rules(a, b);
    }
    match pair::likeness(models, &[(a, b)]) {
        Ok(alike) => alike.first().copied().unwrap_or_else(|| by_rules(a, b)),
        Err(error) => {
            notes.push(format!("{error}: rules say how alike the texts are instead"));
            by_rules(a, b)
        }
    }
}

/// How alike they are by their words.
fn by_rules(a: &str, b: &str) -> f32 {
    if pair::is_same(a, b) { 1.0 } else { PairReading::new(a, b).similarity() }
}

/// What the rules see.
fn cues<'t>(found: &Relation, a: &'t str, b: &'t str) -> Vec<Cue<'t>> {
    let shown = |cue: &pair::Cue| {
        Some(Cue { kind: cue.kind.as_str(), a: cue.span_a.of(a)?, b: cue.span_b.of(b)? })
    };
    found.cues.iter().take(CUES).filter_map(shown).collect()
}
