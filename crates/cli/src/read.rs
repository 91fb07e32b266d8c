//! `rebuttal read`: what Rebuttal reads in one text, so that a surprising finding can be understood.
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed. A `quote` is
//! `{ "span": [start, end], "text" }`; spans count bytes of the text as it was given.
//!
//! ```text
//! { "rebuttal": "0.1.0", "schema": 1,
//!   "file": null | "stdin" | path, "question": null | text, "bytes", "words",
//!   "sentences":      [ quote ],
//!   "not_judged":     null | why: not English, or no prose; then the position is unclear and the
//!                     evidence null,
//!   "position":       { "stance": "yes|no|unclear", "score": -1..1,
//!                       "basis": "statement|valence|nothing",
//!                       "held": bool, clear enough for a finding; "quote" or null },
//!   "acknowledgment": null | { "group", "on_question": null | bool, "quote" },
//!   "hedging":        { "score": 0..1, "share": 0..1, "cues": [ { "group", "quote" } ] },
//!   "specificity":    1..5,
//!   "evidence":       null | { "citation_density", "specificity_score", "logical_chain_score",
//!                       "evidence_diversity", "overall": 0..1,
//!                       "items": [ { "kind", "claim": [start, end] it counts for, "quote" } ] },
//!   "claims":         [ { "polarity": "affirmed|denied",
//!                         "certainty": "tentative|qualified|plain|emphatic",
//!                         "owner": "speaker|other", "quote" } ],
//!   "quantities":     [ { "value": { "is": "exact|at_least|at_most|more_than|less_than", "number" }
//!                              or  { "is": "range", "low", "high" },
//!                         "unit": null | "percent" | "seconds" | … | ISO 4217 code, "approx",
//!                         "noun": null | quote, "per": null | quote, "quote" } ],
//!   "periods":        [ { "grain", "first": null | date, "last": null | date, "fiscal",
//!                         "ambiguous", "quote" } ],
//!   "citations":      [ { "kind", "source": quote, "value": null | quote,
//!                         "period": null | period, "quote" } ],
//!   "instructions":   [ { "group", "quote" } ],
//!   "hidden":         [ { "characters", "hides_words", "quote" } ] }
//! ```
//!
//! A number too large to be written is `null`.

mod evidence;
mod facts;
mod source;
mod text;

use anyhow::{Result, ensure};
use rebuttal::text::{Reading, Topic};

use crate::args::ListFormat;
use crate::output::{Output, Status};
use crate::plan::ReadPlan;
use crate::report::JsonText;
use facts::Facts;
pub(crate) use source::Source;

/// Reads the text and writes what was found in it.
pub(crate) fn run(plan: &ReadPlan, out: &mut Output) -> Result<Status> {
    let text = plan.source.load()?;
    if plan.source.names_a_file() {
        out.note(format!("{text} is read as a text; --file {text} reads that file"))?;
    }
    ensure!(!text.trim().is_empty(), "there is nothing to read: {} is empty", plan.source.name());
    let question = plan.question.as_deref();
    let topic = question.map(|question| Topic::new(&Reading::new(question)));
    let facts = Facts::new(&Reading::new(&text), topic.as_ref()).asked(&plan.source, question);
    match plan.format {
        ListFormat::Text => text::show(out, &facts)?,
        ListFormat::Json => JsonText::line(out, &facts)?,
    }
    Ok(Status::Clean)
}
