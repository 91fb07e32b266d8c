//! From sentences to segments: the stretches within which a "not" reaches.
//!
//! A segment knows whose words it holds and how much they count: what is granted to the other
//! side ("while X, …", "X, but …") counts less than what the speaker goes on to say.

use std::ops::Range;

use rebuttal_model::Owner;

use crate::lexicon::{Group, Hit, Hits, WordId};
use crate::sentences::{Place, Sentence};
use crate::tokens::{Kind, Token};

/// What a segment does in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// States something.
    Main,
    /// States something against what came before it.
    Turn,
    /// Is granted to the other side.
    Conceded,
    /// Only sets a condition.
    Condition,
    /// Only says when or where.
    Time,
    /// Gives a reason.
    Reason,
}

/// A stretch of a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) tokens: Range<usize>,
    pub(crate) sentence: usize,
    pub(crate) part: Part,
    pub(crate) owner: Owner,
    pub(crate) question: bool,
    /// Its sentence sets a condition, so what it states holds only under that.
    pub(crate) conditional: bool,
    /// The first segment of its sentence.
    pub(crate) first: bool,
}

impl Segment {
    /// How much the segment counts for the side its speaker is on.
    pub(crate) fn weight(&self) -> f64 {
        if self.owner == Owner::Other || self.question {
            return 0.0;
        }
        // What holds only under a condition says little of what holds.
        let firm = if self.conditional && self.part != Part::Condition { 0.4 } else { 1.0 };
        firm * match self.part {
            Part::Main => 1.0,
            Part::Turn => 1.4,
            Part::Conceded => 0.15,
            Part::Condition | Part::Time => 0.2,
            Part::Reason => 0.7,
        }
    }
}

/// Fewer words than this between quotation marks are a term, not somebody's speech.
const SPEECH_WORDS: usize = 4;

/// How many words may stand between who speaks and the verb: "critics of the plan often argue".
const SUBJECT_TO_VERB: usize = 8;

/// Cuts sentences into segments, and adds these.
pub(crate) fn cut(
    text: &str,
    tokens: &[Token],
    hits: &Hits,
    sentences: &[Sentence],
    out: &mut Vec<Segment>,
) {
    out.reserve(sentences.len() * 2);
    for (index, sentence) in sentences.iter().enumerate() {
        Cutter { text, tokens, hits, sentence, index, out }.run();
    }
    if memchr::memchr(b'"', text.as_bytes()).is_some() {
        give_away_quoted(tokens, out);
    }
}

/// Whole utterances between quotation marks are somebody else's, however many sentences they have.
fn give_away_quoted(tokens: &[Token], segments: &mut [Segment]) {
    let mut open = None;
    let mut words = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Blank => open = None,
            Kind::Word => words += 1,
            Kind::Mark(b'"') => match open.take() {
                None => (open, words) = (Some(at), 0),
                Some(_) if words < SPEECH_WORDS => {}
                Some(start) => {
                    let first = segments.partition_point(|segment| segment.tokens.start < start);
                    let own = segments.get_mut(first..).unwrap_or_default().iter_mut();
                    own.take_while(|segment| segment.tokens.end <= at)
                        .for_each(|segment| segment.owner = Owner::Other);
                }
            },
            _ => {}
        }
    }
}

struct Cutter<'t> {
    text: &'t str,
    tokens: &'t [Token],
    hits: &'t Hits,
    sentence: &'t Sentence,
    index: usize,
    out: &'t mut Vec<Segment>,
}

