//! Numbers in words: "twenty-five", "two hundred and fifty thousand", "a third", "half a million".

use super::look::{Look, Lower, Starts};
use super::number::Number;

/// Most words that one number is read from.
const WORDS_MAX: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberWord {
    /// Zero to nineteen, and the tens.
    Small(i128),
    /// A power of ten: hundred is 2.
    Power(i32),
    Dozen,
    Half,
    /// A third is 3; said of one or of many.
    Part(u32, Many),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Many {
    One,
    Several,
}

/// The first letters of the words that [`spoken`] reads.
pub(super) const STARTS: Starts = Starts::pairs(&[
    b"a ", b"ze", b"on", b"tw", b"th", b"te", b"fo", b"fi", b"si", b"se", b"ei", b"el", b"ni",
    b"ha",
]);

/// A cheap test, on the first letters, of whether a number may start with the word at `at`.
#[inline]
pub(super) fn may_start(look: Look<'_>, at: usize) -> bool {
    let letter = |n| look.byte(at + n) | 0x20;
    match (letter(0), letter(1)) {
        (b'a', b' ') => matches!(
            (letter(2), letter(3)),
            (b'h', b'u' | b'a')
                | (b't', b'h' | b'r' | b'e')
                | (b'm' | b'b' | b's', b'i')
                | (b'd', b'o')
                | (b'q', b'u')
                | (b'f', b'i' | b'o')
                | (b'l', b'a')
                | (b'c', b'r')
        ),
        (b'z', b'e') => letter(2) == b'r',
        (b'o', b'n') => letter(2) == b'e' && !look.is_glued(at + 3),
        (b't', b'w') => matches!(letter(2), b'o' | b'e'),
        (b't', b'h') => matches!((letter(2), letter(3)), (b'r', b'e') | (b'i', b'r')),
        (b't', b'e') => letter(2) == b'n' && !look.is_glued(at + 3),
        (b'f', b'o') => matches!((letter(2), letter(3)), (b'u', b'r') | (b'r', b't')),
        (b'f', b'i') => matches!(letter(2), b'v' | b'f'),
        (b's', b'i') => letter(2) == b'x',
        (b's', b'e') => letter(2) == b'v',
        (b'e', b'i') => letter(2) == b'g',
        (b'e', b'l') => letter(2) == b'e',
        (b'n', b'i') => letter(2) == b'n',
        (b'h', b'a') => letter(2) == b'l',
        _ => false,
    }
}

fn classify(word: &str) -> Option<NumberWord> {
    use Many::{One, Several};
    use NumberWord::{Dozen, Half, Part, Power, Small};
    Some(match word {
        "zero" => Small(0),
        "one" => Small(1),
        "two" => Small(2),
        "three" => Small(3),
        "four" => Small(4),
        "five" => Small(5),
        "six" => Small(6),
        "seven" => Small(7),
        "eight" => Small(8),
        "nine" => Small(9),
        "ten" => Small(10),
        "eleven" => Small(11),
        "twelve" => Small(12),
        "thirteen" => Small(13),
        "fourteen" => Small(14),
        "fifteen" => Small(15),
        "sixteen" => Small(16),
        "seventeen" => Small(17),
        "eighteen" => Small(18),
        "nineteen" => Small(19),
        "twenty" => Small(20),
        "thirty" => Small(30),
        "forty" | "fourty" => Small(40),
        "fifty" => Small(50),
        "sixty" => Small(60),
        "seventy" => Small(70),
        "eighty" => Small(80),
        "ninety" => Small(90),
        "dozen" => Dozen,
        "half" | "halves" => Half,
        "third" => Part(3, One),
        "thirds" => Part(3, Several),
        "quarter" | "fourth" => Part(4, One),
        "quarters" | "fourths" => Part(4, Several),
        "fifth" => Part(5, One),
        "fifths" => Part(5, Several),
        "sixth" => Part(6, One),
        "sixths" => Part(6, Several),
        "eighth" => Part(8, One),
        "eighths" => Part(8, Several),
        "tenth" => Part(10, One),
        "tenths" => Part(10, Several),
        _ => return scale(word).map(Power),
    })
}

/// The power of ten of a scale word.
pub(super) fn scale(word: &str) -> Option<i32> {
    Some(match word {
        "hundred" => 2,
        "thousand" => 3,
        "lakh" | "lakhs" => 5,
        "million" | "millions" => 6,
        "crore" | "crores" => 7,
        "billion" | "billions" => 9,
        "trillion" | "trillions" => 12,
        _ => return None,
    })
}

/// A number in words, where it ends, and whether it is the bare word "one".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spoken {
    pub(super) end: usize,
    pub(super) number: Number,
    pub(super) is_bare_one: bool,
}

