//! The rubric's answer, as JSON and as text.

use std::io::{self, Write};

use rebuttal::detect::rubric::{Explanation, Held, RubricAnswer};
use rebuttal::model::{Quote, Stance, Transcript};
use serde::Serialize;

use crate::output::Output;
use crate::report::{excerpt, place};
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;
use rebuttal_report::audit::in_sentence;

/// Longest quote shown in text, in characters.
const QUOTE_CHARS: usize = 280;

/// `yes`, `no` or `unclear`: does the conversation contradict itself?
pub(super) fn answer(outcome: RubricAnswer) -> &'static str {
    match outcome {
        RubricAnswer::Contradiction => "yes",
        RubricAnswer::Consistent => "no",
        RubricAnswer::Unclear => "unclear",
    }
}

/// The two sides of a reversal, where there is one.
fn reversal(explanation: &Explanation) -> Option<[Stance; 2]> {
    let (before, after) = (explanation.before.as_ref()?, explanation.after.as_ref()?);
    before.stance.opposes(after.stance).then_some([before.stance, after.stance])
}

/// A position in JSON.
#[derive(Debug, Serialize)]
struct Position<'a> {
    stance: Stance,
    quote: &'a Quote,
}

impl<'a> From<&'a Held> for Position<'a> {
    fn from(held: &'a Held) -> Self {
        Self { stance: held.stance, quote: &held.quote }
    }
}

/// The answer with its reasons, in JSON.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    contradiction: &'static str,
    score: f64,
    before: Option<Position<'a>>,
    after: Option<Position<'a>>,
    reversal: Option<[Stance; 2]>,
    acknowledgment: Option<&'a Quote>,
    reason: &'a str,
}

impl<'a> From<&'a Explanation> for Answer<'a> {
    fn from(explanation: &'a Explanation) -> Self {
        Self {
            contradiction: answer(explanation.outcome),
            score: explanation.score,
            before: explanation.before.as_ref().map(Position::from),
            after: explanation.after.as_ref().map(Position::from),
            reversal: reversal(explanation),
            acknowledgment: explanation.acknowledgment.as_ref(),
            reason: &explanation.reason,
        }
    }
}

/// The positions, the reversal and the acknowledgment looked for, for a person.
pub(super) fn reasons(
    out: &mut Output,
    explanation: &Explanation,
    transcript: &Transcript,
) -> io::Result<()> {
    if !explanation.reason.is_empty() {
        writeln!(out, "{}", wrap(&one_line(&explanation.reason), 2))?;
    }
    for (label, held) in [("before", &explanation.before), ("after", &explanation.after)] {
        match held {
            Some(held) => {
                let label = format!("{label}: {}", held.stance.as_str());
                quote(out, &label, &held.quote, transcript)?;
            }
            None => writeln!(out, "  {label}: no position read")?,
        }
    }
    match reversal(explanation) {
        Some([before, after]) => {
            writeln!(out, "  reversal: {} to {}", before.as_str(), after.as_str())?;
        }
        None => writeln!(out, "  reversal: none")?,
    }
    match &explanation.acknowledgment {
        Some(found) => quote(out, "acknowledgment: found", found, transcript),
        None => writeln!(out, "  acknowledgment: none found"),
    }
}

fn quote(out: &mut Output, label: &str, quote: &Quote, transcript: &Transcript) -> io::Result<()> {
    let paint = out.paint();
    writeln!(out, "  {label}  {}", paint.dim(one_line(&place(quote))))?;
    let text = format!("\"{}\"", excerpt(&visible(in_sentence(quote, transcript)), QUOTE_CHARS));
    writeln!(out, "{}", wrap(&text, 4))
}
