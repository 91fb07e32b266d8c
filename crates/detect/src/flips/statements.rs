//! Texts of several sentences: what became of a statement that the later text makes again.
//!
//! Whoever answers at length gives reasons around what it holds, and the reasons differ each time. So
//! sentences are compared with sentences: first those that conclude or demand something, in either
//! text, then the rest. Each sentence looks for its like by the words they share, so that texts of any
//! length cost their length; the few pairs that share most are read side by side.

use std::collections::HashMap;

use rebuttal_model::{FlipKind, Owner, Span};
use rebuttal_text::{Reading, Term};

use super::FlipOutcome;
use super::line::{self, Found, is_reversal};

/// Most sentences of a text that are looked at.
const SENTENCES: usize = 128;
/// Most later sentences looked at for one word.
const PER_TERM: usize = 8;
/// Most pairs of sentences that are read side by side.
const PAIRS: usize = 8;
/// The least share of the earlier sentence's words that the later must have.
const ALIKE: f64 = 0.4;
/// How sure it is that a text says the same if a sentence of it does.
const HALF: f64 = 0.5;
const AGAIN: &str = "it says the same again";
const QUALIFIED: FlipOutcome = FlipOutcome::Changed(FlipKind::Qualification);
/// How sure a reversal must be of what a text does not conclude.
const SURE: f64 = 0.8;

/// Openings that only say that somebody now concludes, judges or says again. What follows is the
/// conclusion.
const CONCLUDES: [&str; 58] = [
    "overall, ",
    "therefore, ",
    "thus, ",
    "hence, ",
    "accordingly, ",
    "accordingly ",
    "consequently, ",
    "ultimately, ",
    "so ",
    "therefore ",
    "in my opinion, ",
    "in my view, ",
    "in my judgment, ",
    "in my judgement, ",
    "in my assessment, ",
    "in conclusion, ",
    "in sum, ",
    "in summary, ",
    "in short, ",
    "in the end, ",
    "all in all, ",
    "on balance, ",
    "to sum up, ",
    "to conclude, ",
    "to summarize, ",
    "for these reasons, ",
    "for these reasons ",
    "for that reason, ",
    "taken together, ",
    "taking all of this together, ",
    "taking everything together, ",
    "all things considered, ",
    "my conclusion is that ",
    "my view is that ",
    "my recommendation is that ",
    "my recommendation is to ",
    "my recommendation stands: ",
    "my position is that ",
    "my advice is to ",
    "my verdict is that ",
    "my answer is that ",
    "my judgment is that ",
    "my assessment is that ",
    "the bottom line is that ",
    "i conclude that ",
    "we conclude that ",
    "i believe that ",
    "i now think that ",
    "i now believe that ",
    "i now think ",
    "i now believe ",
    "i think that ",
    "i find that ",
    "i believe ",
    "i think ",
    "i would say that ",
    "i'd say that ",
    "i maintain that ",
];

/// Words that demand something.
const DEMANDS: [&str; 7] =
    ["should", "must", "ought", "recommend", "recommends", "propose", "advise"];

/// How much a sentence carries of what a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// A reason or a detail.
    Rest,
    /// What the text opens with, or a judgment.
    Judges,
    Demands,
    Concludes,
}

impl Weight {
    /// How much likeness it makes up for that a sentence holds what the other text held.
    fn counts(self) -> f64 {
        match self {
            Self::Rest => 0.0,
            Self::Judges => 0.1,
            Self::Demands | Self::Concludes => 0.2,
        }
    }
}

struct Sentence {
    /// Without what only says that it is concluded.
    span: Span,
    /// Sorted, each once.
    terms: Vec<Term>,
    weight: Weight,
}

/// What became of the statements of `before` that come again in `after`; nothing if none does. Of a
/// speaker that says that it holds on, `steady`, only what it concludes or demands can have changed.
pub(super) fn compare(before: &Reading<'_>, after: &Reading<'_>, steady: bool) -> Option<Found> {
    let (one, two) = (sentences(before), sentences(after));
    let mut again = None;
    for (weight, alike, first, second) in pairs(&one, &two) {
        if steady && weight < Weight::Demands {
            break;
        }
        let found = between((before.original(), first), (after.original(), second));
        let Some(found) = found else { continue };
        let found = Found { similarity: found.similarity.max(alike), ..found };
        let doubtful = steady && is_reversal(found.outcome) && found.confidence < SURE;
        if counts(&found, weight) && !doubtful {
            return Some(found);
        }
        if !is_reversal(found.outcome) && found.outcome != QUALIFIED && again.is_none() {
            // What is concluded or demanded again is held, whatever became of the reasons.
            let settled = weight >= Weight::Demands;
            let confidence = found.confidence.min(HALF);
            again = Some(Found {
                outcome: FlipOutcome::Same,
                settled,
                confidence,
                why: AGAIN,
                ..found
            });
        }
    }
    again
}

/// Whether a change of a sentence is one of what the text holds.
fn counts(found: &Found, weight: Weight) -> bool {
    match found.outcome {
        FlipOutcome::Same | FlipOutcome::Unrelated => false,
        outcome if is_reversal(outcome) => weight > Weight::Rest || found.confidence >= SURE,
        QUALIFIED => weight > Weight::Rest,
        // Whoever says more about it has changed nothing: that is what long answers are for.
        FlipOutcome::Changed(_) => found.adjusts,
    }
}

