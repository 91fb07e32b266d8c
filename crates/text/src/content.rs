//! The words of a text that say something, and how each is said: denied or not, asked or not.
//!
//! What a comparison of two texts needs, and no more: the words come in order, with spans of the
//! original text, and each knows its clause.

use rebuttal_model::{Certainty, Owner, Span};

use crate::claims::Term;
use crate::lexicon::{Group, Hit};
use crate::reading::Reading;
use crate::roots::{of_denied, root};
use crate::segments::Segment;
use crate::senses::{Sense, Senses, Tie};
use crate::tokens::{Kind, Token};
use crate::words::Stem;

/// How much of a whole a clause speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Range {
    /// It does not say.
    #[default]
    Open,
    /// All, always.
    All,
    /// Some, sometimes.
    Some,
}

/// A stretch of a sentence within which a "not" reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "marks of a clause, each free of the others")]
pub struct Clause {
    /// The first words that deny, unless they deny nothing ("not only").
    pub negator: Option<Span>,
    /// Asked, not said.
    pub question: bool,
    /// Only possible: "may", "perhaps".
    pub tentative: bool,
    /// Under a condition, or the condition itself.
    pub conditional: bool,
    /// Somebody else's words.
    pub reported: bool,
    /// What the statement is about: all, some.
    pub range: Range,
    /// The "all" is what is denied: "not every".
    pub not_all: bool,
    /// Tells of what happens to a thing once: "was born", "opened".
    pub once: bool,
}

/// One word, number or fixed phrase.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "marks of a word, each free of the others")]
pub struct ContentWord {
    /// Its bytes in the original text.
    pub span: Span,
    /// The word in any of its forms.
    pub term: Term,
    /// Says something about the topic; other words are kept only for what they exclude ("in", "out").
    pub content: bool,
    /// A capital in the middle of a sentence, or a name of several words.
    pub name: bool,
    /// Names a thing, also where it opens a sentence and its capital says nothing.
    pub named: bool,
    /// A letter or number that only tells one thing from another: "option **b**".
    pub label: bool,
    /// Stands in the subject of its clause, as far as that can be told.
    pub subject: bool,
    /// Its place in an order: "third", "12th".
    pub ordinal: Option<u32>,
    /// An odd number of negations reach it.
    pub negated: bool,
    /// The first word a negation reaches.
    pub denied_first: bool,
    /// Its clause, by its place in [`Content::clauses`].
    pub clause: u32,
    /// Its sentence.
    pub sentence: u32,
    /// What is left without "un-" or "-less", and whether that was denied: "unsafe", "careful".
    root: Option<(Stem, bool)>,
    senses: &'static [Sense],
}

impl ContentWord {
    /// How this word stands to another.
    pub fn tie(&self, other: &Self) -> Option<Tie> {
        if let (Some(one), Some(two)) = (self.ordinal, other.ordinal) {
            return Some(if one == two { Tie::Same } else { Tie::Exclusive });
        }
        let senses = Senses::english();
        senses.tie((self.term.stem(), self.senses), (other.term.stem(), other.senses))
    }

    /// The sets of opposites or kinds it belongs to; words without a common one have no tie but
    /// that of the same [term](Self::term) or [root](Self::root).
    pub fn sets(&self) -> impl Iterator<Item = u16> {
        self.senses.iter().map(|sense| sense.set)
    }

    /// The word without what denies in it, and whether something did: "unsafe" is "safe", denied.
    pub fn root(&self) -> Option<(Term, bool)> {
        self.root.map(|(stem, denied)| (Term::new(stem), denied))
    }
}

/// The words of a text and the clauses they stand in.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// In the order of the text.
    pub words: Vec<ContentWord>,
    /// In the order of the text.
    pub clauses: Vec<Clause>,
}