/// The number whose first word is at `at`.
pub(super) fn spoken(look: Look<'_>, at: usize) -> Option<Spoken> {
    let first = Lower::new(look.word(at));
    let start = at + first.len();
    if look.is_glued(start) {
        return None;
    }
    match &*first {
        "a" | "an" => after_article(look, start),
        "half" => half(look, at, start),
        _ => Sum::read(look, at),
    }
}

/// "a dozen", "a hundred and ten", "a third of": an article that means one.
fn after_article(look: Look<'_>, at: usize) -> Option<Spoken> {
    let (start, end, word) = next_word(look, at)?;
    match word {
        NumberWord::Power(_) | NumberWord::Dozen => Sum::read_from(look, start, 1),
        NumberWord::Part(divisor, Many::One) => {
            // "a third party" counts nothing, "a quarter" alone is as often a time.
            let is_share = precedes_of(look, end) || (divisor == 3 && ends_phrase(look, end));
            let number = Number { divisor, ..Number::whole(1) };
            is_share.then_some(Spoken { end, number, is_bare_one: false })
        }
        NumberWord::Half if ends_phrase(look, end) || precedes_of(look, end) => {
            let number = Number { divisor: 2, ..Number::whole(1) };
            Some(Spoken { end, number, is_bare_one: false })
        }
        NumberWord::Small(_) | NumberWord::Half | NumberWord::Part(_, Many::Several) => None,
    }
}

/// "half", "half a million"; not "half-baked", nor "the first half".
fn half(look: Look<'_>, at: usize, end: usize) -> Option<Spoken> {
    if look.byte(end) == b'-' && look.byte(end + 1).is_ascii_alphabetic() {
        return None;
    }
    let number = Number { divisor: 2, ..Number::whole(1) };
    let article = look.blanks(end);
    if look.has(article, "a ") {
        let many = match next_word(look, article + 1) {
            Some((_, end, NumberWord::Power(power))) => Some((end, number.scaled(power))),
            Some((_, end, NumberWord::Dozen)) => Some((end, Number::whole(6))),
            _ => None,
        };
        if let Some((end, number)) = many {
            return Some(Spoken { end, number, is_bare_one: false });
        }
    }
    let (_, before) = look.word_before(at);
    let ordinal =
        ["first", "second", "other", "latter", "former", "better", "last", "next", "front", "back"];
    let is_ordinal = ordinal.iter().any(|word| before.eq_ignore_ascii_case(word));
    (!is_ordinal).then_some(Spoken { end, number, is_bare_one: false })
}

fn precedes_of(look: Look<'_>, at: usize) -> bool {
    look.word(look.blanks(at)).eq_ignore_ascii_case("of")
}

/// True when no further word follows at once.
fn ends_phrase(look: Look<'_>, at: usize) -> bool {
    let next = look.blanks(at);
    !look.is_glued(next) && look.byte(at) != b'-'
}

/// The number word after a blank or hyphen at `at`.
fn next_word(look: Look<'_>, at: usize) -> Option<(usize, usize, NumberWord)> {
    let start = if look.byte(at) == b'-' { at + 1 } else { look.blanks(at) };
    (start > at).then_some(())?;
    let word = Lower::new(look.word(start));
    let end = start + word.len();
    let word = if word.is_empty() || look.is_glued(end) { None } else { classify(&word) };
    word.map(|word| (start, end, word))
}

/// The running sum of a spoken number.
#[derive(Clone, Copy, Debug)]
struct Sum {
    /// Finished thousands, millions and so on.
    total: i128,
    /// What the next scale word multiplies.
    current: i128,
    /// Power of ten of the last scale word, when nothing smaller followed.
    last: i32,
    words: usize,
    end: usize,
}

impl Sum {
    fn read(look: Look<'_>, at: usize) -> Option<Spoken> {
        let word = Lower::new(look.word(at));
        let Some(NumberWord::Small(first)) = classify(&word) else { return None };
        let sum = Sum { total: 0, current: first, last: 0, words: 1, end: at + word.len() };
        sum.go_on(look)
    }

    /// Reads on at the word `start`, of which there are `count`.
    fn read_from(look: Look<'_>, start: usize, count: i128) -> Option<Spoken> {
        Sum { total: 0, current: count, last: 0, words: 0, end: start.checked_sub(1)? }.go_on(look)
    }

    fn go_on(mut self, look: Look<'_>) -> Option<Spoken> {
        let first = self.current;
        while self.words < WORDS_MAX {
            let Some((at, end, word)) = next_word(look, self.end) else { break };
            match word {
                NumberWord::Part(divisor, many) => return self.part(divisor, many, end),
                NumberWord::Half if first == 1 && self.words == 1 => {
                    return self.part(2, Many::One, end);
                }
                NumberWord::Half => break,
                _ if !self.add(word) => break,
                _ => {}
            }
            self.words += 1;
            self.end = self.after_and(look, at.max(end));
        }
        self.finish(look, first)
    }

