//! Two texts: do they contradict each other, do they say the same?

use rebuttal_detect::Reader;
use rebuttal_detect::pair::{Cue, PairReading};
use rebuttal_detect::relate::{Relation, relate};
use rebuttal_detect::seed::{self, Flip};
use rebuttal_model::Method;

use super::task::{Answer, Verdict, quoted};

/// From this similarity on two texts are said to be the same; the seed documents' own bar.
const SAME: f64 = 0.7;

/// Whether both can hold.
pub(super) fn contradiction(texts: (&str, &str), method: Method) -> Verdict {
    match method {
        Method::Seed => by_seed(texts),
        Method::Rules | Method::Model => related(texts, &relate(texts.0, texts.1, Reader::Rules)),
    }
}

/// What one text is to the other, as a verdict on whether both can hold.
pub(super) fn related(texts: (&str, &str), found: &Relation) -> Verdict {
    let explanation = match found.cues.first() {
        Some(cue) => {
            format!("{} {:.2}: {}", found.kind.as_str(), found.confidence, explained(texts, cue))
        }
        None => format!("{} {:.2}: {}", found.kind.as_str(), found.confidence, found.why),
    };
    let score = f64::from(found.shares.contradicts);
    Verdict { answer: Answer::Binary(found.contradicts()), score, explanation }
}

fn explained((a, b): (&str, &str), cue: &Cue) -> String {
    let words = |text, span| quoted(text, Some(span)).unwrap_or_default();
    format!("{} against {} ({})", words(a, cue.span_a), words(b, cue.span_b), cue.kind.as_str())
}

/// The seed's rule for flips: what it calls a contradiction.
fn by_seed((a, b): (&str, &str)) -> Verdict {
    let flip = seed::flip(a, b);
    let score = match flip {
        Flip::Contradiction => 1.0,
        Flip::Retraction | Flip::Qualification | Flip::Refinement => 0.0,
    };
    let explanation = match flip {
        Flip::Contradiction => "called a contradiction",
        Flip::Retraction => "called a retraction",
        Flip::Qualification => "called a qualification",
        Flip::Refinement => "called a refinement",
    };
    let answer = Answer::Binary(flip == Flip::Contradiction);
    Verdict { answer, score, explanation: explanation.to_owned() }
}

/// Whether both say the same.
pub(super) fn similarity((a, b): (&str, &str), method: Method) -> Verdict {
    match method {
        Method::Seed => alike(seed::similarity(a, b), "words in common"),
        Method::Rules | Method::Model => {
            alike(f64::from(PairReading::new(a, b).similarity()), "meaning in common")
        }
    }
}

/// A similarity as a verdict.
pub(super) fn alike(score: f64, what: &str) -> Verdict {
    let explanation = format!("{what} {score:.2}");
    Verdict { answer: Answer::Binary(score >= SAME), score, explanation }
}
