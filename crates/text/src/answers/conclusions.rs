//! Sentences that conclude: "the answer is C", "B is the best choice", "I'd go with Postgres", "that
//! leaves B", "so, lighthouse it is", "so we need 7.5 degrees".

use std::ops::Range;

use rebuttal_model::{Owner, Span};

use super::labels::is_label;
use super::value::{self, Found, Given, Strictness};
use super::words::Part;
use super::{Candidate, Explicit};
use crate::asked::Asked;
use crate::reading::Reading;
use crate::sentences::Place;
use crate::tokens::Kind;

/// How many words may stand between the parts of a form.
const GAP: usize = 7;

/// Words behind which a clause begins.
const BEFORE_A_SUBJECT: [&str; 9] =
    ["but", "yet", "still", "because", "since", "think", "believe", "why", "while"];

/// Every sentence that concludes.
pub(super) fn find(reading: &Reading<'_>, asked: &Asked, keep: &mut impl FnMut(Candidate)) {
    for (index, sentence) in reading.sentences.iter().enumerate() {
        if sentence.question || sentence.place == Place::Quoted {
            continue;
        }
        let parts: Vec<Part> =
            sentence.tokens.clone().map(|token| reading.answer_part(token)).collect();
        let last = index + 1 == reading.sentences.len();
        let form = Form { reading, asked, tokens: sentence.tokens.clone(), parts, last };
        form.read(keep);
    }
}

/// One sentence, and what each of its tokens does.
struct Form<'r, 't> {
    reading: &'r Reading<'t>,
    asked: &'r Asked,
    tokens: Range<usize>,
    parts: Vec<Part>,
    /// It is the last one of the text.
    last: bool,
}

impl Form<'_, '_> {
    fn read(&self, keep: &mut impl FnMut(Candidate)) {
        for (at, part) in self.parts.iter().copied().enumerate() {
            let names = || part.is(Part::LABEL).then(|| self.named(at)).flatten();
            let chooses = || part.is(Part::FIRST).then(|| self.chosen(at)).flatten();
            let goes = || (at == self.opening()).then(|| self.going(at)).flatten();
            let right = || part.is(Part::COPULA).then(|| self.called_right(at)).flatten();
            let leads = || part.is(Part::THAT).then(|| self.led_to(at)).flatten();
            let comes = || part.is(Part::COMES).then(|| self.comes_to(at)).flatten();
            if let Some(candidate) =
                names().or_else(chooses).or_else(goes).or_else(right).or_else(leads).or_else(comes)
            {
                keep(candidate);
            }
        }
        if let Some(candidate) = self.it_is() {
            keep(candidate);
        }
    }

    fn part(&self, at: usize) -> Part {
        self.parts.get(at).copied().unwrap_or_default()
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.reading.tokens.get(self.tokens.start + at).map(|token| token.kind)
    }

    fn word(&self, at: usize) -> &str {
        self.reading.word(self.tokens.start + at)
    }

    fn start(&self, at: usize) -> usize {
        let token = self.reading.tokens.get(self.tokens.start + at);
        token.map_or(self.reading.clean().len(), |token| token.start())
    }

    /// Where the first word stands that is no connective.
    fn opening(&self) -> usize {
        let opens = |at: &usize| !self.part(*at).is(Part::SO) && self.kind(*at) == Some(Kind::Word);
        (0..self.parts.len()).find(opens).unwrap_or(0)
    }

    /// The words are the speaker's own, neither supposed nor granted under an "if".
    fn is_meant(&self, at: usize) -> bool {
        let segment = self.reading.segment_at(self.tokens.start + at);
        let own =
            segment.is_none_or(|it| it.owner == Owner::Speaker && !it.conditional && !it.question);
        own && !self
            .parts
            .get(..at)
            .unwrap_or_default()
            .iter()
            .any(|part| part.is(Part::IF) && part.is(Part::NOT))
            && !self.supposed(at)
    }

    /// "If …, the answer is C": a supposition opens the sentence or stands close before.
    fn supposed(&self, at: usize) -> bool {
        let supposes = |at: usize| {
            ["if", "unless", "suppose", "assuming", "whether", "had", "were", "why", "until"]
                .iter()
                .any(|it| self.word(at).eq_ignore_ascii_case(it))
        };
        supposes(0) || (at.saturating_sub(4)..at).any(supposes)
    }

    /// The value that starts at a token, cut where the sentence ends.
    fn value(&self, at: usize, strictness: Strictness, explicit: Explicit) -> Option<Candidate> {
        let mut at = at;
        while at < self.parts.len()
            && (self.part(at).is(Part::FILLER) && !self.is_value(at)
                || matches!(self.kind(at), Some(Kind::Mark(b':' | b'"' | b',' | b'-'))))
        {
            at += 1;
        }
        if self.part(at).is(Part::NOT) || at >= self.parts.len() {
            return None;
        }
        // The bracket of "(C)" belongs to the value.
        let (start, end) = (self.start(at), self.start(self.parts.len()));
        let piece = self.reading.clean().get(start..end)?;
        let found = value::leading(piece, self.asked, strictness)?;
        let explicit = if found.given == Given::Words { Explicit::Worded } else { explicit };
        Some(Candidate { span: Span::new(start, start + found.length), found, explicit })
    }

