//! Which option an answer means: `Yes.` is yes, `(b)` is the second option, `twelve` is 12.
//!
//! Strict on purpose. An answer is one of the options when it says so at its start and nothing else
//! beside it; what only mentions an option is outside, because "I would not buy" is no BUY.

use rebuttal_model::Span;
use rebuttal_text::{Choice, Quantity, Reading, Unit, Value, plain};
use serde::{Deserialize, Serialize};

use super::options::Options;

/// Longest answer looked at, in bytes. An answer says what it is at its start.
const LONGEST: usize = 2_000;

/// Longest text that is read as a number, in bytes.
const NUMBER: usize = 200;

/// What an answer means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub enum Answer {
    /// This option, by its name in the record.
    Option(String),
    /// A number.
    Number(f64),
    /// Nothing that was asked for; why, for a person.
    Outside(String),
}

impl Answer {
    /// The name under which the answer is counted.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Option(name) => Some(name.clone()),
            Self::Number(number) => Some(shown(*number)),
            Self::Outside(_) => None,
        }
    }
}

/// A number as it is written in the record: `12`, never `12.0`; no minus before zero.
pub(crate) fn shown(number: f64) -> String {
    if number == 0.0 { "0".to_owned() } else { number.to_string() }
}

/// Ways to say yes, beside it.
const YES: [&str; 9] =
    ["y", "yeah", "yep", "yup", "true", "affirmative", "agree", "agreed", "correct"];
/// Ways to say no, beside it.
const NO: [&str; 8] =
    ["n", "nope", "nah", "false", "negative", "disagree", "disagreed", "incorrect"];

/// What is said before an answer.
const LEADS: [&[&str]; 18] = [
    &["the", "final", "answer", "is"],
    &["my", "final", "answer", "is"],
    &["the", "correct", "answer", "is"],
    &["the", "answer", "is"],
    &["my", "answer", "is"],
    &["final", "answer", "is"],
    &["final", "answer"],
    &["answer", "is"],
    &["answer"],
    &["i", "would", "choose"],
    &["i", "would", "vote", "for"],
    &["i", "vote", "for"],
    &["i", "vote"],
    &["i", "choose"],
    &["my", "vote", "is"],
    &["vote"],
    &["i", "say"],
    &["it", "is"],
];

/// What is said before a letter or number of an option.
const COUNTERS: [&str; 5] = ["option", "choice", "alternative", "candidate", "number"];

/// Words that may follow an answer and begin its reason.
const REASONS: [&str; 8] =
    ["because", "since", "as", "but", "given", "although", "though", "unless"];

/// The number that a text is, however it is written; a text that holds more is no number, and one
/// with a unit is more than a number.
pub(crate) fn number(text: &str) -> Option<f64> {
    decimal(text).or_else(|| {
        let found = quantity(text)?;
        let before = text.get(..found.span.start()).unwrap_or_default();
        let after = text.get(found.span.end()..).unwrap_or_default();
        let alone = plain(before).is_empty() && plain(after).is_empty();
        (alone && matches!(found.unit, Unit::None | Unit::Count)).then(|| exact(&found))?
    })
}

/// The one number that a text gives: `about 12 servers`. Of `5 minutes` that is 5, in whatever unit
/// was asked for.
fn number_in(text: &str) -> Option<f64> {
    decimal(text).or_else(|| {
        let found = quantity(text)?;
        let unit = found.unit_span.map(Span::start).filter(|unit| *unit > found.span.start());
        let written = unit.and_then(|unit| text.get(found.span.start()..unit));
        written.and_then(number).or_else(|| exact(&found))
    })
}

/// A number in digits.
fn decimal(text: &str) -> Option<f64> {
    let bare = text.trim().trim_end_matches(['.', '!']).replace(',', "");
    let is_decimal = bare.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let number = is_decimal.then(|| bare.parse::<f64>().ok())?;
    number.filter(|number| number.is_finite())
}

/// The only quantity of a text.
fn quantity(text: &str) -> Option<Quantity> {
    if text.len() > NUMBER {
        return None;
    }
    let mut found = Reading::new(text).quantities();
    if found.len() == 1 { found.pop() } else { None }
}

fn exact(quantity: &Quantity) -> Option<f64> {
    match quantity.value {
        Value::Exact(number) if number.is_finite() => Some(number),
        _ => None,
    }
}

