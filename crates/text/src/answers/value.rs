//! What an answer's words mean: a letter, an option, a side, a number, or no more than words.

use crate::asked::{Asked, Choice, plain};
use crate::quantities::{Quantity, Unit, Value};
use crate::reading::Reading;

use super::boxed::without_latex;

/// A side of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Yes, true, for.
    Yes,
    /// No, false, against.
    No,
}

/// What kind of answer is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given {
    /// A side.
    Side(Side),
    /// One of the options that were asked for, by its place.
    Option(usize),
    /// A letter of options nobody listed, from 0.
    Letter(u8),
    /// A number as written (`1.2k` is 1200), and in its unit's canonical measure.
    Number {
        /// As written, whatever it counts.
        bare: f64,
        /// In the canonical measure of `unit`.
        value: f64,
        /// What it counts.
        unit: Unit,
    },
    /// A mark: so much out of so much.
    Rating {
        /// How much.
        value: f64,
        /// Of how much.
        of: f64,
    },
    /// Words that are none of these: `hold`, `x^2 + 1`.
    Words,
}

/// A value that was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) given: Given,
    /// Bytes of the piece up to where the value ends.
    pub(super) length: usize,
}

/// What counts as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Behind a label or in a box: words count as well.
    Labelled,
    /// In a sentence that concludes: what follows may go on, words count.
    Worded,
    /// The same, where words are no answer.
    Typed,
}

/// Longest value looked at, in bytes.
const LONGEST: usize = 240;
/// Most words that are an answer by themselves.
const WORDS: usize = 6;

/// Marks of a formula, in which every character counts.
const FORMULA: [char; 6] = ['^', '=', '+', '/', '\\', '<'];

/// What decorates a value.
const DECOR: [char; 16] =
    ['*', '_', '"', '\'', '`', '$', ' ', '\t', '“', '”', '#', '>', '‘', '’', '~', '\n'];

/// The value that a piece is, and nothing else beside it.
pub(super) fn whole(piece: &str, asked: &Asked, strictness: Strictness) -> Option<Found> {
    if piece.len() > LONGEST {
        return None;
    }
    let plain_text = without_latex(piece);
    let text = plain_text.trim_matches(|c| DECOR.contains(&c));
    let found = leading(text, asked, strictness)?;
    let rest = text.get(found.length..).unwrap_or_default();
    let only = match found.given {
        // "(C) 5 cm": the letter stands for what follows it.
        Given::Letter(_) => true,
        Given::Option(_) if is_lettered(text) => true,
        _ => plain(rest).is_empty(),
    };
    let length = piece.len();
    if only {
        return Some(Found { length, ..found });
    }
    (strictness == Strictness::Labelled)
        .then(|| in_words(text))
        .flatten()
        .map(|it| Found { length, ..it })
}

/// True of `(C) tin` and `C. tin`.
fn is_lettered(text: &str) -> bool {
    let body = text.trim_start_matches(['(', '[', '*']);
    let mut bytes = body.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes
            .next()
            .is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte.is_ascii_punctuation())
}

/// The value that a piece starts with.
pub(super) fn leading(piece: &str, asked: &Asked, strictness: Strictness) -> Option<Found> {
    let end = piece.floor_char_boundary(piece.len().min(LONGEST));
    let piece = piece.get(..end)?;
    let start = piece.len()
        - piece.trim_start_matches(|c| DECOR.contains(&c) || c == ':' || c == '=').len();
    let start = start + skipped(piece.get(start..)?);
    let text = piece.get(start..)?;
    let options = match asked {
        Asked::Options(choices) => choices.as_slice(),
        _ => &[],
    };
    let found = letter(text, options)
        .or_else(|| option(text, options))
        .or_else(|| side(text, asked, strictness))
        .or_else(|| number(text, asked, strictness))
        .or_else(|| (strictness != Strictness::Typed).then(|| in_words(text)).flatten())?;
    Some(Found { length: found.length + start, ..found })
}

/// How many bytes are said before a value and belong to it as little as its decoration: "option",
/// "about", "the".
fn skipped(text: &str) -> usize {
    const BEFORE: [&str; 19] = [
        "option",
        "choice",
        "letter",
        "answer",
        "candidate",
        "alternative",
        "number",
        "about",
        "approximately",
        "roughly",
        "around",
        "exactly",
        "the",
        "to",
        "for",
        "a",
        "an",
        "with",
        "x",
    ];
    let mut at = 0;
    for _ in 0..3 {
        let rest = text.get(at..).unwrap_or_default();
        let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let after = rest.get(word.len()..).unwrap_or_default();
        // "a" before a word is an article, and "A." is an answer.
        let spaced = after.starts_with([' ', '*', ':', '=']) && after.len() > 1;
        let lower = word.to_ascii_lowercase();
        let article = lower != "a" || (word == "a" && after.starts_with(' '));
        if !(spaced && article && BEFORE.contains(&lower.as_str())) {
            break;
        }
        let next = after.trim_start_matches(|c| DECOR.contains(&c) || c == ':' || c == '=');
        // "x" is a name of a number only where an equals sign says so.
        if lower == "x" && !after.trim_start().starts_with('=') {
            break;
        }
        at += rest.len() - next.len();
    }
    at
}

