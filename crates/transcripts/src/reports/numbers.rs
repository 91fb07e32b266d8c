//! Numbers in short texts, as far as it takes to tell whether two are the same.
//!
//! Reading figures in earnest is the business of `rebuttal-text`, which this crate may not use.

use rebuttal_model::Span;

/// A number with its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    value: f64,
    /// The number as written, before "million".
    bare: f64,
    /// The size of its last digit, as written.
    step: f64,
    /// Thousand, million, … where it is written.
    scale: Option<f64>,
    /// Where its digits stand.
    pub(super) span: Span,
}

impl Number {
    /// True when both may be one number, rounded, or with a scale or percent sign left out.
    pub(super) fn agrees(self, other: Self) -> bool {
        let step = |it: Self| it.step * it.scale.unwrap_or(1.0);
        let bare_step = self.step.max(other.step);
        let alike = |one: f64, two: f64| close(one, two, bare_step);
        close(self.value, other.value, step(self).max(step(other)))
            || (self.scale.is_none() || other.scale.is_none())
                && (alike(self.bare, other.bare)
                    || alike(self.bare * 100.0, other.bare)
                    || alike(self.bare, other.bare * 100.0))
    }
}

/// Half a last digit apart is rounding.
fn close(one: f64, two: f64, step: f64) -> bool {
    let noise = 1e-9 * one.abs().max(two.abs());
    (one.abs() - two.abs()).abs() <= step / 2.0 + noise
}

/// The numbers of a text; digits inside names (`Q1`) are none.
pub(super) fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let named = at > 0 && (byte(at - 1).is_ascii_alphanumeric() || byte(at - 1) >= 0x80);
        if !byte(at).is_ascii_digit() || named && !text.get(..at).is_some_and(ends_in_mark) {
            at += 1;
            continue;
        }
        let start = at;
        let mut decimals = 0;
        loop {
            let grouped =
                byte(at) == b',' && (1..=3).all(|ahead| byte(at + ahead).is_ascii_digit());
            let point = byte(at) == b'.' && byte(at + 1).is_ascii_digit() && decimals == 0;
            if !(byte(at).is_ascii_digit() || grouped || point) {
                break;
            }
            decimals += i32::from(point || decimals > 0);
            at += 1;
        }
        let digits: String =
            text.get(start..at).unwrap_or_default().chars().filter(|c| *c != ',').collect();
        let Ok(bare) = digits.parse::<f64>() else { continue };
        let scale = scale(text.get(at..).unwrap_or_default());
        let step = 10_f64.powi(-(decimals - 1).max(0));
        found.push(Number {
            value: bare * scale.unwrap_or(1.0),
            bare,
            step,
            scale,
            span: Span::new(start, at),
        });
    }
    found
}

/// A currency sign or a dash that is no letter of a name.
fn ends_in_mark(before: &str) -> bool {
    before.chars().next_back().is_some_and(|c| !c.is_alphanumeric())
}

fn scale(after: &str) -> Option<f64> {
    let after = after.trim_start_matches(' ');
    let word: String = after.chars().take_while(|c| c.is_alphabetic()).take(12).collect();
    let scale = match word.to_lowercase().as_str() {
        "k" | "thousand" => 1e3,
        "m" | "mn" | "mln" | "million" | "millions" => 1e6,
        "b" | "bn" | "bln" | "billion" | "billions" => 1e9,
        "t" | "tn" | "trillion" | "trillions" => 1e12,
        _ => return None,
    };
    Some(scale)
}

/// True when a text holds a number, in digits or in words.
pub(super) fn has_number(text: &str) -> bool {
    const WORDS: [&str; 33] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "thirteen", "fourteen", "fifteen", "twenty", "thirty", "forty",
        "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million",
        "billion", "half", "third", "quarter", "dozen", "thirds",
    ];
    text.bytes().any(|byte| byte.is_ascii_digit())
        || text
            .split(|c: char| !c.is_alphabetic())
            .any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The values that a citation quotes: `'0.10%'` in `Per extraction: '0.10%' from GCC-STAT`.
pub(super) fn quoted(citation: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = citation;
    while let Some(open) = rest.find(is_quote) {
        let before = rest.get(..open).unwrap_or_default();
        let inner = rest.get(open..).unwrap_or_default();
        let inner = inner.get(inner.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        // The apostrophe of "Qatar's" opens nothing.
        let glued = before.chars().next_back().is_some_and(char::is_alphanumeric);
        let close = inner.find(is_quote).filter(|_| !glued);
        let value = close.and_then(|close| inner.get(..close));
        rest = match close {
            Some(close) => inner.get(close..).unwrap_or_default(),
            None => inner,
        };
        if let Some(value) = value {
            rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
            if is_value(value) {
                found.push(value);
            }
        }
    }
    found
}

fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '"' | '`' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}')
}

/// Begins with a number, whatever sign or currency stands before it; a title does not.
fn is_value(text: &str) -> bool {
    let marks = |c: char| !c.is_alphanumeric();
    text.trim_start_matches(marks).starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree(one: &str, two: &str) -> bool {
        numbers(one).first().unwrap().agrees(*numbers(two).first().unwrap())
    }

    #[test]
    fn one_number_in_many_forms() {
        for (one, two) in [
            ("0.10", "0.1%"),
            ("$317.1 billion", "317,100 million dollars"),
            ("317.1", "$317.1 billion"),
            ("4.6", "4.64 %"),
            ("0.046", "4.6%"),
            ("−3", "-3"),
            ("€5m", "5,000,000"),
        ] {
            assert!(agree(one, two), "{one} and {two}");
        }
        for (one, two) in [("0.10", "0.12%"), ("4.60", "4.64"), ("5", "6"), ("3 bn", "3 tn")] {
            assert!(!agree(one, two), "{one} and {two}");
        }
        assert_eq!(numbers("Q1 GCC2 x9 é4"), []);
    }

    #[test]
    fn what_a_citation_quotes() {
        assert_eq!(quoted("[Per extraction: '0.10%' from GCC-STAT Q1-2024]"), ["0.10%"]);
        assert_eq!(quoted("Qatar's “World 2024” says \"$5 bn\", '12"), ["$5 bn"]);
        assert!(quoted("it's Qatar's").is_empty());
    }

    #[test]
    fn numbers_in_words() {
        assert!(has_number("two thirds") && has_number("N3") && !has_number("N/A"));
        assert!(!has_number("someone high often"));
    }
}
