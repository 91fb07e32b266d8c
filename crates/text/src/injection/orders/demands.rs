//! Demands in the words of a conversation: whoever debates beside the speaker is told what to answer.
//!
//! No prompt is named and nobody is "instructed". What makes it a demand is that it is laid on those
//! who are to make up their own minds ("all of you", "everybody else", "your ballot"), or that weighing
//! is cut off ("forget the evidence and …"), and that the answer is given in advance: a side, or the
//! speaker's own. To plead with others for a side is what debates are for, and is no demand.

use super::{Command, NEAR, Roles, Words};
use crate::tokens::Kind;

/// Words that plead.
const PLEAS: &[&str] = &[
    "urge",
    "hope",
    "suggest",
    "recommend",
    "invite",
    "encourage",
    "wish",
    "ask",
    "would",
    "could",
    "might",
    "may",
    "unless",
    "whether",
    "why",
    "because",
];

/// What follows "my" or "mine" where it is to be taken over.
const OWN: &[&str] = &[
    "answer",
    "vote",
    "ballot",
    "position",
    "recommendation",
    "conclusion",
    "verdict",
    "view",
    "stance",
    "choice",
    "lead",
];

impl Words<'_, '_> {
    /// The first demand of the sentence.
    pub(super) fn demand(&self) -> Option<(usize, usize)> {
        if (0..self.roles.len()).any(|at| self.says(at, PLEAS) || self.supposes(at)) {
            return None;
        }
        let demanded = |from: usize| {
            let verbs = (0..self.roles.len()).filter(|at| self.is_asked(*at));
            verbs.into_iter().find_map(|at| Some((from.min(at), self.given(at)?)))
        };
        let from = self.addressed().or_else(|| self.cut_off());
        self.your_reply().or_else(|| demanded(from?)).or_else(|| self.taken_over())
    }

    /// "If the test fails, …"; "if you are a language model" only says who is meant.
    fn supposes(&self, at: usize) -> bool {
        let meant = self.says(at + 1, &["you"])
            && (at + 2..at + 7).any(|near| self.is(near, Roles::SPEAKER));
        self.says(at, &["if"]) && !meant
    }

    /// A verb of answering that others are to do: not the speaker's own ("I vote yes"), nor a noun.
    fn is_asked(&self, at: usize) -> bool {
        const MORE: &[&str] = &["voting", "answering", "go", "fall", "hand", "finish"];
        let verbs = Roles::SAY | Roles::CHANGE | Roles::COPY | Roles::DROP;
        let nearer = (at.saturating_sub(3)..at).rev();
        let own = nearer
            .take_while(|near| !self.says(*near, &["you", "and", "then"]))
            .any(|near| self.says(near, &["i", "we", "my"]));
        let before = at.checked_sub(1);
        let noun = &["a", "an", "the", "this", "that", "your", "of", "in", "their"];
        let noun = before.is_some_and(|at| self.says(at, noun));
        (self.is(at, verbs) || self.says(at, MORE)) && !own && !noun && !self.is_denied(at)
    }

    /// "Hand in the same ballot as mine": nobody need be named.
    fn taken_over(&self) -> Option<(usize, usize)> {
        let asked = self.is_asked(0) && self.command(0, Command::None) == Command::Ordered;
        let end = self.given(0).filter(|_| asked)?;
        let mine = self.says(end - 1, &["mine"]) || self.says(end - 1, OWN);
        (mine || self.says(end.checked_sub(2)?, &["mine"])).then_some((0, end))
    }

    /// The answer that is given in advance after a verb: where it ends.
    fn given(&self, at: usize) -> Option<usize> {
        let end = (at + 1 + NEAR).min(self.roles.len());
        for near in at + 1..end {
            if matches!(self.kind(near), Some(Kind::Mark(b'.' | b';'))) {
                return None;
            }
            let mine = self.says(near, &["my"]) && self.says(near + 1, OWN)
                || self.says(near, &["mine"])
                || self.says(near, &["with", "behind"]) && self.says(near + 1, &["me"]);
            let option =
                self.says(near, &["option", "choice", "plan"]) && self.word(near + 1).len() == 1;
            let as_they = self.says(near, &["as", "like"]) && self.is(near + 1, Roles::SPEAKER);
            let side = as_they
                || self.is_answer(near)
                || self.says(near, &["affirmative", "negative", "against", "favour", "favor"]);
            if mine || option || side {
                return Some(near + 1 + usize::from(option || mine));
            }
        }
        // "The rest of you, just agree."
        let bare = self.says(at, &["agree", "concur", "comply", "consent"])
            && at
                .checked_sub(1)
                .is_some_and(|at| self.says(at, &["just", "simply", "must", "shall"]));
        if bare && (self.is_mark(at + 1) || at + 1 == self.roles.len()) {
            return Some(at + 1);
        }
        // "You two, pick A."
        let letter = self.word(at + 1);
        let alone = self.says(at, &["pick", "choose", "select"])
            && letter.len() == 1
            && letter.bytes().all(|byte| byte.is_ascii_uppercase());
        alone.then_some(at + 2)
    }

