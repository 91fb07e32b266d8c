//! One sentence: what it states, and what it offers for it.

mod figures;
mod links;
mod observed;
mod unreal;

use super::attribution;
use super::scan::{CAPITAL, Kind, MIXED, Token, UPPER, VERBAL};
use super::sources::{self, Found};
use super::words::{
    ADVICE, ASIDE, BACK, CAUSE, COGNITION, CONTRAST, COUNTED, Class, EARNS, EXAMPLE, FROM,
    FUNCTION, FUTURE, GENERIC, HEDGE, IF, LASTS, MONEY, NOT, NUMERAL, OPINION, OURS, PAST,
    PHYSICAL, PLACED, REPORT, RESULT, SHOW, SINCE, SO, STUDY, SUPPOSED, TAKEN, TEST, TIME, VAGUE,
    VERB, WHEN,
};
use figures::Row;
pub(super) use links::link;
use links::{PARTS, Part};
use observed::Seen;
use unreal::Void;

/// What a part of a text offers for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// A source that can be looked up.
    Source,
    /// A number that measures something.
    Data,
    /// A case with a name or a number.
    Example,
    /// Words of somebody who is named.
    Quotation,
    /// Something the speaker tried or measured.
    Test,
    /// A name, a date, a count: what makes a statement particular.
    Particular,
    /// A word that stands where a fact should be.
    Vague,
    /// A connective between a premise and a conclusion.
    Connective,
}

/// Who is told of every item as it is found.
pub(super) trait Sink {
    fn item(&mut self, kind: ItemKind, start: u32, end: u32);
}

/// Nobody is told: the fast path.
impl Sink for () {
    #[inline]
    fn item(&mut self, _: ItemKind, _: u32, _: u32) {}
}

/// More connectives and examples than this are no sentence, whatever stands between them.
const MOST_CUES: u16 = 4;

/// Words beside its name, up to which a sentence says no more than that it is the source.
const BESIDE_A_SOURCE: u16 = 6;

/// A sentence, counted.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is seen or not")]
pub(super) struct Statement {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) paragraph: u16,
    pub(super) words: u16,
    pub(super) content: u16,
    pub(super) stems: u128,
    pub(super) particulars: f32,
    pub(super) vague: u16,
    pub(super) data: u16,
    /// How good the best source in the sentence is, 0 for none.
    pub(super) source: f32,
    /// How many sources it names.
    pub(super) sources: u16,
    /// What the sentence's connectives are worth.
    pub(super) links: f32,
    /// Opens with a conclusion from what came before.
    pub(super) concludes: bool,
    pub(super) example: bool,
    pub(super) quotation: bool,
    pub(super) test: bool,
    /// Points back to the sentence before.
    pub(super) back: bool,
    pub(super) negated: bool,
    pub(super) kind: StatementKind,
    /// Where its items begin and end in the order of all items.
    pub(super) items: (u32, u32),
    /// It names where something is written down, and gives no figure itself.
    pub(super) origin: bool,
    /// It turns to another matter.
    pub(super) aside: bool,
    /// It stands in a list.
    pub(super) item: bool,
    /// A row of a table that gives figures: no statement, and something to point at.
    pub(super) row: bool,
}

/// What a sentence does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum StatementKind {
    /// Nothing: a question, a heading, a fragment, a heap of words.
    #[default]
    Nothing,
    /// Gives an opinion as one.
    Opinion,
    /// Says what should be done.
    Advice,
    /// Says how things are.
    Claim,
}

/// Words that carry the topic.
fn is_content(token: &Token) -> bool {
    token.is_word() && !token.is(FUNCTION | TAKEN | VAGUE | CAUSE | RESULT | EXAMPLE | HEDGE)
}

/// Reads the tokens of one sentence.
pub(super) fn read(tokens: &[Token], bytes: &[u8], asked: bool, sink: &mut impl Sink) -> Statement {
    let mut reader = Sentence { tokens, bytes, ..Sentence::new(tokens, bytes) };
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Word => reader.word(at, token, sink),
            Kind::Number => reader.number(at, token, sink),
            Kind::Link | Kind::Note => reader.source(at, sink),
            Kind::Code => reader.particular(0.5, token, sink),
            Kind::Mark(mark) => reader.mark(at, mark, sink),
            Kind::Break | Kind::Blank | Kind::Row => {}
        }
    }
    reader.finish(asked, sink)
}