    /// Adds one word; false when it does not continue the number.
    fn add(&mut self, word: NumberWord) -> bool {
        match word {
            NumberWord::Small(n) => {
                let fits = (n < 10 && self.current % 100 >= 20 && self.current % 10 == 0)
                    || (n < 100 && self.current % 100 == 0 && (self.current > 0 || self.total > 0));
                self.current += if fits { n } else { 0 };
                self.last = if fits { 0 } else { self.last };
                fits
            }
            NumberWord::Power(2) => {
                let fits = (1..100).contains(&self.current);
                self.current *= if fits { 100 } else { 1 };
                self.last = if fits { 2 } else { self.last };
                fits
            }
            NumberWord::Power(power) => {
                // After 12 words of trillions the sum is still far below the limits of `i128`.
                let size = 10i128.pow(power.unsigned_abs());
                let fits = self.current > 0 && (self.total == 0 || self.total >= size * 1000);
                if fits {
                    self.total += self.current * size;
                    self.current = 0;
                    self.last = power;
                }
                fits
            }
            NumberWord::Dozen => {
                let fits = self.total == 0 && (1..100).contains(&self.current);
                self.current *= if fits { 12 } else { 1 };
                fits
            }
            NumberWord::Half | NumberWord::Part(..) => false,
        }
    }

    /// Skips the "and" of "two hundred and fifty"; `end` when none follows that continues.
    fn after_and(&self, look: Look<'_>, end: usize) -> usize {
        let and = look.blanks(end);
        if self.last < 2 || and == end || !look.has(and, "and ") {
            return end;
        }
        match next_word(look, and + 3) {
            Some((_, _, NumberWord::Small(n))) if n > 0 => and + 3,
            _ => end,
        }
    }

    /// "two thirds", "one fifth"; "twenty-third" is a rank, not a number.
    fn part(self, divisor: u32, many: Many, end: usize) -> Option<Spoken> {
        let fits = match many {
            Many::One => self.current == 1,
            Many::Several => (1..20).contains(&self.current),
        };
        let number = Number { divisor, ..Number::whole(self.current) };
        (fits && self.total == 0).then_some(Spoken { end, number, is_bare_one: false })
    }

    fn finish(self, look: Look<'_>, first: i128) -> Option<Spoken> {
        let value = self.total.checked_add(self.current)?;
        (self.words > 0).then_some(())?;
        let is_bare_one = self.words == 1 && value == 1 && first == 1;
        let mut number = Number { last_digit: self.last, ..Number::whole(value) };
        if self.current == 0 && self.last > 0 {
            number.scale = self.last;
        }
        let and = look.blanks(self.end);
        if look.has(and, "and a half") && !look.is_glued(and + 10) {
            let number =
                Number { mantissa: value * 10 + 5, exponent: -1, last_digit: -1, ..number };
            return Some(Spoken { end: and + 10, number, is_bare_one: false });
        }
        Some(Spoken { end: self.end, number, is_bare_one })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<(&str, f64)> {
        let spoken = spoken(Look::new(text), 0)?;
        Some((&text[..spoken.end], spoken.number.value(0)))
    }

    #[test]
    fn reads_spoken_numbers() {
        for (text, read, expected) in [
            ("twelve", "twelve", 12.0),
            ("Twenty-five services", "Twenty-five", 25.0),
            ("two hundred and fifty thousand", "two hundred and fifty thousand", 250_000.0),
            ("a hundred and ten", "a hundred and ten", 110.0),
            (
                "three million two hundred thousand",
                "three million two hundred thousand",
                3_200_000.0,
            ),
            ("a dozen eggs", "a dozen", 12.0),
            ("two dozen", "two dozen", 24.0),
            ("a third", "a third", 1.0 / 3.0),
            ("a third of it", "a third", 1.0 / 3.0),
            ("two thirds", "two thirds", 2.0 / 3.0),
            ("two-thirds", "two-thirds", 2.0 / 3.0),
            ("three quarters", "three quarters", 0.75),
            ("a quarter of", "a quarter", 0.25),
            ("one half", "one half", 0.5),
            ("half", "half", 0.5),
            ("half a million", "half a million", 500_000.0),
            ("half a dozen", "half a dozen", 6.0),
            ("two and a half million", "two and a half", 2.5),
            ("five five", "five", 5.0),
            ("two and three", "two", 2.0),
            ("zero", "zero", 0.0),
        ] {
            assert_eq!(value(text), Some((read, expected)), "{text}");
        }
    }

    #[test]
    fn leaves_other_words_alone() {
        for text in [
            "a third party",
            "half-baked",
            "tenant",
            "onerous",
            "a house",
            "twenty-third",
            "an",
            "thousands of",
            "fourth",
            "third",
            "a quarter later",
            "",
            "the",
            "million",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