    /// True when the token begins an option that was asked for, whatever else its words do.
    fn is_value(&self, at: usize) -> bool {
        let (start, end) = (self.start(at), self.start(self.parts.len()));
        let piece = self.reading.clean().get(start..end).unwrap_or_default();
        let Asked::Options(_) = self.asked else { return false };
        value::leading(piece, self.asked, Strictness::Typed)
            .is_some_and(|found| piece.get(..1).is_some() && found.length > 1)
    }

    /// Words of an open answer count only where nothing narrower was asked for.
    fn loosely(&self) -> Strictness {
        match self.asked {
            Asked::Open | Asked::Nothing => Strictness::Worded,
            Asked::YesNo | Asked::Options(_) | Asked::Number => Strictness::Typed,
        }
    }

    /// "The correct answer is C": a label at `at`, a copula close behind.
    fn named(&self, at: usize) -> Option<Candidate> {
        let from = (0..at)
            .rev()
            .take(GAP)
            .take_while(|&at| {
                self.part(at).is(Part::FINAL.or(Part::ANOTHER).or(Part::WEAK))
                    || self.word(at).ends_with("'s")
            })
            .last()
            .unwrap_or(at);
        let words: Vec<&str> = (from..=at).map(|at| self.word(at)).collect();
        // "Agent 2's answer": the apostrophe after a digit is a mark of its own.
        let owned = from
            .checked_sub(1)
            .is_some_and(|before| self.word(before) == "s" || self.word(before).ends_with("'s"));
        if owned || !is_label(&words) || !self.is_meant(from) {
            return None;
        }
        let mut next = at + 1;
        while next < self.parts.len() && next - at <= GAP {
            let part = self.part(next);
            if part.is(Part::COPULA) && !(part.is(Part::NOT)) && self.word(next) != "be"
                || self.word(next) == "be"
            {
                return self.value(next + 1, self.loosely(), Explicit::Concluded);
            }
            if part.is(Part::NOT.or(Part::IF).or(Part::FIRST))
                || matches!(self.kind(next), Some(Kind::Mark(b';' | b'.' | b':')))
            {
                return None;
            }
            next += 1;
        }
        None
    }

    /// "I'd go with B".
    fn chosen(&self, at: usize) -> Option<Candidate> {
        if !self.is_meant(at) {
            return None;
        }
        let mut next = at + 1;
        while next < self.parts.len() && next - at <= GAP {
            let part = self.part(next);
            if part.is(Part::NOT.or(Part::IF)) {
                return None;
            }
            if let Some(behind) = self.verb(next) {
                return self.value(behind, self.loosely(), Explicit::Concluded);
            }
            let passes = part.is(Part::FILLER.or(Part::MODAL))
                || matches!(self.kind(next), Some(Kind::Mark(b',' | b'\'')));
            let adverb = self.word(next).ends_with("ly");
            if !passes && !adverb {
                return None;
            }
            next += 1;
        }
        None
    }

    /// Where the object of the verb of choice at `at` begins.
    fn verb(&self, at: usize) -> Option<usize> {
        let part = self.part(at);
        if part.is(Part::CHOOSE_WITH) {
            let small = (at + 1..=at + 2).find(|&at| self.part(at).is(Part::WITH));
            if small.is_some() || !part.is(Part::CHOOSE) {
                return small.map(|at| at + 1);
            }
        }
        part.is(Part::CHOOSE).then_some(at + 1)
    }

    /// "Going with C."
    fn going(&self, at: usize) -> Option<Candidate> {
        let ing = self.word(at).ends_with("ing").then(|| self.verb(at)).flatten()?;
        self.value(ing, Strictness::Typed, Explicit::Concluded).filter(|_| self.is_meant(at))
    }

    /// "B is the best choice": a copula at `at`.
    fn called_right(&self, at: usize) -> Option<Candidate> {
        let mut next = at + 1;
        while !self.part(next).is(Part::RIGHT) || self.part(next + 1).is(Part::RIGHT) {
            let passes = self.part(next).is(Part::FILLER
                .or(Part::FINAL)
                .or(Part::WEAK)
                .or(Part::RIGHT)
                .or(Part::MODAL))
                || self.word(next).ends_with("ly");
            if next - at > GAP || !passes || self.part(next).is(Part::NOT) {
                return None;
            }
            next += 1;
        }
        // "A is right that …", "A is right about …" tells of somebody.
        let after = self.word(next + 1);
        if ["that", "about", "to", "when", "for", "in"].contains(&after)
            && !self.part(next).is(Part::LABEL)
        {
            return None;
        }
        let mut end = at;
        while end > 0 && self.part(end - 1).is(Part::MODAL) {
            end -= 1;
        }
        let first = end.saturating_sub(GAP);
        (first..end).find_map(|from| self.subject(from, end))
    }

