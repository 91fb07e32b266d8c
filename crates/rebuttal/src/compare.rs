//! Two statements side by side: do they contradict each other, by whom, and by which words?
//!
//! As JSON, schema 1:
//!
//! ```text
//! { "method": "model|rules|seed", "model": id,
//!   "verdict": "entailment|neutral|contradiction",
//!   "forward", "reverse": { "entailment", "neutral", "contradiction" }, which sum to 1,
//!   "similarity": 0..1, "trust": "english|not_english|too_short|no_words",
//!   "cues": [ { "kind", "a": words, "b": words } ], "notes": [ text ] }
//! ```

use rebuttal_detect::pair::{self, PairReading, RuleInference};
use rebuttal_detect::seed::{self, Flip};
use rebuttal_detect::{Models, Reader};
use rebuttal_semantics::{Inference, Pair, SemanticsError, Trust, Verdict};
use serde::Serialize;

use crate::error::{Result, ensure};
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

impl Shares {
    fn best(&self) -> &'static str {
        if self.contradiction >= self.entailment.max(self.neutral) {
            "contradiction"
        } else if self.entailment >= self.neutral {
            "entailment"
        } else {
            "neutral"
        }
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
    /// The likeliest relation of the second text to the first.
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
    let (reader, judged) = match judged(analyzer.reader(), a, b, &mut notes) {
        Ok(judged) => (analyzer.reader(), judged),
        Err(error) => {
            notes.push(format!("{error}: rules decide instead"));
            (Reader::Rules, by_rules(a, b))
        }
    };
    let Judged { model, forward, reverse, similarity } = judged;
    let forward = Shares::from(forward);
    Ok(Comparison {
        method: reader.method().as_str(),
        model,
        verdict: forward.best(),
        forward,
        reverse: reverse.into(),
        similarity,
        trust: match trust {
            Trust::English => "english",
            Trust::NotEnglish => "not_english",
            Trust::TooShort => "too_short",
            Trust::NoWords => "no_words",
        },
        cues: cues(a, b),
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
    forward: Verdict,
    reverse: Verdict,
    similarity: f32,
}

fn judged(
    reader: Reader<'_>,
    a: &str,
    b: &str,
    notes: &mut Vec<String>,
) -> Result<Judged, SemanticsError> {
    let pair = Pair { premise: a, hypothesis: b };
    let models = match reader {
        Reader::Seed => return Ok(by_seed(a, b)),
        Reader::Rules => return Ok(by_rules(a, b)),
        Reader::Model(models) => models,
    };
    let verdicts = models.inference.infer(&[pair, pair.reversed()])?;
    let [forward, reverse] = verdicts.as_slice() else { return Ok(by_rules(a, b)) };
    let model = models.inference.id().to_owned();
    let similarity = alike(models, a, b, notes);
    Ok(Judged { model, forward: *forward, reverse: *reverse, similarity })
}

/// How alike they are; by rules where nothing can embed them, which takes no verdict away.
fn alike(models: &Models, a: &str, b: &str, notes: &mut Vec<String>) -> f32 {
    let by_rules = || by_rules(a, b).similarity;
    if !models.embeds() {
        return by_rules();
    }
    match pair::likeness(models, &[(a, b)]) {
        Ok(alike) => alike.first().copied().unwrap_or_else(by_rules),
        Err(error) => {
            notes.push(format!("{error}: rules say how alike the texts are instead"));
            by_rules()
        }
    }
}

fn by_rules(a: &str, b: &str) -> Judged {
    let forward = PairReading::new(a, b);
    Judged {
        model: RuleInference.id().to_owned(),
        forward: forward.verdict(),
        reverse: PairReading::new(b, a).verdict(),
        similarity: if pair::is_same(a, b) { 1.0 } else { forward.similarity() },
    }
}

fn by_seed(a: &str, b: &str) -> Judged {
    let found = f32::from(u8::from(seed::flip(a, b) == Flip::Contradiction));
    let verdict = Verdict { entailment: 0.0, neutral: 1.0 - found, contradiction: found };
    #[expect(clippy::cast_possible_truncation, reason = "a share of words")]
    let similarity = seed::similarity(a, b) as f32;
    Judged { model: "seed".to_owned(), forward: verdict, reverse: verdict, similarity }
}

/// What the rules see.
fn cues<'t>(a: &'t str, b: &'t str) -> Vec<Cue<'t>> {
    let shown = |cue: &pair::Cue| {
        Some(Cue { kind: cue.kind.as_str(), a: cue.span_a.of(a)?, b: cue.span_b.of(b)? })
    };
    PairReading::new(a, b).cues.iter().take(CUES).filter_map(shown).collect()
}
