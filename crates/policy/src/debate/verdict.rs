//! Small sums that other records are made of.

use rebuttal_model::Verdict;

use crate::voting::real;

/// The confidence from which a decision without dissent needs no conditions.
const SURE: f64 = 0.8;

/// What follows for whoever must act on a decision.
pub fn verdict(answer: Option<&str>, confidence: f64, dissents: usize) -> Verdict {
    match answer {
        None => Verdict::NeedsReview,
        Some(_) if dissents == 0 && confidence >= SURE => Verdict::Approved,
        Some(_) => Verdict::ApprovedWithConditions,
    }
}

/// The share of those who took a side that support it; 0 when nobody did.
pub fn agreement_ratio(supporting: usize, dissenting: usize) -> f64 {
    real(supporting) / real(supporting + dissenting).max(1.0)
}

/// The share of the strength of all evidence that supports; one half when there is none.
pub fn net_evidence(support: &[f64], refute: &[f64]) -> f64 {
    let (support, refute): (f64, f64) = (support.iter().sum(), refute.iter().sum());
    if support + refute > 0.0 { support / (support + refute) } else { 0.5 }
}
