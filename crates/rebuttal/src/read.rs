//! What is read in one text, with the words it was read from: position, claims, quantities, periods,
//! sources, hedges, acknowledgments, orders to other agents.
//!
//! Schema 1 of the JSON, whose fields are added to but never renamed. A `quote` is
//! `{ "span": [start, end], "text" }`; spans count bytes of the text as it was given.
//!
//! ```text
//! { "file": null | "stdin" | path, "question": null | text, "bytes", "words",
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
//!
//! ```
//! use rebuttal::read::read;
//!
//! let text = "We should not ship it: latency rose to 200 ms.";
//! let facts = read(text, Some("Should we ship it?"))?;
//! assert_eq!(facts.position.stance.as_str(), "no");
//! assert_eq!(facts.quantities[0].unit, Some("seconds"));
//! # Ok::<(), rebuttal::Error>(())
//! ```

mod evidence;
mod facts;

use rebuttal_text::{Reading, Topic};

pub use evidence::{Citation, Counted, Period, Quantity, Support, Value};
pub use facts::{
    Acknowledgment, Facts, Hedges, Hidden, Phrase, ReadClaim, ReadPosition, ReadQuote,
};

use crate::error::{Result, ensure};

/// Reads a text by rules. The position is the one towards the question, or the text's own where none is
/// asked.
pub fn read<'t>(text: &'t str, question: Option<&'t str>) -> Result<Facts<'t>> {
    ensure!(Text; !text.trim().is_empty(), "there is nothing to read: the text is empty");
    let topic = question.map(|question| Topic::new(&Reading::new(question)));
    let facts = Facts::new(&Reading::new(text), topic.as_ref());
    Ok(Facts { question, ..facts })
}
