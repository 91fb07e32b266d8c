//! Evidence by the seed document's keyword rules, word-bounded: for comparison.
//!
//! Citations, numbers, examples and connectives are counted wherever they stand, and set against the
//! number of sentences. Whoever writes enough of them scores high, whatever they say.

use rebuttal_model::{Quality, QualityWeights};
use rebuttal_text::Reading;

use super::freshness;

const VAGUE: &[&str] = &[
    "generally",
    "typically",
    "usually",
    "often",
    "sometimes",
    "might",
    "could",
    "potentially",
    "various",
    "many considerations",
    "depends",
    "factors",
    "in some cases",
    "common approach",
    "best practices",
    "industry standard",
    "significant",
    "somewhat",
];
const EXAMPLES: &[&str] = &[
    "for example",
    "for instance",
    "such as",
    "specifically",
    "case in point",
    "e.g.",
    "consider",
];
const CONNECTORS: &[&str] = &[
    "because",
    "therefore",
    "thus",
    "hence",
    "since",
    "consequently",
    "as a result",
    "given that",
    "it follows",
    "this implies",
];

/// The five figures of the seed system.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SeedQuality {
    /// Citations for each sentence.
    pub citation_density: f64,
    /// Numbers against vague words.
    pub specificity: f64,
    /// Kinds of evidence, of five.
    pub diversity: f64,
    /// How recent the years are.
    pub temporal: f64,
    /// Connectives for each hundred words.
    pub reasoning: f64,
}

impl SeedQuality {
    /// By the seed system's own weights.
    pub fn overall(&self) -> f64 {
        0.25 * self.citation_density
            + 0.25 * self.specificity
            + 0.20 * self.diversity
            + 0.10 * self.temporal
            + 0.20 * self.reasoning
    }

    /// In our shape; how recent the years are has no place there.
    pub fn quality(&self, weights: &QualityWeights) -> Quality {
        let parts = Quality {
            citation_density: self.citation_density,
            specificity_score: self.specificity,
            logical_chain_score: self.reasoning,
            evidence_diversity: self.diversity,
            overall: 0.0,
        };
        Quality { overall: super::combined(&parts, weights), ..parts }
    }
}

/// The seed system's figures of a text; `now` is the year to measure age from.
pub fn seed_quality(text: &str, now: i32) -> SeedQuality {
    let lower = text.to_lowercase();
    let reading = Reading::new(text);
    let words = count(reading.word_count());
    if words == 0.0 {
        return SeedQuality::default();
    }
    let claims = count(reading.sentence_spans().filter(|span| span.len() > 20).count());
    let citations = count(reading.citations().len());
    let numbers = count(reading.quantities().len());
    let vague = count(VAGUE.iter().filter(|phrase| occurrences(&lower, phrase) > 0).count());
    let examples: usize = EXAMPLES.iter().map(|phrase| occurrences(&lower, phrase)).sum();
    let connectors: usize = CONNECTORS.iter().map(|phrase| occurrences(&lower, phrase)).sum();
    let kinds = [citations > 0.0, numbers > 0.0, examples > 0];
    SeedQuality {
        citation_density: if claims > 0.0 { (citations / claims).min(1.0) } else { 0.0 },
        specificity: if numbers + vague > 0.0 { numbers / (numbers + vague) } else { 0.5 },
        diversity: count(kinds.into_iter().filter(|has| *has).count()) / 5.0,
        temporal: freshness(text, now),
        reasoning: (count(connectors) / (words / 100.0).max(1.0)).min(1.0),
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// How often the phrase stands in the text, not inside another word.
fn occurrences(lower: &str, phrase: &str) -> usize {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let whole = |&(at, _): &(usize, &str)| {
        let before = lower.get(..at).and_then(|text| text.chars().next_back());
        let after = lower.get(at + phrase.len()..).and_then(|text| text.chars().next());
        !letter(before) && !letter(after)
    };
    lower.match_indices(phrase).filter(whole).count()
}
