//! The evidence on one question: sentences that speak for an answer, and figures that disagree.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rebuttal_detect::evidence;
use rebuttal_detect::{Models, Reader};
use rebuttal_model::{Passage, QualityWeights, Span};
use rebuttal_semantics::Embedding;
use rebuttal_text::{Reading, Topic};

use crate::conflict::{Conflict, conflicts, expects};
use crate::limits;
use crate::quote::{Quote, place};
use crate::side::Sides;

/// How near a document must be to the question, by what it means, where it names nothing of it.
const NEAR: f32 = 0.35;
/// How near it must be all the same where it names half of what is asked about.
const NEAR_BY_NAME: f32 = 0.20;
/// How near it must be where another document is on the question.
const IN_COMPANY: f32 = 0.08;
/// What an expectation weighs beside something that was seen.
const EXPECTED: f64 = 0.6;
/// After so many days a document weighs half of what the newest weighs.
const HALF_LIFE_DAYS: f64 = 1_000.0;

/// The evidence on one question.
#[derive(Clone, Debug)]
pub struct Brief {
    /// The answers to choose from.
    pub(crate) answers: Vec<String>,
    /// The answer between the others, if there is one.
    pub(crate) middle: Option<usize>,
    /// What speaks for one of them, in the order of the documents.
    pub(crate) quotes: Vec<Quote>,
    /// Figures that documents give differently.
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) reads: Reads,
}

/// How personas find what they look for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    /// The vectors of what personas look for.
    pub(crate) wanted: BTreeMap<String, Embedding>,
}

/// A sentence of a passage.
struct Sentence<'p> {
    passage: &'p Passage,
    span: Span,
    text: &'p str,
    vector: Option<Embedding>,
    /// How near it is to the question.
    cosine: f32,
}

impl Brief {
    /// Reads the evidence on a question with these answers.
    pub fn new<A: AsRef<str>>(
        question: &str,
        answers: &[A],
        passages: &[Passage],
        reader: Reader<'_>,
    ) -> Self {
        let answers: Vec<String> =
            answers.iter().map(|answer| answer.as_ref().to_owned()).collect();
        let sentences = on_the_question(question, sentences(passages), reader.models());
        let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
        let sides = Sides::of(&answers).read(question, &texts, reader);
        let newest = sentences.iter().filter_map(|sentence| sentence.passage.date).max();
        let quotes: Vec<Quote> = sentences
            .iter()
            .zip(sides)
            .filter_map(|(sentence, side)| side.map(|side| sentence.quote(side, newest)))
            .collect();
        let conflicts = conflicts(&quotes);
        Self { middle: None, reads: Reads::default(), answers, quotes, conflicts }
    }

    /// Says which answer lies between the others: HOLD, between BUY and SELL.
    #[must_use]
    pub fn with_middle(mut self, answer: &str) -> Self {
        self.middle = self.answers.iter().position(|other| other == answer);
        self
    }

    /// Readies it for personas that look for something.
    #[must_use]
    pub fn for_personas(mut self, personas: &[crate::Persona], reader: Reader<'_>) -> Self {
        let Some(models) = reader.models() else { return self };
        let wanted: Vec<&str> = personas.iter().map(|it| it.looks_for.as_str()).collect();
        if let Ok(vectors) = models.embedder.embed(&wanted) {
            self.reads.wanted = wanted.iter().map(|it| (*it).to_owned()).zip(vectors).collect();
        }
        self
    }

    /// What speaks for an answer, in the order of the documents.
    pub fn quotes(&self) -> &[Quote] {
        &self.quotes
    }

    /// Figures that documents give differently, and which to go by.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The answers to choose from.
    pub fn answers(&self) -> &[String] {
        &self.answers
    }

    /// True where nothing in the documents speaks for an answer.
    pub fn is_empty(&self) -> bool {
        self.quotes.is_empty()
    }

    /// The number of an answer.
    pub(crate) fn number(&self, answer: Option<&str>) -> Option<usize> {
        self.answers.iter().position(|other| Some(other.as_str()) == answer)
    }

    /// The quote that was said in these words, if it is one.
    pub(crate) fn find(&self, said: &str) -> Option<usize> {
        self.quotes.iter().position(|quote| said.contains(&quote.said()))
    }
}

