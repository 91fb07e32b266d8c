//! Two statements of one agent side by side: what became of the first?
//!
//! Lines are compared as they stand; of long answers the position on the question, or else the
//! statements that come again. Rules decide; where they see nothing in common or are not sure, a model
//! is asked, for all pairs at once.

use std::fmt::Write as _;

use rayon::prelude::*;
use rebuttal_model::{FlipKind, Method, Span, Stance};
use rebuttal_semantics::Pair;
use rebuttal_text::{Reading, Topic};

use super::answer::{Answers, lead, side};
use super::line::{self, Found, Line, Says, Stated, given_up, is_reversal};
use super::{Comparison, FlipOutcome, Statements, doubt, matched, options, statements, steady};
use crate::pair::{CueKind, Wording, is_same};
use crate::reader::{Models, Reader};
use crate::seed;

/// Longest text compared as one statement, in bytes, and in sentences.
const LINE_BYTES: usize = 320;
const LINE_SENTENCES: usize = 2;

/// What became of `before`, given what the same agent says `after` it, both in answer to `question`
/// where there is one.
pub fn compare(
    before: &str,
    after: &str,
    question: Option<&str>,
    reader: Reader<'_>,
) -> Comparison {
    let pair = Statements { before, after, question, reply_to: None };
    let found = compare_all(&[pair], reader).pop();
    found.unwrap_or_else(|| told(pair, &unread(), Method::Rules))
}

/// [`compare`] for many pairs, in order; rules on all cores, a model in batches.
pub fn compare_all(pairs: &[Statements<'_>], reader: Reader<'_>) -> Vec<Comparison> {
    let rules = |pair: &Statements<'_>| by_rules(*pair);
    match reader {
        Reader::Seed => pairs.iter().map(|pair| by_seed(*pair)).collect(),
        Reader::Rules | Reader::Model(_) => {
            // One pair is not worth a second thread.
            let found: Vec<Judged> = if pairs.len() > 1 {
                pairs.par_iter().map(rules).collect()
            } else {
                pairs.iter().map(rules).collect()
            };
            if let Some(models) = reader.models() {
                return with_models(pairs, found, models);
            }
            let told = |(pair, judged): (&Statements<'_>, Judged)| {
                told(*pair, &judged.found, Method::Rules)
            };
            pairs.iter().zip(found).map(told).collect()
        }
    }
}

/// What the rules found, and whether a model should be asked about the two lines.
struct Judged {
    found: Found,
    ask: bool,
}

fn unread() -> Found {
    Found::new(FlipOutcome::Unrelated, 0.0, 0.0, "nothing was read")
}

fn by_rules(pair: Statements<'_>) -> Judged {
    if is_same(pair.before, pair.after) {
        return repeated();
    }
    let (before, after) = (Reading::new(pair.before), Reading::new(pair.after));
    if is_line(&before) && is_line(&after) {
        return lines(pair, &Line::new(&before), &Line::new(&after));
    }
    Judged { found: long(pair, &before, &after), ask: false }
}

/// What each answer to "this or that?" chooses. Neither yes nor no is a side of such a question.
fn choices(pair: Statements<'_>, before: &Reading<'_>, after: &Reading<'_>) -> Option<Found> {
    let options = options::options(pair.question?);
    if options.is_empty() {
        return None;
    }
    let pick = |reading: &Reading<'_>| {
        options::pick(reading.original(), reading.sentence_spans(), &options, pair.question?)
    };
    let ((one, was), (two, is)) = (pick(before)?, pick(after)?);
    if one == two {
        let found = Found::new(FlipOutcome::Same, 1.0, 0.8, "it chooses the same");
        return Some(found.at(Some(was), Some(is)));
    }
    let topic = Topic::new(before);
    let said = after.acknowledgment_on(Some(&topic)).map(|cue| cue.span);
    let found = Found::new(CONTRADICTED, 0.8, 0.9, "it chooses another");
    Some(given_up(Found { acknowledgment: said, ..found.at(Some(was), Some(is)) }))
}

/// A claim that was read, to be compared with many others.
#[derive(Debug)]
pub(super) struct Claim {
    wording: Wording,
    /// Only of a line; how a long text is read depends on what it is compared with.
    line: Option<Line>,
}

