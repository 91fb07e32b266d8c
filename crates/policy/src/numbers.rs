//! The numbers of a text, as digits: what must not be invented.

use std::ops::Range;

/// A number and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: f64,
    pub(crate) at: Range<usize>,
}

/// Every number written in ASCII digits, without its sign: `1,234.5`, `.12`, the `1` and the `2024`
/// of `Q1-2024`.
pub(crate) fn numbers(text: &str) -> Vec<Number> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        loop {
            let group = bytes.get(end) == Some(&b',')
                && (1..=3).all(|next| digit(end + next))
                && !digit(end + 4);
            match (digit(end), group) {
                (true, _) => end += 1,
                (false, true) => end += 4,
                (false, false) => break,
            }
        }
        let is_bare_fraction =
            at > 0 && bytes.get(at - 1) == Some(&b'.') && (at < 2 || !digit(at - 2));
        if is_bare_fraction {
            at -= 1;
        } else if bytes.get(end) == Some(&b'.') && digit(end + 1) {
            end += 1;
            while digit(end) {
                end += 1;
            }
        }
        let written = text.get(at..end).unwrap_or_default().replace(',', "");
        if let Ok(value) = written.parse() {
            found.push(Number { value, at: at..end });
        }
        at = end;
    }
    found
}

/// True for one number in two ways to write it: 0.1 and 0.10.
pub(crate) fn same(one: f64, two: f64) -> bool {
    (one - two).abs() <= 1e-9 * one.abs().max(two.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        numbers(text).into_iter().map(|number| number.value).collect()
    }

    #[test]
    fn digits_are_read_as_people_write_them() {
        assert_eq!(values("'0.10%' from GCC-STAT Q1-2024"), [0.1, 1.0, 2024.0]);
        assert_eq!(values("$317,064 million, or .5"), [317_064.0, 0.5]);
        assert_eq!(
            values("2023,2024 and 1,2 and 1,234,5678"),
            [2023.0, 2024.0, 1.0, 2.0, 1234.0, 5678.0]
        );
        assert_eq!(values("rose by 7. Then 1.2.3"), [7.0, 1.2, 3.0]);
        assert_eq!(values("none, ½, ٣"), [0.0; 0]);
    }

    #[test]
    fn one_number_in_two_ways_is_one() {
        assert!(same(0.1, 0.10) && same(0.0, 0.0) && same(0.1 + 0.2, 0.3));
        assert!(!same(0.1, 0.101) && !same(0.0, 1e-12) && !same(f64::NAN, f64::NAN));
    }
}
