//! Acknowledgment: does a text say that its speaker changed its mind?
//!
//! Told apart from manners: "you're right that …, but" and "I apologize, but that is incorrect"
//! take nothing back.

use crate::lexicon::{Group, Hit};
use crate::reading::{Cue, Reading};

impl Reading<'_> {
    /// The first place where the text acknowledges a change of mind, in the speaker's own words.
    pub fn acknowledgment(&self) -> Option<Cue> {
        let found = self.hits.iter().find(|hit| is_acknowledgment(hit.group) && self.counts(**hit));
        found.map(|hit| self.cue(*hit))
    }

    fn counts(&self, hit: Hit) -> bool {
        // A sign needs no grammar around it.
        if hit.group == Group::AckDelta {
            return true;
        }
        self.is_own_statement(hit.first as usize) && !self.overlapped_by(hit, Group::AckBlock)
    }
}

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
        ] {
            let reading = Reading::new(text);
            assert!(reading.acknowledgment().is_some(), "{text} {:?} {:?}", reading.hits, reading.segments);
        }
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
        ] {
            assert_eq!(Reading::new(text).acknowledgment(), None, "{text}");
        }
    }
}