impl Claim {
    pub(super) fn new(text: &str) -> Self {
        let reading = Reading::new(text);
        let line = is_line(&reading).then(|| Line::new(&reading));
        Self { wording: Wording::new(text), line }
    }

    /// A line that says that its speaker changed its mind, or takes something back.
    pub(super) fn takes_back(&self) -> bool {
        self.line.as_ref().is_some_and(|line| line.says == Says::TakesBack)
    }
}

/// [`compare`] by rules alone, for claims that were read: what became of the first, and the rest of the
/// answer for whoever wants it told.
pub(super) fn compare_read(
    pair: Statements<'_>,
    before: &Claim,
    after: &Claim,
) -> (FlipOutcome, impl FnOnce() -> Comparison) {
    let judged = if before.wording.is_same(pair.before, &after.wording, pair.after) {
        repeated()
    } else if let (Some(one), Some(two)) = (&before.line, &after.line) {
        lines(pair, one, two)
    } else {
        let (before, after) = (Reading::new(pair.before), Reading::new(pair.after));
        Judged { found: long(pair, &before, &after), ask: false }
    };
    (judged.found.outcome, move || told(pair, &judged.found, Method::Rules))
}

fn repeated() -> Judged {
    let found = Found::new(FlipOutcome::Same, 1.0, 1.0, "it says the same, word for word");
    Judged { found, ask: false }
}

/// Two lines: their words, and where those are not on one matter, the sides they take on the question.
fn lines(pair: Statements<'_>, before: &Line, after: &Line) -> Judged {
    let (one, two) =
        (Stated { text: pair.before, line: before }, Stated { text: pair.after, line: after });
    let found = by_sentence(pair, (before, after), line::compare_stated(one, two));
    let ask = doubt::is_in_doubt(&found);
    let Some(question) = pair.question.map(Reading::new) else { return Judged { found, ask } };
    let (before, after) = (Reading::new(pair.before), Reading::new(pair.after));
    if let Some(found) = choices(pair, &before, &after) {
        return Judged { found, ask: false };
    }
    // What is said of another thing than the question's takes no side of it, unless it answers.
    if is_elsewhere(&found) && !answers(pair.after) {
        return Judged { found, ask: false };
    }
    match sides(&before, &after, &question) {
        Some(Sides::One) if found.outcome == CONTRADICTED => {
            let why = "it is on the side it was on";
            let found = Found::new(FlipOutcome::Same, found.similarity, 0.6, why);
            return Judged { found, ask: false };
        }
        Some(Sides::Two { said, was, is }) if !is_reversal(found.outcome) => {
            let why = "it is on the other side now";
            let turned = Found::new(CONTRADICTED, found.similarity, 0.7, why);
            let found = given_up(Found { acknowledgment: said, ..turned.at(was, is) });
            return Judged { found, ask: false };
        }
        _ => {}
    }
    if matches!(found.outcome, FlipOutcome::Changed(_)) {
        return Judged { found, ask };
    }
    let answers = Answers::new(&before, &after, &question)
        .map(|answers| answers.compare(pair))
        .filter(|answered| answered.confidence > 0.0);
    match answers {
        Some(answered) => Judged { found: answered, ask: false },
        None => Judged { found, ask },
    }
}

/// Two lines that have little in common as a whole may have a sentence in common: the reasons that are
/// given with a statement differ each time.
fn by_sentence(pair: Statements<'_>, (before, after): (&Line, &Line), found: Found) -> Found {
    const SHARED: f64 = 0.1;
    const SURE: f64 = 0.8;
    let again = found.outcome == FlipOutcome::Same;
    let open = (found.outcome == FlipOutcome::Unrelated || again) && !found.settled;
    let found = if open && before.sentences + after.sentences > 2 && found.similarity >= SHARED {
        let (one, two) = (Reading::new(pair.before), Reading::new(pair.after));
        let said = two.acknowledgment_on(Some(&Topic::new(&one))).map(|cue| cue.span);
        let inner = statements::compare(&one, &two, false)
            .map(|inner| Found { acknowledgment: inner.acknowledgment.or(said), ..inner });
        // What is the same as a whole has changed only if one of its sentences has.
        let inner =
            inner.filter(|inner| !again || matches!(inner.outcome, FlipOutcome::Changed(_)));
        inner.map_or(found, given_up)
    } else {
        found
    };
    // Whoever says that it holds on has changed nothing but a number.
    let same = matches!(found.outcome, FlipOutcome::Same | FlipOutcome::Unrelated);
    let only_said = found.outcome == FlipOutcome::Changed(FlipKind::Refinement) && !found.adjusts;
    let doubtful = found.outcome == CONTRADICTED && found.confidence < SURE;
    if (same || only_said || doubtful)
        && found.acknowledgment.is_none()
        && after.says == Says::HoldsOn
    {
        let outcome = if same { found.outcome } else { FlipOutcome::Same };
        return Found { outcome, settled: true, ..found };
    }
    found
}

