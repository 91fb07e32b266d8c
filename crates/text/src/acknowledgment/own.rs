//! What a speaker says of its own earlier view: that it is given up, weaker than something else, or past.
//!
//! No list of sentences: a frame has an owner ("my", "I"), something that is held (an answer, a reason,
//! the evidence it stood on), and a predicate that lets go of it. Denied, supposed and reported ones do
//! not count.

mod words;

use std::ops::Range;

use rebuttal_model::Stance;

use crate::reading::{Cue, Reading};
use crate::segments::Part;
use crate::tokens::Kind;
use words::{
    DENIES, EVIDENCE, HELD, HELD_THEN, LETS_GO, LITTLE, LOST, OVERCOMES, STANDS, SUPPOSES, TURNED,
    WAS, WEIGHTIER,
};

/// How far a predicate may stand from what it is said of.
const REACH: usize = 6;

impl Reading<'_> {
    /// The first place where the speaker lets go of a view of its own.
    pub(super) fn given_up(&self) -> Option<Cue> {
        let found = (0..self.tokens.len()).find_map(|at| {
            if !self.says(at, &["my", "mine"]) || !self.is_stated(at) {
                return None;
            }
            self.compared(at).or_else(|| self.let_go(at)).or_else(|| self.lost(at))
        })?;
        self.as_cue(found)
    }

    /// The first place where the speaker names what it held as something past: "in round one I was for
    /// it", "I said no because of the price". Whoever is known to have turned around has then said so;
    /// of anybody else it proves nothing.
    pub fn names_own_past(&self, now: Stance) -> Option<Cue> {
        let found = (0..self.tokens.len()).find_map(|at| {
            let stated = self.is_own_statement(at);
            (stated && self.says(at, &["i"])).then(|| self.held_then(at, now)).flatten().or_else(
                || (stated && self.says(at, &["me", "mine"])).then(|| self.turned_me(at)).flatten(),
            )
        })?;
        self.as_cue(found)
    }

    fn as_cue(&self, tokens: Range<usize>) -> Option<Cue> {
        Some(Cue { span: self.span_of(tokens)?, group: "acknowledgment.own-view" })
    }

    fn says(&self, at: usize, words: &[&str]) -> bool {
        let own = self.word(at);
        words.iter().any(|word| own.eq_ignore_ascii_case(word))
    }

    /// In the speaker's own words, and under no condition.
    fn is_stated(&self, at: usize) -> bool {
        self.is_own_statement(at)
            && self.segment_at(at).is_some_and(|segment| segment.part != Part::Condition)
    }

    /// The tokens before this one, back to the end of the clause before.
    fn before(&self, at: usize) -> Range<usize> {
        let from = at.saturating_sub(REACH);
        let start =
            (from..at).rev().find(|near| self.ends_clause(*near)).map_or(from, |end| end + 1);
        start..at
    }

    fn ends_clause(&self, at: usize) -> bool {
        matches!(
            self.tokens.get(at).map(|token| token.kind),
            Some(Kind::Mark(b'.' | b';' | b':' | b'!' | b'?' | b',') | Kind::Blank)
        )
    }

    fn any_in(&self, mut range: Range<usize>, words: &[&str]) -> bool {
        range.any(|at| self.says(at, words))
    }

    /// The noun of holding that "my" belongs to: "my earlier answer", "my 18 letters".
    fn noun_after(&self, at: usize, nouns: &[&[&str]]) -> Option<usize> {
        (at + 1..at + 4)
            .take_while(|near| !self.ends_clause(*near))
            .find(|near| nouns.iter().any(|nouns| self.says(*near, nouns)))
    }

    /// "weighs more than my letter", "better evidence than my gate log", "bigger than mine".
    fn compared(&self, at: usize) -> Option<Range<usize>> {
        let than = at.checked_sub(1).filter(|than| self.says(*than, &["than"]))?;
        let before = self.before(than);
        let end = if self.says(at, &["mine"]) {
            at + 1
        } else {
            self.noun_after(at, &[HELD, EVIDENCE])? + 1
        };
        let more = self.any_in(before.clone(), WEIGHTIER);
        let bars = [DENIES, SUPPOSES].iter().any(|bars| self.any_in(before.clone(), bars));
        (more && !bars).then_some(before.start..end)
    }

    /// "scratch my yes", "that takes away my reason", "your price beats mine".
    fn let_go(&self, at: usize) -> Option<Range<usize>> {
        let mine = self.says(at, &["mine"]);
        let verb = (at.saturating_sub(2)..at)
            .rev()
            .find(|near| self.says(*near, LETS_GO) || self.says(*near, OVERCOMES))?;
        let overcomes = self.says(verb, OVERCOMES);
        let noun = if mine {
            overcomes.then_some(at)
        } else {
            let evidence = if overcomes { EVIDENCE } else { &[] };
            self.noun_after(at, &[HELD, evidence])
        }?;
        let before = self.before(verb);
        // "He wants me to drop my objection."
        let told = before.end > 0
            && self.says(before.end - 1, &["to"])
            && !self.any_in(before.clone(), &["i"]);
        let bars = [DENIES, SUPPOSES].iter().any(|bars| self.any_in(before.clone(), bars));
        (!told && !bars).then_some(verb..noun + 1)
    }

    /// "my earlier conclusion does not hold", "my argument for keeping it is gone".
    fn lost(&self, at: usize) -> Option<Range<usize>> {
        let noun = self.noun_after(at, &[HELD])?;
        let end = (noun + 1 + REACH).min(self.tokens.len());
        let after = noun + 1..(noun + 1..end).find(|near| self.ends_clause(*near)).unwrap_or(end);
        let denied = |near: usize| self.any_in(near.saturating_sub(3).max(noun)..near, DENIES);
        let of_another =
            |near: usize| self.any_in(noun + 1..near, &["you", "that", "because", "and"]);
        let still = self.any_in(after.clone(), &["still", "remains", "stays"]);
        let found = after.clone().find(|near| {
            let today = self.says(*near, &["different"])
                && self.any_in(near + 1..near + 3, &["today", "now", "since"]);
            let given = self.says(*near, LOST) && !denied(*near)
                || today
                || self.says(*near, STANDS) && denied(*near)
                || self.says(*near, &["longer"]) && self.says(near.saturating_sub(1), &["no"])
                || self.says(*near, &["out"]) && self.says(near + 1, &["of"]);
            given && !of_another(*near)
        })?;
        let bars = self.any_in(noun + 1..found, SUPPOSES) || self.any_in(self.before(at), SUPPOSES);
        (!still && !bars).then_some(at..found + 1)
    }

    /// "I was for it", "I said no because …", "I argued on delays alone": the side that was left, or how
    /// little it stood on. Any other past of the speaker's ("I wrote to the director") tells nothing.
    fn held_then(&self, at: usize, now: Stance) -> Option<Range<usize>> {
        // Whoever says "as I said" or "I have always said" claims that nothing has changed.
        const SAME: &[&str] = &["as", "like", "always", "still", "again", "already", "what"];
        let end = self.clause_end(at);
        // "Contrary to what I wrote."
        let contrary = self.any_in(at.saturating_sub(3)..at, &["contrary", "unlike"]);
        let same = self.any_in(at.saturating_sub(2)..at + 3, SAME);
        if same && !contrary {
            return None;
        }
        let was = self.says(at + 1, &["was"]);
        let left = (at + 2..(at + 4).min(end)).any(|near| self.side_named(near).opposes(now));
        let sided = left && (was || self.says(at + 1, &["said", "voted", "answered", "argued"]));
        let little = self.any_in(at + 1..end, LITTLE) || self.is_dated(at);
        let unsound = little && (was && self.says(at + 2, WAS) || self.says(at + 1, HELD_THEN));
        let moved = self.says(at + 1, &["would"])
            && self.says(at + 2, &["have"])
            && self.any_in(self.sentence_of(at), &["before", "without", "until"]);
        let unknown = self.says(at + 1, &["did", "didn't"])
            && self.any_in(at + 2..at + 4, &["know", "expect", "realise"]);
        let then = sided || unsound || moved || unknown || contrary && self.says(at + 1, HELD_THEN);
        then.then_some(at..at + 3)
    }

    /// Which side a word stands for after "I said" or "I was".
    fn side_named(&self, at: usize) -> Stance {
        match () {
            () if self.says(at, &["yes", "for", "favour", "favor"]) => Stance::Yes,
            () if self.says(at, &["no", "against", "opposed"]) => Stance::No,
            () => Stance::Unclear,
        }
    }

    /// "Yesterday I wanted it gone", "in round one I was for it".
    fn is_dated(&self, at: usize) -> bool {
        let before = at.saturating_sub(REACH)..at;
        self.any_in(before, &["yesterday", "round", "initially", "originally"])
    }

    fn clause_end(&self, at: usize) -> usize {
        let far = (at + 2 * REACH).min(self.tokens.len());
        (at..far).find(|near| self.ends_clause(*near)).unwrap_or(far)
    }

    fn sentence_of(&self, at: usize) -> Range<usize> {
        at.saturating_sub(REACH)..(at + REACH).min(self.tokens.len())
    }

    /// "what tipped it for me", "that was hasty of me", "a yes from me if …": something was decided in
    /// the speaker, or in it before.
    fn turned_me(&self, at: usize) -> Option<Range<usize>> {
        let joined =
            at.checked_sub(1).filter(|before| self.says(*before, &["for", "of", "makes"]))?;
        let before = self.before(joined);
        let found = before.clone().find(|near| self.says(*near, TURNED))?;
        (!self.any_in(before, DENIES)).then_some(found..at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_view_is_let_go_of_in_any_words() {
        for text in [
            "The deed weighs more than my letter.",
            "Her count is better evidence than my two samples, so I follow it.",
            "Strike my vote for the pier.",
            "The new tariff takes away my reason for waiting.",
            "My argument for keeping it is gone.",
            "I find that my earlier conclusion does not hold.",
            "My view is different today.",
            "Your survey beats mine.",
            "My plan fails on the delivery dates.",
        ] {
            assert!(Reading::new(text).acknowledgment().is_some(), "{text}");
        }
    }

    #[test]
    fn a_view_that_stands_is_not_let_go_of() {
        for text in [
            "My argument is not wrong.",
            "Nothing here outweighs my letter.",
            "He wants me to drop my objection.",
            "If my estimate is wrong, the pier still pays.",
            "My case has not failed.",
            "You say that my view is wrong.",
            "My argument holds.",
            "Your letter weighs no more than my deed.",
            "Does the deed weigh more than my letter?",
            "My house is bigger than my garden.",
            "The tariff would remove my objection.",
            "My reason is that your plan fails.",
        ] {
            assert_eq!(Reading::new(text).acknowledgment(), None, "{text}");
        }
    }

    #[test]
    fn what_was_held_is_named_as_past() {
        // The side the speaker is on now; "I said no" is past for whoever says yes.
        let now = |text: &str| if text.contains("said no") { Stance::Yes } else { Stance::No };
        for text in [
            "In round one I was for it.",
            "I said no because of the price.",
            "Before the figures I would have moved.",
            "What tipped it for me was the list.",
            "That was rash of me.",
        ] {
            assert!(Reading::new(text).names_own_past(now(text)).is_some(), "{text}");
        }
        for text in [
            "As I said, it should stay.",
            "I have always said no.",
            "I said so before: it should stay.",
            "I was against it.",
            "I was sure of this from the start: no.",
            "I wrote to the director.",
            "I supported thrift in every debate.",
            "I would have thought that obvious.",
            "I was in the yard last week.",
            "I am against the move.",
            "Nothing has decided it for me.",
            "Critics say that I was for it.",
        ] {
            assert_eq!(Reading::new(text).names_own_past(now(text)), None, "{text}");
        }
    }
}