impl Sentence<'_> {
    fn quote(&self, (side, sure): (usize, f64), newest: Option<Date>) -> Quote {
        let quality = evidence::quality(self.text, &QualityWeights::default()).overall;
        let seen = if expects(self.text) { EXPECTED } else { 1.0 };
        let passage = self.passage;
        Quote {
            text: self.text.to_owned(),
            passage: passage.id.clone(),
            document: passage.document.clone(),
            place: place(passage, self.span),
            date: passage.date,
            source: passage.source.clone(),
            side,
            weight: sure * (0.5 + quality) * seen * recency(passage.date, newest),
            vector: self.vector.clone(),
        }
    }
}

/// What a document weighs by its date, beside the newest: 1 to 0.5. One without a date is taken for old.
fn recency(date: Option<Date>, newest: Option<Date>) -> f64 {
    let Some(newest) = newest else { return 1.0 };
    let Some(age) = date.and_then(|date| newest.since(date).ok()) else { return 0.75 };
    let days = f64::from(age.get_days());
    0.5 + 0.5 * 0.5f64.powf(days / HALF_LIFE_DAYS)
}

/// The sentences that can be quoted: whole statements, no orders to whoever reads them.
fn sentences(passages: &[Passage]) -> Vec<Sentence<'_>> {
    let mut found: Vec<Sentence<'_>> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for passage in passages.iter().take(limits::PASSAGES) {
        let reading = Reading::new(&passage.text);
        let orders = reading.instructions();
        for span in reading.sentence_spans() {
            let Some(text) = span.of(&passage.text).map(str::trim) else { continue };
            let words = text.split_whitespace().count();
            let quotable = words >= limits::SENTENCE_WORDS_MIN
                && text.len() <= limits::SENTENCE_BYTES
                && !text.ends_with(['?', ':'])
                && !text.contains('\n')
                && orders.iter().all(|order| !order.span.overlaps(span));
            if quotable && known.insert(text) {
                found.push(Sentence { passage, span, text, vector: None, cosine: 0.0 });
            }
        }
    }
    found
}

/// Those of documents that are on the question, the nearest documents first where there are too many.
fn on_the_question<'p>(
    question: &str,
    mut sentences: Vec<Sentence<'p>>,
    models: Option<&Models>,
) -> Vec<Sentence<'p>> {
    let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
    let vectors = models.and_then(|models| {
        let asked = models.embedder.embed(&[question]).ok()?.pop()?;
        Some((asked, models.embedder.embed(&texts).ok()?))
    });
    let topic = Topic::new(&Reading::new(question));
    let mut documents: BTreeMap<&str, Nearness> = BTreeMap::new();
    for (at, sentence) in sentences.iter_mut().enumerate() {
        let near = documents.entry(&sentence.passage.document).or_default();
        near.named |= names(&topic, sentence.text) || names(&topic, &sentence.passage.heading);
        if let Some((asked, vectors)) = &vectors {
            let vector = vectors.get(at).cloned();
            let cosine = vector.as_ref().map_or(0.0, |vector| asked.cosine(vector));
            near.cosine = near.cosine.max(cosine);
            sentence.cosine = cosine;
            sentence.vector = vector;
        }
    }
    let by_meaning = vectors.is_some();
    // Where one document is on the question, others in its company need less to be.
    let company = documents.values().any(|near| near.is_on_it(by_meaning));
    sentences.retain(|sentence| {
        let near = documents.get(sentence.passage.document.as_str());
        near.is_some_and(|near| company && (near.is_on_it(by_meaning) || near.cosine >= IN_COMPANY))
    });
    nearest(sentences)
}

/// The nearest of too many sentences, in the order of the documents.
fn nearest(mut sentences: Vec<Sentence<'_>>) -> Vec<Sentence<'_>> {
    let mut cosines: Vec<f32> = sentences.iter().map(|sentence| sentence.cosine).collect();
    cosines.sort_by(|a, b| b.total_cmp(a));
    if let Some(bar) = cosines.get(limits::SENTENCES) {
        sentences.retain(|sentence| sentence.cosine > *bar);
    }
    sentences.truncate(limits::SENTENCES);
    sentences
}

/// How near a document is to the question.
#[derive(Clone, Copy, Debug, Default)]
struct Nearness {
    named: bool,
    cosine: f32,
}

impl Nearness {
    fn is_on_it(self, by_meaning: bool) -> bool {
        match (by_meaning, self.named) {
            (false, named) => named,
            (true, true) => self.cosine >= NEAR_BY_NAME,
            (true, false) => self.cosine >= NEAR,
        }
    }
}

/// Whether a text names something the question is about.
fn names(topic: &Topic, text: &str) -> bool {
    Reading::new(text).claims().iter().any(|claim| topic.mentions(claim))
}
