//! One period as written, before ranges are joined: a day, a month, a quarter, a year, a word.

use jiff::civil::Date;
use rebuttal_model::{Span, month_number};

use super::{Grain, Period};
use crate::citations::brackets::note_end;
use crate::quantities::look::{Look, Lower, Starts};

/// One period, which may still lack its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) grain: Grain,
    pub(super) year: Option<i16>,
    /// The month, quarter or half, from 1.
    part: i8,
    day: i8,
    pub(super) fiscal: bool,
    ambiguous: bool,
    /// The second year of a fiscal year written with two.
    last_year: Option<i16>,
    /// True for four digits that only their surroundings make a year.
    pub(super) is_bare: bool,
}

impl Atom {
    fn new(start: usize, end: usize, grain: Grain, year: Option<i16>) -> Self {
        Self {
            start,
            end,
            grain,
            year,
            part: 1,
            day: 1,
            fiscal: false,
            ambiguous: false,
            last_year: None,
            is_bare: false,
        }
    }

    fn part(self, part: u32) -> Option<Self> {
        Some(Self { part: i8::try_from(part).ok()?, ..self })
    }

    fn day(self, day: u32) -> Option<Self> {
        Some(Self { day: i8::try_from(day).ok()?, ..self })
    }

    fn fiscal(self) -> Self {
        Self { fiscal: true, ..self }
    }

    pub(super) fn period(self) -> Period {
        Period {
            span: Span::new(self.start, self.end),
            grain: self.grain,
            dates: self.dates(),
            fiscal: self.fiscal,
            ambiguous: self.ambiguous,
        }
    }

    /// True for a year that lies in two: `2023/24`.
    pub(super) fn is_split(self) -> bool {
        self.last_year.is_some()
    }

    /// The year that lies in this one and the next, where `second` is the next.
    pub(super) fn split_with(self, second: Self) -> Option<Self> {
        let next = self.year.filter(|_| self.grain == Grain::Year)? + 1;
        let follows = second.grain == Grain::Year && second.year == Some(next);
        follows
            .then_some(Self { end: second.end, last_year: second.year, is_bare: false, ..self })
            .map(Self::fiscal)
    }

    /// First and last day. Where a year lies in two, it begins in the middle of the first: on which
    /// day depends on whose it is, so that it is fiscal, too.
    pub(super) fn dates(self) -> Option<(Date, Date)> {
        let year = self.year?;
        if let Some(last) = self.last_year {
            return Some((Date::new(year, 7, 1).ok()?, Date::new(last, 6, 30).ok()?));
        }
        let months = |first: i8, count: i8| {
            let last = Date::new(year, first + count - 1, 1).ok()?.last_of_month();
            Some((Date::new(year, first, 1).ok()?, last))
        };
        match self.grain {
            Grain::Day => Date::new(year, self.part, self.day).ok().map(|day| (day, day)),
            Grain::Month => months(self.part, 1),
            Grain::Quarter => months(self.part * 3 - 2, 3),
            Grain::Half => months(self.part * 6 - 5, 6),
            Grain::Year => months(1, 12),
            Grain::Decade => {
                let last = Date::new(year + 9, 12, 31).ok()?;
                Some((Date::new(year, 1, 1).ok()?, last))
            }
            Grain::Range | Grain::Relative => None,
        }
    }
}

/// The first bytes of what [`atom`] reads, and the colon of URLs.
pub(crate) const STARTS: Starts = Starts::pairs(&[
    b"q1", b"q2", b"q3", b"q4", b"h1", b"h2", b"fy", b"fe", b"fi", b"fo", b"th", b"to", b"ja",
    b"ju", b"ma", b"ap", b"au", b"se", b"oc", b"no", b"ne", b"de", b"la", b"pr", b"pa", b"cu",
    b"ye",
])
.and(b"0123456789:");