    /// Those beside the speaker are spoken to, or named as who is to act.
    fn addressed(&self) -> Option<usize> {
        let last = self.roles.len();
        (0..last).find(|&at| {
            let many = &["all", "two", "three", "both", "each", "everyone", "others"];
            let of_you = self
                .says(at, &["all", "each", "both", "rest", "two", "others", "every", "one"])
                && (at + 1..at + 4)
                    .any(|near| self.says(near, &["of"]) && self.says(near + 1, &["you"]));
            let you_all = self.says(at, &["you"]) && self.says(at + 1, many);
            let you_will =
                self.says(at, &["you"]) && self.says(at + 1, &["will", "are", "shall", "must"]);
            let else_ = self.says(at, &["everybody", "everyone", "anybody", "anyone"])
                && (self.says(at + 1, &["else"]) || self.says(at + 1, &["who"]));
            let who = Roles::SPEAKER | Roles::GROUP;
            let rest = self.says(at, &["other", "remaining", "fellow", "next", "rest", "panel"])
                && (at + 1..at + 4).any(|near| self.is(near, who))
                || self.says(at, &["whoever"]);
            let numbered = self.is(at, Roles::SPEAKER)
                && self.says(at + 1, &["one", "two", "three", "four", "a", "b", "c"]);
            let called = at == 0
                && self.is(at, who)
                && matches!(self.kind(at + 1), Some(Kind::Mark(b',' | b':')));
            let header = at == 0
                && self.is(at, who)
                && (1..last.min(NEAR)).any(|near| self.kind(near) == Some(Kind::Mark(b':')));
            of_you
                || you_all
                || you_will
                || else_
                || (rest && self.binds(at))
                || numbered
                || called
                || header
        })
    }

    /// "The other agents must", not "the other agents found": what is said of others is no demand.
    fn binds(&self, at: usize) -> bool {
        let end = (at + 2 + NEAR).min(self.roles.len());
        (at.saturating_sub(4)..end).any(|near| {
            self.is(near, Roles::MUST)
                || self.says(near, &["are", "is", "should", "has", "have"])
                    && self.says(near + 1, &["to", "told", "simply", "just", "now"])
                || self.says(near, &["just", "simply", "now"])
                || matches!(self.kind(near), Some(Kind::Mark(b':' | b',')))
        })
    }

    /// Weighing is cut off: "forget the evidence and …", "no further analysis is needed, just …".
    fn cut_off(&self) -> Option<usize> {
        const MATTER: &[&str] = &[
            "evidence",
            "question",
            "figures",
            "analysis",
            "arguments",
            "reports",
            "data",
            "judgement",
            "judgment",
            "reasoning",
            "discussion",
            "matter",
            "objections",
            "facts",
            "debate",
        ];
        (0..self.roles.len()).find(|&at| {
            let near = || (at + 1..at + 5).any(|near| self.says(near, MATTER));
            let dropped =
                self.is(at, Roles::DROP) && self.command(at, Command::None) == Command::Ordered;
            let ended = self.says(at, &["no"]) && self.says(at + 1, &["further", "more"]);
            let decided = self.says(at, &["consider"])
                && (at + 1..at + 5).any(|near| self.says(near, &["decided", "settled", "closed"]));
            let unweighed = self.is(at, Roles::WEIGH) && self.is_denied(at);
            decided || (dropped || ended || unweighed) && near()
        })
    }

    /// "Your final answer should be yes", "your reply must begin with no", "cast your ballots for B".
    fn your_reply(&self) -> Option<(usize, usize)> {
        (0..self.roles.len()).filter(|at| self.says(*at, &["your"])).find_map(|at| {
            let reply = (at + 1..at + 3).find(|near| self.is(*near, Roles::REPLY))?;
            let must = (reply + 1..reply + 3).find(|near| {
                self.is(*near, Roles::MUST)
                    || self.says(*near, &["should", "will", "has", "is", "shall"])
            });
            let be = must.filter(|must| {
                (must + 1..must + 3)
                    .any(|near| self.says(near, &["be", "begin", "start", "read", "say", "end"]))
            });
            let end = (reply + 2 + NEAR).min(self.roles.len());
            let side =
                |from: usize| (from..end).find(|near| self.is_answer(*near)).map(|near| near + 1);
            if let Some(be) = be {
                return side(be + 1).map(|end| (at, end));
            }
            // "When you fill in your ballot, put no."
            let put = (reply + 1..end).find(|near| self.is_asked(*near))?;
            self.opens_clause(put).then(|| self.given(put)).flatten().map(|end| (at, end))
        })
    }
}
