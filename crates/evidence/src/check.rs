//! Whether a passage says what it is cited for.
//!
//! In this order: the passage is one that was given, it gives no orders to agents, words in quotation marks
//! stand there ([`quote`]), numbers, units and times are those of the passage ([`figures`]), and it speaks for
//! the claim ([`support`]). The first that fails is the verdict. What fails in the passage that was named is
//! looked for in the rest of its document, then in the others: who names the wrong lines is right, who names
//! the wrong document is not.

mod figures;
mod quote;
mod support;

use rebuttal_detect::Reader;
use rebuttal_model::{CitationVerdict as Verdict, Passage, PassageId, Span};
use rebuttal_text::Reading;
use serde::{Deserialize, Serialize};

use crate::Index;
use figures::Compared;
use support::Support;

/// Passages that are looked at for a claim beside the one it names.
const NEAR: usize = 4;
/// From this share of its words on, a passage speaks of what the claim says.
const SPEAKS: f32 = 0.5;
/// From this share on, with all numbers of the claim in it, it says so.
const GIVES: f32 = 0.25;
/// From this share on, it is about hardly anything else.
const SAYS: f32 = 0.7;
/// From this chance on, the claim follows from the passage.
const FOLLOWS: f32 = 0.5;
/// From this chance on, both cannot hold.
const CONTRADICTS: f32 = 0.7;

/// What somebody cites for a claim: any of these. Without any, the nearest passages are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The passage, by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<PassageId>,
    /// The document, by its path or the last parts of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Words that are said to stand there, beside those in quotation marks in the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// A checked citation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// What came of it.
    pub verdict: Verdict,
    /// The passage that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<PassageId>,
    /// The part of the claim that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_claim: Option<Span>,
    /// The part of the passage that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_passage: Option<Span>,
    /// A sentence for people.
    pub why: String,
}

impl Checked {
    fn new(verdict: Verdict, why: impl Into<String>) -> Self {
        Self { verdict, passage: None, in_claim: None, in_passage: None, why: why.into() }
    }

    fn of(self, passage: &Passage) -> Self {
        Self { passage: Some(passage.id.clone()), ..self }
    }

    fn at(self, in_claim: Option<Span>, in_passage: Option<Span>) -> Self {
        Self { in_claim, in_passage, ..self }
    }
}

/// Checks one claim, a sentence or two, against what it cites.
pub fn check(claim: &str, citation: &Citation, index: &Index, reader: Reader<'_>) -> Checked {
    let claim = claim.get(..claim.floor_char_boundary(crate::limits::QUERY_CHARS)).unwrap_or(claim);
    let own = Checker { claim: Reading::new(claim), citation, index, reader };
    match own.cited() {
        Cited::Given(passages) => own.given(&passages),
        Cited::Free => own.free(),
        Cited::Wrong(checked) => *checked,
    }
}

/// What a citation names.
enum Cited<'i> {
    /// These passages, the nearest to the claim first.
    Given(Vec<&'i Passage>),
    /// Nothing: any passage will do.
    Free,
    /// Nothing that could be looked at.
    Wrong(Box<Checked>),
}

struct Checker<'c> {
    claim: Reading<'c>,
    citation: &'c Citation,
    index: &'c Index,
    reader: Reader<'c>,
}

