//! The names of months and days of the week, written once for all who read or check a text.

/// The months, as a sentence writes them.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The days of the week, as a sentence writes them.
pub const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The number of a month, from 1, by its name or the first three letters of it, in any case.
///
/// ```
/// use rebuttal_model::month_number;
///
/// assert_eq!([month_number("march"), month_number("Sept"), month_number("Jan")], [Some(3), Some(9), Some(1)]);
/// assert_eq!([month_number("mar."), month_number("mayor"), month_number("")], [None; 3]);
/// ```
pub fn month_number(name: &str) -> Option<u32> {
    let is_short = name.len() == 3 || name.eq_ignore_ascii_case("sept");
    let names = |month: &str| {
        let head = if is_short { month.get(..name.len()) } else { Some(month) };
        head.is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    let found = MONTHS.iter().position(|month| names(month))?;
    u32::try_from(found + 1).ok()
}
