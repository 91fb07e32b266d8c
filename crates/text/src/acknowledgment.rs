//! Acknowledgment: does a text say that its speaker changed its mind?
//!
//! Told apart from manners: "you're right that …, but" and "I apologize, but that is incorrect"
//! take nothing back.

mod own;

use crate::lexicon::{Group, Hit, Lexicon};
use crate::reading::{Cue, Reading};
use crate::stance::Topic;

impl Reading<'_> {
    /// The first place where the text acknowledges a change of mind, in the speaker's own words.
    pub fn acknowledgment(&self) -> Option<Cue> {
        let found = self.hits.iter().find(|hit| is_acknowledgment(hit.group) && self.counts(**hit));
        found.map(|hit| self.cue(*hit)).or_else(|| self.given_up())
    }

    /// The first acknowledgment that can be about `topic`: "I was wrong about the date" does not
    /// acknowledge a change of mind on whether to migrate.
    pub fn acknowledgment_on(&self, topic: Option<&Topic>) -> Option<Cue> {
        let found = self.hits.iter().find(|hit| {
            is_acknowledgment(hit.group)
                && self.counts(**hit)
                && !topic.is_some_and(|topic| self.is_about_else(**hit, topic))
        });
        found.map(|hit| self.cue(*hit)).or_else(|| self.given_up())
    }

    /// The first place where the speaker takes back what it said on `topic`: "I was wrong about it",
    /// "I withdraw that". Thinking again ("on reflection") takes nothing back by itself.
    pub fn withdrawal_on(&self, topic: Option<&Topic>) -> Option<Cue> {
        let found = self.hits.iter().find(|hit| {
            self.withdraws(**hit)
                && self.counts(**hit)
                && !topic.is_some_and(|topic| self.is_about_else(**hit, topic))
        });
        found.map(|hit| self.cue(*hit)).or_else(|| self.own_withdrawal())
    }

    fn withdraws(&self, hit: Hit) -> bool {
        match hit.group {
            Group::AckWrong => true,
            Group::AckMind | Group::AckRevise | Group::AckConcede => hit.tokens().any(|token| {
                let word = self.word(token).to_ascii_lowercase();
                WITHDRAWS.iter().any(|known| word.starts_with(known))
            }),
            _ => false,
        }
    }

    /// True when an object follows ("wrong about the date") that shares no word with the topic.
    fn is_about_else(&self, hit: Hit, topic: &Topic) -> bool {
        let end = hit.end as usize;
        let names_object = ["about", "on", "regarding"];
        let before = self.word(end.saturating_sub(1)).to_ascii_lowercase();
        let after = self.word(end).to_ascii_lowercase();
        let follows = |word: &String| names_object.contains(&word.as_str());
        if !follows(&before) && !follows(&after) {
            return false;
        }
        let Some(segment) = self.segment_at(end.saturating_sub(1)) else { return false };
        let object = end..segment.tokens.end;
        let content: Vec<_> = object
            .filter(|&token| !self.is_function_word(token))
            .filter_map(|token| self.tokens.get(token).filter(|token| token.is_word()))
            .collect();
        !content.is_empty()
            && content.iter().all(|token| {
                !topic.has(token.stem) && Lexicon::english().axis(token.stem).is_none()
            })
    }

    fn counts(&self, hit: Hit) -> bool {
        // A sign needs no grammar around it.
        if hit.group == Group::AckDelta {
            return true;
        }
        let denied = self
            .segment_at(hit.first as usize)
            .is_some_and(|segment| self.negated(segment, hit.first as usize));
        // "In line with what I had assumed": a thing, and no statement that it was left.
        let named = hit.group == Group::AckEarlier
            && (hit.first as usize).checked_sub(1).is_some_and(|at| {
                ["what", "as"].iter().any(|it| self.word(at).eq_ignore_ascii_case(it))
            });
        self.is_own_statement(hit.first as usize)
            && !denied
            && !named
            && !self.overlapped_by(hit, Group::AckBlock)
    }
}

/// How words that take something back begin.
const WITHDRAWS: [&str; 7] =
    ["withdr", "retract", "rescind", "recant", "disavow", "renounc", "abandon"];

fn is_acknowledgment(group: Group) -> bool {
    matches!(
        group,
        Group::AckMind
            | Group::AckWrong
            | Group::AckConvinced
            | Group::AckReflection
            | Group::AckRevise
            | Group::AckConcede
            | Group::AckEarlier
            | Group::AckSeeNow
            | Group::AckNew
            | Group::AckDelta
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_so() {
        for text in [
            "I was wrong.",
            "You've convinced me, so no.",
            "On reflection, it should not be done.",
            "I\u{2019}ll concede the point.",
            "Fair point, I take that back.",
            "Let me revise what I said.",
            "I no longer think it is safe.",
            "Okay, you have officially changed my view.",
            "I hadn't considered the cost of training.",
            "I was\nwrong about it.",
            "I'll reconsider my answer.",
            "I'd like to correct my earlier statement.",
        ] {
            assert!(Reading::new(text).acknowledgment().is_some(), "{text}");
        }
    }

    #[test]
    fn what_is_taken_back() {
        let topic = Topic::new(&Reading::new("Caching is safe for sessions."));
        let back = |text| Reading::new(text).withdrawal_on(Some(&topic)).is_some();
        for text in [
            "I was wrong about caching.",
            "On reflection, I was wrong.",
            "I withdraw that.",
            "I retract my claim.",
            "I take that back.",
            "I apologize for my previous response.",
        ] {
            assert!(back(text), "{text}");
        }
        for text in [
            "On reflection, caching needs care.",
            "I was wrong about the date.",
            "You've convinced me.",
            "I am not withdrawing anything.",
            "I apologize, but caching is safe.",
        ] {
            assert!(!back(text), "{text}");
        }
    }

    #[test]
    fn an_error_elsewhere_acknowledges_nothing() {
        let topic = Topic::new(&Reading::new("Should we migrate to Kubernetes?"));
        let about = |text| Reading::new(text).acknowledgment_on(Some(&topic)).is_some();
        assert!(!about("I was wrong about the release date. We should not migrate."));
        assert!(about("I was wrong about Kubernetes."));
        assert!(about("I was wrong."));
    }

    #[test]
    fn manners_are_no_change_of_mind() {
        for text in [
            "You're right that it is cheap, but it is not safe.",
            "I apologize, but that is incorrect.",
            "Good point. It is not safe.",
            "You have not convinced me.",
            "I haven't changed my mind.",
            "Nothing you said changed my view.",
            "If I'm wrong, show me.",
            "I see nowhere that this works.",
            "My colleague says he was wrong.",
            "You claim I was wrong, but the data agrees with me.",
            "\"I was wrong about everything\", said the minister.",
            "Was I wrong?",
            "Nobody has convinced me.",
            "Nothing here has made me reconsider.",
            "I was thinking about the cost of the plan.",
            "Having considered the cost, I stand by my answer.",
            "I missed the bus.",
        ] {
            assert_eq!(Reading::new(text).acknowledgment(), None, "{text}");
        }
    }
}
