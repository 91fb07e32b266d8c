//! When: years, quarters, months, days, decades, ranges of them, and "last year".
//!
//! A period knows its first and last day whenever the text gives them, so that two periods can be
//! compared however they are written. A four-digit number is a year only where it reads as one:
//! "port 2049" and "2000 users" are not.

mod atom;
mod stretch;
mod years;

use jiff::civil::Date;
use rebuttal_model::Span;

use crate::places::Places;
use crate::quantities::look::{Look, Lower};
use atom::Atom;
pub(crate) use atom::STARTS;

/// How fine a period is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grain {
    /// One day.
    Day,
    /// One month.
    Month,
    /// A quarter of a year.
    Quarter,
    /// Half a year.
    Half,
    /// One year.
    Year,
    /// Ten years.
    Decade,
    /// From one period to another.
    Range,
    /// Said from the speaker's today: "last year"; the words are all there is.
    Relative,
}

/// A stretch of time that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The words that name it.
    pub span: Span,
    /// How fine it is.
    pub grain: Grain,
    /// First and last day, when the text gives them: "Q3" and "last year" do not.
    pub dates: Option<(Date, Date)>,
    /// True when a fiscal calendar applies; its days may differ from the calendar's.
    pub fiscal: bool,
    /// True when day and month may be the other way round: `03/05/2024`. The dates are then those
    /// of the American reading, month first.
    pub ambiguous: bool,
}

/// How two periods lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same days.
    Same,
    /// The first holds the second.
    Contains,
    /// The second holds the first.
    ContainedIn,
    /// They share some days.
    Overlaps,
    /// They share no day.
    Disjoint,
    /// The text does not say enough.
    Unknown,
}

/// Days by which a fiscal year may lie beside the calendar year of the same name.
const FISCAL_SHIFT_DAYS_MAX: i32 = 366;

impl Period {
    /// How this period lies to `other`.
    pub fn relation(&self, other: &Period) -> Relation {
        let mut answers =
            self.readings().flat_map(|one| other.readings().map(move |two| relate(one, two)));
        let Some(first) = answers.next() else { return Relation::Unknown };
        if !answers.all(|answer| answer == first) {
            return Relation::Unknown;
        }
        if self.fiscal == other.fiscal {
            return first;
        }
        // One fiscal, one not: only what is far apart is surely apart.
        if first == Relation::Disjoint && self.gap_days(other) > FISCAL_SHIFT_DAYS_MAX {
            Relation::Disjoint
        } else {
            Relation::Unknown
        }
    }

    /// The dates this may mean: two readings when day and month may be swapped.
    fn readings(&self) -> impl Iterator<Item = (Date, Date)> + use<> {
        let swapped = self.dates.filter(|_| self.ambiguous).and_then(|(day, _)| {
            let day = Date::new(day.year(), day.day(), day.month()).ok()?;
            Some((day, day))
        });
        self.dates.into_iter().chain(swapped)
    }

    fn gap_days(&self, other: &Period) -> i32 {
        let Some(((a, b), (c, d))) = self.dates.zip(other.dates) else { return 0 };
        let days = |from: Date, to: Date| from.until(to).map_or(0, |span| span.get_days());
        days(b, c).max(days(d, a))
    }
}

fn relate(one: (Date, Date), two: (Date, Date)) -> Relation {
    if one == two {
        Relation::Same
    } else if one.0 <= two.0 && two.1 <= one.1 {
        Relation::Contains
    } else if two.0 <= one.0 && one.1 <= two.1 {
        Relation::ContainedIn
    } else if one.0 <= two.1 && two.0 <= one.1 {
        Relation::Overlaps
    } else {
        Relation::Disjoint
    }
}

/// The periods of `text`, in order and without overlaps.
pub(crate) fn periods(text: &str) -> Vec<Period> {
    periods_at(&Places::of(text, &STARTS))
}

/// Reads a text whose places are known: those of [`STARTS`] and any others.
pub(crate) fn periods_at(places: &Places<'_>) -> Vec<Period> {
    let (look, mut walk) = (places.look(), places.walk());
    let mut found = Vec::new();
    let mut at = 0;
    let may_start = |at, first: u8| first.is_ascii_digit() || atom::may_start(look, at);
    while let Some(start) = walk.next(at, &STARTS, may_start) {
        let period = if look.is_glued_before(start) { None } else { period(look, start) };
        at = period.map_or_else(|| look.run_end(start), |period| period.span.end());
        found.extend(period);
    }
    found
}