#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is seen or not")]
struct Sentence<'t> {
    tokens: &'t [Token],
    bytes: &'t [u8],
    found: Statement,
    parts: [Part; PARTS],
    part: usize,
    verb: bool,
    functions: u16,
    numbers: u16,
    counts: u16,
    cues: u16,
    names: u16,
    name_before: bool,
    advice: bool,
    opinion: bool,
    reported: bool,
    ours: bool,
    tried: bool,
    /// Up to here a source was read already.
    sourced: usize,
    quote: Option<usize>,
    quoted: bool,
    example_at: Option<(u32, u32)>,
    test_at: Option<(u32, u32)>,
    quoted_at: (u32, u32),
    first_word: usize,
    /// Where the last source that can be looked up ends.
    source_end: u32,
    /// A file or an office that is named as the source.
    local: Option<(u32, u32)>,
    /// Words that keyword scores count.
    keywords: u16,
    /// Words that do not name a source.
    outside: u16,
    /// Connectives with nothing behind them.
    broken: u16,
    /// Figures that cannot be of what they are said of.
    misfits: u16,
    row: Row,
    seen: Seen,
    void: Void,
}

impl<'t> Sentence<'t> {
    fn new(tokens: &'t [Token], bytes: &'t [u8]) -> Self {
        let first_word = tokens.iter().position(Token::is_word).unwrap_or(0);
        Self {
            tokens,
            bytes,
            found: Statement::default(),
            parts: [Part::default(); PARTS],
            part: 0,
            verb: false,
            functions: 0,
            numbers: 0,
            counts: 0,
            cues: 0,
            names: 0,
            name_before: false,
            advice: false,
            opinion: false,
            reported: false,
            ours: false,
            tried: false,
            sourced: 0,
            quote: None,
            quoted: false,
            example_at: None,
            test_at: None,
            quoted_at: (0, 0),
            first_word,
            source_end: 0,
            local: None,
            keywords: 0,
            outside: 0,
            broken: 0,
            misfits: 0,
            row: Row::default(),
            seen: Seen::default(),
            void: Void::default(),
        }
    }

