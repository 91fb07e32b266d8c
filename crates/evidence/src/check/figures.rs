//! Whether the numbers, units and times of a claim are those of a passage.

use rebuttal_detect::same::{Dimension, agree, number};
use rebuttal_model::{CitationVerdict as Verdict, Span};
use rebuttal_text::{Figure, Period, Reading, Relation};

/// Values may differ by this share: what is rounded further is another number.
const TOLERANCE: f64 = 0.005;

/// What of a claim is not as the passage has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mismatch {
    pub(super) verdict: Verdict,
    pub(super) in_claim: Span,
    pub(super) in_passage: Span,
}

/// What a comparison came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Compared {
    /// Numbers of the claim that the passage gives, or that follow from two it gives.
    pub(super) given: usize,
    /// Numbers of the claim of which the passage gives nothing that could be compared.
    pub(super) absent: Vec<Span>,
    /// What is wrong, the surest first.
    pub(super) wrong: Vec<Mismatch>,
}

/// Sets the claim's numbers and times beside those of the passage; spans are those of both texts.
pub(super) fn compare(claim: &Reading<'_>, passage: &Reading<'_>) -> Compared {
    let (own, given) = (claim.figures(), passage.figures());
    let mut compared = Compared::default();
    for figure in &own {
        one(figure, &given, (claim, passage), &mut compared);
    }
    if compared.wrong.is_empty() {
        compared.wrong.extend(times(claim, passage));
    }
    compared
}

fn one(own: &Figure, given: &[Figure], texts: (&Reading<'_>, &Reading<'_>), out: &mut Compared) {
    let mut same: Vec<&Figure> = given.iter().filter(|it| is_same(own, it)).collect();
    same.sort_by_key(|it| std::cmp::Reverse(nearness(own, it)));
    let nearest = given.iter().filter(|it| comparable(own, it));
    let nearest = nearest.max_by_key(|it| nearness(own, it));
    let wrong = |verdict, other: &Figure| Mismatch {
        verdict,
        in_claim: own.quantity.span,
        in_passage: other.quantity.span,
    };
    if !same.is_empty() {
        if let Some((in_claim, in_passage)) = apart(own, &same, given, texts.1) {
            out.wrong.push(Mismatch { verdict: Verdict::WrongPeriod, in_claim, in_passage });
        } else {
            out.given += 1;
        }
        return;
    }
    if follows(own, given) || is_written(own, texts) {
        out.given += 1;
        return;
    }
    let written = digits(own.quantity.span, texts.0.original());
    let alike = given.iter().find(|it| {
        digits(it.quantity.span, texts.1.original()) == written && unit_differs(own, it, texts)
    });
    if let Some(other) = alike {
        out.wrong.push(wrong(Verdict::WrongUnit, other));
    } else if let Some(other) = nearest {
        out.wrong.push(wrong(Verdict::WrongNumber, other));
    } else {
        out.absent.push(own.quantity.span);
    }
}

/// Whether two figures give one value in units of one kind.
fn is_same(one: &Figure, two: &Figure) -> bool {
    comparable(one, two) && agree(one, two, TOLERANCE)
}

/// Whether both are values of one kind: money of one currency, shares, times. What is counted may be named
/// on one side only.
fn comparable(one: &Figure, two: &Figure) -> bool {
    let (a, b) = (Dimension::of(one), Dimension::of(two));
    let count = |it: Dimension| {
        matches!(it, Dimension::Bare | Dimension::Number | Dimension::Counted | Dimension::Named(_))
    };
    a == b || count(a) && count(b) || a.filled(b) == b || b.filled(a) == a
}

/// How much two figures have in common beside their value: what is measured, of whom, when.
fn nearness(one: &Figure, two: &Figure) -> usize {
    let words = |it: &Figure| it.metric.iter().map(|word| word.term).collect::<Vec<_>>();
    let (a, b) = (words(one), words(two));
    let metric = a.iter().filter(|term| b.contains(term)).count();
    let entity = one.entity.iter().filter(|term| two.entity.contains(term)).count();
    let period = match relation(one, two) {
        Some(Relation::Same) => 2,
        Some(Relation::Contains | Relation::ContainedIn) => 1,
        _ => 0,
    };
    2 * metric + 2 * entity + period
}

fn relation(one: &Figure, two: &Figure) -> Option<Relation> {
    Some(one.period.as_ref()?.relation(two.period.as_ref()?))
}