/// Two sentences side by side, with their places in the texts.
fn between(one: (&str, Span), two: (&str, Span)) -> Option<Found> {
    let (first, second) = (one.1.of(one.0)?, two.1.of(two.0)?);
    let found = line::compare(&Reading::new(first), &Reading::new(second));
    let place = |inner: Option<Span>, outer: Span| {
        Some(inner.map_or(outer, |span| span.shifted(outer.start())))
    };
    (found.outcome != FlipOutcome::Unrelated).then(|| Found {
        before: place(found.before, one.1),
        after: place(found.after, two.1),
        acknowledgment: found.acknowledgment.map(|span| span.shifted(two.1.start())),
        ..found
    })
}

/// The sentences in which the speaker itself states something.
fn sentences(reading: &Reading<'_>) -> Vec<Sentence> {
    let text = reading.original();
    let claims = reading.claims();
    let mut found: Vec<Sentence> = Vec::new();
    let mut claim = claims.iter().peekable();
    for outer in reading.sentence_spans().take(SENTENCES) {
        let (mut own, mut others) = (false, false);
        while let Some(it) = claim.next_if(|it| it.span.start() < outer.end()) {
            own |= it.owner == Owner::Speaker;
            others |= it.owner != Owner::Speaker;
        }
        let whole = outer.of(text).unwrap_or_default();
        if others && !own || is_asked(whole) {
            continue;
        }
        let mut start = outer.start();
        // What a semicolon parts are two statements.
        for said in whole.split_inclusive("; ") {
            let (skipped, concludes) = unframed(said);
            let weight = match () {
                () if concludes => Weight::Concludes,
                () if demands(said) => Weight::Demands,
                () if found.is_empty() => Weight::Judges,
                () => Weight::Rest,
            };
            let end = start + said.trim_end_matches([';', ' ']).len();
            let span = Span::new((start + skipped).min(end), end);
            found.push(Sentence { span, terms: Vec::new(), weight });
            start += said.len();
        }
    }
    for word in reading.content().words.iter().filter(|word| word.content) {
        let after = found.partition_point(|sentence| sentence.span.start() <= word.span.start());
        let own = after.checked_sub(1).and_then(|at| found.get_mut(at));
        if let Some(own) = own.filter(|own| own.span.contains(word.span)) {
            own.terms.push(word.term);
            if word.term.takes_side() && own.weight == Weight::Rest {
                own.weight = Weight::Judges;
            }
        }
    }
    for sentence in &mut found {
        sentence.terms.sort_unstable();
        sentence.terms.dedup();
    }
    found
}

/// A question, or what opens with one: "Whether to ban it is much debated".
fn is_asked(said: &str) -> bool {
    const ASKS: [&str; 12] = [
        "ask", "asks", "asked", "asking", "know", "wonder", "wonders", "wondered", "question",
        "unclear", "decide", "debate",
    ];
    let opens = said.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("whether "));
    let words = || said.split(|c: char| !c.is_alphanumeric());
    let mut pairs = words().zip(words().skip(1));
    let asked = pairs.any(|(one, two)| ASKS.contains(&one) && matches!(two, "whether" | "if"));
    opens || asked || said.trim_end().ends_with('?')
}

fn demands(said: &str) -> bool {
    said.split(|c: char| !c.is_alphanumeric())
        .any(|word| DEMANDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// How many bytes only open the sentence, and whether they say that it concludes: "Overall, …",
/// "Decision: …".
fn unframed(said: &str) -> (usize, bool) {
    const LABEL: usize = 4;
    let mut at = 0;
    if let Some((label, rest)) = said.split_once(": ") {
        let short = label.split_whitespace().count() <= LABEL && !label.contains(',');
        if short && rest.chars().any(char::is_alphabetic) {
            at = label.len() + 2;
        }
    }
    let labelled = at > 0;
    let mut concludes = labelled;
    loop {
        let rest = said.get(at..).unwrap_or_default();
        let opens = |known: &&&str| {
            rest.get(..known.len()).is_some_and(|head| head.eq_ignore_ascii_case(known))
        };
        let Some(known) = CONCLUDES.iter().find(opens) else { return (at, concludes) };
        at += known.len();
        concludes = true;
    }
}

/// The pairs that share most, those that conclude or demand something first.
fn pairs(before: &[Sentence], after: &[Sentence]) -> Vec<(Weight, f64, Span, Span)> {
    let mut by_term: HashMap<Term, Vec<usize>> = HashMap::new();
    for (at, sentence) in after.iter().enumerate() {
        for term in &sentence.terms {
            let places = by_term.entry(*term).or_default();
            if places.len() < PER_TERM {
                places.push(at);
            }
        }
    }
    let mut found: Vec<(Weight, f64, Span, Span)> = Vec::new();
    for sentence in before {
        let mut shared: HashMap<usize, u64> = HashMap::new();
        for place in sentence.terms.iter().filter_map(|term| by_term.get(term)).flatten() {
            *shared.entry(*place).or_default() += 1;
        }
        let alike = shared.into_iter().filter_map(|(at, both)| {
            let other = after.get(at)?;
            let share = crate::measure::share(both, sentence.terms.len() as u64)?;
            Some((share, other.weight, at, other.span))
        });
        let likest = |a: &(f64, Weight, usize, Span), b: &(f64, Weight, usize, Span)| {
            let likeness = |it: &(f64, Weight, usize, Span)| it.0 + it.1.counts();
            likeness(a).total_cmp(&likeness(b)).then(a.2.cmp(&b.2))
        };
        let best = alike.max_by(likest).filter(|best| best.0 >= ALIKE);
        found.extend(best.map(|(share, _, _, span)| (sentence.weight, share, sentence.span, span)));
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    found.truncate(PAIRS);
    found
}