/// Whether two lines are about two things, by name or as subjects, and the second does not begin by
/// answering.
pub(super) fn on_two_things(before: &str, after: &str) -> bool {
    let (one, two) = (Reading::new(before), Reading::new(after));
    let lines = is_line(&one) && is_line(&two) && !answers(after);
    lines && is_elsewhere(&line::compare(&one, &two))
}

fn is_elsewhere(found: &Found) -> bool {
    found.settled && found.outcome == FlipOutcome::Unrelated
}

/// Opens with a yes or no.
fn answers(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    first.is_some_and(|word| ["yes", "no"].iter().any(|it| word.eq_ignore_ascii_case(it)))
}

const CONTRADICTED: FlipOutcome = FlipOutcome::Changed(FlipKind::Contradiction);
const QUALIFIED: FlipOutcome = FlipOutcome::Changed(FlipKind::Qualification);

/// On which sides of a question two lines are.
enum Sides {
    One,
    /// On two: where each says so, and where the later says that its speaker's mind changed.
    Two {
        said: Option<Span>,
        was: Option<Span>,
        is: Option<Span>,
    },
}

/// Where both lines say which side they are on, that decides: an audit reads them the same way, and the
/// ledger must not tell another story.
fn sides(before: &Reading<'_>, after: &Reading<'_>, question: &Reading<'_>) -> Option<Sides> {
    let topic = Topic::new(question);
    let (one, two) = (held(before, &topic), held(after, &topic));
    if one.opposes(two) {
        let said = after.acknowledgment_on(Some(&topic)).map(|cue| cue.span);
        let (was, is) = (side(before, &topic).span, side(after, &topic).span);
        return Some(Sides::Two { said, was, is });
    }
    (one == two && one != Stance::Unclear).then_some(Sides::One)
}

/// The side of a line; whoever remains on one names it.
fn held(reading: &Reading<'_>, topic: &Topic) -> Stance {
    const AGAINST: [&str; 3] = ["i remain opposed", "i remain against", "i remain sceptical"];
    const FOR: [&str; 3] =
        ["i remain in favour", "i remain in favor", "i remain convinced that we should"];
    let text = reading.original().to_lowercase();
    let says = |known: &[&str]| known.iter().any(|words| text.contains(words));
    match (says(&AGAINST), says(&FOR)) {
        (true, false) => Stance::No,
        (false, true) => Stance::Yes,
        // The good and bad that a line merely tells of holds nobody to a side.
        _ => reading.position(Some(topic)).stance,
    }
}

fn is_line(reading: &Reading<'_>) -> bool {
    reading.original().len() <= LINE_BYTES && reading.sentence_spans().count() <= LINE_SENTENCES
}

