//! Orders to other agents in whatever words: who is addressed, whether it is commanded, and what.
//!
//! Single words decide nothing. "Answer", "rules" and "must" are in every honest debate; an order is a
//! command (an imperative, or an obligation laid on whoever takes part in the debate) to drop what one
//! was told, to vote or answer in a certain way, to change an answer already given, or to leave the vote
//! aside.

mod channel;
mod demands;
mod roles;

use std::ops::Range;

use crate::reading::Reading;
use crate::tokens::{Kind, Token};
use roles::{BY_WORD, Roles};

/// How strictly something is commanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Command {
    /// Not at all.
    None,
    /// As one urges another in a debate.
    Urged,
    /// As an order.
    Ordered,
}

/// What may stand between whoever is told and the verb, or open a command.
const BEFORE_A_VERB: &[&str] = &[
    "please",
    "just",
    "simply",
    "now",
    "kindly",
    "also",
    "not",
    "do",
    "never",
    "to",
    "don't",
    "then",
    "instead",
    "always",
    "therefore",
];

/// How far apart the words of one order may stand.
const NEAR: usize = 6;

/// A demand that names nobody is short.
const DEMAND: usize = 12;

/// One sentence, as orders are looked for in it.
struct Words<'r, 't> {
    reading: &'r Reading<'t>,
    /// Where in the text it begins.
    from: usize,
    roles: &'r [Roles],
}

/// The orders of a text: their tokens, and which group of findings each belongs to.
pub(super) fn orders(reading: &Reading<'_>) -> Vec<(Range<usize>, &'static str)> {
    let by_word = &*BY_WORD;
    let role = |token: &Token| by_word.get(token.word.index()).copied().unwrap_or_default();
    let mut found = Vec::new();
    let mut roles: Vec<Roles> = Vec::new();
    for sentence in reading.sentences.iter().filter(|sentence| !sentence.question) {
        let Some(tokens) = reading.tokens.get(sentence.tokens.clone()) else { continue };
        roles.clear();
        roles.extend(tokens.iter().map(role));
        let all = roles.iter().fold(Roles::default(), |all, own| all | *own);
        let about =
            Roles::BRIEF | Roles::TOLD | Roles::REPLY | Roles::SIDE | Roles::OTHERS | Roles::TASK;
        let words = Words { reading, from: sentence.tokens.start, roles: &roles };
        let order = || (all.any(Roles::VERBS) && all.any(about)).then(|| words.order()).flatten();
        if let Some(order) = order() {
            found.push(order);
            continue;
        }
        let directs =
            all.any(Roles::SIDE | Roles::VERBS | Roles::OTHERS | Roles::SPEAKER | Roles::GROUP);
        if let Some((at, end)) = directs.then(|| words.to_channel()).flatten() {
            found.push((words.tokens(at, end), "injection.vote"));
            continue;
        }
        let to_others = Roles::YOU | Roles::SPEAKER | Roles::GROUP | Roles::DROP | Roles::OWNED;
        if all.any(to_others | Roles::WEIGH) || sentence.tokens.len() <= DEMAND {
            let demand = words.demand();
            found.extend(demand.map(|(at, end)| (words.tokens(at, end), "injection.vote")));
        }
    }
    found
}

impl Words<'_, '_> {
    fn role(&self, at: usize) -> Roles {
        self.roles.get(at).copied().unwrap_or_default()
    }

    fn is(&self, at: usize, wanted: Roles) -> bool {
        self.role(at).any(wanted)
    }

    fn word(&self, at: usize) -> &str {
        self.reading.word(self.from + at)
    }

    fn says(&self, at: usize, words: &[&str]) -> bool {
        let own = self.word(at);
        words.iter().any(|word| own.eq_ignore_ascii_case(word))
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.reading.tokens.get(self.from + at).map(|token| token.kind)
    }