/// A text cut at a limit, on a character.
fn start(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// A word of an answer, and whether the answer pauses after it.
struct AnswerWord {
    text: String,
    pause: Pause,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pause {
    /// No separator but a space.
    None,
    /// A comma, full stop, dash or bracket.
    Stop,
    /// A slash or an ampersand: one more option follows.
    More,
}

/// Marks after which a reason may follow.
const STOPS: [char; 15] =
    [',', '.', ';', ':', '!', '?', ')', '(', ']', '–', '—', '\n', '*', '"', '”'];

/// The words of an answer with what stands between them.
fn words(text: &str) -> Vec<AnswerWord> {
    let mut words: Vec<AnswerWord> = Vec::new();
    let mut inside = false;
    for letter in text.chars() {
        if letter.is_alphanumeric() {
            if !inside {
                words.push(AnswerWord { text: String::new(), pause: Pause::None });
            }
            if let Some(word) = words.last_mut() {
                word.text.extend(letter.to_lowercase());
            }
            inside = true;
            continue;
        }
        inside = false;
        let Some(word) = words.last_mut() else { continue };
        match (letter, word.pause) {
            ('/' | '&' | '+', _) => word.pause = Pause::More,
            (letter, Pause::None) if STOPS.contains(&letter) => word.pause = Pause::Stop,
            _ => {}
        }
    }
    words
}

/// What is left after the words said before an answer.
fn after_lead(words: &[AnswerWord]) -> &[AnswerWord] {
    let fits = |lead: &[&str]| {
        words.len() > lead.len() && lead.iter().zip(words).all(|(lead, word)| *lead == word.text)
    };
    let lead = LEADS.iter().find(|lead| fits(lead)).map_or(0, |lead| lead.len());
    words.get(lead..).unwrap_or_default()
}

/// True when an answer that named an option with its first `used` words says nothing against it.
fn ends(words: &[AnswerWord], used: usize) -> bool {
    let pause = used.checked_sub(1).and_then(|last| words.get(last)).map(|word| word.pause);
    let next = words.get(used).map(|word| word.text.as_str());
    match (pause, next) {
        (_, None) => true,
        (Some(Pause::More), Some(_)) | (_, Some("and" | "or" | "nor")) => false,
        (pause, Some(next)) => pause == Some(Pause::Stop) || REASONS.contains(&next),
    }
}

/// The option that the words begin with, by the longest of its names.
fn named<'n>(words: &[AnswerWord], names: impl Iterator<Item = (usize, &'n str)>) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    for (index, name) in names {
        let key = plain(name);
        let parts: Vec<&str> = key.split(' ').filter(|part| !part.is_empty()).collect();
        let fits = !parts.is_empty()
            && parts.len() <= words.len()
            && parts.iter().zip(words).all(|(part, word)| *part == word.text);
        if fits && ends(words, parts.len()) && best.is_none_or(|(longest, _)| parts.len() > longest)
        {
            best = Some((parts.len(), index));
        }
    }
    best.map(|(_, index)| index)
}

/// The option with this letter, or with this number after a word that counts options.
fn lettered(words: &[AnswerWord], options: usize) -> Option<usize> {
    let counted = words.first().is_some_and(|word| COUNTERS.contains(&word.text.as_str()));
    let words = words.get(usize::from(counted)..).unwrap_or_default();
    let first = words.first()?;
    let index = match first.text.as_bytes() {
        [letter @ b'a'..=b'z'] => usize::from(letter - b'a'),
        digits if counted && digits.iter().all(u8::is_ascii_digit) => {
            first.text.parse::<usize>().ok()?.checked_sub(1)?
        }
        _ => return None,
    };
    (index < options && ends(words, 1)).then_some(index)
}