impl Reading<'_> {
    /// The words that say something.
    pub fn content(&self) -> Content {
        let mut content = Content {
            words: Vec::with_capacity(self.tokens.len() / 2),
            clauses: Vec::with_capacity(self.segments.len()),
        };
        for segment in &self.segments {
            let denied = self.denials(segment);
            let clause = u32::try_from(content.clauses.len()).unwrap_or(u32::MAX);
            content.clauses.push(self.clause(segment, &denied));
            self.words_of(segment, &denied, clause, &mut content.words);
        }
        content
    }

    /// The negations of a segment, in order and without overlaps.
    fn denials(&self, segment: &Segment) -> Vec<Denial> {
        let mut found: Vec<Denial> = Vec::new();
        for hit in self.hits_in(&segment.tokens) {
            let reach = match hit.group {
                Group::Not | Group::NotQuite | Group::Negative => {
                    reach(self.word(hit.first as usize))
                }
                Group::PositiveIfNot => usize::MAX,
                _ => continue,
            };
            let tokens = hit.tokens();
            if found.last().is_some_and(|last| tokens.start < last.tokens.end)
                || self.overlapped_by(*hit, Group::NotReally)
                || self.is_answer(segment, *hit)
            {
                continue;
            }
            // "hesitated to" denies only what is itself denied.
            if hit.group == Group::PositiveIfNot && found.is_empty() {
                continue;
            }
            found.push(Denial { tokens, reach, resets: self.is_word(hit.first as usize, "nor") });
        }
        found
    }

    fn is_word(&self, token: usize, wanted: &str) -> bool {
        self.word(token).eq_ignore_ascii_case(wanted)
    }

    fn clause(&self, segment: &Segment, denials: &[Denial]) -> Clause {
        let hits = self.hits_in(&segment.tokens);
        let find = |group| hits.iter().find(|hit| hit.group == group);
        let all = find(Group::QuantifierAll);
        let first = denials.first();
        // "Some users are not happy" is of some users; "he adds no oil to some of it" is not.
        let opens = |hit: &&Hit| {
            let at = hit.first as usize;
            let leads = at <= segment.tokens.start + 1;
            let before = first.is_none_or(|denial| at < denial.tokens.start);
            hit.group == Group::QuantifierSome && before && (leads || self.is_adverb(at))
        };
        let some = hits.iter().find(opens);
        // "not all": the quantifier stands right behind what denies.
        let not_all = first.zip(all).is_some_and(|(denial, all)| {
            let at = all.first as usize;
            (denial.tokens.end..denial.tokens.end + 2).contains(&at)
        });
        Clause {
            negator: first.and_then(|denial| self.span_of(denial.tokens.clone())),
            question: segment.question,
            tentative: self.is_tentative(segment),
            conditional: segment.conditional,
            reported: segment.owner == Owner::Other,
            range: match (all, some) {
                (Some(_), None) => Range::All,
                (_, Some(_)) => Range::Some,
                (None, None) => Range::Open,
            },
            not_all,
            once: find(Group::EventOnce).is_some(),
        }
    }

    /// "sometimes", "often": these speak of the whole statement wherever they stand.
    fn is_adverb(&self, token: usize) -> bool {
        let words = ["sometimes", "occasionally", "often", "partly", "partially"];
        words.iter().any(|word| self.is_word(token, word))
    }

    /// Only possible. What is itself said or denied does not hedge: "It is (not) unlikely."
    fn is_tentative(&self, segment: &Segment) -> bool {
        let hedges = |hit: &Hit| {
            matches!(hit.group, Group::HedgeModal | Group::HedgeAdverb | Group::HedgeVerb)
        };
        let said = |hit: &Hit| {
            let stem = self.tokens.get(hit.first as usize).map(|token| token.stem);
            stem.is_some_and(|stem| !Senses::english().of(stem).is_empty())
        };
        self.certainty(segment) == Certainty::Tentative
            && self.hits_in(&segment.tokens).iter().any(|hit| hedges(hit) && !said(hit))
    }

    fn words_of(
        &self,
        segment: &Segment,
        denials: &[Denial],
        clause: u32,
        out: &mut Vec<ContentWord>,
    ) {
        let mut scope = Scope { subject_end: self.subject_end(segment), ..Scope::default() };
        let mut at = segment.tokens.start;
        let mut ahead = denials.iter().peekable();
        while at < segment.tokens.end {
            if let Some(denial) = ahead.next_if(|denial| denial.tokens.start <= at) {
                scope.enter(denial);
                at = denial.tokens.end.max(at);
                continue;
            }
            let length = self.content_word(segment, at, clause, &mut scope, out);
            at += length;
        }
    }

    /// Reads the word at a token and says how many tokens it took.
    fn content_word(
        &self,
        segment: &Segment,
        at: usize,
        clause: u32,
        scope: &mut Scope,
        out: &mut Vec<ContentWord>,
    ) -> usize {
        let Some(token) = self.tokens.get(at).copied() else { return 1 };
        if !matches!(token.kind, Kind::Word | Kind::Number) {
            return 1;
        }
        let (length, stem) = self.lexeme(segment, at, token);
        let denied = self.denied_by_hyphen(segment, at);
        let (length, stem) = denied.map_or((length, stem), |root| (3, of_denied(root)));
        let senses = Senses::english().of(stem);
        let label = self.is_label(segment, at, token);
        // "He is out": what ends a clause is what is said of it.
        let closes =
            !senses.is_empty() && !self.tokens.get(at + 1).is_some_and(|next| next.is_word());
        let function = length == 1 && self.is_function_word(at) && !label && !closes;
        let word = self.word(at);
        if function && senses.is_empty() {
            return 1;
        }
        let negated = scope.denies(at) != self.is_free_of(at);
        out.push(ContentWord {
            span: self.span_of(at..at + length).unwrap_or_default(),
            term: Term::new(stem),
            content: !function,
            name: self.is_name(segment, at),
            named: self.names_a_thing(segment, at),
            label,
            subject: at < scope.subject_end,
            ordinal: ordinal(word),
            negated,
            denied_first: negated && !function && scope.take_first(),
            clause,
            sentence: u32::try_from(segment.sentence).unwrap_or(u32::MAX),
            root: match denied {
                Some(root) => Some((root, true)),
                None if function => None,
                None => root(word),
            },
            senses,
        });
        length
    }

    /// A phrase of the word lists that starts here, or the word alone.
    fn lexeme(&self, segment: &Segment, at: usize, token: Token) -> (usize, Stem) {
        let rest = self.tokens.get(at..segment.tokens.end).unwrap_or_default();
        let stems = rest.iter().map(|token| match token.kind {
            Kind::Word => token.stem,
            _ => Stem::default(),
        });
        if let Some(found) = Senses::english().phrase(stems) {
            return found;
        }
        // "loss-making" is "loss making".
        if rest.get(1).is_some_and(|next| next.is_mark(b'-')) {
            let words = rest.iter().step_by(2).take_while(|token| token.is_word());
            let hyphens = rest.iter().skip(1).step_by(2).take_while(|token| token.is_mark(b'-'));
            let most = 1 + hyphens.count();
            let found = Senses::english().phrase(words.take(most).map(|token| token.stem));
            if let Some((words, stem)) = found {
                return (2 * words - 1, stem);
            }
        }
        (1, token.stem)
    }

    /// The "compliant" of "non-compliant".
    fn denied_by_hyphen(&self, segment: &Segment, at: usize) -> Option<Stem> {
        let own = self.tokens.get(at..segment.tokens.end)?;
        let [first, hyphen, word, ..] = own else { return None };
        let tight = first.span().end() == hyphen.start() && hyphen.span().end() == word.start();
        let denies = first.is_word() && self.is_word(at, "non");
        (denies && tight && hyphen.is_mark(b'-') && word.is_word()).then_some(word.stem)
    }
}

