//! Conflicting interpretations: rising and falling, safe and unsafe, adopt and avoid.
//!
//! Statements on the same matter are found by their words, and judged as a pair is: by negation and
//! opposites where the rest agrees, not by lists of good and bad words.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use rebuttal_model::{
    AgentId, Confidence, Contradiction, ContradictionKind, Method, Owner, Severity, Side, Span,
};
use rebuttal_semantics::Pair;
use rebuttal_text::{Reading, Term};

use super::Options;
use super::describe;
use super::judgement::{Judged, judge};
use super::statement::Statements;
use crate::{Models, Reader};

/// Words in more statements than this tell no matter.
const COMMON: usize = 64;

/// Most pairs of statements judged for one statement.
const CANDIDATES: usize = 8;

/// From what chance on a model alone is believed: it has no words to point at.
const SURE: f32 = 0.9;

/// Most pairs put to a model. A pair takes it some milliseconds.
const ASKED: usize = 512;

/// One sentence that states something.
pub(super) struct Stated {
    pub(super) report: usize,
    pub(super) agent: usize,
    pub(super) span: Span,
    pub(super) terms: Vec<Term>,
}

/// Statements of different agents that cannot both hold, other than those already found.
pub(super) fn contradictions(
    statements: &Statements<'_>,
    options: &Options,
    reader: Reader<'_>,
) -> Vec<Contradiction> {
    let stated = stated(statements);
    let index = index(&stated);
    let said = Said::new(&stated, statements);
    // Two trends have been compared as such.
    let trends: HashSet<(usize, Span)> =
        statements.trends.iter().map(|it| (it.report, it.trend.sentence)).collect();
    let trend = |it: &Stated| trends.contains(&(it.report, it.span));
    let mut ledger = Ledger { used: vec![false; stated.len()], out: Vec::new() };
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, one) in stated.iter().enumerate() {
        for other in candidates(at, one, &stated, &index) {
            let Some(two) = stated.get(other) else { continue };
            if ledger.has(at, other)
                || said.by_both(at, one, other, two)
                || trend(one) && trend(two)
            {
                continue;
            }
            let text = |it: &Stated| statements.text(it.report, it.span);
            match judge(text(one), text(two)) {
                Judged::Conflict(cue, chance) => {
                    let cue = Shown { one: cue.span_a, two: cue.span_b, why: cue.kind.as_str() };
                    let chance = f64::from(chance);
                    ledger.put(at, other, describe(one, two, &cue, chance, statements, options));
                }
                Judged::Open => open.push((at, other)),
                Judged::Apart => {}
            }
        }
    }
    if let Some(models) = reader.models() {
        ask(models, &open, &stated, statements, options, &mut ledger);
    }
    ledger.out
}

/// What was found, each statement once.
struct Ledger {
    used: Vec<bool>,
    out: Vec<Contradiction>,
}

impl Ledger {
    fn has(&self, one: usize, two: usize) -> bool {
        [one, two].iter().any(|at| self.used.get(*at) == Some(&true))
    }

    fn put(&mut self, one: usize, two: usize, found: Contradiction) {
        self.out.push(found);
        for at in [one, two] {
            if let Some(used) = self.used.get_mut(at) {
                *used = true;
            }
        }
    }
}

/// Puts the pairs that rules leave open to a model, in one batch.
fn ask(
    models: &Models<'_>,
    open: &[(usize, usize)],
    stated: &[Stated],
    statements: &Statements<'_>,
    options: &Options,
    ledger: &mut Ledger,
) {
    let both = |&(one, two): &(usize, usize)| Some((stated.get(one)?, stated.get(two)?));
    let text = |it: &Stated| statements.text(it.report, it.span);
    let asked: Vec<(usize, usize)> =
        open.iter().filter(|(one, two)| !ledger.has(*one, *two)).take(ASKED).copied().collect();
    let pairs: Vec<Pair<'_>> = asked
        .iter()
        .filter_map(|it| both(it).map(|(a, b)| Pair { premise: text(a), hypothesis: text(b) }))
        .collect();
    let Some(verdicts) = models.answer(models.inference.infer(&pairs)) else { return };
    for (pair, verdict) in asked.iter().zip(verdicts) {
        let Some((one, two)) = both(pair) else { continue };
        if verdict.contradiction < SURE || ledger.has(pair.0, pair.1) {
            continue;
        }
        let whole = |it: &Stated| Span::new(0, it.span.len());
        let cue = Shown { one: whole(one), two: whole(two), why: "they cannot both hold" };
        let found = describe(one, two, &cue, f64::from(verdict.contradiction), statements, options);
        ledger.put(pair.0, pair.1, Contradiction { method: Method::Model, ..found });
    }
}