/// `C`, `(C)`, `C.`, `C: 5 cm`.
fn letter(text: &str, options: &[Choice]) -> Option<Found> {
    let opened = text.starts_with(['(', '[']);
    let body = text.get(usize::from(opened)..)?.trim_start_matches('*');
    let letter = body.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let rest = body.get(1..)?;
    let place = letter.to_ascii_lowercase() - b'a';
    let most = if options.is_empty() { 10 } else { options.len() };
    if usize::from(place) >= most {
        return None;
    }
    let closed = rest
        .starts_with([')', ']', '.', ':', '*', ',', ';', '!', '"', '\'', '`', '$', '}', '?', '\n']);
    let word =
        rest.trim_start_matches(|c| DECOR.contains(&c)).split(|c: char| !c.is_alphabetic()).next();
    let word = word.unwrap_or_default().to_lowercase();
    let reason = [
        "because", "since", "as", "given", "due", "based", "with", "by", "per", "it", "here",
        "after",
    ];
    let dash = rest.trim_start().starts_with(['-', '–', '—', '(', '✓', '✅']);
    let bracketed = opened && rest.trim_start_matches('*').starts_with([')', ']']);
    let alone = rest.trim().is_empty() || closed || dash && rest.starts_with(' ');
    let capital = letter.is_ascii_uppercase();
    // "U.S." is no letter, nor is "A's".
    let inside = rest.starts_with(['.', '\''])
        && rest.get(1..2).is_some_and(|next| next.bytes().all(|b| b.is_ascii_alphanumeric()));
    let stands =
        (capital && (alone || reason.contains(&word.as_str())) && (letter != b'I' || bracketed))
            || bracketed;
    if !stands || inside || is_denied(rest) {
        return None;
    }
    let name = options.get(usize::from(place)).map(|option| plain(&option.name));
    let given = match name {
        Some(_) => Given::Option(usize::from(place)),
        None => Given::Letter(place),
    };
    let length = text.len() - rest.len() + usize::from(bracketed);
    Some(Found {
        name: name.unwrap_or_else(|| char::from(b'a' + place).to_string()),
        given,
        length,
    })
}

/// "A or B", "A and B", "A is wrong": no one letter is chosen.
fn is_denied(rest: &str) -> bool {
    let rest = rest.trim_start_matches([')', ']', '*', ',', ' ', '.', '"', '`', '$']);
    let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let next = rest.get(word.len()..).unwrap_or_default().trim_start();
    match word.to_ascii_lowercase().as_str() {
        "or" | "and" | "nor" => next
            .trim_start_matches(['(', '*'])
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .is_some_and(|word| word.len() == 1),
        "is" | "was" => ["wrong", "incorrect", "not", "false", "ruled", "out"]
            .iter()
            .any(|no| next.starts_with(no)),
        _ => rest.starts_with(['/', '&']),
    }
}

/// The longest name of an option that the words begin with.
fn option(text: &str, options: &[Choice]) -> Option<Found> {
    let mut best: Option<(usize, usize)> = None;
    for (index, option) in options.iter().enumerate() {
        for length in option.names().filter_map(|name| prefix(text, name)) {
            if best.is_none_or(|(longest, _)| length > longest) {
                best = Some((length, index));
            }
        }
    }
    let (length, index) = best?;
    let rest = text.get(length..)?.trim_start_matches(['*', '"', ' ']);
    let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if matches!(word, "or" | "and" | "nor") || rest.starts_with('/') || is_denied(rest) {
        return None;
    }
    let name = plain(&options.get(index)?.name);
    Some(Found { name, given: Given::Option(index), length })
}

/// How many bytes of the text the words of `name` take, if it starts with them.
fn prefix(text: &str, name: &str) -> Option<usize> {
    let key = plain(name);
    let mut at = 0;
    let mut words = 0;
    for word in key.split(' ').filter(|word| !word.is_empty()) {
        let rest = text.get(at..)?;
        let gap = rest.find(char::is_alphanumeric)?;
        let between = rest.get(..gap)?;
        if words > 0
            && between.contains(['.', '\n', ';', '!', '?', ','])
            && !name.contains([',', '.'])
        {
            return None;
        }
        let body = rest.get(gap..)?;
        let length = body.find(|c: char| !c.is_alphanumeric()).unwrap_or(body.len());
        if body.get(..length)?.to_lowercase() != word || (words == 0 && gap > 3) {
            return None;
        }
        at += gap + length;
        words += 1;
    }
    (words > 0).then_some(at)
}

