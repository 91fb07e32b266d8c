//! The rubric's answer with its reasons, as text.

use std::io::{self, Write};

use rebuttal::model::{Quote, Transcript};
use rebuttal::rubric::{Explanation, reversal};
use rebuttal_report::audit::in_sentence;

use crate::output::Output;
use crate::report::{excerpt, place};
use crate::terminal::{one_line, visible};
use crate::wrap::wrap;

/// Longest quote shown in text, in characters.
const QUOTE_CHARS: usize = 280;

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