/// The times of the claim's value and the passage's, where all values that are the same are of other times.
/// What time a value is of is read from the words around it and may be a neighbour's: where the passage
/// names the claim's time at all, it must give another value for it.
fn apart(
    own: &Figure,
    same: &[&Figure],
    given: &[Figure],
    passage: &Reading<'_>,
) -> Option<(Span, Span)> {
    let period = own.period.as_ref()?;
    let all = same.iter().all(|it| relation(own, it) == Some(Relation::Disjoint));
    let other = same.first()?.period.as_ref()?;
    let meets =
        |it: &Period| !matches!(period.relation(it), Relation::Disjoint | Relation::Unknown);
    let named = passage.periods().iter().any(meets);
    // Only a time in the figure's own sentence is surely its own.
    let of_it = |it: &Figure| {
        it.period.as_ref().is_some_and(|at| meets(at) && it.sentence.contains(at.span))
    };
    let has_its_own = given.iter().any(|it| comparable(own, it) && of_it(it));
    (all && (!named || has_its_own)).then_some((period.span, other.span))
}

/// Whether a value follows from two of the passage's: their sum, difference, ratio or change in per cent.
fn follows(own: &Figure, given: &[Figure]) -> bool {
    /// More pairs than a reader adds up.
    const FIGURES: usize = 12;
    let value = number(own.value).abs();
    let near = |other: f64| (other.abs() - value).abs() <= value * 0.02 + own.quantity.step / 2.0;
    let share = matches!(Dimension::of(own), Dimension::Share | Dimension::Points);
    let given = given.get(..given.len().min(FIGURES)).unwrap_or_default();
    given.iter().enumerate().any(|(at, one)| {
        given.iter().skip(at + 1).filter(|two| comparable(one, two)).any(|two| {
            let (a, b) = (number(one.value), number(two.value));
            let kind = comparable(own, one);
            let change = |from: f64, to: f64| from != 0.0 && near((to - from) / from * 100.0);
            kind && (near(a - b) || near(a + b)) || share && (change(a, b) || change(b, a))
        })
    })
}

/// Whether the number stands in the passage as it is written, in the same unit, whatever it was read as.
fn is_written(own: &Figure, texts: (&Reading<'_>, &Reading<'_>)) -> bool {
    let written = digits(own.quantity.span, texts.0.original());
    let told = written.len() > 1 && written.starts_with(|c: char| c.is_ascii_digit());
    let all = texts.1.quantities();
    let unit = |span: Option<Span>, text: &str| {
        span.and_then(|it| it.of(text)).map(str::to_lowercase).unwrap_or_default()
    };
    let own_unit = unit(own.quantity.unit_span, texts.0.original());
    told && all.iter().any(|it| {
        let theirs = unit(it.unit_span, texts.1.original());
        let same = it.unit == own.quantity.unit && theirs == own_unit;
        let named = theirs.is_empty() && !own_unit.is_empty();
        (same || named && column(it.span, texts.1.original()).contains(&own_unit))
            && digits(it.span, texts.1.original()) == written
    })
}

/// What stands between a table's cell and the one before it, where its column is named: `minutes_down: `.
fn column(cell: Span, text: &str) -> String {
    let before = text.get(..cell.start()).unwrap_or_default();
    before.rsplit([';', '\n']).next().unwrap_or_default().to_lowercase()
}

/// The digits of a number as written, without its separators.
fn digits(span: Span, text: &str) -> String {
    let words = span.of(text).unwrap_or_default();
    let start = words.find(|c: char| c.is_ascii_digit()).unwrap_or(words.len());
    let number = words.get(start..).unwrap_or_default();
    let number = number.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).next();
    let number = number.unwrap_or_default().trim_end_matches(['.', ',']);
    if number.is_empty() { words.to_lowercase() } else { number.replace(',', "") }
}

/// Whether one number as written has another unit, or its thousands or millions are other ones.
fn unit_differs(own: &Figure, other: &Figure, texts: (&Reading<'_>, &Reading<'_>)) -> bool {
    let unit = |figure: &Figure, text: &Reading<'_>| {
        let words = figure.quantity.unit_span.and_then(|it| it.of(text.original()));
        words.map(str::to_lowercase).unwrap_or_default()
    };
    let (a, b) = (unit(own, texts.0), unit(other, texts.1));
    let written = !a.is_empty() && !b.is_empty() && a != b;
    written || own.quantity.unit != other.quantity.unit
}

/// A time of the claim beside which none of the passage can stand.
fn times(claim: &Reading<'_>, passage: &Reading<'_>) -> Option<Mismatch> {
    let dated = |it: &Period| it.dates.is_some();
    let given: Vec<Period> = passage.periods().into_iter().filter(dated).collect();
    let own = claim.periods().into_iter().filter(dated).find(|own| {
        !given.is_empty() && given.iter().all(|it| own.relation(it) == Relation::Disjoint)
    })?;
    let in_passage = given.first()?.span;
    Some(Mismatch { verdict: Verdict::WrongPeriod, in_claim: own.span, in_passage })
}
