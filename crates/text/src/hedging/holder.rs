//! Whose view it is: a report is evasive when nobody in particular holds what it reports.
//!
//! "Critics argue that it failed" leaves open who argues; "Higley argues that it failed" and "it was
//! praised by Higley" do not, and "the arrest of his critics" reports no view at all.

use std::ops::Range;

use crate::lexicon::{Group, Hit};
use crate::reading::Reading;
use crate::traits::Traits;

/// How many words may stand between a group and the verb for what it holds: "critics of the plan
/// often argue".
const HOLDER_TO_VERB: usize = 5;

/// The most words of a name that are looked at.
const NAME_WORDS: usize = 8;

/// Words between a holder and its verb that are part of neither.
const BETWEEN: [&str; 9] =
    ["also", "had", "has", "have", "himself", "herself", "later", "once", "then"];

/// What a name follows when it only says more about the holder: "critics of Higley argue".
const OF: [&str; 9] = ["of", "in", "at", "from", "among", "with", "for", "to", "on"];

impl Reading<'_> {
    /// False for a report whose holder is named, and for a group that holds no view.
    pub(super) fn leaves_open_who(&self, hit: Hit) -> bool {
        match hit.group {
            Group::HedgeHolder => self.holds_a_view(hit),
            Group::HedgeVerb | Group::HedgeWeasel => {
                !self.is_of_a_name(hit) && !self.is_by_a_name(hit)
            }
            _ => true,
        }
    }

    /// "critics argue", "praised by critics".
    fn holds_a_view(&self, group: Hit) -> bool {
        let (first, end) = (group.first as usize, group.end as usize);
        let agent =
            first.checked_sub(1).is_some_and(|before| self.is_any(before, &["by", "to", "among"]));
        let sentence = self.segment_at(first).and_then(|own| self.sentences.get(own.sentence));
        let last = sentence.map_or(end, |sentence| sentence.tokens.end.min(end + HOLDER_TO_VERB));
        agent || self.reports_in(end..last)
    }

    /// "Higley argues that", "he also claimed to".
    fn is_of_a_name(&self, report: Hit) -> bool {
        let verb = report.first as usize;
        if !self.reports_in(verb..verb + 1) {
            return false;
        }
        let Some(holder) = (0..verb).rev().find(|at| !self.is_any(*at, &BETWEEN)) else {
            return false;
        };
        if self.is_any(holder, &["he", "she"]) {
            return true;
        }
        let back = (0..=holder).rev().take(NAME_WORDS);
        let names = back.take_while(|at| self.is_name_at(*at)).count();
        let before = holder.checked_sub(names);
        names > 0 && !before.is_some_and(|before| self.is_any(before, &OF))
    }

    /// "praised by Higley", but not "praised by European critics".
    fn is_by_a_name(&self, report: Hit) -> bool {
        let end = report.end as usize;
        let Some(by) = (end.saturating_sub(1)..=end).find(|at| self.is_any(*at, &["by"])) else {
            return false;
        };
        let start = by + 1 + usize::from(self.is_any(by + 1, &["the"]));
        let names = (start..start + NAME_WORDS).take_while(|at| self.is_name_at(*at)).count();
        let after = self.tokens.get(start + names);
        names > 0 && after.is_none_or(|it| !it.is_word() || it.traits.has(Traits::FUNCTION))
    }

    fn reports_in(&self, tokens: Range<usize>) -> bool {
        self.hits_in(&tokens).iter().any(|hit| hit.group == Group::ReportVerb)
    }

    fn is_name_at(&self, token: usize) -> bool {
        self.segment_at(token).is_some_and(|segment| self.is_name(segment, token))
    }

    fn is_any(&self, token: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.word(token).eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_that_nobody_in_particular_holds_is_hedged() {
        for text in [
            "Critics argue that the dam was a mistake.",
            "Opponents of the plan often claim it is too dear.",
            "Critics of Ellen Marsh argued that the dam was a mistake.",
            "It was praised by critics.",
            "It was described as a failure by European critics.",
            "They argued that the dam was a mistake.",
            "The film has been severely criticized.",
            "Nobody knows how the fire began.",
            "He is a well-known painter.",
        ] {
            assert!(Reading::new(text).hedging().is_hedged(), "{text}");
        }
    }

    #[test]
    fn a_named_holder_or_none_is_no_hedge() {
        for text in [
            "Ellen Marsh argued that the dam was a mistake.",
            "In 1990 she also claimed that the dam would break.",
            "It was praised by Ellen Marsh.",
            "The dam was described by the Times.",
            "The police arrested his critics. Then he said so.",
            "The game has four opponents in each race.",
            "The meeting was held in March.",
            "The king claimed the throne.",
        ] {
            assert!(!Reading::new(text).hedging().is_hedged(), "{text}");
        }
    }

    #[test]
    fn what_is_counted_or_pointed_at_is_no_vague_amount() {
        for text in [
            "She won the race several times.",
            "There are too many cars.",
            "It has twice as many as before.",
            "The house is one of the three that survived.",
            "His many letters are in the archive.",
        ] {
            assert!(!Reading::new(text).hedging().is_hedged(), "{text}");
        }
        for text in ["Many letters are in the archive.", "She says that many letters are lost."] {
            assert!(Reading::new(text).hedging().is_hedged(), "{text}");
        }
    }
}