/// A long answer: its position on the question; without one, on what the first text leads with. What
/// is stated of details counts where it breaks.
fn long(pair: Statements<'_>, before: &Reading<'_>, after: &Reading<'_>) -> Found {
    if let Some(found) = choices(pair, before, after).filter(|it| is_reversal(it.outcome)) {
        return found;
    }
    if let Some(found) = leads(pair, before, after) {
        return found;
    }
    let steady = steady::holds_on(pair.after);
    if let Some(found) = stated(pair, before, after, steady) {
        return found;
    }
    let asked = pair.question.unwrap_or_else(|| lead(before).of(pair.before).unwrap_or_default());
    let question = Reading::new(asked);
    let answers = Answers::new(before, after, &question).map(|answers| answers.compare(pair));
    // A detail that is denied by somebody who says that its mind has changed is given up.
    let said = || {
        let on = |reading: &Reading<'_>| after.acknowledgment_on(Some(&Topic::new(reading)));
        on(&question).or_else(|| on(before)).map(|cue| cue.span)
    };
    let details = || {
        let detail = matched::compare(before, after)?;
        if steady && is_reversal(detail.outcome) {
            return None;
        }
        Some(given_up(Found { acknowledgment: said(), ..detail }))
    };
    match answers {
        Some(found) if found.outcome != FlipOutcome::Same => found,
        Some(found) => match details() {
            Some(detail) if breaks(&detail, pair) => detail,
            _ => same_or_apart(pair, found),
        },
        None => details().unwrap_or_else(|| {
            let found = line::compare(before, after);
            match found.outcome {
                FlipOutcome::Changed(FlipKind::Retraction) => found,
                _ => same_or_apart(pair, Found { outcome: FlipOutcome::Same, ..found }),
            }
        }),
    }
}

/// Without a question, what became of the statements that come again; what the speaker takes back of
/// them is taken back, and what is concluded again is held.
fn stated(
    pair: Statements<'_>,
    before: &Reading<'_>,
    after: &Reading<'_>,
    steady: bool,
) -> Option<Found> {
    if pair.question.is_some() {
        return None;
    }
    let topic = Topic::new(before);
    let said = after.acknowledgment_on(Some(&topic)).map(|cue| cue.span);
    let found = statements::compare(before, after, steady);
    let found = found.map(|it| Found { acknowledgment: it.acknowledgment.or(said), ..it });
    let changed = found.as_ref().is_some_and(|it| matches!(it.outcome, FlipOutcome::Changed(_)));
    let reversed = found.as_ref().is_some_and(|it| is_reversal(it.outcome));
    if let Some(narrows) = after.narrows().filter(|_| !reversed) {
        let why = "it says that it went too far";
        let likeness = found.as_ref().map_or(0.5, |it| it.similarity);
        let (was, is) = found.as_ref().map_or((None, None), |it| (it.before, it.after));
        let narrowed = Found::new(QUALIFIED, likeness, 0.7, why).at(was, is.or(Some(narrows.span)));
        return Some(Found { acknowledgment: Some(narrows.span), ..narrowed });
    }
    if !changed && let Some(back) = after.withdrawal_on(Some(&topic)).filter(|_| !steady) {
        let why = "it takes back what it said";
        let taken = Found::new(FlipOutcome::Changed(FlipKind::Retraction), 0.5, 0.6, why);
        return Some(Found { acknowledgment: Some(back.span), ..taken.at(None, Some(back.span)) });
    }
    let found = found.filter(|it| changed || it.settled)?;
    let corrects = after.corrects().filter(|_| found.outcome == FlipOutcome::Same);
    match corrects {
        Some(cue) => {
            let why = "it puts a detail right and holds on to the rest";
            let right = FlipOutcome::Changed(FlipKind::Refinement);
            let said = Some(cue.span);
            Some(Found { outcome: right, acknowledgment: said, confidence: 0.6, why, ..found })
        }
        None => Some(given_up(found)),
    }
}

/// Without a question, what both texts open with: whoever opens with the opposite of what it opened
/// with has turned round, whatever comes after.
fn leads(pair: Statements<'_>, before: &Reading<'_>, after: &Reading<'_>) -> Option<Found> {
    const SURE: f64 = 0.8;
    if pair.question.is_some() {
        return None;
    }
    let (one, two) = (before.sentence_spans().next()?, after.sentence_spans().next()?);
    let (first, second) = (one.of(pair.before)?, two.of(pair.after)?);
    let found = line::compare(&Reading::new(first), &Reading::new(second));
    let turned = is_reversal(found.outcome) && found.confidence >= SURE;
    let said = || after.acknowledgment_on(Some(&Topic::new(&Reading::new(first))));
    let place = |inner: Option<Span>, outer: Span| {
        Some(inner.map_or(outer, |span| span.shifted(outer.start())))
    };
    turned.then(|| {
        let (was, is) = (place(found.before, one), place(found.after, two));
        let said = said().map(|cue| cue.span);
        given_up(Found { acknowledgment: said, ..found.at(was, is) })
    })
}

