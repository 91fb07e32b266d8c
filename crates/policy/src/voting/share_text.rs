//! Shares as people write them: `0.66`, `66%`, `2/3`. What is written is read back to the last bit.

/// Decimals longer than this are better written otherwise, if there is a way.
const SHORT: usize = 6;
/// The largest number below the line: thirds, sevenths and hundredths have names, more is noise.
const BELOW: u8 = 100;

/// A share: `0.66`, `66%` or `2/3`.
pub(crate) fn share(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    if let Some(percent) = text.strip_suffix('%') {
        return number(percent).map(|percent| percent / 100.0);
    }
    match text.split_once('/') {
        Some((part, whole)) => {
            Some(number(part)? / number(whole)?).filter(|share| share.is_finite())
        }
        None => number(text),
    }
}

/// The shortest way to write a share that [`share`] reads back to the last bit: two thirds are
/// `2/3` and not sixteen digits.
pub(super) fn shown(value: f64) -> String {
    let decimal = value.to_string();
    if decimal.len() <= SHORT {
        return decimal;
    }
    let is_same = |text: &String| share(text).is_some_and(|read| read.to_bits() == value.to_bits());
    let fractions =
        (2..=BELOW).map(|whole| format!("{}/{whole}", (value * f64::from(whole)).round()));
    let percent = format!("{}%", value * 100.0);
    fractions
        .chain([percent])
        .find(|text| text.len() < decimal.len() && is_same(text))
        .unwrap_or(decimal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_are_written_as_people_write_them() {
        for text in ["0.66", "0.75", "1", "0", "0.1", "2/3", "5/6", "4/7", "99/100"] {
            let expected = if text == "99/100" { "0.99" } else { text };
            assert_eq!(shown(share(text).unwrap()), expected);
        }
        assert_eq!(shown(0.666_666), "0.666666", "not quite two thirds");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_to_the_last_bit(part in 0_u32..1000, whole in 1_u32..1000, any in 0.0_f64..1.0) {
            for value in [f64::from(part) / f64::from(whole), any, any.mul_add(0.5, 0.5)] {
                let text = shown(value);
                prop_assert_eq!(share(&text).map(f64::to_bits), Some(value.to_bits()), "{}", text);
                prop_assert!(text.len() <= value.to_string().len());
            }
        }
    }
}