    /// The value that fills the tokens from `from` up to `end`.
    fn subject(&self, from: usize, end: usize) -> Option<Candidate> {
        let before = from.checked_sub(1);
        let opens = before.is_none_or(|before| {
            let part = self.part(before);
            if BEFORE_A_SUBJECT.contains(&self.word(before)) {
                return true;
            }
            let marks = !matches!(self.kind(before), Some(Kind::Word | Kind::Number));
            (marks && self.kind(before) != Some(Kind::Mark(b'/')))
                || part.is(Part::SO.or(Part::THAT).or(Part::FILLER).or(Part::LABEL).or(Part::WEAK))
        });
        let joined = before.is_some_and(|it| ["and", "or", "nor"].contains(&self.word(it)));
        if !opens
            || joined
            || !self.is_meant(from)
            || before.is_some_and(|it| self.part(it).is(Part::NOT))
        {
            return None;
        }
        let piece = self.reading.clean().get(self.start(from)..self.start(end))?;
        let trimmed = piece.trim_end();
        let found = value::leading(trimmed, self.asked, Strictness::Typed)?;
        let fits =
            matches!(found.given, Given::Letter(_) | Given::Option(_) | Given::Number { .. });
        let rest = trimmed.get(found.length..)?;
        let whole = !rest.contains(char::is_alphanumeric);
        let start = self.start(from);
        let span = Span::new(start, start + found.length);
        (fits && whole).then_some(Candidate { found, span, explicit: Explicit::Concluded })
    }

    /// "That leaves B", "it must be B".
    fn led_to(&self, at: usize) -> Option<Candidate> {
        let verb = (at + 1..=at + 3)
            .find(|&at| self.part(at).is(Part::LEADS) || self.part(at).is(Part::COPULA))?;
        let denied = (at + 1..=verb + 1).any(|at| self.part(at).is(Part::NOT.or(Part::IF)));
        if denied || !self.is_meant(at) {
            return None;
        }
        let mut from = verb + 1;
        while ["us", "only", "to", "with", "me", "be"].contains(&self.word(from)) {
            from += 1;
        }
        let candidate = self.value(from, Strictness::Typed, Explicit::Concluded)?;
        let fits = matches!(candidate.found.given, Given::Letter(_) | Given::Option(_));
        let rest = self.reading.clean().get(candidate.span.end()..self.start(self.parts.len()))?;
        (fits && ends(rest)).then_some(candidate)
    }

    /// "So, lighthouse it is."
    fn it_is(&self) -> Option<Candidate> {
        let words: Vec<usize> =
            (0..self.parts.len()).filter(|&at| self.kind(at) == Some(Kind::Word)).collect();
        let [.., it, is] = words.as_slice() else { return None };
        let named =
            self.word(*it).eq_ignore_ascii_case("it") && self.word(*is).eq_ignore_ascii_case("is");
        if !named || !self.is_meant(*it) {
            return None;
        }
        let typed = (it.saturating_sub(GAP)..*it).find_map(|from| self.subject(from, *it));
        typed.or_else(|| self.it_is_in_words(*it))
    }

    /// "Then lighthouse it is", where anything may be answered.
    fn it_is_in_words(&self, it: usize) -> Option<Candidate> {
        let strictness = self.loosely();
        let opens = |at: &usize| self.kind(*at) != Some(Kind::Word) || self.part(*at).is(Part::SO);
        let from = (0..it).rev().find(opens).map_or(0, |at| at + 1);
        let piece = self.reading.clean().get(self.start(from)..self.start(it))?.trim_end();
        let found: Found = value::whole(piece, self.asked, strictness)
            .filter(|_| strictness == Strictness::Worded)?;
        let span = Span::new(self.start(from), self.start(from) + piece.len());
        Some(Candidate { span, found, explicit: Explicit::Worded })
    }

    /// "So we need 7.5 degrees", where a number was asked for.
    fn comes_to(&self, at: usize) -> Option<Candidate> {
        let concludes = self.last || self.parts.get(..at)?.iter().any(|part| part.is(Part::SO));
        if *self.asked != Asked::Number
            || !concludes
            || !self.is_meant(at)
            || self.part(at + 1).is(Part::NOT)
        {
            return None;
        }
        let candidate = self.value(at + 1, Strictness::Typed, Explicit::Concluded)?;
        matches!(candidate.found.given, Given::Number { .. }).then_some(candidate)
    }
}

/// True when what was named is not the beginning of something longer.
fn ends(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['*', '"', ')', '`', '$', '_']);
    let word = rest.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    rest.trim().is_empty()
        || rest.starts_with(['.', ',', ';', ':', '!', '\n'])
        || [
            "as", "because", "since", "given", "is", "by", "for", "the", "correct", "over",
            "which", "and",
        ]
        .contains(&word)
}
