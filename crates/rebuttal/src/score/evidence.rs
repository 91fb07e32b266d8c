//! How well an argument is supported, and which of two is supported better.

use rebuttal_detect::evidence::{self, Argued, seed::seed_quality};
use rebuttal_model::{Method, QualityWeights};
use rebuttal_semantics::BuiltinEncoder;

use super::task::{Answer, Verdict};

/// The year from which the seed system counts the age of a source; these texts hardly name any.
const YEAR: i32 = 2026;

/// One argument by rules or by the seed document's.
pub(super) fn argument(text: &str, method: Method) -> Verdict {
    if method == Method::Seed {
        return number(seed_quality(text, YEAR).overall(), "by the seed's rules");
    }
    let quality = evidence::quality(text, &QualityWeights::default());
    let explanation = format!(
        "sources {:.2}, specific {:.2}, reasons {:.2}, kinds {:.2}",
        quality.citation_density,
        quality.specificity_score,
        quality.logical_chain_score,
        quality.evidence_diversity
    );
    number(evidence::argued_by_rule(text), &explanation)
}

/// Which of two arguments, by rules or by the seed document's.
pub(super) fn pair((a, b): (&str, &str), method: Method) -> Verdict {
    let weigh = |text: &str| match method {
        Method::Seed => seed_quality(text, YEAR).overall(),
        Method::Rules | Method::Model => evidence::argued_by_rule(text),
    };
    weightier(weigh(a), weigh(b))
}

/// Arguments by the head: the second text of each row.
pub(super) fn arguments(texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
    let texts: Vec<&str> = texts.iter().map(|(_, argument)| *argument).collect();
    let told = |one: Argued| number(one.quality, "by the head");
    Ok(argued(&texts)?.into_iter().map(told).collect())
}

/// Pairs by the head.
pub(super) fn pairs(texts: &[(&str, &str)]) -> Result<Vec<Verdict>, String> {
    let flat: Vec<&str> = texts.iter().flat_map(|&(a, b)| [a, b]).collect();
    let weights = argued(&flat)?;
    let told = |two: &[Argued]| match two {
        [a, b] => weightier(a.weight, b.weight),
        _ => weightier(0.0, 0.0),
    };
    Ok(weights.chunks_exact(2).map(told).collect())
}

fn argued(texts: &[&str]) -> Result<Vec<Argued>, String> {
    evidence::argued(BuiltinEncoder, texts).map_err(|error| error.to_string())
}

fn number(score: f64, explanation: &str) -> Verdict {
    let explanation = format!("{score:.2}: {explanation}");
    Verdict { answer: Answer::Number, score, explanation }
}

fn weightier(a: f64, b: f64) -> Verdict {
    Verdict {
        answer: Answer::Binary(a > b),
        score: a - b,
        explanation: format!("weighs {a:.2} against {b:.2}"),
    }
}