fn period(look: Look<'_>, at: usize) -> Option<Period> {
    let first = atom::atom(look, at)?;
    if let Some(found) = range(look, first).or_else(|| stretch::ending(look, first)) {
        return Some(found);
    }
    let is_whole = match first.grain {
        Grain::Year if first.is_bare => {
            !leads_to_number(look, first) && years::is_year(look, first.start, first.end)
        }
        // A month alone is as often a verb or a name.
        Grain::Month => first.year.is_some(),
        _ => true,
    };
    let period = first.period();
    let span = if first.is_split() { stretch::named(look, period.span) } else { period.span };
    is_whole.then(|| to_date(look, Period { span, ..period }))
}

/// "YTD 2023" ends before the year does, on a day that is not said: the last but one will do.
fn to_date(look: Look<'_>, period: Period) -> Period {
    let is_open = |word: &str| word.eq_ignore_ascii_case("ytd");
    let (_, before) = look.word_before(period.span.start());
    let after = look.word(look.blanks(period.span.end()));
    let dates = period.dates.filter(|_| period.grain == Grain::Year);
    match dates.and_then(|(first, last)| Some((first, last.yesterday().ok()?))) {
        Some(dates) if is_open(before) || is_open(after) => {
            Period { grain: Grain::Range, dates: Some(dates), ..period }
        }
        _ => period,
    }
}

/// True when digits follow in the place of a second year: "from 1990 to 2000 users".
fn leads_to_number(look: Look<'_>, first: Atom) -> bool {
    let next = look.blanks(first.end);
    // "fell from 8 % in 2022 to 3 %": the year is no size.
    let (_, before) = look.word_before(first.start);
    let dated = matches!(&*Lower::new(before), "in" | "of" | "for" | "during" | "since" | "by");
    !dated
        && look.byte(next).is_ascii_alphabetic()
        && link(look, first).is_some_and(|(second, _)| look.byte(second).is_ascii_digit())
}

/// "2015–2017", "from 2015 to 2017", "between March and May 2024", "2015–17".
fn range(look: Look<'_>, first: Atom) -> Option<Period> {
    let (next, is_tight) = link(look, first)?;
    let mut second = atom::atom(look, next)
        .or_else(|| if is_tight { atom::short_year(look, next, first) } else { None })?;
    let mut first = first;
    if second.is_bare && !(first.year.is_some() && years::may_end_range(look, first, second)) {
        return None;
    }
    if first.year.is_none() && first.grain == second.grain {
        first.year = second.year;
    }
    if second.year.is_none() && second.grain == first.grain {
        second.year = first.year;
    }
    let span = Span::new(first.start, second.end);
    // "2022-23" is a year that lies in both, and no two years.
    let split = first.split_with(second).filter(|_| is_tight && second.end - second.start == 2);
    if let Some(year) = split.map(Atom::period) {
        return Some(Period { span: stretch::named(look, span), ..year });
    }
    // "between January and March": of whatever year.
    let yearless =
        first.year.is_none() && first.grain == Grain::Month && second.grain == first.grain;
    let dates = match first.dates().zip(second.dates()) {
        Some(((start, _), (_, end))) => Some(Some((start, end)).filter(|_| start <= end)?),
        None if yearless && look.byte(second.start).is_ascii_uppercase() => None,
        None => return None,
    };
    let fiscal = first.fiscal || second.fiscal;
    Some(Period { span, grain: Grain::Range, dates, fiscal, ambiguous: false })
}

/// Where the second period of a range may start, and whether a dash leads to it without blanks.
fn link(look: Look<'_>, first: Atom) -> Option<(usize, bool)> {
    let next = look.blanks(first.end);
    if let Some(dash) = look.char(next).filter(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}')) {
        let after = next + dash.len_utf8();
        return Some((look.blanks(after), next == first.end && look.blanks(after) == after));
    }
    let word = look.word(next);
    let is_link = match &*Lower::new(word) {
        "to" | "through" | "until" | "till" => true,
        "and" => look.word_before(first.start).1.eq_ignore_ascii_case("between"),
        _ => false,
    };
    (next > first.end && is_link).then(|| (look.blanks(next + word.len()), false))
}

#[cfg(test)]
mod tests;
