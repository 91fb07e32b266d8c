//! A citation that failed, as a finding.

use rebuttal_model::{
    AgentId, CitationVerdict as Verdict, Cites, Confidence, DebateId, Finding, FindingId, Method,
    Quote, Quotes, Whose,
};

/// The finding of a citation that was checked and failed, or could not be checked; none where it holds.
pub fn finding(
    (verdict, why): (Verdict, &str),
    cites: Cites,
    (debate, agent): (&DebateId, &AgentId),
    quote: Quote,
    method: Method,
) -> Option<Finding> {
    /// The share of planted citations found wrong that are (docs/evidence-documents.md), rounded down.
    const SURE: f64 = 0.9;
    if verdict == Verdict::Supported {
        return None;
    }
    let rule = verdict.rule();
    let quotes = Quotes::new(quote, Vec::new());
    let id = FindingId::of(debate, &rule, agent, &quotes);
    let confidence = Confidence::new(SURE, Whose::Detector)?;
    let words: String = quotes.first().text.chars().take(160).collect();
    let explanation = format!("“{words}”: {why}.");
    let (agent, severity) = (agent.clone(), verdict.severity(cites));
    Some(Finding { id, rule, agent, severity, confidence, method, explanation, quotes })
}