/// A detail that surely cannot hold beside what was said before. Answers to a question deny and affirm
/// much by the way; of these only numbers count.
fn breaks(detail: &Found, pair: Statements<'_>) -> bool {
    const SURE: f64 = 0.8;
    let counts = pair.question.is_none() || detail.cue == Some(CueKind::Number);
    is_reversal(detail.outcome) && counts && detail.confidence >= SURE
}

/// Answers to one question are on one matter; without a question they are if they share their words.
fn same_or_apart(pair: Statements<'_>, found: Found) -> Found {
    const SHARED: f64 = 0.25;
    if pair.question.is_some() || found.similarity >= SHARED {
        return found;
    }
    let apart = 1.0 - found.similarity;
    Found::new(FlipOutcome::Unrelated, found.similarity, apart, "they are on other matters")
}

fn with_models(pairs: &[Statements<'_>], found: Vec<Judged>, models: &Models) -> Vec<Comparison> {
    let doubtful: Vec<usize> =
        (0..pairs.len()).filter(|at| found.get(*at).is_some_and(|judged| judged.ask)).collect();
    let asked: Vec<Pair<'_>> = doubtful
        .iter()
        .filter_map(|at| pairs.get(*at))
        .map(|pair| Pair { premise: pair.before, hypothesis: pair.after })
        .collect();
    let mut answers = doubtful.into_iter().zip(doubt::ask(models, &asked)).peekable();
    let settle = |(at, (pair, judged)): (usize, (&Statements<'_>, Judged))| {
        let answer = answers.next_if(|(place, _)| *place == at).and_then(|(_, answer)| answer);
        match answer {
            Some(answer) => told(*pair, &doubt::settle(judged.found, answer), Method::Model),
            None => told(*pair, &judged.found, Method::Rules),
        }
    };
    pairs.iter().zip(found).enumerate().map(settle).collect()
}

fn by_seed(pair: Statements<'_>) -> Comparison {
    let kind = seed::flip_in_words(pair.before, pair.after).kind();
    let similarity = seed::similarity(pair.before, pair.after);
    let why = "the seed documents' lists say so";
    let found = Found::new(FlipOutcome::Changed(kind), similarity, 1.0, why);
    let acknowledgment = seed::acknowledgment(pair.after);
    told(pair, &Found { acknowledgment, ..found }, Method::Seed)
}

/// What was found, with a sentence that says so.
fn told(pair: Statements<'_>, found: &Found, method: Method) -> Comparison {
    let whole = |text: &str| Span::new(0, text.len());
    let (before, after) = (
        found.before.unwrap_or_else(|| whole(pair.before)),
        found.after.unwrap_or_else(|| whole(pair.after)),
    );
    let what = match found.outcome {
        FlipOutcome::Same => "Same",
        FlipOutcome::Unrelated => "Unrelated",
        FlipOutcome::Changed(FlipKind::Refinement) => "Refinement",
        FlipOutcome::Changed(FlipKind::Qualification) => "Qualification",
        FlipOutcome::Changed(FlipKind::Retraction) => "Retraction",
        FlipOutcome::Changed(FlipKind::Contradiction) => "Contradiction",
    };
    let mut explanation = format!("{what}: {}", found.why);
    if let (FlipOutcome::Changed(_), Some(one), Some(two)) =
        (found.outcome, short(pair.before, before), short(pair.after, after))
    {
        let _ = write!(explanation, " (“{one}” → “{two}”)");
    }
    explanation.push('.');
    Comparison {
        outcome: found.outcome,
        similarity: found.similarity.clamp(0.0, 1.0),
        confidence: found.confidence.clamp(0.0, 1.0),
        before,
        after,
        acknowledgment: found.acknowledgment,
        method,
        explanation,
    }
}

/// The words under a span on one line, cut where they are too many for a sentence.
fn short(text: &str, span: Span) -> Option<String> {
    const CHARS: usize = 80;
    let words = span.of(text)?.split_whitespace().collect::<Vec<&str>>().join(" ");
    let mut cut: String = words.chars().take(CHARS).collect();
    if cut.len() < words.len() {
        cut.push('…');
    }
    Some(cut).filter(|words| !words.is_empty())
}
