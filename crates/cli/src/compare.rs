//! `rebuttal compare`: what is made of two statements side by side.
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed:
//!
//! ```text
//! { "rebuttal": "0.1.0", "schema": 1, "method": "model|rules|seed", "model": id,
//!   "verdict": "entailment|neutral|contradiction",
//!   "there", "back": { "entailment", "neutral", "contradiction" }, which sum to 1,
//!   "similarity": 0..1, "trust": "english|not_english|too_short|no_words",
//!   "cues": [ { "kind", "a": words, "b": words } ], "notes": [ text ] }
//! ```

use std::borrow::Cow;
use std::io::Write;

use anyhow::{Result, ensure};
use rebuttal::detect::pair::{self, PairReading, RuleInference};
use rebuttal::detect::seed::{self, Flip};
use rebuttal::detect::{Models, Reader};
use rebuttal::semantics::{Inference, Pair, SemanticsError, Trust, Verdict};
use serde::Serialize;

use crate::args::ListFormat;
use crate::output::{Output, Status};
use crate::plan::ComparePlan;
use crate::read::Source;
use crate::report::{JsonText, SCHEMA, VERSION};
use crate::terminal::{one_line, visible};
use rebuttal::models::Chosen;

/// Most cues that are shown.
const CUES_SHOWN: usize = 5;

#[derive(Debug, Serialize)]
struct Shares {
    entailment: f32,
    neutral: f32,
    contradiction: f32,
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

#[derive(Debug, Serialize)]
struct Cue<'t> {
    kind: &'static str,
    a: &'t str,
    b: &'t str,
}

#[derive(Debug, Serialize)]
struct Comparison<'t> {
    rebuttal: &'static str,
    schema: u32,
    method: &'static str,
    model: String,
    verdict: &'static str,
    there: Shares,
    back: Shares,
    similarity: f32,
    trust: &'static str,
    cues: Vec<Cue<'t>>,
    notes: Vec<String>,
}

/// Compares two texts and writes what was found.
pub(crate) fn run(plan: &ComparePlan, out: &mut Output) -> Result<Status> {
    let (first, second) = (load("first", &plan.first)?, load("second", &plan.second)?);
    let comparison = compare(&first, &second, &plan.chosen);
    match plan.format {
        ListFormat::Json => JsonText::line(out, &comparison)?,
        ListFormat::Text => show(out, &comparison)?,
    }
    Ok(Status::Clean)
}

fn load<'p>(which: &str, source: &'p Source) -> Result<Cow<'p, str>> {
    let text = source.load()?;
    let is_there = !text.trim().is_empty();
    ensure!(is_there, "the {which} text is empty; there is nothing to compare");
    Ok(text)
}

fn compare<'t>(a: &'t str, b: &'t str, chosen: &Chosen) -> Comparison<'t> {
    let mut notes = chosen.notes.clone();
    let trust = trust(a, b);
    match trust {
        Trust::NotEnglish => notes.push("not English: low trust".to_owned()),
        Trust::NoWords => notes.push("no words to compare: low trust".to_owned()),
        Trust::English | Trust::TooShort => {}
    }
    let (reader, judged) = match judged(chosen.reader(), a, b, &mut notes) {
        Ok(judged) => (chosen.reader(), judged),
        Err(error) => {
            notes.push(format!("{error}: rules decide instead"));
            (Reader::Rules, by_rules(a, b))
        }
    };
    let Judged { model, there, back, similarity } = judged;
    let there = Shares::from(there);
    Comparison {
        rebuttal: VERSION,
        schema: SCHEMA,
        method: reader.method().as_str(),
        model,
        verdict: there.best(),
        there,
        back: back.into(),
        similarity,
        trust: match trust {
            Trust::English => "english",
            Trust::NotEnglish => "not_english",
            Trust::TooShort => "too_short",
            Trust::NoWords => "no_words",
        },
        cues: cues(a, b),
        notes,
    }
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
    there: Verdict,
    back: Verdict,
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
    let [there, back] = verdicts.as_slice() else { return Ok(by_rules(a, b)) };
    let model = models.inference.id().to_owned();
    let similarity = alike(models, a, b, notes);
    Ok(Judged { model, there: *there, back: *back, similarity })
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
    let there = PairReading::new(a, b);
    Judged {
        model: RuleInference.id().to_owned(),
        there: there.verdict(),
        back: PairReading::new(b, a).verdict(),
        similarity: if pair::is_same(a, b) { 1.0 } else { there.similarity() },
    }
}

fn by_seed(a: &str, b: &str) -> Judged {
    let found = f32::from(u8::from(seed::flip(a, b) == Flip::Contradiction));
    let verdict = Verdict { entailment: 0.0, neutral: 1.0 - found, contradiction: found };
    #[expect(clippy::cast_possible_truncation, reason = "a share of words")]
    let similarity = seed::similarity(a, b) as f32;
    Judged { model: "seed".to_owned(), there: verdict, back: verdict, similarity }
}

/// What the rules see, whoever decides: it is what a person can check.
fn cues<'t>(a: &'t str, b: &'t str) -> Vec<Cue<'t>> {
    let shown = |cue: &pair::Cue| {
        Some(Cue { kind: cue.kind.as_str(), a: cue.span_a.of(a)?, b: cue.span_b.of(b)? })
    };
    PairReading::new(a, b).cues.iter().take(CUES_SHOWN).filter_map(shown).collect()
}

fn show(out: &mut Output, found: &Comparison<'_>) -> std::io::Result<()> {
    let line = |shares: &Shares| {
        format!(
            "entailment {:.2}  neutral {:.2}  contradiction {:.2}",
            shares.entailment, shares.neutral, shares.contradiction
        )
    };
    writeln!(out, "{} (by {})", found.verdict, visible(&found.model))?;
    writeln!(out, "  first → second  {}", line(&found.there))?;
    writeln!(out, "  second → first  {}", line(&found.back))?;
    writeln!(out, "  similarity      {:.2}", found.similarity)?;
    for cue in &found.cues {
        let (a, b) = (one_line(cue.a), one_line(cue.b));
        writeln!(out, "  {:<15} “{a}” / “{b}”", cue.kind)?;
    }
    for note in &found.notes {
        writeln!(out, "  note: {}", one_line(note))?;
    }
    Ok(())
}