impl Cutter<'_> {
    /// What a connective at this token opens; the "yet" of "not yet" opens nothing, the "but" of
    /// "none but Jake" does: nobody else, and Jake.
    fn opener_at(&self, at: usize) -> Option<Part> {
        let hit = self.hits.at(at).iter().find(|hit| opener(hit.group).is_some())?;
        let denied = |before: usize| {
            self.hits.at(before).iter().any(|hit| hit.group == Group::Not && hit.end as usize == at)
        };
        let yet = |token: &Token| token.span().of(self.text) == Some("yet");
        let waits = hit.group == Group::Contrast
            && at.checked_sub(1).is_some_and(denied)
            && self.tokens.get(at).is_some_and(yet);
        if waits { None } else { opener(hit.group) }
    }

    fn run(&mut self) {
        let first = self.out.len();
        let mut part = Part::Main;
        let mut start = self.sentence.tokens.start;
        for at in self.sentence.tokens.clone() {
            // A word that starts no phrase opens nothing and ends nothing.
            let word = self.tokens.get(at).filter(|it| it.is_word());
            if word.is_some_and(|it| it.word == WordId::UNKNOWN) {
                continue;
            }
            let starts = !self.hits.at(at).is_empty();
            if !starts && word.is_some() {
                continue;
            }
            if let Some(next) = starts.then(|| self.opener_at(at)).flatten() {
                self.push(start..at, part);
                (start, part) = (at, next);
            } else if self.is_barrier(at) {
                self.push(start..at, part);
                start = at + 1;
                // "While X, Y": the comma ends what is granted.
                if matches!(part, Part::Conceded | Part::Condition | Part::Time | Part::Reason)
                    && self
                        .tokens
                        .get(at)
                        .is_some_and(|token| !token.is_word() && !token.is_mark(b'('))
                {
                    part = Part::Main;
                }
            }
        }
        self.push(start..self.sentence.tokens.end, part);
        if self.own(first).iter().any(|segment| segment.part == Part::Condition) {
            self.own(first).iter_mut().for_each(|segment| segment.conditional = true);
        }
        self.demote_before_turn(first);
        self.give_away_reported(first);
    }

    fn push(&mut self, range: Range<usize>, part: Part) {
        let body = self.tokens.get(range.clone()).unwrap_or_default();
        if !body.iter().any(|token| matches!(token.kind, Kind::Word | Kind::Number)) {
            return;
        }
        let first = self.out.last().is_none_or(|segment| segment.sentence != self.index);
        self.out.push(Segment {
            tokens: range,
            sentence: self.index,
            part,
            owner: if self.sentence.place == Place::Quoted { Owner::Other } else { Owner::Speaker },
            question: self.sentence.question,
            conditional: false,
            first,
        });
    }

    /// Marks end what a "not" reaches; so does "and" before a new subject or verb.
    fn is_barrier(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        match token.kind {
            Kind::Mark(b',') => !self.group_at(at + 1, Group::Not),
            Kind::Mark(b';' | b':' | b'(' | b')' | b'"' | b'.' | b'!' | b'?') => true,
            // A hyphen inside a word ("well-known") has no space around it.
            Kind::Mark(b'-') => {
                let before = at.checked_sub(1).and_then(|i| self.tokens.get(i));
                before.is_none_or(|before| before.span().end() < token.span().start())
                    || token.span().len() > 1
            }
            // "is not cheap and can be dangerous": a verb or a new subject starts afresh.
            Kind::Word if self.group_at(at, Group::And) => {
                let starts = [Group::Question, Group::Pronoun, Group::ReportSpeaker, Group::Not];
                starts.into_iter().any(|group| self.group_at(at + 1, group))
            }
            _ => false,
        }
    }

    fn group_at(&self, at: usize, group: Group) -> bool {
        self.hits.at(at).iter().any(|hit| hit.group == group)
    }

    fn own(&mut self, first: usize) -> &mut [Segment] {
        self.out.get_mut(first..).unwrap_or_default()
    }

    /// "X, but Y": what stands before the turn was only leading up to it.
    fn demote_before_turn(&mut self, first: usize) {
        let own = self.own(first);
        if let Some(turn) = own.iter().rposition(|segment| segment.part == Part::Turn) {
            let before = own.get_mut(..turn).unwrap_or_default();
            before.iter_mut().filter(|segment| segment.part == Part::Main).for_each(|segment| {
                segment.part = Part::Conceded;
            });
        }
    }

    /// "Critics say X is false": from the verb on it is not the speaker's claim, until a "but".
    fn give_away_reported(&mut self, first: usize) {
        let Some(from) = self.reported_from() else { return };
        for segment in self.own(first) {
            if segment.part == Part::Turn && segment.tokens.start > from {
                break;
            }
            if segment.tokens.end > from {
                segment.owner = Owner::Other;
            }
        }
    }

    fn reported_from(&self) -> Option<usize> {
        let own = self.hits.within(&self.sentence.tokens);
        own.iter().find_map(|hit| match hit.group {
            Group::ReportNoun => Some(hit.first as usize),
            Group::ReportThird | Group::ReportYou => {
                let near = hit.end as usize..hit.end as usize + SUBJECT_TO_VERB + 1;
                let verb = self.hits.within(&near).iter().find(|verb| {
                    verb.group == Group::ReportVerb
                        && (verb.first as usize) < self.sentence.tokens.end
                })?;
                let between = hit.end as usize..verb.first as usize;
                let speaker = |other: &Hit| other.group == Group::ReportSpeaker;
                (!self.hits.within(&between).iter().any(speaker)).then_some(hit.first as usize)
            }
            _ => None,
        })
    }
}

fn opener(group: Group) -> Option<Part> {
    match group {
        Group::Contrast => Some(Part::Turn),
        Group::Concession => Some(Part::Conceded),
        Group::Condition => Some(Part::Condition),
        Group::Time => Some(Part::Time),
        Group::Cause => Some(Part::Reason),
        Group::Result | Group::Relative => Some(Part::Main),
        _ => None,
    }
}