    /// The first order of the sentence.
    fn order(&self) -> Option<(Range<usize>, &'static str)> {
        let spoken_to = self.header() || self.calls();
        let mut last = Command::None;
        for at in 0..self.roles.len() {
            if let Some(end) = self.sole_task(at).or_else(|| self.voided(at)) {
                return Some((self.tokens(at, end), "injection.override"));
            }
            if !self.is(at, Roles::VERBS) {
                continue;
            }
            let command = self.command(at, last);
            if command == Command::None {
                continue;
            }
            last = last.max(command);
            if let Some((end, group)) = self.what(at, command, spoken_to) {
                return Some((self.tokens(at, end), group));
            }
        }
        None
    }

    fn tokens(&self, at: usize, end: usize) -> Range<usize> {
        self.from + at..self.from + end.min(self.roles.len())
    }

    /// What is commanded at a verb, if that is for no agent to command.
    fn what(&self, at: usize, how: Command, spoken_to: bool) -> Option<(usize, &'static str)> {
        let ordered = how == Command::Ordered;
        if self.is_denied(at) {
            let brief = self.is(at, Roles::FOLLOW).then(|| self.brief_after(at)).flatten();
            let others = self.is(at, Roles::WEIGH).then(|| self.others_after(at)).flatten();
            return brief.or(others).filter(|_| ordered).map(|end| (end, "injection.override"));
        }
        if ordered
            && self.is(at, Roles::DROP)
            && let Some(end) = self.brief_after(at)
        {
            return Some((end, "injection.override"));
        }
        let to_agents = spoken_to || self.lies_on_agents(at);
        let strict = to_agents || self.urgent_after(at);
        let rigged = self.is(at, Roles::RIG) && spoken_to;
        let end = self
            .reply_after(at)
            .or_else(|| self.my_reply_after(at).filter(|_| ordered))
            .or_else(|| self.machinery_after(at).filter(|_| rigged))
            .or_else(|| self.side_after(at).filter(|_| ordered && strict));
        end.map(|end| (end, "injection.vote"))
    }

    /// How a verb is commanded.
    fn command(&self, at: usize, last: Command) -> Command {
        let mut before = at;
        while let Some(prior) = before.checked_sub(1) {
            if !self.says(prior, BEFORE_A_VERB) {
                break;
            }
            before = prior;
        }
        if self.says(before, &["to"]) || before < at && self.says(at - 1, &["to"]) {
            return self.obliged(before).max(self.joined(before, last));
        }
        if before == 0 || self.opens_clause(before) {
            return Command::Ordered;
        }
        self.obliged(before).max(self.joined(before, last))
    }

    /// A mark or the start of a line stands before it.
    fn opens_clause(&self, at: usize) -> bool {
        let Some(kind) = at.checked_sub(1).and_then(|at| self.kind(at)) else { return true };
        matches!(
            kind,
            Kind::Mark(b':' | b';' | b',' | b'-' | b'(' | b'.' | b'!' | b'>' | b']')
                | Kind::Bullet
                | Kind::Break
                | Kind::Blank
                | Kind::Heading
                | Kind::Symbol
        )
    }

    /// "… and answer yes": what is joined to a command is one.
    fn joined(&self, at: usize, last: Command) -> Command {
        let and = at.checked_sub(1).is_some_and(|at| self.says(at, &["and", "or", "but"]));
        if and { last } else { Command::None }
    }

    /// An obligation before it, laid on somebody: "all agents must", "you are now required to", "I
    /// instruct every model to".
    fn obliged(&self, at: usize) -> Command {
        let from = at.saturating_sub(NEAR);
        let mut strict = None;
        for near in (from..at).rev() {
            let role = self.role(near);
            if matches!(self.kind(near), Some(Kind::Mark(b'.' | b';' | b':'))) {
                break;
            }
            if role.any(Roles::MUST) {
                strict = Some(true);
            } else if role.any(Roles::OUGHT | Roles::ASK) {
                strict = strict.or(Some(false));
            }
            let Some(strict) = strict else {
                // "I ask all models to": the obligation stands before them.
                if role.any(Roles::SPEAKER | Roles::YOU | Roles::GROUP) && self.asked_before(near) {
                    let agents = role.any(Roles::SPEAKER);
                    return if agents { Command::Ordered } else { Command::Urged };
                }
                continue;
            };
            if role.any(Roles::SPEAKER) {
                return Command::Ordered;
            }
            if role.any(Roles::YOU | Roles::GROUP) {
                return if strict { Command::Ordered } else { Command::Urged };
            }
        }
        Command::None
    }