/// A negation: the tokens that deny, and how far they reach.
#[derive(Clone, Debug)]
struct Denial {
    tokens: std::ops::Range<usize>,
    reach: usize,
    /// "neither safe nor cheap" denies each once.
    resets: bool,
}

/// "without a hat he ran" denies the hat and not the running.
const WITHOUT_REACH: usize = 3;

fn reach(word: &str) -> usize {
    if word.eq_ignore_ascii_case("without") { WITHOUT_REACH } else { usize::MAX }
}

/// Whether what is read now is denied, and whether it is the subject.
#[derive(Debug, Default)]
struct Scope {
    subject_end: usize,
    odd: bool,
    until: usize,
    first: bool,
}

impl Scope {
    fn enter(&mut self, denial: &Denial) {
        self.odd = denial.resets || !self.denies(denial.tokens.start);
        self.until = denial.tokens.end.saturating_add(denial.reach);
        self.first = true;
    }

    fn denies(&self, at: usize) -> bool {
        self.odd && at < self.until
    }

    fn take_first(&mut self) -> bool {
        std::mem::take(&mut self.first)
    }
}

const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

fn ordinal(word: &str) -> Option<u32> {
    if word.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let suffix = word.get(digits.len()..)?;
        let known = ["st", "nd", "rd", "th"].iter().any(|it| suffix.eq_ignore_ascii_case(it));
        return digits.parse().ok().filter(|_| known);
    }
    // Every one of them ends in these; most words need no comparison.
    if !matches!(word.as_bytes().last(), Some(b'h' | b't' | b'd' | b'H' | b'T' | b'D')) {
        return None;
    }
    (1..).zip(ORDINALS).find(|(_, name)| word.eq_ignore_ascii_case(name)).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn denied(text: &str) -> Vec<&str> {
        let reading = Reading::new(text);
        let content = reading.content();
        let negated = content.words.iter().filter(|word| word.negated && word.content);
        negated.filter_map(|word| word.span.of(text)).collect()
    }

    #[test]
    fn a_not_reaches_to_the_end_of_its_clause() {
        assert_eq!(denied("The man is not playing a guitar."), ["playing", "guitar"]);
        assert_eq!(denied("There is no girl, but a boy runs."), ["girl"]);
        assert_eq!(denied("It never fails to impress."), Vec::<&str>::new());
        assert_eq!(denied("He left without a hat and a coat."), ["hat"]);
        assert_eq!(denied("It is not only cheap."), Vec::<&str>::new());
        assert_eq!(denied("They did not hesitate to act."), Vec::<&str>::new());
    }

    #[test]
    fn phrases_ordinals_labels_and_roots() {
        let reading = Reading::new("The 12th polar bear is unsafe; take option a.");
        let words = reading.content().words;
        let texts: Vec<&str> =
            words.iter().filter_map(|word| word.span.of(reading.original())).collect();
        assert_eq!(texts, ["12th", "polar bear", "unsafe", "take", "option", "a"]);
        assert_eq!(words[0].ordinal, Some(12));
        assert_eq!(words[2].root(), Some((Term::new(words::stem("safe")), true)));
        assert!(words[5].label && words[5].content);
    }

    #[test]
    fn clauses_know_how_they_are_said() {
        let clause = |text| Reading::new(text).content().clauses[0];
        assert!(clause("Perhaps it rains today.").tentative);
        assert!(clause("Is the shop open?").question);
        assert_eq!(clause("Some birds can fly.").range, Range::Some);
        assert!(clause("Not all birds can fly.").not_all);
    }
}
