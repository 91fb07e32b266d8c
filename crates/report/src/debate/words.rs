//! What a debate came to and what it cost, in a few words.

use rebuttal_model::{AnswerGroup, Rebuttal, Spent, Uncertain, Verdict};

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
    let mut parts = vec![counted(spent.calls)];
    parts.extend(amount(spent));
    #[expect(clippy::cast_precision_loss, reason = "so are its milliseconds")]
    parts.push(format!("{:.1} s", spent.millis as f64 / 1e3));
    if spent.serial_depth > 1 {
        parts.push(format!("{} calls one after the other", spent.serial_depth));
    }
    let known = parts.join(", ");
    match in_doubt(spent.uncertain) {
        Some(doubt) => format!("{known}; {doubt}"),
        None => known,
    }
}

/// What may have been paid for without anybody saying so: calls that were cut off, lost or killed.
fn in_doubt(uncertain: Uncertain) -> Option<String> {
    let Uncertain { calls, tokens, micro_usd } = uncertain;
    if uncertain.is_nothing() {
        return None;
    }
    let known = Spent { input_tokens: tokens, micro_usd, ..Spent::default() };
    let most = amount(known).map(|most| format!(", at most {most} more")).unwrap_or_default();
    Some(format!("{} may have been paid for without an answer{most}", counted(calls)))
}

fn counted(calls: u64) -> String {
    if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_doubt_is_said_apart() {
        let spent = Spent {
            calls: 3,
            input_tokens: 90,
            output_tokens: 10,
            micro_usd: 5_000,
            millis: 1_500,
            serial_depth: 2,
            ..Spent::default()
        };
        let known = "3 calls, 100 tokens, $0.0050, 1.5 s, 2 calls one after the other";
        assert_eq!(cost(spent), known);
        let uncertain = Uncertain { calls: 1, tokens: 9_000, micro_usd: 20_000 };
        assert_eq!(
            cost(Spent { uncertain, ..spent }),
            format!(
                "{known}; 1 call may have been paid for without an answer, at most 9000 tokens, \
                 $0.0200 more"
            )
        );
    }
}