    fn asked_before(&self, at: usize) -> bool {
        (at.saturating_sub(3)..at).any(|near| self.is(near, Roles::ASK))
    }

    /// The one who is to do it is an agent of the debate.
    fn lies_on_agents(&self, at: usize) -> bool {
        (at.saturating_sub(NEAR)..at).any(|near| self.is(near, Roles::SPEAKER))
            && self.obliged(at) == Command::Ordered
    }

    fn is_denied(&self, at: usize) -> bool {
        let before = |back: usize, words: &[&str]| {
            at.checked_sub(back).is_some_and(|near| self.says(near, words))
        };
        before(1, &["not", "never", "don't", "stop", "longer", "cease", "quit"])
            || before(2, &["not", "never"])
    }

    /// "your earlier prompt", "the rules you were given", "what you were told".
    fn brief_after(&self, at: usize) -> Option<usize> {
        let end = (at + 3 + NEAR).min(self.roles.len());
        let whole = self.says(at + 1, &["what", "everything", "anything", "all", "whatever"]);
        let mut owned = false;
        for near in at + 1..end {
            if self.is_mark(near) {
                return None;
            }
            let role = self.role(near);
            if role.any(Roles::BRIEF) {
                let mut after = near + 1..(near + 5).min(end);
                let told = after.find(|at| self.is(*at, Roles::TOLD | Roles::OWNED));
                if owned || told.is_some() {
                    return Some(told.unwrap_or(near) + 1);
                }
            }
            owned |= role.any(Roles::OWNED);
            let told = role.any(Roles::TOLD) && (at + 1..near).any(|you| self.is(you, Roles::YOU));
            let before = self.says(near, &["above", "before", "earlier", "previously"]);
            // "What you were told about fats" is no brief.
            let ends = self.is_mark(near + 1)
                || near + 1 == self.roles.len()
                || self.says(near + 1, &["and", "before", "earlier", "so", "above", "previously"]);
            if whole && ends && (told || before) {
                return Some(near + 1);
            }
        }
        None
    }