/// A cheap test, on the first letters, of whether a period may start with the word at `at`.
#[inline]
pub(super) fn may_start(look: Look<'_>, at: usize) -> bool {
    let letter = |n| look.byte(at + n) | 0x20;
    match letter(0) {
        b'q' => matches!(letter(1), b'1'..=b'4'),
        b'h' => matches!(letter(1), b'1' | b'2'),
        b'f' if letter(1) == b'y' => true,
        b'f' => matches!(
            (letter(1), letter(2)),
            (b'e', b'b') | (b'i', b's' | b'n' | b'r') | (b'o', b'u')
        ),
        b't' => matches!((letter(1), letter(2)), (b'h', b'i') | (b'o', b'd' | b'm')),
        b'j' => matches!((letter(1), letter(2)), (b'a', b'n') | (b'u', b'n' | b'l')),
        b'm' => letter(1) == b'a' && matches!(letter(2), b'r' | b'y'),
        b'a' => matches!((letter(1), letter(2)), (b'p', b'r') | (b'u', b'g')),
        b's' => letter(1) == b'e' && matches!(letter(2), b'p' | b'c'),
        b'o' => (letter(1), letter(2)) == (b'c', b't'),
        b'n' => matches!((letter(1), letter(2)), (b'o', b'v') | (b'e', b'x')),
        b'd' => (letter(1), letter(2)) == (b'e', b'c'),
        b'l' => (letter(1), letter(2)) == (b'a', b's'),
        b'p' => matches!((letter(1), letter(2)), (b'r', b'e') | (b'a', b's')),
        b'c' => (letter(1), letter(2)) == (b'u', b'r'),
        b'y' => (letter(1), letter(2)) == (b'e', b's'),
        _ => false,
    }
}

/// The period that starts at `at`.
pub(super) fn atom(look: Look<'_>, at: usize) -> Option<Atom> {
    if look.byte(at).is_ascii_digit() {
        return digits(look, at);
    }
    let word = look.word(at);
    let lower = Lower::new(word);
    let end = at + word.len();
    match &*lower {
        "q" => numbered(look, at, end, Grain::Quarter, 4),
        "h" => numbered(look, at, end, Grain::Half, 2),
        "fy" => fiscal_year(look, at, end),
        _ if look.is_glued(end) => None,
        "fiscal" | "financial" => {
            let year = skip_word(look, end, "year");
            fiscal_year(look, at, year)
        }
        "first" => ordinal(look, at, end, 1),
        "second" => ordinal(look, at, end, 2),
        "third" => ordinal(look, at, end, 3),
        "fourth" => ordinal(look, at, end, 4),
        "yesterday" | "today" | "tomorrow" => Some(Atom::new(at, end, Grain::Relative, None)),
        "last" | "this" | "next" | "previous" | "past" | "current" => relative(look, at, end),
        name => month(look, at, end, month_number(name)?),
    }
}

/// A plausible year of four digits that ends its word.
fn year(look: Look<'_>, at: usize) -> Option<(usize, i16)> {
    let year = look.number(at, 4).filter(|year| (1000..=2199).contains(year))?;
    (!goes_on(look, at + 4)).then_some((at + 4, i16::try_from(year).ok()?))
}

/// True when the digits before `at` are part of something longer, and not only of what has a note:
/// "2023¹".
pub(super) fn goes_on(look: Look<'_>, at: usize) -> bool {
    look.is_glued(at) && (look.byte(at).is_ascii() || note_end(look, at).is_none())
}

/// A year after a blank, comma, hyphen or "of", or as `'24`.
fn year_after(look: Look<'_>, at: usize) -> Option<(usize, i16)> {
    // Some texts have a blank before their commas.
    let comma = look.blanks(at);
    let at = if look.byte(comma) == b',' { comma + 1 } else { at };
    let at = skip_word(look, at, "of");
    let at = if matches!(look.byte(at), b'-' | b'/') { at + 1 } else { look.blanks(at) };
    if look.byte(at) == b'\'' && !look.is_glued(at + 3) {
        let short = look.number(at + 1, 2)?;
        return Some((at + 3, 2000 + i16::try_from(short).ok()?));
    }
    year(look, at)
}

/// Skips blanks and `word` when they stand at `at`.
fn skip_word(look: Look<'_>, at: usize, word: &str) -> usize {
    let start = look.blanks(at);
    let end = start + word.len();
    if start > at && look.has(start, word) && !look.is_glued(end) { end } else { at }
}

/// `Q1-2024`, `Q1 2024`, `Q1'24`, `Q1 FY2023`, `H1 2024`, and `Q3` alone.
fn numbered(look: Look<'_>, at: usize, end: usize, grain: Grain, most: u32) -> Option<Atom> {
    let part = look.number(end, 1).filter(|part| (1..=most).contains(part))?;
    let end = end + 1;
    (!look.is_glued(end)).then_some(())?;
    let atom = Atom::new(at, end, grain, None).part(part)?;
    // Without its year only a free-standing `Q3` is a quarter; models and variants have numbers.
    let is_free = look.byte(at).is_ascii_uppercase()
        && look.byte_before(at) != b'-'
        && !(look.byte(end) == b'-' && look.byte(end + 1).is_ascii_lowercase());
    // An `H1` is a half only where a time is said: it is a heading and a virus, too.
    let is_time = grain == Grain::Quarter || is_during(look, at);
    with_year(look, atom).or_else(|| (is_free && is_time).then_some(atom))
}