/// Who says which words. What an agent says too, it does not contradict.
struct Said {
    words: Vec<u64>,
    by: HashSet<(u64, usize)>,
}

impl Said {
    fn new(stated: &[Stated], statements: &Statements<'_>) -> Self {
        let words: Vec<u64> = stated
            .iter()
            .map(|it| {
                let mut hasher = DefaultHasher::new();
                let text = statements.text(it.report, it.span);
                // Numbers are compared as figures: "Table 3 has it" and "Table 4 has it" say the same.
                let letters = text.bytes().filter(u8::is_ascii_alphabetic);
                letters.for_each(|byte| byte.to_ascii_lowercase().hash(&mut hasher));
                hasher.finish()
            })
            .collect();
        let by = words.iter().zip(stated).map(|(words, it)| (*words, it.agent)).collect();
        Self { words, by }
    }

    fn by_both(&self, at: usize, one: &Stated, other: usize, two: &Stated) -> bool {
        let says = |at: usize, agent: usize| {
            self.words.get(at).is_some_and(|words| self.by.contains(&(*words, agent)))
        };
        says(at, two.agent) || says(other, one.agent)
    }
}

/// The sentences with a claim of the speaker's own.
fn stated(statements: &Statements<'_>) -> Vec<Stated> {
    let mut out: Vec<Stated> = Vec::new();
    for (report, reading) in statements.readings.iter().enumerate() {
        let agent = statements.agents.get(report).copied().unwrap_or(report);
        let sentences: Vec<Span> = reading.sentence_spans().collect();
        for claim in reading.claims().into_iter().filter(|it| it.owner == Owner::Speaker) {
            let at = sentences.partition_point(|it| it.end() <= claim.span.start());
            let span = sentences.get(at).copied().unwrap_or(claim.span);
            match out.last_mut().filter(|last| last.report == report && last.span == span) {
                Some(last) => last.terms.extend(claim.terms),
                None => out.push(Stated { report, agent, span, terms: claim.terms }),
            }
        }
    }
    // What has a value has been compared as a figure.
    let figures = statements.figures.iter().map(|it| (it.report, it.figure.sentence));
    let compared: HashSet<(usize, Span)> = figures.collect();
    out.retain(|it| !compared.contains(&(it.report, it.span)));
    for it in &mut out {
        it.terms.sort_unstable();
        it.terms.dedup();
    }
    out
}

fn index(stated: &[Stated]) -> HashMap<Term, Vec<usize>> {
    let mut index: HashMap<Term, Vec<usize>> = HashMap::new();
    for (at, it) in stated.iter().enumerate() {
        for term in &it.terms {
            let own = index.entry(*term).or_default();
            if own.len() <= COMMON {
                own.push(at);
            }
        }
    }
    index
}

