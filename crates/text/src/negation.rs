//! Negation with its scope: what a "not" reaches.

use crate::lexicon::{Group, Hit};
use crate::reading::Reading;
use crate::segments::Segment;

impl Reading<'_> {
    /// True when the token is denied: an odd number of negations reach it in its segment.
    pub(crate) fn negated(&self, segment: &Segment, token: usize) -> bool {
        let mut odd = false;
        let mut end = 0;
        for hit in self.hits_in(&segment.tokens) {
            let negates = matches!(hit.group, Group::Not | Group::NotQuite);
            // Of phrases that overlap only the longest counts: "not at all" is one negation.
            if !negates || (hit.first as usize) < end {
                continue;
            }
            if hit.end as usize > token {
                break;
            }
            if self.overlapped_by(*hit, Group::NotReally) || self.is_answer(segment, *hit) {
                continue;
            }
            end = hit.end as usize;
            // "neither safe nor cheap" denies each once.
            odd = self.word(hit.first as usize).eq_ignore_ascii_case("nor") || !odd;
        }
        odd != self.is_free_of(token)
    }

    /// "risk-free" has no risk.
    pub(crate) fn is_free_of(&self, token: usize) -> bool {
        self.tokens.get(token + 1).is_some_and(|next| next.is_mark(b'-'))
            && self.word(token + 2).eq_ignore_ascii_case("free")
    }

    /// True when an odd number of negations reach the segment's end.
    pub(crate) fn negated_throughout(&self, segment: &Segment) -> bool {
        self.negated(segment, segment.tokens.end)
    }

    /// "No it isn't": the "no" answers, and does not deny what follows.
    pub(crate) fn is_answer(&self, segment: &Segment, hit: Hit) -> bool {
        let start = hit.first as usize;
        if start != segment.tokens.start || !self.word(start).eq_ignore_ascii_case("no") {
            return false;
        }
        let next = start + 1..start + 2;
        self.hits_in(&next).iter().any(|hit| {
            matches!(hit.group, Group::ReportSpeaker | Group::Pronoun | Group::ReportYou)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `word` is denied in `text`.
    fn denied(text: &str, word: &str) -> bool {
        let reading = Reading::new(text);
        let token = (0..reading.tokens.len()).find(|&token| reading.word(token) == word);
        let token = token.unwrap_or_else(|| panic!("{word} is not in {text}"));
        let segment = reading.segment_at(token).expect("a word stands in a segment");
        reading.negated(segment, token)
    }

    #[test]
    fn reaches_what_follows() {
        for (text, word) in [
            ("Caching is not safe.", "safe"),
            ("It isn't ready.", "ready"),
            ("It is no longer needed.", "needed"),
            ("That never works.", "works"),
            ("That hardly works.", "works"),
            ("They fail to deliver.", "deliver"),
            ("I cannot recommend this.", "recommend"),
            ("I don't think it is safe.", "safe"),
            ("It is neither safe nor cheap.", "safe"),
            ("It is neither safe nor cheap.", "cheap"),
            ("It shouldn\u{2019}t ship.", "ship"),
            ("It is a risk-free plan.", "risk"),
            ("I disagree that it is safe.", "safe"),
        ] {
            assert!(denied(text, word), "{text}");
        }
    }

    #[test]
    fn stops_where_the_sense_stops() {
        for (text, word) in [
            ("It is not only safe but fast.", "safe"),
            ("It is not unsafe, it is fine.", "fine"),
            ("It is not cheap because safe parts cost more.", "safe"),
            ("There is no doubt that it is safe.", "safe"),
            ("No one doubts it is safe.", "safe"),
            ("No, it is safe.", "safe"),
            ("No it is safe.", "safe"),
            ("The badge is not here; the plan is good.", "good"),
            ("I would not say it is not safe.", "safe"),
        ] {
            assert!(!denied(text, word), "{text}");
        }
    }
}
