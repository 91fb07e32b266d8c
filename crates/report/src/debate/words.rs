//! What a debate came to and what it cost, in a few words.

use rebuttal_model::{Spent, Verdict};

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