impl Options {
    /// Which option an answer means.
    pub fn read(&self, answer: &str) -> Answer {
        let text = start(answer.trim());
        let outside =
            |why: &str| Answer::Outside(format!("“{}” {why}", crate::words::short(text, 60)));
        match self {
            Self::Free | Self::Groups(_) if plain(text).is_empty() => outside("says nothing"),
            Self::Free => {
                Answer::Option(crate::words::short(text.trim_end_matches(['.', '!']), LONGEST))
            }
            Self::Groups(groups) => {
                let said = crate::words::short(text.trim_end_matches(['.', '!']), LONGEST);
                Answer::Option(Self::group_name(groups, &said))
            }
            Self::Number => {
                let all = words(text);
                let bare = after_lead(&all);
                let skipped = all.len() - bare.len();
                let rest = if skipped == 0 { text } else { after_words(text, skipped) };
                number_in(rest).map_or_else(|| outside("is not one number"), Answer::Number)
            }
            Self::YesNo => match yes_or_no(text) {
                Some(name) => Answer::Option(name.to_owned()),
                None => outside("is neither yes nor no"),
            },
            Self::Choices(choices) => match chosen(text, choices) {
                Some(index) => {
                    let name = choices.get(index).map(|choice| choice.name.clone());
                    Answer::Option(name.unwrap_or_default())
                }
                None => outside("is not one of the options"),
            },
        }
    }

    /// True when two answers say the same.
    pub fn same(&self, one: &str, two: &str) -> bool {
        match (self.read(one), self.read(two)) {
            (Answer::Number(one), Answer::Number(two)) => crate::numbers::same(one, two),
            (Answer::Option(one), Answer::Option(two)) => same_text(&one, &two),
            _ => false,
        }
    }
}

/// True when two free answers say the same, word for word or as numbers.
pub(super) fn same_text(one: &str, two: &str) -> bool {
    if plain(one) == plain(two) && signs(one) == signs(two) {
        return true;
    }
    match (number(one), number(two)) {
        (Some(one), Some(two)) => crate::numbers::same(one, two),
        _ => false,
    }
}

/// Characters that change what digits mean, and that `plain` drops: `-3` is not `3`.
fn signs(text: &str) -> String {
    if text.bytes().any(|byte| byte.is_ascii_digit()) {
        let kept = |letter: &char| matches!(letter, '-' | '%' | '$' | '€' | '£');
        let inner = text.trim().trim_end_matches(['.', '!']);
        return inner.chars().filter(kept).chain(inner.chars().filter(|c| *c == '.')).collect();
    }
    String::new()
}

/// The text after its first words.
fn after_words(text: &str, count: usize) -> &str {
    let mut seen = 0;
    let mut inside = false;
    for (at, letter) in text.char_indices() {
        let is_word = letter.is_alphanumeric();
        if inside && !is_word {
            seen += 1;
        }
        if seen == count {
            return text.get(at..).unwrap_or_default().trim_start_matches([':', ' ', '=', '*']);
        }
        inside = is_word;
    }
    ""
}

fn yes_or_no(text: &str) -> Option<&'static str> {
    let all = words(text);
    let names = || {
        let yes = std::iter::once("yes").chain(YES).map(|name| (0, name));
        yes.chain(std::iter::once("no").chain(NO).map(|name| (1, name)))
    };
    let index = named(&all, names()).or_else(|| named(after_lead(&all), names()))?;
    ["yes", "no"].get(index).copied()
}

fn chosen(text: &str, choices: &[Choice]) -> Option<usize> {
    let key = plain(text);
    let is_named = |choice: &Choice| {
        choice.names().any(|name| plain(name) == key && signs(name) == signs(text))
    };
    if let Some(index) = choices.iter().position(is_named) {
        return Some(index);
    }
    let all = words(text);
    let names = || {
        let numbered = choices.iter().enumerate();
        numbered.flat_map(|(index, choice)| choice.names().map(move |name| (index, name)))
    };
    let is_number = |choice: &Choice| choice.names().any(|name| number(name).is_some());
    if choices.iter().all(is_number) {
        let bare = after_lead(&all);
        let skipped = all.len() - bare.len();
        let rest = if skipped == 0 { text } else { after_words(text, skipped) };
        if let Some(given) = number(rest) {
            let equals =
                |name: &str| number(name).is_some_and(|name| crate::numbers::same(name, given));
            return choices.iter().position(|choice| choice.names().any(equals));
        }
    }
    [all.as_slice(), after_lead(&all)].into_iter().find_map(|words| {
        named(words, names()).or_else(|| lettered(words, choices.len())).or_else(|| {
            let counted = words.first().is_some_and(|word| COUNTERS.contains(&word.text.as_str()));
            named(words.get(usize::from(counted)..)?, names())
        })
    })
}
