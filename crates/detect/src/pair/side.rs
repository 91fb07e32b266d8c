//! Each of the two texts as it is compared.

use jiff::civil::Date;
use rebuttal_model::Span;
use rebuttal_text::{Clause, Content, ContentWord, Period, Quantity, Reading, Unit, Value};

use super::align::Link;

/// One text as it is compared.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) words: Vec<ContentWord>,
    pub(super) clauses: Vec<Clause>,
    pub(super) quantities: Vec<Quantity>,
    pub(super) periods: Vec<Period>,
    /// The years whose money amounts are given in: "in 2017 dollars".
    pub(super) bases: Vec<f64>,
    /// Content words a sentence.
    pub(super) per_sentence: Vec<u16>,
    /// The first content word.
    pub(super) first: Option<usize>,
    pub(super) letters: usize,
    pub(super) by: bool,
    /// For every clause the word its negation reaches first.
    heads: Vec<Option<usize>>,
}

impl Text {
    pub(super) fn new((reading, content): (&Reading<'_>, Content)) -> Self {
        let Content { mut words, clauses } = content;
        let (mut quantities, mut periods) = reading.quantities_and_periods();
        let mut bases = Vec::new();
        if !quantities.is_empty() {
            quantities.retain(|quantity| !only_describes(reading.original(), quantity));
            leave_sources(reading, &mut words, &mut periods);
            leave_bounds(&mut words, &quantities);
            let base = |quantity: &mut Quantity| base_year(reading.original(), quantity);
            bases.extend(quantities.extract_if(.., |it| base(it).is_some()).filter_map(
                |quantity| match quantity.value {
                    Value::Exact(year) => Some(year),
                    _ => None,
                },
            ));
        }
        take_numbers(&mut words, quantities.iter().map(|quantity| quantity.span), Labels::Stay);
        take_numbers(&mut words, periods.iter().map(|period| period.span), Labels::Go);
        for period in &mut periods {
            if let Some(bound) = reach(reading.original(), period) {
                words.retain(|word| !bound.contains(word.span));
            }
        }
        let labels: Vec<Span> =
            words.iter().filter(|word| word.label).map(|word| word.span).collect();
        quantities.retain(|quantity| labels.binary_search(&quantity.span).is_err());
        let mut per_sentence = Vec::new();
        for word in words.iter().filter(|word| word.content) {
            let sentence = word.sentence as usize;
            if per_sentence.len() <= sentence {
                per_sentence.resize(sentence + 1, 0u16);
            }
            if let Some(count) = per_sentence.get_mut(sentence) {
                *count = count.saturating_add(1);
            }
        }
        let heads = heads(&words, clauses.len());
        let first = words.iter().position(|word| word.content);
        let by = reading.clean().contains(" by ");
        let letters = reading.original().len();
        Self { words, clauses, quantities, periods, bases, per_sentence, first, letters, by, heads }
    }

    /// The first word that the negation of the word's clause reaches.
    pub(super) fn head(&self, word: &ContentWord) -> Option<usize> {
        self.heads.get(word.clause as usize).copied().flatten()
    }

    pub(super) fn clause(&self, word: &ContentWord) -> Option<&Clause> {
        self.clauses.get(word.clause as usize)
    }

    pub(super) fn content(&self) -> usize {
        self.words.iter().filter(|word| word.content).count()
    }

    /// The word at a span, if it is one that was kept.
    pub(super) fn word_at(&self, span: Span) -> Option<usize> {
        let at = self.words.partition_point(|word| word.span.start() < span.start());
        self.words.get(at).filter(|word| word.span.overlaps(span)).map(|_| at)
    }
}

fn heads(words: &[ContentWord], clauses: usize) -> Vec<Option<usize>> {
    let mut heads = vec![None; clauses];
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.denied_first) {
        if let Some(head) = heads.get_mut(word.clause as usize) {
            *head = head.or(Some(at));
        }
    }
    heads
}

/// Whether a number beside a noun names a thing: "team 40" does, "March 22" is a day.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    Stay,
    Go,
}