/// `atom` with the calendar or fiscal year after it.
fn with_year(look: Look<'_>, atom: Atom) -> Option<Atom> {
    if let Some((end, year)) = year_after(look, atom.end) {
        return Some(Atom { end, year: Some(year), ..atom });
    }
    let at = skip_word(look, atom.end, "of");
    let start = if look.byte(at) == b'-' { at + 1 } else { look.blanks(at) };
    let year = fiscal_at(look, start)?;
    Some(Atom { end: year.end, year: year.year, fiscal: true, ..atom })
}

fn fiscal_at(look: Look<'_>, at: usize) -> Option<Atom> {
    let word = look.word(at);
    match &*Lower::new(word) {
        "fy" => fiscal_year(look, at, at + 2),
        "fiscal" | "financial" => fiscal_year(look, at, skip_word(look, at + word.len(), "year")),
        _ => None,
    }
}

/// `FY2023`, `FY23`, `FY 2023/24`, "fiscal year 2023"; the year follows at `end`.
fn fiscal_year(look: Look<'_>, at: usize, end: usize) -> Option<Atom> {
    let start = if look.byte(end) == b'-' { end + 1 } else { look.blanks(end) };
    if look.digits(start, 3) == 2 && !look.is_glued(start + 2) && start == end {
        let year = 2000 + i16::try_from(look.number(start, 2)?).ok()?;
        return Some(Atom::new(at, start + 2, Grain::Year, Some(year)).fiscal());
    }
    let (end, year) = year(look, start)?;
    let atom = Atom::new(at, end, Grain::Year, Some(year)).fiscal();
    let link = look.char(end).filter(|c| matches!(c, '/' | '-' | '\u{2013}'));
    let second = link.and_then(|link| second_year(look, end + link.len_utf8(), atom));
    Some(second.and_then(|two| atom.split_with(two)).unwrap_or(atom))
}

/// The `24` of `2023/24`, or the same in full.
fn second_year(look: Look<'_>, at: usize, first: Atom) -> Option<Atom> {
    let full = || year(look, at).map(|(end, it)| Atom::new(at, end, Grain::Year, Some(it)));
    short_year(look, at, first).or_else(full)
}

/// The `17` of "2015–17", in the century of `first`.
pub(super) fn short_year(look: Look<'_>, at: usize, first: Atom) -> Option<Atom> {
    let first_year = first.year.filter(|_| first.grain == Grain::Year)?;
    let short = i16::try_from(look.number(at, 2)?).ok()?;
    let year = first_year - first_year % 100 + short;
    (year > first_year && !look.is_glued(at + 2) && look.byte(at + 2) != b'%')
        .then(|| Atom { is_bare: first.is_bare, ..Atom::new(at, at + 2, Grain::Year, Some(year)) })
}

/// "first quarter of 2024", "second half of 2023", "third quarter".
fn ordinal(look: Look<'_>, at: usize, end: usize, part: u32) -> Option<Atom> {
    let quarter = skip_word(look, end, "quarter");
    if quarter > end {
        let atom = Atom::new(at, quarter, Grain::Quarter, None).part(part)?;
        // "The third quarter in a row" may be any.
        let is_streak = look.has(look.blanks(quarter), "in a row");
        return with_year(look, atom).or_else(|| (!is_streak).then_some(atom));
    }
    let half = skip_word(look, end, "half");
    if half > end && part <= 2 {
        let atom = Atom::new(at, half, Grain::Half, None).part(part)?;
        // "in the first half of the match" is of a match.
        let (the_at, the) = look.word_before(at);
        let is_time = the.eq_ignore_ascii_case("the")
            && is_during(look, the_at)
            && !look.has(look.blanks(half), "of ");
        return with_year(look, atom).or_else(|| is_time.then_some(atom));
    }
    None
}

/// True when the word before `at` leads to a time.
fn is_during(look: Look<'_>, at: usize) -> bool {
    let (_, word) = look.word_before(at);
    matches!(&*Lower::new(word), "in" | "for" | "during" | "over" | "through")
}