/// The side that words name, in small letters: `yes`, `against`.
pub fn side_named(words: &str) -> Option<Side> {
    const YES: [&str; 12] = [
        "yes",
        "y",
        "true",
        "correct",
        "agree",
        "for",
        "pro",
        "support",
        "affirmative",
        "approve",
        "in favor",
        "in favour",
    ];
    const NO: [&str; 12] = [
        "no",
        "n",
        "false",
        "incorrect",
        "disagree",
        "against",
        "con",
        "oppose",
        "negative",
        "reject",
        "not true",
        "opposed",
    ];
    if YES.contains(&words) {
        return Some(Side::Yes);
    }
    NO.contains(&words).then_some(Side::No)
}

/// `Yes`, `No.`, `True`; only where a side was asked for, or where nothing says what was.
fn side(text: &str, asked: &Asked, strictness: Strictness) -> Option<Found> {
    let may = match asked {
        Asked::YesNo => true,
        Asked::Nothing => strictness == Strictness::Labelled,
        _ => false,
    };
    let length = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let word = text.get(..length).filter(|_| may)?;
    let side = side_named(&word.to_lowercase())?;
    let rest = text.get(length..)?.trim_start_matches(['*', '"', ')', '_', '$', '`']);
    // "For now", "no need": the word goes on.
    let strict = word.len() > 1
        && (rest.trim().is_empty()
            || rest.starts_with(['.', ',', ';', ':', '!', '\n', '('])
            || rest.starts_with(" -")
            || rest.starts_with(" –")
            || rest.starts_with(" —")
            || rest.starts_with(" ("));
    let name = if side == Side::Yes { "yes" } else { "no" };
    strict.then(|| Found { name: name.to_owned(), given: Given::Side(side), length })
}

/// `42`, `$1,200`, `7.5 degrees`, `4/5`, `7 out of 10`.
fn number(text: &str, asked: &Asked, strictness: Strictness) -> Option<Found> {
    if matches!(asked, Asked::Options(_) | Asked::YesNo) && strictness != Strictness::Labelled {
        return None;
    }
    let first = text
        .trim_start_matches(['(', '-', '+', '−', '$', '€', '£', '≈', '~', '.'])
        .chars()
        .next()?;
    let spelled = first.is_alphabetic() && matches!(asked, Asked::Number);
    if !first.is_ascii_digit() && !spelled {
        return None;
    }
    if let Some(rating) = rating(text) {
        return Some(rating);
    }
    // "3. Because …": a number that ends a sentence would be read as the mark of a list.
    let line = text.lines().next()?.split(". ").next()?.trim_end_matches(['.', '!']);
    let reading = Reading::new(line);
    let found = reading.quantities().into_iter().next()?;
    let before = line.get(..found.span.start())?;
    let negative = before.trim_end().ends_with(['-', '−']);
    if before.contains(char::is_alphanumeric) {
        return None;
    }
    let Value::Exact(value) = found.value else { return None };
    let bare = bare(line, &found).unwrap_or(value);
    let sign = if negative && bare > 0.0 { -1.0 } else { 1.0 };
    let (bare, value) = (bare * sign, value * sign);
    let percent = if found.unit == Unit::Percent { "%" } else { "" };
    let name = format!("{}{percent}", if bare == 0.0 { 0.0 } else { bare });
    Some(Found {
        name,
        given: Given::Number { bare, value, unit: found.unit },
        length: found.span.end(),
    })
}

/// The number as its digits give it, with its scale and without its unit.
fn bare(text: &str, found: &Quantity) -> Option<f64> {
    let written = found.span.of(text)?;
    let digits: String = written
        .trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-' && c != '.')
        .chars()
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-'))
        .filter(|c| *c != ',')
        .collect();
    let number: f64 = digits.trim_end_matches('.').parse().ok()?;
    Some(number * found.scale)
}

/// `4/5`, `7 out of 10`: a mark of at most a hundred.
fn rating(text: &str) -> Option<Found> {
    let digits =
        |text: &str| text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let first = digits(text);
    let value: f64 = text.get(..first)?.trim_end_matches('.').parse().ok()?;
    let rest = text.get(first..)?;
    let spaced = rest.trim_start();
    let after = spaced.strip_prefix('/').or_else(|| spaced.strip_prefix("out of "))?;
    let number = after.trim_start();
    let second = digits(number);
    let of: f64 = number.get(..second)?.trim_end_matches('.').parse().ok()?;
    let length = text.len() - number.len() + second;
    let marks = [4.0, 5.0, 6.0, 7.0, 10.0, 20.0, 100.0].contains(&of)
        && value <= of
        && !number.get(second..)?.starts_with('/');
    marks.then(|| Found {
        name: format!("{value}/{of}"),
        given: Given::Rating { value, of },
        length,
    })
}

