//! The seed's algorithm, written plainly: an agent's new claim beside each of its last fifty, by the
//! lists of signals and the share of words in common.

use std::collections::{HashMap, HashSet, VecDeque};

/// The seed's `lookback_positions`.
const LOOKBACK: usize = 50;

const CONTRADICTION: [(&str, &str); 5] =
    [("not ", " not "), ("isn't", "is"), ("bad", "good"), ("false", "true"), ("disagree", "agree")];
const RETRACTION: [&str; 4] = ["was wrong", "reconsider", "take back", "withdraw"];
const QUALIFICATION: [&str; 3] = ["sometimes", "partially", "in some cases"];

/// What agents said last.
#[derive(Default)]
pub(crate) struct Plain {
    last: HashMap<String, VecDeque<String>>,
}

impl Plain {
    /// Compares a claim with the agent's last ones; how many pairs are called flips. Every pair is,
    /// as the rule has no answer for "the same" or "something else".
    pub(crate) fn push(&mut self, agent: &str, claim: &str) -> u64 {
        let claim = claim.to_lowercase();
        let last = self.last.entry(agent.to_owned()).or_default();
        let found = last.iter().filter(|before| !classify(before, &claim).is_empty()).count();
        if last.len() == LOOKBACK {
            last.pop_front();
        }
        last.push_back(claim);
        found as u64
    }
}

fn classify(before: &str, after: &str) -> &'static str {
    for (one, two) in CONTRADICTION {
        let turned = before.contains(one) && after.contains(two);
        if turned || before.contains(two) && after.contains(one) {
            return "contradiction";
        }
    }
    if RETRACTION.iter().any(|signal| after.contains(signal)) {
        return "retraction";
    }
    if QUALIFICATION.iter().any(|signal| after.contains(signal)) {
        return "qualification";
    }
    match similarity(before, after) {
        alike if alike > 0.7 => "refinement",
        alike if alike < 0.3 => "contradiction",
        _ => "qualification",
    }
}

#[expect(clippy::cast_precision_loss, reason = "a claim has few words")]
fn similarity(before: &str, after: &str) -> f64 {
    let words = |text| str::split_whitespace(text).collect::<HashSet<&str>>();
    let (one, two) = (words(before), words(after));
    let shared = one.intersection(&two).count();
    shared as f64 / (one.len() + two.len() - shared).max(1) as f64
}