/// Later statements of other agents that share the most words, the fullest overlap first.
fn candidates(
    at: usize,
    one: &Stated,
    stated: &[Stated],
    index: &HashMap<Term, Vec<usize>>,
) -> Vec<usize> {
    let mut seen: Vec<usize> = Vec::new();
    for term in &one.terms {
        let own = index.get(term).filter(|own| own.len() <= COMMON);
        seen.extend(own.into_iter().flatten().filter(|other| **other > at));
    }
    seen.sort_unstable();
    let mut counted: Vec<(usize, usize)> =
        seen.chunk_by(|a, b| a == b).filter_map(|run| Some((run.len(), *run.first()?))).collect();
    counted.retain(|(shared, other)| {
        stated.get(*other).is_some_and(|two| {
            let shorter = one.terms.len().min(two.terms.len());
            // Each may have one word of its own ("recommend", "team"), not a subject.
            let alone = (one.terms.len() - shared).min(two.terms.len() - shared);
            two.agent != one.agent && shared * 2 >= shorter && alone < 2
        })
    });
    counted.sort_by_key(|(shared, other)| (std::cmp::Reverse(*shared), *other));
    counted.into_iter().take(CANDIDATES).map(|it| it.1).collect()
}

/// The words of both that decide, within each sentence, and why.
pub(super) struct Shown {
    pub(super) one: Span,
    pub(super) two: Span,
    pub(super) why: &'static str,
}

pub(super) fn describe(
    one: &Stated,
    two: &Stated,
    cue: &Shown,
    chance: f64,
    statements: &Statements<'_>,
    options: &Options,
) -> Contradiction {
    let sides = vec![side(one, cue.one, statements), side(two, cue.two, statements)];
    let subject = subject(statements.text(one.report, one.span), cue.one);
    let stakes = [one, two].iter().filter_map(|it| statements.stakes(it.report, it.span)).max();
    let said: Vec<String> = sides
        .iter()
        .map(|side| format!("{} says \u{201c}{}\u{201d}", side.agent, side.shown))
        .collect();
    Contradiction {
        id: describe::id(ContradictionKind::Interpretation, &sides),
        kind: ContradictionKind::Interpretation,
        metric_name: describe::slug(None, &subject),
        explanation: format!("On {subject}: {}: {}.", said.join(", "), cue.why),
        metric: subject,
        entity: None,
        unit: None,
        relative_difference: None,
        severity: describe::weighed(Severity::High, stakes.unwrap_or(options.stakes)),
        confidence: Confidence::detector(chance),
        method: Method::Rules,
        apart: None,
        tolerance: None,
        sides,
    }
}

/// What it is about: the words before those that decide, else those behind.
fn subject(sentence: &str, deciding: Span) -> String {
    const WORDS: usize = 6;
    let words = Reading::new(sentence).content().words;
    let content = || words.iter().filter(|it| it.content);
    let before: Vec<Span> =
        content().map(|it| it.span).take_while(|it| it.end() <= deciding.start()).collect();
    let other = content().map(|it| it.span).filter(|it| !it.overlaps(deciding));
    let about = if before.is_empty() { other.take(WORDS).collect() } else { before };
    let last = about.iter().take(WORDS).copied().reduce(Span::join);
    let text = last.and_then(|span| span.of(sentence)).unwrap_or("this");
    text.to_owned()
}

fn side(stated: &Stated, span: Span, statements: &Statements<'_>) -> Side {
    let report = statements.reports.get(stated.report);
    let quote = statements.text(stated.report, stated.span).to_owned();
    let shown_span = span.shifted(stated.span.start());
    let cited = Reading::new(&quote).citations().first().map(|citation| {
        let text = |span: Span| span.of(&quote).unwrap_or_default().to_owned();
        rebuttal_model::Cited {
            text: text(citation.span),
            source: Some(text(citation.source)),
            period: citation
                .period
                .map(|period| rebuttal_model::When { text: text(period.span), days: period.dates }),
            quotes_value: citation.value.is_some(),
            locator: false,
        }
    });
    let period = Reading::new(&quote).periods().first().map(|period| rebuttal_model::When {
        text: period.span.of(&quote).unwrap_or_default().to_owned(),
        days: period.dates,
    });
    Side {
        agent: report.map_or_else(|| AgentId::new(""), |it| it.agent.clone()),
        report: stated.report,
        span: stated.span,
        shown: statements.text(stated.report, shown_span).to_owned(),
        shown_span,
        quote,
        value: None,
        period,
        citation: cited,
        confidence: statements.confidence(stated.report, stated.span).map(|it| it.0),
        source: report.and_then(|it| it.source.clone()),
    }
}
