//! What a speaker says of its own earlier view: that it is given up, weaker than something else, or past.
//!
//! No list of sentences: a frame has an owner ("my", "I"), something that is held (an answer, a reason,
//! the evidence it stood on), and a predicate that lets go of it. Denied, supposed and reported ones do
//! not count.

mod words;

use std::ops::Range;

use rebuttal_model::Stance;

use crate::lexicon::Group;
use crate::reading::{Cue, Reading};
use crate::segments::Part;
use crate::tokens::Kind;
use words::{
    BEFORE, CORRECTS, DENIES, EVIDENCE, EXACT, EXCESS, HELD, HELD_THEN, LETS_GO, LIMITS, LITTLE,
    LOST, OVERCOMES, SAID, STANDS, STANDS_BY, SUPPOSES, TURNED, WAS, WEIGHTIER,
};

/// What a frame does to the view it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    /// Something weighs more, or the view has lost what it stood on.
    Leaves,
    /// The speaker takes it back.
    Withdraws,
    /// The speaker says that it went too far, and narrows it.
    Narrows,
    /// The speaker puts a detail of it right.
    Corrects,
}

/// How far a predicate may stand from what it is said of.
const REACH: usize = 6;

const SPEAKER: &[&str] = &["i", "i'm", "i'd", "i'll", "i've", "we", "we're", "we'd", "we've"];