/// "last year", "this fiscal quarter".
fn relative(look: Look<'_>, at: usize, end: usize) -> Option<Atom> {
    let fiscal = skip_word(look, end, "fiscal");
    let start = look.blanks(fiscal);
    let unit = look.word(start);
    let is_period = matches!(
        &*Lower::new(unit),
        "year"
            | "quarter"
            | "month"
            | "week"
            | "decade"
            | "century"
            | "weekend"
            | "season"
            | "summer"
            | "winter"
            | "spring"
            | "autumn"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
    );
    let unit_end = start + unit.len();
    (start > fiscal && is_period && !look.is_glued(unit_end)).then(|| {
        let atom = Atom::new(at, unit_end, Grain::Relative, None);
        if fiscal > end { atom.fiscal() } else { atom }
    })
}

/// Where a month from `at` to `end` ends with the dot that shortens it; `May.` ends a sentence.
fn after_dot(look: Look<'_>, at: usize, end: usize) -> usize {
    let name = Lower::new(look.slice(at, end));
    let is_short = (name.len() == 3 && &*name != "may") || &*name == "sept";
    if is_short && look.byte(end) == b'.' { end + 1 } else { end }
}

/// "March 2024", "March 5, 2024", "March 5", and "March" alone, which only a range completes.
fn month(look: Look<'_>, at: usize, end: usize, month: u32) -> Option<Atom> {
    let end = after_dot(look, at, end);
    if let Some((end, year)) = year_after(look, end) {
        return Atom::new(at, end, Grain::Month, Some(year)).part(month);
    }
    let bare = Atom::new(at, end, Grain::Month, None).part(month)?;
    let day_at = look.blanks(end);
    let Some((day_end, day)) = day(look, day_at).filter(|_| day_at > end) else {
        return Some(bare);
    };
    let atom = Atom { end: day_end, grain: Grain::Day, ..bare }.day(day)?;
    if let Some((end, year)) = year_after(look, day_end) {
        return Some(Atom { end, year: Some(year), ..atom });
    }
    let is_capital = look.byte(at).is_ascii_uppercase();
    let is_number = matches!(look.byte(day_end), b'%' | b'.' | b',')
        && (look.byte(day_end) == b'%' || look.byte(day_end + 1).is_ascii_digit());
    Some(if is_capital && !is_number { atom } else { bare })
}

/// `5`, `05` or `5th`.
fn day(look: Look<'_>, at: usize) -> Option<(usize, u32)> {
    let count = look.digits(at, 2);
    let day = look.number(at, count).filter(|day| (1..=31).contains(day))?;
    let end = at + count;
    let suffix = look.word(end);
    let is_rank = matches!(&*Lower::new(suffix), "st" | "nd" | "rd" | "th");
    let end = if is_rank { end + suffix.len() } else { end };
    (!look.is_glued(end)).then_some((end, day))
}

/// Periods that begin with a digit.
fn digits(look: Look<'_>, at: usize) -> Option<Atom> {
    let clings = matches!(look.byte_before(at), b'.' | b',' | b'/' | b'#' | b'@')
        && look.byte_before(at - 1).is_ascii_alphanumeric();
    if clings {
        return None;
    }
    match look.digits(at, 4) {
        4 => iso(look, at).or_else(|| year_first(look, at)),
        1 | 2 => slashed(look, at).or_else(|| day_first(look, at)).or_else(|| part_first(look, at)),
        _ => None,
    }
}

/// `2024-03-05`, `2024/03/05`, `2024-03`.
fn iso(look: Look<'_>, at: usize) -> Option<Atom> {
    let year = look.number(at, 4).filter(|year| (1000..=2199).contains(year))?;
    let year = Some(i16::try_from(year).ok()?);
    let separator = look.byte(at + 4);
    matches!(separator, b'-' | b'/').then_some(())?;
    let month = look.number(at + 5, 2).filter(|month| (1..=12).contains(month))?;
    if look.byte(at + 7) == separator
        && let Some(day) = look.number(at + 8, 2).filter(|day| (1..=31).contains(day))
    {
        // `2024-03-05T10:30` is still that day.
        let is_end = !look.is_glued(at + 10) || look.byte(at + 10) == b'T';
        return is_end.then(|| Atom::new(at, at + 10, Grain::Day, year).part(month)?.day(day))?;
    }
    let is_month = separator == b'-' && !look.is_glued(at + 7) && look.byte(at + 7) != b'-';
    is_month.then(|| Atom::new(at, at + 7, Grain::Month, year).part(month))?
}