/// Numbers and times are compared as such, so as words they count for nothing.
fn take_numbers(words: &mut [ContentWord], spans: impl Iterator<Item = Span>, labels: Labels) {
    let mut spans = spans.peekable();
    for word in words {
        while spans.next_if(|span| span.end() <= word.span.start()).is_some() {}
        let taken = spans.peek().is_some_and(|span| span.overlaps(word.span));
        if taken && (labels == Labels::Go || !word.label) {
            (word.content, word.label) = (false, false);
        }
    }
}

/// "before 4 June" and "after 4 June" are all the days on one side of it; where the word for that is.
fn reach(text: &str, period: &mut Period) -> Option<Span> {
    let (first, last) = period.dates?;
    let before = text.get(..period.span.start())?.trim_end();
    let ending = |words: &[&str]| {
        words.iter().find_map(|word| {
            let (head, tail) = before.split_at_checked(before.len().checked_sub(word.len())?)?;
            let whole = tail.eq_ignore_ascii_case(word) && !head.ends_with(char::is_alphabetic);
            whole.then(|| Span::new(head.len(), before.len()))
        })
    };
    if let Some(bound) = ending(&["before", "prior to", "earlier than"]) {
        period.dates = Some((Date::MIN, first.yesterday().ok()?));
        return Some(bound);
    }
    let bound = ending(&["after", "later than"])?;
    period.dates = Some((last.tomorrow().ok()?, Date::MAX));
    Some(bound)
}

/// Who says so, and the year of the edition, are no part of what is said.
fn leave_sources(reading: &Reading<'_>, words: &mut Vec<ContentWord>, periods: &mut Vec<Period>) {
    let sources: Vec<Span> = reading.citations().iter().map(|citation| citation.source).collect();
    let inside = |span: Span| {
        let at = sources.partition_point(|source| source.end() <= span.start());
        sources.get(at).is_some_and(|source| source.contains(span))
    };
    if !sources.is_empty() {
        words.retain(|word| !inside(word.span));
        periods.retain(|period| !inside(period.span));
    }
    // "the 2024 edition" dates the book and not what it says.
    let text = reading.original();
    periods.retain(|period| {
        let rest = text.get(period.span.end()..).unwrap_or_default().trim_start();
        !["edition", "report", "survey", "census"].iter().any(|word| rest.starts_with(word))
    });
}

/// "more than 100" is one bound: its "more" is not the opposite of another bound's "less".
fn leave_bounds(words: &mut Vec<ContentWord>, quantities: &[Quantity]) {
    /// The bytes of " than ".
    const GAP: usize = 6;
    words.retain(|word| {
        let at = quantities.partition_point(|it| it.span.start() < word.span.end());
        !quantities.get(at).is_some_and(|quantity| {
            !matches!(quantity.value, Value::Exact(_))
                && quantity.span.start() - word.span.end() <= GAP
        })
    });
}

/// "2024 edition", "15-24 year olds": numbers that tell which one is meant and measure nothing. "20
/// years old" says how old.
fn only_describes(text: &str, quantity: &Quantity) -> bool {
    let (head, rest) = text.split_at_checked(quantity.span.end()).unwrap_or_default();
    let next = rest.trim_start_matches([' ', '-']);
    let is_year = matches!(quantity.value, Value::Exact(year) if (1900.0..2100.0).contains(&year));
    (is_year && quantity.scale <= 1.0 && next.starts_with("edition"))
        || (next.starts_with("old") && !head.ends_with('s'))
}

/// "2017 dollars" are the dollars of a year.
fn base_year(text: &str, quantity: &Quantity) -> Option<f64> {
    let Value::Exact(value) = quantity.value else { return None };
    let written = quantity.span.of(text)?;
    let year = written.len() > 4
        && written.bytes().take(4).all(|byte| byte.is_ascii_digit())
        && written.as_bytes().get(4) == Some(&b' ');
    let money = matches!(quantity.unit, Unit::Currency(_));
    (money && year && (1900.0..2100.0).contains(&value)).then_some(value)
}

/// Both texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides<'s> {
    pub(super) a: &'s Text,
    pub(super) b: &'s Text,
}

impl Sides<'_> {
    /// Both words of a link.
    pub(super) fn words(&self, link: &Link) -> Option<(&ContentWord, &ContentWord)> {
        self.a.words.get(link.a).zip(self.b.words.get(link.b))
    }
}