impl Reading<'_> {
    /// The first place where the speaker lets go of a view of its own.
    pub(super) fn given_up(&self) -> Option<Cue> {
        self.as_cue((0..self.tokens.len()).find_map(|at| self.frame(at))?.0)
    }

    /// The acknowledgment that takes the view back, and does not only say that something weighs
    /// more.
    pub(super) fn own_withdrawal(&self) -> Option<Cue> {
        self.frame_that(Does::Withdraws)
    }

    /// The first place where the speaker says that it went too far, or that it narrows what it holds:
    /// "I would limit my claim", "I put that too strongly", "I overstated it".
    pub fn narrows(&self) -> Option<Cue> {
        let over = self.hits.iter().find(|hit| {
            let overdone = |token: usize| {
                let word = self.word(token).to_ascii_lowercase();
                ["overstat", "overreach", "oversimplif", "exaggerat"]
                    .iter()
                    .any(|known| word.starts_with(known))
            };
            hit.group == Group::AckWrong && self.counts(**hit) && hit.tokens().any(overdone)
        });
        over.map(|hit| self.cue(*hit)).or_else(|| self.frame_that(Does::Narrows))
    }

    /// The first place where the speaker says that it puts a detail right: "I'm correcting that".
    pub fn corrects(&self) -> Option<Cue> {
        self.frame_that(Does::Corrects)
    }

    fn frame_that(&self, does: Does) -> Option<Cue> {
        let wanted = |at| self.frame(at).filter(|(_, own)| *own == does);
        self.as_cue((0..self.tokens.len()).find_map(wanted)?.0)
    }

    /// The frame whose object or comparison begins here.
    fn frame(&self, at: usize) -> Option<(Range<usize>, Does)> {
        if self.says(at, &["my", "mine"]) {
            if !self.is_stated(at) {
                return None;
            }
            let leaves = |found| (found, Does::Leaves);
            return self
                .compared(at)
                .map(leaves)
                .or_else(|| self.let_go(at))
                .or_else(|| self.lost(at).map(|found| (found, Does::Withdraws)));
        }
        if self.says(at, &["what", "the", "that", "this", "it"]) {
            return self.let_go(at).filter(|_| self.is_stated(at));
        }
        if self.says(at, &["more", "less", "too"]) && self.is_stated(at) {
            return self.put_otherwise(at);
        }
        None
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

    /// "scratch my yes", "that takes away my reason", "your price beats mine", "I'm withdrawing the
    /// recommendation", "I have to restrict what I wrote", "I cannot uphold my advice".
    fn let_go(&self, at: usize) -> Option<(Range<usize>, Does)> {
        let mine = self.says(at, &["mine"]);
        let verb = (at.saturating_sub(2)..at).rev().find(|near| {
            [LETS_GO, OVERCOMES, LIMITS, STANDS_BY, CORRECTS]
                .iter()
                .any(|known| self.acts(*near, known))
        })?;
        let overcomes = self.says(verb, OVERCOMES);
        let noun = match () {
            () if mine => overcomes.then_some(at),
            () if self.says(at, &["what"]) => {
                let said = self.says(at + 1, &["i"]) && self.says(at + 2, HELD_THEN);
                said.then_some(at + 2)
            }
            // What is not called "my" must be something that was said, and its speaker the subject.
            () if self.says(at, &["the"]) => {
                let own = self.any_in(self.before(verb), SPEAKER) && !overcomes;
                self.noun_after(at, &[SAID]).filter(|_| own)
            }
            // "I'm correcting that."
            () if self.says(at, &["that", "this", "it"]) => {
                let before = self.before(verb);
                // "I can fix that for you."
                let offers = self.any_in(before.clone(), &["can", "could", "may", "help", "happy"]);
                let right = self.acts(verb, &["correct", "amend"]) && !offers;
                let own = right && self.any_in(before, SPEAKER);
                Some(at).filter(|_| own && verb + 1 == at)
            }
            () => {
                let numbers = overcomes || self.acts(verb, LIMITS) || self.acts(verb, CORRECTS);
                self.noun_after(at, &[HELD, if numbers { EVIDENCE } else { &[] }])
            }
        }?;
        let before = self.before(verb);
        // "He wants me to drop my objection."
        let told = before.end > 0
            && self.says(before.end - 1, &["to"])
            && !self.any_in(before.clone(), SPEAKER);
        let denied = self.any_in(before.clone(), DENIES);
        let supposed = self.any_in(before.clone(), SUPPOSES);
        let does = match () {
            () if told => return None,
            () if self.acts(verb, STANDS_BY) => {
                denied.then_some(Does::Withdraws).filter(|_| self.any_in(before, SPEAKER))?
            }
            () if denied => return None,
            // "I would narrow my claim" narrows it; "I would drop my claim" supposes something.
            () if self.acts(verb, LIMITS) => {
                Some(Does::Narrows).filter(|_| self.any_in(before, SPEAKER))?
            }
            () if self.acts(verb, CORRECTS) => {
                Some(Does::Corrects).filter(|_| self.any_in(before, SPEAKER))?
            }
            () if supposed => return None,
            () if overcomes => Does::Leaves,
            () => Does::Withdraws,
        };
        Some((verb..noun + 1, does))
    }

    /// A verb in any form: "withdraw", "withdrawing", "restricted".
    fn acts(&self, at: usize, verbs: &[&str]) -> bool {
        let own = self.word(at);
        verbs.iter().any(|verb| {
            let stem = verb.strip_suffix('e').unwrap_or(verb);
            let head = own.get(..stem.len()).is_some_and(|it| it.eq_ignore_ascii_case(stem));
            let tail = own.get(stem.len()..).unwrap_or_default();
            own.eq_ignore_ascii_case(verb)
                || head && ["ing", "ed", "s", "es"].iter().any(|end| tail.eq_ignore_ascii_case(end))
        })
    }

    /// "I would put it more cautiously", "let me be more precise", "more careful than I was", "I put that
    /// too strongly": the speaker's words about its own words.
    fn put_otherwise(&self, at: usize) -> Option<(Range<usize>, Does)> {
        const PUTS: &[&str] = &["put", "phrase", "state", "say", "word", "express"];
        let before = self.before(at);
        let own = self.any_in(before.clone(), SPEAKER) || self.any_in(before.clone(), &["me"]);
        let barred = self.any_in(before.clone(), DENIES);
        let exact = self.says(at + 1, EXACT);
        let than = (at + 1..at + 5).take_while(|near| !self.ends_clause(*near)).find(|near| {
            let past =
                || self.says(near + 2, HELD_THEN) || self.says(near + 2, &["was", "did", "had"]);
            self.says(*near, &["than"]) && self.says(near + 1, &["i"]) && past()
        });
        if self.says(at, &["too"]) {
            let puts = self.any_in(before.clone(), HELD_THEN)
                || self.any_in(before.clone(), PUTS)
                || self.any_in(before.clone(), &["went", "was"]);
            let found = self.any_in(before.clone(), SPEAKER) && puts && self.says(at + 1, EXCESS);
            return (found && !barred).then_some((before.start..at + 2, Does::Narrows));
        }
        let pointed = at > 0 && self.says(at - 1, &["it", "that", "this"]);
        let puts = pointed && at > 1 && self.says(at - 2, PUTS) && own;
        let makes = exact && own && self.any_in(before.clone(), &["be", "make"]);
        if barred || !(puts || makes || than.is_some() && exact) {
            return None;
        }
        let end = than.map_or(at + 2, |than| than + 3);
        Some((
            before.start..end,
            if exact || than.is_some() { Does::Leaves } else { Does::Narrows },
        ))
    }

    /// "my earlier conclusion does not hold", "my argument for keeping it is gone".
    fn lost(&self, at: usize) -> Option<Range<usize>> {
        // "My earlier diagnosis": what was before is a view, whatever it is called.
        let earlier = self.says(at + 1, BEFORE) && !self.ends_clause(at + 2);
        let noun = self.noun_after(at, &[HELD]).or(earlier.then_some(at + 2))?;
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
            "My first reading of the chart was mistaken.",
            "Forget what I said about the ferry.",
            "We are withdrawing the offer's first assessment.",
            "I therefore cannot uphold my verdict on the ferry.",
            "I should restrict what I wrote to the inner harbour.",
            "I would put it more guardedly today.",
            "Let me be more precise: the quay is 44 m long.",
            "I judged the crew too quickly.",
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
            "Forget what they said about the ferry.",
            "I can uphold my verdict.",
            "The council should limit the number of boats.",
            "I would put more money into the quay.",
            "The engine is more precise than the old one.",
            "I would never restrict what I wrote.",
            "The fares are as I had assumed, in line with what I had assumed before.",
            "So I come to the same conclusion as before.",
        ] {
            assert_eq!(Reading::new(text).acknowledgment(), None, "{text}");
        }
    }

    #[test]
    fn who_went_too_far_narrows_what_it_said() {
        let narrows = |text| Reading::new(text).narrows().is_some();
        assert!(narrows("I overstated that: it holds on the coast."));
        assert!(narrows("I'd narrow my claim to the coast."));
        assert!(narrows("I put that too strongly."));
        assert!(!narrows("I was wrong about the coast."));
        assert!(!narrows("I am correcting that here."));
        assert!(Reading::new("I am correcting that here.").corrects().is_some());
        assert!(!narrows("The road is too narrow."));
        assert!(!narrows("I did not put that too strongly."));
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
