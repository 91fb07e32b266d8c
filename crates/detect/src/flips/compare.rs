//! Two statements of one agent side by side: what became of the first?

use rebuttal_model::{FlipKind, Span};
use rebuttal_text::Reading;

use super::{Comparison, Outcome, Statements};
use crate::pair::{PairReading, is_same};
use crate::reader::Reader;
use crate::seed;

/// What became of `before`, given what the same agent says `after` it.
pub fn compare(
    before: &str,
    after: &str,
    question: Option<&str>,
    reader: Reader<'_>,
) -> Comparison {
    let statements = Statements { before, after, question, reply_to: None };
    match reader {
        Reader::Seed => by_seed(statements),
        Reader::Rules | Reader::Model(_) => by_rules(statements, reader),
    }
}

/// [`compare`] for many pairs; a model is given them in batches.
pub fn compare_all(pairs: &[Statements<'_>], reader: Reader<'_>) -> Vec<Comparison> {
    pairs.iter().map(|pair| compare(pair.before, pair.after, pair.question, reader)).collect()
}

fn whole(text: &str) -> Span {
    Span::new(0, text.len())
}

fn by_seed(pair: Statements<'_>) -> Comparison {
    let kind = match seed::flip(pair.before, pair.after) {
        seed::Flip::Contradiction => FlipKind::Contradiction,
        seed::Flip::Retraction => FlipKind::Retraction,
        seed::Flip::Qualification => FlipKind::Qualification,
        seed::Flip::Refinement => FlipKind::Refinement,
    };
    Comparison {
        outcome: Outcome::Changed(kind),
        similarity: seed::similarity(pair.before, pair.after),
        confidence: 1.0,
        before: whole(pair.before),
        after: whole(pair.after),
        acknowledgment: seed::acknowledgment(pair.after),
        method: rebuttal_model::Method::Seed,
        explanation: format!("The seed's lists call it a {}.", kind.as_str()),
    }
}

fn by_rules(pair: Statements<'_>, reader: Reader<'_>) -> Comparison {
    let (before, after) = (Reading::new(pair.before), Reading::new(pair.after));
    let found = PairReading::of(&before, &after);
    let contradiction = f64::from(found.verdict().contradiction);
    let acknowledgment = after.acknowledgment().map(|cue| cue.span);
    let similarity = f64::from(found.similarity());
    let outcome = if is_same(pair.before, pair.after) {
        Outcome::Same
    } else if contradiction > 0.5 {
        Outcome::Changed(FlipKind::Contradiction)
    } else if similarity < 0.3 {
        Outcome::Unrelated
    } else {
        Outcome::Same
    };
    let spans = found.cues.first().map(|cue| (cue.span_a, cue.span_b));
    let (before, after) = spans.unwrap_or((whole(pair.before), whole(pair.after)));
    Comparison {
        outcome,
        similarity,
        confidence: (contradiction - 0.5).abs() * 2.0,
        before,
        after,
        acknowledgment,
        method: reader.method(),
        explanation: format!("The two statements are {}.", outcome.as_str()),
    }
}