impl<'c> Checker<'c> {
    fn cited(&self) -> Cited<'c> {
        let wrong = |verdict, why: String| Cited::Wrong(Box::new(Checked::new(verdict, why)));
        if let Some(id) = &self.citation.passage {
            return match self.index.get(id) {
                Some(passage) => Cited::Given(self.beside(passage)),
                None => {
                    wrong(Verdict::NotFound, format!("there is no passage {id} in the evidence"))
                }
            };
        }
        let Some(name) = &self.citation.document else { return Cited::Free };
        let documents = self.index.documents(name);
        match documents.as_slice() {
            [] => {
                wrong(Verdict::NotFound, format!("there is no document “{name}” in the evidence"))
            }
            [document] => Cited::Given(self.of_document(document)),
            several => {
                let names = several.join(", ");
                let why = format!(
                    "“{name}” may be any of {names}; name more of its path, or the passage"
                );
                wrong(Verdict::Unchecked, why)
            }
        }
    }

    /// The passage that is named, then the nearest of its document.
    fn beside(&self, passage: &'c Passage) -> Vec<&'c Passage> {
        let mut all = vec![passage];
        let others = self.of_document(&passage.document);
        all.extend(others.into_iter().filter(|it| it.id != passage.id));
        all
    }

    fn of_document(&self, document: &str) -> Vec<&'c Passage> {
        let hits = self.index.search_in(self.claim.original(), NEAR, |it| it.document == document);
        hits.into_iter().map(|hit| hit.passage).collect()
    }

    fn given(&self, passages: &[&'c Passage]) -> Checked {
        let Some(first) = passages.first() else {
            return Checked::new(Verdict::Unsupported, "the document says nothing of the kind");
        };
        let quotes = self.quotes();
        let mut own = self.against(first, &quotes);
        if !own.checked.verdict.failed() || own.checked.verdict == Verdict::Instructions {
            return own.checked;
        }
        for passage in passages.iter().skip(1) {
            let other = self.against(passage, &quotes);
            if other.checked.verdict == Verdict::Supported {
                let place = format!("{}; it stands in {}", other.checked.why, passage.locator());
                return Checked { why: place, ..other.checked };
            }
            // Without a passage named, the one that speaks of it most says what is wrong.
            if self.citation.passage.is_none() && other.weight > own.weight {
                own = other;
            }
        }
        self.elsewhere(&first.document, &quotes, own)
    }

    /// Looks for what a document does not say in the others.
    fn elsewhere(&self, document: &str, quotes: &[String], own: Judged) -> Checked {
        let hits = self.index.search_in(self.claim.original(), NEAR, |it| it.document != document);
        for hit in hits {
            let other = self.against(hit.passage, quotes);
            let surer = other.weight >= SAYS && other.weight >= own.weight;
            if other.checked.verdict == Verdict::Supported && surer {
                let place = hit.passage.locator();
                let why = format!("the cited document does not say so; {place} does");
                let found = Checked::new(Verdict::WrongDocument, why).of(hit.passage);
                return found.at(None, other.checked.in_passage);
            }
        }
        own.checked
    }

    /// A claim that cites nothing: what the nearest passages say of it.
    fn free(&self) -> Checked {
        let quotes = self.quotes();
        let mut best: Option<Judged> = None;
        for hit in self.index.search(self.claim.original(), NEAR) {
            let judged = self.against(hit.passage, &quotes);
            if judged.checked.verdict == Verdict::Supported && judged.weight >= SPEAKS {
                return judged.checked;
            }
            let speaks = judged.weight >= SPEAKS && judged.checked.verdict != Verdict::Unsupported;
            let denies = judged.denies && judged.weight >= SPEAKS;
            if (speaks || denies) && best.as_ref().is_none_or(|it| judged.weight > it.weight) {
                best = Some(judged);
            }
        }
        match best {
            Some(judged) => judged.checked,
            None => Checked::new(Verdict::NotFound, "no passage speaks of it"),
        }
    }

    /// What is said to stand there word for word.
    fn quotes(&self) -> Vec<String> {
        let text = self.claim.original();
        let own = quote::quoted(text).into_iter().filter_map(|span| span.of(text));
        let own = own.map(ToOwned::to_owned);
        self.citation.quote.iter().filter(|it| !it.trim().is_empty()).cloned().chain(own).collect()
    }

    fn against(&self, passage: &Passage, quotes: &[String]) -> Judged {
        let reading = Reading::new(&passage.text);
        let support = self.support(passage, &reading);
        let judged = |checked: Checked| Judged {
            checked: checked.of(passage),
            weight: support.covered,
            denies: support.contradicts >= CONTRADICTS,
        };
        if let Some(order) = reading.instructions().first() {
            let why = "the passage gives orders to agents and is no evidence";
            return judged(Checked::new(Verdict::Instructions, why).at(None, Some(order.span)));
        }
        let mut literal = None;
        for words in quotes {
            literal = quote::find(words, &passage.text);
            if literal.is_none() {
                let why = "the words in quotation marks do not stand there";
                let in_claim = self.claim.original().find(words.as_str());
                let in_claim = in_claim.map(|at| Span::new(at, at + words.len()));
                return judged(Checked::new(Verdict::Misquoted, why).at(in_claim, support.nearest));
            }
        }
        let compared = self.figures(passage);
        judged(verdict(&support, &compared, literal))
    }

    fn support(&self, passage: &Passage, reading: &Reading<'_>) -> Support {
        let around = format!("{} {}", passage.heading, passage.document);
        support::support(&self.claim, reading, &around, (self.index, self.reader))
    }

    /// The claim's figures beside those of the passage under its headings.
    fn figures(&self, passage: &Passage) -> Compared {
        let head = match passage.heading.as_str() {
            "" => String::new(),
            heading => format!("# {heading}\n\n"),
        };
        let text = format!("{head}{}", passage.text);
        let mut compared = figures::compare(&self.claim, &Reading::new(&text));
        for wrong in &mut compared.wrong {
            let own = |at: usize| at.saturating_sub(head.len());
            wrong.in_passage =
                Span::new(own(wrong.in_passage.start()), own(wrong.in_passage.end()));
        }
        compared
    }
}

/// What one passage says of a claim.
struct Judged {
    checked: Checked,
    /// Share of the claim's words that it has.
    weight: f32,
    /// Both cannot hold.
    denies: bool,
}

/// The verdict on a passage whose quotes are literal.
fn verdict(support: &Support, compared: &Compared, literal: Option<Span>) -> Checked {
    let speaks = support.covered >= SPEAKS || support.follows >= FOLLOWS || literal.is_some();
    if let Some(wrong) = compared.wrong.first().filter(|_| speaks) {
        let why = match wrong.verdict {
            Verdict::WrongUnit => "the passage gives the number in another unit",
            Verdict::WrongPeriod => "the passage speaks of another time",
            _ => "the passage gives another number",
        };
        return Checked::new(wrong.verdict, why).at(Some(wrong.in_claim), Some(wrong.in_passage));
    }
    let at = literal.or(support.nearest);
    if let Some(absent) = compared.absent.first().filter(|_| literal.is_none()) {
        let why = "the passage gives no such number";
        return Checked::new(Verdict::Unsupported, why).at(Some(*absent), at);
    }
    // A number or quoted words that stand there speak for the claim.
    let stands = compared.given > 0 || literal.is_some();
    if support.contradicts >= CONTRADICTS && support.follows < FOLLOWS && !stands {
        return Checked::new(Verdict::Unsupported, "the passage says the opposite").at(None, at);
    }
    let says = support.covered >= SAYS || support.follows >= FOLLOWS;
    // Its numbers stand there, so that fewer words are enough.
    let gives = compared.given > 0 && support.covered >= GIVES;
    if says || gives || literal.is_some() {
        let why = if literal.is_some() { "the words stand there" } else { "the passage says so" };
        return Checked::new(Verdict::Supported, why).at(None, at);
    }
    Checked::new(Verdict::Unsupported, "the passage says nothing of the kind").at(None, at)
}