/// Words that an answer does not begin with.
const NO_ANSWER: [&str; 14] = [
    "not", "no", "none", "unknown", "unclear", "if", "that", "whether", "because", "there", "as",
    "it", "this", "based",
];

/// A few words, up to where the phrase ends.
fn in_words(text: &str) -> Option<Found> {
    let end =
        text.find(['.', ',', ';', ':', '!', '?', '\n', '(', '—', '–', '|']).unwrap_or(text.len());
    let end = text.get(..end)?.find(" - ").unwrap_or(end);
    let phrase = text.get(..end)?.trim_matches(|c| DECOR.contains(&c) || c == ')');
    let is_formula = phrase.contains(FORMULA) && phrase.len() < 60;
    let name = if is_formula {
        phrase.split_whitespace().collect::<String>().to_lowercase()
    } else {
        plain(phrase)
    };
    let count = name.split(' ').filter(|word| !word.is_empty()).count();
    let first = name.split(' ').next().unwrap_or_default();
    ((1..=WORDS).contains(&count) && !NO_ANSWER.contains(&first)).then_some(Found {
        name,
        given: Given::Words,
        length: end,
    })
}

/// Whether two answers say the same.
pub(super) fn same(one: (&str, Given), two: (&str, Given)) -> Option<bool> {
    match (one.1, two.1) {
        (Given::Side(one), Given::Side(two)) => Some(one == two),
        (Given::Option(one), Given::Option(two)) => Some(one == two),
        (Given::Letter(one), Given::Letter(two)) => Some(one == two),
        (
            Given::Number { bare, value, unit },
            Given::Number { bare: bare2, value: value2, unit: unit2 },
        ) => Some(same_numbers((bare, value, unit), (bare2, value2, unit2))),
        (Given::Rating { value, of }, Given::Rating { value: value2, of: of2 }) => {
            Some(close(value / of, value2 / of2))
        }
        (Given::Rating { value, .. }, Given::Number { bare, .. })
        | (Given::Number { bare, .. }, Given::Rating { value, .. }) => {
            (close(value, bare) || close(value / of_marks(one.1, two.1), bare)).then_some(true)
        }
        (Given::Words, Given::Words) => same_words(one.0, two.0),
        _ => (one.0 == two.0).then_some(true),
    }
}

/// What the mark among the two is out of.
fn of_marks(one: Given, two: Given) -> f64 {
    match (one, two) {
        (Given::Rating { of, .. }, _) | (_, Given::Rating { of, .. }) => of,
        _ => 1.0,
    }
}

fn same_numbers(one: (f64, f64, Unit), two: (f64, f64, Unit)) -> bool {
    let counts = |unit: Unit| matches!(unit, Unit::None | Unit::Count);
    if one.2 == two.2 {
        return close(one.1, two.1);
    }
    let share = |percent: f64, bare: f64| close(percent, bare * 100.0);
    match (one.2, two.2) {
        (Unit::Percent, other) if counts(other) => close(one.0, two.0) || share(one.0, two.0),
        (other, Unit::Percent) if counts(other) => close(one.0, two.0) || share(two.0, one.0),
        (one_unit, two_unit) if counts(one_unit) || counts(two_unit) => {
            close(one.0, two.0) || close(one.1, two.1)
        }
        (Unit::Degrees, Unit::Celsius) | (Unit::Celsius, Unit::Degrees) => close(one.0, two.0),
        _ => false,
    }
}

fn close(one: f64, two: f64) -> bool {
    (one - two).abs() <= 1e-6 * one.abs().max(two.abs()).max(1.0)
}

/// The same words, or those of one among the other's; different where they share none.
fn same_words(one: &str, two: &str) -> Option<bool> {
    let words = |text: &str| -> Vec<String> {
        text.split(' ')
            .filter(|word| word.len() > 3 || text.len() < 12)
            .map(str::to_owned)
            .collect()
    };
    let (one_words, two_words) = (words(one), words(two));
    let shared = one_words.iter().filter(|word| two_words.contains(word)).count();
    let fewer = one_words.len().min(two_words.len());
    let is_formula = [one, two].iter().any(|it| it.contains(FORMULA));
    match shared {
        _ if one == two => Some(true),
        _ if is_formula => Some(false),
        0 if fewer > 0 => Some(false),
        shared if shared == fewer => Some(true),
        _ => None,
    }
}