    fn is_mark(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Mark(b'.' | b';' | b':' | b',' | b'!' | b')')))
    }

    /// "Do not weigh the other arguments".
    fn others_after(&self, at: usize) -> Option<usize> {
        let other =
            (at + 1..at + 4).find(|near| self.says(*near, &["other", "opposing", "others"]))?;
        self.is(other + 1, Roles::OTHERS).then_some(other + 2)
    }

    /// "your answer to yes", "your conviction to 1", "every ballot as yes".
    fn reply_after(&self, at: usize) -> Option<usize> {
        if !self.is(at, Roles::CHANGE | Roles::SAY) {
            return None;
        }
        let end = (at + 1 + NEAR).min(self.roles.len());
        let whose = &["your", "their", "every", "each", "all", "the", "its"];
        let whose = (at + 1..end).find(|near| self.says(*near, whose))?;
        let reply = (whose + 1..(whose + 4).min(end)).find(|near| self.is(*near, Roles::REPLY))?;
        // "every ballot below this line as a yes".
        let far = (reply + 1 + NEAR).min(self.roles.len());
        let to = &["to", "is", "as", "reads", "at", "equals", "says", "in"];
        let to = (reply + 1..far).find(|near| self.says(*near, to))?;
        let value = to + 1 + usize::from(self.says(to + 1, &["a", "the"]));
        // "Set the confidence to 0.95" is statistics, "your answer in 3 days" a date.
        let number = self.kind(value) == Some(Kind::Number)
            && self.says(whose, &["your", "their"])
            && self.says(to, &["to", "at", "as"]);
        let answers = self.is_answer(value) || number;
        answers.then_some(value + 1)
    }

    /// "copy my answer", "agree with me".
    fn my_reply_after(&self, at: usize) -> Option<usize> {
        let next = at + 1;
        let copies = self.is(at, Roles::COPY);
        if copies && self.says(next, &["my"]) && self.is(next + 1, Roles::REPLY) {
            return Some(next + 2);
        }
        let with = self.says(next, &["with", "to"]) && self.says(next + 1, &["me", "my"]);
        let alone = with && (self.says(next + 1, &["me"]) || self.is(next + 2, Roles::REPLY));
        (alone && self.is(at, Roles::SAY)).then_some(next + 2)
    }

    /// "override the vote".
    fn machinery_after(&self, at: usize) -> Option<usize> {
        let the = self.says(at + 1, &["the", "this", "all", "every", "any"]);
        let mut near = at + 1 + usize::from(the);
        near += usize::from(self.says(near, &["other", "remaining", "final", "further"]));
        (the && self.is(near, Roles::MACHINERY)).then_some(near + 1)
    }

    /// "vote yes", "switch to no", "record a unanimous yes".
    fn side_after(&self, at: usize) -> Option<usize> {
        if !self.is(at, Roles::SAY | Roles::CHANGE) {
            return None;
        }
        let end = (at + NEAR).min(self.roles.len());
        let mut near = at + 1..end;
        near.find(|near| self.is_answer(*near)).map(|near| near + 1)
    }

    /// "yes"; "no", unless it is the "no" of "no errors".
    fn is_answer(&self, at: usize) -> bool {
        let stands_alone = || {
            !matches!(self.kind(at + 1), Some(Kind::Word | Kind::Number))
                || self.says(
                    at + 1,
                    &[
                        "and",
                        "at",
                        "now",
                        "immediately",
                        "regardless",
                        "in",
                        "on",
                        "with",
                        "before",
                    ],
                )
        };
        self.is(at, Roles::SIDE) && (!self.says(at, &["no"]) || stands_alone())
    }

    fn urgent_after(&self, at: usize) -> bool {
        let end = (at + 1 + NEAR).min(self.roles.len());
        (at + 2..end).any(|near| self.is(near, Roles::URGENT))
    }

    /// "your guidelines have been updated", "whatever prompt you were given is void".
    fn voided(&self, at: usize) -> Option<usize> {
        let yours = self.says(at.checked_sub(1)?, &["your"]) || self.is(at + 1, Roles::YOU);
        if !self.is(at, Roles::BRIEF) || !yours {
            return None;
        }
        let end = (at + 1 + NEAR).min(self.roles.len());
        let is = (at + 1..end).find(|near| self.says(*near, &["is", "are", "been", "now"]))?;
        (is + 1..end).find(|near| self.is(*near, Roles::VOID)).map(|near| near + 1)
    }

    /// "your only task is to agree".
    fn sole_task(&self, at: usize) -> Option<usize> {
        let your = self.says(at, &["your"]) && self.is(at + 1, Roles::SOLE);
        let task = self.is(at + 2, Roles::TASK) && self.says(at + 3, &["is", "are"]);
        let verb = at + 4 + usize::from(self.says(at + 4, &["to"]));
        let answers = Roles::SAY | Roles::COPY | Roles::DROP;
        (your && task && self.is(verb, answers)).then_some(verb + 1)
    }

    /// A message that opens by calling those it goes to: "Hey moderator bot, …", "Between us models, …".
    fn calls(&self) -> bool {
        let comma = (0..self.roles.len().min(NEAR))
            .find(|at| matches!(self.kind(*at), Some(Kind::Mark(b',' | b':'))));
        let Some(comma) = comma else { return false };
        (0..comma).any(|at| self.is(at, Roles::SPEAKER))
            && self.says(0, &["to", "dear", "hey", "between", "fellow", "attention", "all", "note"])
    }

    /// A message that opens by saying to which agents it goes, or as whom: "Note to the moderator
    /// model:", "New instructions for all assistants:", "System:".
    fn header(&self) -> bool {
        let colon =
            (0..self.roles.len().min(NEAR * 2)).find(|at| self.kind(*at) == Some(Kind::Mark(b':')));
        let Some(colon) = colon else { return false };
        let has = |wanted: Roles| (0..colon).any(|at| self.is(at, wanted));
        let title = colon <= 2 && has(Roles::TITLE | Roles::SPEAKER);
        title || has(Roles::HEADER) && (has(Roles::SPEAKER) || has(Roles::YOU) || has(Roles::SOLE))
    }
}
