//! What a debate came to and what it cost, in a few words.

use rebuttal_model::{AnswerGroup, Rebuttal, Spent, Verdict};

/// What a verdict is called.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Approved => "approved",
        Verdict::ApprovedWithConditions => "approved with conditions",
        Verdict::NeedsReview => "needs review",
    }
}

/// Tokens and money, where any were counted.
pub fn amount(spent: Spent) -> Option<String> {
    let mut parts = Vec::new();
    if spent.tokens() > 0 {
        parts.push(format!("{} tokens", spent.tokens()));
    }
    if spent.micro_usd > 0 {
        parts.push(dollars(spent.micro_usd));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn dollars(micro: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "money of a debate is far below 2^53")]
    let dollars = micro as f64 / 1e6;
    format!("${dollars:.4}")
}

/// What it cost, in one line.
pub fn cost(spent: Spent) -> String {
    let mut parts = vec![format!("{} calls", spent.calls)];
    parts.extend(amount(spent));
    #[expect(clippy::cast_precision_loss, reason = "so are its milliseconds")]
    parts.push(format!("{:.1} s of answers", spent.millis as f64 / 1e3));
    parts.push(format!("{} in a row", spent.serial_depth));
    parts.join(", ")
}

/// A rebuttal with what it answers: `to bob on “It was tested.”: By its vendor.`
pub fn rebuttal(rebuttal: &Rebuttal) -> String {
    match &rebuttal.item {
        Some(item) => format!("to {} on “{}”: {}", item.agent, item.text, rebuttal.text),
        None => rebuttal.text.clone(),
    }
}

/// Answers that were counted as one.
pub fn group(group: &AnswerGroup) -> String {
    let others: Vec<String> = group.others.iter().map(|other| format!("“{other}”")).collect();
    format!("Counted as “{}”: {}.", group.name, others.join(", "))
}