    fn get(&self, at: usize) -> Option<&'t Token> {
        self.tokens.get(at)
    }

    fn before(&self, at: usize) -> Option<&'t Token> {
        at.checked_sub(1).and_then(|at| self.tokens.get(at))
    }

    fn here(&mut self) -> Option<&mut Part> {
        self.parts.get_mut(self.part)
    }

    fn particular(&mut self, weight: f32, token: &Token, sink: &mut impl Sink) {
        if self.void.is_open() {
            return;
        }
        self.found.particulars += weight;
        if let Some(part) = self.here() {
            part.particulars += weight;
        }
        sink.item(ItemKind::Particular, token.start, token.end);
    }

    fn word(&mut self, at: usize, token: &Token, sink: &mut impl Sink) {
        self.found.words += 1;
        self.outside += u16::from(at >= self.sourced);
        let class = token.class;
        self.verb |=
            class & (VERB | REPORT) != 0 || (class & (FUNCTION | TAKEN) == 0 && token.has(VERBAL));
        // "They quit": after a pronoun that opens the sentence a verb comes, known or not.
        let second = at == self.first_word + 1 && class & FUNCTION == 0;
        self.verb |= second && self.before(at).is_some_and(|before| before.is(BACK | OURS));
        self.functions += u16::from(class & FUNCTION != 0);
        if class & WATCHED != 0
            || self.seen.subject_near(at)
            || at == self.first_word
            || token.shape != 0
        {
            self.observe(at, token, sink);
        }
        if class & (IF | SUPPOSED | NOT | FUTURE) != 0 {
            self.unreal(at, token);
        } else if class & RESULT != 0 {
            self.condition_ends(token);
        }
        if let Some(part) = self.here() {
            part.verb |= class & (VERB | REPORT | PAST) != 0 || token.has(VERBAL);
        }
        if is_content(token) {
            self.found.content += 1;
            self.found.stems |= 1 << token.stem;
            if let Some(part) = self.here() {
                part.content += 1;
                part.stems |= 1 << token.stem;
            }
        }
        let named = self.is_name(at, token);
        if named && !self.name_before {
            self.names += 1;
            // A statement full of names is no more particular than one with two.
            if self.names <= 2 {
                self.particular(0.5, token, sink);
            }
        }
        self.name_before = named;
        let plain = class & !(FUNCTION | VERB | WATCHED) == 0;
        if plain && token.shape & (UPPER | MIXED | CAPITAL) == 0 && at != self.first_word {
            return;
        }
        self.cue(at, token, sink);
    }

    /// Words that say something about evidence.
    fn cue(&mut self, at: usize, token: &Token, sink: &mut impl Sink) {
        let class = token.class;
        let counted = CAUSE | RESULT | EXAMPLE | FROM | STUDY | TEST | REPORT | GENERIC;
        self.keywords += u16::from(class & counted != 0);
        if class & VAGUE != 0 {
            self.found.vague += 1;
            sink.item(ItemKind::Vague, token.start, token.end);
        }
        self.found.negated ^= class & NOT != 0;
        self.found.aside |= class & ASIDE != 0 && at <= self.first_word + 1;
        self.found.back |= class & BACK != 0 && at == self.first_word;
        self.advice |= class & ADVICE != 0;
        self.opinion |= class & OPINION != 0 && at <= self.first_word + 1;
        self.reported |= class & REPORT != 0;
        self.ours |= class & OURS != 0;
        if class & EXAMPLE != 0 {
            self.cues += 1;
            self.example_at = Some((token.start, token.end));
        }
        if class & TEST != 0 && class & TAKEN == 0 {
            self.tried = true;
            self.test_at.get_or_insert((token.start, token.end));
        }
        if class & (CAUSE | RESULT | SINCE | SO) != 0 {
            self.connective(at, token);
        }
        if at >= self.sourced
            && let Some(found) = attribution::at_word(self.tokens, at, self.first_word)
        {
            self.sourced(found, sink);
        }
    }

    fn mark(&mut self, at: usize, mark: u8, sink: &mut impl Sink) {
        if matches!(mark, b',' | b';' | b':' | b'(') {
            self.seen.clause_ends();
        }
        match mark {
            b'(' | b'[' => {
                if let Some(found) = sources::in_round(self.tokens, at) {
                    self.sourced(found, sink);
                }
            }
            b':' => {
                if let Some(found) = attribution::before_colon(self.tokens, at, self.first_word) {
                    self.sourced(found, sink);
                }
            }
            b'"' => match self.quote.take() {
                None => self.quote = Some(at),
                Some(from) => {
                    self.quoted |= at - from > 3;
                    if let Some(first) = self.get(from) {
                        self.quoted_at = (first.start, self.get(at).map_or(first.end, |t| t.end));
                    }
                }
            },
            b',' | b';' => {
                if let Some(token) = self.get(at) {
                    self.condition_ends(token);
                }
                self.comma();
            }
            b'>' | b'/' => self.compares(),
            _ => {}
        }
    }

    fn source(&mut self, at: usize, sink: &mut impl Sink) {
        if let Some(found) = sources::plain(self.tokens, at, self.bytes) {
            self.sourced(found, sink);
        }
    }

    fn sourced(&mut self, found: Found, sink: &mut impl Sink) {
        if self.void.is_open() {
            return;
        }
        // "as RFC 9110 says": one source, found by its number and by who says so.
        if found.local && found.start < self.source_end {
            return;
        }
        self.cues += u16::from(found.note);
        self.found.sources += 1;
        if found.local {
            self.local = Some((found.start, found.end));
            self.sourced = self.sourced.max(found.until);
            return;
        }
        self.source_end = found.end;
        self.found.source = self.found.source.max(found.strength);
        self.sourced = self.sourced.max(found.until);
        sink.item(ItemKind::Source, found.start, found.end);
    }

    /// A capital within a sentence, or an acronym anywhere.
    fn is_name(&self, at: usize, token: &Token) -> bool {
        let opens = at == self.first_word;
        token.has(CAPITAL)
            && !token.is(FUNCTION | TIME | TAKEN)
            && (!opens || token.has(UPPER) || self.get(at + 1).is_some_and(is_named_on))
    }

    fn finish(mut self, asked: bool, sink: &mut impl Sink) -> Statement {
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else {
            return self.found;
        };
        (self.found.start, self.found.end) = (first.start, last.end);
        // "I have it from the shepherds' log.", "Source: the gate scans for 2023.": for what stands
        // beside it.
        let named = self.local.is_some() || self.found.source > 0.0;
        self.found.origin = named && self.found.data == 0 && self.outside <= BESIDE_A_SOURCE;
        self.found.kind = self.kind(asked);
        if self.found.kind == StatementKind::Nothing {
            return self.found;
        }
        if self.void.all || self.misfits > 0 {
            // What is stated stays, and what it offers goes.
            let own = self.found;
            self.found = Statement { particulars: 0.0, vague: 0, data: 0, source: 0.0, ..own };
            self.found.sources = 0;
            return self.found;
        }
        self.links(sink);
        if let Some((start, end)) = self.local.filter(|_| self.numbers > 0) {
            self.found.source = self.found.source.max(sources::KIND);
            sink.item(ItemKind::Source, start, end);
        }
        let particular = self.found.particulars > 0.0;
        if let Some((start, end)) = self.example_at.filter(|_| particular) {
            self.found.example = true;
            sink.item(ItemKind::Example, start, end);
        }
        if self.quoted && (self.found.source > 0.0 || self.reported) {
            self.found.quotation = true;
            sink.item(ItemKind::Quotation, self.quoted_at.0, self.quoted_at.1);
        }
        if self.found.data > 0 && (self.tried || (self.ours && self.reported)) {
            self.found.test = true;
            self.found.source = self.found.source.max(sources::OWN);
            let (start, end) = self.test_at.unwrap_or((self.found.start, self.found.end));
            sink.item(ItemKind::Test, start, end);
        }
        self.observed(sink);
        self.found
    }

    /// A note without a verb: "p99 3.1 -> 3.9 ms, run 118". Its figures make it one, and words that only
    /// speak of evidence do not.
    fn is_note(&self) -> bool {
        let Statement { words, content, data, .. } = self.found;
        let figures = data > 0 || self.seen.figures > 1;
        figures && content > 0 && words + self.numbers >= 3 && self.keywords * 4 <= words + 1
    }

    fn kind(&self, asked: bool) -> StatementKind {
        let Statement { words, content, data, source, vague, .. } = self.found;
        let enough = words >= 3 && words + self.numbers >= 4;
        let about = content >= 2 || (content >= 1 && (data > 0 || vague > 0 || self.advice));
        // A heap of connectives and notes states nothing, and neither do words without grammar.
        let cues = self.cues;
        let heap = cues > content
            || (cues > 3 && cues * 2 > content)
            || cues > MOST_CUES
            || (cues > 1 && self.functions * 5 < words)
            || (self.keywords > 5 && self.keywords * 5 > words * 2)
            || self.is_disjointed();
        let note = self.is_note() && cues == 0;
        let wordy = self.outside >= 6 && self.functions == 0;
        let stated = enough && about && self.verb && !wordy;
        if asked || heap || !(stated || note) {
            return StatementKind::Nothing;
        }
        if self.opinion && data == 0 && source == 0.0 {
            StatementKind::Opinion
        } else if self.advice && data == 0 {
            StatementKind::Advice
        } else {
            StatementKind::Claim
        }
    }
}

/// Classes that are looked at by themselves, and say nothing about sources.
const WATCHED: Class = COGNITION
    | CONTRAST
    | COUNTED
    | EARNS
    | FUTURE
    | IF
    | LASTS
    | MONEY
    | NUMERAL
    | PAST
    | PHYSICAL
    | PLACED
    | SHOW
    | WHEN;

fn is_named_on(next: &Token) -> bool {
    next.is_word() && ((next.has(CAPITAL) && !next.is(FUNCTION)) || next.is(REPORT))
}
