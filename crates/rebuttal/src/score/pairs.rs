//! Two texts: do they contradict each other, do they say the same?

use rebuttal_detect::pair::{Cue, PairReading};
use rebuttal_detect::seed::{self, Flip};
use rebuttal_model::Method;
use rebuttal_semantics as semantics;

use super::task::{Answer, Verdict, quoted};

/// From this probability on two texts are said to contradict each other.
const CONTRADICTS: f64 = 0.5;

/// From this similarity on two texts are said to be the same; the seed documents' own bar.
const SAME: f64 = 0.7;

/// Whether both can hold.
pub(super) fn contradiction(texts: (&str, &str), method: Method) -> Verdict {
    match method {
        Method::Seed => by_seed(texts),
        Method::Rules | Method::Model => by_rules(texts),
    }
}

fn by_rules((a, b): (&str, &str)) -> Verdict {
    let pair = PairReading::new(a, b);
    let score = f64::from(pair.verdict().contradiction);
    let explanation = match pair.cues.first() {
        Some(cue) => explained((a, b), cue),
        None => "nothing excludes anything".to_owned(),
    };
    Verdict { answer: Answer::Binary(score > CONTRADICTS), score, explanation }
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

/// What a model inferred.
pub(super) fn inferred(verdict: &semantics::Verdict) -> Verdict {
    let score = f64::from(verdict.contradiction);
    Verdict {
        answer: Answer::Binary(score > CONTRADICTS),
        score,
        explanation: format!(
            "entailment {:.2}, neutral {:.2}, contradiction {:.2}",
            verdict.entailment, verdict.neutral, verdict.contradiction
        ),
    }
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