/// `2024Q1`, `2024-Q1`, `2024 H1`, `1990s`, `2024`.
fn year_first(look: Look<'_>, at: usize) -> Option<Atom> {
    let written = look.number(at, 4).filter(|year| (1000..=2199).contains(year))?;
    let written = i16::try_from(written).ok()?;
    let end = at + 4;
    if written % 10 == 0 && look.byte(end) == b's' && !look.is_glued(end + 1) {
        return Some(Atom::new(at, end + 1, Grain::Decade, Some(written)));
    }
    let part = if look.byte(end) == b'-' { end + 1 } else { look.blanks(end) };
    let (grain, most) = match look.byte(part) {
        b'Q' | b'q' => (Grain::Quarter, 4),
        b'H' => (Grain::Half, 2),
        _ => (Grain::Year, 0),
    };
    if let Some(number) = look.number(part + 1, 1).filter(|number| (1..=most).contains(number))
        && !look.is_glued(part + 2)
    {
        return Atom::new(at, part + 2, grain, Some(written)).part(number);
    }
    let bare = Atom { is_bare: true, ..Atom::new(at, end, Grain::Year, Some(written)) };
    let second = (look.byte(end) == b'/').then(|| second_year(look, end + 1, bare)).flatten();
    if let Some(split) = second.and_then(|two| bare.split_with(two)) {
        return Some(split);
    }
    (!goes_on(look, end)).then_some(bare)
}

/// `03/05/2024` and `5.3.2024`.
fn slashed(look: Look<'_>, at: usize) -> Option<Atom> {
    let first_count = look.digits(at, 2);
    let separator = look.byte(at + first_count);
    let second_at = at + first_count + 1;
    let second_count = look.digits(second_at, 2);
    let year_at = second_at + second_count + 1;
    if separator == b'/' && second_count > 2 {
        return month_and_year(look, at, second_at);
    }
    let fits = matches!(separator, b'/' | b'.' | b'-') && look.byte(year_at - 1) == separator;
    (fits && second_count > 0).then_some(())?;
    let (first, second) = (look.number(at, first_count)?, look.number(second_at, second_count)?);
    let (end, year) = year(look, year_at)?;
    // With dots the day comes first everywhere; with slashes that depends on the country.
    let (month, day) = match separator {
        b'.' => (second, first),
        _ if first > 12 => (second, first),
        _ => (first, second),
    };
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    let ambiguous = separator != b'.' && first <= 12 && second <= 12 && first != second;
    let atom = Atom { ambiguous, ..Atom::new(at, end, Grain::Day, Some(year)) };
    is_date.then(|| atom.part(month)?.day(day))?
}

/// `01/2023`.
fn month_and_year(look: Look<'_>, at: usize, year_at: usize) -> Option<Atom> {
    let month = look.number(at, 2).filter(|month| (1..=12).contains(month))?;
    let (end, year) = year(look, year_at).filter(|it| (1900..2100).contains(&it.1))?;
    (look.byte(end) != b'/').then(|| Atom::new(at, end, Grain::Month, Some(year)).part(month))?
}

/// `5 March 2024`, `5th of March`, `05-Mar-2024`.
fn day_first(look: Look<'_>, at: usize) -> Option<Atom> {
    let (day_end, day) = day(look, at)?;
    let of = skip_word(look, day_end, "of");
    let start = if look.byte(of) == b'-' { of + 1 } else { look.blanks(of) };
    (start > day_end && look.byte(start).is_ascii_uppercase()).then_some(())?;
    let word = look.word(start);
    let end = start + word.len();
    let month = month_number(word).filter(|_| !look.is_glued(end))?;
    let end = after_dot(look, start, end);
    let atom = Atom::new(at, end, Grain::Day, None).part(month)?.day(day)?;
    Some(match year_after(look, end) {
        Some((end, year)) => Atom { end, year: Some(year), ..atom },
        None => atom,
    })
}

/// `1H24`, `3Q 2024`: the part first, as analysts write.
fn part_first(look: Look<'_>, at: usize) -> Option<Atom> {
    let (grain, most) = match look.byte(at + 1) {
        b'Q' => (Grain::Quarter, 4),
        b'H' => (Grain::Half, 2),
        _ => return None,
    };
    let part = look.number(at, 1).filter(|part| (1..=most).contains(part))?;
    let atom = Atom::new(at, at + 2, grain, None).part(part)?;
    if let Some(short) = look.number(at + 2, 2).filter(|_| !look.is_glued(at + 4)) {
        return Some(Atom { end: at + 4, year: Some(2000 + i16::try_from(short).ok()?), ..atom });
    }
    let (end, year) = year_after(look, at + 2)?;
    Some(Atom { end, year: Some(year), ..atom })
}
